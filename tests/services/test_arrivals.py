"""Deciding on reports: purely, for any board, people and order of arrival."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import PASSED_OUT, parse_result
from server.bridge.deal import parse_deal
from server.bridge.pool import Pool, ScoringMethod, Terms
from server.bridge.seats import Seat
from server.services.arrivals import Known, Taken, plan
from server.services.errors import (
    AlreadyPlayed,
    BoardNotFound,
    BoardNotOpen,
    BoardRetired,
    BoardWithdrawn,
    IdempotencyKeyReused,
    InvalidResult,
    MembersOnly,
    TableAlreadyReported,
    UnknownPlayer,
)
from server.services.idempotency import Answered, Once
from server.services.reports import BoardNumber, Report
from server.storage.arrivals import Person
from tests.clock import NOON
from tests.storage.rows import new_board
from tests.strategies import outcomes

ZONE = ZoneInfo("Asia/Shanghai")
WEEKLY = Terms(ScoringMethod.DATUM, 6, 40)
POOLS = {"imps": Pool("imps", WEEKLY), "open": Pool("open", WEEKLY, members_only=False)}
SMALL = Terms(ScoringMethod.DATUM, 3, 5)


def board(number=1, terms=SMALL, **changes):
    """A board of the open week, whose number is that of its row as well."""
    return new_board(number, terms).after(id=number, **changes)


def player(name, number, **changes):
    """A known player."""
    return msgspec.structs.replace(Person(name, number, number, True), **changes)


def known(*boards, players=(), now=NOON, create=True):
    """What the database knows."""
    return Known(
        now=now,
        zone=ZONE,
        pools=POOLS,
        create_players=create,
        boards={each.id: each for each in boards},
        numbers={(str(each.week), each.pool, each.number): each.id for each in boards},
        players={each.id: each for each in players},
        tables=set(),
        late_from={},
        assigned=set(),
        plays={},
        answers={},
    )


def report(table, players="abcd", on=1, text="4SN=", key=None, **more):
    """A report by a table; its key is the name of the table."""
    once = Once(1, key or table, f"{table} {players} {on} {text}")
    return Report(once, on, table, tuple(players), parse_result(text), **more)


def said(accepted):
    """The answer to a result, for the test."""
    return f"{accepted.id} {accepted.score}"


def refused(verdict):
    """The kind of a refusal."""
    return type(verdict)


def one(about, *reports):
    """The verdict on the last of some reports."""
    return plan(reports, about, said)[-1]


def test_the_rules_are_asked_in_their_order():
    later = NOON - timedelta(days=7)
    full = board(retired_at=NOON)
    gone = board(withdrawn_at=NOON, retired_at=NOON)
    before = known(full)
    before.tables.add((1, "T"))
    before.plays[1, "a"] = 4
    away = known(gone, now=later)
    away.tables, away.plays = before.tables, before.plays
    withdrawn = known(gone)
    withdrawn.tables, withdrawn.plays = before.tables, before.plays
    assert refused(one(away, report("T", on=2))) is BoardNotFound
    assert refused(one(away, report("T", "abca"))) is InvalidResult
    assert refused(one(away, report("T"))) is BoardNotOpen
    assert refused(one(withdrawn, report("T"))) is BoardWithdrawn
    assert refused(one(before, report("T"))) is TableAlreadyReported
    verdict = one(before, report("U"))
    assert (refused(verdict), verdict.player, verdict.result) == (AlreadyPlayed, "a", "r_000001000004")
    verdict = one(before, report("U", "efgh"))
    assert (refused(verdict), verdict.retire_at) == (BoardRetired, 5)


def test_a_board_is_found_by_its_number():
    about = known(board(7))
    named = BoardNumber("2026-W48", "imps", 7)
    assert isinstance(one(about, report("T", on=named)), Taken)
    for wrong in (replace(named, week="2026-W47"), replace(named, pool="mp"), replace(named, number=8)):
        assert refused(one(about, report("U", on=wrong))) is BoardNotFound


def test_people_are_persons():
    ann, bob = player("a", 1), player("b", 2, person=1)
    about = known(board(), players=[ann, bob])
    verdict = one(about, report("T", "axby"))
    assert (refused(verdict), verdict.pointer) == (InvalidResult, "/players/S")
    assert isinstance(one(about, report("T", "axyz")), Taken)
    verdict = one(about, report("U", "pqrb"))
    assert (refused(verdict), verdict.player) == (AlreadyPlayed, "b")


def test_guests_play_where_guests_may():
    guest = player("g", 1, member=False)
    verdict = one(known(board(), players=[guest]), report("T", "abcg"))
    assert (refused(verdict), verdict.player) == (MembersOnly, "g")
    assert isinstance(one(known(board(pool="open"), players=[guest]), report("T", "abcg")), Taken)
    assert refused(one(known(board(pool="gone"), players=[guest]), report("T", "abcg"))) is MembersOnly


def test_strangers_come_in_only_where_they_may():
    others = [player(name, number) for number, name in enumerate("abc", start=1)]
    about = known(board(), players=others, create=False)
    assert one(about, report("T", "abcd")).pointer == "/players/W"
    about.players = {each.id: each for each in [*others, player("d", 4)]}
    verdict = one(about, report("T", "abcd", substitutes=((Seat.S, "e"),)))
    assert (refused(verdict), verdict.pointer) == (UnknownPlayer, "/substitutes/S")


def test_a_lead_comes_from_the_hand_of_the_leader():
    deal = parse_deal("N:AK2.QJT9.543.876 QJT9.876.AK2.543 876.543.QJT9.AK2 543.AK2.876.QJT9")
    about = known(board(deal=deal))
    assert one(about, report("T", lead="SA")).pointer == "/lead"  # East leads against North
    assert isinstance(one(about, report("T", lead="SQ")), Taken)


def test_the_same_key_again_is_asked_before_everything_else():
    about = known(board())
    first, again, other = plan(
        [report("T"), report("T"), report("T", on=99, key="T")],
        about,
        said,
    )
    assert again == Answered(201, first.answer.body, replayed=True)
    assert refused(other) is IdempotencyKeyReused
    assert about.boards[1].scores == (420,)


@pytest.mark.parametrize(
    ("terms", "count"), [(SMALL, 5), (WEEKLY, 40), (Terms(ScoringMethod.DATUM, 1, 1), 1)]
)
def test_what_a_full_board_changes(terms, count):
    about = known(board(terms=terms), board(2))
    reports = [report(f"T{i}", (f"n{i}", f"e{i}", f"s{i}", f"w{i}"), text="Pass") for i in range(count + 2)]
    verdicts = plan([*reports, report("other", "wxyz", on=2)], about, said)
    assert [refused(verdict) for verdict in verdicts] == [Taken] * count + [BoardRetired] * 2 + [Taken]
    full, other = about.boards[1], about.boards[2]
    assert full.scores == (0,) * count
    assert (full.last_sequence, full.change, full.retired_at) == (count, count, NOON)
    assert (other.scores, other.retired_at) == ((620,), None)


people = st.lists(st.sampled_from("abcdefghijklmnop"), min_size=4, max_size=4, unique=True).map(tuple)
reported = st.builds(
    lambda table, who, on, outcome: Report(
        Once(1, f"{table} {who} {on} {outcome}", ""), on, table, who, outcome
    ),
    st.sampled_from("TUVWXYZ"),
    people,
    st.sampled_from([1, 2, 3]),
    outcomes | st.just(PASSED_OUT),
)


@given(reports=st.lists(reported, max_size=40), linked=st.sets(st.sampled_from("abcdefgh"), min_size=2))
def test_whatever_comes_in_the_boards_stay_right(reports, linked):
    persons = [player(name, number, person=1) for number, name in enumerate(sorted(linked), start=1)]
    about = known(board(1), board(2), players=persons)
    verdicts = plan(reports, about, said)
    taken = [verdict.accepted for verdict in verdicts if isinstance(verdict, Taken)]
    for number in (1, 2):
        here = [each for each in taken if each.board.id == number]
        assert [each.sequence for each in here] == list(range(1, len(here) + 1))
        assert len(here) <= 5
        assert about.boards[number].scores == tuple(each.score for each in here)
        assert (about.boards[number].retired_at is not None) == (len(here) == 5)
        assert len({each.report.table for each in here}) == len(here)
        seats = [1 if name in linked else name for each in here for name in each.report.players]
        assert max(Counter(seats).values(), default=0) <= 1
        awarded = [sequence for each in here for sequence, _ in each.awards]
        assert awarded == (list(range(1, len(here) + 1)) if len(here) >= 3 else [])
    assert all(
        refused(verdict) is BoardNotFound
        for verdict, each in zip(verdicts, reports, strict=True)
        if each.board == 3
    )


@given(
    results=st.lists(st.booleans(), max_size=4),
    gaps=st.lists(st.integers(0, 3), min_size=4, max_size=4),
    coming=st.integers(1, 6),
)
def test_after_rulings_whoever_has_no_award_is_awarded_once(results, gaps, coming):
    """Live results with gaps between them, some awarded; as many awarded ones as a ruled board may have."""
    live, sequence = {}, 0
    for awarded, gap in zip(results, gaps, strict=False):
        sequence += 1 + gap
        live[sequence] = awarded or len(results) >= SMALL.score_at  # from three on all of them are
    before = dict(live)
    ruled = board(ruled=True, scores=(420,) * len(live), last_sequence=sequence + 1)
    about = known(ruled)
    about.live[1] = live
    reports = [report(f"T{i}", (f"n{i}", f"e{i}", f"s{i}", f"w{i}")) for i in range(coming)]
    taken = [each.accepted for each in plan(reports, about, said) if isinstance(each, Taken)]
    assert len(taken) == min(coming, SMALL.retire_at - len(before))
    there = set(before)
    for index, each in enumerate(taken):
        assert each.sequence == sequence + 2 + index
        there.add(each.sequence)
        given_now = [number for number, _ in each.awards]
        if len(there) < SMALL.score_at:
            assert given_now == []
        elif len(there) == SMALL.score_at:
            assert given_now == [number for number in sorted(there) if not before.get(number, False)]
        else:
            assert given_now == [each.sequence]
        assert {award.results for _, award in each.awards} <= {len(there)}
    scored = len(there) >= SMALL.score_at
    assert about.live[1] == {number: scored or before.get(number, False) for number in sorted(there)}
    assert list(about.live[1]) == sorted(there)
