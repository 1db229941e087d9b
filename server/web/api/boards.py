"""Board sets, boards and travellers."""

from aiohttp import web

from server.bridge.deal import parse_deal
from server.bridge.errors import BridgeError
from server.bridge.pool import DEFAULT_POOL
from server.bridge.seats import Seat, Vulnerability
from server.bridge.week import Week, parse_week, week_of
from server.services import boards, errors, travellers
from server.services.boards import BoardSet, GivenBoard
from server.services.errors import BoardNotFound, InvalidBoard, UnknownPool
from server.services.idempotency import once
from server.services.tokens import Scope
from server.storage.ids import board_number
from server.web import bodies, queries, rendering, requests, schemas
from server.web.answers import answered, json_answer
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody
from server.web.routes import BASE, KEY, PAGE, VIEWER, Parameter, Route


async def post_set(call: Call) -> web.Response:
    """Make boards for a week."""
    value = bodies.parse(await bodies.read(call.request, bodies.BATCH_LIMIT))
    body = bodies.convert(value, requests.BoardSetBody)
    week = _week(body.week)
    pool = boards.pool_named(call.services.pools, body.pool)
    wanted = _wanted(body)
    request = call.once(value)
    answer = await call.services.database.write(
        lambda connection: once(
            connection,
            request,
            call.now,
            lambda: boards.make_set(
                connection, call.caller, week, pool, wanted, call.services.zone, call.now
            ),
            _set_text,
        )
    )
    return answered(answer)


async def get(call: Call) -> web.Response:
    """One board."""
    view = await boards.get(
        call.services.database, _named(call), call.reader, call.services.secrecy, call.now
    )
    return json_answer(rendering.board_view(view.board, view.open))


async def get_list(call: Call) -> web.Response:
    """Boards of a week and pool, a page at a time."""
    query = call.request.query
    current = str(week_of(call.now, call.services.zone))
    week = queries.week(query.get("week", current))
    pool = query.get("pool", DEFAULT_POOL)
    if pool not in call.services.pools:
        raise UnknownPool("?pool", f"no pool is called {pool!r}")
    limit = queries.limit(query.get("limit"))
    after = queries.read_cursor(query.get("cursor"), call.services.secret)
    found = await boards.page(call.services.database, week, pool, after, limit + 1)
    page, more = found[:limit], len(found) > limit
    cursor = queries.cursor(page[-1].number, call.services.secret) if more else None
    answer = schemas.BoardList([rendering.board_view(board, False) for board in page], cursor)
    return json_answer(answer, headers=queries.next_link(call.request, cursor))


async def get_traveller(call: Call) -> web.Response:
    """All results of one board."""
    view = await travellers.traveller(
        call.services.database, _named(call), call.reader, call.services.secrecy, call.now
    )
    return json_answer(rendering.traveller(view))


def _set_text(made: BoardSet) -> str:
    shown = [rendering.made_board(board) for board in made.boards]
    return rendering.text(schemas.BoardSet(str(made.week), made.pool, shown))


def _named(call: Call) -> int:
    text = call.request.match_info["id"]
    number = board_number(text)
    if number is None:
        raise BoardNotFound(text)
    return number


def _week(text: str) -> Week:
    try:
        return parse_week(text)
    except BridgeError as error:
        raise InvalidBody((FieldError("/week", str(error)),)) from error


def _wanted(body: requests.BoardSetBody) -> int | list[GivenBoard]:
    if (body.count is None) == (body.boards is None):
        raise InvalidBody((FieldError("/count", "give either `count` or `boards`"),))
    if body.boards is None:
        return body.count or 0
    return [_given(board, i) for i, board in enumerate(body.boards)]


def _given(board: requests.BoardBody, index: int) -> GivenBoard:
    try:
        deal = None if board.deal is None else parse_deal(board.deal)
    except BridgeError as error:
        raise InvalidBoard(f"/boards/{index}/deal", str(error)) from error
    return GivenBoard(
        board.number,
        deal,
        None if board.dealer is None else Seat(board.dealer),
        None if board.vulnerability is None else Vulnerability(board.vulnerability),
    )


ROUTES = (
    Route(
        "POST",
        f"{BASE}/board-sets",
        post_set,
        "Boards",
        schemas.BoardSet,
        "Make boards for a week",
        "Deals fresh boards from a cryptographic source, or takes those given. A second set for the week "
        "goes on numbering. A past week needs admin.",
        status=201,
        scope=Scope.BOARDS,
        body=requests.BoardSetBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(errors.BoardNumberTaken, errors.InvalidBoard, errors.UnknownPool),
    ),
    Route(
        "GET",
        f"{BASE}/boards",
        get_list,
        "Boards",
        schemas.BoardList,
        "List the boards of a week",
        parameters=(
            Parameter("week", "An ISO week; the open one by default.", {"type": "string"}),
            Parameter("pool", "The pool.", {"type": "string", "default": DEFAULT_POOL}),
            *PAGE,
        ),
        problems=(errors.UnknownPool,),
    ),
    Route(
        "GET",
        f"{BASE}/boards/{{id}}",
        get,
        "Boards",
        schemas.Board,
        "Read a board",
        "Its deal is there once nobody can still be playing it.",
        parameters=(VIEWER,),
        problems=(errors.BoardNotFound, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/boards/{{id}}/traveller",
        get_traveller,
        "Boards",
        schemas.Traveller,
        "Read the traveller of a board",
        parameters=(VIEWER,),
        problems=(errors.BoardNotFound, errors.ScopeMissing),
        private=True,
    ),
)
