"""Revisions as they are kept, and what a ruling writes beside them."""

from dataclasses import replace

from sqlalchemy import Connection

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.traveller import SideScores
from server.storage import boards, results, rulings
from server.storage.results import StandingAward
from server.storage.rulings import Basis, Revision, RulingKind, Stand
from tests.clock import NOON
from tests.storage import rows
from tests.storage.test_disconnects import alone
from tests.storage.test_refusals import refused

AWARD = StandingAward(SideScores(150, -150), 400, 6)


def revision(board: int, client: int, **changes: object) -> Revision:
    """The first revision of a board: its first result is another one."""
    found = Revision(
        board=board,
        number=2,
        kind=RulingKind.ADJUST,
        sequence=1,
        disconnect=None,
        arrived=3,
        basis=Basis.DAMAGE,
        infraction="a ‘hesitation’",
        damage="the lead",
        reason="Law 16",
        before=rulings.stand(rows_of(parse_result("4SXN-1"), -100), AWARD),
        after=rulings.stand(rows_of(PASSED_OUT, 0), None),
        client=client,
        at=NOON,
    )
    return replace(found, **changes)


def rows_of(outcome, score):
    """A result with this outcome; nothing else of it matters."""
    return results.Result(1, 1, "T", (1, 2, 3, 4), outcome, None, score, True, 1, 1, NOON, None, None)


async def test_revisions_are_read_as_they_were_appended(database):
    def verb(connection: Connection):
        board, client = rows.add_board(connection).id, rows.add_client(connection)
        for sequence in (1, 2):
            rows.add_result(connection, board, sequence)
        left = alone(connection, board)
        kept = [
            revision(board, client),
            revision(board, client, number=3, kind=RulingKind.VOID, sequence=2, basis=None, infraction=None),
        ]
        bare = {"kind": RulingKind.DISCONNECT_VOID, "sequence": None, "disconnect": left.number}
        bare |= {"before": Stand(live=True), "after": Stand(live=False), "basis": None, "damage": None}
        kept.append(revision(board, client, number=4, **bare | {"kind": RulingKind.PARTNER_LIFTED}))
        kept.append(revision(board, client, number=5, **bare))
        for each in reversed(kept):
            rulings.add(connection, each)
        of_it = rulings.of_disconnects(connection, [left.number, 99])
        return kept, rulings.of_board(connection, board), of_it, left.number

    kept, found, of_it, number = await database.write(verb)
    assert found == kept
    assert of_it == {number: {RulingKind.PARTNER_LIFTED: kept[2], RulingKind.DISCONNECT_VOID: kept[3]}}
    assert found[0].before.outcome == parse_result("4SXN-1")
    assert found[0].after.outcome == PASSED_OUT


async def test_a_number_that_is_taken(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        result = rows.add_result(connection, board, 1)
        for _ in "12":
            rulings.add(connection, revision(board, result.client))

    await refused(database, verb, "pk_revisions")


async def test_a_ruling_on_no_result(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        rulings.add(connection, revision(board, rows.add_client(connection), sequence=9))

    await refused(database, verb, "fk_revisions_result")


async def test_what_is_live_and_what_is_awarded(database):
    def verb(connection: Connection):
        one, two, three = (board.id for board in rows.add_boards(connection, 1, 2, 3))
        for sequence in (1, 2, 3):
            made = rows.add_result(connection, one, sequence)
        rows.add_result(connection, two, 1)
        results.add_awards(connection, [(one, 1, AWARD), (one, 3, AWARD), (two, 1, AWARD)])
        rulings.change_result(connection, replace(made, live=False, version=2), None)
        return {one: {1: True, 2: False}, three: {}}, rulings.live(connection, [three, one])

    expected, found = await database.write(verb)
    assert found == expected
    assert list(found) == sorted(found)


async def test_a_changed_result_is_read_with_its_award(database):
    other = StandingAward(SideScores(-1100, 1100), 400, 6)

    def verb(connection: Connection):
        board = rows.add_board(connection).id
        first, second = (rows.add_result(connection, board, sequence) for sequence in (1, 2))
        results.add_awards(connection, [(board, 1, AWARD), (board, 2, AWARD)])
        wanted = replace(first, outcome=parse_result("4SN-1"), score=-50, version=2)
        rulings.change_result(connection, wanted, other)
        return wanted, second, results.of_board(connection, board), results.awards_of(connection, board)

    wanted, second, found, awards = await database.write(verb)
    assert found == [wanted, second]
    assert awards == {1: other, 2: AWARD}


async def test_forgetting_plays_leaves_those_of_others(database):
    def verb(connection: Connection):
        one, two = (board.id for board in rows.add_boards(connection, 1, 2))
        result = rows.add_result(connection, one, 1)
        rows.add_result(connection, two, 1, players=result.players)
        other = rows.add_result(connection, one, 2)
        gone = rulings.forget_plays(connection, result)
        asked = [(board, player) for board in (one, two) for player in (*result.players, *other.players)]
        left = results.plays_of(connection, asked)
        return result, other, gone, {(play.board, play.player) for play in left}, two, one

    result, other, gone, left, two, one = await database.write(verb)
    assert sorted(gone) == sorted(result.players)
    assert left == {(two, player) for player in result.players} | {(one, player) for player in other.players}


async def test_a_ruled_board_is_read_as_it_was_written(database):
    def verb(connection: Connection):
        board = rows.add_board(connection)
        changed = board.after(scores=(420, -50), ruled=True, version=2, change=9, bulletins=3)
        rulings.change_board(connection, changed)
        return changed, boards.get(connection, board.id), boards.lock(connection, [board.id])[board.id]

    changed, read, locked = await database.write(verb)
    assert read == locked == changed
