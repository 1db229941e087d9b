"""Tables as files for spreadsheets, beside the pages that show them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from server.formats.csv_table import write_table
from server.services.event_lists import Listed
from server.services.travellers import Row, TravellerView
from server.storage.boards import Board
from server.web import rendering, rendering_events
from server.web.pages.travellers import named
from server.web.schemas import ResultRow, Traveller
from server.web.schemas_explain_week import WeekExplanation
from server.web.schemas_weeks import PlayerWeek

_COLUMNS = (
    *("week", "board", "table", "north", "east", "south", "west", "contract", "declarer", "tricks", "lead"),
    *("played_at", "id", "sequence", "state", "score", "dropped", "award_ns", "award_ew"),
    *("field_ns", "field_ew", "datum_imps_ns", "cross_imps_ns", "matchpoints_ns_percent", "rated", "reason"),
)


def traveller(view: TravellerView) -> bytes:
    """The traveller of a board, as far as the API shows it, in order of arrival.

    The first columns are those that `crossruff import` reads. Of a board in play there is only the header.
    """
    shown = rendering.traveller(view)
    return write_table(_COLUMNS, [_cells(shown, row) for row in shown.results] if view.open else [])


def _cells(shown: Traveller, row: ResultRow) -> list[str | int]:
    told: dict[str, Any] = msgspec.to_builtins(row)
    told |= {name: told["players"][seat] for seat, name in _SEATS.items()}
    told |= {"week": shown.board.week, "board": shown.board.id}
    for name in ("award", "field", "datum_imps", "cross_imps", "matchpoints"):
        told |= {f"{name}_{side}": value for side, value in (told[name] or {}).items()}
    return [cell(told.get(column)) for column in _COLUMNS]


_SEATS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def player_weeks(told: Sequence[PlayerWeek]) -> bytes:
    """The closed weeks of a player, newest first."""
    rows = []
    for each in told:
        values: dict[str, Any] = msgspec.to_builtins(each)
        joint = values.pop("joint") or {}
        values |= {"joint_index": joint.get("index"), "joint_error": joint.get("error")}
        rows.append([cell(values[column]) for column in _WEEK_COLUMNS])
    return write_table(_WEEK_COLUMNS, rows)


def player_week(told: WeekExplanation) -> bytes:
    """The boards of a player's week: who sat there with which Rates, and what it came to."""
    rows = []
    for each in told.lines:
        values: dict[str, Any] = msgspec.to_builtins(each)
        table = values["table"] or {}
        values |= {_SEATS[seat]: player for seat, player in each.players.items()}
        values |= {f"rate_{_SEATS[seat]}": rate for seat, rate in table.get("rates", {}).items()}
        values |= {name: table.get(name) for name in ("x", "p_ns", "s4")}
        rows.append([cell(values.get(column)) for column in _BOARDS_OF_WEEK])
    return write_table(_BOARDS_OF_WEEK, rows)


_BOARDS_OF_WEEK = (
    *("board", "number", "result", "seat", "north", "east", "south", "west"),
    *("rate_north", "rate_east", "rate_south", "rate_west", "s4", "x", "p_ns", "board_rate"),
    *("rated", "reason", "disconnected", "disconnect", "leaver", "points", "boards"),
)


def boards(found: Iterable[Board]) -> bytes:
    """Boards of a week in the order given, without their cards."""
    told = (rendering.board_view(each, False) for each in found)
    return write_table(_BOARDS, [[cell(getattr(each, name)) for name in _BOARDS] for each in told])


_BOARDS = (
    "week",
    "pool",
    "number",
    "id",
    "dealer",
    "vulnerability",
    "state",
    "results",
    "score_at",
    "retire_at",
)


def events(found: Iterable[Listed]) -> bytes:
    """Events in the order given, with the number of their pairs, and the winners that are not hidden."""
    rows = []
    for each in found:
        told = rendering_events.brief(each.event)
        values: dict[str, object] = {name: getattr(told, name) for name in _OF_EVENT}
        values |= {"boards": each.event.rules.boards, "pairs": each.pairs}
        for place, one in enumerate(map(named, each.winners), 1):
            values |= {f"winner_{place}": one.id, f"winner_name_{place}": one.name}
        rows.append([cell(values.get(column)) for column in _EVENTS])
    return write_table(_EVENTS, rows)


_OF_EVENT = ("id", "kind", "name", "state", "round", "rounds", "open_at", "start_at")
_EVENTS = (*_OF_EVENT, "boards", "pairs", "winner_1", "winner_2", "winner_name_1", "winner_name_2")


def player_results(found: Sequence[tuple[Row, TravellerView]]) -> bytes:
    """Results of a player as the travellers of their boards show them, in the order given.

    What may still be played is left out.
    """
    rows = []
    for row, view in found:
        if view.open:
            shown = rendering.traveller(view)
            rows.append(_cells(shown, rendering.result_row(row, True)))
    return write_table(_COLUMNS, rows)


_WEEK_COLUMNS = (
    *("week", "revision", "skill_index", "weight", "week_rate", "points", "boards", "rated_boards"),
    *("disconnects", "total_boards", "average", "rank", "movement", "joint_index", "joint_error"),
)


def cell(value: object) -> str | int:
    """A value of the API in a cell: nothing for null, yes or no, numbers as they are."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return str(msgspec.to_builtins(value))  # as in JSON
    return value if isinstance(value, int) else str(value)
