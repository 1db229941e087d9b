"""`crossruff demo`: a world to look at."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import asdict, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click
import structlog
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from server import logs
from server.app import Installed
from server.bridge.pool import DEFAULT_POOL
from server.bridge.week import week_of
from server.cli_running import installed, run, settings_of
from server.clock import speed_of
from server.demo import folder, platform_token, programme, sights, summary
from server.demo.dealing import Dealer
from server.demo.events import seeded_deal
from server.demo.folder import FolderRefused, Kept
from server.demo.history import History, Spell
from server.demo.live import Platform
from server.demo.plan import BEGINS, LIVE, Plan
from server.demo.settings import arguments
from server.services.closing import Closed
from server.serving import serve, stop_signal
from server.settings import Settings
from server.world.people import LEAST, MOST, World
from server.world.sittings import SPELLS

_log = structlog.get_logger()

FOLDER = Path("var/demo")
DEFAULT = Plan(seed=1, players=120, weeks=12, speed=120.0)
MISSED = 4  # weeks that are played afterwards when nobody served them; those before stay empty


@click.command("demo")
@click.option(
    "--data-dir",
    type=click.Path(file_okay=False, path_type=Path),
    default=FOLDER,
    show_default=True,
    help="The demonstration's own data folder.",
)
@click.option("--port", type=int, help="Port to listen on; 0 takes a free one.  [default: 8080]")
@click.option("--seed", type=click.IntRange(0), help=f"Another seed, another world.  [{DEFAULT.seed}]")
@click.option("--players", type=click.IntRange(LEAST, MOST), help=f"How many play.  [{DEFAULT.players}]")
@click.option("--weeks", type=click.IntRange(1, 500), help=f"Weeks already played.  [{DEFAULT.weeks}]")
@click.option(
    "--speed",
    type=click.FloatRange(1, 10_000),
    help=f"Seconds of its clock in a real one.  [{DEFAULT.speed:g}]",
)
@click.option("--fresh", is_flag=True, help="Remove the demonstration in the folder, and begin anew.")
@click.option("--no-serve", is_flag=True, help="Play the weeks, show the ratings, and end.")
def demo_command(
    data_dir: Path, port: int | None, fresh: bool, no_serve: bool, **given: float | None
) -> None:
    """Show a living example: simulated players, a simulated clock, a real server.

    People of known skill, with partners and habits of their own, have played for some weeks: on really
    dealt boards, through the same services as any platform, and every week was rated. Then the server starts
    in the middle of a week and the tables play on over HTTP: boards fill, are scored and retire before your
    eyes, and on Monday the week is rated. Meanwhile one Swiss pairs after another is held: pairs sign up, are
    paired round by round and play, and at the end there is the ranking.

    \b
    Some things to try:
      crossruff demo                    the world of the seed 1
      crossruff demo --seed 7 --fresh   another one in its place
      crossruff demo --speed 1200       a week in eight minutes
      CROSSRUFF_DATA_DIR=var/demo crossruff verify
                                        every figure computed again, beside the running server

    The same seed gives the same ratings every time. Started again on the same folder it goes on: its clock
    never stands still, and the last weeks that were missed are played afterwards. Ctrl-C ends it. Nothing
    outside the folder is touched; of your settings only host and port count here.
    """
    try:
        folder.read(data_dir)  # what is somebody else's is not touched
        with folder.held(data_dir):
            wanted = {name: value for name, value in given.items() if value is not None}
            kept = _kept(data_dir, wanted, fresh)
            logs.set_up(logging.WARNING)
            settings = settings_of(**arguments(kept.plan, data_dir), port=port)
            run(_demo(settings, kept, no_serve))
    except (FolderRefused, OSError) as error:
        raise click.ClickException(str(error)) from error


def _kept(data_dir: Path, given: dict[str, Any], fresh: bool) -> Kept:
    """What the demonstration is made from: what was, or what is wanted now. What was half made is removed."""
    there = folder.read(data_dir)
    if there is not None and there.played and not fresh:
        if replace(there.plan, **given) != there.plan:
            was = ", ".join(f"--{name} {value:g}" for name, value in asdict(there.plan).items())
            raise FolderRefused(
                f"{data_dir} was made with {was}; --fresh begins anew, or name another --data-dir"
            )
        return there
    before = DEFAULT if there is None or fresh else there.plan
    folder.clear(data_dir)
    kept = Kept(replace(before, **given), played=False)
    folder.write(data_dir, kept)
    return kept


async def _demo(settings: Settings, kept: Kept, no_serve: bool) -> None:
    async with installed(settings, err=False) as found:
        login = await platform_token.login(settings.data_dir, found)
        until = found.clock.now() if kept.played else BEGINS
        history = History(settings, found.database, login, kept.plan)
        if not await _unless_stopped(_bring_up(settings, kept, history, until)):
            if not kept.played:
                click.echo("Stopped before the weeks were played; the next start begins anew.")
            return
        made = await found.database.read(partial(summary.summary, plan=kept.plan))
        for line in () if made is None else summary.lines(made):
            click.echo(line)
        if not no_serve:
            dealer = Dealer(settings, found, login.caller, kept.plan)
            platform = Platform(
                login.token, kept.plan, dealer, found.clock, settings.zone, programme.usual(kept.plan)
            )
            seeded = replace(found, deal=seeded_deal(kept.plan))
            await _serve(settings, seeded, kept.plan.world(), partial(platform.play, since=until))


async def _unless_stopped(task: Coroutine[Any, Any, None]) -> bool:
    """Run a task to its end; False when the process was told to stop meanwhile."""
    told, running = asyncio.create_task(stop_signal().wait()), asyncio.create_task(task)
    await asyncio.wait((running, told), return_when=asyncio.FIRST_COMPLETED)
    told.cancel()
    if not running.done():
        running.cancel()
        await asyncio.wait((running,))
    if not running.cancelled():
        running.result()
    return not running.cancelled()


async def _bring_up(settings: Settings, kept: Kept, history: History, until: datetime) -> None:
    """Play the weeks beforehand, or what was missed since."""
    now = week_of(until, settings.zone)
    first = max(LIVE, now.plus(-MISSED)) if kept.played else kept.plan.first
    weeks = kept.plan.number(now) - kept.plan.number(first)
    made = f"{kept.plan.weeks} weeks of {kept.plan.players} players, seed {kept.plan.seed}"
    click.echo(f"{settings.data_dir}: {'going on after' if kept.played else 'playing'} {made}")
    with _shown((weeks + 1) * SPELLS) as show:
        async with aclosing(history.play(first, until)) as steps:
            async for step in steps:
                show(step)
    if not kept.played:
        folder.write(settings.data_dir, replace(kept, played=True))


@contextmanager
def _shown(total: int) -> Iterator[Callable[[Spell | Closed], None]]:
    """A bar on a terminal, plain lines elsewhere."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total)

        def show(step: Spell | Closed) -> None:
            if isinstance(step, Spell):
                bar.update(task, advance=1, description=f"playing {step.week}")
            elif console.is_terminal:
                bar.update(task, description=f"rating {step.week}")
            elif step.pool == DEFAULT_POOL and step.results:
                click.echo(f"  {step.week}: {step.results} results, {step.players} players rated")

        yield show


async def _serve(
    settings: Settings, found: Installed, world: World, play: Callable[[str], Coroutine[Any, Any, None]]
) -> None:
    """Serve while simulated tables ``play`` at the address, until the process is told to stop."""
    now = found.clock.now()
    seen = partial(sights.sights, found.database, world=world, now=now, zone=settings.zone)
    tables: list[asyncio.Task[None]] = []

    async def follow(url: str) -> None:
        for words, address in await seen(url):
            click.echo(f"  {words:30} {address}")
        click.echo(f"Tokens are in {settings.data_dir}. Ctrl-C ends it; started again, it goes on.")
        try:
            await play(url)
        except Exception as error:  # the server goes on without them
            _log.error("demo.tables.ended", exc_info=error)

    def announce(url: str) -> None:
        click.echo(f"\nCrossruff listens on {url}")
        click.echo(sights.clock_line(now, settings.zone, speed_of(found.clock)))
        tables.append(asyncio.create_task(follow(url), name="demo tables"))

    try:
        await serve(settings, found, announce)
    finally:
        for task in tables:
            task.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
