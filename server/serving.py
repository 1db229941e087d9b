"""Runs the server in one process until it is told to stop, then ends in good order."""

import asyncio
import signal
from collections.abc import Callable
from functools import partial

from aiohttp import web

from jobs.bulletins import Tell
from jobs.events import Keep
from jobs.rating import Rate
from jobs.sweep import Sweep
from jobs.tallies import Count
from jobs.timetable import Jobs, timetable
from server import garbage, open_files
from server.app import Installed, closing_of, keeper_of, make_app, secrecy_of
from server.clock import SystemClock, speed_of
from server.settings import Settings
from server.timetabling import Timetabling
from server.web.keys import STOPPING
from server.web.rendering import WORDING

NOTICE_SECONDS = 0.5  # in which a load balancer sees that /readyz says 503, while requests are still taken
DRAIN_SECONDS = 6.0  # for requests under way


async def serve(
    settings: Settings, installed: Installed, announce: Callable[[str], None], shared: bool = False
) -> None:
    """Serve until SIGTERM or SIGINT. ``announce`` is told the address once requests are taken.

    ``shared``: other processes listen on the same address.
    """
    open_files.raise_limit()
    app = make_app(settings, installed)
    # Nothing is logged for each request beyond what the middleware writes.
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=DRAIN_SECONDS, keepalive_timeout=75)
    await runner.setup()
    stop = stop_signal()
    scheduler = _timetable(settings, installed) if settings.jobs else None
    try:
        if scheduler is not None:
            await _sweep(settings, installed)()
            await _keep(settings, installed)()  # whatever an outage cost comes before any result
            scheduler.start()
        site = web.TCPSite(runner, settings.host, settings.port, backlog=1024, reuse_port=shared or None)
        await site.start()
        host, port = runner.addresses[0][:2]
        announce(address(host, port or settings.port))
        garbage.settle()
        await stop.wait()
        app[STOPPING].append(True)  # /readyz says 503 from now on
        await asyncio.sleep(NOTICE_SECONDS)
    finally:
        if scheduler is not None:
            await scheduler.stop()
        await runner.cleanup()


async def work(settings: Settings, installed: Installed) -> None:
    """Run the timetable alone until SIGTERM or SIGINT."""
    stop = stop_signal()
    scheduler = _timetable(settings, installed)
    try:
        await _sweep(settings, installed)()
        await _keep(settings, installed)()
        scheduler.start()
        await stop.wait()
    finally:
        await scheduler.stop()


def _timetable(settings: Settings, installed: Installed) -> Timetabling:
    counting = partial(Count, installed.database, installed.clock, settings.zone)
    jobs = Jobs(
        sweep=_sweep(settings, installed),
        rate=Rate(closing_of(settings, installed)),
        count=counting(),
        count_all=counting(all_weeks=True),
        tell=Tell(installed.database, installed.clock, secrecy_of(settings), WORDING),
        keep=_keep(settings, installed),
    )
    return Timetabling(timetable(jobs, SystemClock().now(), speed_of(installed.clock)))


def _keep(settings: Settings, installed: Installed) -> Keep:
    return Keep(installed.database, installed.clock, keeper_of(settings, installed))


def _sweep(settings: Settings, installed: Installed) -> Sweep:
    return Sweep(
        installed.database, installed.clock, settings.zone, settings.all_pools(), settings.week_boards
    )


def stop_signal() -> asyncio.Event:
    """Is set when this process is told to stop, by SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop


def address(host: str, port: int) -> str:
    """As browsers write it."""
    return f"http://{'[' + host + ']' if ':' in host else host}:{port}"
