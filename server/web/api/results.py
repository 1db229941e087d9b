"""Results: reported one by one or in batches, read, explained."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from server.services import errors, event_errors, explain, travellers
from server.services.arrivals import Taken, Verdict
from server.services.errors import ResultNotFound, ServiceError
from server.services.idempotency import Answered, Once
from server.services.reports import Report
from server.services.tokens import Scope
from server.storage.errors import StorageError
from server.storage.ids import result_number
from server.web import bodies, problems, requests, schemas
from server.web.answers import answered, json_answer
from server.web.explaining import explanation
from server.web.keys import Call
from server.web.rendering import result_detail
from server.web.reports import report
from server.web.requests_events import EventBatchRow
from server.web.routes import BASE, BOARD_HEADER, NEEDED_KEY, VIEWER, Problems, Route

AnyRow = TypeVar("AnyRow", requests.BatchRow, EventBatchRow)
Made = Callable[[Call, AnyRow, str, Any], Report]  # from a row, its key, and its members without that

NDJSON = "application/x-ndjson"
MOST_ROWS = 1000


async def post(call: Call) -> web.Response:
    """Take one result in."""
    key = call.key
    if key is None:
        raise problems.IdempotencyKeyMissing
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, requests.ResultBody)
    once = Once(call.client, key, bodies.fingerprint(value))
    (verdict,) = await call.services.ingest.submit([report(body, once)])
    if isinstance(verdict, Exception):
        raise verdict
    return answered(answer_of(verdict))


async def post_batch(call: Call) -> web.Response:
    """Take many results in; each row is answered as if it had come alone."""
    return await batch(call, requests.BatchRow, _report)


async def batch(call: Call, kind: type[AnyRow], made: Made[AnyRow]) -> web.Response:
    """Take many rows of a kind in."""
    data = await bodies.read(call.request, bodies.BATCH_LIMIT)
    lines = call.request.content_type == NDJSON
    rows = _few(_lines(data) if lines else bodies.parse_rows(data))
    call.pay(len(rows) - 1)  # the first was paid at the door
    items = await _take(call, [_parsed(row, call, kind, made) for row in rows])
    if lines:
        body = b"".join(msgspec.json.encode(item) + b"\n" for item in items)
        return web.Response(body=body, content_type=NDJSON)
    return json_answer({"results": items})


async def get(call: Call) -> web.Response:
    """One result."""
    row, view = await travellers.result(
        call.services.database, named_result(call), call.reader, call.services.secrecy, call.now
    )
    return json_answer(result_detail(row, view))


async def get_explanation(call: Call) -> web.Response:
    """Every step from the contract to the scores of one result."""
    found = await explain.explain(
        call.services.database, named_result(call), call.reader, call.services.secrecy, call.now
    )
    rated = await call.services.explainer.tables(found.row.board, found.row.result.sequence)
    return json_answer(explanation(found, rated))


def named_result(call: Call) -> tuple[int, int]:
    """Board and sequence of the result that the address names; raises ResultNotFound."""
    text = call.request.match_info["id"]
    named = result_number(text)
    if named is None:
        raise ResultNotFound(text)
    return named


def answer_of(verdict: Taken | Answered) -> Answered:
    """What is answered to a result that was taken, now or before."""
    return verdict.answer if isinstance(verdict, Taken) else verdict


def _report(call: Call, row: requests.BatchRow, key: str, own: Any) -> Report:
    return report(row, Once(call.client, key, bodies.fingerprint(own)))


def _lines(data: bytes) -> list[Any]:
    """Rows of NDJSON; a line that is no JSON stands for itself as a problem."""
    rows: list[Any] = []
    for line in data.split(b"\n"):
        if not line.strip():
            continue
        try:
            rows.append(bodies.parse(line))
        except problems.WebError as error:
            rows.append(error)
    return rows


def _few(rows: list[Any]) -> list[Any]:
    if not 1 <= len(rows) <= MOST_ROWS:
        detail = f"a batch has 1 to {MOST_ROWS} rows, not {len(rows)}"
        raise problems.InvalidBody((problems.FieldError("", detail),))
    return rows


async def _take(call: Call, parsed: Sequence[Report | Exception]) -> list[dict[str, Any]]:
    verdicts = await call.services.ingest.submit([row for row in parsed if isinstance(row, Report)])
    left = iter(verdicts)
    return [_item(next(left) if isinstance(row, Report) else row, call) for row in parsed]


def _parsed(value: Any, call: Call, kind: type[AnyRow], made: Made[AnyRow]) -> Report | Exception:
    try:
        if isinstance(value, Exception):
            return value
        row = bodies.convert(value, kind)
        if not isinstance(row.idempotency_key, str):
            return problems.IdempotencyKeyMissing()
        own = {name: part for name, part in value.items() if name != "idempotency_key"}
        return made(call, row, row.idempotency_key, own)
    except (problems.WebError, ServiceError) as error:
        return error


def _item(verdict: Verdict | Exception, call: Call) -> dict[str, Any]:
    if isinstance(verdict, StorageError | ServiceError | problems.WebError):
        call.services.metrics.refused.labels(problems.slug(type(verdict))).inc()
        body: Any = problems.document(verdict, call.request.path)
        return {"status": body["status"], "body": body}
    if isinstance(verdict, Exception):
        raise verdict
    answer = answer_of(verdict)
    item: dict[str, Any] = {"status": answer.status, "body": msgspec.Raw(answer.body.encode())}
    return item | {"replayed": True} if answer.replayed else item


RESULT_PROBLEMS: Problems = (
    errors.BoardNotFound,
    errors.InvalidResult,
    errors.UnknownPlayer,
    errors.MembersOnly,
    errors.BoardNotOpen,
    event_errors.BoardOfEvent,
    errors.BoardWithdrawn,
    errors.TableAlreadyReported,
    errors.AlreadyPlayed,
    errors.BoardRetired,
    errors.QueueFull,
)

ROUTES = (
    Route(
        "POST",
        f"{BASE}/results",
        post,
        "Results",
        schemas.Result,
        "Report a result",
        "The main job. With fewer results than `score_at` the board is pending; the one that makes as many "
        "scores all at once, each further one is scored as it arrives; the one that makes `retire_at` "
        "retires the board.",
        status=201,
        scope=Scope.RESULTS,
        body=requests.ResultBody,
        idempotent=True,
        parameters=(NEEDED_KEY, BOARD_HEADER),
        problems=(problems.IdempotencyKeyMissing, *RESULT_PROBLEMS),
    ),
    Route(
        "POST",
        f"{BASE}/results/batch",
        post_batch,
        "Results",
        schemas.BatchAnswer,
        "Report up to 1,000 results",
        "Each row carries its own `idempotency_key` and is answered as if it had come alone; a bad one harms "
        "no other. NDJSON is answered by NDJSON.",
        scope=Scope.RESULTS,
        body=list[requests.BatchRow],
        ndjson=True,
        problems=(errors.QueueFull,),
    ),
    Route(
        "GET",
        f"{BASE}/results/{{id}}",
        get,
        "Results",
        schemas.ResultDetail,
        "Read a result",
        "While the board may still be played, the public sees that the result is there, nothing else.",
        parameters=(VIEWER,),
        problems=(errors.ResultNotFound, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/results/{{id}}/explain",
        get_explanation,
        "Results",
        schemas.Explanation,
        "Explain a result",
        "Every step from the contract to the scores, as figures and in sentences.",
        parameters=(VIEWER,),
        problems=(errors.ResultNotFound, errors.NotRevealed, errors.ScopeMissing),
        private=True,
    ),
)
