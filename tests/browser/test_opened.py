"""What is opened in place can be read: the arithmetic under a row, and how a round adds up."""

import pytest

from tests.browser.fitting import misfits

WIDTHS = (360, 768, 1280)
CHARACTERS = 2  # that the narrowest cell has room for
OPENED = 1800  # pixels of height that the arithmetic of one result of a few may take on a phone
ROWS = 3  # opened on each page

# Cells of what is opened in which words are broken to a few letters a line.
CRAMPED = r"""(characters) => [...document.querySelectorAll(".opened .sum :is(th, td)")].filter((cell) => {
    const style = getComputedStyle(cell);
    const room = cell.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return cell.textContent.trim().length > 1 && room < characters * parseFloat(style.fontSize) / 2;
}).map((cell) => `${cell.textContent.trim()} in ${cell.clientWidth}`)"""
# Words that are no longer than a name and stand on more than one line.
BROKEN = r"""() => [...document.querySelectorAll(".sum :is(th, td)")].flatMap((cell) => {
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const broken = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        for (const word of text.data.matchAll(/[A-Za-z]{2,12}/g)) {
            const range = document.createRange();
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            if (range.getClientRects().length > 1) broken.push(word[0]);
        }
    }
    return broken;
})"""
HEIGHT = "document.documentElement.scrollHeight"
HIGH = "[...document.querySelectorAll('tr.opened')].map((row) => row.getBoundingClientRect().height)"


async def opened(page):
    """Open the first rows; by how many pixels each has made the page higher."""
    grown = []
    links = page.locator("td.why a[data-opens]")
    for number in range(min(ROWS, await links.count())):
        before = await page.evaluate(HEIGHT)
        await links.nth(number).click()
        await page.locator("tr.opened .arithmetic").nth(number).wait_for()
        grown.append(await page.evaluate(HEIGHT) - before)
    return grown


def boards(scene):
    """Addresses of boards whose arithmetic is of every kind."""
    return {
        "imps": f"/boards/{scene.retired}",
        "matchpoints": f"/boards/{scene.mp}",
        "guests": f"/boards/{scene.guests}",
        "rated": f"/boards/{scene.season.board}",
        "few": f"/boards/{scene.season.few}",
        "event": f"/events/{scene.tournaments.finished}/boards/5",
        "event-played": f"/events/{scene.tournaments.played}/boards/1",
    }


@pytest.mark.parametrize("language", ["en", "zh"])
def test_arithmetic_opened_under_a_row_can_be_read(browsing, language):
    async def look():
        faults = []
        async with browsing.window() as window:
            page = window.page
            for name, path in boards(browsing.scene).items():
                await page.set_viewport_size({"width": WIDTHS[0], "height": 900})
                await window.open(f"/{language}{path}")
                grown = await opened(page)
                assert grown, name
                for width in WIDTHS:
                    found = await misfits(page, width)
                    found += await page.evaluate(CRAMPED, CHARACTERS)
                    found += [f"{word} is broken" for word in await page.evaluate(BROKEN)]
                    found += [f"{high} pixels high" for high in await page.evaluate(HIGH) if high > OPENED]
                    faults += [f"{name} at {width}: {fault}" for fault in found]
                if max(grown) > OPENED:
                    faults.append(f"{name}: {max(grown)} pixels higher")
            return faults + window.wrong

    assert browsing.run(look()) == []


def test_how_a_round_adds_up_has_the_width_of_the_scorecard(browsing):
    async def look():
        async with browsing.window() as window:
            page, faults = window.page, []
            await window.open(f"/en/events/{browsing.scene.tournaments.finished}/entries/9")
            await page.get_by_text("How round 1 adds up").click()
            for width in WIDTHS:
                faults += await misfits(page, width)
                table = await page.locator(".card-table").bounding_box()
                formula = await page.locator(".card-table .formula").first.bounding_box()
                assert formula["width"] > 0.9 * table["width"]
                assert formula["height"] < 90
            return faults + window.wrong

    assert browsing.run(look()) == []


@pytest.mark.parametrize("script", [True, False])
def test_how_they_add_up_leads_to_the_sum_unfolded(browsing, script):
    async def follow():
        async with browsing.window(java_script_enabled=script) as window:
            page, event = window.page, browsing.scene.tournaments.finished
            await window.open(f"/en/events/{event}/boards/5")
            result = await page.locator("td.why a").first.get_attribute("href")
            await window.open(result)
            await page.get_by_role("link", name="How they add up").click()
            await page.wait_for_url("**/entries/*#sum-2")
            await page.locator("#sum-2").wait_for()
            assert await page.locator("#sum-1").is_hidden()
            top = (await page.locator("#sum-2").bounding_box())["y"]
            assert 0 < top < 900
            if script:  # an address of the same page too
                await page.evaluate("location.hash = 'sum-1'")
                await page.locator("#sum-1").wait_for()
            return window.wrong

    assert browsing.run(follow()) == []


def test_a_rounds_victory_points_say_what_they_are_among_imps(browsing):
    async def read():
        async with browsing.window() as window:
            await window.open(f"/en/events/{browsing.scene.tournaments.finished}/entries/9")
            heads = await window.page.locator(".card-table thead th").all_inner_texts()
            return heads[-2:], await window.page.locator("#round-1 td").all_inner_texts()

    heads, figures = browsing.run(read())
    assert heads == ["IMPs", "So far"]
    assert len(figures) == 2
    assert all(figure.endswith(" VPs") for figure in figures)
