"""Tables as files for spreadsheets, beside the pages that show them."""

from typing import Any

import msgspec

from server.formats.csv_table import write_table
from server.services.travellers import TravellerView
from server.web import rendering
from server.web.schemas import ResultRow, Traveller

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
    return [_cell(told.get(column)) for column in _COLUMNS]


_SEATS = {"N": "north", "E": "east", "S": "south", "W": "west"}


def _cell(value: object) -> str | int:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, int) else str(value)
