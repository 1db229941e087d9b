"""The traveller of a board as a table: groups of equal scores, the best for North-South first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from server.bridge.contract import Contract
from server.bridge.pool import ScoringMethod
from server.bridge.seats import Seat
from server.services.travellers import ResultState, Row, TravellerView
from server.storage.players import Player
from server.web import rendering
from server.web.schemas import ResultRow, Traveller

_FIGURES = ("datum_imps", "cross_imps", "matchpoints")
_OWN = {
    ScoringMethod.DATUM: "datum_imps",
    ScoringMethod.CROSS_IMPS: "cross_imps",
    ScoringMethod.MATCHPOINTS: "matchpoints",
}


@dataclass(frozen=True, slots=True)
class Named:
    """A player on a page."""

    id: str | None  # None: hidden, and so without any address of his own
    name: str


@dataclass(frozen=True, slots=True)
class Line:
    """A result as it stands in the table."""

    row: ResultRow  # as the API gives it
    contract: Contract | None  # None: passed out
    over: int | None  # tricks above what was bid
    players: dict[str, Named]  # by seat
    seat: Seat | None  # where the chosen player sat; None: he did not play here


@dataclass(frozen=True, slots=True)
class Group:
    """Results with the same score."""

    score: int
    share: int  # how many there are, in hundredths of the largest group
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All that is shown of the results of a board."""

    datum: int | None
    above: tuple[Group, ...]  # not below the datum, or all of them where there is none
    below: tuple[Group, ...]
    void: tuple[Line, ...]
    figures: tuple[str, ...]  # shown beside the score by the pool's method: the other methods'
    own: Line | None  # of the chosen player


def table(view: TravellerView, shown: Traveller, chosen: str | None = None) -> Table:
    """The table of what the API shows of a board; empty while that is nothing."""
    lines = [
        _line(row, each, chosen) for row, each in zip(view.rows, shown.results, strict=True) if view.open
    ]
    live = [line for line in lines if line.row.state != ResultState.VOID.value]
    groups = _groups(live)
    datum = shown.datum
    return Table(
        datum=datum,
        above=tuple(group for group in groups if datum is None or group.score >= datum),
        below=tuple(group for group in groups if datum is not None and group.score < datum),
        void=tuple(line for line in lines if line.row.state == ResultState.VOID.value),
        figures=tuple(name for name in _FIGURES if name != _OWN.get(view.board.terms.method)),
        own=next((line for line in lines if line.seat is not None), None),
    )


def from_the_best(scores: Sequence[int], dropped: Sequence[bool]) -> list[int]:
    """Positions of results in arrival order, the best first; of equal ones those that are dropped outermost.

    As many are dropped at each end, of equal ones the earliest at the bottom and the latest at the top.
    """
    gone = sorted((i for i in range(len(scores)) if dropped[i]), key=lambda i: (scores[i], i))
    ends = dict.fromkeys(gone[: len(gone) // 2], 1) | dict.fromkeys(gone[len(gone) // 2 :], -1)
    return sorted(range(len(scores)), key=lambda i: (-scores[i], ends.get(i, 0), i))


def line(row: Row) -> Line:
    """One result that may be shown."""
    return _line(row, rendering.result_row(row, True), None)


def named(player: Player) -> Named:
    """A player as pages name him."""
    return Named(None, "") if player.hidden else Named(player.id, player.shown_name)


def _line(row: Row, shown: ResultRow, chosen: str | None) -> Line:
    outcome = row.result.outcome
    over = None
    if outcome.contract is not None and outcome.tricks is not None:
        over = outcome.tricks - outcome.contract.tricks_needed
    players = {seat.value: named(player) for seat, player in zip(Seat, row.players, strict=True)}
    sat = (seat for seat in Seat if chosen is not None and players[seat.value].id == chosen)
    return Line(shown, outcome.contract, over, players, next(sat, None))


def _groups(lines: Iterable[Line]) -> tuple[Group, ...]:
    arrived = sorted(lines, key=lambda line: line.row.sequence)
    dropped = [line.row.dropped is True for line in arrived]
    ordered = [arrived[i] for i in from_the_best([_score(line) for line in arrived], dropped)]
    grouped = [(score, tuple(group)) for score, group in groupby(ordered, key=_score)]
    largest = max((len(group) for _, group in grouped), default=1)
    return tuple(Group(score, 100 * len(group) // largest, group) for score, group in grouped)


def _score(line: Line) -> int:
    return line.row.score if isinstance(line.row.score, int) else 0
