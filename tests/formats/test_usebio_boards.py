"""Boards, totals and hands of USEBIO files."""

import pytest

from server.bridge.seats import Vulnerability
from server.formats.records import Complaint, Method
from server.formats.usebio import read_usebio
from tests.formats.usebio_files import board, element, event, leaves, line_of, rows_of, traveller


@pytest.mark.parametrize("number", ["", "0", "-1", "A1", "12345", "٣"])
def test_a_board_without_a_number_is_refused_and_the_others_stay(number: str) -> None:
    data = event(board("1", traveller()), board(number, traveller()), board("3", traveller()))

    file = read_usebio(data)

    assert [each.number for each in file.boards] == [1, 3]
    assert [refusal.line for refusal in file.refused] == [line_of(data, f"<BOARD_NUMBER>{number}<")]


def test_sections_are_fields_of_their_own() -> None:
    sections = [
        element("SECTION", board("1", traveller()), SECTION_ID="Blue"),
        element("SECTION", board("1", traveller())),
    ]

    file = read_usebio(event(element("SESSION", *sections, SESSION_ID="1")))

    assert [(each.number, each.section, len(each.rows)) for each in file.boards] == [
        (1, "1/Blue", 1),
        (1, "1/2", 1),
    ]


def test_board_elements_of_one_section_are_one_board() -> None:
    parts = [
        board("1", traveller()),
        board("2"),
        board("1", traveller(NS_PAIR_NUMBER="3", EW_PAIR_NUMBER="4")),
    ]

    file = read_usebio(event(*parts))

    assert [(each.number, len(each.rows)) for each in file.boards] == [(1, 2), (2, 0)]


def test_a_pair_twice_on_a_board_is_suspicious() -> None:
    again = traveller(EW_PAIR_NUMBER="5")
    data = event(board("7", traveller(), again))

    file = read_usebio(data)

    assert len(rows_of(file)) == 2
    [warning] = file.warnings
    assert warning == Complaint(rows_of(file)[1].line, "board 7: pair 1 NS has a result on it already")


# Totals


def pair(**texts: str) -> str:
    return element("PAIR", *leaves(**texts))


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("NS", "NS"),
        ("N", "NS"),
        ("North", "NS"),
        ("EW", "EW"),
        ("E", "EW"),
        ("ew", "EW"),
        ("", ""),
        ("?", ""),
    ],
)
def test_the_direction_of_a_pair(text: str, direction: str) -> None:
    data = event(element("PARTICIPANTS", pair(PAIR_NUMBER="4", DIRECTION=text)), board("1", traveller()))

    assert [total.direction for total in read_usebio(data).totals] == [direction]


def test_a_total_may_lack_everything_but_its_pair() -> None:
    pairs = element("PARTICIPANTS", pair(PAIR_NUMBER="4", PERCENTAGE="-", TOTAL_SCORE=""), pair(PLACE="1"))
    data = event(pairs, board("1", traveller()))

    file = read_usebio(data)

    [total] = file.totals
    assert (total.pair, total.total, total.percent, total.place) == ("4", None, None, "")
    assert [refusal.text for refusal in file.refused] == ["a pair without PAIR_NUMBER"]


def test_places_and_percentages_as_printed() -> None:
    text = {"PAIR_NUMBER": "4", "PERCENTAGE": "51.30%", "PLACE": "5="}
    [total] = read_usebio(event(element("PARTICIPANTS", pair(**text)), board("1", traveller()))).totals

    assert (str(total.percent), total.place) == ("51.30", "5=")


def test_totals_stand_in_their_section() -> None:
    section = element("SECTION", element("PARTICIPANTS", pair(PAIR_NUMBER="4")), SECTION_ID="B")

    [total] = read_usebio(event(section, board("1", traveller()))).totals

    assert total.section == "B"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("SWISS_PAIRS", True), ("SWISS_TEAMS", True), ("TEAMS", True), ("PAIRS", False), ("CROSS_IMP", False)],
)
def test_totals_of_matches_are_victory_points(kind: str, expected: bool) -> None:
    team = element("TEAM", pair(PAIR_NUMBER="4"), TEAM_ID="1")

    [total] = read_usebio(event(element("PARTICIPANTS", team), board("1", traveller()), kind=kind)).totals

    assert total.victory_points is expected


# Hands


def hand(direction: str, spades: str, hearts: str, diamonds: str, clubs: str) -> str:
    texts = {"DIRECTION": direction, "CLUBS": clubs, "DIAMONDS": diamonds, "HEARTS": hearts, "SPADES": spades}
    return element("HAND", *leaves(**texts))


NORTH = hand("North", "AKQ", "AKQ", "AKQ", "AKQJ")
EAST = hand("east", "J 10 9", "J,10,9", "J109", "1098 7")
SOUTH = hand("S", "8765", "876", "876", "654")
REST = "432.5432.5432.32"


def with_hands(*hands: str, rows: bool = True) -> bytes:
    lines = board("5", traveller()) if rows else ""
    return event(lines, after=element("HANDSET", board("5", *hands)))


def test_hands_are_written_in_many_ways() -> None:
    [each] = read_usebio(with_hands(NORTH, EAST, SOUTH)).boards

    assert str(each.deal) == f"N:AKQ.AKQ.AKQ.AKQJ JT9.JT9.JT9.T987 8765.876.876.654 {REST}"


def test_a_hand_that_is_not_given_is_unknown() -> None:
    empty = hand("West", "", "", "", "")
    [each] = read_usebio(with_hands(NORTH, empty)).boards

    assert str(each.deal) == "N:AKQ.AKQ.AKQ.AKQJ - - -"


def test_no_hand_at_all_is_no_deal() -> None:
    file = read_usebio(with_hands(hand("West", "", "", "", "")))

    assert (file.boards[0].deal, file.refused) == (None, ())


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (hand("East", "AKQ", "AKQ", "AKQ", "AKQJ"), "dealt twice"),
        (hand("East", "J", "J", "J", "T"), "13"),
        (hand("East", "J1", "J", "J", "T"), "rank"),
        (hand("Up", "JT9", "JT9", "JT9", "T987"), "Up"),
        (NORTH, "North"),
    ],
)
def test_wrong_hands_are_refused_and_the_results_stay(wrong: str, why: str) -> None:
    file = read_usebio(with_hands(NORTH, wrong))

    assert (file.boards[0].deal, len(rows_of(file))) == (None, 1)
    [refusal] = file.refused
    assert why in refusal.text
    assert refusal.line is not None


def test_hands_without_results_are_hand_records() -> None:
    file = read_usebio(with_hands(NORTH, EAST, SOUTH, rows=False))

    assert [(each.number, each.rows, each.method) for each in file.boards] == [(5, (), Method.NONE)]
    assert file.boards[0].vulnerability is Vulnerability.NS


def test_hands_given_again_are_warned_about_and_the_first_stand() -> None:
    inner = element("HANDSET", board("5", NORTH), board("5", EAST))
    data = event(board("5", traveller()), inner)

    file = read_usebio(data)

    assert str(file.boards[0].deal) == "N:AKQ.AKQ.AKQ.AKQJ - - -"
    assert [warning.text for warning in file.warnings] == [
        "board 5: its hands are given again; the first stand"
    ]


def test_each_section_has_its_own_hands_before_those_of_the_event() -> None:
    own = element("SECTION", board("5", traveller()), element("HANDSET", board("5", NORTH)), SECTION_ID="A")
    other = element("SECTION", board("5", traveller()), SECTION_ID="B")

    file = read_usebio(event(own, other, after=element("HANDSET", board("5", EAST))))

    assert [str(each.deal)[:6] for each in file.boards] == ["N:AKQ.", "N:- JT"]
