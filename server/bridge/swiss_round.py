"""The scores of a round: of those who played, sat out, waited in vain, came late or not at all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from server.bridge.adjustments import Average, Entry, NotPlayed
from server.bridge.seats import Side
from server.bridge.swiss_field import Encounter, Presence
from server.bridge.swiss_scoring import (
    SIT_OUT_PERCENT,
    SIT_OUT_VPS,
    Scoring,
    ScoringRules,
    award_imps,
    board_scores,
)
from server.bridge.traveller import hundredths
from server.bridge.vp_scale import victory_points

_CUT_OFF = NotPlayed()


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table of a round and what came of it."""

    ns: int  # the pairs, by their numbers
    ew: int
    entries: Mapping[int, Entry] = field(default_factory=dict)  # by board; cut off or never started: none
    ns_presence: Presence = Presence.PRESENT
    ew_presence: Presence = Presence.PRESENT
    skipped: frozenset[int] = frozenset()  # boards that it might not play, through nobody's fault there

    @property
    def both_appeared(self) -> bool:
        """Whether scores are compared with those of this table."""
        return Presence.ABSENT not in (self.ns_presence, self.ew_presence)

    def pair(self, side: Side) -> int:
        """Who sits there."""
        return self.ns if side is Side.NS else self.ew

    def presence(self, side: Side) -> Presence:
        """Whether they came."""
        return self.ns_presence if side is Side.NS else self.ew_presence


class Kind(StrEnum):
    """How a pair came by its score of a round."""

    PLAYED = "played"
    SIT_OUT = "sit_out"
    OPPONENTS_ABSENT = "opponents_absent"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class BoardScore:
    """What a pair has from one board."""

    value: Fraction | None  # exact IMPs or, by matchpoints, per cent; None: the board does not count
    played: bool  # there is a result or a ruling, and the board counts as finished
    artificial: Average | None = None  # awarded, not compared

    @property
    def compared(self) -> bool:
        """Whether the pair has a result of the board, from play or assigned."""
        return self.played and self.artificial is None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a pair has from a round."""

    pair: int
    kind: Kind
    score: int  # hundredths of a VP, of an IMP or, by matchpoints, of a per cent (the mean of the round)
    finished: int  # boards that count as finished
    boards: Mapping[int, BoardScore] = field(default_factory=dict)  # none where a whole round was awarded

    def worth(self, scoring: Scoring) -> int | None:
        """What the pair has from the round, in hundredths; None: no board of it counts in a mean of per cent.

        By IMPs and victory points a board that is not played is average, so that there is always something.
        """
        if scoring is not Scoring.MATCHPOINTS or self.score:
            return self.score
        return None if all(each.value is None for each in self.boards.values()) else 0


def encounter(round_number: int, ns: RoundScore, ew: RoundScore) -> Encounter:
    """What became of a match, for the pairing of later rounds.

    The two have met when a board has a result, from play or assigned; one side's is enough, as the other
    may have been awarded a score of its own (Law 12C1).
    """
    met = any(board.compared for side in (ns, ew) for board in side.boards.values())
    absent = frozenset(side.pair for side in (ns, ew) if side.kind is Kind.ABSENT)
    return Encounter(round_number, ns.pair, ew.pair, met, absent)


def round_scores(
    rules: ScoringRules, boards: Sequence[int], tables: Sequence[PlayedTable], sit_outs: Iterable[int] = ()
) -> tuple[RoundScore, ...]:
    """Scores of all pairs of a round over these ``boards``: table by table, NS first, then the sit-outs."""
    playing = [table for table in tables if table.both_appeared]
    award = award_imps(rules, len(playing))
    scored = _scored(rules, boards, playing)
    found = []
    for table in tables:
        for side in Side:
            if table.both_appeared:
                played = {board: scored[board, table.pair(side)] for board in boards}
                found.append(_of_play(rules, table, side, played, award))
            else:
                found.append(_without_play(rules, table.pair(side), _kind(table, side), boards, award))
    return (*found, *(_without_play(rules, pair, Kind.SIT_OUT, boards, award) for pair in sit_outs))


def event_total(rules: ScoringRules, rounds: Iterable[RoundScore], deduction: int = 0) -> int:
    """A pair's total in hundredths: the sum of its rounds, or by matchpoints the mean of its boards.

    Average plus and minus give way to what the pair has on the boards it was compared on, where that is
    better or worse (Law 12C2(c)). ``deduction``: hundredths that a director took off for discipline.
    A pair of which no board counts has 0 per cent before that, and so stands below all who have won anything.
    """
    if rules.scoring is not Scoring.MATCHPOINTS:
        return sum(each.score for each in rounds) - deduction
    scores = [score for each in rounds for score in each.boards.values() if score.value is not None]
    own = _mean([score.value for score in scores if score.compared])
    values = [
        score.value if score.artificial is None else rules.averages.percent(score.artificial, own)
        for score in scores
    ]
    return hundredths(_mean(values) or Fraction(0)) - deduction


def _scored(
    rules: ScoringRules, boards: Sequence[int], playing: Sequence[PlayedTable]
) -> dict[tuple[int, int], BoardScore]:
    """By board and pair, what came of comparing the tables."""
    found = {}
    for board in boards:
        entries = [table.entries.get(board, _CUT_OFF) for table in playing]
        for table, entry, both in zip(
            playing, entries, board_scores(rules, entries, len(playing)), strict=True
        ):
            for side, pair in ((Side.NS, table.ns), (Side.EW, table.ew)):
                value = None if both is None else both.ns if side is Side.NS else both.ew
                part = entry.part(side)
                artificial = part if isinstance(part, Average) else None
                found[board, pair] = BoardScore(value, both is not None, artificial)
    return found


def _of_play(
    rules: ScoringRules, table: PlayedTable, side: Side, scored: Mapping[int, BoardScore], award: Fraction
) -> RoundScore:
    """A table where both appeared. When one came late, boards not played are as if it had stayed away."""
    late, waited = (table.presence(each) is Presence.LATE for each in (side, side.other))
    boards = dict(scored)
    if late or waited:
        share = award / rules.boards
        by_percent = rules.scoring is Scoring.MATCHPOINTS
        lost, won = (Fraction(0), Fraction(SIT_OUT_PERCENT)) if by_percent else (-share, share)
        instead = BoardScore(lost if late else won, played=False)
        boards = {
            board: score if score.played or board in table.skipped else instead
            for board, score in boards.items()
        }
    finished = sum(
        score.played or (waited and not late and board not in table.skipped)
        for board, score in boards.items()
    )
    return RoundScore(table.pair(side), Kind.PLAYED, _in_all(rules, boards), finished, boards)


def _in_all(rules: ScoringRules, boards: Mapping[int, BoardScore]) -> int:
    """The score of a round from those of its boards, in hundredths."""
    values = [score.value for score in boards.values() if score.value is not None]
    if rules.scoring is Scoring.MATCHPOINTS:
        return hundredths(_mean(values) or Fraction(0))
    margin = sum(values, Fraction(0))
    if rules.scoring is Scoring.VP:
        return victory_points(rules.vp_scale, margin, rules.boards).ours
    return hundredths(margin)


def _kind(table: PlayedTable, side: Side) -> Kind:
    """Of a table where somebody never appeared; where nobody did, nobody waited in vain."""
    return Kind.ABSENT if table.presence(side) is Presence.ABSENT else Kind.OPPONENTS_ABSENT


def _without_play(
    rules: ScoringRules, pair: int, kind: Kind, boards: Sequence[int], award: Fraction
) -> RoundScore:
    """A round that is awarded as a whole: a loss to the absent, a bit of a win to those without opponents."""
    absent = kind is Kind.ABSENT
    finished = 0 if absent else len(boards)
    match rules.scoring:
        case Scoring.VP:
            return RoundScore(pair, kind, 0 if absent else 100 * SIT_OUT_VPS, finished)
        case Scoring.MATCHPOINTS:
            percent = Fraction(0 if absent else SIT_OUT_PERCENT)
            each = BoardScore(percent, played=False)
            return RoundScore(pair, kind, hundredths(percent), finished, dict.fromkeys(boards, each))
        case _:
            return RoundScore(pair, kind, hundredths(-award if absent else award), finished)


def _mean(values: Sequence[Fraction | None]) -> Fraction | None:
    found = [value for value in values if value is not None]
    return sum(found, Fraction(0)) / len(found) if found else None
