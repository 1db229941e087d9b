"""Problems: each has a page, a status and a title, and each can happen."""

import re
from pathlib import Path

from server.web import problems

TESTS = Path(__file__).parents[1]
UNREACHABLE = {
    "bad-request": "for what aiohttp may refuse within a handler; nothing of ours makes it do so",
    "internal-error": "a fault of ours: a test that reached it would be a test of a fault",
}


async def test_every_problem_has_a_page(api):
    for kind in problems.STATUS:
        answer = await api.get(f"/problems/{problems.slug(kind)}", headers={"Accept": "text/html"})
        assert answer.status == 200
        assert problems.title(problems.by_slug()[problems.slug(kind)]) in answer.body


async def test_a_problem_has_the_members_of_rfc_9457(api):
    answer = await api.post("results", {"table": 1}, headers={"X-Request-Id": "abc"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.body["type"] == "/problems/invalid-body"
    assert answer.body["title"] == problems.title(problems.InvalidBody)
    assert answer.body["status"] == answer.status == 422
    assert answer.body["instance"] == "/api/v1/results"
    assert answer.body["detail"]
    assert answer.body["errors"][0].keys() == {"pointer", "detail"}
    page = await api.get(answer.body["type"])
    assert page.status == 200


def test_slugs_are_words_with_hyphens():
    for slug in problems.by_slug():
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", slug)


def test_a_slug_has_one_status():
    statuses = {}
    for kind, status in problems.STATUS.items():
        statuses.setdefault(problems.slug(kind), set()).add(status)
    assert {slug: found for slug, found in statuses.items() if len(found) > 1} == {}


def test_every_problem_is_reached_in_some_test():
    source = "".join(
        path.read_text(encoding="utf-8")
        for path in TESTS.rglob("test_*.py")
        if path.name not in (Path(__file__).name, "test_openapi.py")  # these name what others reach
    )
    named = {slug for slug in problems.by_slug() if re.search(f'["/]{slug}"', source)}
    assert problems.by_slug().keys() - named - UNREACHABLE.keys() == set()
