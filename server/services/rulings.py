"""Ruling on results: void, or another one assigned. Nothing is overwritten: each ruling is a revision."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.adjustments import Played
from server.bridge.contract import Outcome
from server.bridge.score import score_ns
from server.bridge.traveller import SideScores
from server.services import event_rulings
from server.services.bulletins import BoardChange, BulletinKind, Wording, announce
from server.services.courses import arrivals, course
from server.services.errors import (
    AdjustmentWithoutDamage,
    AlreadyVoid,
    BoardWithdrawn,
    OwnBoard,
    ResultNotFound,
    StaleVersion,
)
from server.services.event_course import Keeper
from server.services.event_moves import PairMove
from server.services.event_rulings import Consequences, Fields, RoundOfBoard
from server.services.event_scoring import Supposed
from server.services.event_snapshot import telling
from server.services.secrecy import Secrecy
from server.services.travellers import ResultState
from server.storage import assignments, audit, boards, disconnects, players, results, rulings
from server.storage.boards import Board
from server.storage.ids import result_id
from server.storage.players import Player
from server.storage.results import Result, StandingAward
from server.storage.rulings import Basis, Revision, RulingKind


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a director decides about a result."""

    reason: str
    outcome: Outcome | None = None  # the result that is assigned (Law 12C1); None: it is void
    basis: Basis | None = None
    infraction: str | None = None
    damage: str | None = None


@dataclass(frozen=True, slots=True)
class Director:
    """Who rules, when, and by what rules of this installation."""

    client: int
    player: str | None  # who he is when he plays
    now: datetime
    secrecy: Secrecy
    wording: Wording
    keeper: Keeper


@dataclass(frozen=True, slots=True)
class Scored:
    """Where a result stands, and what it has."""

    state: ResultState
    award: SideScores | None
    field: SideScores | None


@dataclass(frozen=True, slots=True)
class Move:
    """A result whose figures a ruling moves."""

    result: Result
    players: tuple[Player, Player, Player, Player]  # N, E, S, W
    before: Scored
    after: Scored


@dataclass(frozen=True, slots=True)
class Ruled:
    """What a ruling makes of a result and its board."""

    board: Board
    result: Result
    state: ResultState
    revision: Revision
    moves: tuple[Move, ...]  # in order of arrival
    pairs: tuple[PairMove, ...]  # of its event


@dataclass(frozen=True, slots=True)
class _Papers:
    """Everything about a board that a ruling on it asks for."""

    board: Board
    results: list[Result]
    awards: Mapping[int, StandingAward]
    revisions: list[Revision]


def basis_of(basis: str | None, infraction: str | None, damage: str | None) -> Basis:
    """The ground of an adjustment; raises AdjustmentWithoutDamage unless it is one, fully stated."""
    if basis not in set(Basis):
        raise AdjustmentWithoutDamage("/basis", f"an adjustment needs a basis: {', '.join(Basis)}")
    for name, said in (("infraction", infraction), ("damage", damage)):
        if basis == Basis.DAMAGE and said is None:
            raise AdjustmentWithoutDamage(f"/{name}", f"an adjustment for damage states the {name}")
    return Basis(basis)


def rule(
    connection: Connection, director: Director, named: tuple[int, int], version: int, ruling: Ruling
) -> Ruled:
    """Rule on a result (board, sequence) of this version. Runs in the caller's transaction.

    Raises ResultNotFound, OwnBoard, DirectorPlays, StaleVersion, AlreadyVoid, BoardWithdrawn.
    """
    # Events come before boards: whoever locks goes this way.
    of_event = event_rulings.round_of(connection, named[0], director.player)
    if of_event is not None:
        event_rulings.hold(connection, director.keeper, of_event, director.now)
    board = boards.lock(connection, [named[0]]).get(named[0])
    with nullcontext() if of_event is None else telling(connection, of_event.event, director.now):
        ruled = _decide(connection, director, board, of_event, named, version, ruling)
        _keep(connection, director, ruled)
        if of_event is not None:
            event_rulings.follow(connection, director.keeper, of_event, director.now)
    return ruled


def preview(
    connection: Connection, director: Director, named: tuple[int, int], version: int, ruling: Ruling
) -> Ruled:
    """What ``rule`` would do; changes nothing."""
    of_event = event_rulings.round_of(connection, named[0], director.player)
    board = boards.get(connection, named[0])
    return _decide(connection, director, board, of_event, named, version, ruling)


def check_own(connection: Connection, director: Director, board: Board, concerned: set[int]) -> None:
    """Raises OwnBoard when the director is one of those concerned, or may still play the board.

    Raises DirectorPlays when it is a board of an event in which he has a part.
    """
    if director.player is None:
        return
    event_rulings.round_of(connection, board.id, director.player)
    if not director.secrecy.revealed(board, director.now):
        raise OwnBoard
    himself = players.find(connection, [director.player]).get(director.player)
    if himself is not None and concerned & players.accounts(connection, [himself.person]).keys():
        raise OwnBoard


def concerned(connection: Connection, board: int, everything: Sequence[Result]) -> set[int]:
    """Everybody who sat at a table of the board, whether or not a result came of it."""
    left = [each.players or () for each in disconnects.of_board(connection, board)]
    return {number for each in everything for number in each.people}.union(*left)


def _decide(
    connection: Connection,
    director: Director,
    board: Board | None,
    of_event: RoundOfBoard | None,
    named: tuple[int, int],
    version: int,
    ruling: Ruling,
) -> Ruled:
    everything = [] if board is None else results.of_board(connection, board.id)
    result = next((each for each in everything if each.sequence == named[1]), None)
    if board is None or result is None:
        raise ResultNotFound(result_id(*named))
    check_own(connection, director, board, concerned(connection, board.id, everything))
    if result.version != version:
        raise StaleVersion(result.version)
    if not result.live:
        raise AlreadyVoid(result_id(*named))
    if board.withdrawn_at is not None:
        raise BoardWithdrawn
    papers = _Papers(
        board, everything, results.awards_of(connection, board.id), rulings.of_board(connection, board.id)
    )
    revision = _revision(papers, result, ruling, director)
    seated = players.by_number(connection, (number for each in everything for number in each.players))
    if of_event is None:
        return _ruled(papers, result, revision, seated, None)
    entry = Played(revision.after.score) if revision.after.live else None
    supposed = Supposed(board.number, result.table, entry)
    event = event_rulings.consequences(connection, of_event, board.id, supposed)
    return _ruled(papers, result, revision, seated, event)


def _revision(papers: _Papers, result: Result, ruling: Ruling, director: Director) -> Revision:
    """The ruling as a revision, with the award that the result has afterwards."""
    board, after = papers.board, replace(result, live=False)
    if ruling.outcome is not None:
        score = score_ns(ruling.outcome, board.vulnerability)
        after = replace(result, outcome=ruling.outcome, score=score)
    revision = Revision(
        board=board.id,
        number=board.version + 1,
        kind=RulingKind.ADJUST if after.live else RulingKind.VOID,
        sequence=result.sequence,
        disconnect=None,
        arrived=board.last_sequence,
        basis=ruling.basis,
        infraction=ruling.infraction,
        damage=ruling.damage,
        reason=ruling.reason,
        before=rulings.stand(result, papers.awards.get(result.sequence)),
        after=rulings.stand(after, None),
        client=director.client,
        at=director.now,
    )
    arrived = arrivals(papers.results, papers.revisions)
    fixed = course(board, arrived, [*papers.revisions, revision]).awards.get(result.sequence)
    if fixed is None:
        return revision
    award = StandingAward(fixed.award.score, fixed.award.datum, fixed.award.results)
    return replace(revision, after=rulings.stand(after, award))


def _ruled(
    papers: _Papers,
    result: Result,
    revision: Revision,
    seated: Mapping[int, Player],
    event: Consequences | None,
) -> Ruled:
    """``event``: what follows for it, where the board belongs to one."""
    stand, sequence = revision.after, result.sequence
    ruled = replace(
        result, outcome=stand.outcome, score=stand.score, live=stand.live, version=result.version + 1
    )
    everything = [ruled if each.sequence == sequence else each for each in papers.results]
    board = papers.board.after(
        scores=tuple(each.score for each in everything if each.live),
        ruled=True,
        version=revision.number,
        change=papers.board.change + 1,
    )
    awards = {number: award for number, award in papers.awards.items() if number != sequence}
    if stand.award is not None:
        awards[sequence] = stand.award
    before = _scored(papers.board, papers.results, papers.awards, event.before if event else None)
    after = _scored(board, everything, awards, event.after if event else None)
    moves = [
        Move(each, _four(each, seated), before[each.sequence], after[each.sequence])
        for each in everything
        if before[each.sequence] != after[each.sequence]
    ]
    return Ruled(board, ruled, after[sequence].state, revision, tuple(moves), event.moves if event else ())


def _four(result: Result, seated: Mapping[int, Player]) -> tuple[Player, Player, Player, Player]:
    north, east, south, west = (seated[number] for number in result.players)
    return north, east, south, west


def _scored(
    board: Board, everything: Sequence[Result], awards: Mapping[int, StandingAward], fields: Fields | None
) -> dict[int, Scored]:
    """What every result of the board has, by sequence. ``fields``: by table, where it is of an event."""
    compared = board.traveller.field_scores()
    live = ResultState.PENDING if compared is None else ResultState.SCORED
    left = iter(compared or ())
    found = {}
    for each in everything:
        if each.live:
            own = next(left, None)
            field = own if fields is None else fields.get(each.table)
        award = awards[each.sequence].score if each.sequence in awards else None
        state = live if each.live else ResultState.VOID
        found[each.sequence] = Scored(state, award, field if each.live else None)
    return found


def _keep(connection: Connection, director: Director, ruled: Ruled) -> None:
    # A board that was revealed before has news for everybody: it is to be revealed again.
    board = ruled.board.after(bulletins=ruled.board.bulletins + 1, revealed_at=None)
    revision, result = ruled.revision, ruled.result
    rulings.add(connection, revision)
    rulings.change_result(connection, result, revision.after.award)
    if not result.live:
        # They may play it again, and report it better; but nobody deals it to them.
        seen = [(board.id, number) for number in rulings.forget_plays(connection, result)]
        assignments.expose(connection, seen, director.now)
    rulings.change_board(connection, board)
    said = f"{revision.basis}; {revision.reason}" if revision.basis is not None else revision.reason
    named = result_id(board.id, result.sequence)
    audit.add(connection, [audit.Entry(director.client, revision.kind.value, named, said)], director.now)
    moved = {move.result.sequence for move in ruled.moves if move.before.state is not move.after.state}
    change = BoardChange(
        board,
        tuple(sorted({result.sequence, *moved})),
        None if result.live else result.sequence,
        BulletinKind.RULING,
    )
    announce(connection, [change], director.wording, director.now)
