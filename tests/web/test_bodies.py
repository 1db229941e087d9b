"""Bodies that are no JSON, or JSON that says what JSON cannot say; and bodies too large."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.web import bodies, problems
from server.web.problems import InvalidBody, MalformedJson
from tests import factories
from tests.web.wire import request, send

DEEP = 100_000
MALFORMED = [
    b"",
    b"   ",
    b"{",
    b'{"table": }',
    b'{"table": "T",}',
    b"{'table': 'T'}",
    b'{"table": "T"} x',
    b'{"table": "T"}{"table": "T"}',
    b"nothing",
    b'{"table": "\t"}',
    b'{"table": "\\x41"}',
    b'{"table": "T',
    b'{"tricks": 01}',
    b'{"tricks": +1}',
    b'{"tricks": .5}',
    b'{"tricks": 0x10}',
    b"\xef\xbb\xbf{}",
    b'{"table": "\xff"}',
    b'{"table": "\xed\xa0\x80"}',
    '{"table": "T"}'.encode("utf-16"),
    b"[" * DEEP,
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'{"a": NaN, "b": ' + b"[" * DEEP + b"]" * DEEP + b"}",
    b'{"tricks": ' + b"9" * 5000 + b"}",
    b"\x00",
]
WRONG = [
    (b'{"tricks": NaN}', ["/tricks"]),
    (b'{"tricks": Infinity}', ["/tricks"]),
    (b'{"tricks": -Infinity, "players": {"N": NaN}}', ["/tricks", "/players/N"]),
    (b'{"table": "T", "table": "U"}', ["/table"]),
    (b'{"players": {"N": "a", "N": "b"}}', ["/players/N"]),
    (b'{"a/b~": [0, {"x": 1, "x": 1}]}', ["/a~1b~0/1/x"]),
    (b'{"table": "\\ud800"}', ["/table"]),
    (b'{"table": "\\udc00\\ud800"}', ["/table"]),
    (b'{"play": ["\\ud83d\\ude00", "\\ud83d"]}', ["/play/1"]),
    (b'{"\\udfff": 1}', [""]),
    (b'{"\\udfff": NaN}', ["/?", ""]),
    (b'{"x": NaN, "y": "\\ud800"}', ["/x", "/y"]),
    (b'{"\\udfff": 1, "\\udfff": 2}', ["/?", ""]),
    (b"NaN", [""]),
    (b'"\\ud800"', [""]),
]


def pointers(answer):
    """Where the answer says that something is wrong."""
    return [error["pointer"] for error in answer["errors"]]


async def paths(api):
    """Every address that takes an object as its body, with the method."""
    return [("POST", "results"), ("POST", "board-sets"), ("POST", "assignments"), ("PUT", "players/ann")]


async def test_what_is_no_json_is_refused_everywhere(api):
    for method, path in [*await paths(api), ("POST", "results/batch")]:
        for case in MALFORMED:
            # What is deeper than a body may be is cut short in the middle, and still too deep.
            data = case if len(case) <= bodies.BODY_LIMIT else case[:1500] + case[-1500:]
            answer = await api.request(method, path, data=data, key="K")
            assert (answer.status, answer.slug) == (400, "malformed-json"), (path, data[:80])
            assert answer.body["detail"]
            assert answer.body["instance"] == f"/api/v1/{path}"


async def test_what_json_cannot_say_is_pointed_at(api):
    for method, path in await paths(api):
        for data, places in WRONG:
            answer = await api.request(method, path, data=data, key="K")
            assert (answer.status, answer.slug) == (422, "invalid-body"), (path, data)
            assert pointers(answer.body) == places


async def test_of_no_other_type_than_an_object(api):
    for method, path in await paths(api):
        for data in (b"[]", b"null", b'"x"', b"1", b"true", b"1e999"):
            answer = await api.request(method, path, data=data, key="K")
            assert (answer.status, answer.slug, pointers(answer.body)) == (422, "invalid-body", [""]), data
    for data in (b"{}", b"null", b'"x"', b"1"):
        answer = await api.post("results/batch", data=data, key=None)
        assert (answer.status, answer.slug, pointers(answer.body)) == (422, "invalid-body", [""]), data


async def test_any_depth_that_can_be_read_is_answered(api):
    """Wherever the limit of the reader is, what comes after it must not fall over."""
    for depth in range(880, 1000, 3):
        nested = b"[" * depth + b"]" * depth
        for data in (b'{"a":"\\u0041","b":' + nested + b"}", b'{"a":NaN,"b":' + nested + b"}"):
            answer = await api.post("results", data=data)
            assert answer.slug in ("malformed-json", "invalid-body"), depth


async def test_a_body_may_have_64_kilobytes_a_batch_4_megabytes(api):
    board = await factories.board(api)
    body = json.dumps(factories.result(board)).encode()
    rows = json.dumps([factories.result(board, idempotency_key="row")]).encode()
    limits = [("results", body, bodies.BODY_LIMIT), ("results/batch", rows, bodies.BATCH_LIMIT)]
    token = f"Bearer {api.tokens['results']}"
    for path, data, limit in limits:
        line = f"POST /api/v1/{path}".encode()
        full = data + b" " * (limit - len(data))
        reply = await send(api.url, request(line, full, Authorization=token, Idempotency_Key="K"))
        assert reply.status in (200, 201), reply
        chunks = b"".join(b"10000\r\n" + b" " * 0x10000 + b"\r\n" for _ in range(limit // 0x10000))
        for sent in (
            request(line, b"", Authorization=token, Content_Length=str(limit + 1), Idempotency_Key="L"),
            request(
                line,
                chunks + b"1\r\n \r\n0\r\n\r\n",
                Authorization=token,
                Content_Length=None,
                Transfer_Encoding="chunked",
                Idempotency_Key="M",
            ),
        ):
            reply = await send(api.url, sent)
            assert (reply.status, reply.problem["type"]) == (413, "/problems/body-too-large")
            assert reply.problem["limit"] == limit


async def test_a_body_that_does_not_come_is_not_waited_for(api, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.1)  # as long as it is otherwise, no test should wait
    token = f"Bearer {api.tokens['results']}"
    line = b"POST /api/v1/results"
    sent = request(line, b'{"table"', Authorization=token, Content_Length="100", Idempotency_Key="K")
    reply = await send(api.url, sent)
    assert (reply.status, reply.problem["type"]) == (408, "/problems/body-too-slow")


async def test_a_body_that_is_coded_wrongly_is_no_json(api):
    token = f"Bearer {api.tokens['results']}"
    coded = request(
        b"POST /api/v1/results", b"{}", Authorization=token, Content_Encoding="gzip", Idempotency_Key="K"
    )
    reply = await send(api.url, coded)
    assert (reply.status, reply.problem["type"]) == (400, "/problems/malformed-json")


any_text = st.text(st.characters(), max_size=10)  # halves of surrogate pairs too
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
)


@given(value=JSON)
def test_parse_reads_what_json_writes_unless_it_is_no_text(value):
    data = json.dumps(value).encode()
    try:
        assert bodies.parse(data) == json.loads(data)
    except InvalidBody:
        assert bodies.lone(json.dumps(value, ensure_ascii=False))


@given(data=st.binary(max_size=200))
def test_parse_refuses_or_reads_any_bytes(data):
    try:
        value = bodies.parse(data)
    except (MalformedJson, InvalidBody):
        return
    assert value == json.loads(data)


@given(value=st.dictionaries(st.text(max_size=5), st.integers(-(2**70), 2**70), min_size=1))
def test_a_fingerprint_does_not_depend_on_the_order_of_members(value):
    if any(bodies.lone(key) for key in value):
        return
    backwards = dict(reversed(value.items()))
    assert bodies.fingerprint(value) == bodies.fingerprint(backwards)
    other = value | {next(iter(value)): "other"}
    assert bodies.fingerprint(value) != bodies.fingerprint(other)


@given(steps=st.lists(st.text(max_size=5) | st.integers(0, 9), max_size=4))
def test_a_pointer_leads_to_its_place(steps):
    value = leaf = []
    for step in steps:
        leaf = [None] * 10 if isinstance(step, int) else {}
        leaf[step] = value
        value = leaf
    decoded = bodies.pointer(*reversed(steps))
    for step in decoded.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    assert value == []


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    """A body within a body."""

    number: int


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    """A body for the test."""

    rows: list[Inner]


@pytest.mark.parametrize(
    ("value", "pointer"),
    [
        ({"rows": [{"number": 1}, {"number": "1"}]}, "/rows/1/number"),
        ({"rows": [{}]}, "/rows/0/number"),
        ({"rows": [{"number": 1, "a/b": 1}]}, "/rows/0/a~1b"),
        ({"rows": {}}, "/rows"),
        ({"other`x": 1, "rows": []}, "/other`x"),
        ([], ""),
    ],
)
def test_convert_points_at_what_is_wrong(value, pointer):
    with pytest.raises(InvalidBody) as refused:
        bodies.convert(value, Outer)
    assert [error.pointer for error in refused.value.errors] == [pointer]


def test_how_deep_it_may_be_nested():
    deepest = b"[" * bodies.DEEPEST + b"]" * bodies.DEEPEST
    bodies.parse(deepest)
    bodies.parse(b'{"a":' * bodies.DEEPEST + b"1" + b"}" * bodies.DEEPEST)
    for deeper in (b"[" + deepest + b"]", b'{"a": ' + deepest + b"}", b"[" * 30_000 + b"]" * 30_000):
        with pytest.raises(problems.MalformedJson, match="nested"):
            bodies.parse(deeper)
    wide = b"[" + b",".join([b"[]"] * 1000) + b"]"
    assert bodies.parse(wide) == [[]] * 1000
