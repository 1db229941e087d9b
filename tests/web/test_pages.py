"""What all pages have in common: addresses, languages, policy, links, hostile text.

Every page is read on both databases, once; for all else one is enough.
"""

import gzip
import re

import pytest

from server.web import problems
from server.web.languages import LANGUAGES as ALL
from server.web.pages.table import PAGES
from tests import factories
from tests.event_days import Day
from tests.web.page import HTML, LANGUAGES, POLICY, SCRIPTS, Page, check, read

BEFORE = "2026-W47"
on_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
HOSTILE = "/<script>alert(1)</script>%22onload=%22x"


@pytest.fixture
async def places(server):
    """A value for each variable of an address."""
    api = server.api
    board = await factories.board(api)
    results = await factories.results(api, board, 40)
    before = await factories.board(api, BEFORE)
    await factories.results(api, before, 7)
    assert (await api.post(f"weeks/{BEFORE}/rate", None, token="admin")).status == 200
    row = (await api.get(f"boards/{before['id']}/traveller")).body["results"][0]
    player = {"id": row["players"]["N"]}
    event = {"id": await held(server)}
    return {
        "/events/{id}": event,
        "/events/{id}/cross-table": event,
        "/events/{id}/rounds/{round}": event | {"round": 1},
        "/events/{id}/boards/{number}": event | {"number": 1},
        "/events/{id}/entries": event,
        "/events/{id}/entries/{entry}": event | {"entry": 1},
        "/events/{id}/vp": event,
        "/boards/{id}": {"id": board["id"]},
        "/results/{id}": {"id": results[6]["id"]},
        "/problems/{slug}": {"slug": "busy"},
        "/weeks/{week}": {"week": BEFORE},
        "/players/{id}": player,
        "/players/{id}/weeks/{week}": player | {"week": BEFORE},
    }


async def held(server):
    """The id of an event in VPs whose first round is closed."""
    day = Day(server)
    await day.announce(scoring="vp", rounds=2, boards=1)
    await day.enter(range(1, 6))
    await day.until("running", 1)
    await day.play(1)
    await day.until("running", 2)
    return day.id


def filled(page, places):
    """The address of a page, with its variables."""
    return page.path.format(**places.get(page.path, {}))


async def test_every_page_is_there_in_every_language(api, places):
    for page in PAGES:
        for language in ALL:
            answer = await read(api, f"/{language.code}{filled(page, places)}")
            assert answer.status == 200, page
            assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
            assert answer.headers["Content-Security-Policy"] == POLICY
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Content-Language"] == language.tag
            assert answer.body.lstrip().startswith("<!doctype html>")
            found = check(answer.body)
            assert found.all("html")[0]["lang"] == language.tag
            current = [link for link in found.all("a") if link.get("aria-current") == "true"]
            assert [link["lang"] for link in current] == [language.tag]


@on_sqlite
async def test_without_language_an_address_leads_to_the_one_liked_best(api, places):
    fixed = {"/problems", "/problems/{slug}"}
    for page in PAGES:
        path = filled(page, places)
        for accept, code in (("zh-CN,zh;q=0.9,en;q=0.5", "zh"), ("de, en;q=0.1", "en"), ("", "en")):
            answer = await read(api, f"{path}?a=b", headers=HTML | {"Accept-Language": accept})
            assert "Accept-Language" in answer.headers["Vary"]
            if page.path in fixed:
                tag = {"en": "en", "zh": "zh-Hans"}[code]
                assert (answer.status, answer.headers["Content-Language"]) == (200, tag)
            else:
                assert (answer.status, answer.headers["Location"]) == (302, f"/{code}{path}?a=b")


@on_sqlite
async def test_every_link_of_a_page_leads_somewhere(api, places):
    start = [f"/{code}{filled(page, places)}" for page in PAGES for code in LANGUAGES]
    known = {path: Page((await read(api, path)).body) for path in start}
    links = {(path, *link.partition("#")[::2]) for path, page in known.items() for link in page.links}
    assert len(links) > 200
    for target in {target for _, target, _ in links} - known.keys() - {""}:
        if target.endswith("/display"):  # where a form is sent
            continue
        asked = f"/en/boards/{places['/boards/{id}']['id']}{target}" if target.startswith("?") else target
        answer = await read(api, asked)
        assert answer.status == 200, target
        known[target] = Page(answer.raw.decode() if answer.body is not None else "")
    lost = [
        (path, to, anchor) for path, to, anchor in links if anchor and anchor not in known[to or path].ids
    ]
    assert lost == []


@on_sqlite
async def test_a_page_has_the_same_address_in_the_other_language(api, places):
    board = places["/boards/{id}"]["id"]
    page = Page((await read(api, f"/zh/boards/{board}?player=%E5%AE%89&x=1")).body)
    there = [link["href"] for link in page.all("link") if link.get("rel") == "alternate"]
    assert there == [f"/{code}/boards/{board}?player=%E5%AE%89&x=1" for code in LANGUAGES]


@on_sqlite
@pytest.mark.parametrize("accept", ["*/*", "text/html", "image/png, */*;q=0.1", "", None])
async def test_below_a_language_what_is_wrong_is_told_by_a_page(api, accept):
    for path in ("/en/nothing", "/zh/boards/b_zzzzzz"):
        answer = await api.get(path, headers={} if accept is None else {"Accept": accept}, token="public")
        assert (answer.status, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


@on_sqlite
@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/en/nothing", "application/json"),
        ("/zh/nothing", "application/problem+json, */*;q=0.5"),
        ("/nothing", "*/*"),
        ("/boards/b_zzzzzz/traveller.csv", "*/*"),
        ("/api/v1/nothing", "text/html"),
    ],
)
async def test_elsewhere_and_for_those_who_ask_for_json_it_is_a_problem(api, path, accept):
    answer = await api.get(path, headers={"Accept": accept}, token="public")
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json")


@on_sqlite
@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nothing", 404, "There is nothing at this address"),
        ("/en/nothing", 404, "There is nothing at this address"),
        ("/zh/nothing", 404, "此地址没有内容"),
        ("/zh/boards/b_zzzzzz", 404, "没有这副牌"),
        ("/en/results/nothing", 404, "There is no such result"),
        ("/en/boards?week=never", 404, "Nothing was played in such a week"),
        ("/en/boards?pool=none", 422, "There is no such pool"),
        ("/en/boards?after=-1", 422, "The body or the query is not as it must be"),
    ],
)
async def test_what_cannot_be_shown_is_a_page_too(api, path, status, words):
    answer = await read(api, path)
    assert answer.status == status
    assert words in answer.body
    assert answer.headers["Content-Security-Policy"] == POLICY
    check(answer.body)


@on_sqlite
@pytest.mark.parametrize(
    "path",
    [
        "/zh/nothing",
        "/zh/boards/b_zzzzzz",
        "/zh/results/nothing",
        "/zh/players/nobody",
        "/zh/weeks/2001-W01",
        "/zh/weeks?pool=none",
        "/zh/weeks?rating=none",
        "/zh/events/nothing",
        "/zh/events?kind=none",
        "/zh/boards?after=-1",
        "/zh/search?q=" + "x" * 500,
        "/zh/rules?scale=none",
    ],
)
async def test_a_problem_gives_advice_in_the_reader_s_language(api, path):
    """What the server says about it is English, is marked so, and is not all that there is."""
    answer = await read(api, path)
    assert answer.status in (404, 422)
    assert re.search('<p class="intro">[^<a-z]{8,}</p>', answer.body)
    assert '（英文）： <span lang="en">' in answer.body


NONSENSE = ("x", "0", "-1", "999999999", "9" * 40, "2026-W99", "%00", "a" * 500, "%F0%9F%82%A1", "%E2%80%AE")
QUERIES = {
    "/": ("kind",),
    "/boards": ("week", "pool", "after"),
    "/weeks": (
        "pool",
        "rating",
        "page",
        "min_boards",
        "index_from",
        "provisional",
        "revision",
        "around",
        "q",
    ),
    "/weeks/{week}": ("pool", "rating", "page", "revision", "around"),
    "/boards/{id}": ("player",),
    "/players/{id}": ("pool", "cursor"),
    "/players/{id}/weeks/{week}": ("pool",),
    "/events": ("kind", "state", "cursor"),
    "/events/{id}": ("page",),
    "/events/{id}/cross-table": ("page",),
    "/events/{id}/entries": ("page",),
    "/events/{id}/boards/{number}": ("player",),
    "/search": ("q",),
    "/rules": ("scale", "boards"),
}


def mistyped(page, places):
    """Addresses of a page with nonsense in one of its variables, or in its query."""
    good = places.get(page.path, {})
    for name in good:
        for value in NONSENSE:
            yield page.path.format(**good | {name: value})
    for name in QUERIES.get(page.path, ()):
        for value in NONSENSE:
            yield f"{filled(page, places)}?{name}={value}"


@on_sqlite
@pytest.mark.parametrize("language", LANGUAGES)
async def test_nonsense_in_an_address_is_a_clear_page_with_a_way_on(api, places, language):
    seen = set()
    for page in PAGES:
        for path in mistyped(page, places):
            answer = await read(api, f"/{language}{path}")
            assert answer.status in (200, 404, 422), path
            seen.add(answer.status)
            text = check(answer.body)
            if answer.status != 200:
                assert re.search('<p class="intro">[^<]{8,}</p>', answer.body), path
                ways = re.findall('<a class="button" href="([^"]*)"', answer.body)
                assert len(ways) == 1, path
                assert (await read(api, ways[0])).status == 200, (path, ways)
                assert "2026-W99" not in path.partition("?")[0] or answer.status == 404
                assert text.all("a")
    assert seen == {200, 404, 422}


@on_sqlite
@pytest.mark.parametrize(
    ("path", "way"),
    [
        ("/en/weeks/2026-W99", "/en/weeks"),
        ("/zh/weeks/next", "/zh/weeks"),
        ("/en/boards?week=2026-W54", "/en/boards"),
        ("/en/boards?pool=none", "/en/boards"),
        ("/en/weeks/2026-W48?page=x", "/en/weeks/2026-W48"),
        ("/en/players/nobody", "/en/search"),
        ("/en/players/{player}/weeks/2026-W99", "/en/players/{player}"),
        ("/en/results/none", "/en/boards"),
        ("/en/events/none", "/en/events"),
        ("/en/events/none/vp", "/en/events"),
        ("/en/events/{event}/rounds/99", "/en/events/{event}"),
        ("/en/events/{event}/entries/x", "/en/events/{event}"),
        ("/en/events/{event}/boards/77", "/en/events/{event}"),
        ("/en/nothing", "/en/"),
        ("/boards.csv?pool=none", "/en/"),
    ],
)
async def test_the_way_on_leads_near_to_what_was_looked_for(api, places, path, way):
    names = {"player": places["/players/{id}"]["id"], "event": places["/events/{id}"]["id"]}
    answer = await read(api, path.format(**names))
    assert answer.status in (404, 422)
    assert re.findall('<a class="button" href="([^"]*)"', answer.body) == [way.format(**names)]


@on_sqlite
async def test_a_week_that_there_is_not_is_told_as_such(api):
    for path in ("/weeks/2026-W99", "/boards?week=x", "/players/nobody/weeks/2026-W00"):
        answer = await read(api, f"/en{path}")
        assert answer.status == 404
    answer = await read(api, "/en/weeks/2026-W99")
    assert "Nothing was played in such a week" in answer.body
    assert "There is no such week" in answer.body
    assert (await api.get("weeks/2026-W99")).status == 422  # to programs it is malformed, as before


@on_sqlite
async def test_nobody_has_an_id_with_a_nul(api, places):
    answer = await api.get(f"weeks/{BEFORE}/leaderboard?around=%00")
    assert (answer.status, answer.slug) == (404, "not-found")
    assert (await read(api, f"/en/weeks/{BEFORE}?around=%00")).status == 422


@on_sqlite
async def test_what_a_visitor_sends_is_text_in_the_page(api, places):
    board = places["/boards/{id}"]["id"]
    for path in (HOSTILE, f"/problems{HOSTILE}", f"/en{HOSTILE}", f"/zh/boards{HOSTILE}"):
        answer = await read(api, path)
        assert answer.status == 404
        check(answer.body)
    for path in (f"/en/boards/{board}?player=", "/en/boards?x=", "/zh/rules?"):
        check((await read(api, path + "%22%3E%3Cscript%3Ealert(1)%3C/script%3E")).body)


@on_sqlite
async def test_a_page_refuses_other_methods_as_a_page(api):
    answer = await api.request("POST", "/en/problems", headers=HTML)
    assert (answer.status, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"


@on_sqlite
async def test_problems_have_a_page_each(api):
    listed = (await read(api, "/en/problems")).body
    for slug, kind in problems.by_slug().items():
        assert f'<a href="/en/problems/{slug}">' in listed
        for path in (f"/problems/{slug}", f"/zh/problems/{slug}"):
            answer = await read(api, path)
            assert answer.status == 200
            assert str(problems.STATUS[kind]) in Page(answer.body).text


@on_sqlite
async def test_the_document_page_has_every_operation_and_schema(api):
    for path in ("/api/docs", "/zh/docs"):
        ids = Page((await read(api, path)).body).ids
        operations = api.document.content["paths"].values()
        named = {operation["operationId"] for methods in operations for operation in methods.values()}
        assert named <= ids
        assert {f"schema-{name}" for name in api.document.content["components"]["schemas"]} <= ids


@on_sqlite
async def test_a_page_is_small(api, places):
    for page in PAGES:
        files = {"crossruff.css", "icon.svg"} | SCRIPTS
        answer = await read(api, f"/en{filled(page, places)}")
        sent = [await api.get(f"/static/{name}") for name in files]
        packed = len(gzip.compress(answer.raw))  # as every longer page goes to whoever takes it so
        assert packed + sum(len(each.raw) for each in sent) < 150_000, page.path
