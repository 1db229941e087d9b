"""From a player's boards taken together to what the API gives."""

from typing import Literal

from server.services.careers import Career, OwnBoard, Penalty
from server.storage.ids import board_id, result_id
from server.storage.players import Player
from server.web import schemas_careers as schemas
from server.web.rendering_weeks import average, points
from server.web.schemas_weeks import Ranked

_ROLES: tuple[Literal["declarer", "dummy", "defender"], ...] = ("declarer", "dummy", "defender")


def career(found: Career, pool: str) -> schemas.Career:
    """A player's boards taken together."""
    shares = [(role, found.roles[role]) for role in _ROLES if role in found.roles]
    return schemas.Career(
        player=Ranked(id=found.player.id, name=found.player.shown_name),
        pool=pool,
        boards=found.boards,
        completion=average(found.completion),
        partners=[
            schemas.Partner(player=_named(player), boards=share.boards, mean=round(float(share.mean), 6))
            for player, share in found.partners
        ],
        roles=[
            schemas.Role(role=role, boards=share.boards, mean=round(float(share.mean), 6))
            for role, share in shares
        ],
        best=[_board(each) for each in found.best],
        worst=[_board(each) for each in found.worst],
        penalties=[_penalty(each) for each in found.penalties],
    )


def _named(player: Player) -> Ranked | None:
    return None if player.hidden else Ranked(id=player.id, name=player.shown_name)


def _board(found: OwnBoard) -> schemas.CareerBoard:
    return schemas.CareerBoard(
        result=result_id(found.board, found.sequence),
        board=board_id(found.board),
        week=found.week,
        number=found.number,
        partner=_named(found.partner),
        points=points(found.points),
    )


def _penalty(found: Penalty) -> schemas.Penalty:
    return schemas.Penalty(
        board=board_id(found.board), week=found.week, number=found.number, points=points(found.points)
    )
