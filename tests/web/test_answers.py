"""What every answer to a GET has: an ETag of what was sent, and what caches must know."""

import re
from datetime import datetime

import pytest

from tests import factories

PRIVATE = ("boards/{board}", "boards/{board}/traveller", "results/{result}", "results/{result}/explain")
PRIVATE += ("players/ann",)
PUBLIC = ("boards", "weeks/current", "/healthz", "/readyz")


@pytest.fixture
async def addresses(api):
    """Addresses that depend on who asks, and those that do not."""
    board = await factories.board(api)
    results = await factories.results(api, board, 6)
    await api.put("players/ann", {"name": "Ann", "linked": ["ann-2"]})
    private = [path.format(board=board["id"], result=results[0]["id"]) for path in PRIVATE]
    return private, list(PUBLIC)


async def test_the_same_again_is_not_sent_again(api, addresses):
    for path in [*addresses[0], *addresses[1]]:
        first = await api.get(path, token="director")
        tag = first.headers["ETag"]
        assert first.status == 200
        assert re.fullmatch(r'"[0-9a-f]{32}"', tag)  # strong
        for known in (tag, f'"other", {tag}', f"W/{tag}", "*"):
            again = await api.get(path, token="director", headers={"If-None-Match": known})
            assert (again.status, again.raw) == (304, b""), (path, known)
            assert again.headers["ETag"] == tag
        for unknown in ('"other"', tag.strip('"'), ""):
            again = await api.get(path, token="director", headers={"If-None-Match": unknown})
            assert (again.status, again.raw) == (200, first.raw), (path, unknown)


async def test_what_depends_on_who_asks_is_kept_by_nobody_else(api, addresses):
    private, public = addresses
    for path in private:
        for known in ({}, {"If-None-Match": "*"}):
            answer = await api.get(path, token="director", headers=known)
            assert answer.headers["Cache-Control"].split(",")[0] == "private"
            assert answer.headers["Vary"] == "Authorization"
    for path in public:
        answer = await api.get(path)
        assert "Cache-Control" not in answer.headers
        assert "Vary" not in answer.headers


async def test_two_who_see_different_things_get_different_tags(api, addresses):
    for path in addresses[0]:
        if path.endswith("/explain"):
            continue
        tags = {token: (await api.get(path, token=token)).headers["ETag"] for token in ("public", "admin")}
        assert tags["public"] != tags["admin"], path
        stale = await api.get(path, token="admin", headers={"If-None-Match": tags["public"]})
        assert stale.status == 200


async def test_a_new_result_makes_a_new_tag(api):
    board = await factories.board(api)
    path = f"boards/{board['id']}/traveller"
    before = await api.get(path)
    await factories.results(api, board, 1)
    after = await api.get(path, headers={"If-None-Match": before.headers["ETag"]})
    assert after.status == 200
    assert after.headers["ETag"] != before.headers["ETag"]


async def test_problems_have_no_tag(api):
    answer = await api.get("boards/b_nowhere", headers={"If-None-Match": "*"})
    assert answer.status == 404
    assert "ETag" not in answer.headers


async def test_every_answer_may_be_asked_for_by_head(api, addresses):
    for path in [*addresses[0], *addresses[1], "/metrics", "/en/", "/api/docs", "/problems"]:
        plain = {"Accept-Encoding": "identity"}  # the length of what is packed is known when it is
        whole = await api.get(path, token="director", headers=plain)
        head = await api.request("HEAD", path, token="director", headers=plain)
        assert (head.status, head.raw) == (200, b""), path
        assert head.headers["Content-Type"] == whole.headers["Content-Type"]
        if path != "/metrics":
            assert head.headers.get("ETag") == whole.headers.get("ETag")
            assert head.headers["Content-Length"] == str(len(whole.raw))
    missing = await api.request("HEAD", "boards/b_nowhere")
    assert (missing.status, missing.raw) == (404, b"")


async def test_the_head_of_a_stream_ends(api):
    head = await api.request("HEAD", f"channels/week:{factories.WEEK}/stream")
    assert (head.status, head.raw) == (200, b"")
    assert head.headers["Content-Type"].startswith("text/event-stream")


def times_in(value):
    """Every text in a body that looks like a moment."""
    if isinstance(value, str):
        return [value] if re.match(r"\d{4}-\d{2}-\d{2}T", value) else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [found for part in parts for found in times_in(part)]


async def test_times_are_rfc_3339_in_utc(api):
    board = await factories.board(api)
    played = {"played_at": "2026-11-25T23:59:59.25+14:00"}
    await factories.results(api, board, 1, **played)
    answers = [
        await api.get("weeks/current"),
        await api.get(f"boards/{board['id']}/traveller", token="director"),
        await api.post("assignments", {"table": "T", "players": factories.four()}),
    ]
    times = [time for answer in answers for time in times_in(answer.body)]
    assert len(times) == 4
    for time in times:
        assert time.endswith("Z")
        assert datetime.fromisoformat(time).tzinfo is not None
    assert "2026-11-25T09:59:59.250000Z" in times
