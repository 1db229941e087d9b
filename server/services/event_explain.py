"""Why a result of an event is worth what it is worth: what its round adds to the comparison on its board."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from sqlalchemy import Connection

from server.bridge.masterpoints import masterpoints
from server.bridge.swiss_round import Kind, RoundScore
from server.bridge.swiss_scoring import Scoring
from server.services.event_field import Field, parsed
from server.storage import event_rounds, events


@dataclass(frozen=True, slots=True)
class OfRound:
    """The round of a result, once it is scored."""

    event: int
    number: int
    scoring: Scoring
    by_board: Scoring  # IMPs or per cent of single boards
    boards: int
    tables: int  # where both pairs appeared
    ns: RoundScore
    ew: RoundScore
    artificial: int  # tables with an artificial score on the board

    @property
    def others(self) -> int | None:
        """By how many tables cross-IMPs are divided, whether or not they played the board; None: by none."""
        return None if self.by_board is Scoring.TOTAL_IMP else max(self.tables - 1, 1)

    @property
    def net(self) -> Fraction:
        """Exact IMPs of NS in the round."""
        values = [score.value for score in self.ns.boards.values() if score.value is not None]
        return sum(values, Fraction(0))


@dataclass(frozen=True, slots=True)
class RoundSum:
    """How the boards of a round add up for a pair: in whole numbers, so that nothing is rounded."""

    divisor: int  # by which the parts were multiplied, and their sum is divided
    parts: Mapping[int, int]  # by board; of boards that count

    @property
    def total(self) -> int:
        """The sum of the parts."""
        return sum(self.parts.values())

    @property
    def margin(self) -> Fraction:
        """What the boards add up to: exact IMPs, or per cent."""
        return Fraction(self.total, self.divisor)


def round_sum(score: RoundScore) -> RoundSum | None:
    """What a pair has from the boards of a round; None where none counts."""
    values = {board: each.value for board, each in sorted(score.boards.items()) if each.value is not None}
    if not values:
        return None
    divisor = lcm(*(value.denominator for value in values.values()))
    return RoundSum(divisor, {board: int(value * divisor) for board, value in values.items()})


@dataclass(frozen=True, slots=True)
class Prizes:
    """The master points of an event: what each player of the first, second, … pair is given."""

    pairs: int  # that finished enough boards to be ranked
    places: tuple[int, ...]


def prizes(field: Field) -> Prizes:
    """What the final standings are worth."""
    ranked = sum(each.rank is not None for each in field.placings)
    return Prizes(ranked, masterpoints(ranked))


def round_of(connection: Connection, board: int, table: str) -> OfRound | None:
    """The round that a table's result on a board counts in; None while it is not scored."""
    place = events.of_board(connection, board)
    event = None if place is None else events.get(connection, place[0])
    if place is None or event is None:
        return None
    number = place[1]
    scores = {
        each.entry: parsed(each) for each in event_rounds.scores(connection, event.id) if each.round == number
    }
    matches = event_rounds.matches(connection, event.id, number)
    mine = next((match for match in matches if match.name == table), None)
    if mine is None or mine.ns not in scores or mine.ew not in scores:
        return None
    rules = event.rules.scores
    numbers = event_rounds.board_numbers(connection, event.id, number)
    its_number = next(each for each, row in numbers.items() if row == board)
    awarded = [match for match in matches if match.ns in scores and _artificial(scores[match.ns], its_number)]
    return OfRound(
        event.id,
        number,
        rules.scoring,
        rules.by_board,
        rules.boards,
        sum(scores[match.ns].kind is Kind.PLAYED for match in matches if match.ns in scores),
        scores[mine.ns],
        scores[mine.ew],
        len(awarded),
    )


def _artificial(score: RoundScore, board: int) -> bool:
    found = score.boards.get(board)
    return found is not None and found.artificial is not None
