"""Events in the browser: from the first page to a scorecard, and pages that follow a round to its end."""

import shutil
from contextlib import asynccontextmanager
from datetime import timedelta
from random import Random

import pytest

from server.services import bulletins
from tests.browser import tournaments
from tests.browser.tournaments import CLOSING_S, ROUND_S
from tests.clock import StandingClock
from tests.running import serving

PATIENCE = 20_000  # milliseconds in which a page must have changed
SECRETS = (".contract", ".suit", "[data-result]", ".placings")


@asynccontextmanager
async def own_server(folder, template, port=0):
    """A server of the test's own."""
    path = folder / "crossruff.sqlite3"
    if not path.exists():
        shutil.copyfile(template, path)
    async with serving(f"sqlite:///{path}", folder, StandingClock(), port=port) as server:
        yield server


async def shows(page, selector, text):
    """Wait until an element says this."""
    await page.locator(selector, has_text=text).first.wait_for(timeout=PATIENCE)


async def tick(server, seconds=0.0):
    """Time passes, and followers are told what came of it."""
    await tournaments.tick(server, seconds)
    await bulletins.number_shared(server.database)


async def begun(server):
    """The id of a Swiss pairs of four pairs in its first round."""
    event = await tournaments.announce(server, "Followed", scoring="vp", rounds=2, boards=2)
    await tournaments.enter(server, event, [(f"a{i}", f"b{i}") for i in range(4)])
    await tick(server, 60)
    return event


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("All events", "Cross-table", "Rounds")), ("zh", ("全部赛事", "交叉表", "轮次"))],
)
def test_from_the_first_page_to_a_board_and_a_scorecard(browsing, language, words):
    async def walk():
        async with browsing.window(viewport={"width": 360, "height": 800}) as window:
            page, final = window.page, browsing.scene.tournaments.finished
            await window.open(f"/{language}/")
            await page.get_by_role("link", name=words[0]).click()
            await page.locator(f'a[href="/{language}/events/{final}"]').click()
            await page.locator(".placings").wait_for()
            await page.get_by_role("link", name=words[1]).click()
            await page.locator(".cross td.met a").first.click()
            assert "/entries/" in page.url
            assert "#round-1" in page.url
            await page.locator(".card-table .board-no a").first.click()
            assert "?player=" in page.url
            own = page.locator("tr.own")
            assert await own.count() == 1
            await own.locator("a.no").first.click()
            await page.locator(".card-table").wait_for()
            await page.get_by_role("link", name=words[2], exact=True).click()
            await page.locator(".matches tbody tr").nth(5).wait_for()
            await page.locator(".rack a").first.click()
            await page.locator(".traveller").wait_for()
            await page.get_by_role("button").first.click()
            return window.wrong

    assert browsing.run(walk()) == []


def test_a_round_is_followed_to_its_end_and_nothing_is_told_before(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            event, page = await begun(server), window.page
            board = await window.context.new_page()
            await board.goto(f"{server.url}/en/events/{event}/boards/1")
            await page.goto(f"{server.url}/en/events/{event}/rounds/1")
            await shows(page, "#live", "live")
            await shows(board, "#live", "live")
            await shows(page, '[data-table="1"] .count', "0/2")
            await tournaments.play(server, event, 1, Random(1), 1)
            await bulletins.number_shared(server.database)
            await shows(page, '[data-table="1"] .count', "1/2")
            assert await page.locator('[data-table="2"] .taken').count() == 1
            await tick(server, ROUND_S)
            await shows(page, ".event-now", "results coming in")
            await shows(board, ".event-now", "results coming in")
            for secret in SECRETS:
                assert await board.locator(secret).count() == 0
                assert await page.locator(secret).count() == 0
            await tick(server, CLOSING_S)
            await shows(page, ".event-now", "being played")
            await page.locator(".matches td.first data").first.wait_for(timeout=PATIENCE)
            await board.locator(".traveller").wait_for(timeout=PATIENCE)
            assert await board.locator(".traveller button.sort").count() > 5
            return window.wrong

    assert browsing.run(follow()) == []


def test_standings_survive_a_restart_of_the_server(browsing, tmp_path, sqlite_template):
    async def restart():
        async with browsing.window() as window:
            page = window.page
            async with own_server(tmp_path, sqlite_template) as server:
                event = await begun(server)
                now, port = server.clock.now(), int(server.url.rpartition(":")[2])
                await page.goto(f"{server.url}/en/events/{event}")
                await shows(page, "#live", "live")
                await shows(page, ".empty", "The first standings will appear here")
            await shows(page, "#live", "reconnecting")
            async with own_server(tmp_path, sqlite_template, port) as server:
                server.clock.set(now + timedelta(seconds=1))
                await tournaments.play(server, event, 1, Random(2), 2)
                await tick(server, ROUND_S)
                await tick(server, CLOSING_S)
                await shows(page, "#standings-h", "Standings after round 1 of 2")
                await shows(page, "#live", "live")
                assert await page.locator(".placings tbody tr").count() == 4

    browsing.run(restart())


def test_who_sits_down_is_seen_at_once_and_the_countdown_runs(browsing, tmp_path, sqlite_template):
    async def sign_up():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            event = await tournaments.announce(server, "Room", minutes=5)
            page = window.page
            await page.goto(f"{server.url}/en/events/{event}/entries")
            await shows(page, "#live", "live")
            for player, seat in (("ann", "N"), ("sam", "S")):
                await tournaments.post(
                    server, event, "room/sit", {"player": player, "table": 3, "seat": seat}
                )
                await tournaments.post(server, event, "room/raise", {"player": player})
            await bulletins.number_shared(server.database)
            await shows(page, ".room", "ann")
            seconds = page.locator(".entered-in .countdown b").nth(3)
            before = int(await seconds.inner_text())
            await page.wait_for_timeout(1500)
            assert int(await seconds.inner_text()) < before <= 20
            await tick(server, 21)
            await shows(page, ".entries", "ann")
            assert await page.locator(".room").count() == 0
            return window.wrong

    assert browsing.run(sign_up()) == []


def test_a_countdown_runs_by_the_servers_clock_and_has_the_page_read_again(browsing):
    async def hurry():
        async with browsing.window() as window:
            page = window.page

            async def faster(route):
                response = await route.fetch()
                text = (await response.text()).replace("<body ", '<body data-speed="7200" ')
                await route.fulfill(response=response, body=text)

            event = browsing.scene.tournaments.registration
            await page.route(f"**/events/{event}", faster)
            await page.goto(f"{window.url}/en/events/{event}")
            hours = page.locator(".event-now .countdown b").nth(1)
            assert await hours.inner_text() == "1"  # of an hour and a half: in a second it is over
            async with page.expect_request(f"**/events/{event}", timeout=PATIENCE):
                await shows(page, ".event-now .countdown", "0 s")
            return window.wrong

    assert browsing.run(hurry()) == []


@pytest.mark.parametrize("below", ["", "/cross-table", "/vp", "/entries/9"])
def test_it_prints_on_paper(browsing, below):
    async def printed():
        async with browsing.window() as window:
            await window.open(f"/en/events/{browsing.scene.tournaments.finished}{below}")
            await window.page.emulate_media(media="print")
            parts = ("header nav", "footer.site", ".tabs", ".trail li", ".downloads", "h1", "main table")
            shown = [await window.page.locator(part).first.is_visible() for part in parts]
            pdf = await window.page.pdf(prefer_css_page_size=True)
            return shown, pdf[:5]

    assert browsing.run(printed()) == ([False] * 5 + [True] * 2, b"%PDF-")
