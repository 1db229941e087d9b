"""What files publish, computed again: every method, its precision, and the differences that are named."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.contract import Outcome, parse_result
from server.bridge.cross_imps import cross_imps
from server.bridge.datum import COMPSCORE, UNTRIMMED, datum
from server.bridge.imps import imps
from server.bridge.matchpoints import ascherman, matchpoints, neuberg, percentages
from server.bridge.score import score_ns
from server.formats.pbn import read_pbn
from server.formats.records import Method, ResultFile, Row
from server.formats.usebio import read_usebio
from server.services.verification import Check, Difference, verify
from tests.formats.pbn_files import FILES
from tests.services.result_files import NONE, board, file, published_as, rounded, row
from tests.strategies import fields, outcomes, vulnerabilities

SCORES = (420, 420, -50, 170, 450, 140)


def computed(method: Method, scores: tuple[int, ...]) -> tuple[str, list[Fraction]]:
    """Independent of the readings: from the plain functions of the Laws."""
    count = len(scores)
    crosses = cross_imps(scores)
    values = {
        Method.CROSS_IMPS: [Fraction(cross.total) for cross in crosses],
        Method.CROSS_IMPS_PER_SCORE: [Fraction(cross.total) / count for cross in crosses],
        Method.CROSS_IMPS_PER_COMPARISON: [Fraction(cross.total) / (count - 1) for cross in crosses],
        Method.BUTLER: [Fraction(imps(score - datum(scores, COMPSCORE).value)) for score in scores],
        Method.BUTLER_UNTRIMMED: [Fraction(imps(score - datum(scores, UNTRIMMED).value)) for score in scores],
        Method.MATCHPOINTS: [Fraction(points) for points in matchpoints(scores)],
        Method.MATCHPOINTS_HALVES: [Fraction(points, 2) for points in matchpoints(scores)],
        Method.ASCHERMAN: [ascherman(points, count) for points in matchpoints(scores)],
        Method.MP: list(percentages(scores)),
    }[method]
    what = "matchpoints" if method in (Method.MATCHPOINTS, Method.MATCHPOINTS_HALVES) else "imps"
    return "percent" if method in (Method.ASCHERMAN, Method.MP) else what, values


METHODS = (
    Method.CROSS_IMPS,
    Method.CROSS_IMPS_PER_SCORE,
    Method.CROSS_IMPS_PER_COMPARISON,
    Method.BUTLER,
    Method.BUTLER_UNTRIMMED,
    Method.MATCHPOINTS,
    Method.MATCHPOINTS_HALVES,
    Method.ASCHERMAN,
    Method.MP,
)
FOUND = {Method.MP: Method.MATCHPOINTS}  # a percentage of the matchpoints


class TestMethods:
    @pytest.mark.parametrize("method", METHODS)
    def test_a_named_method_reproduces_its_figures(self, method: Method) -> None:
        what, values = computed(method, SCORES)
        found = verify(published_as(method, what, SCORES, values, 2))

        assert found.published == Check(6, 6)
        assert (found.method, found.differences) == (FOUND.get(method, method).value, ())

    @given(st.sampled_from(METHODS), fields(min_size=2, max_size=12).map(tuple))
    def test_a_named_method_reproduces_its_figures_on_any_board(
        self, method: Method, scores: tuple[int, ...]
    ) -> None:
        what, values = computed(method, scores)

        assert verify(published_as(method, what, scores, values, 2)).published == Check(
            len(scores), len(scores)
        )

    @pytest.mark.parametrize("method", METHODS)
    def test_a_method_that_is_not_named_is_found(self, method: Method) -> None:
        what, values = computed(method, SCORES)
        unnamed = Method.IMPS if what == "imps" else Method.MP
        found = verify(published_as(unnamed, what, SCORES, values, 2))

        assert (found.method, found.published) == (FOUND.get(method, method).value, Check(6, 6))

    @pytest.mark.parametrize("method", METHODS)
    def test_one_wrong_figure_is_one_difference(self, method: Method) -> None:
        what, values = computed(method, SCORES)
        right = rounded(values[2], 2)
        values[2] += Fraction(3, 100)
        found = verify(published_as(method, what, SCORES, values, 2))

        assert found.published == Check(6, 5)
        [difference] = found.differences
        assert (difference.board, difference.row, difference.what) == (1, 3, f"{what} NS")
        assert Decimal(difference.published) == rounded(values[2], 2)
        assert abs(Decimal(difference.computed) - right) <= Decimal("0.01")

    def test_a_named_method_is_not_exchanged_for_one_that_fits(self) -> None:
        what, values = computed(Method.CROSS_IMPS, SCORES)
        found = verify(published_as(Method.CROSS_IMPS_PER_COMPARISON, what, SCORES, values, 0))

        assert found.method == "cross_imps_per_comparison"
        assert found.published.equal < found.published.checked

    def test_percentages_in_a_column_of_matchpoints(self) -> None:
        found = verify(published_as(Method.MP, "matchpoints", SCORES, list(percentages(SCORES)), 2))

        assert (found.method, found.published) == ("matchpoints", Check(6, 6))

    def test_both_sides_count(self) -> None:
        rows = (row(1, 100, "matchpoints", 2, 0), row(2, 50, "matchpoints", 0, 1))
        found = verify(file(board(1, Method.MATCHPOINTS, *rows)))

        assert found.published == Check(2, 1)
        assert found.differences == (Difference(1, 2, "matchpoints EW", "1", "2"),)

    def test_multiplicity_counts_in_the_field_and_once_as_a_row(self) -> None:
        values = [cross.mean for cross in cross_imps((100, 100, 100, -50))]
        rows = (
            row(1, 100, "imps", rounded(values[0], 2), multiplicity=3),
            row(2, -50, "imps", rounded(values[3], 2)),
        )
        found = verify(file(board(1, Method.CROSS_IMPS_PER_COMPARISON, *rows)))

        assert found.published == Check(2, 2)

    def test_a_small_section_is_not_scaled_to_a_big_one(self) -> None:
        points = [rounded(neuberg(m, 3, 2), 1) for m in matchpoints((100, 50))]
        small = [row(i, score, "matchpoints", points[i - 1]) for i, score in ((1, 100), (2, 50))]
        big = [row(i, 10 * i, "matchpoints", 2 * i - 6) for i in (3, 4, 5)]
        for section, equal in (("A", 5), ("B", 3)):
            boards = (
                board(1, Method.MATCHPOINTS, *big, section=section),
                board(1, Method.MATCHPOINTS, *small, section="A"),
            )
            assert verify(file(*boards)).published == Check(5, equal)

    def test_each_section_is_a_field_of_its_own(self) -> None:
        rows = (row(1, 100, "matchpoints", 2), row(2, 50, "matchpoints", 0))
        other = (row(3, 500, "matchpoints", 2), row(4, 400, "matchpoints", 0))
        boards = (
            board(1, Method.MATCHPOINTS, *rows, section="A"),
            board(1, Method.MATCHPOINTS, *other, section="B"),
        )

        assert verify(file(*boards)).published == Check(4, 4)


class TestContractScores:
    def outcome_row(self, line: int, result: str, score: int) -> Row:
        return row(line, score, outcome=parse_result(result))

    def test_a_wrong_score_is_named(self) -> None:
        rows = (
            self.outcome_row(1, "3NTS+1", 430),
            self.outcome_row(2, "3NTS+1", 400),
            self.outcome_row(3, "PASS", 0),
        )
        found = verify(file(board(21, Method.NONE, *rows)))

        assert found.contract_scores == Check(3, 2)
        assert found.differences == (Difference(21, 2, "contract score", "400", "430"),)
        assert found.published == NONE

    def test_figures_are_computed_from_the_printed_score(self) -> None:
        rows = (row(1, 400, "imps", 8, outcome=parse_result("3NTS+1")), row(2, 50, "imps", -8))
        found = verify(file(board(1, Method.CROSS_IMPS, *rows)))

        assert (found.contract_scores, found.published) == (Check(1, 0), Check(2, 2))

    def test_a_score_that_is_not_printed_is_computed(self) -> None:
        outcome = parse_result("4SN=")
        rows = (row(1, None, "imps", 9, outcome=outcome), row(2, 0, "imps", -9))
        found = verify(file(board(1, Method.CROSS_IMPS, *rows)))

        assert (found.contract_scores, found.published) == (NONE, Check(2, 2))

    @given(st.data())
    def test_a_right_score_is_never_a_difference(self, data: st.DataObject) -> None:
        outcome: Outcome = data.draw(outcomes)
        vulnerability = data.draw(vulnerabilities)
        right = replace(
            board(1, Method.NONE, row(1, score_ns(outcome, vulnerability), outcome=outcome)),
            vulnerability=vulnerability,
        )

        assert verify(file(right)).differences == ()


class TestArtificialScores:
    def matchpoint_board(self, *adjusted: Row) -> ResultFile:
        """Three results and an artificial score: figures on the top of four, by Neuberg's formula."""
        points = [rounded(neuberg(m, 4, 3), 1) for m in matchpoints((100, 50, 0))]
        rows = [
            row(i, score, "matchpoints", points[i - 1], 6 - points[i - 1])
            for i, score in ((1, 100), (2, 50), (3, 0))
        ]
        return file(board(1, Method.MATCHPOINTS, *rows, *adjusted))

    @pytest.mark.parametrize(
        ("text", "ns", "ew"), [("A6040", "3.6", "2.4"), ("A5050", 3, 3), ("A60/60", "3.6", "3.6")]
    )
    def test_they_are_read_and_not_counted(self, text: str, ns: object, ew: object) -> None:
        found = verify(self.matchpoint_board(row(4, None, "matchpoints", ns, ew, artificial=text)))

        assert (found.published, found.differences) == (Check(3, 3), ())

    def test_a_wrong_one_is_named(self) -> None:
        found = verify(self.matchpoint_board(row(4, None, "matchpoints", 4, 2, artificial="A5050")))

        assert found.published == Check(3, 3)
        assert found.differences == (
            Difference(1, 4, "matchpoints NS (artificial)", "4", "3.0"),
            Difference(1, 4, "matchpoints EW (artificial)", "2", "3.0"),
        )

    def test_what_a_pair_has_on_other_boards_may_stand_instead(self) -> None:
        better = row(4, None, "matchpoints", "4.1", "2.0", artificial="A6040")
        worse = row(4, None, "matchpoints", "3.1", "2.9", artificial="A6040")

        assert verify(self.matchpoint_board(better)).differences == ()
        assert len(verify(self.matchpoint_board(worse)).differences) == 2

    def test_in_imps_only_average_is_laid_down(self) -> None:
        rows = (row(1, 100, "imps", 2), row(2, 50, "imps", -2))
        adjusted = (row(3, None, "imps", 2, artificial="A6040"), row(4, None, "imps", 1, artificial="A5050"))
        found = verify(file(board(1, Method.CROSS_IMPS, *rows, *adjusted)))

        assert [difference.row for difference in found.differences] == [4]


class TestNotCompared:
    def test_a_single_result_is_warned_about(self) -> None:
        found = verify(file(board(16, Method.IMPS, row(5, 100, "imps", 10))))

        assert (found.published, found.differences) == (NONE, ())
        [warning] = found.warnings
        assert (warning.line, "board 16" in warning.text) == (5, True)

    def test_a_figure_without_a_score_is_warned_about(self) -> None:
        rows = (row(1, 100, "percent", 100), row(2, 50, "percent", 0), row(3, None, "percent", 50))
        found = verify(file(board(1, Method.MP, *rows)))

        assert found.published == Check(2, 2)
        assert [warning.line for warning in found.warnings] == [3]

    def test_nothing_published_is_nothing_to_compare(self) -> None:
        found = verify(file())

        assert (found.contract_scores, found.published, found.totals) == (NONE, NONE, NONE)
        assert (found.method, found.differences, found.warnings) == ("none", (), ())


@pytest.mark.parametrize("path", sorted(FILES.glob("pbn_*.pbn")), ids=lambda path: path.stem)
def test_our_pbn_files_publish_what_is_right(path) -> None:  # type: ignore[no-untyped-def]
    found = verify(read_pbn(path.read_bytes()))

    assert found.differences == ()
    assert found.contract_scores.checked > 0


@pytest.mark.parametrize("path", sorted(FILES.glob("usebio_*.xml")), ids=lambda path: path.stem)
def test_our_usebio_files_publish_what_is_right(path) -> None:  # type: ignore[no-untyped-def]
    found = verify(read_usebio(path.read_bytes()))

    assert found.differences == ()
    assert found.published.checked > 0
