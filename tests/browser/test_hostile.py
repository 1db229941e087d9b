"""Names, ids and tables that browsers could take for markup: text on every page, in every download."""

import csv
from io import StringIO

import pytest

from tests.browser.scene import HOSTILE
from tests.browser.walk import pages, refused

_FOREIGN = """[...document.querySelectorAll("script, img, iframe, object, style")]
    .map((each) => each.outerHTML)
    .filter((text) => !text.startsWith('<script type="module" src="/static/'))"""
_HANDLERS = """[...document.querySelectorAll("*")].flatMap((each) => [...each.attributes])
    .filter((each) => /^(on.*|style)$/i.test(each.name)
        || (/^(href|src|action)$/.test(each.name) && !/^[/?#]/.test(each.value)))
    .map((each) => each.name)"""


async def run(browsing, language, path):
    """Open a page; what in it is none of ours."""
    async with browsing.window() as window:
        said = []
        window.page.on("dialog", lambda dialog: said.append(dialog.message))
        await window.open(f"/{language}{path}")
        for link in (await window.page.locator("[data-opens]").all())[5:7]:
            await link.click()
        text = await window.page.inner_text("body")
        foreign = await window.page.evaluate(_FOREIGN) + await window.page.evaluate(_HANDLERS)
        return foreign + said + [fault for fault in window.wrong if "status of 40" not in fault], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_on_no_page_it_is_more_than_text(browsing, language):
    every = pages(browsing.scene) | refused(browsing.scene)
    # Of events, which have many pages, one has such names.
    every = {name: path for name, path in every.items() if not name.startswith("event-") or "final" in name}
    texts = ""
    for path in every.values():
        found, text = browsing.run(run(browsing, language, path))
        assert found == [], path
        texts += text
    for words in HOSTILE:
        assert words.replace("/", "") in texts or words in texts
    assert "49" not in [line.strip() for line in texts.splitlines()]


def test_in_an_address_it_is_text_too(browsing):
    for path in (
        f"/boards/{browsing.scene.retired}?player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/weeks?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&index_from=1",
        "/weeks?index_from=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
        "/rules?scale=%3Cscript%3Ealert(1)%3C/script%3E",
        "/boards?pool=%3Cscript%3Ealert(1)%3C/script%3E",
        "/problems/%3Cimg%20src=x%20onerror=alert(1)%3E",
        "/rules?%22onload=%22alert(1)",
    ):
        found, _ = browsing.run(run(browsing, "en", path))
        assert [each for each in found if "status of 4" not in each] == []


def test_in_a_download_it_is_text_and_no_formula(browsing):
    async def download():
        api = browsing.server.api
        told = await api.get(f"/api/v1/boards/{browsing.scene.retired}/traveller")
        return told, await api.get(f"/boards/{browsing.scene.retired}/traveller.csv")

    told, sheet = browsing.run(download())
    assert told.headers["Content-Type"] == "application/json"
    assert sheet.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert sheet.headers["Content-Disposition"].startswith("attachment")
    for answer in (told, sheet):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    rows = list(csv.reader(StringIO(sheet.raw.decode("utf-8-sig"))))
    assert len(rows) == 41
    texts = [cell for row in rows[1:] for cell in row[2:7]]
    assert not [cell for cell in texts if cell[:1] in "=+-@\t\r" and cell]
    assert {row["players"]["N"] for row in told.body["results"]} <= {cell.removeprefix("'") for cell in texts}
