"""Contracts, outcomes, and the grammar of their text."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import (
    PASSED_OUT,
    Contract,
    Outcome,
    Risk,
    Strain,
    parse_contract,
    parse_result,
)
from server.bridge.errors import BridgeError, Impossible, NotUnderstood
from server.bridge.seats import Seat
from tests.strategies import contracts, outcomes, seats

EVERY_CONTRACT = [
    Contract(level, strain, risk) for level in range(1, 8) for strain in Strain for risk in Risk
]
STRAIN_WORDS = {
    Strain.CLUBS: ("C", "c", "♣", "♧", "♣\ufe0e"),
    Strain.DIAMONDS: ("D", "d", "♦", "♢", "♦\ufe0e"),
    Strain.HEARTS: ("H", "h", "♥", "♡", "♥\ufe0e"),
    Strain.SPADES: ("S", "s", "♠", "♤", "♠\ufe0e"),
    Strain.NOTRUMP: ("N", "n", "NT", "nt", "Nt", "SA", "sa", "Sa"),
}
RISK_WORDS = {
    Risk.UNDOUBLED: ("",),
    Risk.DOUBLED: ("X", "x", "*", "dbl", "DBL", "Dbl"),
    Risk.REDOUBLED: ("XX", "xx", "Xx", "**", "rdbl", "RDBL", "Rdbl"),
}
PASS_WORDS = ("Pass", "PASS", "pass", "P", "p", "Passed out", "PASSED OUT", "AP", "ap", " pass ")


def result_text(outcome):
    over = outcome.tricks - outcome.contract.level - 6
    return "=" if over == 0 else f"{over:+d}"


def spellings(outcome):
    """Every way to write the outcome, without spaces."""
    contract = outcome.contract
    declarer_words = (outcome.declarer.value, outcome.declarer.value.lower())
    for strain, risk, declarer in product(
        STRAIN_WORDS[contract.strain], RISK_WORDS[contract.risk], declarer_words
    ):
        for middle in {risk + declarer, declarer + risk}:
            yield f"{contract.level}{strain}{middle}{result_text(outcome)}"


@st.composite
def spelled(draw):
    """A played outcome and one of its spellings, with spaces between the words."""
    contract, declarer = draw(contracts), draw(seats)
    outcome = Outcome(contract, declarer, draw(st.integers(0, 13)))
    middle = [draw(st.sampled_from(RISK_WORDS[contract.risk])), declarer.value]
    words = [
        str(contract.level),
        draw(st.sampled_from(STRAIN_WORDS[contract.strain])),
        *(reversed(middle) if draw(st.booleans()) else middle),
        result_text(outcome),
    ]
    space = st.sampled_from(("", "", " ", "  "))
    return outcome, draw(space) + "".join(word + draw(space) for word in words)


def test_every_outcome_is_read_as_it_is_written():
    count = 0
    for contract, seat, tricks in product(EVERY_CONTRACT, Seat, range(14)):
        outcome = Outcome(contract, seat, tricks)
        assert parse_result(str(outcome)) == outcome
        count += 1
    assert parse_result(str(PASSED_OUT)) == PASSED_OUT
    # 2,940 scores are 1,470 outcomes of one declarer, vulnerable and not.
    assert count == 4 * 2940 // 2


def test_every_contract_is_read_as_it_is_written():
    assert [parse_contract(str(contract)) for contract in EVERY_CONTRACT] == EVERY_CONTRACT


def test_every_spelling():
    seen = set()
    for contract, seat in product(EVERY_CONTRACT, Seat):
        outcome = Outcome(contract, seat, 8)
        for text in spellings(outcome):
            assert parse_result(text) == outcome, text
            seen.add(text)
    strains = sum(map(len, STRAIN_WORDS.values()))
    assert len(seen) == 7 * strains * 8 * (1 + 2 * 6 + 2 * 7)


@given(spelled())
def test_words_may_stand_apart(case):
    outcome, text = case
    assert parse_result(text) == outcome


@pytest.mark.parametrize("text", PASS_WORDS)
def test_passed_out(text):
    assert parse_result(text) == PASSED_OUT
    assert parse_contract(text) is None


@pytest.mark.parametrize(
    ("text", "strain", "risk", "declarer"),
    [
        ("4SXN-1", Strain.SPADES, Risk.DOUBLED, Seat.N),
        ("4SNx-1", Strain.SPADES, Risk.DOUBLED, Seat.N),
        ("4NS-1", Strain.NOTRUMP, Risk.UNDOUBLED, Seat.S),
        ("4NN-1", Strain.NOTRUMP, Risk.UNDOUBLED, Seat.N),
        ("4SAS-1", Strain.NOTRUMP, Risk.UNDOUBLED, Seat.S),
        ("4SS-1", Strain.SPADES, Risk.UNDOUBLED, Seat.S),
        ("4♠ dbl W -1", Strain.SPADES, Risk.DOUBLED, Seat.W),
        ("4h e ** -1", Strain.HEARTS, Risk.REDOUBLED, Seat.E),
    ],
)
def test_texts_that_look_ambiguous_are_not(text, strain, risk, declarer):
    assert parse_result(text) == Outcome(Contract(4, strain, risk), declarer, 9)


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "a level 1 to 7 or PASS"),
        ("   ", 3, "a level 1 to 7 or PASS"),
        ("0SN=", 0, "a level"),
        ("8SN=", 0, "a level"),
        ("4", 1, "a strain"),
        ("4Z", 1, "a strain"),
        ("44SN=", 1, "a strain"),
        ("4S", 2, "X, XX or declarer"),
        ("4S=", 2, "X, XX or declarer"),
        ("4SX=", 3, "declarer N, E, S or W"),
        ("4SXXXN=", 4, "declarer"),
        ("4SXNX=", 4, "=, + or -"),
        ("4SNN=", 3, "=, + or -"),
        ("4SN", 3, "=, + or -"),
        ("4SN10", 3, "=, + or -"),
        ("4SN+", 3, "=, + or -"),
        ("4SN--1", 3, "=, + or -"),
        ("4SN-100", 3, "=, + or -"),
        ("4SN\u22121", 3, "=, + or -"),
        ("4SN+\u0661", 3, "=, + or -"),
        ("4SN+0", 3, "= for a contract just made"),
        ("4SN-0  ", 3, "= for a contract just made"),
        ("4SN=+1", 4, "the end"),
        ("4SN-1 down", 6, "the end"),
        ("4SN=\n", 4, "the end"),
        ("\t4SN=", 0, "a level"),
        ("\uff14SN=", 0, "a level"),
        ("4\u017fN=", 1, "a strain"),
        ("4S\u017f=", 2, "X, XX or declarer"),
        ("4\u2660\ufe0fN=", 2, "X, XX or declarer"),
        ("Pa\u017fs", 1, "the end"),
        ("passes", 4, "the end"),
        ("PASS N", 5, "the end"),
        ("all pass", 0, "a level 1 to 7 or PASS"),
        ("passed-out", 4, "the end"),
    ],
)
def test_anything_else_is_refused_with_its_position(text, position, expected):
    with pytest.raises(NotUnderstood) as refused:
        parse_result(text)
    assert refused.value.position == position
    assert refused.value.expected.startswith(expected)
    assert f"position {position + 1} expected {expected}" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "position"), [("4SN", 2), ("4S=", 2), ("4SXX X", 5), ("", 0), ("4", 1), ("P P", 2)]
)
def test_a_contract_alone_has_neither_declarer_nor_result(text, position):
    with pytest.raises(NotUnderstood) as refused:
        parse_contract(text)
    assert refused.value.position == position


@pytest.mark.parametrize("text", ["7SN+1", "1CN+7", "1CN-8", "7NTN-14", "4SN+99"])
def test_impossible_numbers_of_tricks(text):
    with pytest.raises(Impossible, match="declarer takes 0 to 13") as refused:
        parse_result(text)
    assert refused.value.member == "result"


# The whole grammar once more, as one pattern.
GRAMMAR = re.compile(
    r" *(?:passed out|pass|ap|p) *"
    r"| *(?P<level>[1-7]) *(?:nt|sa|[cdhsn♣♦♥♠♧♢♡♤])\ufe0e? *"
    r"(?:(?:xx?|\*\*?|r?dbl)? *[nesw]|[nesw] *(?:xx?|\*\*?|r?dbl)) *"
    r"(?:=|(?P<sign>[+-])(?P<tricks>[0-9]{1,2})) *",
    re.IGNORECASE | re.ASCII,
)


def in_grammar(text):
    match = GRAMMAR.fullmatch(text)
    if match is None:
        return False
    if not match["sign"]:
        return True
    over = int(match["sign"] + match["tricks"])
    return over != 0 and 0 <= int(match["level"]) + 6 + over <= 13


@st.composite
def damaged(draw):
    """A good text with up to three of its characters replaced, left out or added."""
    text = draw(spelled())[1]
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(text)))
        new = draw(st.text("1478CcSsNnTAEWxX*=+-0 ♠\ufe0epdblr\u017f\n", max_size=1))
        text = text[:at] + new + text[at + draw(st.integers(0, 1)) :]
    return text


@given(damaged() | st.text("1478SNTAEWxX*=+-019 ♠dblrpaoute", max_size=12) | st.text(max_size=8))
def test_what_is_in_the_grammar_is_read_and_nothing_else(text):
    refused = refusal(text)
    assert (refused is None) == in_grammar(text)
    if isinstance(refused, NotUnderstood):
        assert 0 <= refused.position <= len(text)


def refusal(text):
    try:
        parse_result(text)
    except BridgeError as refused:
        return refused
    return None


@given(outcomes)
def test_what_is_read_is_written_the_same_way_again(outcome):
    text = str(outcome)
    assert str(parse_result(text)) == text


@pytest.mark.parametrize("tricks", [-1, 14, 99])
@given(contracts, seats)
def test_an_outcome_has_none_to_thirteen_tricks(tricks, contract, seat):
    with pytest.raises(Impossible) as refused:
        Outcome(contract, seat, tricks)
    assert refused.value.member == "tricks"


@pytest.mark.parametrize(
    ("contract", "declarer", "tricks", "member"),
    [
        (None, Seat.N, 9, "contract"),
        (None, None, 9, "contract"),
        (Contract(3, Strain.NOTRUMP), None, 9, "declarer"),
        (Contract(3, Strain.NOTRUMP), None, None, "declarer"),
        (Contract(3, Strain.NOTRUMP), Seat.N, None, "tricks"),
    ],
)
def test_a_played_outcome_is_whole(contract, declarer, tricks, member):
    with pytest.raises(Impossible) as refused:
        Outcome(contract, declarer, tricks)
    assert refused.value.member == member


def test_passed_out_is_a_result_of_its_own():
    assert PASSED_OUT.passed_out
    assert not Outcome(Contract(1, Strain.CLUBS), Seat.N, 7).passed_out


@given(contracts)
def test_tricks_needed(contract):
    assert contract.tricks_needed == 6 + contract.level


def test_refusals_pass_through_context_managers():
    # A context manager writes __traceback__ into the exception, so refusals must allow that.
    refusal = NotUnderstood("4", 1, "a strain")
    refusal.__traceback__ = None
    assert isinstance(refusal, BridgeError)
