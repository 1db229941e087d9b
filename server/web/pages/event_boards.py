"""A board of an event: its cards and what every table did on it, once its round is over."""

from dataclasses import dataclass

from aiohttp import web

from server.services import event_reading
from server.services.errors import BoardNotFound
from server.services.event_reading import BoardView
from server.storage.event_rounds import Match
from server.web import rendering
from server.web.pages.boards import analysis_of, at_work
from server.web.pages.corrections import corrections
from server.web.pages.diagrams import diagram
from server.web.pages.event_heads import head, part
from server.web.pages.travellers import table
from server.web.pages.visits import PUBLIC, Visit


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Boards before and after this one, as far as they are made."""

    before: int | None
    after: int | None


async def get(visit: Visit) -> web.Response:
    """The board; turned so that the player ``?player=`` is at the bottom. Raises EventNotFound,
    BoardNotFound.
    """
    found, number = await head(visit), part(visit, "number", BoardNotFound)
    services = visit.services
    view = await event_reading.board(
        services.database, found.event.id, number, PUBLIC, services.secrecy, visit.now
    )
    traveller = view.traveller
    shown = rendering.traveller(traveller)
    lines = table(traveller, shown, visit.request.query.get("player"))
    made = found.started * found.rules.boards
    return await visit.large_page(
        "event_board.html",
        head=found,
        follows=found.follows,
        board=shown.board,
        round=view.round,
        open=traveller.open,
        method=found.rules.scores.by_board.value,
        traveller=lines,
        matches=view.matches,
        unplayed=_unplayed(view) if traveller.open else [],
        analysis=await analysis_of(visit, traveller),
        at_work=at_work(visit, traveller),
        corrections=corrections(traveller),
        diagram=diagram(view.board, traveller.open, lines.own),
        neighbours=Neighbours(number - 1 if number > 1 else None, number + 1 if number < made else None),
    )


def _unplayed(view: BoardView) -> list[Match]:
    """Tables of the round that have no result on the board."""
    played = {row.result.table for row in view.traveller.rows if row.result.live}
    return [match for name, match in view.matches.items() if name not in played]
