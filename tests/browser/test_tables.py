"""Tables put into another order and opened in place; pages without script; choosing how they look."""

from tests.web.page import cells


def column(rows, index):
    """What stands in a column, of rows as they stand in the page."""
    return [row[index] for row in rows]


def number(text):
    """A number as pages write it."""
    return float(text.replace("\N{MINUS SIGN}", "-").replace("×", "") or 0)


async def rows_of(page):
    """The rows of the traveller, from top to bottom."""
    return list(cells(await page.content()).values())


async def complete(page):
    """Wait for what comes a little later than the page, and replaces a part of it."""
    await page.locator("[data-soon]").wait_for(state="detached", timeout=60_000)


async def press(page, name):
    """Press the button of a column."""
    await page.get_by_role("button", name=name, exact=True).click()


def test_a_traveller_is_sorted_by_any_column_and_back(browsing):
    async def sort():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/boards/{browsing.scene.retired}")
            await complete(page)
            first = await rows_of(page)
            for name, index in (("IMPs", 7), ("Cross-IMPs", 9), ("Tricks", 4)):
                for direction in ("descending", "ascending"):
                    await press(page, name)
                    values = [number(value) for value in column(await rows_of(page), index)]
                    assert values == sorted(values, reverse=direction == "descending"), name
                    sorted_by = page.locator(f'th[aria-sort="{direction}"]')
                    assert await sorted_by.count() == 1
                    assert name in await sorted_by.inner_text()
                    assert await page.locator(".datum").is_hidden()
            await press(page, "Contract")
            contracts = column(await rows_of(page), 2)
            assert contracts[0].startswith("1")
            assert contracts[-1].startswith("passed")
            await press(page, "Score")
            assert await rows_of(page) == first
            assert await page.locator(".datum").is_visible()
            await press(page, "Score")
            scores = [number(value) for value in column(await rows_of(page), 0)]
            assert scores == sorted(scores)
            return window.wrong

    assert browsing.run(sort()) == []


def test_a_phone_shows_tricks_and_names_them_without_script_too(browsing):
    async def look(path, script):
        async with browsing.window(
            viewport={"width": 360, "height": 900}, java_script_enabled=script
        ) as window:
            await window.open(f"/en{path}")
            tricks = window.page.locator("td.tricks:not(:empty)").first
            label = "getComputedStyle(document.querySelector('td.tricks'), '::before').content"
            return await tricks.is_visible(), await window.page.evaluate(label) if script else None

    board, card = (
        f"/boards/{browsing.scene.retired}",
        f"/events/{browsing.scene.tournaments.finished}/entries/9",
    )
    assert browsing.run(look(board, True)) == (True, '"Tricks "')
    assert browsing.run(look(board, False)) == (True, None)
    assert browsing.run(look(card, True))[0]


def test_a_row_opens_its_arithmetic_in_place(browsing):
    async def opened():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/boards/{browsing.scene.retired}")
            await complete(page)
            link = page.get_by_role("link", name="how?").nth(5)
            assert await link.get_attribute("aria-expanded") == "false"
            address = page.url
            await link.click()
            inside = page.locator("tr.opened .arithmetic")
            await inside.wait_for()
            assert page.url == address
            assert await link.get_attribute("aria-expanded") == "true"
            assert "their mean to the nearest ten is the datum" in await inside.inner_text()
            await link.click()
            assert await inside.count() == 0
            await page.keyboard.press("Enter")
            await inside.wait_for()
            await press(page, "IMPs")
            assert await inside.count() == 0
            return window.wrong

    assert browsing.run(opened()) == []


def test_without_script_everything_can_be_read(browsing):
    async def plain():
        async with browsing.window(java_script_enabled=False) as window:
            page = window.page
            await window.open(f"/zh/boards/{browsing.scene.retired}")
            assert len(await rows_of(page)) == 40
            await page.locator("td.why a").nth(5).click()
            assert "/zh/results/" in page.url
            assert await page.locator("#arithmetic").is_visible()
            await page.locator('input[value="dark"]').check()
            await page.locator(".display button").click()
            assert await page.locator("html").get_attribute("data-theme") == "dark"
            assert "/zh/results/" in page.url

    browsing.run(plain())


def test_colours_and_suits_change_at_once_and_stay(browsing):
    async def choose():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/boards/{browsing.scene.retired}")
            paper = "getComputedStyle(document.body).backgroundColor"
            club = "getComputedStyle(document.querySelector('.suit-c')).color"
            before = [await page.evaluate(paper), await page.evaluate(club)]
            for label in ("dark", "four colours"):
                async with page.expect_response(lambda response: response.url.endswith("/display")):
                    await page.get_by_label(label, exact=True).check()
            after = [await page.evaluate(paper), await page.evaluate(club)]
            assert [was == now for was, now in zip(before, after, strict=True)] == [False, False]
            await window.open("/zh/rules")
            assert await page.evaluate(paper) == after[0]
            assert await page.locator("html").get_attribute("data-suits") == "four"
            return window.wrong

    assert browsing.run(choose()) == []


def test_instants_are_shown_in_the_readers_zone_beside_that_of_the_weeks(browsing):
    async def read(zone):
        async with browsing.window(timezone_id=zone) as window:
            await window.open("/en/")
            return " ".join((await window.page.locator(".intro").inner_text()).split())

    here = "Mon, Nov 30, 2026 00:00 Asia/Shanghai"
    assert browsing.run(read("Europe/Berlin")).endswith(f"{here} (Sun, Nov 29, 17:00 your time)")
    assert browsing.run(read("Asia/Shanghai")).endswith(here)
    assert browsing.run(read("Asia/Singapore")).endswith(here)


def test_everything_is_reached_by_keyboard(browsing):
    async def walk():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/boards/{browsing.scene.mp}")
            await page.keyboard.press("Tab")
            assert await page.evaluate("document.activeElement.className") == "skip"
            await page.keyboard.press("Enter")
            reached = set()
            for _ in range(60):
                await page.keyboard.press("Tab")
                reached.add(await page.evaluate("document.activeElement.outerHTML.slice(0, 40)"))
                outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
                assert outline != "none"
            return reached

    reached = " ".join(browsing.run(walk()))
    assert 'class="sort"' in reached
    assert "?player=" in reached


def test_one_jumps_to_the_row_of_a_player(browsing):
    async def jump():
        async with browsing.window() as window:
            page, player = window.page, browsing.scene.season.player
            await window.open(f"/en/weeks/{browsing.scene.season.week}")
            await page.locator('input[name="around"]').fill(player)
            await page.get_by_role("button", name="Show", exact=True).click()
            await page.wait_for_url("**#sought")
            row = page.locator("#sought")
            assert await row.get_attribute("data-row") == player
            assert await row.evaluate("row => row.getBoundingClientRect().bottom < innerHeight")
            return window.wrong

    assert browsing.run(jump()) == []


def test_what_explains_a_void_result_is_not_struck_out(browsing):
    """A line through a cell runs through everything in it but what stands apart."""
    struck = """cell => {
        const line = getComputedStyle(cell.closest("td, th")).textDecorationLine;
        return line !== "none" && !["inline-block", "none"].includes(getComputedStyle(cell).display);
    }"""

    async def look():
        async with browsing.window() as window:
            page = window.page
            await window.open(f"/en/boards/{browsing.scene.corrected}")
            row = page.locator(".void tr").first
            assert await row.locator("th").evaluate(struck)
            for words in (".note", ".why a"):
                assert await row.locator(words).count() > 0
                for each in await row.locator(words).all():
                    assert not await each.evaluate(struck), words
            return window.wrong

    assert browsing.run(look()) == []
