"""What there is to see in a demonstration, as far as this server has it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import Week, week_of
from server.services import boards
from server.storage.database import Database
from server.storage.ids import board_id, result_id
from server.web.routes import BASE
from server.web.table import ROUTES
from server.world.people import LEAVER

_FIRST = 1  # a board's first result
_LOOKED_AT = 200  # boards of last week


async def sights(database: Database, url: str, now: datetime, zone: ZoneInfo) -> list[tuple[str, str]]:
    """Things worth looking at, and where they are."""
    week = week_of(now, zone)
    last = week.plus(-1)
    played = await boards.page(database, last, DEFAULT_POOL, 0, _LOOKED_AT)
    fullest = max(played, key=lambda board: len(board.scores), default=None)
    shown = {} if fullest is None else {"id": board_id(fullest.id), "result": result_id(fullest.id, _FIRST)}
    return list(_known(url, week, last, **shown))


def _known(url: str, week: Week, last: Week, **shown: str) -> Iterator[tuple[str, str]]:
    """Those whose routes there are."""
    there = {route.path.removeprefix(BASE) for route in ROUTES if route.method == "GET"}
    board, result = shown.get("id"), shown.get("result")
    yield "the open week", f"{url}/"
    for route, words, path in (
        ("/weeks/{week}/leaderboard", "the leaderboard", f"/weeks/{last}/leaderboard"),
        ("/boards", "its boards, filling up", f"/boards?week={week}&limit=20"),
        ("/boards/{id}/traveller", "a traveller of last week", board and f"/boards/{board}/traveller"),
        ("/results/{id}/explain", "how a result was scored", result and f"/results/{result}/explain"),
        ("/players/{id}", "the one who leaves bad boards", f"/players/p{LEAVER + 1:03}"),
        ("/channels/{name}/stream", "all that happens (curl -N)", f"/channels/week:{week}/stream"),
    ):
        if route in there and path:
            yield words, f"{url}{BASE}{path}"
    yield "the API, for people", f"{url}/api/docs"


def clock_line(now: datetime, zone: ZoneInfo, speed: float) -> str:
    """What a simulated clock shows, in words."""
    shown = now.astimezone(zone)
    week = timedelta(weeks=1) / speed
    fast = f"{week.total_seconds() / 60:.0f} minutes" if speed > 1 else "a week"
    return f"Its clock shows {shown:%A %H:%M} in {zone.key}; a week of it takes {fast}."
