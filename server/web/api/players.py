"""Players: who they are."""

from aiohttp import web

from server.bridge.pool import DEFAULT_POOL
from server.services import errors, grades, player_results, players
from server.services.errors import PlayerNotFound
from server.services.player_results import PlayerResults
from server.services.players import PlayerCard, PlayerChange
from server.services.tokens import Scope
from server.web import (
    bodies,
    fields,
    queries,
    rendering,
    rendering_careers,
    rendering_explain_week,
    rendering_weeks,
    requests,
    schemas,
    schemas_careers,
    schemas_explain_week,
    schemas_weeks,
)
from server.web.answers import json_answer
from server.web.api import weeks
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody
from server.web.routes import BASE, PAGE, POOL, VIEWER, Route


async def get(call: Call) -> web.Response:
    """One player with his figures."""
    name, known = _named(call), call.caller.may(Scope.RESULTS)
    found = await call.services.figures.figures(name, _pool(call), call.now, known)
    merit = await grades.of_player(call.services.database, call.services.keeper.scale, name)
    shown = rendering_weeks.player(found, merit)
    if known:
        card = await players.get(call.services.database, name, known)
        shown.full_name, shown.alias = card.player.name, card.player.alias
        shown.hidden, shown.linked = card.player.hidden, card.linked
    return json_answer(shown)


async def get_weeks(call: Call) -> web.Response:
    """Every closed week of a player."""
    known = call.caller.may(Scope.RESULTS)
    _, found = await call.services.figures.weeks(_named(call), _pool(call), known)
    return json_answer(schemas_weeks.PlayerWeeks([rendering_weeks.player_week(each) for each in found]))


async def get_results(call: Call) -> web.Response:
    """A player's results, as far as the caller may see them."""
    query, services = call.request.query, call.services
    limit = queries.limit(query.get("limit"))
    wanted = PlayerResults(
        _named(call),
        queries.pool(call),
        queries.read_cursor(query.get("cursor"), services.secret),
        limit + 1,
        call.caller.may(Scope.RESULTS),
    )
    found = await player_results.of_player(services.database, wanted, call.reader, services.secrecy, call.now)
    more, shown = len(found) > limit, found[:limit]
    cursor = queries.cursor(shown[-1][0].board.id, services.secret) if more else None
    rows = [rendering.result_detail(row, view) for row, view in shown]
    answer = schemas_weeks.PlayerResults(rows, cursor)
    return json_answer(answer, headers=queries.next_link(call.request, cursor))


async def get_career(call: Call) -> web.Response:
    """A player's boards taken together."""
    known, pool = call.caller.may(Scope.RESULTS), _pool(call)
    found = await call.services.careers.of(_named(call), pool, known, call.now)
    return json_answer(rendering_careers.career(found, pool))


async def get_week_explanation(call: Call) -> web.Response:
    """How a player's week came about, as far as the caller may see its boards."""
    week, pool = weeks.named(call), _pool(call)
    found = await call.services.explainer.explain(_named(call), week, pool, call.reader, call.now)
    return json_answer(rendering_explain_week.week_explained(found))


def _pool(call: Call) -> str:
    return call.request.query.get("pool", DEFAULT_POOL)


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
        schemas_weeks.PlayerView,
        "Read a player with his figures",
        parameters=(POOL,),
        problems=(errors.PlayerNotFound, errors.UnknownPool),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/players/{{id}}/weeks",
        get_weeks,
        "Players",
        schemas_weeks.PlayerWeeks,
        "Read a player's closed weeks",
        parameters=(POOL,),
        problems=(errors.PlayerNotFound, errors.UnknownPool),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/players/{{id}}/results",
        get_results,
        "Players",
        schemas_weeks.PlayerResults,
        "Read a player's results",
        "Newest boards first. Of boards that may still be played the public sees that the result is there.",
        parameters=(VIEWER, POOL, *PAGE),
        problems=(errors.PlayerNotFound, errors.UnknownPool, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/players/{{id}}/career",
        get_career,
        "Players",
        schemas_careers.Career,
        "Read a player's boards taken together",
        "With whom he played, as what, his best and worst boards: of those that nobody plays any more.",
        parameters=(POOL,),
        problems=(errors.PlayerNotFound, errors.UnknownPool),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/players/{{id}}/weeks/{{week}}/explain",
        get_week_explanation,
        "Players",
        schemas_explain_week.WeekExplanation,
        "Explain a player's week",
        "Every board Rate with the four Rates, P and S4, every line of the points, and how they add up. "
        "Before the week is rated the lines have no Rates. Boards that the reader may not see yet are left "
        "out and counted.",
        parameters=(POOL, VIEWER),
        problems=(errors.PlayerNotFound, errors.UnknownPool, errors.WeekNotFound, errors.ScopeMissing),
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
