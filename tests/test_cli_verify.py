"""``crossruff verify``: clean after everything that a server does, and finds each kind of damage."""

from random import Random

import pytest
from sqlalchemy import delete, func, insert, select, update

from server.services import bulletins
from server.storage import tables
from tests import factories
from tests.commands import run_beside
from tests.web.scoring import random_outcome

BOARD, RESULT = "b_000001", "r_000001000003"


@pytest.fixture
async def server(serve):
    """A server with a retired board of forty results, one of seven, one of three, and one of guests."""
    served = await serve()
    rng = Random(4)
    for board, count in zip(await factories.boards(served.api, 3), (40, 7, 3), strict=True):
        for _ in range(count):
            await factories.results(served.api, board, 1, **random_outcome(rng, board["number"])[0])
    await factories.results(served.api, await factories.board(served.api, pool="guests"), 2)
    await factories.results(served.api, await factories.board(served.api, pool="mp"), 8)
    await bulletins.number_shared(served.database)  # as the timetable does
    return served


@pytest.fixture
def verify(server, database_url):
    """Runs the command over the server's database."""
    return lambda: run_beside("verify", CROSSRUFF_DATABASE_URL=database_url)


def boards(**values):
    """Changes the first board."""
    return update(tables.boards).where(tables.boards.c.id == 1).values(**values)


def third(table, **values):
    """Changes the third row of the first board; of the plays one of four."""
    where = [table.c.board == 1, table.c.sequence == 3]
    if table is tables.plays:
        where.append(table.c.player == select(func.min(table.c.player)).where(*where).scalar_subquery())
    return update(table).where(*where).values(**values)


def _scores_of_another(connection):
    scores = list(connection.execute(tables.boards.select().where(tables.boards.c.id == 1)).one().scores)
    scores[2] += 10
    connection.execute(boards(scores=tuple(scores)))


def _forget_a_play(connection):
    where = (tables.plays.c.board == 1, tables.plays.c.sequence == 3)
    number = connection.execute(tables.plays.select().where(*where)).first().player
    connection.execute(delete(tables.plays).where(*where, tables.plays.c.player == number))


def _play_twice(connection):
    player = connection.execute(tables.plays.select().where(tables.plays.c.board == 2)).first().player
    connection.execute(insert(tables.plays).values(board=1, player=player, sequence=3))


def _forget_an_award(connection):
    connection.execute(delete(tables.awards).where(tables.awards.c.board == 1, tables.awards.c.sequence == 3))


def _award_too_early(connection):
    connection.execute(insert(tables.awards).values(board=3, sequence=1, ns=0, ew=0, datum=0, results=1))


def _award_nothing(connection):
    connection.execute(insert(tables.awards).values(board=1, sequence=99, ns=0, ew=0, datum=0, results=1))


def _retire_too_early(connection):
    retired = update(tables.boards).where(tables.boards.c.id == 2)
    connection.execute(retired.values(retired_at=tables.boards.c.created_at))


DAMAGE = {  # what is done, and where and what must be found
    "the cache of scores": (_scores_of_another, BOARD, "scores"),
    "a cache with one score too few": (boards(scores=(0,) * 39), BOARD, "scores"),
    "the last sequence": (boards(last_sequence=41), BOARD, "last sequence"),
    "a retirement that is missing": (boards(retired_at=None), BOARD, "retired"),
    "a retirement that came too early": (_retire_too_early, "b_000002", "retired"),
    "a score": (third(tables.results, score=12345), RESULT, "score"),
    "tricks": (third(tables.results, contract="7NT", declarer="N", tricks=13), RESULT, "score"),
    "an award": (third(tables.awards, ns=-2400), RESULT, "award"),
    "its other side": (third(tables.awards, ew=77), RESULT, "award"),
    "the datum of an award": (third(tables.awards, datum=10), RESULT, "award"),
    "the results of an award": (third(tables.awards, results=7), RESULT, "award"),
    "an award that is missing": (_forget_an_award, RESULT, "award"),
    "an award that came too early": (_award_too_early, "r_000003000001", "award"),
    "an award of no result": (_award_nothing, BOARD, "awards of no result"),
    "a client that is none": (third(tables.results, client=99), BOARD, "players and clients that are none"),
    "a player that is none": (third(tables.plays, player=99_999), BOARD, "players and clients that are none"),
    "a play that is missing": (_forget_a_play, BOARD, "plays"),
    "a play too many": (_play_twice, BOARD, "plays"),
    "vulnerability": (boards(vulnerability="both"), RESULT, "score"),
}


async def test_what_a_server_did_is_right(verify):
    found = await verify()
    assert (found.exit_code, found.stderr) == (0, "")
    assert found.stdout == "60 results of 5 boards computed again, 0 differences\n"


@pytest.mark.parametrize("what", DAMAGE)
async def test_each_kind_of_damage_is_found(server, verify, what):
    damage, where, named = DAMAGE[what]
    if what == "vulnerability":  # whatever was played, something scores otherwise now
        where = "r_000001"
    await server.database.write(damage if callable(damage) else lambda connection: connection.execute(damage))
    found = await verify()
    assert found.exit_code == 1, found
    lines = [
        line for line in found.stdout.splitlines() if line.startswith(where) and f": {named} is " in line
    ]
    assert lines, found.stdout
    stored, computed = lines[0].split(f": {named} is ")[1].split(", computed ")
    assert stored != computed


async def test_messages_that_nobody_numbers_are_found(server, verify):
    board = await factories.board(server.api)
    await factories.results(server.api, board, 1)
    found = await verify()
    assert found.exit_code == 1
    assert found.stdout.splitlines()[1].startswith("bulletins: unnumbered for more than a minute")


async def test_a_database_that_is_not_there_is_refused(tmp_path):
    nowhere = f"sqlite:///{tmp_path}/no/such/folder.sqlite3"
    refused = await run_beside("verify", CROSSRUFF_DATABASE_URL=nowhere)
    assert refused.exit_code == 1
    assert refused.stderr.startswith("Error: ")
