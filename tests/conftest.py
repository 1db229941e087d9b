"""What every test may ask for.

- ``database_url``: a fresh, migrated database; the test runs twice, on ``sqlite`` and on ``postgresql``
  (there it is often one that another test has used, emptied)
- ``sqlite_url``: the same on SQLite alone; where the subject knows of no database, a room's own
  fixture ``database_url`` returns it
- ``empty_database_url``: the same without tables
- ``database``: the open ``server.storage.database.Database`` at ``database_url``
- ``clock``: stands at 2026-11-25T12:00:00Z (a Wednesday in 2026-W48) until ``.advance(timedelta)`` or
  ``.set(datetime)``
- ``server``: the real application over ``database_url``, a ``tests.running.Served``; no rate limit, no jobs
- ``api``: ``server.api``, a ``tests.api.Api``, which speaks HTTP with it; an answer that is not as the API
  document says fails the test
- ``serve``: ``await serve(players_auto_create=False, pools={"imps": {"score_at": 2}})`` starts
  a further ``Served`` with these settings over the same database; it ends with the test

``tests/factories.py`` makes boards, results and players over HTTP, ``tests/storage/rows.py`` in the database;
``tests/commands.py`` runs the command ``crossruff`` within the test's process, ``tests/processes.py`` in one
of its own, forked unless it is to be started ``afresh``. Other modules beside this one say at their top what
they are for.

**Hypothesis** gives all examples of one test the same fixtures. That is meant: one server for all, and
each example makes boards, tables and players of its own (``tests.factories``). Set ``max_examples`` low for
tests that talk to a server. ``TEST_HYPOTHESIS=long`` tries many more examples of everything.

**The event loop** must never be blocked: whatever a test runs in its loop for more than half a second without
awaiting fails it (``tests/loop_watch.py``). Push such work into a thread.

**PostgreSQL** is found or made by ``tests/postgres.py``; without one, tests fail.
"""

import asyncio
import gc
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import HealthCheck, settings

from server.services import installation
from server.storage.database import Database, open_database
from tests import loop_watch, postgres, strategies
from tests.api import Api
from tests.clock import StandingClock
from tests.running import Served, serving

assert strategies  # its profiles are registered first, so that those below stand
_ALL_EXAMPLES_SHARE = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
settings.register_profile(
    "default",
    deadline=None,
    print_blob=True,
    derandomize="CI" in os.environ,
    suppress_health_check=_ALL_EXAMPLES_SHARE,
)
settings.register_profile("long", settings.get_profile("default"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("TEST_HYPOTHESIS", "default"))


def pytest_configure() -> None:
    """The settings of whoever runs the tests are none of theirs; what is logged is printed plainly."""
    for name in [name for name in os.environ if name.startswith("CROSSRUFF_")]:
        del os.environ[name]
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["level", "event"]),
        ]
    )


def pytest_collection_finish() -> None:
    """What is imported and collected by now stays to the end: the collector of garbage may pass it over."""
    gc.collect()
    gc.freeze()


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Every asynchronous test runs in a loop that notes when it is blocked."""
    return {"watched": loop_watch.WatchedLoop}


@pytest.fixture(autouse=True)
def _loop_is_never_blocked() -> Iterator[None]:
    loop_watch.blocked.clear()
    yield
    if loop_watch.blocked:
        pytest.fail("\n".join(loop_watch.blocked), pytrace=False)


@pytest.fixture(scope="session")
def postgres_databases() -> Iterator[postgres.Databases]:
    """The PostgreSQL of this test process; made when the first test asks for it."""
    with postgres.databases() as made:
        yield made


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated SQLite file, to be copied."""
    path = tmp_path_factory.mktemp("template") / "template.sqlite3"

    async def make() -> None:
        database = open_database(f"sqlite:///{path}")
        await installation.migrate(database)
        await database.close()

    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
        runner.run(make())
    return path


@pytest.fixture
def sqlite_url(sqlite_template: Path, tmp_path: Path) -> str:
    """A fresh SQLite database with every table."""
    path = tmp_path / "crossruff.sqlite3"
    shutil.copyfile(sqlite_template, path)
    return f"sqlite:///{path}"


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh database with every table, on each of the two."""
    if request.param == "sqlite":
        yield request.getfixturevalue("sqlite_url")
        return
    databases: postgres.Databases = request.getfixturevalue("postgres_databases")
    name = databases.clone()
    yield databases.url(name)
    databases.release(name)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database without tables, on each of the two."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.sqlite3'}"
        return
    databases: postgres.Databases = request.getfixturevalue("postgres_databases")
    name = databases.empty()
    yield databases.url(name)
    databases.release(name)


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """The open database at ``database_url``."""
    opened = open_database(database_url)
    yield opened
    await opened.close()


@pytest.fixture
def clock() -> StandingClock:
    """A clock that stands until the test moves it."""
    return StandingClock()


Serve = Callable[..., Awaitable[Served]]


@pytest.fixture
async def serve(database_url: str, tmp_path: Path, clock: StandingClock) -> AsyncIterator[Serve]:
    """Starts servers with other settings over the test's database."""
    async with AsyncExitStack() as running:

        async def start(**changes: Any) -> Served:
            folder = tmp_path / "data"
            return await running.enter_async_context(serving(database_url, folder, clock, **changes))

        yield start


@pytest.fixture
async def server(serve: Serve) -> Served:
    """The application, served."""
    return await serve()


@pytest.fixture
def api(server: Served) -> Api:
    """An HTTP client of the server."""
    return server.api
