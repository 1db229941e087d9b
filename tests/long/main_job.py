"""The main job, result by result, through one or several addresses in turn: every figure computed again."""

from itertools import cycle

from tests.long.places import Place
from tests.long.program import Run
from tests.long.traffic import BASE, FULL, Board, Ledger, post, result
from tests.long.wire import Connection
from tests.web.scoring import Judge, check_accepted, check_traveller

_JUDGE = Judge("datum")


async def main_job(
    run: Run, place: Place, urls: list[str], ledger: Ledger, boards: list[Board], tables: str
) -> None:
    """Forty results on each board, each held against the rules; then one too many, a replay, a traveller."""
    connections = [Connection(url, place.tokens["platform"]) for url in urls]
    turns = cycle(connections)
    try:
        for board in boards:
            try:
                await _play_board(run, turns, ledger, board, tables)
            except AssertionError as error:
                run.fault("main job,", board.id, error)
    finally:
        for connection in connections:
            await connection.close()


async def _play_board(
    run: Run, turns: "cycle[Connection]", ledger: Ledger, board: Board, tables: str
) -> None:
    scores: list[int] = []
    for number in range(FULL):
        given = result(run.rng, board, f"{tables}-{number}")
        answer = await post(next(turns), ledger, given)
        if not run.check(answer.status == 201, board.id, "result", number + 1, answer.status, answer.body):
            return
        scores.append(given.score)
        check_accepted(_JUDGE, answer.json, scores)
        if number in (4, 5, 6):
            shown = await next(turns).get(f"{BASE}boards/{board.id}/traveller")
            run.check(len(shown.json["results"]) == number + 1, board.id, "shows", len(shown.json["results"]))
    late = await post(next(turns), ledger, result(run.rng, board, f"{tables}-late"))
    run.check((late.status, late.slug) == (409, "board-retired"), "one too many:", late.status, late.body)
    again = await post(next(turns), ledger, ledger.posted[f"{tables}-7@{board.id}"])
    run.check(again.replayed, board.id, "a replay is answered as new")
    shown = await next(turns).get(f"{BASE}boards/{board.id}/traveller")
    check_traveller(_JUDGE, shown.json, scores)
