"""Totals of pairs, against the sum of the board figures that the same file publishes."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from server.bridge.cross_imps import cross_imps
from server.bridge.matchpoints import neuberg
from server.formats.records import Method, ResultFile, Total
from server.services.verification import Check, Difference, verify
from tests.services.result_files import NONE, board, file, rounded, row


def pairs_file(*totals: tuple[str, str, object, object], short: bool = False) -> ResultFile:
    """Two boards of three tables in matchpoints; ``short``: the third did not play the second board."""
    first = [
        row(i, score, "matchpoints", m, 4 - m) for i, (score, m) in enumerate(((100, 4), (50, 2), (0, 0)), 1)
    ]
    second = [
        row(i, score, "matchpoints", m, 4 - m) for i, (score, m) in enumerate(((0, 0), (50, 2), (90, 4)), 1)
    ]
    if short:
        second = [row(i, score, "matchpoints", m, 2 - m) for i, (score, m) in enumerate(((0, 0), (50, 2)), 1)]
    found = [
        Total(
            90 + i,
            pair,
            direction,
            *(None if figure is None else Decimal(str(figure)) for figure in figures),
        )
        for i, (pair, direction, *figures) in enumerate(totals)
    ]
    boards = (board(1, Method.MATCHPOINTS, *first), board(2, Method.MATCHPOINTS, *second))
    return file(*boards, totals=tuple(found))


def test_sums_and_percentages() -> None:
    found = verify(pairs_file(("1", "NS", 4, "50.00"), ("12", "EW", "4.00", None), ("13", "", None, "50")))

    assert (found.totals, found.differences) == (Check(3, 3), ())


def test_a_wrong_total_is_named() -> None:
    found = verify(pairs_file(("1", "NS", 4, 50), ("2", "NS", 5, 50), ("3", "NS", 4, 55)))

    assert found.totals == Check(3, 1)
    assert found.differences == (
        Difference(None, 91, "total of 2NS", "5", "4"),
        Difference(None, 92, "percentage of 3NS", "55", "50"),
    )


def test_uneven_boards_are_scaled_by_neuberg_and_to_the_most_boards() -> None:
    # On the top of three, 2 of 2 is 3.5 of 4 and 0 of 2 is 0.5 of 4. Pair 13 has a top on its only board.
    assert (neuberg(2, 3, 2), neuberg(0, 3, 2)) == (Fraction(7, 2), Fraction(1, 2))
    short = pairs_file(
        ("1", "NS", "4.50", "56.25"),
        ("2", "NS", "5.50", "68.75"),
        ("11", "EW", "3.50", "43.75"),
        ("13", "EW", "8.00", "100.00"),
        short=True,
    )

    assert verify(short).totals == Check(4, 4)


def test_or_added_up_as_they_are() -> None:
    file_ = pairs_file(("1", "NS", 4, None), ("2", "NS", 4, None), ("11", "EW", 2, None), short=True)

    assert verify(file_).totals == Check(3, 3)


def test_a_pair_that_sat_both_ways() -> None:
    rows = (row(1, 100, "imps", 2, -2), row(2, 50, "imps", -2, 2))
    turned = (replace(row(3, 100, "imps", 2, -2), ns="11", ew="1"), row(4, 50, "imps", -2, 2))
    boards = (board(1, Method.CROSS_IMPS, *rows), board(2, Method.CROSS_IMPS, *turned))
    totals = (Total(9, "1", "", Decimal("0.00"), None), Total(10, "11", "", Decimal("0.00"), None))

    assert verify(file(*boards, totals=totals)).totals == Check(2, 2)


def test_rounded_figures_leave_room_for_their_roundings_only() -> None:
    scores = (420, -50, 0, 170)
    values = [cross.mean for cross in cross_imps(scores)]
    boards = [
        board(
            n,
            Method.CROSS_IMPS_PER_COMPARISON,
            *(row(i, s, "imps", rounded(v, 2)) for i, (s, v) in enumerate(zip(scores, values, strict=True))),
        )
        for n in (1, 2, 3)
    ]

    def check(total: Fraction) -> Check:
        return verify(file(*boards, totals=(Total(99, "0", "NS", rounded(total, 2), None),))).totals

    assert check(3 * values[0]) == Check(1, 1)
    assert check(3 * values[0] + Fraction(3, 100)) == Check(1, 0)


def test_roundings_grow_with_what_neuberg_makes_of_them() -> None:
    # Two results of six, printed to whole numbers: 0.5 of rounding becomes 1.5 on the top of six.
    full = board(1, Method.MATCHPOINTS, *(row(i, 10 * i, "matchpoints", 2 * i - 2) for i in range(1, 7)))
    rows = (row(1, 100, "matchpoints", 3), row(2, 50, "matchpoints", 1), row(3, 0, "matchpoints", 0))
    short = board(2, Method.MATCHPOINTS, *(replace(each, artificial=None) for each in rows))

    def check(total: str) -> Check:
        return verify(file(full, short, totals=(Total(99, "1", "NS", Decimal(total), None),))).totals

    # 3 of three results instead of 4: on the top of six that is 7, and half a point more or less is one.
    assert neuberg(3, 6, 3) == 7
    assert [check(total) for total in ("5.99", "6.00", "8.00", "8.01")] == [
        Check(1, 0),
        Check(1, 1),
        Check(1, 1),
        Check(1, 0),
    ]


def test_what_follows_from_a_wrong_board_figure_is_named() -> None:
    rows = (
        row(1, 100, "matchpoints", 4, 0),
        row(2, 50, "matchpoints", 3, 1),
        row(3, 0, "matchpoints", 0, 4),
    )
    totals = (Total(8, "1", "NS", Decimal(4), None), Total(9, "2", "NS", Decimal(3), None))
    found = verify(file(board(1, Method.MATCHPOINTS, *rows), totals=totals))

    assert found.totals == Check(2, 2)
    assert found.differences == (
        Difference(1, 2, "matchpoints NS", "3", "2"),
        Difference(1, 2, "matchpoints EW", "1", "2"),
        Difference(None, 9, "total of 2NS, with its board figures put right", "3", "2"),
    )


def test_victory_points_are_no_sum() -> None:
    file_ = pairs_file(("1", "NS", 17, None))
    victory = replace(file_, totals=(replace(file_.totals[0], victory_points=True),))

    assert (verify(victory).totals, verify(victory).warnings) == (NONE, ())


def test_totals_of_pairs_in_no_row_are_warned_about() -> None:
    found = verify(pairs_file(("77", "NS", 17, None)))

    assert found.totals == NONE
    [warning] = found.warnings
    assert warning.text.startswith("1 totals")
