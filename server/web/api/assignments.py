"""Asking for a board to play."""

from aiohttp import web

from server.services import assignments, errors
from server.services.assignments import Dealt, Seating
from server.services.boards import pool_named
from server.services.errors import InvalidResult
from server.services.idempotency import once
from server.services.tokens import Scope
from server.storage.ids import assignment_id
from server.web import bodies, rendering, requests, schemas
from server.web.answers import answered
from server.web.keys import Call
from server.web.routes import BASE, KEY, Route


async def post(call: Call) -> web.Response:
    """Deal a board that none of the four has played or seen."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests.AssignmentBody)
    services = call.services
    players = (body.players.N, body.players.E, body.players.S, body.players.W)
    for seat, player in zip("NESW", players, strict=True):
        if players.index(player) != "NESW".index(seat):
            raise InvalidResult(f"/players/{seat}", f"{player!r} sits twice at the table")
    seating = Seating(body.table, pool_named(services.pools, body.pool), players)
    request = call.once(value)
    create, lifetime = services.settings.players_auto_create, services.assignment_lifetime
    answer = await services.database.write(
        lambda connection: once(
            connection,
            request,
            call.now,
            lambda: assignments.deal_to(
                connection, call.client, seating, create, services.zone, lifetime, call.now
            ),
            _text,
        )
    )
    return answered(answer)


def _text(dealt: Dealt) -> str:
    deal = None if dealt.board.deal is None else str(dealt.board.deal)
    return rendering.text(
        schemas.Assignment(assignment_id(dealt.id), rendering.made_board(dealt.board), deal, dealt.expires_at)
    )


ROUTES = (
    Route(
        "POST",
        f"{BASE}/assignments",
        post,
        "Boards",
        schemas.Assignment,
        "Ask for a board to play",
        "A board of the open week that none of the four, and no linked account, has played, been dealt or "
        "seen. Assignments limit dealing only: the first forty results win.",
        status=201,
        scope=Scope.RESULTS,
        body=requests.AssignmentBody,
        idempotent=True,
        parameters=(KEY,),
        problems=(
            errors.NoBoardAvailable,
            errors.InvalidResult,
            errors.UnknownPlayer,
            errors.UnknownPool,
            errors.MembersOnly,
        ),
    ),
)
