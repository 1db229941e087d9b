"""Weeks played and rated before the scene, by one crowd: what leaderboards and players' pages show."""

from dataclasses import dataclass
from random import Random

from server.services import tallies
from tests import factories
from tests.running import Served
from tests.web.scoring import random_outcome

RATED = ("2026-W44", "2026-W45", "2026-W46", "2026-W47")
TABLES = 15
BOARDS = 4


@dataclass(frozen=True)
class Season:
    """Who and what there is to see."""

    player: str  # who has left a board
    hostile: str  # whose id browsers could take for markup
    hidden: str
    week: str  # rated
    board: str  # of that week, with board Rates
    few: str  # of that week too, with too few results for any
    few_result: str


async def play(server: Served, hostile: tuple[str, ...]) -> Season:
    """Play and rate some weeks, and begin the open one; everything is counted."""
    rng = Random(5)
    ids = [words.replace("/", "") for words in hostile]
    crowd = ids + [f"player-{number:02}" for number in range(4 * TABLES + 2 - len(ids))]
    for week in RATED:
        board = await _week(server, week, BOARDS, crowd, rng)
    few = await factories.board(server.api, RATED[-1])
    seated = dict(zip("NESW", (crowd[0], *crowd[10:13]), strict=True))
    (told,) = await factories.results(server.api, few, 1, players=seated)
    answer = await server.api.post(f"weeks/{RATED[-1]}/rate", None, token="admin")
    assert answer.status == 200, answer
    await _week(server, factories.WEEK, 3, crowd, rng)
    hidden = crowd[-1]
    assert (await server.api.put(f"players/{hidden}", {"hidden": True}, token="results")).status == 200
    await count(server)
    return Season(crowd[len(ids)], ids[0], hidden, RATED[-1], board, few["id"], told["id"])


async def count(server: Served) -> None:
    """What the timetable does: bring the totals of the week up to date."""
    while await tallies.refresh(server.database, ""):
        pass


async def _week(server: Served, week: str, boards: int, crowd: list[str], rng: Random) -> str:
    """Some boards, each at all tables; the id of the last."""
    regular = crowd[8]
    for board in await factories.boards(server.api, boards, week):
        seats = rng.sample(crowd, 4 * TABLES)
        for table in range(TABLES):
            players = dict(zip("NESW", seats[4 * table : 4 * table + 4], strict=True))
            outcome, _ = random_outcome(rng, board["number"])
            left = [regular] if regular in players.values() and board["number"] % 4 == 2 else []
            body = factories.result(board, players=players, disconnects=left, **outcome)
            answer = await server.api.post("results", body)
            assert answer.status == 201, answer
    return str(board["id"])
