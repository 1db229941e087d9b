"""Paper: nothing is cut off. And what comes a little later than its page."""

import pytest

from server.services.analysis import Analyst
from tests.browser.scene import quoted

PAPER = 688  # pixels between the margins of A4
_SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"


def folding(scene):
    """Pages with tables of many columns."""
    player, week = quoted(scene.season.player), scene.season.week
    return {
        "home": "/",
        "week": f"/weeks/{week}",
        "points": "/weeks?rating=points",
        "player": f"/players/{player}",
        "player-matchpoints": f"/players/{quoted(scene.player)}?pool=mp",
        "player-week": f"/players/{player}/weeks/{week}",
        "corrections": f"/boards/{scene.corrected}",
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_on_paper_nothing_is_cut_off(browsing, language):
    pages = folding(browsing.scene) | {"board": f"/boards/{browsing.scene.retired}"}

    async def look():
        found = {}
        async with browsing.window(viewport={"width": PAPER, "height": 1000}) as window:
            await window.page.emulate_media(media="print")
            for name, path in pages.items():
                await window.open(f"/{language}{path}")
                shown = [
                    await window.page.locator(part).count() for part in (".search:visible", ".seek:visible")
                ]
                found[name] = [await window.page.evaluate(_SCROLLS), *shown]
        return found

    assert browsing.run(look()) == {name: [False, 0, 0] for name in pages}


def test_on_paper_the_head_of_a_long_table_stands_on_each_sheet(browsing):
    async def look():
        async with browsing.window() as window:
            await window.open(f"/en/boards/{browsing.scene.retired}")
            await window.page.locator(".traveller .sort").first.wait_for()
            await window.page.emulate_media(media="print")
            # Chromium repeats a head unless there are boxes of buttons in it.
            boxes = "[...document.querySelectorAll('thead, thead button')]"
            shown = f"{boxes}.map((each) => getComputedStyle(each).display)"
            return set(await window.page.evaluate(shown))

    assert browsing.run(look()) == {"table-header-group", "contents"}


@pytest.mark.skipif(not Analyst().available, reason="endplay is not installed")
def test_what_a_deal_makes_comes_by_itself(browsing):
    async def wait():
        async with browsing.window() as window:
            await window.open(f"/en/boards/{browsing.scene.corrected}")
            await window.page.locator(".analysis").wait_for(timeout=60_000)
            assert await window.page.locator("[data-soon]").count() == 0
            return window.wrong

    assert browsing.run(wait()) == []


def test_the_search_of_the_head_finds_a_player_by_keyboard(browsing):
    async def seek():
        async with browsing.window(java_script_enabled=False) as window:
            await window.open("/en/rules")
            await window.page.locator("header input[type=search]").fill(browsing.scene.season.player)
            await window.page.keyboard.press("Enter")
            await window.page.wait_for_load_state()
            link = window.page.locator("th.who a").first
            return await link.inner_text(), await link.get_attribute("href"), window.wrong

    player = browsing.scene.season.player
    assert browsing.run(seek()) == (player, f"/en/players/{player}", [])
