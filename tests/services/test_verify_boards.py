"""Boards with rulings computed again: clean as the server leaves them, and each kind of damage is found."""

import msgspec
import pytest
from sqlalchemy import delete, update

from server.services import bulletins
from server.services.verify import verify
from server.storage import tables
from tests import factories

RESULTS, REVISIONS, AWARDS = tables.results, tables.revisions, tables.awards


@pytest.fixture
async def server(serve):
    """A server with a board of eight results: the second adjusted twice, the third void; no disconnect."""
    served = await serve()
    board = await factories.board(served.api)
    results = []
    for tricks in range(6, 14):
        results += await factories.results(served.api, board, 1, tricks=tricks)
        if tricks == 8:  # while the board is pending
            assert (
                await factories.rule(served.api, "adjust", results[1]["id"], contract="PASS")
            ).status == 200
    assert (await factories.rule(served.api, "adjust", results[1]["id"], 2, result="1NTS=")).status == 200
    assert (await factories.rule(served.api, "void", results[2]["id"])).status == 200
    seats = factories.four()
    left = {"player": seats["N"], "board": board["id"], "table": "T", "players": seats}
    disconnect = (await served.api.post("disconnects", left)).body["id"]
    gone = await served.api.delete(f"disconnects/{disconnect}", params={"reason": "x"})
    assert gone.status == 200
    await bulletins.number_shared(served.database)
    return served


async def found(server):
    """Where and what differs."""
    pages = [each async for each in verify(server.database, server.clock.now())]
    return [(wrong.where, wrong.what) for page in pages for wrong in page.discrepancies]


def of_revision(number, **values):
    """Changes a revision; they are numbered from 2."""
    return update(REVISIONS).where(REVISIONS.c.number == number).values(**values)


def of_result(sequence, **values):
    """Changes a result."""
    return update(RESULTS).where(RESULTS.c.sequence == sequence).values(**values)


def other_award(connection):
    """The award that a ruling gave, another one."""
    where = REVISIONS.c.number == 3
    after = msgspec.json.decode(connection.execute(REVISIONS.select().where(where)).one().after)
    after["award"]["score"]["ns"] += 100
    connection.execute(of_revision(3, after=msgspec.json.encode(after).decode()))


def revive(connection):
    """The void result, as if nothing had been ruled."""
    connection.execute(of_result(3, live=True))


SECOND, THIRD = "r_000001000002", "r_000001000003"
DAMAGE = {
    "a revision that is missing": (delete(REVISIONS).where(REVISIONS.c.number == 3), "b_000001", "version"),
    "the first of two is missing": (
        delete(REVISIONS).where(REVISIONS.c.number == 2),
        "b_000001",
        "revisions",
    ),
    "another place": (of_revision(2, arrived=1), "b_000001, revision 2", "its place is possible"),
    "a place that was not yet": (of_revision(4, arrived=9), "b_000001, revision 4", "its place is possible"),
    "a place a little later": (of_revision(3, arrived=3), f"{SECOND}, revision 3", "award before"),
    "what was ruled": (
        of_revision(2, after='{"live":true,"contract":"7NT","declarer":"S","tricks":13,"score":1520}'),
        SECOND,
        "what was ruled",
    ),
    "an award in a revision": (other_award, f"{SECOND}, revision 3", "award after"),
    "the award that stands": (
        update(AWARDS).where(AWARDS.c.sequence == 2).values(ns=2400),
        SECOND,
        "award",
    ),
    "the datum of an award": (update(AWARDS).where(AWARDS.c.sequence == 5).values(datum=0), None, "award"),
    "an award of nothing": (update(AWARDS).where(AWARDS.c.sequence == 5).values(sequence=3), THIRD, "award"),
    "a void result that lives": (revive, THIRD, "what was ruled"),
    "a result that nobody ruled void": (of_result(4, live=False), "r_000001000004", "void"),
    "the version of a result": (of_result(2, version=2), SECOND, "version"),
    "the version of the board": (update(tables.boards).values(version=4), "b_000001", "version"),
    "a board that is not marked": (update(tables.boards).values(ruled=False), "b_000001", "ruled"),
    "a disconnect that counts again": (
        update(tables.disconnects).values(live=True),
        "d_000001",
        "what was ruled",
    ),
}


async def test_what_was_ruled_is_right(server):
    assert await found(server) == []


@pytest.mark.parametrize("what", DAMAGE)
async def test_each_kind_of_damage_is_found(server, what):
    damage, where, named = DAMAGE[what]
    await server.database.write(damage if callable(damage) else lambda connection: connection.execute(damage))
    wrong = await found(server)
    assert (where or "r_000001000005", named) in wrong, wrong
