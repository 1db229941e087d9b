"""Boards of events as PBN and USEBIO: each by itself, and all that are revealed in one file."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime

from aiohttp import web

from server.formats.pbn_writer import write_pbn
from server.formats.records import ResultFile
from server.formats.usebio_writer import write_usebio
from server.services import event_exports, event_reading
from server.services.errors import BoardNotFound
from server.web.pages.event_heads import Head, head, part
from server.web.pages.files import PBN, USEBIO, file
from server.web.pages.visits import PUBLIC, Visit


async def get_pbn(visit: Visit) -> web.Response:
    """The boards of an event that everybody may see, with every result. Raises EventNotFound."""
    return await _event(visit, "pbn", write_pbn, PBN)


async def get_usebio(visit: Visit) -> web.Response:
    """The same, with pairs, totals and matches. Raises EventNotFound."""
    return await _event(visit, "xml", write_usebio, USEBIO)


async def get_board_pbn(visit: Visit) -> web.Response:
    """A board; while it may be played nothing of it. Raises EventNotFound, BoardNotFound."""
    name, found = await _board(visit)
    return file(f"{name}.pbn", write_pbn(found), PBN)


async def get_board_usebio(visit: Visit) -> web.Response:
    """The same. Raises EventNotFound, BoardNotFound."""
    name, found = await _board(visit)
    return file(f"{name}.xml", write_usebio(found), USEBIO)


async def _event(visit: Visit, ending: str, write: Callable[[ResultFile], bytes], media: str) -> web.Response:
    found, services = await head(visit), visit.services
    held = await event_exports.held(services.database, found.event.id, PUBLIC, services.secrecy, visit.now)

    def content() -> bytes:
        return write(replace(event_exports.event_file(held), played_on=_day(visit, found)))

    # Of a long event it is megabytes: others are served meanwhile.
    return file(f"{found.id}.{ending}", await asyncio.to_thread(content), media)


async def _board(visit: Visit) -> tuple[str, ResultFile]:
    found, number = await head(visit), part(visit, "number", BoardNotFound)
    services = visit.services
    view = await event_reading.board(
        services.database, found.event.id, number, PUBLIC, services.secrecy, visit.now
    )
    scoring = found.rules.scores.by_board
    return f"{found.id}-board-{number}", replace(
        event_exports.board_file(view, scoring, found.event.name), played_on=_day(visit, found)
    )


def _day(visit: Visit, found: Head) -> date:
    """When the event began, in the zone of the weeks."""
    return datetime.fromtimestamp(found.rules.start_at, visit.services.zone).date()
