"""What directors ruled on the results of a board, in the order in which they did."""

from dataclasses import dataclass

from server.bridge.contract import Contract, Outcome
from server.services.travellers import Row, TravellerView
from server.storage.rulings import Revision, Stand
from server.web import rendering
from server.web.pages.travellers import Line, line
from server.web.schemas_revisions import RuledResult


@dataclass(frozen=True, slots=True)
class Version:
    """A result as it was at one time."""

    told: RuledResult  # as the API gives it
    contract: Contract | None  # None: passed out
    declarer: str | None
    over: int | None  # tricks above what was bid


@dataclass(frozen=True, slots=True)
class Correction:
    """One ruling."""

    found: Revision
    line: Line  # the result as it is now
    before: Version
    after: Version


def corrections(view: TravellerView, only: int | None = None) -> list[Correction]:
    """Rulings on a revealed board, the oldest first; on the result with the sequence ``only``, if given."""
    rows = [row for row in view.rows if view.open and only in (None, row.result.sequence)]
    made = [_correction(row, each) for row in rows for each in row.revisions]
    return sorted(made, key=lambda each: each.found.number)


def _correction(row: Row, found: Revision) -> Correction:
    told = rendering.revision(found)
    return Correction(
        found, line(row), _version(found.before, told.before), _version(found.after, told.after)
    )


def _version(stand: Stand, told: RuledResult) -> Version:
    outcome: Outcome = stand.outcome
    over = None
    if outcome.contract is not None and outcome.tricks is not None:
        over = outcome.tricks - outcome.contract.tricks_needed
    declarer = None if outcome.declarer is None else outcome.declarer.value
    return Version(told, outcome.contract, declarer, over)
