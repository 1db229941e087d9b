"""Makes what a test needs over HTTP, every name fresh."""

from itertools import count
from typing import Any

from tests.api import Answer, Api

WEEK = "2026-W48"
"""The open week of the tests' clock."""

_fresh = count(1)


def four() -> dict[str, str]:
    """Four players whom nobody has heard of, by seat."""
    number = next(_fresh)
    return {seat: f"{name}-{number}" for seat, name in zip("NESW", ("ann", "eve", "sam", "wes"), strict=True)}


def table() -> str:
    """A table that has reported nothing."""
    return f"T-{next(_fresh)}"


def result(board: str | dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A result to be posted: 4 spades by North, ten tricks, by a fresh table of fresh players."""
    body = {
        "board": board["id"] if isinstance(board, dict) and "id" in board else board,
        "table": table(),
        "players": four(),
        "contract": "4S",
        "declarer": "N",
        "tricks": 10,
    }
    return body | changes


async def boards(api: Api, count: int = 1, week: str = WEEK, pool: str = "imps") -> list[dict[str, Any]]:
    """Fresh boards with random deals, numbered on; as the API gives them."""
    answer = await api.post("board-sets", {"week": week, "pool": pool, "count": count}, token="admin")
    assert answer.status == 201, answer
    made: list[dict[str, Any]] = answer.body["boards"]
    return made


async def board(api: Api, week: str = WEEK, pool: str = "imps") -> dict[str, Any]:
    """One fresh board."""
    (made,) = await boards(api, 1, week, pool)
    return made


async def results(api: Api, board: str | dict[str, Any], count: int, **changes: Any) -> list[dict[str, Any]]:
    """Post ``count`` results of fresh tables on a board, one after another; as the API answers them."""
    made = []
    for _ in range(count):
        answer = await api.post("results", result(board, **changes))
        assert answer.status == 201, answer
        made.append(answer.body)
    return made


async def rule(api: Api, kind: str, result: str, version: int = 1, /, **body: Any) -> Answer:
    """Rule on a result, ``void`` or ``adjust``; a reason is given unless it is another."""
    said = {"reason": "Law 12"} | ({"basis": "score_error"} if kind == "adjust" else {}) | body
    return await api.post(f"results/{result}/{kind}", said, headers={"If-Match": f'"v{version}"'})
