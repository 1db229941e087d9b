"""A walk through every kind of page, in both languages, light and dark, on five widths."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.browser.fitting import misfits
from tests.browser.walk import pages, refused

# A phone, a tablet and a desk; and the widths at which a layout has least room.
WIDTHS = (360, 700, 768, 1000, 1280)
AXE_AT = {"light": (768, 1280), "dark": (360,)}  # every layout, and both themes
THEMES = ("light", "dark")
FIRST_LOAD = 150 * 1024  # bytes, with everything that comes with the page
SHOTS = os.environ.get("TEST_SHOTS")
_SENT = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter((entry) => !entry.name.includes("/stream")).reduce((sum, entry) => sum + entry.transferSize, 0)"""
_AXE = {"resultTypes": ["violations"]}


async def violations(page):
    """What axe-core complains of."""
    found = (await Axe().run(page, options=_AXE)).response["violations"]
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


async def look(window, name, language):
    """Hold a page that is open against what all must keep."""
    faults = []
    for theme in THEMES:
        await window.page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for width in WIDTHS:
            faults += await misfits(window.page, width)
            if SHOTS:
                path = Path(SHOTS) / f"{name}-{language}-{theme}-{width}.png"
                await window.page.screenshot(path=path, full_page=True)
            if width in AXE_AT[theme]:
                faults += [f"{theme} at {width}: {each}" for each in await violations(window.page)]
    return faults


async def walk(browsing, language, names):
    """Look at these pages; their faults by name."""
    faults = {}
    for name, path in names.items():
        async with browsing.window() as window:
            await window.open(f"/{language}{path}")
            size = await window.page.evaluate(_SENT)
            found = await look(window, name, language) + window.wrong
            if size > FIRST_LOAD or size < 1000:
                found.append(f"{size} bytes")
            faults[name] = found
    return {name: found for name, found in faults.items() if found}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", range(24))
def test_every_page_is_in_order(browsing, language, part):
    every = list(pages(browsing.scene).items())
    assert browsing.run(walk(browsing, language, dict(every[part::24]))) == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_that_says_why_there_is_nothing_is_in_order_too(browsing, language):
    found = browsing.run(walk(browsing, language, refused(browsing.scene)))
    assert all(len(faults) == 1 and "status of 40" in faults[0] for faults in found.values()), found
    assert len(found) == 5


def test_in_print_there_is_the_page_alone(browsing):
    async def printed():
        async with browsing.window() as window:
            await window.open(f"/en/boards/{browsing.scene.retired}")
            await window.page.emulate_media(media="print")
            shown = [
                await window.page.locator(part).first.is_visible()
                for part in (
                    "header nav",
                    "footer.site",
                    ".downloads",
                    ".why",
                    ".diagram",
                    ".traveller thead",
                )
            ]
            pdf = await window.page.pdf(prefer_css_page_size=True)
            return shown, pdf[:5]

    assert browsing.run(printed()) == ([False] * 4 + [True] * 2, b"%PDF-")
