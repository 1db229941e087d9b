"""What a route of the API is. Each room of `api/` lists its own; `table.py` has them all."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from server.bridge.pool import DEFAULT_POOL
from server.services import errors
from server.services.tokens import Scope
from server.storage.errors import DatabaseBusy
from server.web import problems
from server.web.keys import Call

Handler = Callable[[Call], Awaitable[web.StreamResponse]]
Problems = tuple[type[Exception], ...]

BASE = "/api/v1"


def served(path: str) -> str:
    """A path as aiohttp is given it: by itself it takes no braces into ids."""
    return re.sub(r"\{(\w+)\}", r"{\1:[^/]+}", path)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of the query, or a header."""

    name: str
    description: str
    schema: dict[str, Any]
    place: str = "query"
    required: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """One method of one address."""

    method: str
    path: str
    handler: Handler
    tag: str
    answer: Any  # type of the body of a good answer
    summary: str
    description: str = ""
    status: int = 200
    scope: Scope | None = None  # None: public
    body: Any = None  # type of the body of the request
    media: str = "application/json"  # type of the good answer
    ndjson: bool = False  # whether body and answer may also be NDJSON
    tables: tuple[str, ...] = ()  # other types that the good answer may have, by Accept
    idempotent: bool = False  # whether an Idempotency-Key is taken
    parameters: tuple[Parameter, ...] = ()
    problems: Problems = ()
    private: bool = False  # whether the answer depends on who asks

    @property
    def operation(self) -> str:
        """Its name in the API document."""
        module = self.handler.__module__.rsplit(".", 1)[-1]
        return f"{module}_{self.handler.__name__}"

    @property
    def all_problems(self) -> Problems:
        """Everything that it may refuse, with what every route of its kind may refuse."""
        kinds: list[type[Exception]] = [errors.TokenInvalid, *self.problems, DatabaseBusy]
        if self.scope is not None:
            kinds += [errors.ScopeMissing, problems.RateLimited]
        if self.body is not None:
            kinds += [problems.MalformedJson, problems.InvalidBody]
            kinds += [problems.BodyTooLarge, problems.BodyTooSlow]
        if self.idempotent:
            kinds += [errors.IdempotencyKeyReused]
        if any(parameter.place == "query" for parameter in self.parameters):
            kinds += [problems.InvalidBody]
        return tuple(dict.fromkeys(kinds))


VIEWER = Parameter(
    "viewer",
    "Reads in the name of this player, who sees the boards that he has played (scope results:write).",
    {"type": "string"},
)
KEY = Parameter(
    "Idempotency-Key",
    "The same key and body again give the first answer again, for seven days.",
    {"type": "string", "minLength": 1, "maxLength": 255},
    place="header",
)
NEEDED_KEY = Parameter(KEY.name, KEY.description, KEY.schema, "header", required=True)
BOARD_HEADER = Parameter(
    "Crossruff-Board",
    "The id of the board, so that a proxy may keep boards apart. Never needed.",
    {"type": "string"},
    place="header",
)
POOL = Parameter("pool", "The pool.", {"type": "string", "default": DEFAULT_POOL})
PAGE = (
    Parameter("limit", "Rows of a page.", {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}),
    Parameter("cursor", "Where the page begins: `cursor` of the page before.", {"type": "string"}),
)
