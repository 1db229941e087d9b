"""Runs the server in one process until it is told to stop, then ends in good order."""

import asyncio
import signal
from collections.abc import Callable

from aiohttp import web
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from jobs.bulletins import Tell
from jobs.sweep import Sweep
from jobs.timetable import timetable
from server.app import Installed, install, make_app, secrecy_of
from server.settings import Settings
from server.web.keys import STOPPING
from server.web.rendering import WORDING

DRAIN_SECONDS = 8.0  # for requests under way


async def serve(settings: Settings, announce: Callable[[Installed, str], None], shared: bool = False) -> None:
    """Serve until SIGTERM or SIGINT. ``announce`` is told the address once requests are taken.

    ``shared``: other processes listen on the same address.
    """
    installed = await install(settings)
    app = make_app(settings, installed)
    # Nothing is logged for each request beyond what the middleware writes.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=DRAIN_SECONDS, keepalive_timeout=75)
    await runner.setup()
    stop = _stop_signal()
    scheduler = _timetable(settings, installed) if settings.jobs else None
    try:
        if scheduler is not None:
            await _sweep(settings, installed)()
            scheduler.start()
        site = web.TCPSite(runner, settings.host, settings.port, backlog=1024, reuse_port=shared or None)
        await site.start()
        announce(installed, _address(runner, settings))
        await stop.wait()
        app[STOPPING].append(True)  # /readyz says 503 from now on
    finally:
        if scheduler is not None and scheduler.running:
            scheduler.shutdown(wait=False)
        await runner.cleanup()


async def work(settings: Settings) -> None:
    """Run the timetable alone until SIGTERM or SIGINT."""
    installed = await install(settings)
    stop = _stop_signal()
    scheduler = _timetable(settings, installed)
    try:
        await _sweep(settings, installed)()
        scheduler.start()
        await stop.wait()
    finally:
        if scheduler.running:
            scheduler.shutdown(wait=False)
        await installed.database.close()


def _timetable(settings: Settings, installed: Installed) -> AsyncIOScheduler:
    tell = Tell(installed.database, installed.clock, secrecy_of(settings), WORDING)
    return timetable(_sweep(settings, installed), tell)


def _sweep(settings: Settings, installed: Installed) -> Sweep:
    return Sweep(
        installed.database, installed.clock, settings.zone, settings.all_pools(), settings.week_boards
    )


def _stop_signal() -> asyncio.Event:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def _address(runner: web.AppRunner, settings: Settings) -> str:
    host, port = runner.addresses[0][:2]
    return f"http://{'[' + host + ']' if ':' in host else host}:{port or settings.port}"
