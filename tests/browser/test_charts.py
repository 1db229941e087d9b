"""The chart of a player: read by pointer, finger and keys, without script, on paper; few weeks and many."""

from tests import factories
from tests.browser import season
from tests.browser.test_live import own_server

FIRST, GAP, LAST = "2024-W03", "2025-W20", "2026-W47"
CHOSEN = "document.querySelector('.mark.chosen')?.dataset.week ?? null"


async def play(server, week, people):
    """A scored board of a week, with these at one of its tables."""
    board = await factories.board(server.api, week)
    await factories.results(server.api, board, 1, players=people, tricks=12)
    await factories.results(server.api, board, 2)


async def years(server, people):
    """Some 150 rated weeks, in three of which these players played."""
    for week in (FIRST, GAP, LAST):
        await play(server, week, people)
    answer = await server.api.post(f"weeks/{LAST}/rate", None, token="admin")
    assert answer.status == 200, answer
    await season.count(server)


async def weeks_of(server, name):
    """Rated weeks of a player as the API gives them, oldest first."""
    return (await server.api.get(f"players/{name}/weeks")).body["weeks"][::-1]


def told(week):
    """What the chart says of a week."""
    joint = f", joint {week['joint']['index']:.1f} ± {week['joint']['error']:.1f}"
    boards = "one board" if week["boards"] == 1 else f"{week['boards']} boards"
    return f"{week['week']}: {week['skill_index']:.1f}{joint}, {boards}"


def test_the_keys_walk_through_the_weeks(browsing):
    async def walk():
        async with browsing.window() as window:
            page, name = window.page, browsing.scene.season.player
            await window.open(f"/en/players/{name}")
            weeks = await weeks_of(browsing.server, name)
            plot, readout = page.locator(".plot"), page.locator(".readout")
            assert await plot.get_attribute("role") == "slider"
            assert await plot.get_attribute("aria-valuemax") == str(len(weeks) - 1)
            assert await readout.inner_text() == ""
            await plot.focus()
            at = len(weeks) - 1
            for key, step in (("", 0), ("ArrowLeft", -1), ("ArrowLeft", -1), ("ArrowRight", 1), ("Home", -9)):
                if key:
                    await page.keyboard.press(key)
                at = max(0, min(len(weeks) - 1, at + step))
                assert await readout.inner_text() == told(weeks[at])
                assert await plot.get_attribute("aria-valuetext") == told(weeks[at])
                assert await plot.get_attribute("aria-valuenow") == str(at)
                assert await page.evaluate(CHOSEN) == weeks[at]["week"]
            await page.keyboard.press("End")
            assert await readout.inner_text() == told(weeks[-1])
            await page.keyboard.press("Tab")
            assert await readout.inner_text() == ""
            return window.wrong

    assert browsing.run(walk()) == []


def test_the_week_that_is_pointed_at_is_told_until_the_pointer_leaves(browsing):
    async def point():
        async with browsing.window() as window:
            page, name = window.page, browsing.scene.season.player
            await window.open(f"/en/players/{name}")
            weeks = await weeks_of(browsing.server, name)
            await page.locator(".plot").scroll_into_view_if_needed()
            box = await page.locator(".plot svg").bounding_box()
            for i, week in enumerate(weeks):
                await page.mouse.move(box["x"] + box["width"] * i / (len(weeks) - 1), box["y"] + 40)
                assert await page.locator(".readout").inner_text() == told(week)
            await page.mouse.move(box["x"] + 50, box["y"] - 60)
            assert await page.locator(".readout").inner_text() == ""

    browsing.run(point())


def test_a_finger_reads_the_week_that_it_touches(browsing):
    async def touch():
        options = {"viewport": {"width": 360, "height": 800}, "has_touch": True, "is_mobile": True}
        async with browsing.window(**options) as window:
            page, name = window.page, browsing.scene.season.player
            await window.open(f"/en/players/{name}")
            weeks = await weeks_of(browsing.server, name)
            await page.locator(".plot").scroll_into_view_if_needed()
            box = await page.locator(".plot svg").bounding_box()
            for i in (0, len(weeks) - 1, 1):
                await page.touchscreen.tap(box["x"] + box["width"] * i / (len(weeks) - 1), box["y"] + 30)
                assert await page.locator(".readout").inner_text() == told(weeks[i])

    browsing.run(touch())


def test_a_link_leads_to_the_table(browsing):
    async def follow():
        async with browsing.window() as window:
            await window.open(f"/en/players/{browsing.scene.season.player}")
            await window.page.get_by_role("link", name="as a table").click()
            assert window.page.url.endswith("#weeks-table")
            top = await window.page.locator("#weeks-table").evaluate("e => e.getBoundingClientRect().top")
            assert -5 < top < 900

    browsing.run(follow())


def test_without_script_each_week_has_a_title(browsing):
    async def plain():
        async with browsing.window(java_script_enabled=False) as window:
            name = browsing.scene.season.player
            await window.open(f"/en/players/{name}")
            titles = await window.page.locator(".mark title").all_text_contents()
            assert titles == [told(week) for week in await weeks_of(browsing.server, name)]
            assert await window.page.locator(".plot").get_attribute("role") == "img"
            assert await window.page.locator(".plot path.index").is_visible()
            assert not await window.page.locator(".readout").is_visible()

    browsing.run(plain())


def test_on_paper_there_are_lines_and_scale_and_nothing_to_press(browsing):
    async def printed():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/players/{browsing.scene.season.player}")
            await page.emulate_media(media="print")
            for part in (".plot path.index", ".plot path.band", ".scale", ".legend"):
                assert await page.locator(part).first.is_visible(), part
            for part in (".readout", ".chart figcaption > a"):
                assert not await page.locator(part).is_visible(), part

    browsing.run(printed())


def test_one_week_and_a_hundred_and_fifty(browsing, tmp_path, sqlite_template):
    async def look():
        async with own_server(tmp_path, sqlite_template) as server, browsing.window(server.url) as window:
            page, old, new = window.page, factories.four(), factories.four()
            await play(server, LAST, new)
            await years(server, old)
            weeks = await weeks_of(server, old["N"])
            assert len(weeks) > 145
            assert len([week for week in weeks if week["boards"]]) == 3
            await page.set_viewport_size({"width": 360, "height": 800})
            await page.goto(f"{server.url}/en/players/{old['N']}")
            assert await page.locator(".plot.crowded .mark").count() == len(weeks)
            await page.locator(".plot").focus()
            for key, at in (("End", -1), ("PageDown", -11), ("PageUp", -1), ("Home", 0), ("ArrowRight", 1)):
                await page.keyboard.press(key)
                assert await page.locator(".readout").inner_text() == told(weeks[at])
            dots = ".mark .dot"
            drawn = (
                f"[...document.querySelectorAll('{dots}')].filter(e => getComputedStyle(e).stroke !== 'none')"
            )
            assert await page.evaluate(f"{drawn}.length") == 1  # the chosen one
            assert (
                await server.api.get(f"/en/players/{old['N']}", headers={"Accept": "text/html"})
            ).status == 200
            await page.goto(f"{server.url}/en/players/{new['N']}")
            (week,) = await weeks_of(server, new["N"])
            await page.locator(".plot").focus()
            for key in ("ArrowLeft", "ArrowRight", "Home", "End"):
                await page.keyboard.press(key)
                assert await page.locator(".readout").inner_text() == told(week)
            assert await page.locator(".plot path.band").evaluate("e => e.getBBox().width") > 0
            return window.wrong

    assert browsing.run(look()) == []
