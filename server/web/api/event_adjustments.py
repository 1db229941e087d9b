"""Artificial scores of boards that a table of an event could not play to a result."""

from aiohttp import web
from sqlalchemy import Connection

from server.bridge.adjustments import Artificial, Average
from server.services import errors, event_adjustments, event_errors
from server.services.event_adjustments import Wanted, check_basis
from server.services.event_direction import Chair
from server.services.idempotency import Answered, once
from server.services.rulings import basis_of
from server.services.tokens import Scope
from server.web import bodies, queries, rendering
from server.web import rendering_adjustments as shown
from server.web.answers import answered
from server.web.api.events import named
from server.web.api.rulings import DRY_RUN, IF_MATCH, version_of
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody, VersionMissing
from server.web.requests_events import ArtificialBody
from server.web.routes import BASE, KEY, Route
from server.web.schemas_adjustments import ArtificialRuling


async def post(call: Call) -> web.Response:
    """Award both sides a score for a board without result, or take it back."""
    value = bodies.parse(await bodies.read(call.request))
    wanted = _wanted(bodies.convert(value, ArtificialBody), version_of(call))
    number, database = named(call), call.services.database
    chair = Chair(call.services.keeper, call.caller, call.now)
    if queries.flag("dry_run", call.request.query.get("dry_run")):
        found = await database.read(lambda c: event_adjustments.preview(c, chair, number, wanted))
        return answered(Answered(200, rendering.text(shown.artificial_ruling(found, True))))
    request = call.once({"address": call.request.path, "version": wanted.version, "body": value})

    def verb(connection: Connection) -> Answered:
        return once(
            connection,
            request,
            call.now,
            lambda: event_adjustments.adjust(connection, chair, number, wanted),
            lambda made: rendering.text(shown.artificial_ruling(made, False)),
            200,
        )

    return answered(await database.write(verb))


def _wanted(body: ArtificialBody, version: int) -> Wanted:
    if (body.ns is None) != (body.ew is None):
        raise InvalidBody(
            (FieldError("/ew" if body.ew is None else "/ns", "both sides have a score, or none"),)
        )
    if body.ns is None or body.ew is None:
        score = basis = None
    else:
        score = Artificial(Average(body.ns), Average(body.ew))
        basis = basis_of(body.basis, body.infraction, body.damage)
        check_basis(basis)
    return Wanted(
        body.round,
        body.table,
        body.board,
        version,
        score,
        basis,
        body.infraction,
        body.damage,
        body.reason,
    )


ROUTES = (
    Route(
        "POST",
        f"{BASE}/events/{{id}}/adjustments",
        post,
        "Events",
        ArtificialRuling,
        "Award a score for a board without result",
        "Artificial adjusted scores (Law 12C2), for each side its own: 60, 50 or 40 %, or 2.5, 0 or -2.5 "
        "IMPs. They are compared with nothing, and the board counts as finished. `basis` is `damage`, with "
        "`infraction` and `damage` stated, or `unplayable`. Without `ns` and `ew` what was awarded is taken "
        "back. The version is that of the last ruling on this board at this table, `v0` before the first.",
        scope=Scope.DIRECTOR,
        body=ArtificialBody,
        idempotent=True,
        parameters=(IF_MATCH, DRY_RUN, KEY),
        problems=(
            VersionMissing,
            event_errors.EventNotFound,
            event_errors.DirectorPlays,
            event_errors.EventState,
            event_errors.TableNotInRound,
            errors.BoardNotFound,
            event_errors.ResultStands,
            errors.StaleVersion,
            errors.AdjustmentWithoutDamage,
        ),
    ),
)
