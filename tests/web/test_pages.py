"""Pages for people."""

import re
from html.parser import HTMLParser

import pytest

from server.web import problems
from server.web.table import ROUTES

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
PAGES = ("/", "/api/docs", "/problems", "/problems/invalid-body", "/nothing", "/problems/nothing")
POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HOSTILE = "/<script>alert(1)</script>%22onload=%22x"


class Page(HTMLParser):
    """What is in a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.ids, self.links = [], [], set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self.ids |= {value for name, value in attrs if name == "id"}
        self.links += [value for name, value in attrs if name in ("href", "src", "action")]


async def pages(api):
    """Every page, by its path."""
    found = {path: await api.get(path, headers=HTML) for path in PAGES}
    slugs = [f"/problems/{slug}" for slug in problems.by_slug()]
    return found | {path: await api.get(path, headers=HTML) for path in slugs}


async def test_pages_are_html_with_a_policy(api):
    for path, answer in (await pages(api)).items():
        assert answer.status == (404 if path.endswith("/nothing") else 200), path
        assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
        assert answer.headers["Content-Security-Policy"] == POLICY
        assert answer.body.startswith("<!doctype html>")


async def test_pages_ask_no_other_host_and_run_nothing(api):
    for path, answer in (await pages(api)).items():
        page = Page(answer.body)
        assert not {"script", "style", "iframe", "object", "embed", "base"} & set(page.tags), path
        names = [name for name, _ in page.attributes]
        assert not [name for name in names if name.startswith("on") or name == "style"], path
        assert not re.search(r"https?:|javascript:|//[a-z]", " ".join(page.links)), path
        assert page.tags.count("h1") == page.tags.count("main") == page.tags.count("title") == 1


async def test_every_link_of_a_page_leads_somewhere(api):
    read = {path: Page(answer.body) for path, answer in (await pages(api)).items()}
    links = {(path, *link.partition("#")[::2]) for path, page in read.items() for link in page.links}
    assert len(links) > 50
    for target in {target for _, target, _ in links} - read.keys() - {""}:
        answer = await api.get(target, headers=HTML)
        assert answer.status == 200, target
        read[target] = Page(answer.raw.decode())
    lost = [(path, to, anchor) for path, to, anchor in links if anchor and anchor not in read[to or path].ids]
    assert lost == []


async def test_the_first_page_names_the_week(api):
    page = (await api.get("/")).body
    assert "2026-W48" in page
    assert '<time datetime="2026-11-29T16:00:00+00:00">2026-11-29 16:00 UTC</time>' in page
    assert "Asia/Shanghai" in page


async def test_the_document_page_has_every_operation_and_schema(api):
    page = (await api.get("/api/docs")).body
    ids = Page(page).ids
    assert {route.operation for route in ROUTES} <= ids
    assert {f"schema-{name}" for name in api.document.content["components"]["schemas"]} <= ids


async def test_the_problems_page_has_every_problem(api):
    page = (await api.get("/problems")).body
    for kind, status in problems.STATUS.items():
        slug = problems.slug(kind)
        assert f'<a href="/problems/{slug}">' in page
        assert str(status) in page


@pytest.mark.parametrize("accept", ["*/*", "application/json", "", None])
async def test_without_asking_for_html_an_unknown_page_is_a_problem(api, accept):
    answer = await api.get("/nothing", headers={} if accept is None else {"Accept": accept})
    assert (answer.status, answer.slug) == (404, "not-found")


async def test_what_a_visitor_sends_is_text_in_the_page(api):
    for path in (HOSTILE, f"/problems{HOSTILE}"):
        answer = await api.get(path, headers=HTML)
        assert answer.status == 404
        assert "<script" not in answer.body
        assert not [name for name, _ in Page(answer.body).attributes if name.startswith("on")]


async def test_a_page_refuses_other_methods_as_a_page(api):
    answer = await api.request("POST", "/problems", headers=HTML)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


async def test_static_files_are_served_and_nothing_beside_them(api):
    for name, kind in (("crossruff.css", "text/css"), ("icon.svg", "image/svg+xml")):
        answer = await api.get(f"/static/{name}")
        assert (answer.status, answer.headers["Content-Type"]) == (200, kind)
        assert "http:" not in answer.body.replace("http://www.w3.org/2000/svg", "")
    for path in ("/static/", "/static/../pages.py", "/static/%2e%2e/pages.py", "/static/..%2fpages.py"):
        answer = await api.get(path)
        assert answer.status in (403, 404)
        assert "import" not in answer.raw.decode()
