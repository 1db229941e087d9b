"""What there is to see in a demonstration: pages where this server has them, else what the API gives."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import week_of
from server.services import boards
from server.storage.database import Database
from server.storage.ids import board_id, result_id
from server.web.pages.table import PAGES
from server.web.routes import BASE
from server.web.table import ROUTES
from server.world.people import World

_FIRST = 1  # a board's first result
_LOOKED_AT = 200  # boards of last week
_SIGHTS = (  # words, page, route of the API
    ("the open week, as it moves", "/", None),
    ("the leaderboard of last week", "/weeks/{last}", "/weeks/{last}/leaderboard"),
    ("a board of last week", "/boards/{id}", "/boards/{id}/traveller"),
    ("how one of its results counts", "/results/{result}", "/results/{result}/explain"),
    ("Swiss pairs, as they are held", "/events", "/events"),
    ("one who leaves bad boards", "/players/{leaver}", "/players/{leaver}"),
    ("all that happens (curl -N)", None, "/channels/week:{week}/stream"),
    ("the API", "/api/docs", None),
)


async def sights(
    database: Database, url: str, world: World, now: datetime, zone: ZoneInfo
) -> list[tuple[str, str]]:
    """Things worth looking at, and where they are."""
    week = week_of(now, zone)
    last = week.plus(-1)
    names = {"week": str(week), "last": str(last), "leaver": world.leaver.id}
    played = await boards.page(database, last, DEFAULT_POOL, 0, _LOOKED_AT)
    fullest = max(played, key=lambda board: len(board.scores), default=None)
    if fullest is not None and fullest.scores:
        names |= {"id": board_id(fullest.id), "result": result_id(fullest.id, _FIRST)}
    return list(_known(url, names))


def _known(url: str, names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Those that this server has, and that have something to show."""
    pages = {_shape(page.path) for page in PAGES} | {"/api/docs"}
    routes = {_shape(route.path.removeprefix(BASE)) for route in ROUTES if route.method == "GET"}
    for words, page, route in _SIGHTS:
        if page is not None and _shape(page) in pages:
            path = page
        elif route is not None and _shape(route) in routes:
            path = f"{BASE}{route}"
        else:
            continue
        try:
            yield words, url + path.format(**names)
        except KeyError:  # no board of last week was played
            continue


def _shape(path: str) -> str:
    """A path without the names of what stands in it."""
    return "/".join("{}" if "{" in step else step for step in path.split("/"))


def clock_line(now: datetime, zone: ZoneInfo, speed: float) -> str:
    """What a simulated clock shows, in words."""
    minutes = timedelta(weeks=1).total_seconds() / 60 / speed
    return (
        f"Its clock shows {now.astimezone(zone):%A %H:%M} in {zone.key}; a week takes {minutes:.0f} minutes."
    )
