"""Results of events: reported one by one or in batches."""

from typing import Any

from aiohttp import web

from server.services import errors, event_errors
from server.services.idempotency import Once
from server.services.reports import Report, Sitting
from server.services.tokens import Scope
from server.storage.ids import board_number
from server.web import bodies, problems, schemas
from server.web.answers import answered
from server.web.api.events import named
from server.web.api.results import RESULT_PROBLEMS, answer_of, batch
from server.web.keys import Call
from server.web.reports import event_report
from server.web.requests_events import EventBatchRow, EventResultBody
from server.web.routes import BASE, BOARD_HEADER, NEEDED_KEY, Route


async def post(call: Call) -> web.Response:
    """Take the result of a table in."""
    key = call.key
    if key is None:
        raise problems.IdempotencyKeyMissing
    value = bodies.parse(await bodies.read(call.request))
    report = _report(call, bodies.convert(value, EventResultBody), key, value)
    (verdict,) = await call.services.ingest.submit([report])
    if isinstance(verdict, Exception):
        raise verdict
    return answered(answer_of(verdict))


async def post_batch(call: Call) -> web.Response:
    """Take results of many tables in; each row is answered as if it had come alone."""
    return await batch(call, EventBatchRow, _report)


def _report(call: Call, body: EventResultBody, key: str, value: Any) -> Report:
    """``value``: the body as it came, without its key."""
    told = {"event": call.request.match_info["id"], "body": value}
    once = Once(call.client, key, bodies.fingerprint(told))
    by_number = body.board if isinstance(body.board, int) else None
    row = board_number(body.board) if isinstance(body.board, str) else 0
    sitting = Sitting(named(call), body.round, body.table, by_number)
    return event_report(body, once, sitting, row or 0, call.now)


_ADDRESS = f"{BASE}/events/{{id}}/results"

ROUTES = (
    Route(
        "POST",
        _ADDRESS,
        post,
        "Events",
        schemas.Result,
        "Report the result of a table",
        "With the same guarantees as `POST /results`. It counts if it came by the end of the round, or was "
        "played by then and comes before the closing ends. `datum`, `award` and `field` are null: what a "
        "board gives is known when the round is over, and told when it is revealed.",
        status=201,
        scope=Scope.RESULTS,
        body=EventResultBody,
        idempotent=True,
        parameters=(NEEDED_KEY, BOARD_HEADER),
        problems=(
            problems.IdempotencyKeyMissing,
            event_errors.EventNotFound,
            event_errors.TableNotInRound,
            event_errors.RoundOver,
            event_errors.ArtificialStands,
            *RESULT_PROBLEMS,
        ),
    ),
    Route(
        "POST",
        f"{_ADDRESS}/batch",
        post_batch,
        "Events",
        schemas.BatchAnswer,
        "Report up to 1,000 results of an event",
        "Each row carries its own `idempotency_key` and is answered as if it had come alone; a bad one harms "
        "no other. NDJSON is answered by NDJSON.",
        scope=Scope.RESULTS,
        body=list[EventBatchRow],
        ndjson=True,
        problems=(errors.QueueFull,),
    ),
)
