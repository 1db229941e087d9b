"""PBN text to games: comments, tags, inheritance."""

import pytest

from server.formats.complaints import Complaints
from server.formats.pbn_games import Game, read_games


def games(text: str) -> tuple[list[Game], list[int | None]]:
    """Games, and the lines that were warned about."""
    complaints = Complaints()
    found = read_games(text, complaints)
    assert complaints.refused == ()
    return found, [warning.line for warning in complaints.warnings]


def values(text: str, name: str) -> list[str]:
    found, warnings = games(text)
    assert warnings == []
    return [game.value(name) for game in found]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_empty_line_ends_a_game(line_end: str) -> None:
    text = line_end.join(['[Board "1"]', '[Dealer "N"]', "", "  ", '[Board "2"]'])

    found, warnings = games(text)

    assert [(game.line, game.value("Board"), game.value("Dealer")) for game in found] == [
        (1, "1", "N"),
        (5, "2", ""),
    ]
    assert warnings == []


def test_another_board_starts_a_game_without_an_empty_line() -> None:
    assert values('[Event "A"]\n[Board "1"]\n[Event "B"]\n[Board "2"]', "Event") == ["A", "B"]
    assert values('[Board "1"]\n[Event "A"]\n[Board "2"]\n[Event "B"]', "Event") == ["A", "B"]


def test_several_tags_on_a_line() -> None:
    found, _ = games('[Board "1"] [Dealer "N"]{x}[Vulnerable  "All" ] ; the rest')

    assert found[0].tags.keys() == {"Board", "Dealer", "Vulnerable"}


@pytest.mark.parametrize(
    ("value", "meant"),
    [(r"Ann \"Ace\" Fox", 'Ann "Ace" Fox'), ('Ann "Ace" Fox', 'Ann "Ace" Fox'), (r"a\\b", r"a\b")],
)
def test_quotation_marks_inside_a_value(value: str, meant: str) -> None:
    assert values(f'[Board "1"]\n[North "{value}"]', "North") == [meant]


def test_comments_are_no_tags() -> None:
    text = '% [Board "9"]\n[Board "1"]{[Dealer "S"]}\n; [Dealer "W"]\n{\n[Dealer "E"]\n\n}\n[Dealer "N"]'

    assert (values(text, "Board"), values(text, "Dealer")) == (["1"], ["N"])


def test_a_percent_sign_inside_a_line_is_no_comment() -> None:
    assert values(' [Event "100 % fun"]', "Event") == ["100 % fun"]


def test_lines_below_a_section() -> None:
    found, warnings = games('[Auction "N"]\n1S {so\nso} Pass ; hm\n\tPass Pass\n[Play "E"]\nDK\n*')

    assert [text.strip() for _, text in found[0].tags["Auction"].below] == ["1S", "Pass", "Pass Pass"]
    assert [number for number, _ in found[0].tags["Auction"].below] == [2, 3, 4]
    assert [text for _, text in found[0].tags["Play"].below] == ["DK", "*"]
    assert warnings == []


def test_an_unclosed_comment_costs_one_line() -> None:
    found, warnings = games('[Board "1"]\n{ never closed\n[Dealer "N"]\n\n[Board "2"]')

    assert [(game.value("Board"), game.value("Dealer")) for game in found] == [("1", "N"), ("2", "")]
    assert warnings == [2]


def test_a_comment_that_swallows_a_game_is_taken_for_unclosed() -> None:
    found, warnings = games('[Board "1"]\n{ never closed\n\n[Board "2"]\n{ closed }')

    assert [game.value("Board") for game in found] == ["1", "2"]
    assert warnings == [2]


@pytest.mark.parametrize("broken", ["[Dealer N]", '[Dealer "N', "[]", "[", '[Dealer "N"', '["N"]'])
def test_a_broken_tag_costs_one_line(broken: str) -> None:
    found, warnings = games(f'[Board "1"]\n{broken}\n[Vulnerable "All"]')

    assert found[0].tags.keys() == {"Board", "Vulnerable"}
    assert warnings == [2]


def test_a_tag_given_twice_keeps_the_first() -> None:
    found, warnings = games('[Board "1"]\n[Contract "4S"]\n[Contract "5S"]\n[Note "1:x"]\n[Note "2:y"]')

    assert found[0].value("Contract") == "4S"
    assert warnings == [3]


def test_free_text_is_warned_about_once() -> None:
    found, warnings = games('[Board "1"]\n\nThank you\n\nand good-bye\n')

    assert len(found) == 1
    assert warnings == [3]


class TestInheritance:
    def test_two_signs_hold_for_all_games_without_the_tag(self) -> None:
        text = '[Event "##Cup"]\n[Board "1"]\n\n[Board "2"]\n\n[Board "3"]\n[Event "Own"]\n\n[Board "4"]'

        assert values(text, "Event") == ["Cup", "Cup", "Own", "Cup"]

    def test_one_sign_takes_the_game_before(self) -> None:
        text = '[Event "A"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]\n\n[Board "3"]'

        assert values(text, "Event") == ["A", "A", ""]

    def test_two_signs_alone_take_the_game_before_and_hold(self) -> None:
        text = '[West "A"]\n[Board "1"]\n\n[West "##"]\n[Board "2"]\n\n[Board "3"]'

        assert values(text, "West") == ["A", "A", "A"]

    def test_the_columns_of_a_table(self) -> None:
        text = '[Board "1"]\n[ScoreTable "A;B"]\n1 2\n\n[Board "2"]\n[ScoreTable "#"]\n3 4\n\n[Board "3"]'
        found, warnings = games(text)

        assert [game.value("ScoreTable") for game in found] == ["A;B", "A;B", ""]
        assert found[1].tags["ScoreTable"].below == ((7, "3 4"),)
        assert warnings == []

    def test_nothing_to_take_is_warned_about(self) -> None:
        found, warnings = games('[Event "#"]\n[Board "1"]')

        assert found[0].value("Event") == ""
        assert warnings == [1]
