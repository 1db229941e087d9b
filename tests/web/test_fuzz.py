"""Whatever is sent, nobody gets an answer that the document does not know, and never one of ours to blame."""

import json
from copy import deepcopy
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import factories

EXAMPLES = settings.default.max_examples * 6 // 10
text = st.text(st.characters(), max_size=8) | st.sampled_from(
    ["", "\x00", "\ud800", "\u202e", "N", "4S", "PASS", "b_000001", "2026-W48", "imps", "ann", "a" * 300]
)
scalar = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([0, -1, 2**31, 2**63, 2**64, -(2**63) - 1, 10**400])
    | st.floats()
    | text
)
anything = st.recursive(
    scalar,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)


def places(value, at=()):
    """Every place in a JSON value, as the steps that lead there."""
    yield at
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        yield from places(part, (*at, step))


@st.composite
def mutated(draw, body):
    """``body`` with one to three places replaced by anything, left out, or added to."""
    box = [deepcopy(body)]
    for _ in range(draw(st.integers(1, 3))):
        *steps, last = draw(st.sampled_from([at for at in places(box) if at]))
        parent = box
        for step in steps:
            parent = parent[step]
        match draw(st.sampled_from(["replace", "replace", "drop", "add"])):
            case "replace":
                parent[last] = draw(anything)
            case "drop" if steps:
                del parent[last]
            case _ if isinstance(parent[last], dict):
                parent[last][draw(text)] = draw(anything)
            case _:
                parent[last] = [parent[last], draw(anything)]
    return json.dumps(box[0]).encode("utf-8", "surrogatepass")


@st.composite
def scratched(draw, body):
    """The text of ``body`` with some bytes replaced, left out or doubled."""
    data = bytearray(json.dumps(body, ensure_ascii=draw(st.booleans())).encode())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 6)))
        data[start:end] = draw(st.binary(max_size=4) | st.just(bytes(data[start:end]) * 2))
    return bytes(data)


@pytest.fixture
async def bodies(api):
    """A good body for each address that takes one; all members are there."""
    board = await factories.board(api)
    await factories.boards(api, 3, pool="guests")
    full = factories.result(
        board,
        lead=None,
        played_at="2026-11-25T12:00:00Z",
        auction=["1S", "P"],
        play=["HK"],
        disconnects=["replaced"],
        substitutes={"N": "replaced"},
    )
    numbered = full | {"board": {"week": factories.WEEK, "pool": "imps", "number": board["number"]}}
    seating = {"table": "T", "pool": "guests", "players": factories.four()}
    given_boards = [{"number": 900, "deal": None, "dealer": "N", "vulnerability": "both"}]
    player = {"name": "Ann", "alias": "A", "hidden": False, "member": True, "linked": ["bob"]}
    row = full | {"idempotency_key": "K"}
    (result,) = await factories.results(api, board, 1)
    seats = factories.four()
    left = {"player": seats["N"], "board": board["id"], "table": "T", "players": seats}
    left["at"] = "2026-11-25T12:00:00Z"
    ruling = {"reason": "x", "kind": "assigned", "basis": "damage", "infraction": "y", "damage": "z"}
    return [
        ("POST", "results", full),
        ("POST", "results", numbered),
        ("POST", "results", factories.result(board) | {"contract": None, "result": "4SN="}),
        ("POST", "results/batch", [row, numbered | {"idempotency_key": "L"}]),
        ("POST", "assignments", seating),
        ("POST", "board-sets", {"week": factories.WEEK, "pool": "imps", "count": 1}),
        ("POST", "board-sets", {"week": factories.WEEK, "pool": "mp", "boards": given_boards}),
        ("POST", "disconnects", left),
        ("POST", f"results/{result['id']}/void", {"reason": "x"}),
        ("POST", f"results/{result['id']}/adjust", ruling | {"result": "4SN="}),
        ("POST", f"results/{result['id']}/adjust", ruling | {"contract": "4S", "declarer": "N", "tricks": 9}),
        ("PUT", "players/ann", player),
    ]


async def send(api, method, path, data, ndjson=False):
    """Send the bytes; every answer is held against the document by ``api``."""
    headers = {"If-Match": '"v1"'} | ({"Content-Type": "application/x-ndjson"} if ndjson else {})
    answer = await api.request(method, path, data=data, key=factories.table(), headers=headers)
    assert answer.status < 500
    if answer.status >= 400:
        assert answer.headers["Content-Type"] == "application/problem+json"


@settings(max_examples=EXAMPLES)
@given(draw=st.data())
async def test_any_json_at_any_place(api, bodies, draw):
    for method, path, body in bodies:
        await send(api, method, path, draw.draw(mutated(body)))


@settings(max_examples=EXAMPLES)
@given(draw=st.data())
async def test_any_bytes_at_any_place(api, bodies, draw):
    for method, path, body in bodies:
        await send(api, method, path, draw.draw(scratched(body)), ndjson=draw.draw(st.booleans()))


@settings(max_examples=EXAMPLES)
@given(
    name=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    query=st.dictionaries(
        st.sampled_from(["viewer", "limit", "cursor", "week", "pool", "after", "board", "player", "reason"]),
        st.text(max_size=12),
        max_size=3,
    ),
)
async def test_any_address_and_any_query(api, name, query):
    named = quote(name, safe="")
    for path in (f"boards/{named}", f"results/{named}/explain", f"players/{named}", "boards", named):
        answer = await api.get(path, token="results", params=query)
        assert answer.status < 500
    for method, path in (("GET", "disconnects"), ("GET", "audit"), ("DELETE", f"disconnects/{named}")):
        answer = await api.request(method, path, token="director", params=query)
        assert answer.status < 500


@settings(max_examples=EXAMPLES)
@given(
    headers=st.dictionaries(
        st.sampled_from(["Idempotency-Key", "If-None-Match", "X-Request-Id", "Accept", "Crossruff-Board"]),
        st.text(
            st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_characters="\x7f"), max_size=300
        ),
        max_size=3,
    )
)
async def test_any_header(api, bodies, headers):
    method, path, body = bodies[0]
    headers = {"Idempotency-Key": "K"} | headers
    answer = await api.request(method, path, json=body | {"tricks": 99}, headers=headers)
    assert (answer.status, answer.slug) in ((422, "invalid-result"), (422, "invalid-body"))
    assert (await api.get("weeks/current", headers=headers)).status in (200, 304)
