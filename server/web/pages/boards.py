"""Boards: the list of a week's, and each with its cards and its traveller."""

import asyncio
from dataclasses import dataclass
from datetime import datetime

from aiohttp import web

from server.bridge.week import Week, week_of
from server.formats.pbn_writer import write_pbn
from server.formats.usebio_writer import write_usebio
from server.services import boards, event_views, exports, travellers, weeks
from server.services.analysis import Analysis
from server.services.bulletins import board_channel
from server.services.errors import BoardNotFound, UnknownPool
from server.services.travellers import TravellerView
from server.storage.boards import Board
from server.storage.ids import board_id, board_number, event_id
from server.web import queries, rendering
from server.web.pages import sheets
from server.web.pages.corrections import corrections
from server.web.pages.diagrams import diagram
from server.web.pages.files import CSV, PBN, USEBIO, file
from server.web.pages.follows import Follows, of_week
from server.web.pages.travellers import table
from server.web.pages.visits import PUBLIC, Visit

_OF_A_PAGE = 100
_OF_A_FILE = 1000
_PATIENCE = 0.0  # seconds that a page waits for the analysis of its deal: its script asks again


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of a list of boards asks for."""

    week: Week
    pool: str
    after: int  # number of the last board of the page before

    async def read(self, visit: Visit, limit: int) -> list[Board]:
        """So many boards of the list."""
        return await boards.page(visit.services.database, self.week, self.pool, self.after, limit)


async def get_list(visit: Visit) -> web.Response:
    """The boards of a week and pool, so many at a time. Raises InvalidBody, UnknownPool."""
    services, asked = visit.services, _asked(visit)
    week, pool, after = asked.week, asked.pool, asked.after
    current = week_of(visit.now, services.zone)
    follows = await of_week(visit.services.database, week, pool=pool)
    found = await asked.read(visit, _OF_A_PAGE + 1)
    return visit.page(
        "boards.html",
        week=await weeks.status(services.database, week, pool, visit.now, services.zone),
        earlier=week.plus(-1),
        later=week.plus(1) if week <= current else None,
        pool=pool,
        pools=services.pools,
        boards=[rendering.board_view(board, False) for board in found[:_OF_A_PAGE]],
        before=max(0, after - _OF_A_PAGE) if after else None,
        after=found[_OF_A_PAGE - 1].number if len(found) > _OF_A_PAGE else None,
        shown_after=after,
        cursor=queries.cursor(after, services.secret) if after else None,
        follows=follows,
    )


async def get_list_csv(visit: Visit) -> web.Response:
    """The boards of a week and pool from the page that is asked for on. Raises InvalidBody, UnknownPool."""
    asked = _asked(visit)
    found = await asked.read(visit, _OF_A_FILE)
    return file(f"boards-{asked.week}.csv", await asyncio.to_thread(sheets.boards, found), CSV)


def _asked(visit: Visit) -> Asked:
    services, query = visit.services, visit.request.query
    week = queries.week_of_page(query.get("week", str(week_of(visit.now, services.zone))))
    pool = query.get("pool", next(iter(services.pools)))
    if pool not in services.pools:
        raise UnknownPool("?pool", f"no pool is called {pool!r}")
    return Asked(week, pool, _number(query.get("after", "0")))


async def get(visit: Visit) -> web.Response:
    """A board with its traveller; turned so that the player ``?player=`` is at the bottom."""
    view = await _view(visit)
    shown = rendering.traveller(view)
    chosen = visit.request.query.get("player")
    lines = table(view, shown, chosen)
    board = view.board
    place = await event_views.place(visit.services.database, board.id) if board.week is None else None
    return visit.page(
        "board.html",
        board=shown.board,
        open=view.open,
        method=view.board.terms.method.value,
        traveller=lines,
        analysis=await analysis_of(visit, view),
        at_work=at_work(visit, view),
        corrections=corrections(view),
        diagram=diagram(board, view.open, lines.own),
        reveal=None if view.open else _revealed_at(visit, board),
        beside=await _beside(visit, board),
        event=None if place is None else (event_id(place.event), place.name, place.round),
        follows=Follows({board_channel(board.id): shown.position}),
    )


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A board of the same week and pool."""

    id: str
    number: int


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The boards before and after one."""

    before: Neighbour | None = None
    after: Neighbour | None = None


async def _beside(visit: Visit, board: Board) -> Neighbours:
    """The neighbours of a board by number; a board of an event is shown among its own."""
    if board.week is None or board.pool is None:
        return Neighbours()
    found = await boards.beside(visit.services.database, board.week, board.pool, board.number)
    return Neighbours(*(None if each is None else Neighbour(board_id(each[0]), each[1]) for each in found))


async def analysis_of(visit: Visit, view: TravellerView) -> Analysis | None:
    """What can be made of a deal that is shown; None where it is not known in time."""
    board = view.board
    if not view.open or board.deal is None:
        return None
    return await visit.services.analyst.analyse(board.deal, board.dealer, board.vulnerability, _PATIENCE)


def at_work(visit: Visit, view: TravellerView) -> bool:
    """Whether that is being worked out, so that it is worth to ask again."""
    board = view.board
    if not view.open or board.deal is None:
        return False
    return visit.services.analyst.at_work(board.deal, board.dealer, board.vulnerability)


async def get_csv(visit: Visit) -> web.Response:
    """The traveller as the public may see it, as CSV."""
    view = await _view(visit)
    return file(_named(view, "csv"), sheets.traveller(view), CSV)


async def get_pbn(visit: Visit) -> web.Response:
    """The deal and the traveller as the public may see them, as PBN."""
    view = await _view(visit)
    return file(_named(view, "pbn"), write_pbn(exports.traveller(view, _event(view))), PBN)


async def get_usebio(visit: Visit) -> web.Response:
    """The deal and the traveller as the public may see them, as USEBIO."""
    view = await _view(visit)
    return file(_named(view, "xml"), write_usebio(exports.traveller(view, _event(view))), USEBIO)


def _event(view: TravellerView) -> str:
    """What files call the field of the board."""
    return f"{view.board.week} {view.board.pool}" if view.board.week else f"Board {view.board.number}"


def _named(view: TravellerView, ending: str) -> str:
    return f"{view.board.week or 'board'}-{view.board.number}.{ending}"


async def _view(visit: Visit) -> TravellerView:
    text = visit.request.match_info["id"]
    number = board_number(text)
    if number is None:
        raise BoardNotFound(text)
    services = visit.services
    return await travellers.traveller(services.database, number, PUBLIC, services.secrecy, visit.now)


def _revealed_at(visit: Visit, board: Board) -> datetime | None:
    """When everything about the board is shown at the latest; None: that depends on its event."""
    if board.week is None:
        return None
    return visit.services.secrecy.revealed_at(board.week)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise queries.refused("after", "expected the number of a board")
    return int(text)
