"""Finding what somebody looks for: players, boards of the last weeks, events."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from server.bridge.errors import BridgeError
from server.bridge.pool import Pool
from server.bridge.week import Week, parse_week, week_of
from server.services import search_words
from server.storage import boards, events, players, search
from server.storage.boards import Board
from server.storage.database import Database
from server.storage.events import Event
from server.storage.ids import board_number, event_number, result_number
from server.storage.players import Player

SHOWN = 20  # of each kind
_WEEKS = 4  # whose boards are found by their numbers, the open one among them
_LONGEST_NUMBER = 6  # digits of a board's


@dataclass(frozen=True, slots=True)
class Found:
    """What was found; of each kind ``SHOWN`` at most."""

    players: tuple[Player, ...] = ()  # whose id it is first, then by id, then by name
    more_players: bool = False  # than are told
    boards: tuple[Board, ...] = ()  # newest weeks first
    events: tuple[Event, ...] = ()  # newest first
    week: Week | None = None  # when it is one

    def __bool__(self) -> bool:
        return bool(self.players or self.boards or self.events or self.week)


async def find(
    database: Database, text: str, pools: Mapping[str, Pool], now: datetime, zone: ZoneInfo
) -> Found:
    """Look for a text."""
    wanted = text.strip()
    if not wanted:
        return Found()

    def query(connection: Connection) -> Found:
        people, more = _players(connection, wanted)
        recent = [week_of(now, zone).plus(-back) for back in range(_WEEKS)]
        found = boards.several(connection, _boards(connection, wanted, pools, recent))
        newest = sorted(found.values(), key=lambda board: (str(board.week or ""), -board.id), reverse=True)
        return Found(people, more, tuple(newest[:SHOWN]), _events(connection, wanted), _week(wanted))

    return await database.read(query)


def keep(connection: Connection, player: Player) -> None:
    """Let a player be found by the name that is shown of him."""
    search.keep(connection, player.number, search_words.found_by(player.alias or player.name or ""))


def _players(connection: Connection, wanted: str) -> tuple[tuple[Player, ...], bool]:
    exact = players.find(connection, [wanted])
    numbers = [player.number for player in exact.values() if not player.hidden]
    # Ids tell small letters from capitals: they are looked for as they stand, and as they are often written.
    for written in dict.fromkeys((wanted, wanted.lower(), wanted.upper(), wanted.capitalize())):
        numbers += search.by_id(connection, written, SHOWN + 1)
    if words := sorted(search_words.words(wanted), key=lambda word: (-len(word), word)):
        numbers += search.by_words(connection, words, SHOWN + 1)
    several = list(dict.fromkeys(numbers))
    known = players.by_number(connection, several[:SHOWN])
    return tuple(known[number] for number in several[:SHOWN]), len(several) > SHOWN


def _boards(connection: Connection, wanted: str, pools: Mapping[str, Pool], recent: list[Week]) -> list[int]:
    if (named := board_number(wanted)) is not None:
        return [named]
    if (result := result_number(wanted)) is not None:
        return [result[0]]
    if not (wanted.isascii() and wanted.isdecimal() and len(wanted) <= _LONGEST_NUMBER):
        return []
    asked = [(str(week), pool, int(wanted)) for week in recent for pool in pools]
    return list(boards.numbered(connection, asked).values())


def _events(connection: Connection, wanted: str) -> tuple[Event, ...]:
    if (named := event_number(wanted)) is not None:
        found = [events.get(connection, named)]
    else:
        numbers = search.events_named(connection, wanted.split(), SHOWN)
        found = [events.get(connection, number) for number in numbers]
    return tuple(event for event in found if event is not None)


def _week(wanted: str) -> Week | None:
    try:
        return parse_week(wanted.upper())
    except BridgeError:
        return None
