"""Swiss pairs and teams: MATCH elements with a BOARD for each table."""

import pytest

from server.formats.records import FileBoard, Method
from server.formats.usebio import read_usebio
from tests.formats.usebio_files import board, element, event, leaves, line_of, rows_of, traveller

NUMBERS = ("NS_PAIR_NUMBER", "EW_PAIR_NUMBER")
FIGURES = ("NS_MATCH_POINTS", "EW_MATCH_POINTS")


def swiss_match(number: int, ns: str, ew: str, *boards: str) -> str:
    texts = {"ROUND_NUMBER": str(number), "NS_PAIR_NUMBER": ns, "EW_PAIR_NUMBER": ew}
    return element("MATCH", *leaves(**texts, NS_SCORE="12.34", EW_SCORE="7.66"), *boards)


def team_match(number: int, team: str, opposing: str, *boards: str) -> str:
    texts = {"ROUND_NUMBER": str(number), "TEAM": team, "OPPOSING_TEAM": opposing, "TEAM_SCORE": "19"}
    return element("MATCH", *leaves(**texts), *boards)


def cross(ns: str, ew: str) -> str:
    return traveller(*NUMBERS, *FIGURES, NS_CROSS_IMP_POINTS=ns, EW_CROSS_IMP_POINTS=ew)


def tables(each: FileBoard) -> list[tuple[str | None, str | None]]:
    return [(row.ns, row.ew) for row in each.rows]


def test_the_tables_of_a_round_share_their_boards() -> None:
    data = event(
        swiss_match(1, "1", "2", board("1", cross("2", "-2")), board("2", cross("0", "0"))),
        swiss_match(1, "3", "4", board("1", cross("-2", "2")), board("2", cross("0", "0"))),
        swiss_match(2, "1", "3", board("3", cross("1.5", "-1.5"))),
        kind="SWISS_PAIRS",
    )

    file = read_usebio(data)

    assert (file.warnings, file.refused) == ((), ())
    assert file.method is Method.CROSS_IMPS_PER_COMPARISON
    assert [(each.number, tables(each)) for each in file.boards] == [
        (1, [("1", "2"), ("3", "4")]),
        (2, [("1", "2"), ("3", "4")]),
        (3, [("1", "3")]),
    ]
    assert {each.section for each in file.boards} == {""}


def test_a_line_may_repeat_or_overrule_the_pairs_of_its_match() -> None:
    own = traveller(NS_PAIR_NUMBER="2", EW_PAIR_NUMBER="1")
    data = event(swiss_match(1, "1", "2", board("1", own)), kind="SWISS_PAIRS")

    assert tables(read_usebio(data).boards[0]) == [("2", "1")]


def test_boards_dealt_anew_each_round_are_different_boards() -> None:
    data = event(
        swiss_match(1, "1", "2", board("1", cross("2", "-2"))),
        swiss_match(1, "3", "4", board("1", cross("-2", "2"))),
        swiss_match(2, "3", "1", board("1", cross("3", "-3"))),
        kind="SWISS_PAIRS",
        after=element("HANDSET", board("1", element("HAND", *leaves(DIRECTION="N", CLUBS="AKQJT98765432")))),
    )

    file = read_usebio(data)

    assert [(each.number, each.section, len(each.rows), each.deal) for each in file.boards] == [
        (1, "1", 2, None),
        (1, "2", 1, None),
    ]
    assert {warning.line for warning in file.warnings} == {line_of(data, "<HANDSET>") + 1}


def test_the_same_board_in_two_rounds_for_different_pairs_is_one_board() -> None:
    data = event(
        swiss_match(1, "1", "2", board("1", cross("2", "-2"))),
        swiss_match(2, "3", "4", board("1", cross("-2", "2"))),
        kind="SWISS_PAIRS",
    )

    assert [tables(each) for each in read_usebio(data).boards] == [[("1", "2"), ("3", "4")]]


def test_matches_inside_session_and_section() -> None:
    match = swiss_match(1, "1", "2", board("1", cross("2", "-2")))
    section = element("SECTION", match, SECTION_ID="A")

    [each] = read_usebio(event(element("SESSION", section, SESSION_ID="1"), kind="SWISS_PAIRS")).boards

    assert (each.section, tables(each)) == ("1/A", [("1", "2")])


@pytest.mark.parametrize("kind", ["SWISS_TEAMS", "TEAMS"])
def test_team_matches_seat_the_teams_by_direction(kind: str) -> None:
    rooms = [
        traveller(*NUMBERS, *FIGURES, DIRECTION="NS"),
        traveller(*NUMBERS, *FIGURES, DIRECTION="EW", SCORE="450", TRICKS="11"),
    ]
    data = event(team_match(1, "11", "2", board("6", *rooms)), kind=kind)

    file = read_usebio(data)

    assert (file.warnings, file.refused) == ((), ())
    assert file.method is Method.NONE
    assert [tables(each) for each in file.boards] == [[("11", "2"), ("2", "11")]]
    assert [row.published for row in rows_of(file)] == [(), ()]


def test_pair_numbers_go_before_team_numbers() -> None:
    data = event(team_match(1, "11", "2", board("6", traveller(DIRECTION="EW"))), kind="TEAMS")

    assert tables(read_usebio(data).boards[0]) == [("1", "2")]


def test_a_team_match_that_does_not_say_who_sat_where() -> None:
    data = event(team_match(1, "11", "2", board("6", traveller(*NUMBERS))), kind="TEAMS")

    assert tables(read_usebio(data).boards[0]) == [(None, None)]


def test_a_wrong_board_in_a_match_loses_only_itself() -> None:
    data = event(
        swiss_match(1, "1", "2", board("x", cross("2", "-2")), board("2", cross("0", "0"))),
        kind="SWISS_PAIRS",
    )

    file = read_usebio(data)

    assert [each.number for each in file.boards] == [2]
    assert [refusal.line for refusal in file.refused] == [line_of(data, "<BOARD_NUMBER>x<")]
