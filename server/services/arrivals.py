"""Which reported results are taken, and what they change: decided purely, for many at once."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

from server.bridge.pool import Pool
from server.bridge.score import score_ns
from server.bridge.traveller import Arrival, SideScores, Traveller
from server.bridge.week import Week
from server.services.errors import (
    AlreadyPlayed,
    BoardNotFound,
    BoardNotOpen,
    BoardRetired,
    BoardWithdrawn,
    InvalidResult,
    MembersOnly,
    ServiceError,
    TableAlreadyReported,
    UnknownPlayer,
)
from server.services.event_errors import BoardOfEvent
from server.services.idempotency import Answered, replay
from server.services.rated import not_rated
from server.services.reports import BoardNumber, Report
from server.services.weeks import NEVER
from server.storage.arrivals import Person
from server.storage.boards import Board
from server.storage.errors import StorageError
from server.storage.idempotency import Answer
from server.storage.ids import board_id, result_id
from server.storage.results import StandingAward


@dataclass(frozen=True, slots=True)
class Accepted:
    """A result that is taken."""

    report: Report
    board: Board  # with the result in it
    sequence: int
    score: int  # total points for NS
    datum: int | None  # None of an event: its tables are compared when the round is over
    award: SideScores | None  # its own; None while pending or where boards have none
    awards: tuple[tuple[int, StandingAward], ...]  # given now, by sequence
    reason: str | None  # why it is not rated

    @property
    def id(self) -> str:
        """Public id of the result."""
        return result_id(self.board.id, self.sequence)


@dataclass(frozen=True, slots=True)
class Taken:
    """A result that is taken, with the answer that its client gets."""

    accepted: Accepted
    answer: Answered


Verdict = Taken | Answered | ServiceError | StorageError
Render = Callable[[Accepted], str]


@dataclass(slots=True)
class Known:
    """What the database knows about the boards and people of some reports."""

    now: datetime
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    create_players: bool
    boards: dict[int, Board]
    numbers: Mapping[tuple[str, str, int], int]
    players: Mapping[str, Person]
    tables: set[tuple[int, str]]  # board and name of those that have reported
    late_from: Mapping[tuple[Week | None, str | None], datetime]  # by week and pool, of those that are over
    assigned: set[tuple[int, str]]  # board and name of those with an open assignment
    plays: dict[tuple[int, int | str], int]  # board and person to the sequence of his result
    answers: dict[tuple[int, str], Answer]
    # Of boards with rulings alone: results that are not void, by sequence, and whether each has an award.
    live: dict[int, dict[int, bool]] = field(default_factory=dict)
    # Refuses what the round of an event does not take.
    check_sitting: Callable[[Report], None] = lambda _: None

    def persons(self, names: Sequence[str]) -> list[int | str]:
        """Whom these ids stand for; somebody new stands for himself."""
        players = self.players
        return [players[name].person if name in players else name for name in names]


def plan(reports: Sequence[Report], known: Known, render: Render) -> list[Verdict]:
    """A verdict on each report, in order; later ones see what earlier ones changed. Updates ``known``."""
    verdicts: list[Verdict] = []
    for report in reports:
        try:
            verdicts.append(_judge(report, known, render))
        except ServiceError as refusal:
            verdicts.append(refusal)
    return verdicts


def _judge(report: Report, known: Known, render: Render) -> Taken | Answered:
    keys = (report.once.client, report.once.key)
    if keys in known.answers:
        return replay(known.answers[keys], report.once.fingerprint)
    known.check_sitting(report)
    board = _board(report, known)
    if board.week is None and report.sitting is None:
        raise BoardOfEvent
    _check_people(report, board, known)
    _check_open(board, known)
    if (board.id, report.table) in known.tables:
        raise TableAlreadyReported(report.table)
    for player, person in zip(report.people, known.persons(report.people), strict=True):
        if (board.id, person) in known.plays:
            raise AlreadyPlayed(player, result_id(board.id, known.plays[board.id, person]))
    if board.retired_at is not None:
        raise BoardRetired(board.terms.retire_at)
    # Last of all: whether a lead is possible tells of the cards, and nobody may learn them by asking.
    _check_lead(report, board)
    accepted = _accept(report, board, known)
    return Taken(accepted, _remember(accepted, known, render(accepted)))


def _board(report: Report, known: Known) -> Board:
    named = report.board
    if isinstance(named, BoardNumber):
        key = (named.week, named.pool, named.number)
        board = known.boards.get(known.numbers.get(key, -1))
        if board is None:
            raise BoardNotFound(f"board {named.number} of {named.week}, {named.pool}")
        return board
    if isinstance(named, str):
        raise BoardNotFound(named)
    if named not in known.boards:
        raise BoardNotFound(board_id(named))
    return known.boards[named]


def _check_people(report: Report, board: Board, known: Known) -> None:
    """Everybody at the table, those who were replaced too: known, different persons, and allowed to play.

    At a table of an event everybody was allowed to when he entered or sat in: who is no member any more costs
    nobody the boards of the table.
    """
    pool = known.pools.get(board.pool or "")
    persons = known.persons(report.people)
    for i, (pointer, player) in enumerate(zip(report.pointers, report.people, strict=True)):
        if persons[i] in persons[:i]:
            raise InvalidResult(pointer, f"{player!r} or a linked account is at the table twice")
        if player not in known.players and not known.create_players:
            raise UnknownPlayer(pointer, f"no player has the id {player!r}")
        member = player not in known.players or known.players[player].member
        if not member and report.sitting is None and (pool is None or pool.members_only):
            raise MembersOnly(player)


def _check_lead(report: Report, board: Board) -> None:
    if report.lead is None or board.deal is None or report.outcome.declarer is None:
        return
    leader = report.outcome.declarer.next
    hand = board.deal.hand(leader)
    if hand is not None and report.lead not in hand:
        raise InvalidResult("/lead", f"{leader} was not dealt {report.lead} on this board")


def _check_open(board: Board, known: Known) -> None:
    if board.week is not None and known.now < board.week.opens_at(known.zone):
        raise BoardNotOpen(board.week.opens_at(known.zone).isoformat().replace("+00:00", "Z"))
    if board.withdrawn_at is not None:
        raise BoardWithdrawn


def _accept(report: Report, board: Board, known: Known) -> Accepted:
    score = score_ns(report.outcome, board.vulnerability)
    late = known.now >= known.late_from.get((board.week, board.pool), NEVER)
    arrival = board.traveller.add(score)
    sequence = board.last_sequence + 1
    after = board.after(
        scores=arrival.traveller.scores,
        last_sequence=sequence,
        retired_at=known.now if arrival.traveller.retired else None,
        change=board.change + 1,
    )
    # Boards of events have no awards: their rounds are scored as a whole when they are over.
    given = () if board.week is None else _awards(arrival, sequence, known.live.get(board.id))
    own = given[-1][1] if given else None
    return Accepted(
        report=report,
        board=after,
        sequence=sequence,
        score=score,
        datum=_datum(board, arrival.traveller, own),
        award=None if own is None else own.score,
        awards=given,
        # Those that are late count for nothing; while the newest is not, none is.
        reason=not_rated(after, True, len(after.scores), late, known.now, known.zone),
    )


def _awards(
    arrival: Arrival, sequence: int, live: Mapping[int, bool] | None
) -> tuple[tuple[int, StandingAward], ...]:
    """Awards given now, by sequence. Where directors ruled, sequences have gaps and some awards stand."""
    first = sequence - len(arrival.traveller.scores) + 1
    sequences = range(first, sequence + 1) if live is None else (*live, sequence)
    return tuple(
        (sequences[award.index], StandingAward(award.score, award.datum, award.results))
        for award in arrival.awards
        if live is None or not live.get(sequences[award.index], False)
    )


def _datum(board: Board, traveller: Traveller, own: StandingAward | None) -> int | None:
    if own is not None and own.datum is not None:
        return own.datum
    if board.week is None:  # of other tables nobody is told while theirs may still play it
        return None
    found = traveller.datum()
    return None if found is None else found.value


def _remember(accepted: Accepted, known: Known, body: str) -> Answered:
    board, report = accepted.board, accepted.report
    known.boards[board.id] = board
    known.tables.add((board.id, report.table))
    for person in known.persons(report.people):
        known.plays[board.id, person] = accepted.sequence
    if board.id in known.live:
        awarded = dict.fromkeys((sequence for sequence, _ in accepted.awards), True)
        known.live[board.id] |= {accepted.sequence: False} | awarded
    client, key, fingerprint = report.once.client, report.once.key, report.once.fingerprint
    known.answers[client, key] = Answer(client, key, fingerprint, 201, body)
    return Answered(201, body)
