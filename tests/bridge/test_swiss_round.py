"""The scores of a round, by every method: play, sit-outs, absence, lateness, rulings, cut-off boards."""

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server.bridge.adjustments import Artificial, Average, NotPlayed, Played, Split, Weighted
from server.bridge.seats import Side
from server.bridge.swiss_field import Encounter, Presence
from server.bridge.swiss_round import (
    BoardScore,
    Kind,
    PlayedTable,
    RoundScore,
    encounter,
    event_total,
    round_scores,
)
from server.bridge.swiss_scoring import Scoring, ScoringRules
from server.bridge.vp_scale import VpScale, victory_points
from tests.bridge import oracle
from tests.strategies import entries, played

BOARDS = range(9, 13)
FOUR = {scoring: ScoringRules(scoring, boards=4) for scoring in Scoring}
AWARD = Fraction(345, 100)  # 12 victory points over four boards
PRESENT, LATE, ABSENT = Presence


def scores_by(tables, scoring, sit_outs=(), rules=None):
    """By pair."""
    found = round_scores(rules or FOUR[scoring], BOARDS, tables, sit_outs)
    assert len({score.pair for score in found}) == len(found) == 2 * len(tables) + len(sit_outs)
    return {score.pair: score for score in found}


def table(ns, ew, scores=(), ns_presence=PRESENT, ew_presence=PRESENT):
    """A table with these scores on the first boards of the round; None: cut off."""
    played_there = {
        board: Played(score) for board, score in zip(BOARDS, scores, strict=False) if score is not None
    }
    return PlayedTable(ns, ew, played_there, ns_presence, ew_presence)


THREE = [table(1, 2, (420, -100, 0, 50)), table(3, 4, (420, 620, 90)), table(5, 6, (-50, -100))]
# Against the two others: 0 + 10, -12 + 0, -3, 0 over two; 0 + 10, 12 + 12, 3; -10 - 10, 0 - 12.
CROSS = {1: Fraction(10 - 12 - 3, 2), 3: Fraction(10 + 24 + 3, 2), 5: Fraction(-20 - 12, 2)}


def test_cross_imps():
    found = scores_by(THREE, Scoring.CROSS_IMPS)
    for ns, imps in CROSS.items():
        assert found[ns].score == 100 * imps
        assert found[ns + 1].score == -100 * imps
    assert [found[pair].finished for pair in range(1, 7)] == [4, 4, 3, 3, 2, 2]
    assert [score.value for score in found[5].boards.values()] == [-10, -6, None, None]
    assert [score.played for score in found[5].boards.values()] == [True, True, False, False]


def test_total_imps():
    found = scores_by(THREE, Scoring.TOTAL_IMP)
    assert [found[pair].score for pair in (1, 3, 5, 6)] == [-500, 3700, -3200, 3200]


def test_datum():
    found = scores_by(THREE, Scoring.DATUM)
    # The data are 260, 140, 50 and 50 (45 to the nearest ten).
    assert found[1].score == 100 * (4 - 6 - 2 + 0)
    assert found[6].score == 100 * (7 + 6)


def test_matchpoints():
    found = scores_by(THREE, Scoring.MATCHPOINTS)
    # 75, 25, 0 and 50 per cent; the two others have boards that do not count.
    assert found[1].score == 3750
    assert found[3].score == hundred(75 + 100 + 100, 3)
    assert found[5].score == hundred(0 + 25, 2)
    assert found[6].score == hundred(100 + 75, 2)


def hundred(total, boards):
    return int(Fraction(100 * total, boards) + Fraction(1, 2))


@pytest.mark.parametrize("scale", [VpScale.BETHE2003, VpScale.WBF, VpScale.WBF_FORMULA, VpScale.LINEAR])
def test_victory_points_of_the_exact_sum(scale):
    found = scores_by(THREE, Scoring.VP, rules=ScoringRules(Scoring.VP, boards=4, vp_scale=scale))
    for ns, imps in CROSS.items():
        points = victory_points(scale, imps, 4)
        assert (found[ns].score, found[ns + 1].score) == (points.ours, points.theirs)


def test_victory_points_take_all_boards_of_the_round_played_or_not():
    """One board of four: 12 IMPs over four boards are not what they are over one."""
    found = scores_by([table(1, 2, (620,)), table(3, 4, (-100,))], Scoring.VP)
    assert found[1].score == victory_points(VpScale.BETHE2003, 12, 4).ours
    assert found[1].score != victory_points(VpScale.BETHE2003, 12, 1).ours


def test_a_round_total_is_rounded_once_and_away_from_zero():
    """Three tables and a sum of 1/2 hundredths: thirds, sixths and halves are kept until then."""
    tables = [
        table(number, number + 1, (score,))
        for number, score in zip(range(1, 99, 2), [20, *[0] * 48], strict=True)
    ]
    found = scores_by(tables, Scoring.CROSS_IMPS)
    assert (found[1].score, found[2].score) == (100, -100)
    assert (found[3].score, found[4].score) == (-2, 2)  # 1/48 of an IMP is 2.08 hundredths
    eighths = [
        table(number, number + 1, (score,))
        for number, score in zip(range(1, 19, 2), [20, *[0] * 8], strict=True)
    ]
    assert scores_by(eighths, Scoring.CROSS_IMPS)[3].score == -13  # -12.5 hundredths
    assert scores_by(eighths, Scoring.CROSS_IMPS)[4].score == 13


@pytest.mark.parametrize(
    ("scoring", "award", "nothing"),
    [
        (Scoring.VP, 1200, 0),
        (Scoring.MATCHPOINTS, 6000, 0),
        (Scoring.CROSS_IMPS, 345, -345),
        (Scoring.DATUM, 345, -345),
        (Scoring.TOTAL_IMP, 2 * 345, -2 * 345),
    ],
)
def test_rounds_without_play(scoring, award, nothing):
    tables = [*THREE, table(7, 8, ns_presence=ABSENT), table(9, 10, ns_presence=ABSENT, ew_presence=ABSENT)]
    found = scores_by([*tables, table(12, 13, ew_presence=ABSENT, ns_presence=LATE)], scoring, [11])
    assert [
        (found[pair].kind, found[pair].score, found[pair].finished) for pair in (7, 8, 9, 10, 11, 12, 13)
    ] == [
        (Kind.ABSENT, nothing, 0),
        (Kind.OPPONENTS_ABSENT, award, 4),
        (Kind.ABSENT, nothing, 0),
        (Kind.ABSENT, nothing, 0),
        (Kind.SIT_OUT, award, 4),
        (Kind.OPPONENTS_ABSENT, award, 4),
        (Kind.ABSENT, nothing, 0),
    ]
    # Tables where somebody stayed away are none of those that the others are compared with.
    alone = scores_by(THREE, scoring)
    assert [found[pair] for pair in range(1, 7)] == [alone[pair] for pair in range(1, 7)]


@pytest.mark.parametrize("scoring", Scoring)
def test_a_round_where_everybody_stays_away(scoring):
    found = scores_by([table(1, 2, ns_presence=ABSENT)], scoring, [3])
    assert found[2].score == found[3].score
    assert found[1].finished == 0


def late_table(scoring, ns, ew):
    tables = [*THREE[:2], table(5, 6, (-50, -100), ns, ew)]
    return scores_by(tables, scoring)


def test_who_came_late_loses_the_boards_not_played():
    share = AWARD / 4
    found = late_table(Scoring.CROSS_IMPS, LATE, PRESENT)
    assert [score.value for score in found[5].boards.values()] == [-10, -6, -share, -share]
    assert [score.value for score in found[6].boards.values()] == [10, 6, share, share]
    assert (found[5].kind, found[5].finished, found[6].finished) == (Kind.PLAYED, 2, 4)
    assert found[5].score == -1600 - 173  # 172.5 hundredths, away from zero
    assert found[6].score == 1600 + 173


def test_lateness_by_the_other_methods():
    found = late_table(Scoring.MATCHPOINTS, PRESENT, LATE)
    assert (found[5].score, found[6].score) == (hundred(0 + 25 + 60 + 60, 4), hundred(100 + 75, 4))
    found = late_table(Scoring.TOTAL_IMP, LATE, PRESENT)
    assert found[5].score == -3200 - 2 * 345 // 2
    found = late_table(Scoring.VP, LATE, PRESENT)
    points = victory_points(VpScale.BETHE2003, -16 - AWARD / 2, 4)
    assert (found[5].score, found[6].score) == (points.ours, points.theirs)


def test_when_both_came_late_nobody_wins_by_it():
    found = late_table(Scoring.CROSS_IMPS, LATE, LATE)
    assert [found[pair].boards[12].value for pair in (5, 6)] == [-AWARD / 4] * 2
    assert [found[pair].finished for pair in (5, 6)] == [2, 2]


def test_who_came_late_and_played_everything_has_lost_nothing():
    whole = [table(1, 2, (420, -100, 0, 50)), table(3, 4, (420, 620, 90, 50))]
    late = [whole[0], table(3, 4, (420, 620, 90, 50), LATE, PRESENT)]
    for scoring in Scoring:
        assert scores_by(late, scoring) == scores_by(whole, scoring)


def test_rulings():
    ruled = PlayedTable(
        5, 6, {9: Artificial(Average.PLUS, Average.MINUS), 10: Split(Played(0), Average.PLUS)}
    )
    found = scores_by([*THREE[:2], ruled], Scoring.CROSS_IMPS)
    assert found[5].boards[9] == BoardScore(Fraction(5, 2), True, Average.PLUS)
    assert found[6].boards[9].value == -Fraction(5, 2)
    assert found[6].boards[10] == BoardScore(Fraction(5, 2), True, Average.PLUS)
    assert found[5].boards[10].value == Fraction(oracle.imps(100) + oracle.imps(-620), 2)
    assert found[5].finished == 2
    assert found[1].boards[9].value == 0  # 420 against 420, and nothing against the artificial score


@pytest.mark.parametrize("scoring", Scoring)
def test_who_comes_late_does_not_lose_what_could_not_be_played_anyway(scoring):
    """The first two boards were seen at other tables; of the others one was played, one was too late."""
    late = PlayedTable(5, 6, {11: Played(0)}, LATE, PRESENT, frozenset({9, 10}))
    found = scores_by([table(1, 2, (0, 0, 0, 0)), table(3, 4, (0, 0, 0, 0)), late], scoring)
    values = [[score.value for score in found[pair].boards.values()] for pair in (5, 6)]
    assert [value[:2] for value in values] == [[None, None]] * 2
    assert values[0][3] < values[1][3]
    assert [found[pair].finished for pair in (5, 6)] == [1, 2]


def test_when_both_sides_are_not_at_fault_each_is_converted_by_itself():
    ruled = PlayedTable(5, 6, {9: Artificial(Average.PLUS, Average.PLUS)})
    found = scores_by([*THREE[:2], ruled], Scoring.VP)
    more = victory_points(VpScale.BETHE2003, Fraction(5, 2), 4).ours
    assert (found[5].score, found[6].score) == (more, more)
    assert more > 1000


@pytest.mark.parametrize(
    ("entry", "met"),
    [
        (Played(0), True),
        (Weighted(((Fraction(1, 2), 620), (Fraction(1, 2), 650))), True),
        (Split(Average.PLUS, Played(50)), True),
        (Split(Played(50), Average.MINUS), True),
        (Split(Average.PLUS, Average.MINUS), False),
        (Artificial(Average.PLUS, Average.PLUS), False),
        (NotPlayed(), False),
    ],
)
def test_pairs_have_met_when_a_board_has_a_result(entry, met):
    """Whoever has it, by whatever method the round is scored, and whoever else plays the board."""
    there = PlayedTable(5, 6, {9: entry, 10: NotPlayed()}, LATE, PRESENT)
    nowhere = PlayedTable(7, 8, {}, ABSENT, PRESENT)
    for scoring in Scoring:
        for others in ([], THREE[:2]):
            found = scores_by([*others, there, nowhere], scoring)
            assert encounter(3, found[5], found[6]) == Encounter(3, 5, 6, played=met)
            assert encounter(3, found[7], found[8]) == Encounter(3, 7, 8, False, frozenset({7}))


def test_a_total_is_the_sum_of_the_rounds_less_what_was_deducted():
    rounds = [
        RoundScore(1, Kind.PLAYED, 1345, 8),
        RoundScore(1, Kind.SIT_OUT, 1200, 8),
        RoundScore(1, Kind.ABSENT, 0, 0),
    ]
    assert event_total(FOUR[Scoring.VP], rounds) == 2545
    assert event_total(FOUR[Scoring.VP], rounds, deduction=300) == 2245
    assert event_total(FOUR[Scoring.CROSS_IMPS], []) == 0


def percent_round(*values, artificial=None, played=True):
    boards = {
        number: BoardScore(value and Fraction(value), played, artificial)
        for number, value in enumerate(values)
    }
    return RoundScore(1, Kind.PLAYED, 0, len(values), boards)


def test_by_matchpoints_a_total_is_the_mean_of_all_boards_counted():
    rules = FOUR[Scoring.MATCHPOINTS]
    rounds = [percent_round(50, 60, None), percent_round(20)]
    assert event_total(rules, rounds) == 4333
    assert event_total(rules, [*rounds, percent_round(60, 60, 60, 60, played=False)]) == hundred(370, 7)
    assert event_total(rules, rounds, deduction=100) == 4233
    assert event_total(rules, []) == event_total(rules, [percent_round(None)]) == 0


@pytest.mark.parametrize("scoring", Scoring)
def test_a_round_is_worth_nothing_known_where_by_matchpoints_no_board_counts(scoring):
    """By IMPs what is not played is average; and 0 per cent of a board is a score like any other."""
    by_percent = scoring is Scoring.MATCHPOINTS
    empty, nothing = percent_round(None, None), percent_round(None, 0)
    assert empty.worth(scoring) == (None if by_percent else 0)
    assert nothing.worth(scoring) == 0
    assert RoundScore(1, Kind.PLAYED, 1250, 8).worth(scoring) == 1250
    found = scores_by([THREE[0], THREE[1], PlayedTable(5, 6)], scoring)
    assert found[5].worth(scoring) == (None if by_percent else found[5].score)
    absent = scores_by([THREE[0], PlayedTable(5, 6, {}, ABSENT, PRESENT)], scoring)
    assert absent[5].worth(scoring) == absent[5].score


@pytest.mark.parametrize(
    ("average", "others", "counts_as"),
    [
        (Average.PLUS, (50, 50), 60),
        (Average.PLUS, (70, 80), 75),
        (Average.AVERAGE, (70, 80), 50),
        (Average.MINUS, (50, 50), 40),
        (Average.MINUS, (20, 30), 25),
    ],
)
def test_average_plus_is_never_less_than_what_the_pair_has_on_its_other_boards(average, others, counts_as):
    value = {Average.PLUS: 60, Average.AVERAGE: 50, Average.MINUS: 40}[average]
    rounds = [percent_round(*others), percent_round(value, artificial=average)]
    assert event_total(FOUR[Scoring.MATCHPOINTS], rounds) == hundred(sum(others) + counts_as, 3)
    # Boards that were awarded say nothing of how the pair plays.
    rounds.append(percent_round(0, 0, 0, played=False))
    assert event_total(FOUR[Scoring.MATCHPOINTS], rounds) == hundred(sum(others) + counts_as, 6)


def test_average_plus_alone_is_60():
    only = [percent_round(60, artificial=Average.PLUS)]
    assert event_total(FOUR[Scoring.MATCHPOINTS], only) == 6000


presences = st.sampled_from([PRESENT, PRESENT, PRESENT, LATE, ABSENT])


@st.composite
def rounds(draw, entry=entries):
    """Tables of a round with any entries, rulings, absences."""
    tables = []
    for number in range(draw(st.integers(1, 6))):
        boards = draw(st.dictionaries(st.sampled_from(BOARDS), entry))
        tables.append(PlayedTable(2 * number + 1, 2 * number + 2, boards, draw(presences), draw(presences)))
    return tables


def recomputed(tables, scoring):
    """Exact sums of each pair that played, straight from the rules; by matchpoints (sum, boards counted)."""
    there = [t for t in tables if ABSENT not in (t.ns_presence, t.ew_presence)]
    award = AWARD * (max(len(there) - 1, 0) if scoring is Scoring.TOTAL_IMP else 1)
    found = defaultdict(list)
    for board in BOARDS:
        for side in Side:
            parts = [t.entries.get(board, NotPlayed()).part(side) for t in there]
            real = [i for i, part in enumerate(parts) if part is not None and not isinstance(part, Average)]
            outcomes = [parts[i].outcomes for i in real]
            scored = sum(part is not None for part in parts)
            for i, t in enumerate(there):
                late, waited = (t.ns_presence, t.ew_presence)[:: 1 if side is Side.NS else -1]
                pair = t.ns if side is Side.NS else t.ew
                sign = {Average.PLUS: 1, Average.AVERAGE: 0, Average.MINUS: -1}.get(parts[i])
                if parts[i] is None:
                    if LATE in (late, waited):
                        lost = late is LATE
                        found[pair].append(
                            (0 if lost else 60)
                            if scoring is Scoring.MATCHPOINTS
                            else (-award if lost else award) / 4
                        )
                elif sign is not None:
                    times = len(there) - 1 if scoring is Scoring.TOTAL_IMP else 1
                    found[pair].append(
                        50 + 10 * sign if scoring is Scoring.MATCHPOINTS else sign * Fraction(5, 2) * times
                    )
                elif scoring is Scoring.MATCHPOINTS:
                    points = oracle.against_others(outcomes, real.index(i), oracle.versus)
                    found[pair].append(oracle.neuberg_percent(points, scored, len(real)))
                else:
                    total = oracle.against_others(outcomes, real.index(i), oracle.imps)
                    divisor = 1 if scoring is Scoring.TOTAL_IMP else len(there) - 1
                    found[pair].append(Fraction(total) / divisor if divisor else Fraction(0))
    return found


@settings(max_examples=60)
@given(rounds(), st.sampled_from([Scoring.CROSS_IMPS, Scoring.TOTAL_IMP, Scoring.MATCHPOINTS]))
def test_as_recomputed(tables, scoring):
    found = scores_by(tables, scoring)
    expected = recomputed(tables, scoring)
    for pair, score in found.items():
        if score.kind is not Kind.PLAYED:
            continue
        values = expected[pair]
        assert [each.value for each in score.boards.values() if each.value is not None] == values
        exact = sum(values, Fraction(0))
        if scoring is Scoring.MATCHPOINTS:
            exact = exact / len(values) if values else 0
        assert abs(score.score - 100 * exact) <= Fraction(1, 2)


@given(rounds(entry=played))
def test_plain_results_sum_to_nothing_by_imps_and_to_all_by_matchpoints(tables):
    tables = [t for t in tables if t.both_appeared and LATE not in (t.ns_presence, t.ew_presence)]
    for scoring in (Scoring.CROSS_IMPS, Scoring.TOTAL_IMP, Scoring.DATUM):
        found = scores_by(tables, scoring)
        for t in tables:
            assert found[t.ns].score == -found[t.ew].score
    for t in tables:
        found = scores_by(tables, Scoring.VP)
        assert 1800 <= found[t.ns].score + found[t.ew].score <= 2000
        by_percent = scores_by(tables, Scoring.MATCHPOINTS)
        ours, theirs = by_percent[t.ns], by_percent[t.ew]
        assert all(
            a.value is None is b.value or a.value + b.value == 100
            for a, b in zip(ours.boards.values(), theirs.boards.values(), strict=True)
        )


@given(rounds(), st.sampled_from(Scoring), st.permutations(range(6)))
def test_the_order_of_the_tables_does_not_matter(tables, scoring, order):
    shuffled = [tables[i] for i in order if i < len(tables)]
    assert scores_by(shuffled, scoring) == scores_by(tables, scoring)
