"""Reading the body of a request: strictly, within limits, every complaint with a JSON pointer."""

import asyncio
import hashlib
import json
import re
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from aiohttp import web

from server.web.problems import BodyTooLarge, BodyTooSlow, FieldError, InvalidBody, MalformedJson

T = TypeVar("T")

BODY_LIMIT = 64 * 1024
BATCH_LIMIT = 4 * 1024 * 1024
DEEPEST = 64  # arrays and objects within one another
BODY_SECONDS = 60  # from the head of a request to the end of its body

_AT = re.compile(r"^(.*?)(?: - at `(key in )?\$(.*)`)?$", re.DOTALL)
_FIELD = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)
_STEP = re.compile(r"\.([^.\[\]]+)|\[([0-9]+)\]|\[\.\.\.\]")


async def read(request: web.Request, limit: int = BODY_LIMIT) -> bytes:
    """The body, of at most ``limit`` bytes. Raises BodyTooLarge without reading the rest, BodyTooSlow."""
    if request.content_length is not None and request.content_length > limit:
        raise BodyTooLarge(limit)
    if request.content.is_eof():  # it came with its head, as most do: no timer is needed
        return await _whole(request, limit)
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await _whole(request, limit)
    except TimeoutError as error:
        raise BodyTooSlow(BODY_SECONDS) from error


async def _whole(request: web.Request, limit: int) -> bytes:
    if request.content_length is not None:
        return await request.read()
    chunks, size = [], 0
    async for chunk in request.content.iter_any():
        size += len(chunk)
        if size > limit:
            raise BodyTooLarge(limit)
        chunks.append(chunk)
    return b"".join(chunks)


def parse(data: bytes) -> Any:
    """JSON as RFC 8259 has it: UTF-8, no NaN, no key twice, no half of a surrogate pair.

    Raises MalformedJson with the place, InvalidBody with the pointer.
    """
    value, errors = _read(data)
    if errors:
        raise InvalidBody(tuple(errors))
    return value


def parse_rows(data: bytes) -> list[Any]:
    """A JSON array of rows, each read as by ``parse``; a wrong one stands for itself as InvalidBody.

    Raises MalformedJson, and InvalidBody when it is no array.
    """
    value, errors = _read(data)
    if not isinstance(value, list):
        raise InvalidBody(tuple(errors) or (FieldError("", "expected an array"),))
    wrong: dict[int, list[FieldError]] = {}
    for error in errors:
        _, row, *rest = error.pointer.split("/", 2)
        wrong.setdefault(int(row), []).append(FieldError("".join(f"/{step}" for step in rest), error.detail))
    return [InvalidBody(tuple(wrong[i])) if i in wrong else row for i, row in enumerate(value)]


def convert(value: Any, kind: type[T], at: str = "") -> T:
    """``value`` as the type that the route takes; raises InvalidBody with a pointer, below ``at``."""
    try:
        return msgspec.convert(value, kind, strict=True, str_keys=True)
    except msgspec.ValidationError as error:
        raise InvalidBody((_field_error(str(error), at),)) from error
    except (ValueError, OverflowError) as error:  # a moment that no calendar has
        raise InvalidBody((FieldError(at, str(error)),)) from error


def in_utc(moment: datetime, at: str) -> datetime:
    """A moment of the body in UTC; raises InvalidBody for one at the edge of the calendar that has none."""
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise InvalidBody((FieldError(at, "no calendar has this moment in UTC"),)) from error


def fingerprint(value: Any) -> str:
    """What two bodies share exactly when they say the same: a digest of their canonical JSON."""
    canonical = msgspec.json.encode(value, order="deterministic")
    return hashlib.sha256(canonical).hexdigest()


def pointer(*steps: str | int) -> str:
    """A JSON pointer (RFC 6901); half of a surrogate pair, which is no text, shows as a question mark."""
    plain = (str(step).encode(errors="replace").decode() for step in steps)
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in plain)


def lone(text: str) -> bool:
    """Whether half of a surrogate pair is in it, which is no text that can be kept."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def _too_deep(text: str, value: Any) -> bool:
    """Whether it is nested deeper than anything that is taken here; the same on every Python."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    level = [value]
    for _ in range(DEEPEST):
        level = [part for each in level for _, part in _parts(each)]
        if not level:
            return False
    return True


def _read(data: bytes) -> tuple[Any, list[FieldError]]:
    """The value, and what is wrong in it although it can be read."""
    try:
        text = data.decode()
        try:
            value, odd = _decode(text), False
        except _Odd:
            value, odd = _decode_odd(text), True
        if _too_deep(text, value):
            raise MalformedJson(f"nested more than {DEEPEST} deep")
        errors = _marks(value, "") if odd else []
        return value, errors + (_surrogates(value, "") if "\\u" in text else [])
    except UnicodeDecodeError as error:
        raise MalformedJson(f"byte {error.start + 1} is no UTF-8") from error
    except json.JSONDecodeError as error:
        raise MalformedJson(f"line {error.lineno}, column {error.colno}: {error.msg}") from error
    except RecursionError as error:
        raise MalformedJson(f"nested more than {DEEPEST} deep") from error
    except ValueError as error:  # a number with more digits than Python converts
        raise MalformedJson(str(error)) from error


class _Odd(Exception):
    """The text has a key twice or a constant that is no JSON."""


class _Mark:
    """Stands where NaN or Infinity stood."""

    def __init__(self, word: str) -> None:
        self.word = word


class _Twice(dict[str, Any]):
    """An object in which a key came twice."""

    key = ""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _Odd
    return value


def _constant(_word: str) -> Any:
    raise _Odd


def _marked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = _Twice(pairs)
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            value.key = key
        seen.add(key)
    return value


_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_constant).decode
_decode_odd = json.JSONDecoder(object_pairs_hook=_marked, parse_constant=_Mark).decode


def _marks(value: Any, at: str) -> list[FieldError]:
    if isinstance(value, _Mark):
        return [FieldError(at, f"{value.word} is no JSON number")]
    found: list[FieldError] = []
    if isinstance(value, _Twice) and value.key:
        found.append(FieldError(at + pointer(value.key), "this member is there twice"))
    for step, part in _parts(value):
        found += _marks(part, at + pointer(step))
    return found


def _surrogates(value: Any, at: str) -> list[FieldError]:
    if isinstance(value, str):
        return [FieldError(at, "half of a surrogate pair is no text")] if lone(value) else []
    found: list[FieldError] = []
    for step, part in _parts(value):
        if isinstance(step, str) and lone(step):
            found.append(FieldError(at, "half of a surrogate pair in the name of a member"))
        else:
            found += _surrogates(part, at + pointer(step))
    return found


def _parts(value: Any) -> list[tuple[str | int, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    return list(enumerate(value)) if isinstance(value, list) else []


def _field_error(message: str, at: str) -> FieldError:
    """msgspec's message taken apart into pointer and words."""
    match = _AT.match(message)
    said, _, path = match.groups() if match else (message, None, None)
    steps: list[str | int] = [
        int(index) if index else name or "…" for name, index in _STEP.findall(path or "")
    ]
    field = _FIELD.fullmatch(said)
    if field:
        steps.append(field[2])
        said = "this member is unknown" if field[1] == "contains unknown" else "this member is missing"
    elif "matching regex" in said:
        said = "Expected text without control characters, changes of writing direction, and slash in ids"
    return FieldError(at + pointer(*steps), said)
