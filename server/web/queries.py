"""Parameters of the query: limits, cursors, weeks."""

import base64
import binascii
import hashlib
import hmac
import re
from enum import StrEnum
from typing import TypeVar

from aiohttp import web

from server.bridge.errors import BridgeError
from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import Week, parse_week
from server.services.errors import UnknownPool, WeekNotFound
from server.web.keys import Call
from server.web.problems import FieldError, InvalidBody

DEFAULT_LIMIT = 50
MOST = 200
MOST_WORDS = 64
_DECIMAL = re.compile("[0-9]{1,9}(?:[.][0-9]{1,6})?")

E = TypeVar("E", bound=StrEnum)


def refused(name: str, detail: str) -> InvalidBody:
    """A parameter that cannot be used."""
    return InvalidBody((FieldError(f"?{name}", detail),))


def limit(text: str | None) -> int:
    """How many rows a page may have."""
    if text is None:
        return DEFAULT_LIMIT
    if not text.isascii() or not text.isdecimal() or len(text) > 4 or not 1 <= int(text) <= MOST:
        raise refused("limit", f"expected 1 to {MOST}")
    return int(text)


def flag(name: str, text: str | None) -> bool:
    """Whether a parameter says so; not, without it."""
    if text not in (None, "true", "false"):
        raise refused(name, "expected true or false")
    return text == "true"


def maybe(name: str, text: str | None) -> bool | None:
    """Whether a parameter says so; None without it."""
    return None if text is None else flag(name, text)


def week(text: str) -> Week:
    """An ISO week."""
    try:
        return parse_week(text)
    except BridgeError as error:
        raise refused("week", str(error)) from error


def week_of_page(text: str) -> Week:
    """An ISO week in the address of a page: whoever mistypes one asks for a week that there is not.

    Raises WeekNotFound.
    """
    try:
        return parse_week(text)
    except BridgeError as error:
        raise WeekNotFound(text) from error


def pool(call: Call) -> str:
    """The pool that is asked about; raises UnknownPool."""
    name = call.request.query.get("pool", DEFAULT_POOL)
    if name not in call.services.pools:
        raise UnknownPool("?pool", f"no pool is called {name!r}")
    return name


def number(text: str | None, name: str, most: int) -> int | None:
    """A whole number from 0 on; None without one."""
    if text is None:
        return None
    if not text.isascii() or not text.isdecimal() or len(text) > 9 or int(text) > most:
        raise refused(name, f"expected a whole number up to {most}")
    return int(text)


def decimal(text: str | None, name: str, most: int) -> float | None:
    """A number from 0 on with at most six decimals; None without one."""
    if text is None:
        return None
    if not _DECIMAL.fullmatch(text) or float(text) > most:
        raise refused(name, f"expected a number up to {most}")
    return float(text)


def choice(text: str | None, name: str, kinds: type[E], default: E) -> E:
    """One of a few words."""
    if text is None:
        return default
    try:
        return kinds(text)
    except ValueError as error:
        raise refused(name, f"expected one of {', '.join(each.value for each in kinds)}") from error


def words(text: str | None, name: str = "q") -> str:
    """What is searched for; empty: nothing."""
    if text is None:
        return ""
    if len(text) > MOST_WORDS or "\x00" in text:
        raise refused(name, f"expected at most {MOST_WORDS} characters")
    return text.strip()


def cursor(after: int, secret: bytes) -> str:
    """Where the next page begins; opaque, and signed so that only ours are read."""
    position = str(after).encode()
    return base64.urlsafe_b64encode(_signature(position, secret) + position).decode().rstrip("=")


def read_cursor(text: str | None, secret: bytes) -> int:
    """The position in a cursor of ours; 0 without one."""
    if text is None:
        return 0
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise refused("cursor", "this is no cursor of ours") from error
    signature, position = data[:8], data[8:]
    if not hmac.compare_digest(signature, _signature(position, secret)):
        raise refused("cursor", "this is no cursor of ours")
    after = int(position)
    if cursor(after, secret) != text:  # base64 passes over characters that are none of its own
        raise refused("cursor", "this is no cursor of ours")
    return after


def next_link(request: web.Request, position: str | None) -> dict[str, str]:
    """The Link header to the next page."""
    if position is None:
        return {}
    address = request.rel_url.update_query(cursor=position)
    return {"Link": f'<{address}>; rel="next"'}


def _signature(position: bytes, secret: bytes) -> bytes:
    return hmac.new(secret, position, hashlib.sha256).digest()[:8]
