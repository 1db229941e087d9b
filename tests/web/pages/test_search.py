"""Looking for players, boards and events: what is found, by whom, and that it is text."""

import re

import pytest

from tests import factories
from tests.event_days import pairs_event
from tests.web.page import Page, check, read


def found(text):
    """Ids of the players that were found, in order."""
    return re.findall(r'<th scope="row" class="who"><a href="/\w\w/players/([^"]*)"', text)


async def search(api, words, language="en"):
    """The page for these words."""
    answer = await api.get(f"/{language}/search", headers={"Accept": "text/html"}, params={"q": words})
    assert answer.status == 200, answer
    check(answer.body)
    return answer.body


@pytest.fixture
async def people(api):
    """Players with ids, names and aliases."""
    named = {
        "ann": {"name": "Ann Ødegård"},
        "Annabel": {},
        "bo-1": {"name": "Jürgen Annaberg"},
        "cy": {"name": "Real Name", "alias": "Caesar"},
        "di": {"name": "Hidden Anna", "hidden": True},
        "li": {"name": "李明"},
        "x1": {"name": "Anna Li"},
    }
    for name, body in named.items():
        assert (await api.put(f"players/{name}", body, token="results")).status == 200
    return named


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("ann", ["ann", "Annabel", "x1", "bo-1"]),  # the id itself, ids, names by their words
        ("ANN", ["ann", "Annabel", "x1", "bo-1"]),
        ("anna", ["Annabel", "x1", "bo-1"]),
        ("anna jur", ["bo-1"]),
        ("JÜRGEN", ["bo-1"]),
        ("odegard", []),  # an O with a stroke is a letter of its own
        ("ødegard", ["ann"]),
        ("Caes", ["cy"]),
        ("real", []),  # the alias stands for the name
        ("hidden", []),
        ("di", []),
        ("李", ["li"]),
        ("明", ["li"]),
        ("li", ["li", "x1"]),
        ("bo-1", ["bo-1"]),
        ("nn", []),  # beginnings only
        ("%", []),
        ("_", []),
        ("'\"<>", []),
    ],
)
async def test_players_are_found_by_the_beginnings_of_ids_and_names(api, people, words, expected):
    assert found(await search(api, words)) == expected


async def test_who_is_renamed_is_found_by_the_new_name_alone(api, people):
    await api.put("players/cy", {"alias": ""}, token="results")
    assert found(await search(api, "caes")) == []
    assert found(await search(api, "real")) == ["cy"]
    await api.put("players/cy", {"name": "Zoe"}, token="results")
    assert found(await search(api, "real")) == []
    assert found(await search(api, "zo")) == ["cy"]


async def test_many_are_not_all_told(api):
    for number in range(23):
        await api.put(f"players/many{number:02}", {}, token="results")
    text = await search(api, "many")
    assert found(text) == [f"many{number:02}" for number in range(20)]
    assert "There are more: type more letters" in text
    assert "还有更多" in await search(api, "many", "zh")


async def test_boards_are_found_by_number_and_id(api):
    (board,) = await factories.boards(api, 1)
    for words in (str(board["number"]), board["id"]):
        assert f"/en/boards/{board['id']}" in Page(await search(api, words)).links
    assert f"/en/boards/{board['id']}" not in Page(await search(api, "999999")).links
    assert "Nothing begins with" in await search(api, "b_zzzzzz")
    links = Page(await search(api, "2026-w48")).links
    assert {"/en/weeks/2026-W48", "/en/boards?week=2026-W48"} <= set(links)


async def test_of_a_board_in_play_its_state_is_told_and_no_more(api):
    board = await factories.board(api)
    (result,) = await factories.results(api, board, 1)
    for words in (result["id"], board["id"], str(board["number"])):
        text = await search(api, words)
        assert f"/en/boards/{board['id']}" in Page(text).links
        assert "1/6" in Page(text).text
        assert not re.search("4S|♠|ann-", Page(text).text)


async def test_events_are_found_by_words_of_their_names(server):
    event = await pairs_event(server)
    name = (await server.api.get(f"events/{event}")).body["name"]
    for words in (name, name.upper(), event):
        assert f"/en/events/{event}" in Page(await search(server.api, words)).links
    assert "/en/events/" not in " ".join(Page(await search(server.api, "no such event")).links)


async def test_every_page_has_the_form(api):
    for language, path in (("en", "/"), ("en", "/rules"), ("zh", "/status"), ("zh", "/search")):
        text = (await read(api, f"/{language}{path}")).body
        forms = [form for form in Page(text).all("form") if form.get("role") == "search"]
        assert [form["action"] for form in forms] == [f"/{language}/search"]


@pytest.mark.parametrize(
    "words", ["<script>alert(1)</script>", '"><img src=x>', "{{7*7}}", "é\u202e", "=1+1"]
)
async def test_what_is_looked_for_is_text(api, words):
    text = await search(api, words)
    assert "<script>alert" not in text
    assert "<img" not in text
    assert words in Page(text).text or "Nothing begins with" in text


@pytest.mark.parametrize("words", ["x" * 65, "\x00"])
async def test_what_nobody_can_be_called_is_refused(api, words):
    answer = await api.get("/en/search", headers={"Accept": "text/html"}, params={"q": words})
    assert answer.status == 422
