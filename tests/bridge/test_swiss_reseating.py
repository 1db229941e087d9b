"""A round that is paired anew while it is played: nobody is dealt a board twice."""

from hypothesis import given, settings
from hypothesis import strategies as st

from server.bridge.swiss_by_hand import Fault, Objection
from server.bridge.swiss_reseating import Dealt, idle, reseated, tables_anew, torn
from server.bridge.swiss_tables import Seating, Table, seat


def tables(*matches):
    return [Table(number, ns, ew, ew) for number, (ns, ew) in enumerate(matches, 1)]


BEFORE = tables((1, 2), (3, 4), (5, 6))


def test_tables_that_are_torn_apart_after_boards_were_dealt_are_named():
    dealt = dict(zip(BEFORE, [Dealt(2), Dealt(), Dealt(3, 3)], strict=True))
    assert torn(dealt, BEFORE) == ()
    found = [Objection(Fault.BOARDS_DEALT, (1, 2))]
    assert list(torn(dealt, tables((1, 3), (2, 4), (5, 6)))) == found
    assert list(torn(dealt, tables((2, 1), (3, 4), (5, 6)))) == found  # they sit on each other's chairs
    assert list(torn(dealt, tables((3, 4), (1, 2), (5, 6)))) == found  # what they play has another number
    assert torn(dealt, tables((1, 2), (3, 5), (4, 6))) == ()  # nobody was dealt anything there
    assert not Fault.BOARDS_DEALT.forbids


def test_who_meets_as_before_stays_where_he_sits():
    """However the director lists the matches; others take the lowest numbers that are free."""
    lean = {}
    for matches in ([(1, 2), (3, 5), (4, 6)], [(3, 5), (4, 6), (2, 1)]):
        found = tables_anew(BEFORE, matches, Seating.TABLE_RULE, lean)
        assert found == (BEFORE[0], Table(2, 3, 5, 5), Table(3, 6, 4, 6))
    assert tables_anew(BEFORE, [(5, 6), (1, 3)], Seating.TABLE_RULE, lean) == (Table(1, 1, 3, 3), BEFORE[2])
    assert tables_anew([], [(1, 2), (3, 4)], Seating.BALANCED, {1: 1}) == seat(
        [(1, 2), (3, 4)], Seating.BALANCED, {1: 1}
    )


def test_a_table_that_stays_plays_on_and_others_leave_out_what_one_of_them_has_seen():
    dealt = dict(zip(BEFORE, [Dealt(2), Dealt(1), Dealt(4, 3)], strict=True))
    seen = {1: 2, 2: 2, 3: 1, 4: 1, 5: 4, 6: 4}
    assert reseated(dealt, BEFORE, seen) == (Dealt(2), Dealt(1), Dealt(4, 3))
    assert reseated(dealt, tables((1, 3), (2, 4), (5, 6)), seen) == (Dealt(2, 2), Dealt(2, 2), Dealt(4, 3))
    assert reseated(dealt, tables((1, 2), (3, 5)), seen) == (Dealt(2), Dealt(4, 4))


def test_tables_that_have_nothing_left_to_play_are_named():
    """Those that stay are none of them, however far they are."""
    dealt = dict(zip(BEFORE, [Dealt(4), Dealt(1), Dealt(4, 4)], strict=True))
    seen = {1: 4, 2: 4, 3: 1, 4: 1, 5: 4, 6: 4}
    after = tables((1, 3), (2, 4), (5, 6))
    found = [Objection(Fault.NOTHING_TO_PLAY, (1, 3)), Objection(Fault.NOTHING_TO_PLAY, (2, 4))]
    assert list(idle(dealt, after, reseated(dealt, after, seen), 4)) == found
    assert idle(dealt, after, reseated(dealt, after, seen), 5) == ()
    assert idle(dealt, BEFORE, reseated(dealt, BEFORE, seen), 4) == ()
    assert Fault.NOTHING_TO_PLAY.forbids


def test_a_result_under_way_is_not_taken_for_one_of_the_pairs_that_sit_there_now():
    dealt = {BEFORE[0]: Dealt(2)}
    assert reseated(dealt, tables((7, 8)), {1: 2, 2: 2}) == (Dealt(2, 2),)


@settings(max_examples=100)
@given(st.data())
def test_nobody_is_dealt_a_board_that_he_has_seen(data):
    """Boards are dealt and the round is paired anew, again and again."""
    now = dict.fromkeys(seat([(1, 2), (3, 4), (5, 6)]), Dealt())
    seen = {pair: set() for pair in range(1, 8)}
    played = {}  # by pairs that have stayed together: boards that they were dealt
    for _ in range(data.draw(st.integers(1, 6))):
        for table in list(now):
            for _ in range(data.draw(st.integers(0, 2))):
                board = now[table].boards
                assert board not in seen[table.ns] | seen[table.ew]
                for pair in (table.ns, table.ew):
                    seen[pair].add(board)
                played.setdefault((table.number, table.ns, table.ew), []).append(board)
                now[table] = Dealt(board + 1, now[table].skipped)
        order = data.draw(st.permutations(range(1, 8)))
        new = tables_anew(now, list(zip(order[:6:2], order[1:6:2], strict=True)), Seating.TABLE_RULE, {})
        counts = {pair: max(boards, default=-1) + 1 for pair, boards in seen.items()}
        after = reseated(now, new, counts)
        for table, dealt in zip(new, after, strict=True):
            # What it may play it has been dealt here, and nowhere else.
            mine = played.get((table.number, table.ns, table.ew), []) if table in now else []
            assert set(mine) <= set(range(dealt.boards))
            assert dealt.boards - dealt.skipped in (0, now[table].boards - now[table].skipped if mine else 0)
        now = dict(zip(new, after, strict=True))
