"""Ruling on results."""

import re
from functools import partial
from typing import Any

from aiohttp import web
from sqlalchemy import Connection

from server.services import errors, event_errors, rulings
from server.services.idempotency import Answered, Once, once
from server.services.rulings import Ruled, Ruling, basis_of
from server.services.tokens import Scope
from server.storage.ids import result_id
from server.web import bodies, queries, rendering, rendering_adjustments, requests, schemas_rulings
from server.web.answers import answered
from server.web.api.results import named_result
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody, VersionMissing
from server.web.reports import outcome_of
from server.web.routes import BASE, KEY, Parameter, Problems, Route

SUPPORTED = ("assigned",)
LATER = ("artificial", "weighted", "split")
_VERSION = re.compile(r'"v([0-9]{1,9})"')


async def post_void(call: Call) -> web.Response:
    """Make a result void."""
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests.VoidBody)
    return await _rule(call, value, Ruling(body.reason))


async def post_adjust(call: Call) -> web.Response:
    """Assign another result."""
    value = bodies.parse(await bodies.read(call.request))
    if isinstance(value, dict) and value.get("kind") in LATER:
        raise errors.AdjustmentNotSupported(value["kind"], SUPPORTED)
    body = bodies.convert(value, requests.AdjustBody)
    outcome = outcome_of(body)
    basis = basis_of(body.basis, body.infraction, body.damage)
    return await _rule(call, value, Ruling(body.reason, outcome, basis, body.infraction, body.damage))


async def _rule(call: Call, value: Any, ruling: Ruling) -> web.Response:
    director, subject, version = call.director, named_result(call), version_of(call)
    database = call.services.database
    if queries.flag("dry_run", call.request.query.get("dry_run")):
        found = await database.read(
            lambda connection: rulings.preview(connection, director, subject, version, ruling)
        )
        return answered(Answered(200, _text(True, found)))
    request = _once(call, version, value)

    def verb(connection: Connection) -> Answered:
        def rule() -> Ruled:
            return rulings.rule(connection, director, subject, version, ruling)

        return once(connection, request, call.now, rule, partial(_text, False), 200)

    return answered(await database.write(verb))


def version_of(call: Call) -> int:
    """The version that the ruling is about; raises VersionMissing, InvalidBody."""
    header = call.request.headers.get("If-Match")
    if header is None:
        raise VersionMissing
    match = _VERSION.fullmatch(header.strip())
    if match is None:
        raise InvalidBody((FieldError("If-Match", 'expected "v<version>", such as "v1"'),))
    return int(match[1])


def _once(call: Call, version: int, value: Any) -> Once | None:
    # The body alone does not say which result is ruled on.
    return call.once({"address": call.request.path, "version": version, "body": value})


def _text(dry_run: bool, found: Ruled) -> str:
    return rendering.text(
        schemas_rulings.Ruling(
            id=result_id(found.board.id, found.result.sequence),
            board=rendering.brief(found.board),
            state=found.state.value,
            version=found.result.version,
            ruling=rendering.revision(found.revision),
            moves=[_move(move) for move in found.moves],
            pairs=rendering_adjustments.pair_moves(found.pairs),
            dry_run=dry_run,
        )
    )


def _move(move: rulings.Move) -> schemas_rulings.Move:
    return schemas_rulings.Move(
        id=result_id(move.result.board, move.result.sequence),
        sequence=move.result.sequence,
        table=move.result.table,
        players=rendering.seated(move.players),
        before=_scored(move.before),
        after=_scored(move.after),
    )


def _scored(found: rulings.Scored) -> schemas_rulings.Scored:
    return schemas_rulings.Scored(
        found.state.value, rendering.sides(found.award), rendering.sides(found.field)
    )


IF_MATCH = Parameter(
    "If-Match",
    'The version that the ruling is about: `"v<version>"`, with the `version` of the result.',
    {"type": "string", "pattern": r'^"v[0-9]{1,9}"$'},
    place="header",
    required=True,
)
DRY_RUN = Parameter(
    "dry_run",
    "Shows whose figures would move, and changes nothing.",
    {"type": "boolean", "default": False},
)
_PROBLEMS: Problems = (
    VersionMissing,
    errors.ResultNotFound,
    errors.OwnBoard,
    event_errors.DirectorPlays,
    errors.StaleVersion,
    errors.AlreadyVoid,
    errors.BoardWithdrawn,
)

ROUTES = (
    Route(
        "POST",
        f"{BASE}/results/{{id}}/void",
        post_void,
        "Rulings",
        schemas_rulings.Ruling,
        "Make a result void",
        "It counts for nothing any more and loses its award; the whole board is scored again. Its slot is "
        "free, unless the board was retired; its players may report another result. A board with too few "
        "results left is pending again. Nothing is overwritten: what was, and why, stays readable. Of an "
        "event, `pairs` tells whose score, total or rank moves.",
        scope=Scope.DIRECTOR,
        body=requests.VoidBody,
        idempotent=True,
        parameters=(IF_MATCH, DRY_RUN, KEY),
        problems=_PROBLEMS,
    ),
    Route(
        "POST",
        f"{BASE}/results/{{id}}/adjust",
        post_adjust,
        "Rulings",
        schemas_rulings.Ruling,
        "Adjust a result",
        "Assigns another result (Law 12C1), which counts like any other. `basis` is `damage`, with "
        "`infraction` and `damage` stated, `unplayable` or `score_error`: what did no damage is no reason to "
        "adjust. The whole board is scored again; of the awards only that of this result is new, measured "
        "against what it was measured against before.",
        scope=Scope.DIRECTOR,
        body=requests.AdjustBody,
        idempotent=True,
        parameters=(IF_MATCH, DRY_RUN, KEY),
        problems=(
            *_PROBLEMS,
            errors.InvalidResult,
            errors.AdjustmentWithoutDamage,
            errors.AdjustmentNotSupported,
        ),
    ),
)
