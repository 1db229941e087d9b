"""Pages that follow what happens: a board from its first result to its last, and through a restart."""

import re
import shutil
from contextlib import asynccontextmanager
from datetime import timedelta

from server.app import secrecy_of
from server.services import bulletins
from server.services.bulletins import BulletinKind
from server.web import rendering, static_files
from tests import factories
from tests.browser import season
from tests.browser.scene import POOLS
from tests.clock import StandingClock
from tests.running import serving
from tests.web.page import cells

PATIENCE = 15_000  # milliseconds in which a page must have changed
SHORT = POOLS | {"imps": POOLS["imps"] | {"score_at": 2, "retire_at": 3}}


@asynccontextmanager
async def own_server(folder, template, port=0):
    """A server of the test's own, with boards that are soon full."""
    path = folder / "crossruff.sqlite3"
    if not path.exists():
        shutil.copyfile(template, path)
    async with serving(f"sqlite:///{path}", folder, StandingClock(), pools=SHORT, port=port) as server:
        yield server


async def shows(page, selector, text):
    """Wait until an element says this."""
    await page.locator(selector, has_text=text).first.wait_for(timeout=PATIENCE)


async def reveal(server):
    """What the timetable does: boards that nobody plays any more are told to their followers."""
    secrecy = secrecy_of(server.settings)
    await bulletins.reveal(server.database, secrecy, rendering.WORDING, server.clock.now())
    await bulletins.number_shared(server.database)


def test_the_browser_listens_for_every_kind_of_bulletin():
    script = (static_files.FOLDER / "live.js").read_text(encoding="utf-8")
    taken = re.search(r"const TAKE = \{(.*?)\n\};", script, re.DOTALL)[1]
    named = set(re.findall(r'^  "?([a-z-]+)"?(?:\(|:)', taken, re.MULTILINE))
    assert named >= {kind.value for kind in BulletinKind}


def test_a_board_is_followed_from_pending_to_everything(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            board = await factories.board(server.api)
            page = window.page
            await page.goto(f"{server.url}/en/boards/{board['id']}")
            await shows(page, "#live", "live")
            await shows(page, ".state", "pending 0/2")
            await factories.results(server.api, board, 1)
            await shows(page, ".state", "pending 1/2")
            await shows(page, ".waiting", "One more result")
            await factories.results(server.api, board, 1)
            await shows(page, ".state", "scoring 2/3")
            assert await page.get_by_role("status").inner_text() == "scoring 2/3"
            assert await page.locator(".traveller").count() == 0
            await factories.results(server.api, board, 1)
            await shows(page, ".state", "retired · 3 results")
            await reveal(server)
            await page.locator(".traveller").wait_for(timeout=PATIENCE)
            assert await page.locator(".traveller button.sort").count() > 5
            told = (await server.api.get(f"boards/{board['id']}/traveller")).body["results"]
            assert cells(await page.content()).keys() == {row["id"] for row in told}
            return window.wrong

    assert browsing.run(follow()) == []


def test_a_page_survives_a_restart_of_the_server(browsing, tmp_path, sqlite_template):
    async def restart():
        async with browsing.window() as window:
            page = window.page
            async with own_server(tmp_path, sqlite_template) as server:
                board = await factories.board(server.api)
                port = int(server.url.rpartition(":")[2])
                await page.goto(f"{server.url}/en/boards/{board['id']}")
                await shows(page, "#live", "live")
            await shows(page, "#live", "reconnecting")
            async with own_server(tmp_path, sqlite_template, port) as server:
                await factories.results(server.api, board, 1)
                await shows(page, ".state", "pending 1/2")
                await shows(page, "#live", "live")
                await factories.results(server.api, board, 1)
                await shows(page, ".state", "scoring 2/3")

    browsing.run(restart())


def test_after_a_reset_the_page_is_read_again(browsing, tmp_path, sqlite_template):
    async def lost():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page = window.page
            board = await factories.board(server.api)

            async def older(route):
                response = await route.fetch()
                text = re.sub(r"(board:\w+)=\d+", r"\1=999", await response.text())
                text = text.replace('<span class="count">1/2<', '<span class="count">0/2<')
                await route.fulfill(response=response, body=text)
                await page.unroute("**/boards/*")

            await page.route("**/boards/*", older)
            await factories.results(server.api, board, 1)
            await page.goto(f"{server.url}/en/boards/{board['id']}")
            assert await page.locator(".state").inner_text() == "pending 0/2"
            await shows(page, ".state", "pending 1/2")

    browsing.run(lost())


def test_the_first_page_follows_the_week(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page = window.page
            first, second = await factories.boards(server.api, 2)
            await factories.results(server.api, first, 1)
            await bulletins.number_shared(server.database)
            await page.goto(f"{server.url}/en/")
            await shows(page, "#live", "live")
            assert await page.locator("#moving tbody tr").count() == 1
            server.clock.advance(timedelta(seconds=1))
            await factories.results(server.api, second, 2)
            await bulletins.number_shared(server.database)
            await shows(page, f'#moving [data-row="{second["id"]}"]', "scoring 2/3")
            assert await page.locator("#moving tbody tr").first.get_attribute("data-row") == second["id"]
            return window.wrong

    assert browsing.run(follow()) == []


def test_a_leaderboard_follows_the_week(browsing, tmp_path, sqlite_template):
    async def follow():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page = window.page
            board = await factories.board(server.api)
            await page.goto(f"{server.url}/en/weeks?rating=points")
            await shows(page, "#live", "live")
            await shows(page, ".empty", "Nobody has a board of this week yet.")
            await page.evaluate("document.querySelector('.seek [name=q]').value = 'typed'")
            await factories.results(server.api, board, 2)
            await bulletins.number_shared(server.database)
            await season.count(server)
            await page.locator(".leaders tbody tr").nth(7).wait_for(timeout=PATIENCE)
            assert await page.locator(".seek [name=q]").input_value() == "typed"
            return window.wrong

    assert browsing.run(follow()) == []
