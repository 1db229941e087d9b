"""A real browser before a real server.

- ``browsing``: headless Chromium and the application with the scene of ``scene.py``; both live in an event
  loop of their own, in a thread, for all tests of a process. ``browsing.run(coroutine)`` runs there and gives
  what the coroutine returns. The scene is played by the first process that needs it; the others copy it.

Chromium is looked for on PATH. Where there is none the tests are skipped with that reason; with ``CI`` in the
environment they fail instead. ``TEST_SHOTS`` names a folder for pictures of what the walk sees.
"""

import asyncio
import fcntl
import os
import pickle
import shutil
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Request, async_playwright

from tests.browser import scene
from tests.browser.scene import Scene
from tests.clock import StandingClock
from tests.running import Served, serving

T = TypeVar("T")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
READY = 120.0  # seconds in which the scene stands
FILE = "crossruff.sqlite3"


@dataclass(frozen=True)
class Browsing:
    """A browser, a server, and the loop in which they live."""

    loop: asyncio.AbstractEventLoop
    browser: Browser
    server: Served
    scene: Scene

    def run(self, coroutine: Coroutine[Any, Any, T], seconds: float = 120.0) -> T:
        """Run it beside them."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(seconds)

    @asynccontextmanager
    async def window(self, url: str | None = None, **options: Any) -> AsyncIterator["Window"]:
        """A window of its own, without cookies; closed with the block."""
        given = {"viewport": {"width": 1280, "height": 900}, "timezone_id": "Europe/Berlin"}
        context = await self.browser.new_context(**(given | options))
        try:
            window = Window(context, await context.new_page(), url or self.server.url, [])
            window.watch()
            yield window
        finally:
            await context.close()


@dataclass(frozen=True)
class Window:
    """A page in the browser, with everything that went wrong in it."""

    context: BrowserContext
    page: Page
    url: str
    wrong: list[str]

    def watch(self) -> None:
        """Note errors on the console, errors of script, and requests to others."""
        wrong, own = self.wrong, (self.url, "data:", "blob:")

        def said(message: ConsoleMessage) -> None:
            if message.type in ("error", "warning"):
                wrong.append(message.text)

        def asked(request: Request) -> None:
            if not request.url.startswith(own):
                wrong.append(f"asked {request.url}")

        self.page.on("console", said)
        self.page.on("pageerror", lambda error: wrong.append(str(error)))
        self.page.on("request", asked)

    async def open(self, path: str) -> None:
        """Go there; all that is loaded with it has come."""
        await self.page.goto(self.url + path, wait_until="load")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, worker_id: str, sqlite_template: Path) -> Path:
    """A folder with the scene as it was played: its database, its ids and the instant at which it stands."""
    own = tmp_path_factory.getbasetemp()
    folder = (own if worker_id == "master" else own.parent) / "scene"
    folder.mkdir(exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "ids").exists():
            shutil.copyfile(sqlite_template, folder / FILE)
            with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:
                made = runner.run(_play(folder))
            (folder / "ids").write_bytes(pickle.dumps(made))
    return folder


async def _play(folder: Path) -> tuple[Scene, datetime]:
    async with _serving(folder, StandingClock()) as server:
        return await scene.make(server), server.clock.now()


def _serving(folder: Path, clock: StandingClock) -> AbstractAsyncContextManager[Served]:
    return serving(f"sqlite:///{folder / FILE}", folder / "data", clock, pools=scene.POOLS, analysis=True)


@pytest.fixture(scope="session")
def browsing(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Browsing]:
    """The browser before the scene."""
    if CHROMIUM is None:
        missing = "there is no Chromium (Debian's package chromium)"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    folder, made = tmp_path_factory.mktemp("browser"), request.getfixturevalue("played")
    shutil.copyfile(made / FILE, folder / FILE)
    ids, instant = pickle.loads((made / "ids").read_bytes())
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="browser", daemon=True)
    thread.start()
    living = _living(folder, loop, ids, instant)
    try:
        yield asyncio.run_coroutine_threadsafe(anext(living), loop).result(READY)
    finally:
        asyncio.run_coroutine_threadsafe(_end(living), loop).result(READY)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _living(
    folder: Path, loop: asyncio.AbstractEventLoop, ids: Scene, instant: datetime
) -> AsyncIterator[Browsing]:
    async with async_playwright() as playwright:
        # As root, as CI is, Chromium has no sandbox.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        async with _serving(folder, StandingClock(instant)) as server:
            yield Browsing(loop, browser, server, ids)
        await browser.close()


async def _end(living: AsyncIterator[Browsing]) -> None:
    async for _ in living:
        raise AssertionError
