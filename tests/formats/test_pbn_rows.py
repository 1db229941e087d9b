"""Rows of PBN score tables, and results that games carry by themselves."""

from decimal import Decimal

import pytest

from server.bridge.contract import PASSED_OUT
from server.formats.records import Published, Row
from tests.formats.pbn_files import PLAYED, game, played, read, refused, rows_of, table, warned, whole


def only_row(text: str) -> Row:
    [row] = rows_of(whole(text))
    return row


class TestTables:
    def test_a_whole_row(self) -> None:
        columns = r"Rank\3R;PairId_NS;PairId_EW;Contract;Declarer;Lead;Result;Score_NS"
        columns += ";IMP_NS;IMP_EW;Multiplicity;Mood"
        row = only_row(table(columns, "1 7 ??? 4HX S C8 10 590 9.95 -9.95 3 fine"))

        assert (row.line, row.ns, row.ew, row.lead, row.multiplicity) == (4, "7", "???", "C8", 3)
        assert (str(row.outcome), row.score, row.artificial) == ("4HXS=", 590, None)
        assert row.published == (Published("imps", Decimal("9.95"), Decimal("-9.95")),)

    def test_columns_in_any_order_and_case(self) -> None:
        row = only_row(table("SCORE_EW;result;Declarer;contract", "-420 10 N 4S"))

        assert (str(row.outcome), row.score) == ("4SN=", 420)

    def test_a_score_without_contract(self) -> None:
        row = only_row(table("Percentage_NS;Percentage_EW;Score_NS", "62.5 37.5 -100"))

        assert (row.outcome, row.score) == (None, -100)

    def test_a_score_column_without_side_is_declarers(self) -> None:
        assert only_row(table("Contract;Declarer;Result;Score", "4S E 9 -50")).score == 50
        assert only_row(table("Contract;Declarer;Result;Score", "Pass - - 0")).score == 0

    def test_passed_out_is_a_result(self) -> None:
        row = only_row(table("Contract;Declarer;Result;Score_NS", "Pass - - 0"))

        assert (row.outcome, row.score) == (PASSED_OUT, 0)

    @pytest.mark.parametrize(
        ("cells", "artificial", "ns", "ew"),
        [("^60 ^40 -", "^60 ^40", 60, 40), ("^50 - -", "^50", 50, None), ("- ^40 -", "^40", None, 40)],
    )
    def test_artificial_rows(self, cells: str, artificial: str, ns: int | None, ew: int | None) -> None:
        row = only_row(table("Percentage_NS;Percentage_EW;Score_NS", cells))

        assert (row.artificial, row.outcome, row.score) == (artificial, None, None)
        assert row.published == (
            Published("percent", None if ns is None else Decimal(ns), None if ew is None else Decimal(ew)),
        )

    def test_an_irregular_declarer_is_not_artificial(self) -> None:
        assert only_row(table("Contract;Declarer;Result", "4S ^N ^10")).artificial is None

    @pytest.mark.parametrize("bye", ["1 Bye - - - -", '1 "Bye" "" "" "" ""', "BYE 2 - - - -"])
    def test_a_sit_out_is_no_row(self, bye: str) -> None:
        file = whole(table("PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS", bye, "3 4 4S N 10 420"))

        assert [row.ns for row in rows_of(file)] == ["3"]

    def test_a_row_without_anything_is_left_out_with_a_warning(self) -> None:
        file = read(table("PairId_NS;PairId_EW;Contract;Declarer;Result;Score_NS", "1 2 - - - -"))

        assert [line for line, _ in warned(file)] == [4]
        assert rows_of(file) == []

    @pytest.mark.parametrize(
        "wrong",
        [
            "9S N 10 420 1",
            "4S N 14 420 1",
            "4S Q 10 420 1",
            "4S N 10 four 1",
            "4S N 10 7700 1",
            "4S N 10 420 0",
            "4S N 10 420 1001",
        ],
    )
    def test_a_wrong_row_costs_nothing_else(self, wrong: str) -> None:
        columns = "Contract;Declarer;Result;Score_NS;Multiplicity"
        file = read(table(columns, "4S N 9 -50 1", wrong, "4S N 10 420 2"), played(Board="2"))

        assert [line for line, _ in refused(file)] == [5]
        assert [len(board.rows) for board in file.boards] == [2, 1]

    def test_two_scores_that_contradict_each_other(self) -> None:
        assert [line for line, _ in refused(read(table("Score_NS;Score_EW", "100 -100", "100 100")))] == [5]

    def test_a_wrong_lead_or_figure_costs_only_itself(self) -> None:
        file = read(table("Contract;Declarer;Result;Lead;IMP_NS", "4S N 10 Z9 1.5", "4S N 10 HK x"))

        assert [line for line, _ in warned(file)] == [4, 5]
        assert [(str(row.outcome), row.lead) for row in rows_of(file)] == [("4SN=", None), ("4SN=", "HK")]
        assert [len(row.published) for row in rows_of(file)] == [1, 0]

    def test_a_score_that_is_no_contract_score_is_warned_about(self) -> None:
        file = read(table("Score_NS", "-145"))

        assert [line for line, _ in warned(file)] == [4]
        assert rows_of(file)[0].score == -145

    def test_a_table_without_results_is_refused(self) -> None:
        assert [line for line, _ in refused(read(table("PairId_NS;Mood", "1 2")))] == [3]
        assert whole(table("PairId_NS;Mood")).boards[0].rows == ()


class TestGames:
    @pytest.mark.parametrize(
        ("tags", "score"),
        [
            ({"Declarer": "E", "Result": "9", "Score": "-50"}, 50),
            ({"Score": "NS 420"}, 420),
            ({"Score": "EW -420"}, 420),
            ({}, None),
            ({"Contract": "Pass", "Declarer": "", "Result": "", "Score": "0"}, 0),
        ],
    )
    def test_scores(self, tags: dict[str, str], score: int | None) -> None:
        assert only_row(played(**tags)).score == score

    def test_figures_pairs_and_players(self) -> None:
        names = {"North": "Ann", "East": "?", "South": "Bob", "West": ""}
        row = only_row(played(PairNS="7", PairEW="?", ScoreIMP="EW -3.5", ScorePercentage="60", **names))

        assert (row.ns, row.ew, row.players) == ("7", None, ("Ann", "", "Bob", ""))
        assert row.published == (
            Published("imps", None, Decimal("-3.5")),
            Published("percent", Decimal(60), None),
        )

    def test_an_artificial_score(self) -> None:
        row = only_row(game(Board="1", ScoreMP="NS ^60 EW ^40"))

        assert (row.artificial, row.outcome) == ("NS ^60 EW ^40", None)

    @pytest.mark.parametrize("unknown", ["Contract", "Declarer", "Result"])
    @pytest.mark.parametrize("value", ["", "?"])
    def test_no_result_is_invented(self, unknown: str, value: str) -> None:
        assert rows_of(whole(played(**{unknown: value}))) == []

    @pytest.mark.parametrize(
        "wrong", [{"Result": "14"}, {"Contract": "8S"}, {"Declarer": "Q"}, {"Score": "many"}]
    )
    def test_a_wrong_result_is_refused_and_the_deal_kept(self, wrong: dict[str, str]) -> None:
        file = read(played(**wrong), played(Board="2"))

        assert [line for line, _ in refused(file)] == [3]
        assert [len(board.rows) for board in file.boards] == [0, 1]

    def test_a_table_stands_for_the_game(self) -> None:
        text = game(
            '[ScoreTable "Contract;Declarer;Result"]',
            "4S N 9",
            "4S N 10",
            **PLAYED,
        )

        assert [str(row.outcome) for row in rows_of(whole(text))] == ["4SN-1", "4SN="]


def test_totals() -> None:
    file = whole(
        game(
            r'[TotalScoreTable "Rank\3R;PairId\5R;Names\45;NrBoards\3R;MP\7R;Percentage\6R"]',
            '1 581 "Ann Fox  ;Bob Hill  " 20 1449.8 72.49',
            "- 12 Eve/Dan 20 1449.8 -",
            Board="1",
        )
    )

    first, second = file.totals
    assert (first.pair, first.direction, first.place, first.names) == (
        "581",
        "",
        "1",
        ("Ann Fox", "Bob Hill"),
    )
    assert (str(first.total), str(first.percent), second.percent) == ("1449.8", "72.49", None)
    assert second.names == ("Eve", "Dan")
