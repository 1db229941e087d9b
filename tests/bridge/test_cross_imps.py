"""Cross-IMPs and what they may be divided by."""

from decimal import Decimal, localcontext
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from server.bridge.cross_imps import CrossImps, CrossImpsMode, cross_imps, cross_imps_of
from tests.bridge import golden, oracle
from tests.strategies import fields

EVERY_MODE = tuple(CrossImpsMode)
totals = st.integers(-2000, 2000) | st.fractions(-2000, 2000, max_denominator=100)


def test_sums_of_every_golden_board_of_plain_results():
    boards = [v for v in golden.vectors("board_vectors.json") if all(isinstance(s, int) for s in v["board"])]
    assert len(boards) == 24
    for vector in boards:
        got = [found.total for found in cross_imps(vector["board"])]
        assert got == [int(row["ns"]) for row in vector["cross_imps_sum"]], vector["id"]


@given(fields())
def test_as_recomputed(field):
    expected = [oracle.against_others(oracle.plain(field), i, oracle.imps) for i in range(len(field))]
    assert [found.total for found in cross_imps(field)] == expected
    assert {found.comparisons for found in cross_imps(field)} == {len(field) - 1}


@given(fields())
def test_they_add_up_to_nothing(field):
    assert sum(found.total for found in cross_imps(field)) == 0


@given(fields())
def test_east_west_is_exactly_the_negative(field):
    theirs = cross_imps([-score for score in field])
    assert [found.total for found in theirs] == [-found.total for found in cross_imps(field)]


@given(st.data(), fields())
def test_order_of_arrival_does_not_matter(data, field):
    order = data.draw(st.permutations(range(len(field))))
    ours = cross_imps(field)
    assert cross_imps([field[i] for i in order]) == tuple(ours[i] for i in order)


@given(fields())
def test_one_alone_is_the_same_as_among_all(field):
    assert tuple(cross_imps_of(field, i) for i in range(len(field))) == cross_imps(field)


@given(fields())
def test_sums_are_plain_integers(field):
    assert {type(found.total) for found in cross_imps(field)} == {int}


def test_a_lone_result_scores_nothing_by_any_mode():
    (found,) = cross_imps([620])
    assert [found.score(mode, tables=1) for mode in EVERY_MODE] == [0, 0, 0, 0]
    assert found.mean == 0


def test_modes_of_one_sum():
    # Four results where five tables should have played: 32 IMPs against the three others.
    found = CrossImps(32, 3)
    assert found.score(CrossImpsMode.PER_COMPARISON) == found.mean == Fraction(32, 3)
    assert found.score(CrossImpsMode.SUM) == 32
    assert found.score(CrossImpsMode.PER_TABLE, 5) == 8
    assert found.score(CrossImpsMode.PER_TABLE) == Fraction(32, 3)
    assert found.score(CrossImpsMode.EBU) == Fraction(13_063945, 10**6)


@given(totals, st.integers(1, 80))
def test_the_root_is_right_to_the_last_digit(total, comparisons):
    results = comparisons + 1
    with localcontext() as context:
        context.prec = 60
        exact = Decimal(total.numerator) / Decimal(total.denominator)
        exact /= (Decimal(results) * (results - 1) / 2).sqrt()
        error = abs(Decimal(int(CrossImps(total, comparisons)._per_root() * 10**6)) - exact * 10**6)
    assert error <= Decimal("0.5") + Decimal(10) ** -40


@given(totals, st.integers(0, 80), st.integers(0, 81), st.sampled_from(EVERY_MODE))
def test_every_mode_is_an_odd_function(total, comparisons, tables, mode):
    one, other = CrossImps(total, comparisons), CrossImps(-total, comparisons)
    assert other.score(mode, tables) == -one.score(mode, tables)
