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
BROKEN = r"""() => [...document.querySelectorAll(".opened .sum :is(th, td), .sum :is(th, td)")].flatMap((cell) => {
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
@pytest.mark.parametrize("width", WIDTHS)
def test_arithmetic_opened_under_a_row_can_be_read(browsing, width, language):
    async def look():
        faults = []
        for name, path in boards(browsing.scene).items():
            async with browsing.window(viewport={"width": width, "height": 900}) as window:
                await window.open(f"/{language}{path}")
                grown = await opened(window.page)
                assert grown, name
                found = await misfits(window.page, width) + window.wrong
                found += await window.page.evaluate(CRAMPED, CHARACTERS)
                found += [f"{word} is broken" for word in await window.page.evaluate(BROKEN)]
                if max(grown) > OPENED:
                    found.append(f"{max(grown)} pixels higher")
                faults += [f"{name}: {fault}" for fault in found]
        return faults

    assert browsing.run(look()) == []
