"""What becomes of a board at a table, and who is gone by then."""

from dataclasses import replace
from random import Random

from server.bridge.dealing import deal_at_random
from server.bridge.score import score_ns
from server.bridge.seats import Side, vulnerability_of
from server.world.people import Manner, World, make_world
from server.world.sittings import BOARDS, sittings
from server.world.tables import Abandoned, Finished, report

WORLD = make_world(1, 120, 12)
BELOW = Random(11).randrange
DEALS = [deal_at_random(BELOW) for _ in range(BOARDS)]


def test_it_is_the_same_whenever_it_is_asked_for():
    sitting = sittings(WORLD, 2)[5]
    one, other = (report(WORLD, 2, sitting, 3, DEALS[3], vulnerability_of(4)) for _ in range(2))
    assert one == other
    made = [report(WORLD, 2, each, 3, DEALS[3], vulnerability_of(4)) for each in sittings(WORLD, 2)]
    assert len({str(each.played.outcome) for each in made if isinstance(each, Finished)}) > 3


def test_who_leaves_has_left_bad_boards_and_no_others():
    """The same world without that habit tells what the boards would have come to."""
    steady = World(WORLD.seed, tuple(replace(person, manner=Manner.STEADY) for person in WORLD.people))
    left, stayed = [], []
    for week in range(14):
        for sitting, honest in zip(sittings(WORLD, week), sittings(steady, week), strict=True):
            for seat, person in sitting.people.items():
                for number, deal in enumerate(DEALS) if person == WORLD.leaver else ():
                    vulnerability = vulnerability_of(number + 1)
                    made = report(WORLD, week, sitting, number, deal, vulnerability)
                    would = report(steady, week, honest, number, deal, vulnerability)
                    score = score_ns(would.played.outcome, vulnerability)
                    own = (number, seat.side, score if seat.side is Side.NS else -score)
                    if made == Abandoned(person.id):
                        left.append(own)
                    else:
                        assert made.played == would.played
                        stayed.append(own)
    assert len(left) > 10
    assert len(stayed) > 3 * len(left)
    for number in range(BOARDS):
        for side in Side:
            gone = [own for board, where, own in left if (board, where) == (number, side)]
            here = [own for board, where, own in stayed if (board, where) == (number, side)]
            assert not (gone and here) or max(gone) < min(here)


def test_bad_lines_break_now_and_then_whatever_the_score():
    seen = [
        person.id in made.dropped
        for week in range(14)
        for sitting in sittings(WORLD, week)
        for person in sitting.people.values()
        for number, deal in enumerate(DEALS if person.manner is Manner.DROPPING else ())
        if isinstance(made := report(WORLD, week, sitting, number, deal, vulnerability_of(1)), Finished)
    ]
    assert len(seen) > 200
    assert 0.01 < sum(seen) / len(seen) < 0.08


def test_everybody_else_stays():
    gone = {
        name
        for week in range(14)
        for sitting in sittings(WORLD, week)
        for name in _gone(report(WORLD, week, sitting, 0, DEALS[0], vulnerability_of(1)))
    }
    manners = {person.id: person.manner for person in WORLD.people}
    assert {manners[name] for name in gone} == {Manner.LEAVING, Manner.DROPPING}


def _gone(made):
    return (made.leaver,) if isinstance(made, Abandoned) else made.dropped
