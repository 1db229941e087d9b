"""The document attacked by schemathesis: for every operation, good and bad requests made from its schemas."""

import asyncio

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from server.web.openapi import document
from tests import factories

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
ENDLESS = "/api/v1/channels/{name}/stream"  # its answer does not end; it has tests of its own
EXAMPLES = max(15, settings.default.max_examples // 6)
OPERATIONS = [
    f"{method.upper()} {path}"
    for path, methods in document()["paths"].items()
    for method in methods
    if path != ENDLESS
]


def attack(label: str, url: str, token: str, known: list[str]) -> int:
    """Send requests of all kinds to one operation, hold every answer against the document; how many."""
    schema = schemathesis.openapi.from_dict(document())
    schema.config.update(base_url=url)
    operation = schema.find_operation_by_label(label)
    sent = 0

    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        deadline=None,
        database=None,
    )
    @given(
        case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
        | operation.as_strategy(generation_mode=GenerationMode.NEGATIVE),
        name=st.none() | st.sampled_from(known),
    )
    def holds(case, name):
        nonlocal sent
        if name is not None and case.path_parameters:
            case.path_parameters = dict.fromkeys(case.path_parameters, name)
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS, timeout=30)
        sent += 1

    holds()
    return sent


@pytest.mark.parametrize("label", OPERATIONS)
async def test_every_answer_is_as_documented(api, label):
    board = await factories.board(api)
    results = await factories.results(api, board, 6)
    await api.put("players/ann", {"linked": ["bob"]})
    left = {
        "player": "a",
        "board": board["id"],
        "table": "T",
        "players": dict(zip("NESW", "abcd", strict=True)),
    }
    disconnect = (await api.post("disconnects", left)).body["id"]
    await factories.rule(api, "adjust", results[1]["id"], contract="PASS")
    await factories.rule(api, "void", results[2]["id"])
    known = [board["id"], *(result["id"] for result in results[:3]), disconnect, "ann"]
    known += ["b_00zzzz", "r_00zzzz000001", "d_00zzzz"]
    sent = await asyncio.to_thread(attack, label, api.url, api.tokens["admin"], known)
    assert sent >= 5  # an operation without parameters has few


def test_only_the_stream_is_left_out():
    assert ENDLESS in document()["paths"]
    assert len(OPERATIONS) == sum(map(len, document()["paths"].values())) - 1
