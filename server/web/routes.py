"""Every address of the API in one table: it is served from here, and documented from here."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from server.services import errors
from server.services.tokens import Scope
from server.storage.errors import DatabaseBusy
from server.web import problems, schemas
from server.web.api import assignments, boards, operations, players, results, weeks
from server.web.keys import Call

Handler = Callable[[Call], Awaitable[web.StreamResponse]]
Problems = tuple[type[Exception], ...]

BASE = "/api/v1"


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
    ndjson: bool = False  # whether body and answer may also be NDJSON
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
            kinds += [problems.MalformedJson, problems.InvalidBody, problems.BodyTooLarge]
        if self.idempotent:
            kinds += [errors.IdempotencyKeyReused]
        if any(parameter.place == "query" for parameter in self.parameters):
            kinds += [problems.InvalidBody]
        return tuple(dict.fromkeys(kinds))


_VIEWER = Parameter(
    "viewer",
    "Reads in the name of this player, who sees the boards that he has played (scope results:write).",
    {"type": "string"},
)
_KEY = Parameter(
    "Idempotency-Key",
    "The same key and body again give the first answer again, for seven days.",
    {"type": "string", "minLength": 1, "maxLength": 255},
    place="header",
)
_NEEDED_KEY = Parameter(_KEY.name, _KEY.description, _KEY.schema, "header", required=True)
_BOARD_HEADER = Parameter(
    "Crossruff-Board",
    "The id of the board, so that a proxy may keep boards apart. Never needed.",
    {"type": "string"},
    place="header",
)
_LIST = (
    Parameter("limit", "Rows of a page.", {"type": "integer", "minimum": 1, "maximum": 200, "default": 50}),
    Parameter("cursor", "Where the page begins: `cursor` of the page before.", {"type": "string"}),
)
_RESULT_PROBLEMS: Problems = (
    errors.BoardNotFound,
    errors.InvalidResult,
    errors.UnknownPlayer,
    errors.MembersOnly,
    errors.BoardNotOpen,
    errors.BoardWithdrawn,
    errors.TableAlreadyReported,
    errors.AlreadyPlayed,
    errors.BoardRetired,
    errors.QueueFull,
)

ROUTES: tuple[Route, ...] = (
    Route(
        "POST",
        f"{BASE}/results",
        results.post,
        "Results",
        schemas.Result,
        "Report a result",
        "The main job. With fewer than six results the board is pending; the sixth scores all six at once, "
        "each further one as it arrives; the fortieth retires the board.",
        status=201,
        scope=Scope.RESULTS,
        body=schemas.ResultBody,
        idempotent=True,
        parameters=(_NEEDED_KEY, _BOARD_HEADER),
        problems=(problems.IdempotencyKeyMissing, *_RESULT_PROBLEMS),
    ),
    Route(
        "POST",
        f"{BASE}/results/batch",
        results.post_batch,
        "Results",
        schemas.BatchAnswer,
        "Report up to 1,000 results",
        "Each row carries its own `idempotency_key` and is answered as if it had come alone; a bad one harms "
        "no other. NDJSON is answered by NDJSON.",
        scope=Scope.RESULTS,
        body=list[schemas.BatchRow],
        ndjson=True,
        problems=(errors.QueueFull,),
    ),
    Route(
        "GET",
        f"{BASE}/results/{{id}}",
        results.get,
        "Results",
        schemas.ResultDetail,
        "Read a result",
        "While the board may still be played, the public sees that the result is there, nothing else.",
        parameters=(_VIEWER,),
        problems=(errors.ResultNotFound, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/results/{{id}}/explain",
        results.get_explanation,
        "Results",
        schemas.Explanation,
        "Explain a result",
        "Every step from the contract to the scores, as figures and in sentences.",
        parameters=(_VIEWER,),
        problems=(errors.ResultNotFound, errors.NotRevealed, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "POST",
        f"{BASE}/board-sets",
        boards.post_set,
        "Boards",
        schemas.BoardSet,
        "Make boards for a week",
        "Deals fresh boards from a cryptographic source, or takes those given. A second set for the week "
        "goes on numbering. A past week needs admin.",
        status=201,
        scope=Scope.BOARDS,
        body=schemas.BoardSetBody,
        idempotent=True,
        parameters=(_KEY,),
        problems=(errors.BoardNumberTaken, errors.InvalidBoard, errors.UnknownPool),
    ),
    Route(
        "POST",
        f"{BASE}/assignments",
        assignments.post,
        "Boards",
        schemas.Assignment,
        "Ask for a board to play",
        "A board of the open week that none of the four, and no linked account, has played, been dealt or "
        "seen. Assignments limit dealing only: the first forty results win.",
        status=201,
        scope=Scope.RESULTS,
        body=schemas.AssignmentBody,
        idempotent=True,
        parameters=(_KEY,),
        problems=(
            errors.NoBoardAvailable,
            errors.InvalidResult,
            errors.UnknownPlayer,
            errors.UnknownPool,
            errors.MembersOnly,
        ),
    ),
    Route(
        "GET",
        f"{BASE}/boards",
        boards.get_list,
        "Boards",
        schemas.BoardList,
        "List the boards of a week",
        parameters=(
            Parameter("week", "An ISO week; the open one by default.", {"type": "string"}),
            Parameter("pool", "The pool.", {"type": "string", "default": "imps"}),
            *_LIST,
        ),
        problems=(errors.UnknownPool,),
    ),
    Route(
        "GET",
        f"{BASE}/boards/{{id}}",
        boards.get,
        "Boards",
        schemas.Board,
        "Read a board",
        "Its deal is there once nobody can still be playing it.",
        parameters=(_VIEWER,),
        problems=(errors.BoardNotFound, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/boards/{{id}}/traveller",
        boards.get_traveller,
        "Boards",
        schemas.Traveller,
        "Read the traveller of a board",
        parameters=(_VIEWER,),
        problems=(errors.BoardNotFound, errors.ScopeMissing),
        private=True,
    ),
    Route(
        "GET",
        f"{BASE}/players/{{id}}",
        players.get,
        "Players",
        schemas.Player,
        "Read a player",
        problems=(errors.PlayerNotFound,),
        private=True,
    ),
    Route(
        "PUT",
        f"{BASE}/players/{{id}}",
        players.put,
        "Players",
        schemas.Player,
        "Name a player, link his accounts",
        "`linked` is the whole list of the person's other accounts: nobody of them is dealt a board that "
        "another has played or seen.",
        scope=Scope.RESULTS,
        body=schemas.PlayerBody,
        problems=(
            errors.PlayerNotFound,
            errors.UnknownPlayer,
            errors.InvalidResult,
            errors.AccountLinkedElsewhere,
        ),
    ),
    Route(
        "GET",
        f"{BASE}/weeks/current",
        weeks.get_current,
        "Weeks",
        schemas.Week,
        "The week that is open",
    ),
    Route("GET", "/healthz", operations.get_health, "Operations", schemas.Health, "The process answers"),
    Route(
        "GET",
        "/readyz",
        operations.get_ready,
        "Operations",
        schemas.Health,
        "The database answers and has the schema of this version",
    ),
    Route("GET", "/metrics", operations.get_metrics, "Operations", str, "Figures for Prometheus"),
)
