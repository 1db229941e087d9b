"""The composition root: puts the server together from settings."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, timedelta

from aiohttp import web

from server import open_files
from server.bridge.swiss_event import OUTAGE_S
from server.clock import Clock, SimulatedClock, SystemClock, speed_of
from server.secret_files import secret_key
from server.services import installation
from server.services.analysis import Analyst
from server.services.careers import Careers
from server.services.closing import Closing
from server.services.event_course import Keeper
from server.services.event_rounds import Dealing, fresh
from server.services.explain_week import WeekExplainer
from server.services.figures import PlayerFigures
from server.services.ingest import BATCH, Ingest, Watch
from server.services.installation import InstallationRefused, Settled
from server.services.leaderboards import Leaderboards
from server.services.listings import Listings
from server.services.results import Intake
from server.services.secrecy import Secrecy
from server.services.watch import Watcher
from server.settings import Settings, parse_clock
from server.storage.database import Database, open_database
from server.web import bodies, rendering, templating
from server.web.door import expected, through
from server.web.keys import LIVE, SERVICES, STOPPING, Services
from server.web.limits import RateLimit
from server.web.live import Hub
from server.web.metrics import Metrics
from server.web.middleware import around
from server.web.pages.table import add_to
from server.web.routes import served
from server.web.table import ROUTES
from server.web.tokens import TokenCache

MISSED_S = 5  # real seconds for which nobody may look at a simulated clock


@dataclass(frozen=True, slots=True)
class Installed:
    """A database that is ready to be served."""

    database: Database
    clock: Clock
    admin_token: str | None  # made just now: to be shown, it can never be read again
    deal: Dealing = fresh  # of the boards of events


async def install(settings: Settings) -> Installed:
    """Open the database; migrate it when it is our own file; settle or check zone and clock.

    Raises InstallationRefused, StorageError.
    """
    database = _open(settings)
    try:
        if settings.embedded:
            await installation.migrate(database)
        else:
            await installation.require_head(database)
        now = SystemClock().now()
        settled = await installation.settle(
            database, settings.week_zone, settings.clock, now, with_token=settings.embedded
        )
    except BaseException:
        await database.close()
        raise
    return Installed(database, clock_of(settled), settled.admin_token)


async def migrate(settings: Settings) -> None:
    """Bring the database to the schema of this version. Raises InstallationRefused, StorageError."""
    database = _open(settings)
    try:
        await installation.migrate(database)
    finally:
        await database.close()


def _open(settings: Settings) -> Database:
    settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    return open_database(settings.database)


async def open_installed(settings: Settings) -> Installed:
    """Open a database that is there, and change nothing. Raises InstallationRefused, StorageError."""
    file = settings.database_file
    if file is not None and not file.exists():
        raise InstallationRefused(f"there is no database {file} yet; `crossruff serve` makes it")
    database = open_database(settings.database)
    try:
        await installation.require_head(database)
        settled = await installation.get_settled(database)
    except BaseException:
        await database.close()
        raise
    return Installed(database, SystemClock() if settled is None else clock_of(settled), None)


def clock_of(settled: Settled) -> Clock:
    """The clock that the database was made with."""
    if not settled.clock:
        return SystemClock()
    start, speed = parse_clock(settled.clock)
    return SimulatedClock(start.astimezone(UTC), speed, settled.created_at)


def make_app(
    settings: Settings, installed: Installed, batch: int = BATCH, analyst: Analyst | None = None
) -> web.Application:
    """The web application over an installed database. ``batch`` 1 turns group commit off (to measure it)."""
    services = _services(settings, installed, batch, analyst)
    app = web.Application(middlewares=[around], client_max_size=bodies.BATCH_LIMIT)
    app[STOPPING] = []
    app[LIVE] = Hub(installed.database, open_files.streams())
    app[SERVICES] = services
    for route in ROUTES:
        path = served(route.path)
        if route.method == "GET":
            app.router.add_get(path, through(route), expect_handler=expected)
        else:
            app.router.add_route(route.method, path, through(route), expect_handler=expected)
    add_to(app)
    app.cleanup_ctx.append(_running)
    app.on_shutdown.append(_say_goodbye)
    return app


def _services(settings: Settings, installed: Installed, batch: int, analyst: Analyst | None) -> Services:
    """What handlers work with."""
    metrics = Metrics()
    ingest = make_ingest(settings, installed, metrics.committed, batch)
    figures = PlayerFigures(installed.database, settings.zone, settings.all_pools())
    return Services(
        settings=settings,
        database=installed.database,
        clock=installed.clock,
        zone=settings.zone,
        pools=settings.all_pools(),
        secrecy=secrecy_of(settings),
        ingest=ingest,
        tokens=TokenCache(installed.database, time.monotonic),
        limit=RateLimit(settings.rate_limit, time.monotonic),
        metrics=metrics,
        closing=closing_of(settings, installed),
        leaderboards=Leaderboards(
            installed.database,
            settings.zone,
            settings.all_pools(),
            settings.rating.official,
            Listings(time.monotonic),
        ),
        figures=figures,
        careers=Careers(figures, secrecy_of(settings)),
        explainer=WeekExplainer(figures, secrecy_of(settings)),
        watch=Watcher(installed.database, settings.all_pools()),
        keeper=keeper_of(settings, installed),
        analyst=analyst or Analyst(),
        secret=secret_key(settings),
        wording=rendering.WORDING,
    )


def make_ingest(settings: Settings, installed: Installed, watch: Watch, batch: int = BATCH) -> Ingest:
    """The way in for results, by the rules of this installation; not yet started."""
    intake = Intake(
        installed.clock.now,
        settings.zone,
        settings.all_pools(),
        settings.players_auto_create,
        rendering.accepted,
        rendering.WORDING,
        patience_of(installed),
    )
    return Ingest(installed.database, intake, watch, batch)


async def _look(app: web.Application) -> None:
    """Gauges every second, for those who ask another process."""
    while True:
        app[SERVICES].metrics.look(app[SERVICES].ingest, app[LIVE])
        await asyncio.sleep(1)


async def _say_goodbye(app: web.Application) -> None:
    """Streams end with a closing message, before requests under way are waited for."""
    app[LIVE].close()


def closing_of(settings: Settings, installed: Installed) -> Closing:
    """Closes weeks by the rules of this installation."""
    return Closing(
        installed.database,
        installed.clock.now,
        settings.zone,
        settings.all_pools(),
        settings.rating.rules,
        settings.rating.grace,
        settings.rating.late,
    )


def keeper_of(settings: Settings, installed: Installed) -> Keeper:
    """Keeps the clocks of events by the rules of this installation."""
    return Keeper(patience_of(installed), settings.grade_scale, installed.deal)


def patience_of(installed: Installed) -> float:
    """Seconds for which nobody may look at the clock of an event that is played, or it gets them back."""
    # A simulated clock runs on between two looks at it: that nobody looked for a moment is no outage.
    return max(OUTAGE_S, MISSED_S * speed_of(installed.clock))


def secrecy_of(settings: Settings) -> Secrecy:
    """When boards of this installation are revealed."""
    return Secrecy(settings.zone, timedelta(minutes=settings.assignment_minutes))


async def _running(app: web.Application) -> AsyncIterator[None]:
    """While the server runs, results are taken in; when it ends, those that wait still are."""
    services = app[SERVICES]
    await asyncio.to_thread(templating.prepare)
    services.ingest.start()
    app[LIVE].start()
    looking = asyncio.create_task(_look(app), name="metrics")
    yield
    looking.cancel()
    await app[LIVE].stop()
    await services.ingest.stop()
    await services.analyst.stop()
    await services.database.close()
