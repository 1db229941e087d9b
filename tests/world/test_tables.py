"""What a table reports, and who is gone by then."""

from random import Random

from server.bridge.dealing import deal_at_random
from server.bridge.imps import imps
from server.bridge.score import score_ns
from server.bridge.seats import Side, vulnerability_of
from server.world.people import LEAVER, Manner, make_world
from server.world.sittings import BOARDS, sittings
from server.world.tables import BAD, report

WORLD = make_world(1, 120, 12)
BELOW = Random(11).randrange
DEALS = [deal_at_random(BELOW) for _ in range(BOARDS)]


def reports(manner):
    """Seat, board and report of every board that somebody of this manner plays in some weeks."""
    for week in range(14):
        for sitting in sittings(WORLD, week):
            for seat, person in sitting.people.items():
                if person.manner is manner:
                    for number, deal in enumerate(DEALS):
                        made = report(WORLD, week, sitting, number, deal, vulnerability_of(number + 1))
                        yield person, seat, number, made


def test_it_is_the_same_whenever_it_is_asked_for():
    sitting = sittings(WORLD, 2)[5]
    one, other = (report(WORLD, 2, sitting, 3, DEALS[3], vulnerability_of(4)) for _ in range(2))
    assert one == other
    tables = {
        str(report(WORLD, 2, each, 3, DEALS[3], vulnerability_of(4)).played.outcome)
        for each in sittings(WORLD, 2)
    }
    assert len(tables) > 3


def test_who_leaves_has_left_bad_boards_and_no_others():
    left, stayed = [], []
    for person, seat, number, made in reports(Manner.LEAVING):
        assert person.number == LEAVER
        score = score_ns(made.played.outcome, vulnerability_of(number + 1))
        own = score if seat.side is Side.NS else -score
        (left if person.id in made.left else stayed).append((number, seat.side, own))
    assert len(left) > 10
    assert len(stayed) > 3 * len(left)
    for number in range(BOARDS):
        for side in Side:
            gone = [own for board, where, own in left if (board, where) == (number, side)]
            here = [own for board, where, own in stayed if (board, where) == (number, side)]
            if gone and here:
                assert max(gone) < min(here)
                assert imps(max(here) - min(gone)) >= -BAD


def test_bad_lines_break_now_and_then_whatever_the_score():
    seen = [person.id in made.left for person, _, _, made in reports(Manner.DROPPING)]
    assert 0.01 < sum(seen) / len(seen) < 0.08


def test_everybody_else_stays():
    gone = {
        name
        for week in range(3)
        for sitting in sittings(WORLD, week)
        for name in report(WORLD, week, sitting, 0, DEALS[0], vulnerability_of(1)).left
    }
    manners = {person.id: person.manner for person in WORLD.people}
    assert all(manners[name] is not Manner.STEADY for name in gone)
