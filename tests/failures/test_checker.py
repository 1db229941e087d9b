"""The checker of the failure programs finds what is wrong: every kind of damage done to a good board."""

import copy
import random

import pytest

from tests.long import checker
from tests.long.program import Run
from tests.long.servers import Server
from tests.long.traffic import Board, Ledger, deal, post, result
from tests.long.wire import Answer, Connection


@pytest.fixture
async def played(place):
    """A ledger of seven results on one board, and the board as it is stored."""
    ledger = Ledger(Run(1))
    async with Server(place) as server, Connection(server.url, place.tokens["platform"]) as connection:
        board, _ = await deal(connection, 2)
        for number in range(7):
            await post(connection, ledger, result(ledger.run.rng, board, f"T-{number}"))
        await server.stop()
    assert ledger.run.faults == []
    assert len(ledger.acknowledged) == 7
    assert await checker.check(ledger.run, place, ledger) == 7
    await checker.check_shared(ledger.run, place)
    assert ledger.run.faults == []
    return ledger, await checker.read(place, [board])


def moved(board):
    """The last result stands at another place."""
    board.results[99] = board.results.pop(7)


def renamed(board):
    """A result is of a table that posted none."""
    board.results[2] = ("nobody", board.results[2][1])


def rescored(board):
    """A result has another score, in the cache too."""
    scores = board.scores.split(",")
    scores[1] = str(int(scores[1]) + 10)
    board.results[2], board.scores = (board.results[2][0], int(scores[1])), ",".join(scores)


def doubled(board):
    """A result is there twice."""
    board.results[8] = board.results[7]


def silenced(board):
    """The sixth result's bulletin does not say that all are scored."""
    kind, body = board.bulletins[6]
    board.bulletins[6] = (kind, body | {"results": body["results"][-1:]})


DAMAGE = {
    "a result is lost": lambda board: board.results.pop(3),
    "all results are lost": lambda board: board.results.clear(),
    "a result is at another place": moved,
    "a result is of nobody": renamed,
    "a score is another": rescored,
    "a result is there twice": doubled,
    "an award is missing": lambda board: board.awards.pop(1),
    "all awards are missing": lambda board: board.awards.clear(),
    "an award is another": lambda board: board.awards.update({6: (77, -77)}),
    "a play is missing": lambda board: board.plays.pop(),
    "somebody plays twice": lambda board: board.plays.append(7),
    "the cache is another": lambda board: setattr(board, "scores", "0"),
    "the last sequence is another": lambda board: setattr(board, "last_sequence", 8),
    "the board is retired": lambda board: setattr(board, "retired", True),
    "a bulletin is missing": lambda board: board.bulletins.pop(4),
    "a bulletin is silent": silenced,
    "a bulletin too many is counted": lambda board: setattr(board, "counted", 8),
}


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_every_damage_is_found(played):
    ledger, stored = played
    answers = {key: body.decode() for key, body in ledger.acknowledged.items()}
    for what, damage in {"nothing": lambda _board: None, **DAMAGE}.items():
        run, (board,) = Run(1), copy.deepcopy(stored)
        damage(board)
        checker.compare(run, [board], answers, ledger)
        assert bool(run.faults) == (what != "nothing"), what
    for wrong in ({}, {key: body + " " for key, body in answers.items()}):
        run = Run(1)
        checker.compare(run, stored, wrong, ledger)
        assert len(run.faults) == 7


@pytest.mark.parametrize(
    ("rows", "results", "wrong"),
    [
        ([("a", 1), ("b", 1), ("a", 2), ("b", None)], 4, False),
        ([("a", 1), ("a", 3)], 2, True),
        ([("a", 1), ("a", 1)], 2, True),
        ([("a", 1)], 2, True),
    ],
)
def test_gaps_in_shared_channels_are_found(rows, results, wrong):
    run = Run(1)
    checker.compare_shared(run, rows, results)
    assert bool(run.faults) == wrong


def answer(status, slug=None, body=b"{}", **headers):
    """An answer to a result."""
    if slug is not None:
        body = f'{{"type":"/problems/{slug}"}}'.encode()
        headers["content-type"] = "application/problem+json"
    return Answer(status, {name.replace("_", "-"): value for name, value in headers.items()}, body)


GOOD = answer(201, body=b'{"sequence":1}')
REPLAY = answer(201, body=b'{"sequence":1}', idempotency_replayed="true")


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [
        (GOOD, REPLAY, False),
        (answer(409, "board-retired"), answer(409, "board-retired"), False),
        (answer(503, "busy", retry_after="1"), GOOD, False),
        (REPLAY, REPLAY, False),  # whose first answer was lost
        (GOOD, GOOD, True),
        (GOOD, answer(201, idempotency_replayed="true"), True),
        (GOOD, answer(409, "board-retired"), True),
        (answer(500, "internal-error"), GOOD, True),
        (answer(409, "already-played"), GOOD, True),
        (answer(503, "busy"), GOOD, True),
    ],
)
def test_answers_that_contradict_each_other_are_found(first, second, wrong):
    ledger = Ledger(Run(1))
    given = result(random.Random(1), Board("b_000001", 1), "T")
    ledger.post(given)
    ledger.take(given, first, busy=True)
    ledger.take(given, second)
    assert bool(ledger.run.faults) == wrong
