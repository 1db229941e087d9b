"""Choosing how pages look."""

from http.cookies import SimpleCookie
from urllib.parse import quote, urlencode

import pytest

from tests.web.page import HTML, Page, read

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


async def choose(api, headers=FORM, language="en", **form):
    """Send the form."""
    data = urlencode(form).encode()
    return await api.request("POST", f"/{language}/display", data=data, headers=HTML | FORM | headers)


def looks(text):
    """Theme and suits of a page, and what its form has chosen."""
    page = Page(text)
    (html,) = page.all("html")
    chosen = [field["value"] for field in page.all("input") if "checked" in field]
    return html["data-theme"], html["data-suits"], chosen


async def test_by_default_pages_look_as_the_device_does(api):
    assert looks((await read(api, "/en/")).body) == ("auto", "two", ["auto", "two"])


@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
@pytest.mark.parametrize("suits", ["two", "four"])
async def test_a_choice_is_kept_by_the_reader(api, theme, suits):
    answer = await choose(api, theme=theme, suits=suits, back="/zh/rules?x=1")
    assert (answer.status, answer.headers["Location"]) == (303, "/zh/rules?x=1")
    (morsel,) = SimpleCookie(answer.headers["Set-Cookie"]).values()
    assert morsel["httponly"]
    assert (morsel["samesite"], morsel["path"]) == ("Lax", "/")
    cookie = {"Cookie": f"{morsel.key}={morsel.value}"}
    page = await read(api, "/zh/rules", headers=HTML | cookie)
    assert looks(page.body) == (theme, suits, [theme, suits])
    assert "Cookie" in page.headers["Vary"]


@pytest.mark.parametrize(
    "back",
    [
        "",
        "//evil.example/",
        "https://evil.example/en/",
        "/\\evil.example",
        "javascript:alert(1)",
        "/api/v1",
        "/en/\r\nX: y",
    ],
)
async def test_it_leads_to_no_address_but_ours(api, back):
    answer = await choose(api, language="zh", theme="dark", suits="four", back=back)
    assert (answer.status, answer.headers["Location"]) == (303, "/zh/")
    assert "X" not in answer.headers


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"}]
)
async def test_another_site_cannot_choose(api, headers):
    answer = await choose(api, FORM | headers, theme="dark", suits="four")
    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers
    assert "The form comes from another site" in answer.body


async def test_our_own_page_can(api):
    own = {"Origin": api.url, "Sec-Fetch-Site": "same-origin"}
    assert (await choose(api, FORM | own, theme="dark", suits="four")).status == 303


@pytest.mark.parametrize("value", ["", "dark", "dark.", ".four", "x.y", "<script>", "dark.four.more", "%00"])
async def test_a_cookie_that_is_not_ours_is_passed_over(api, value):
    answer = await read(api, "/en/", headers=HTML | {"Cookie": f"display={quote(value)}"})
    theme, suits, _ = looks(answer.body)
    assert theme in ("auto", "dark")
    assert suits in ("two", "four")


async def test_a_form_that_is_too_long_is_refused(api):
    assert (await choose(api, theme="x" * 5000)).status == 413
