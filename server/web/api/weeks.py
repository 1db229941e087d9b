"""Weeks, their ratings and their leaderboards."""

import csv
import io
import re
from collections.abc import Iterable
from enum import StrEnum

import msgspec
from aiohttp import web

from server.bridge.errors import BridgeError
from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import Week, parse_week
from server.services import errors, weeks
from server.services.leaderboards import Leaderboard, Wanted
from server.services.tokens import Scope
from server.storage.leaderboards import Filters, Order
from server.web import queries, rendering, schemas, schemas_weeks
from server.web import rendering_weeks as weekly
from server.web.answers import JSON, json_answer
from server.web.keys import Call
from server.web.problems import InvalidBody
from server.web.routes import BASE, PAGE, POOL, Parameter, Route

CSV, NDJSON = "text/csv", "application/x-ndjson"
_MOST_BOARDS = 1_000_000
HIGHEST_INDEX = 1000  # beyond any
_INDEX: dict[str, object] = {"type": "number", "minimum": 0, "maximum": HIGHEST_INDEX}


class Format(StrEnum):
    """What a leaderboard is read as, by ``?format=``: plain links cannot set `Accept`."""

    JSON = "json"
    CSV = "csv"
    NDJSON = "ndjson"


_MEDIA = {Format.JSON: None, Format.CSV: CSV, Format.NDJSON: NDJSON}


async def get_current(call: Call) -> web.Response:
    """The week that is open."""
    services = call.services
    found = await weeks.current(services.database, DEFAULT_POOL, call.now, services.zone)
    return json_answer(rendering.week(found))


async def get_week(call: Call) -> web.Response:
    """Where a week stands."""
    services, pool = call.services, queries.pool(call)
    found = await weeks.status(services.database, named(call), pool, call.now, services.zone)
    return json_answer(rendering.week(found))


async def get_leaderboard(call: Call) -> web.Response:
    """A page of a leaderboard, or all of it as a table."""
    table = _table_wanted(call)
    wanted = _wanted(call, table is not None)
    found = await call.services.leaderboards.page(wanted, call.now)
    if table is not None:
        return _table(found, table)
    after = found.offset + len(found.entries)
    cursor = queries.cursor(after, call.services.secret) if after < found.total else None
    return json_answer(weekly.leaderboard(found, cursor), headers=queries.next_link(call.request, cursor))


def _table(found: Leaderboard, media: str) -> web.Response:
    """All rows as a file."""
    named, kind = f"{found.status.week}-{found.pool}-{found.order}", "csv" if media == CSV else "ndjson"
    if media == CSV:
        response = web.Response(text=_as_csv(found), content_type=CSV, charset="utf-8")
    else:
        rows = (weekly.leaderboard_row(each, found.official) for each in found.entries)
        body = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        response = web.Response(body=body, content_type=NDJSON)
    plain = re.sub("[^A-Za-z0-9._-]", "_", named)
    response.headers["Content-Disposition"] = f'attachment; filename="{plain}.{kind}"'
    return response


async def post_rate(call: Call) -> web.Response:
    """Close a week and every one before it."""
    closed = await call.services.closing.close_up_to(named(call), call.client)
    return json_answer(schemas_weeks.RatedWeeks([weekly.closed(each) for each in closed]))


def named(call: Call) -> Week:
    """The week in the address; raises InvalidBody when it is none."""
    try:
        return parse_week(call.request.match_info["week"])
    except BridgeError as error:
        raise queries.refused("week", str(error)) from error


def _wanted(call: Call, everything: bool) -> Wanted:
    query = call.request.query
    return Wanted(
        week=named(call),
        pool=query.get("pool", DEFAULT_POOL),
        order=queries.choice(query.get("rating"), "rating", Order, Order.SKILL),
        filters=Filters(
            queries.number(query.get("min_boards"), "min_boards", _MOST_BOARDS) or 0,
            queries.words(query.get("q")),
            queries.maybe("provisional", query.get("provisional")),
            queries.decimal(query.get("index_from"), "index_from", HIGHEST_INDEX),
            queries.decimal(query.get("index_to"), "index_to", HIGHEST_INDEX),
        ),
        offset=queries.read_cursor(query.get("cursor"), call.services.secret),
        limit=None if everything and "limit" not in query else queries.limit(query.get("limit")),
        revision=queries.number(query.get("revision"), "revision", _MOST_BOARDS),
        around=query.get("around"),
    )


def _table_wanted(call: Call) -> str | None:
    """CSV or NDJSON, where the client asks for one of them, or would rather have it than JSON."""
    if (named := call.request.query.get("format")) is not None:
        return _MEDIA[queries.choice(named, "format", Format, Format.JSON)]
    for each in call.request.headers.get("Accept", "").split(","):
        media = each.split(";")[0].strip().lower()
        if media in (CSV, NDJSON):
            return media
        if media in (JSON, "*/*", "application/*"):
            return None
    return None


_COLUMNS = (
    *("rank", "movement", "id", "name", "skill_index", "week_points", "week_boards", "total_boards"),
    *("last_week_average", "joint_index", "joint_error", "provisional", "pair_only", "island"),
)


def _as_csv(found: Leaderboard) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    writer.writerows(_cells(weekly.leaderboard_row(each, found.official)) for each in found.entries)
    return text.getvalue()


def _cells(row: schemas_weeks.LeaderboardRow) -> Iterable[object]:
    figures, joint = row.figures, row.joint
    return (
        row.rank,
        row.movement,
        _harmless(row.player.id),
        _harmless(row.player.name),
        figures.skill_index,
        figures.week_points,
        figures.week_boards,
        figures.total_boards,
        figures.last_week_average,
        None if joint is None else joint.index,
        None if joint is None else joint.error,
        *(int(each) for each in (row.provisional, row.pair_only, row.island)),
    )


def _harmless(text: str) -> str:
    """No spreadsheet takes a name for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


ROUTES = (
    Route(
        "GET",
        f"{BASE}/weeks/current",
        get_current,
        "Weeks",
        schemas.Week,
        "The week that is open",
    ),
    Route(
        "GET",
        f"{BASE}/weeks/{{week}}",
        get_week,
        "Weeks",
        schemas.Week,
        "Where a week stands",
        "By the clock of its zone, and by what was made of it: `ended` until it is rated, `dirty` when "
        "something changed since.",
        parameters=(POOL,),
        problems=(errors.UnknownPool,),
    ),
    Route(
        "GET",
        f"{BASE}/weeks/{{week}}/leaderboard",
        get_leaderboard,
        "Weeks",
        schemas_weeks.Leaderboard,
        "Read a leaderboard",
        "Of a closed week as it was published, of the open one as it stands. `Accept: text/csv` or "
        "`application/x-ndjson`, or `format`, gives all rows as a table.",
        parameters=(
            POOL,
            Parameter(
                "rating",
                "What it is ordered by.",
                {"enum": [each.value for each in Order], "default": "skill"},
            ),
            Parameter("min_boards", "Boards of the week at least.", {"type": "integer", "minimum": 0}),
            Parameter("q", "Words in the id or name.", {"type": "string", "maxLength": 64}),
            Parameter(
                "provisional",
                "Only players whose index rests on few boards, or only the others.",
                {"type": "boolean"},
            ),
            Parameter("index_from", "Skill index at least; who is not rated has 50.", _INDEX),
            Parameter("index_to", "Skill index at most.", _INDEX),
            Parameter(
                "format",
                "What to answer with, whatever `Accept` says.",
                {"enum": [each.value for each in Format]},
            ),
            Parameter("around", "The page with this player in its middle.", {"type": "string"}),
            Parameter("revision", "An earlier revision of a closed week.", {"type": "integer", "minimum": 1}),
            *PAGE,
        ),
        tables=(CSV, NDJSON),
        problems=(errors.UnknownPool, errors.WeekNotFound, errors.PlayerNotFound),
    ),
    Route(
        "POST",
        f"{BASE}/weeks/{{week}}/rate",
        post_rate,
        "Weeks",
        schemas_weeks.RatedWeeks,
        "Close a week and every one before it",
        "The server does this by itself. Again: nothing changes, unless results came or were corrected; then "
        "a new revision is published.",
        scope=Scope.ADMIN,
        problems=(errors.WeekNotFound, errors.WeekNotOver, InvalidBody),
    ),
)
