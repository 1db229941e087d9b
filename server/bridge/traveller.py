"""The traveller of a board in a pool: pending below six results, scored from six on, retired at forty."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from server.bridge.cross_imps import cross_imps_of
from server.bridge.datum import Datum, datum, datum_value
from server.bridge.errors import BridgeError
from server.bridge.hcp_compensation import hcp_compensation
from server.bridge.imps import imps
from server.bridge.matchpoints import percentages
from server.bridge.pool import ScoringMethod, Terms


class BoardState(StrEnum):
    """What may happen with a board."""

    PENDING = "pending"  # fewer results than it is scored with
    SCORING = "scoring"
    RETIRED = "retired"  # full: never dealt again, further results are refused
    WITHDRAWN = "withdrawn"  # taken out by a director


@dataclass(eq=False)
class TravellerFull(BridgeError):
    """The board has all the results it takes"""

    retire_at: int


@dataclass(frozen=True, slots=True)
class SideScores:
    """A score of each side, in hundredths of an IMP or of a per cent."""

    ns: int
    ew: int


@dataclass(frozen=True, slots=True)
class Award:
    """The duplicate score of one result, fixed once."""

    index: int  # which result of the traveller, from 0
    score: SideScores
    datum: int | None  # that it was measured against, total points for NS; None by other methods
    results: int  # how many results were there then, itself included


def state_of(terms: Terms, results: int, retired: bool) -> BoardState:
    """Pending, scoring or retired, by the number of live results."""
    if retired:
        return BoardState.RETIRED
    return BoardState.SCORING if results >= terms.score_at else BoardState.PENDING


@dataclass(frozen=True, slots=True)
class Traveller:
    """All results of one board, in order of arrival, as total points for NS."""

    terms: Terms
    scores: tuple[int, ...] = ()
    retired: bool = False  # stays so when a result is voided later
    ns_points: int | None = None  # high-card points of NS, where the method needs them

    @property
    def state(self) -> BoardState:
        """Pending, scoring or retired; withdrawing is a director's ruling and not known here."""
        return state_of(self.terms, len(self.scores), self.retired)

    @property
    def scored(self) -> bool:
        """Whether there are enough results to compare with one another."""
        return len(self.scores) >= self.terms.score_at

    def datum(self) -> Datum | None:
        """The datum of all results now present; None while pending or where the method has none."""
        if not self.scored or self.terms.method is ScoringMethod.HCP_COMPENSATION:
            return None
        return datum(self.scores, self.terms.trim)

    def add(self, score: int) -> "Arrival":
        """One more result, of ``score`` total points for NS; raises TravellerFull when the board is full.

        The result that makes ``score_at`` awards itself and all before it, each later one itself alone.
        """
        full = self.terms.retire_at is not None and len(self.scores) >= self.terms.retire_at
        if self.retired or full:
            raise TravellerFull(self.terms.retire_at or len(self.scores))
        scores = (*self.scores, score)
        after = Traveller(self.terms, scores, len(scores) == self.terms.retire_at, self.ns_points)
        if len(scores) < self.terms.score_at:
            return Arrival(after, ())
        first = 0 if len(scores) == self.terms.score_at else len(scores) - 1
        return Arrival(after, after.awards(range(first, len(scores))))

    def awards(self, indexes: Sequence[int]) -> tuple[Award, ...]:
        """Awards of some results against all results now present."""
        found = self._datum_value()
        scores = self._side_scores(indexes, found)
        return tuple(
            Award(index, score, found, len(self.scores)) for index, score in zip(indexes, scores, strict=True)
        )

    def field_scores(self) -> tuple[SideScores, ...] | None:
        """Score of every result against the whole field, whatever their order; None while pending."""
        if not self.scored:
            return None
        return self._side_scores(range(len(self.scores)), self._datum_value())

    def _datum_value(self) -> int | None:
        if self.terms.method is not ScoringMethod.DATUM:
            return None
        return datum_value(self.scores, self.terms.trim)

    def _side_scores(self, indexes: Sequence[int], against: int | None) -> tuple[SideScores, ...]:
        match self.terms.method:
            case ScoringMethod.DATUM:
                return tuple(_imps(100 * imps(self.scores[i] - (against or 0))) for i in indexes)
            case ScoringMethod.CROSS_IMPS:
                return tuple(_imps(hundredths(cross_imps_of(self.scores, i).mean)) for i in indexes)
            case ScoringMethod.MATCHPOINTS:
                shares = percentages(self.scores)
                return tuple(percent(shares[i]) for i in indexes)
            case ScoringMethod.HCP_COMPENSATION:
                points = 20 if self.ns_points is None else self.ns_points
                return tuple(_imps(100 * hcp_compensation(self.scores[i], points)) for i in indexes)


@dataclass(frozen=True, slots=True)
class Arrival:
    """What one more result changed."""

    traveller: Traveller  # with the new result in it
    awards: tuple[Award, ...]  # given now


def hundredths(value: Fraction) -> int:
    """``value`` in hundredths, halves away from zero, so that both sides round alike."""
    size = int(200 * abs(value) + 1) // 2
    return size if value >= 0 else -size


def percent(share: Fraction) -> SideScores:
    """Percentages of both sides in hundredths; they add up to 100 and round alike on either side of 50."""
    ns = 5000 + hundredths(share - 50)
    return SideScores(ns, 10000 - ns)


def _imps(ns: int) -> SideScores:
    return SideScores(ns, -ns)
