"""A walk through every kind of page, in both languages, light and dark, on five widths."""

import os
from pathlib import Path

import pytest
from axe_playwright_python.async_playwright import Axe

from tests.browser.fitting import misfits
from tests.browser.hostile import computed, has_hostile_names, opened_in_place, strangers
from tests.browser.walk import pages, refused

# A phone, a tablet and a desk; and the widths at which a layout has least room.
WIDTHS = (360, 700, 768, 1000, 1280)
# What fits does not depend on the theme, which is colours alone (tests/web/test_static_files.py).
VIEWS = (*(("light", width) for width in WIDTHS), ("dark", 360), ("dark", 768))
# Where axe looks: each language in each theme, on the three layouts.
AXE = {"en": {("light", 1280), ("dark", 360)}, "zh": {("light", 360), ("dark", 768)}}
EVERYWHERE = AXE["en"] | AXE["zh"]
PARTS = 8
SECONDS = 600.0  # for a part, on a busy machine
FIRST_LOAD = 150 * 1024  # bytes, with everything that comes with the page
SHOTS = os.environ.get("TEST_SHOTS")
if SHOTS:
    VIEWS = tuple((theme, width) for theme in ("light", "dark") for width in WIDTHS)
_SENT = """performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter((entry) => !entry.name.includes("/stream")).reduce((sum, entry) => sum + entry.transferSize, 0)"""
_AXE = """() => axe.run({resultTypes: ["violations"]}).then((found) => found.violations)"""


async def violations(page):
    """What axe-core complains of."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(Axe().axe_script)
    found = await page.evaluate(_AXE)
    return [(each["id"], [node["target"] for node in each["nodes"]][:3]) for each in found]


async def look(page, name, language, axe_at):
    """Hold a page that is open against what all must keep."""
    faults = []
    for theme, width in VIEWS:
        await page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        faults += await misfits(page, width)
        if SHOTS:
            path = Path(SHOTS) / f"{name}-{language}-{theme}-{width}.png"
            await page.screenshot(path=path, full_page=True)
        if (theme, width) in axe_at:
            faults += [f"{theme} at {width}: {each}" for each in await violations(page)]
    return faults


async def walk(browsing, language, names, axe_at):
    """Look at these pages, each as whoever comes for the first time; their faults by name."""
    faults = {}
    async with browsing.window() as window:
        cache = await window.context.new_cdp_session(window.page)
        said = []
        window.page.on("dialog", lambda dialog: said.append(dialog.message))
        for name, path in names.items():
            await cache.send("Network.clearBrowserCache")
            await window.open(f"/{language}{path}")
            size = await window.page.evaluate(_SENT)
            found = await look(window.page, name, language, axe_at)
            await window.page.set_viewport_size({"width": WIDTHS[-1], "height": 900})
            await opened_in_place(window.page)
            found += await strangers(window.page) + said + window.wrong
            if has_hostile_names(name):
                found += await computed(window.page)
            if size > FIRST_LOAD or size < 1000:
                found.append(f"{size} bytes")
            faults[name] = found
            said.clear()
            window.wrong.clear()
    return {name: found for name, found in faults.items() if found}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_in_order(browsing, language, part):
    every = dict(list(pages(browsing.scene).items())[part::PARTS])
    assert browsing.run(walk(browsing, language, every, AXE[language]), SECONDS) == {}


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_page_that_says_why_there_is_nothing_is_in_order_too(browsing, language):
    found = browsing.run(walk(browsing, language, refused(browsing.scene), EVERYWHERE), SECONDS)
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
