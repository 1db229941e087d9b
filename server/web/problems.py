"""Problems (RFC 9457): one table from what was refused to how it is answered."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import msgspec

from server.services import errors, event_errors
from server.storage.errors import ConstraintViolated, DatabaseBusy

CONTENT_TYPE = "application/problem+json"


class WebError(Exception):
    """Refused at the door"""


class MalformedJson(WebError):
    """The body is no JSON"""


class BadRequest(WebError):
    """The request cannot be understood"""


class IdempotencyKeyMissing(WebError):
    """The request needs an Idempotency-Key"""


class VersionMissing(WebError):
    """A ruling needs the version that it is about, as If-Match"""


class PathNotFound(WebError):
    """There is nothing at this address"""


@dataclass(eq=False)
class MethodNotAllowed(WebError):
    """The address does not know this method"""

    allowed: tuple[str, ...]

    def __str__(self) -> str:
        return f"Allowed here: {', '.join(self.allowed)}."


class CrossSite(WebError):
    """The form comes from another site"""


@dataclass(eq=False)
class BodyTooLarge(WebError):
    """The body is too large"""

    limit: int  # bytes

    def __str__(self) -> str:
        return f"At most {self.limit} bytes are taken here."


@dataclass(eq=False)
class BodyTooSlow(WebError):
    """The body comes too slowly"""

    limit: int  # seconds

    def __str__(self) -> str:
        return f"All of it must come within {self.limit} s."


@dataclass(frozen=True)
class FieldError:
    """What is wrong with one member of the body, or one parameter of the query."""

    pointer: str  # JSON pointer into the body; "?name" is a parameter of the query, a word a header
    detail: str


@dataclass(eq=False)
class InvalidBody(WebError):
    """The body or the query is not as it must be"""

    errors: tuple[FieldError, ...]

    def __str__(self) -> str:
        return "; ".join(f"{error.pointer or 'the body'}: {error.detail}" for error in self.errors)


@dataclass(eq=False)
class RateLimited(WebError):
    """Too many rows in too short a time"""

    retry_after: int  # seconds

    def __str__(self) -> str:
        return f"Try again in {self.retry_after} s."


class InternalError(Exception):
    """Something is wrong on our side"""


STATUS: dict[type[Exception], int] = {
    MalformedJson: 400,
    BadRequest: 400,
    IdempotencyKeyMissing: 400,
    errors.TokenInvalid: 401,
    errors.ScopeMissing: 403,
    errors.NotRevealed: 403,
    errors.MembersOnly: 403,
    errors.OwnBoard: 403,
    CrossSite: 403,
    PathNotFound: 404,
    errors.BoardNotFound: 404,
    errors.ResultNotFound: 404,
    errors.DisconnectNotFound: 404,
    errors.PlayerNotFound: 404,
    errors.ChannelNotFound: 404,
    errors.WeekNotFound: 404,
    MethodNotAllowed: 405,
    BodyTooSlow: 408,
    event_errors.NotYourEvent: 403,
    event_errors.DirectorPlays: 403,
    event_errors.EventNotFound: 404,
    event_errors.EntryNotFound: 404,
    event_errors.RoundNotFound: 404,
    event_errors.PenaltyNotFound: 404,
    event_errors.RoundNotStarted: 404,
    event_errors.TableNotFound: 404,
    event_errors.EventState: 409,
    event_errors.RoomRefused: 409,
    event_errors.TableNotInRound: 409,
    event_errors.RoundOver: 409,
    event_errors.BoardOfEvent: 409,
    event_errors.ResultStands: 409,
    event_errors.ArtificialStands: 409,
    event_errors.NotAtTable: 409,
    event_errors.NotEntered: 409,
    event_errors.NoBoardToDeal: 409,
    event_errors.SubstituteRefused: 409,
    event_errors.PairLeft: 409,
    event_errors.PenaltyLifted: 409,
    event_errors.PairingRefused: 409,
    event_errors.RoundUnderWay: 409,
    event_errors.RoundStarted: 409,
    event_errors.InvalidEvent: 422,
    errors.BoardNotOpen: 409,
    errors.WeekNotOver: 409,
    errors.BoardWithdrawn: 409,
    errors.TableAlreadyReported: 409,
    errors.AlreadyPlayed: 409,
    errors.DisconnectAlreadyReported: 409,
    errors.AlreadyVoid: 409,
    errors.NothingToLift: 409,
    errors.BoardRetired: 409,
    errors.NoBoardAvailable: 409,
    errors.BoardNumberTaken: 409,
    errors.AccountLinkedElsewhere: 409,
    errors.StaleVersion: 412,
    BodyTooLarge: 413,
    InvalidBody: 422,
    errors.InvalidResult: 422,
    errors.UnknownPlayer: 422,
    errors.UnknownPool: 422,
    errors.InvalidBoard: 422,
    errors.AdjustmentWithoutDamage: 422,
    errors.OutageRefused: 422,
    errors.AdjustmentNotSupported: 422,
    errors.IdempotencyKeyReused: 422,
    VersionMissing: 428,
    RateLimited: 429,
    InternalError: 500,
    errors.QueueFull: 503,
    errors.StreamsFull: 503,
    DatabaseBusy: 503,
    # Another process won a race; the same request again sees its rows and is answered as it should be.
    ConstraintViolated: 503,
}

_SLUGS: dict[type[Exception], str] = {
    PathNotFound: "not-found",
    errors.ResultNotFound: "not-found",
    errors.DisconnectNotFound: "not-found",
    errors.PlayerNotFound: "not-found",
    errors.ChannelNotFound: "not-found",
    errors.WeekNotFound: "not-found",
    event_errors.EventNotFound: "not-found",
    event_errors.EntryNotFound: "not-found",
    event_errors.RoundNotFound: "not-found",
    event_errors.PenaltyNotFound: "not-found",
    event_errors.RoundNotStarted: "not-found",
    event_errors.TableNotFound: "not-found",
    errors.QueueFull: "busy",
    errors.StreamsFull: "busy",
    DatabaseBusy: "busy",
    ConstraintViolated: "busy",
}


def slug(kind: type[Exception]) -> str:
    """The last part of the problem's address."""
    return _SLUGS.get(kind) or re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def title(kind: type[Exception]) -> str:
    """The problem in a few words."""
    return (kind.__doc__ or kind.__name__).splitlines()[0]


def by_slug() -> dict[str, type[Exception]]:
    """Every problem that an answer can name; each has a page."""
    kinds = {slug(kind): kind for kind in reversed(STATUS)}
    return {name: kinds[name] for name in sorted(kinds)}


def document(error: Exception, instance: str) -> dict[str, Any]:
    """The problem as JSON: the members of RFC 9457, then those of its own."""
    kind = type(error)
    body: dict[str, Any] = {
        "type": f"/problems/{slug(kind)}",
        "title": title(kind),
        "status": STATUS[kind],
        "detail": str(error) or title(kind),
        "instance": instance,
    }
    return body | _members(error)


def encoded(error: Exception, instance: str) -> bytes:
    """The problem as the bytes of an answer."""
    return msgspec.json.encode(document(error, instance))


def headers(error: Exception) -> Mapping[str, str]:
    """Headers that go with a problem."""
    status = STATUS[type(error)]
    if isinstance(error, RateLimited):
        return {"Retry-After": str(error.retry_after)}
    if isinstance(error, MethodNotAllowed):
        return {"Allow": ", ".join(error.allowed)}
    if status == 401:
        return {"WWW-Authenticate": "Bearer"}
    return {"Retry-After": "1"} if status == 503 else {}


def _members(error: Exception) -> dict[str, Any]:
    match error:
        case errors.Unprocessable():
            return {"errors": [{"pointer": error.pointer, "detail": error.reason}]}
        case InvalidBody():
            return {"errors": [{"pointer": each.pointer, "detail": each.detail} for each in error.errors]}
        case errors.NotFound() | DatabaseBusy() | ConstraintViolated():
            return {}  # what the client sent, or what the driver said, is of no use as a member
    told: Any = error
    names = [each.name for each in fields(told)] if is_dataclass(told) else []
    return {name: getattr(error, name) for name in names}
