"""From the director's values to what the API gives."""

from typing import Any

import msgspec
from msgspec import UNSET

from server.bridge.traveller import SideScores
from server.services.arrivals import Accepted
from server.services.bulletins import BoardChange, Wording
from server.services.travellers import ResultState, Row, TravellerView
from server.services.weeks import WeekStatus
from server.storage.boards import Board
from server.storage.disconnects import Disconnect
from server.storage.ids import board_id, disconnect_id, result_id
from server.storage.players import Player
from server.storage.rulings import Revision, RulingKind, Stand
from server.web import schemas, schemas_revisions
from server.web.fields import Sides

_encode = msgspec.json.Encoder().encode


def text(value: object) -> str:
    """As JSON."""
    return _encode(value).decode()


def figure(hundredths: int) -> int | float:
    """A number of hundredths as JSON shows it: whole where it is whole."""
    return hundredths // 100 if hundredths % 100 == 0 else hundredths / 100


def figure_or_none(hundredths: int | None) -> int | float | None:
    """The same; None stays what it is."""
    return None if hundredths is None else figure(hundredths)


def sides(score: SideScores | None) -> Sides | None:
    """A score of each side."""
    return None if score is None else Sides(figure(score.ns), figure(score.ew))


def seated(players: tuple[Player, Player, Player, Player]) -> schemas.SeatedPlayers:
    """Four players by seat."""
    north, east, south, west = (player.public_id for player in players)
    return schemas.SeatedPlayers(north, east, south, west)


def brief(board: Board) -> schemas.BoardBrief:
    """The board of a result."""
    return schemas.BoardBrief(board_id(board.id), board.number, board.state.value, len(board.scores))


def accepted(result: Accepted) -> str:
    """The answer to a result that was taken in."""
    award = sides(result.award)
    return text(
        schemas.Result(
            id=result.id,
            board=brief(result.board),
            sequence=result.sequence,
            table=result.report.table,
            score=result.score,
            state="scored" if result.board.scored else "pending",
            datum=result.datum,
            award=award,
            field=award,  # at this moment the whole field is what it was awarded against
            rated=result.reason is None,
            reason=result.reason,
            version=1,
        )
    )


def results_bulletin(change: BoardChange) -> str:
    """Results came in, or were ruled on: the rows that changed, as the public may see them in play."""
    live = "scored" if change.board.scored else "pending"
    return text(
        {
            "board": brief(change.board),
            "results": [
                {
                    "id": result_id(change.board.id, sequence),
                    "sequence": sequence,
                    "state": "void" if sequence == change.void else live,
                }
                for sequence in change.sequences
            ],
        }
    )


def board_bulletin(board: Board) -> str:
    """The state of a board, for its week."""
    return text({"board": brief(board), "pool": board.pool})


def revealed_bulletin(view: TravellerView) -> str:
    """The whole traveller of a board that nobody plays any more, with players' numbers for their names."""
    told = msgspec.to_builtins(traveller(view))
    for row, result in zip(view.rows, told["results"], strict=True):
        result["players"] = dict(zip("NESW", row.result.players, strict=True))
    return text(told)


WORDING = Wording(results_bulletin, board_bulletin, revealed_bulletin)


def traveller(view: TravellerView) -> schemas.Traveller:
    """A board with its results, as far as they may be shown."""
    return schemas.Traveller(
        board=board_view(view.board, view.open),
        datum=view.datum.value if view.open and view.datum is not None else None,
        results=[result_row(row, view.open) for row in view.rows],
        position=view.board.bulletins,
    )


def week(status: WeekStatus) -> schemas.Week:
    """A week and where it stands."""
    return schemas.Week(
        str(status.week), status.opens_at, status.closes_at, status.state.value, status.revision
    )


def made_board(board: Board) -> schemas.MadeBoard:
    """A board that was made or dealt."""
    return schemas.MadeBoard(board_id(board.id), board.number, board.dealer.value, board.vulnerability.value)


def board_view(board: Board, is_open: bool) -> schemas.Board:
    """A board, with its deal when it may be shown."""
    return schemas.Board(
        id=board_id(board.id),
        number=board.number,
        dealer=board.dealer.value,
        vulnerability=board.vulnerability.value,
        week=None if board.week is None else str(board.week),
        pool=board.pool,
        state=board.state.value,
        results=len(board.scores),
        score_at=board.terms.score_at,
        retire_at=board.terms.retire_at,
        version=board.version,
        deal=(None if board.deal is None else str(board.deal)) if is_open else UNSET,
    )


def result_row(row: Row, is_open: bool) -> schemas.ResultRow:
    """A row of a traveller."""
    named = result_id(row.board.id, row.result.sequence)
    if not is_open:
        return schemas.ResultRow(id=named, sequence=row.result.sequence, state=row.state.value)
    return schemas.ResultRow(id=named, state=row.state.value, **_members(row))


def result_detail(row: Row, view: TravellerView) -> schemas.ResultDetail:
    """One result with its board."""
    named = result_id(row.board.id, row.result.sequence)
    if not view.open:
        return schemas.ResultDetail(id=named, sequence=row.result.sequence, state=row.state.value)
    details = msgspec.json.decode(row.result.details) if row.result.details else {}
    scored = row.state is ResultState.SCORED
    return schemas.ResultDetail(
        id=named,
        state=row.state.value,
        board=brief(row.board),
        datum=view.datum.value if view.datum is not None and scored else None,
        auction=details.get("auction", UNSET),
        play=details.get("play", UNSET),
        substitutes={seat.value: player.public_id for seat, player in row.replaced} or UNSET,
        disconnects=[_disconnected(*each) for each in row.disconnects] or UNSET,
        **_members(row),
    )


def _members(row: Row) -> dict[str, Any]:
    result, figures = row.result, row.figures
    contract, declarer = result.outcome.contract, result.outcome.declarer
    return {
        "sequence": result.sequence,
        "table": result.table,
        "players": seated(row.players),
        "contract": "PASS" if contract is None else str(contract),
        "declarer": None if declarer is None else declarer.value,
        "tricks": result.outcome.tricks,
        "lead": result.lead,
        "played_at": result.played_at,
        "score": result.score,
        "dropped": figures.dropped,
        "award": None if row.award is None else sides(row.award.score),
        "field": sides(figures.field),
        "datum_imps": sides(figures.datum_imps),
        "cross_imps": sides(figures.cross_imps),
        "matchpoints": _percent(figures.matchpoints),
        "rated": row.rated,
        "reason": row.reason,
        "version": result.version,
        "rulings": [revision(each) for each in row.revisions] or UNSET,
    }


def revision(found: Revision) -> schemas_revisions.Revision:
    """What was ruled about a result, and what that changed."""
    return schemas_revisions.Revision(
        kind="adjust" if found.kind is RulingKind.ADJUST else "void",
        reason=found.reason,
        basis=None if found.basis is None else found.basis.value,
        infraction=found.infraction,
        damage=found.damage,
        at=found.at,
        before=_stand(found.before),
        after=_stand(found.after),
    )


def _stand(found: Stand) -> schemas_revisions.RuledResult:
    award = None if found.award is None else sides(found.award.score)
    return schemas_revisions.RuledResult(str(found.outcome), found.score, not found.live, award)


def _disconnected(found: Disconnect, player: Player) -> schemas_revisions.Disconnected:
    return schemas_revisions.Disconnected(
        disconnect_id(found.number), player.public_id, "standing" if found.live else "void"
    )


def _percent(score: SideScores | None) -> schemas.Percent | None:
    return None if score is None else schemas.Percent(figure(score.ns), figure(score.ew))
