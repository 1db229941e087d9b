"""Pages that are left open: lists, players and results follow too, and what the reader did in them stays."""

from datetime import timedelta
from random import Random

import pytest

from server.app import secrecy_of
from server.bridge.week import parse_week
from server.services import bulletins
from tests import factories
from tests.browser import season, tournaments
from tests.browser.test_live import PATIENCE, own_server, reveal, shows
from tests.browser.tournaments import CLOSING_S, ROUND_S

SECRETS = (".contract", ".suit", "[data-result]", ".placings")


async def impatient(page):
    """Have pages read again at once what they read again seldom."""

    async def hurried(route):
        response = await route.fetch()
        text = (await response.text()).replace('data-settle="3500"', "").replace('data-every="15000"', "")
        await route.fulfill(response=response, body=text)

    await page.route(lambda url: "/api/" not in url and "/static/" not in url, hurried)


async def tell(server):
    """What the timetable does: count, and tell."""
    await season.count(server)
    await bulletins.number_shared(server.database)


async def read_again(page):
    """Have the page read itself again, as when what it counts down to has come."""
    async with page.expect_response(page.url, timeout=PATIENCE):
        await page.evaluate("document.dispatchEvent(new Event('due'))")
    await page.wait_for_timeout(200)


def test_what_the_reader_did_stays_when_the_board_is_ruled_upon(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, board = window.page, await factories.board(server.api)
            made = [await factories.results(server.api, board, 1, tricks=tricks) for tricks in (9, 11, 10)]
            await page.goto(f"{server.url}/en/boards/{board['id']}")
            await shows(page, "#live", "live")
            await page.get_by_role("button", name="Tricks", exact=True).click()
            await page.get_by_role("button", name="Tricks", exact=True).click()
            kept, ruled = made[0][0]["id"], made[1][0]["id"]
            link = page.locator(f'[data-result="{kept}"] .why a')
            await link.click()
            await page.locator("tr.opened .arithmetic").wait_for()
            await link.focus()
            answer = await factories.rule(
                server.api, "adjust", ruled, basis="score_error", result="4SN=", reason="miscounted"
            )
            assert answer.status == 200, answer
            await page.locator("#corrections-h").wait_for(timeout=PATIENCE)
            tricks = await page.locator("tbody.group tr[data-result] td.tricks").all_inner_texts()
            assert tricks == sorted(tricks, key=int) == ["9", "10", "10"]
            sorted_by = page.locator('.traveller th[aria-sort="ascending"]')
            assert await sorted_by.all_inner_texts() == ["Tricks"]
            assert await page.locator(f'[data-result="{kept}"] + tr.opened .arithmetic').count() == 1
            assert await link.get_attribute("aria-expanded") == "true"
            assert await link.evaluate("link => link === document.activeElement")
            return window.wrong

    assert browsing.run(follow()) == []


def test_what_is_the_same_is_left_alone(browsing):
    async def read():
        async with browsing.window() as window:
            page, scene = window.page, browsing.scene
            for path in (f"/en/boards/{scene.retired}", f"/en/events/{scene.tournaments.finished}"):
                await window.open(path)
                await shows(page, "#live", "live")
                # What a deal makes comes by itself, a moment later.
                await page.locator("[data-soon]").first.wait_for(state="detached", timeout=60_000)
                mark = "for (const each of document.querySelectorAll('[data-live]')) each.seen = true"
                await page.evaluate(mark)
                await read_again(page)
                left = await page.evaluate("[...document.querySelectorAll('[data-live]')].map(e => e.seen)")
                assert left
                assert all(left)
            return window.wrong

    assert browsing.run(read()) == []


def test_a_list_of_boards_follows_and_shows_nothing_of_them(browsing, tmp_path, sqlite_template):
    async def follow():
        async with browsing.window() as window:
            page = window.page
            async with own_server(tmp_path, sqlite_template) as server:
                first, second = await factories.boards(server.api, 2)
                port = int(server.url.rpartition(":")[2])
                await page.goto(f"{server.url}/en/boards")
                await shows(page, "#live", "live")
                asked = []
                page.on("request", lambda request: asked.append(request.url))
                await factories.results(server.api, first, 2)
                await tell(server)
                await shows(page, f'[data-board="{first["id"]}"]', "scoring 2/3")
                assert not [url for url in asked if "/en/boards" in url]  # the bulletin has said it all
            await shows(page, "#live", "reconnecting")
            async with own_server(tmp_path, sqlite_template, port) as server:
                await factories.results(server.api, second, 1)
                await tell(server)
                await shows(page, f'[data-board="{second["id"]}"]', "pending 1/2")
                for secret in SECRETS:
                    assert await page.locator(secret).count() == 0

    browsing.run(follow())


def test_a_player_is_followed_and_his_boards_are_told_when_nobody_plays_them(
    browsing, tmp_path, sqlite_template
):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, people = window.page, factories.four()
            first, second = await factories.boards(server.api, 2)
            await factories.results(server.api, first, 1, players=people)
            await tell(server)
            await impatient(page)
            await page.goto(f"{server.url}/en/players/{people['N']}")
            await shows(page, "#live", "live")
            played = page.locator("#results tbody tr")
            assert await played.count() == 1
            await factories.results(server.api, second, 1, players=people)
            await tell(server)
            await played.nth(1).wait_for(timeout=PATIENCE)
            await shows(page, "#results", "still in play")
            for secret in SECRETS:
                assert await page.locator(secret).count() == 0
            await factories.results(server.api, second, 2)
            await tell(server)
            await page.locator("#results .contract").wait_for(timeout=PATIENCE)
            assert await page.locator("#results .contract").count() == 1
            await shows(page, "#career", "From one scored board")
            return window.wrong

    assert browsing.run(follow()) == []


@pytest.mark.parametrize("below", ["", f"/weeks/{factories.WEEK}"])
def test_what_time_alone_reveals_is_told_on_a_player_s_pages(browsing, tmp_path, sqlite_template, below):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, people = window.page, factories.four()
            board = await factories.board(server.api)
            (mine,) = await factories.results(server.api, board, 1, players=people)
            await factories.results(server.api, board, 1)
            await tell(server)
            shown = secrecy_of(server.settings).revealed_at(parse_week(factories.WEEK))
            server.clock.set(shown - timedelta(seconds=3))
            await impatient(page)
            await page.goto(f"{server.url}/en/players/{people['N']}{below}")
            await shows(page, "#live", "live")
            link = page.locator(f'a[href="/en/results/{mine["id"]}"]')
            assert await link.count() == 0
            server.clock.set(shown)
            await link.first.wait_for(timeout=PATIENCE)
            assert await page.locator("[data-until]").count() == 0
            return window.wrong

    assert browsing.run(follow()) == []


def test_a_result_follows_the_rulings_on_its_board(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, board = window.page, await factories.board(server.api)
            result, *_ = await factories.results(server.api, board, 3)
            await reveal(server)
            await page.goto(f"{server.url}/en/results/{result['id']}")
            await shows(page, "#live", "live")
            await factories.rule(
                server.api, "adjust", result["id"], basis="score_error", result="3SN=", reason="x"
            )
            await shows(page, "#corrections-h", "Corrections")
            return window.wrong

    assert browsing.run(follow()) == []


def test_lists_of_events_follow_from_the_announcement_to_the_winners(browsing, tmp_path, sqlite_template):
    async def follow():
        async with browsing.window() as window:
            page, home = window.page, await window.context.new_page()
            async with own_server(tmp_path, sqlite_template) as server:
                now, port = server.clock.now(), int(server.url.rpartition(":")[2])
                for each, path in ((page, "/en/events"), (home, "/en/")):
                    await impatient(each)
                    await each.goto(server.url + path)
                    await shows(each, "#live", "live")
                event = await tournaments.announce(server, "Followed", rounds=1, boards=2)
                await tell(server)
                await shows(page, f'[data-row="{event}"]', "Followed")
                await shows(home, "#events-now", "Followed")
                await tournaments.enter(server, event, [(f"a{i}", f"b{i}") for i in range(4)])
                await tell(server)
                await shows(page, f'[data-row="{event}"] [data-label="Pairs"]', "4")
            await shows(page, "#live", "reconnecting")
            async with own_server(tmp_path, sqlite_template, port) as server:
                server.clock.set(now + timedelta(minutes=2))
                await tournaments.tick(server)
                await tell(server)
                await shows(page, f'[data-row="{event}"]', "being played")
                await tournaments.play(server, event, 1, Random(1), 2)
                await tournaments.tick(server, ROUND_S)
                await tournaments.tick(server, CLOSING_S)
                await tell(server)
                await shows(page, f'[data-row="{event}"]', "finished")
                await shows(home, "#events-over", "Followed")
                for secret in SECRETS:
                    assert await page.locator(secret).count() == 0

    browsing.run(follow())


def test_the_list_of_a_week_follows_the_ratings_that_it_begins_with(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, before = window.page, "2026-W47"
            old = await factories.board(server.api, before)
            await factories.results(server.api, old, 3)
            await impatient(page)
            await page.goto(f"{server.url}/en/weeks")
            await shows(page, ".empty", "Nobody is rated in this pool yet")
            await shows(page, "#live", "live")
            answer = await server.api.post(f"weeks/{before}/rate", None, token="admin")
            assert answer.status == 200, answer
            await tell(server)
            await page.locator(".leaders tbody tr").nth(11).wait_for(timeout=PATIENCE)
            return window.wrong

    assert browsing.run(follow()) == []


def test_a_page_that_nobody_sees_holds_no_connection(browsing, tmp_path, sqlite_template):
    async def hide():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, board = window.page, await factories.board(server.api)
            await page.goto(f"{server.url}/en/boards/{board['id']}")
            await shows(page, "#live", "live")
            requests = []
            page.on("requestfinished", lambda request: requests.append(request.url))
            page.on("requestfailed", lambda request: requests.append(request.url))
            await page.evaluate(_SEEN.format("true"))
            await page.wait_for_timeout(500)
            assert [url for url in requests if "/stream" in url]
            await factories.results(server.api, board, 1)
            await page.wait_for_timeout(500)
            assert await page.locator(".state").inner_text() == "pending 0/2"
            await page.evaluate(_SEEN.format("false"))
            await shows(page, ".state", "pending 1/2")
            return window.wrong

    assert browsing.run(hide()) == []


_SEEN = (
    "Object.defineProperty(document, 'hidden', {{configurable: true, get: () => {}}});"
    "document.dispatchEvent(new Event('visibilitychange'))"
)
