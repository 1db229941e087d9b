"""Rounds that a director pairs by hand: every fault is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.swiss_by_hand import (
    Fault,
    Objection,
    arisen,
    higher_first,
    may_be_replaced,
    objections,
    too_early,
)
from server.bridge.swiss_draw import PairedRound
from server.bridge.swiss_pairing import Meeting, pair_round

FIELD = ["A", "B", "C", "D", "E", "F"]
ODD = FIELD[:5]


def by_hand(*matches, sit_outs=()):
    return PairedRound(tuple(tuple(match) for match in matches), tuple(sit_outs))


def faults(paired, order, **known):
    return [(objection.fault, "".join(objection.pairs)) for objection in objections(paired, order, **known)]


def test_a_sound_round_has_none():
    assert objections(by_hand("AB", "CD", "EF"), FIELD) == ()
    assert objections(by_hand("AB", "CD", sit_outs="E"), ODD, byes={"A": 1}) == ()


@pytest.mark.parametrize(
    ("paired", "order", "expected"),
    [
        (by_hand("AB", "CD"), FIELD, [(Fault.PAIR_MISSING, "E"), (Fault.PAIR_MISSING, "F")]),
        (by_hand("AB", "CD", "EX"), FIELD, [(Fault.UNKNOWN_PAIR, "X"), (Fault.PAIR_MISSING, "F")]),
        (by_hand("AB", "AC", "EF"), FIELD, [(Fault.PAIR_TWICE, "A"), (Fault.PAIR_MISSING, "D")]),
        (
            by_hand("AB", "CD", "EF", sit_outs="X"),
            FIELD,
            [(Fault.UNKNOWN_PAIR, "X"), (Fault.NEEDLESS_SIT_OUT, "X")],
        ),
        (by_hand("AB", "CC", "DE"), FIELD, [(Fault.AGAINST_ITSELF, "C"), (Fault.PAIR_MISSING, "F")]),
        (
            by_hand("AB", "CC", "CD", "EF"),
            FIELD,
            [(Fault.AGAINST_ITSELF, "C"), (Fault.PAIR_TWICE, "C")],
        ),
        (by_hand("AB", "CD", sit_outs="EF"), FIELD, [(Fault.NEEDLESS_SIT_OUT, "EF")]),
        (by_hand("AB", sit_outs="CDE"), ODD, [(Fault.NEEDLESS_SIT_OUT, "CDE")]),
        (
            by_hand("AB", "CD", "EF", sit_outs="F"),
            FIELD,
            [(Fault.PAIR_TWICE, "F"), (Fault.NEEDLESS_SIT_OUT, "F")],
        ),
        (by_hand(), FIELD[:2], [(Fault.PAIR_MISSING, "A"), (Fault.PAIR_MISSING, "B")]),
    ],
)
def test_every_fault_is_named(paired, order, expected):
    assert faults(paired, order) == expected


def test_rematches_are_named_with_their_rounds_and_do_not_forbid():
    meetings = [Meeting(3, "B", "A"), Meeting(1, "A", "B"), Meeting(1, "C", "D"), Meeting(2, "C", "E")]
    found = objections(by_hand("AB", "DC", "EF"), FIELD, meetings)
    assert found == (
        Objection(Fault.REMATCH, ("A", "B"), (1, 3)),
        Objection(Fault.REMATCH, ("D", "C"), (1,)),
    )
    assert not any(objection.fault.forbids for objection in found)


def test_a_second_sit_out_is_named_while_others_had_fewer():
    paired = by_hand("AB", "CD", sit_outs="E")
    assert faults(paired, ODD, byes={"E": 1}) == [(Fault.SECOND_SIT_OUT, "E")]
    assert faults(paired, ODD, byes=dict.fromkeys(ODD, 1)) == []


def test_everything_is_told_at_once():
    paired = by_hand("AA", "BX", "BC", sit_outs="E")
    assert faults(paired, FIELD, meetings=[Meeting(1, "B", "C")], byes={"E": 1}) == [
        (Fault.UNKNOWN_PAIR, "X"),
        (Fault.AGAINST_ITSELF, "A"),
        (Fault.PAIR_TWICE, "B"),
        (Fault.PAIR_MISSING, "D"),
        (Fault.PAIR_MISSING, "F"),
        (Fault.NEEDLESS_SIT_OUT, "E"),
        (Fault.REMATCH, "BC"),
        (Fault.SECOND_SIT_OUT, "E"),
    ]


def test_what_forbids_is_what_cannot_be_played():
    forbid = {Fault.UNKNOWN_PAIR, Fault.AGAINST_ITSELF, Fault.PAIR_TWICE, Fault.PAIR_MISSING}
    forbid |= {Fault.TOO_EARLY, Fault.NOTHING_TO_PLAY}
    assert {fault for fault in Fault if fault.forbids} == forbid


@given(st.permutations(range(9)), st.integers(1, 9), st.integers(1, 4))
def test_what_the_pairing_makes_has_no_fault_but_forced_rematches(order, pairs, rounds):
    field, meetings, byes = order[:pairs], [], {}
    for number in range(1, rounds + 1):
        paired = pair_round(field, meetings, byes, number)
        found = {objection.fault for objection in objections(paired, field, meetings, byes)}
        assert found == ({Fault.REMATCH} if paired.rematch_cost else set())
        meetings += [Meeting(number, *match) for match in paired.matches]
        byes |= {pair: byes.get(pair, 0) + 1 for pair in paired.sit_outs}


def test_the_higher_ranked_is_named_first():
    assert higher_first([("F", "A"), ("B", "C")], FIELD) == (("A", "F"), ("B", "C"))


@pytest.mark.parametrize(
    ("round_number", "started", "has_result", "may"),
    [
        *((2, 1, False, True), (2, 1, True, True), (2, 2, False, True), (2, 2, True, False)),
        *((2, 3, False, False), (1, 0, False, True), (5, 1, True, True)),
    ],
)
def test_until_when_a_round_can_be_replaced(round_number, started, has_result, may):
    assert may_be_replaced(round_number, started, has_result) == may


@pytest.mark.parametrize(
    ("round_number", "started", "early"), [(1, 0, 0), (2, 0, 1), (2, 2, 0), (3, 2, 0), (4, 2, 1)]
)
def test_only_the_next_round_can_be_paired_ahead(round_number, started, early):
    found = too_early(round_number, started)
    assert [each.fault for each in found] == [Fault.TOO_EARLY] * early
    assert Fault.TOO_EARLY.forbids


def test_what_was_known_and_forced_has_not_arisen_since():
    met = Objection(Fault.REMATCH, ("A", "B"), (1, 2))
    out = Objection(Fault.SECOND_SIT_OUT, ("E",))
    assert arisen([met, out], [met, out]) == ()
    assert arisen([Objection(Fault.REMATCH, ("B", "A"), (1,))], [met]) == ()
    assert arisen([], [met]) == ()


def test_what_was_not_known_has_arisen():
    met = Objection(Fault.REMATCH, ("A", "B"), (1,))
    others = Objection(Fault.REMATCH, ("A", "C"), (1,))
    more = Objection(Fault.REMATCH, ("A", "B"), (1, 2))
    out = Objection(Fault.SECOND_SIT_OUT, ("E",))
    assert arisen([met, out], []) == (met, out)
    assert arisen([met, others, out], [met]) == (others, out)
    assert arisen([more], [met]) == (more,)
