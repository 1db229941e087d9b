"""Results: reported one by one or in batches, read, explained."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from aiohttp import web

from server.bridge.contract import PASSED_OUT, Contract, Outcome, parse_contract, parse_result
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError, Impossible
from server.bridge.seats import Seat
from server.services import explain, travellers
from server.services.arrivals import BoardNumber, Report, Taken, Verdict
from server.services.errors import InvalidResult, ResultNotFound, ServiceError
from server.services.idempotency import Answered, Once
from server.storage.ids import board_number, result_number
from server.web import bodies, problems, schemas
from server.web.answers import answered, json_answer
from server.web.explaining import explanation
from server.web.keys import Call
from server.web.rendering import result_detail

NDJSON = "application/x-ndjson"
MOST_ROWS = 1000


async def post(call: Call) -> web.Response:
    """Take one result in."""
    key = call.request.headers.get("Idempotency-Key")
    if key is None:
        raise problems.IdempotencyKeyMissing
    value = bodies.parse(await bodies.read(call.request))
    body = bodies.convert(value, schemas.ResultBody)
    once = Once(call.client, bodies.key(key), bodies.fingerprint(value))
    (verdict,) = await call.services.ingest.submit([report(body, once)])
    return answered(_settled(verdict, call))
