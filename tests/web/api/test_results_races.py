"""Many at once: for the last slots of a board, for the sixth place, for one key, for one player."""

import asyncio
from collections import Counter
from random import Random

import pytest

from tests import factories
from tests.web.scoring import Judge, check_traveller, random_outcome


@pytest.fixture(params=[1, 2], ids=["one server", "two servers"])
async def apis(request, serve):
    """Clients of one server, or of two beside each other over the same database."""
    first = await serve()
    return [first.api] if request.param == 1 else [first.api, (await serve()).api]


async def at_once(apis, bodies, keys=None):
    """Post all bodies at the same time, to the servers in turn."""
    options = [{} if keys is None else {"key": key} for key in (keys or bodies)]
    posts = [
        apis[index % len(apis)].post("results", body, **option)
        for index, (body, option) in enumerate(zip(bodies, options, strict=True))
    ]
    return await asyncio.gather(*posts)


def slugs(answers):
    """How often each kind of answer came."""
    return Counter(answer.slug or answer.status for answer in answers)


async def test_of_sixty_at_once_exactly_forty_are_taken(apis):
    board, rng = await factories.board(apis[0]), Random(11)
    outcomes = [random_outcome(rng, board["number"]) for _ in range(60)]
    answers = await at_once(apis, [factories.result(board, **members) for members, _ in outcomes])
    assert slugs(answers) == {201: 40, "board-retired": 20}
    taken = [
        (answer.body["sequence"], score)
        for answer, (_, score) in zip(answers, outcomes, strict=True)
        if answer.status == 201
    ]
    assert [sequence for sequence, _ in sorted(taken)] == list(range(1, 41))
    traveller = await apis[-1].get(f"boards/{board['id']}/traveller")
    check_traveller(Judge("datum"), traveller.body, [score for _, score in sorted(taken)])


async def test_whoever_is_the_sixth_scores_all_six(apis):
    rng = Random(12)
    for board in await factories.boards(apis[0], 4):
        outcomes = [random_outcome(rng, board["number"]) for _ in range(7)]
        answers = await at_once(apis, [factories.result(board, **members) for members, _ in outcomes])
        assert slugs(answers) == {201: 7}
        states = {answer.body["sequence"]: answer.body["state"] for answer in answers}
        assert states == dict(enumerate(["pending"] * 5 + ["scored"] * 2, start=1))
        scores = {answer.body["sequence"]: answer.body["score"] for answer in answers}
        assert sorted(scores.values()) == sorted(score for _, score in outcomes)
        traveller = await apis[-1].get(f"boards/{board['id']}/traveller", token="director")
        check_traveller(Judge("datum"), traveller.body, [scores[sequence] for sequence in sorted(scores)])


async def test_the_same_post_many_times_at_once_is_one_result(apis):
    board = await factories.board(apis[0])
    answers = await at_once(apis, [factories.result(board)] * 20, ["K"] * 20)
    assert slugs(answers) == {201: 20}, answers
    assert len({answer.raw for answer in answers}) == 1
    assert Counter(answer.headers.get("Idempotency-Replayed") for answer in answers) == {None: 1, "true": 19}
    assert (await apis[0].get(f"boards/{board['id']}")).body["results"] == 1


async def test_one_table_reported_by_two_at_once_is_one_result(apis):
    board = await factories.board(apis[0])
    bodies = [factories.result(board, table="T") for _ in range(10)]
    assert slugs(await at_once(apis, bodies)) == {201: 1, "table-already-reported": 9}


async def test_one_player_at_ten_tables_at_once_plays_once(apis):
    board = await factories.board(apis[0])
    bodies = [factories.result(board) for _ in range(10)]
    for body in bodies:
        body["players"]["N"] = "everywhere"
    answers = await at_once(apis, bodies)
    assert slugs(answers) == {201: 1, "already-played": 9}
    (taken,) = [answer.body["id"] for answer in answers if answer.status == 201]
    assert {answer.body["result"] for answer in answers if answer.status == 409} == {taken}


async def test_many_boards_at_once_with_the_same_new_players(apis):
    boards = await factories.boards(apis[0], 12)
    four = factories.four()
    bodies = [factories.result(board, players=four) for board in boards for _ in range(2)]
    assert slugs(await at_once(apis, bodies)) == {201: 12, "already-played": 12}
