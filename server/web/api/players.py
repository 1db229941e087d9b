"""Players: who they are."""

from aiohttp import web

from server.services import errors, players
from server.services.errors import PlayerNotFound
from server.services.players import PlayerCard, PlayerChange
from server.services.tokens import Scope
from server.web import bodies, fields, requests, schemas
from server.web.answers import json_answer
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody
from server.web.routes import BASE, Route


async def get(call: Call) -> web.Response:
    """One player."""
    name = _named(call)
    return json_answer(
        _shown(await players.get(call.services.database, name, call.caller.may(Scope.RESULTS)), call)
    )


async def put(call: Call) -> web.Response:
    """Name a player, hide him, link his accounts."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests.PlayerBody)
    name = bodies.convert(_named(call), fields.Id, "the id in the address")
    for i, other in enumerate(body.linked or []):
        if other == name:
            raise InvalidBody((FieldError(f"/linked/{i}", "an account is not linked to itself"),))
    wanted = PlayerChange(
        name=body.name,
        alias=body.alias,
        hidden=body.hidden,
        member=body.member,
        linked=None if body.linked is None else tuple(body.linked),
    )
    create = call.services.settings.players_auto_create
    card = await players.change(call.services.database, call.client, name, wanted, create, call.now)
    return json_answer(_shown(card, call))


def _named(call: Call) -> str:
    name = call.request.match_info["id"]
    if "\x00" in name:
        raise PlayerNotFound("player")
    return name


def _shown(card: PlayerCard, call: Call) -> schemas.Player:
    player = card.player
    shown = schemas.Player(id=player.id, name=player.shown_name, member=player.member)
    if call.caller.may(Scope.RESULTS):
        shown.full_name, shown.alias, shown.hidden = player.name, player.alias, player.hidden
        shown.linked = card.linked
    return shown


ROUTES = (
    Route(
        "GET",
        f"{BASE}/players/{{id}}",
        get,
        "Players",
        schemas.Player,
        "Read a player",
        problems=(errors.PlayerNotFound,),
        private=True,
    ),
    Route(
        "PUT",
        f"{BASE}/players/{{id}}",
        put,
        "Players",
        schemas.Player,
        "Name a player, link his accounts",
        "`linked` is the whole list of the person's other accounts: nobody of them is dealt a board that "
        "another has played or seen.",
        scope=Scope.RESULTS,
        body=requests.PlayerBody,
        problems=(
            errors.PlayerNotFound,
            errors.UnknownPlayer,
            errors.AccountLinkedElsewhere,
        ),
    ),
)
