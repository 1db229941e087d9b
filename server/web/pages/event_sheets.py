"""Tables of events as files for spreadsheets: what the API says, a line for each row of the page."""

from collections.abc import Iterable, Mapping, Sequence

from aiohttp import web

from server.bridge.vp_scale import conversion_table
from server.formats.csv_table import write_table
from server.services import event_reading, event_views
from server.services.errors import BoardNotFound
from server.services.event_errors import EntryNotFound, RoundNotFound
from server.services.event_reading import BoardView
from server.services.tokens import NOBODY
from server.web import rendering_events
from server.web.pages.event_cards import shown
from server.web.pages.event_heads import Head, head, part
from server.web.pages.event_standings import Placed, placed
from server.web.pages.files import CSV, file
from server.web.pages.sheets import cell
from server.web.pages.visits import PUBLIC, Visit
from server.web.rendering import figure

PAIR = ("entry", "player_1", "player_2", "name_1", "name_2")
SEATS = ("north", "east", "south", "west")

Row = Mapping[str, object]


async def get_standings(visit: Visit) -> web.Response:
    """The standings; before they are published only the header. Raises EventNotFound."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    told = rendering_events.standings(view)
    rounds = [f"round_{number}" for number in range(1, told.scored_rounds + 1)]
    names = ["rank", *PAIR, "score", "boards", *rounds, "deduction", "carried", "masterpoints", "qualified"]
    rows = []
    for row in told.rows if told.scored_rounds else ():
        scores = dict(zip(rounds, row.rounds, strict=True))
        rows.append(_of(row, names) | _pair(row.entry, row.players, row.names) | scores)
    return _sheet(found, "standings", names, rows)


async def get_cross_table(visit: Visit) -> web.Response:
    """Opponents, side and score of every pair in every round. Raises EventNotFound."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    rounds = range(1, max(found.started, view.field.started) + 1)
    of_round = [f"{what}_{number}" for number in rounds for what in ("opponents", "side", "kind", "score")]
    names = ["rank", *PAIR, "score", *of_round]
    placings = placed(found, view, rendering_events.standings(view).rows, {}, with_cells=True)
    rows = [_crossed(each, names) for each in placings]
    return _sheet(found, "cross-table", names, rows)


def _crossed(line: Placed, names: Sequence[str]) -> Row:
    row = dict(_of(line.row, names)) | _pair(line.row.entry, line.row.players, line.row.names)
    for number, each in enumerate(line.cells, 1):
        row |= {f"opponents_{number}": each.opponent, f"side_{number}": each.side}
        row |= {f"kind_{number}": each.kind, f"score_{number}": each.score}
    return row


async def get_round(visit: Visit) -> web.Response:
    """Tables and seats of a round that has begun, with sit-outs. Raises EventNotFound, RoundNotFound."""
    found, number = await head(visit), part(visit, "round", RoundNotFound)
    view = await event_reading.round_of(visit.services.database, found.event.id, number, NOBODY)
    told = rendering_events.round_view(view)
    names = ["round", "table", "ns", "ew", *SEATS, "score_ns", "score_ew", "sits_out"]
    rows: list[Row] = []
    for each in told.tables:
        score = each.score
        both = {} if score is None else {"score_ns": score.ns, "score_ew": score.ew}
        rows.append({"round": number} | _of(each, names) | _seats(each.players) | both)
    rows += [{"round": number, "sits_out": entry} for entry in told.sit_outs]
    return _sheet(found, f"round-{number}", names, rows)


async def get_entries(visit: Visit) -> web.Response:
    """The pairs. Raises EventNotFound."""
    found = await head(visit)
    view = await event_reading.field(visit.services.database, found.event.id, NOBODY)
    names = [*PAIR, "registered_at", "first_round", "withdrawn", "seeded", "protected"]
    rows = [
        _of(each, names) | _pair(each.entry, each.players, each.names)
        for each in rendering_events.entry_list(view).entries
    ]
    return _sheet(found, "pairs", names, rows)


async def get_card(visit: Visit) -> web.Response:
    """A pair's boards in order; a round that was awarded as a whole has one line without a board.

    Raises EventNotFound, EntryNotFound.
    """
    found, number = await head(visit), part(visit, "entry", EntryNotFound)
    services = visit.services
    named = (found.event.id, number)
    view = await event_views.card(services.database, named, PUBLIC, services.secrecy, visit.now)
    names = ["round", "kind", "table", "side", "opponents", "round_score", "board", "contract", "declarer"]
    names += ["tricks", "lead", "score", "points", "artificial"]
    rows: list[Row] = []
    for each in rendering_events.scorecard(view.card).rounds:
        round_ = dict(_of(each, names[:5])) | {"round_score": each.score}
        for board in each.boards:
            told = shown(view.results.get(board.number), each.side)
            table = {} if told is None else _of(told, names) | {"contract": str(told.contract or "PASS")}
            points = {"board": board.number, "points": board.score, "artificial": board.artificial}
            rows.append(round_ | table | points)
        if not each.boards:
            rows.append(round_)
    return _sheet(found, f"pair-{number}", names, rows)


async def get_board(visit: Visit) -> web.Response:
    """What every table did on a board; while it may be played only the header.

    Raises EventNotFound, BoardNotFound.
    """
    found, number = await head(visit), part(visit, "number", BoardNotFound)
    services = visit.services
    view = await event_reading.board(
        services.database, found.event.id, number, PUBLIC, services.secrecy, visit.now
    )
    return _sheet(found, f"board-{number}", _BOARD, _compared(view))


_BOARD = ["round", "board", "table", "ns", "ew", *SEATS, "contract", "declarer", "tricks", "lead", "score"]
_BOARD += ["points_ns", "points_ew", "artificial_ns", "artificial_ew", "id"]


def _compared(view: BoardView) -> Iterable[Row]:
    told = rendering_events.comparison(view)
    place = {"round": told.round, "board": told.board.number}
    for each in told.results:
        field = each.field
        points = {} if field is None else {"points_ns": field.ns, "points_ew": field.ew}
        yield place | _of(each, _BOARD) | _seats(each.players) | points
    for ruled in told.adjustments:
        if ruled.ns is not None:
            yield place | {"table": ruled.table, "artificial_ns": ruled.ns, "artificial_ew": ruled.ew}


async def get_vps(visit: Visit) -> web.Response:
    """What margins are worth, for the scale and number of boards of the event. Raises EventNotFound."""
    found = await head(visit)
    table = conversion_table(found.rules.vp_scale, found.rules.boards) if found.by_vps else ()
    names = ["imps", "winner", "loser"]
    rows = [
        {"imps": imps, "winner": figure(each.ours), "loser": figure(each.theirs)}
        for imps, each in enumerate(table)
    ]
    return _sheet(found, "vp", names, rows)


def _sheet(found: Head, what: str, names: Sequence[str], rows: Iterable[Row]) -> web.Response:
    content = write_table(names, [[cell(row.get(name)) for name in names] for row in rows])
    return file(f"{found.id}-{what}.csv", content, CSV)


def _of(told: object, names: Iterable[str]) -> dict[str, object]:
    """Members of an answer of the API that are columns here."""
    return {name: getattr(told, name) for name in names if hasattr(told, name)}


def _pair(number: int, players: Sequence[str], names: Sequence[str]) -> dict[str, object]:
    return dict(zip(PAIR, (number, *players, *names), strict=True))


def _seats(players: object) -> dict[str, object]:
    return {name: getattr(players, name[0].upper()) for name in SEATS}
