"""What a handler is given: the services of the server, and one call."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from aiohttp import web

from server.bridge.pool import Pool
from server.clock import Clock
from server.services.analysis import Analyst
from server.services.bulletins import Wording
from server.services.careers import Careers
from server.services.closing import Closing
from server.services.event_course import Keeper
from server.services.explain_week import WeekExplainer
from server.services.figures import PlayerFigures
from server.services.idempotency import Once
from server.services.ingest import Ingest
from server.services.leaderboards import Leaderboards
from server.services.rulings import Director
from server.services.secrecy import Reader, Secrecy
from server.services.tokens import Caller
from server.services.watch import Watcher
from server.settings import Settings
from server.storage.database import Database
from server.web import bodies
from server.web.fields import Id, Key
from server.web.limits import RateLimit
from server.web.live import Hub
from server.web.metrics import Metrics
from server.web.problems import FieldError, InvalidBody
from server.web.tokens import TokenCache


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that handlers work with; put together in `server/app.py`."""

    settings: Settings
    database: Database
    clock: Clock
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    secrecy: Secrecy
    ingest: Ingest
    tokens: TokenCache
    limit: RateLimit
    metrics: Metrics
    closing: Closing
    leaderboards: Leaderboards
    figures: PlayerFigures
    careers: Careers
    explainer: WeekExplainer
    watch: Watcher
    keeper: Keeper
    analyst: Analyst
    secret: bytes  # signs what goes out and comes back
    wording: Wording

    @property
    def assignment_lifetime(self) -> timedelta:
        """How long an assignment holds its slot."""
        return timedelta(minutes=self.settings.assignment_minutes)


SERVICES = web.AppKey("services", Services)
HEADERS = web.RequestKey("headers", dict[str, str])  # for the answer, whatever it is
LIVE = web.AppKey("live", Hub)
STOPPING = web.AppKey("stopping", list[bool])  # filled when the server begins to stop


@dataclass(frozen=True, slots=True)
class Call:
    """One request to the API, after the door: who asks, and when."""

    request: web.Request
    services: Services
    caller: Caller
    now: datetime
    headers: dict[str, str]  # for the answer, also when it is a problem

    def pay(self, rows: int) -> None:
        """Count further rows of this request against the token's limit; raises RateLimited."""
        if self.caller.token is not None and rows > 0:
            self.services.limit.take(self.caller.token, rows, self.headers)

    @property
    def key(self) -> str | None:
        """The Idempotency-Key; raises InvalidBody when it is no plain text of at most 255 characters."""
        given = self.request.headers.get("Idempotency-Key")
        if given is not None and bodies.lone(given):
            raise InvalidBody((FieldError("Idempotency-Key", "this is no UTF-8"),))
        return None if given is None else bodies.convert(given, Key, "Idempotency-Key")

    def once(self, value: object) -> Once | None:
        """This request as one that may come again; None when it carries no key."""
        key = self.key
        return None if key is None else Once(self.client, key, bodies.fingerprint(value))

    @property
    def reader(self) -> Reader:
        """Who reads, perhaps in the name of the player ``viewer``; raises InvalidBody when that is no id."""
        viewer = self.request.query.get("viewer")
        return Reader(self.caller, None if viewer is None else bodies.convert(viewer, Id, "?viewer"))

    @property
    def director(self) -> Director:
        """Who rules."""
        services = self.services
        return Director(
            client=self.client,
            player=self.caller.player,
            now=self.now,
            secrecy=services.secrecy,
            wording=services.wording,
            keeper=services.keeper,
        )

    @property
    def client(self) -> int:
        """The client whose token this is; only where the route asks for a scope."""
        if self.caller.client is None:
            raise RuntimeError("a route without scope has no client")
        return self.caller.client
