"""Names, ids and tables that browsers could take for markup: text on every page, in every download.

That they are no more than text on the pages of the walk, `test_walk.py` shows.
"""

import csv
from io import StringIO

import pytest

from tests.browser.hostile import has_hostile_names, opened_in_place, strangers
from tests.browser.scene import HOSTILE
from tests.browser.walk import pages, refused
from tests.web.page import Page, read


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_pages_of_the_walk_show_all_of_them(browsing, language):
    every = pages(browsing.scene) | refused(browsing.scene)

    async def texts():
        api = browsing.server.api
        paths = [path for name, path in every.items() if has_hostile_names(name)]
        return [Page((await read(api, f"/{language}{path}")).body).text for path in paths]

    shown = "\n".join(browsing.run(texts()))
    for words in HOSTILE:
        assert words.replace("/", "") in shown or words in shown


ADDRESSES = (
    "/boards/{}?player=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/weeks?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&index_from=1",
    "/weeks?index_from=%22%3E%3Cscript%3Ealert(1)%3C/script%3E",
    "/rules?scale=%3Cscript%3Ealert(1)%3C/script%3E",
    "/boards?pool=%3Cscript%3Ealert(1)%3C/script%3E",
    "/problems/%3Cimg%20src=x%20onerror=alert(1)%3E",
    "/rules?%22onload=%22alert(1)",
)


def test_in_an_address_it_is_text_too(browsing):
    async def look():
        async with browsing.window() as window:
            said, found = [], {}
            window.page.on("dialog", lambda dialog: said.append(dialog.message))
            for path in ADDRESSES:
                await window.open("/en" + path.replace("{}", browsing.scene.retired))
                await opened_in_place(window.page)
                wrong = [fault for fault in window.wrong if "status of 4" not in fault]
                found[path] = await strangers(window.page) + said + wrong
            return found

    assert browsing.run(look()) == {path: [] for path in ADDRESSES}


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
