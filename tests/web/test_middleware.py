"""What goes round every request: its id, and a problem for whatever has no answer."""

import re

import pytest

from server.web.table import ROUTES
from tests.web.wire import request, send

METHODS = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
AMONG = {
    "id": "b_000001",
    "name": "week:2026-W48",
    "week": "2026-W48",
    "entry": "1",
    "number": "1",
    "penalty": "1",
    "round": "1",
    "table": "1",
}  # what stands for the variables of an address
NOWHERE = (
    "/api/v1",
    "/api/v1/",
    "/api/v1/nothing",
    "/api/v1/results/",
    "/api/v1//results",
    "/api/v1/RESULTS",
    "/api/v1/results/r_000001000001/explain/more",
    "/api/v2/results",
    "/api/nothing",
    "/api/",
    "/api/docs/more",
    "/metrics/more",
)
HTML = {"Accept": "text/html,application/xhtml+xml"}


async def test_nothing_is_a_problem_at_an_address_of_the_api(api):
    for path in NOWHERE:
        for method in METHODS:
            for headers in ({}, HTML):
                answer = await api.request(method, path, headers=headers)
                assert (answer.status, answer.slug) == (404, "not-found"), (method, path, headers)
                assert answer.headers["Content-Type"] == "application/problem+json"
                assert answer.body["instance"] == path


async def test_a_wrong_method_is_told_which_are_right(api):
    allowed = {}
    for route in ROUTES:
        methods = {"GET", "HEAD"} if route.method == "GET" else {route.method}
        allowed.setdefault(route.path.format(**AMONG), set()).update(methods)
    allowed["/api/v1/results/batch"] |= {"GET", "HEAD"}  # it is the address of a result as well
    for path, right in allowed.items():
        for method in METHODS - right:
            for headers in ({}, HTML):
                answer = await api.request(method, path, headers=headers)
                assert (answer.status, answer.slug) == (405, "method-not-allowed"), (method, path)
                assert set(answer.headers["Allow"].split(", ")) >= right - {"GET", "HEAD"}
                assert set(answer.body["allowed"]) == set(answer.headers["Allow"].split(", "))


async def test_an_id_given_is_sent_back_and_another_is_made(api):
    for given in ("abc", "A-b_c.1", "x" * 64):
        for path in ("weeks/current", "nothing", "/"):
            answer = await api.get(path, headers={"X-Request-Id": given})
            assert answer.headers["X-Request-Id"] == given
    made = set()
    for given in ("", "x" * 65, "a b", "a\u00e4", "<script>"):
        answer = await api.get("weeks/current", headers={"X-Request-Id": given})
        made.add(answer.headers["X-Request-Id"])
    assert len(made) == 5
    assert all(re.fullmatch("[0-9a-f]{12}-[0-9a-f]+", each) for each in made)


async def test_nothing_is_guessed_about_the_type_of_an_answer(api):
    for path in ("weeks/current", "nothing", "/", "/static/crossruff.css", "/metrics", "/api/openapi.json"):
        answer = await api.get(path)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path", ["players/%00", "players/%ff", "boards/%E2%80%AE", "results/%25", "players/%2F"]
)
async def test_odd_addresses_are_answered(api, path):
    answer = await api.get(path)
    assert answer.status == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


async def test_bytes_that_are_no_request_are_refused_in_words(api):
    """What is no HTTP never comes as far as an address: it is refused by neither a page nor a trace."""
    for line in (
        b"BREW /api/v1/results",
        b"GET /api/v1/boards?week=\xff",
        b"GET /api/v1/players/" + b"x" * 9000,
    ):
        reply = await send(api.url, request(line, Accept="text/html"))
        assert reply.status == 400
        assert reply.headers["content-type"].startswith("text/plain")
        assert b"Traceback" not in reply.raw


async def test_an_expectation_that_nobody_knows_is_passed_over(api):
    answer = await api.get("weeks/current", headers={"Expect": "wonders"})
    assert answer.status == 200
