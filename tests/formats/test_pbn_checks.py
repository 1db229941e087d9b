"""What PBN files say against their standard: each is named with its line, and none costs a result."""

import pytest

from tests.formats.pbn_files import game, read, table, warned, whole

DEALT = {"Board": "1", "Dealer": "N", "Vulnerable": "None", "Contract": "6S", "Declarer": "N"}


def auction(*lines: str) -> str:
    return game('[Auction "N"]', *lines, **DEALT)


def play(*lines: str) -> str:
    return game('[Play "E"]', *lines, **DEALT)


@pytest.mark.parametrize(
    "sound",
    [
        auction("1S Pass 4NT Pass", "6S Pass +"),
        auction("+"),
        auction("1S =1= Pass $2 +", "*"),
        play("D3 DA S5 D4", "+"),
        play("+ - - -"),
        # West ruffed and leads: West and North have played to the trick, East is to play.
        play("D3 DA S5 D4", "+ - SQ S9"),
        play("D3 =1= DA S5 D4 $14", "*"),
        game(Board="1", ScoreRubberHistory="NS 0 0 / 100 0 EW 0 0 / 0 40", Vulnerable="NS"),
        game(Board="1", ScoreRubberHistory="NS 0 / 0 EW 0 / 0", Vulnerable="?"),
        game(Board="1", OptimumScore="NS -140"),
        game(Board="1", OptimumScore="?"),
        game('[TotalScoreTable "-Rank;+MP"]', "1 20", "- 20", "3 10", Board="1"),
        game('[OptimumResultTable "Declarer;Result"]', "N 9", "S 8", Board="1"),
    ],
)
def test_sound_games(sound: str) -> None:
    whole(sound)


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["6S Pass + +"], 7),
        (["6S Pass + Pass"], 7),
        (["6S Pass Pass +", "Pass"], 8),
    ],
)
def test_calls_after_the_auction_goes_on(lines: list[str], line: int) -> None:
    [(number, text)] = warned(read(auction(*lines)))

    assert number == line
    assert "after +" in text


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        (["D3 DA S5 D4", "+ + SQ -"], 8),
        # North ruffed and leads: nobody can have played after East, who has not.
        (["D3 DA D5 S4", "+ S3 - S2"], 8),
        (["D3 DA S5 D4", "+ - - -", "D3 D4 D5 D6"], 9),
        (["?? DA S5 D4", "+ + - -"], 8),
    ],
)
def test_cards_after_the_play_goes_on(lines: list[str], line: int) -> None:
    [(number, text)] = warned(read(play(*lines)))

    assert number == line
    assert "after +" in text


@pytest.mark.parametrize("value", ["100", "EW", "NS 10.5", "NS ten", "SN 100"])
def test_an_optimum_score_needs_side_and_score(value: str) -> None:
    [(number, text)] = warned(read(game(Board="1", OptimumScore=value)))

    assert number == 2
    assert "OptimumScore" in text


def test_who_has_won_a_game_of_the_rubber_is_vulnerable() -> None:
    history = "NS 0 0 / 100 0 EW 0 0 / 0 0"

    assert [line for line, _ in warned(read(game(Vulnerable="All", ScoreRubberHistory=history)))] == [2]
    assert [line for line, _ in warned(read(game(ScoreRubberHistory=history, Vulnerable="None")))] == [1]
    assert [line for line, _ in warned(read(game(Board="1", ScoreRubberHistory="NS 0")))] == [2]


@pytest.mark.parametrize(
    ("order", "rows"), [("-", ["2", "1"]), ("+", ["1.5", "2"]), ("-", ["1", "-", "0.9"])]
)
def test_a_table_out_of_order(order: str, rows: list[str]) -> None:
    # Rows in lines 4 and 5.
    lines = [f"4S N 10 420 {figure}" for figure in rows]
    file = read(table(f"Contract;Declarer;Result;Score_NS;{order}Rank", *lines))

    assert [line for line, _ in warned(file)] == [3 + len(rows)]
    assert len(file.boards[0].rows) == len(rows)


def test_tables_that_carry_no_result_are_checked_but_cost_nothing() -> None:
    file = read(game('[ActionTable "Rank;Call"]', "1 4H", "2", "3 [", Board="1", Deal="?"))

    assert [line for line, _ in warned(file)] == [5, 6]
    assert len(file.boards) == 1
