"""A real browser before a real server.

- ``browsing``: headless Chromium and the application with the scene of ``scene.py``; both live in an event
  loop of their own, in a thread, for all tests of a process. ``browsing.run(coroutine)`` runs there and gives
  what the coroutine returns.

Chromium is looked for on PATH. Where there is none the tests are skipped with that reason; with ``CI`` in the
environment they fail instead. ``TEST_SHOTS`` names a folder for pictures of what the walk sees.
"""

import asyncio
import os
import shutil
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
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
def browsing(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Browsing]:
    """The browser before the scene."""
    if CHROMIUM is None:
        missing = "there is no Chromium (Debian's package chromium)"
        if "CI" in os.environ:
            pytest.fail(missing)
        pytest.skip(missing)
    folder = tmp_path_factory.mktemp("browser")
    shutil.copyfile(sqlite_template, folder / "crossruff.sqlite3")
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="browser", daemon=True)
    thread.start()
    living = _living(folder, loop)
    try:
        yield asyncio.run_coroutine_threadsafe(anext(living), loop).result(READY)
    finally:
        asyncio.run_coroutine_threadsafe(_end(living), loop).result(READY)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _living(folder: Path, loop: asyncio.AbstractEventLoop) -> AsyncIterator[Browsing]:
    url = f"sqlite:///{folder / 'crossruff.sqlite3'}"
    async with async_playwright() as playwright:
        # As root, as CI is, Chromium has no sandbox.
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        async with serving(url, folder / "data", StandingClock(), pools=scene.POOLS, analysis=True) as server:
            yield Browsing(loop, browser, server, await scene.make(server))
        await browser.close()


async def _end(living: AsyncIterator[Browsing]) -> None:
    async for _ in living:
        raise AssertionError
