"""`crossruff replay`: the tables of a result file, posted over HTTP as a platform would."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import aiohttp
import click
import uvloop
from rich.console import Console
from rich.progress import Progress

from server.services.imports import read_result_file
from server.services.replays import Replay, ReplayBoard, replay_of

ABREAST = 8  # boards at a time; the tables of one board go in order
TRIES = 60


@click.command("replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "address", required=True, help="Where the server is, such as http://127.0.0.1:8080.")
@click.option("--token", envvar="REPLAY_TOKEN", help="Token with results:write and boards:write.")
@click.option("--pool", default="imps", show_default=True, help="The pool to post into.")
@click.option("--week", help="ISO week to post into.  [default: the open week]")
@click.pass_context
def replay_command(
    context: click.Context, file: Path, address: str, token: str | None, pool: str, week: str | None
) -> None:
    """Post the tables of a result FILE to a running server.

    New boards are made with dealer, vulnerability and cards of the file, under free numbers. Each table is
    posted in the order of the file until its board is retired. Pairs become two players each; a pair that
    the file does not name is invented.
    """
    data = file.read_bytes()
    read = read_result_file(data)
    replay = replay_of(data, read)
    if not replay.boards:
        raise click.ClickException(f"{file.name}: no table with a result")
    platform = Platform(address.rstrip("/") + "/api/v1", token, pool, week)
    try:
        outcome = uvloop.run(platform.play(replay))
    except (aiohttp.ClientError, ReplayRefused, OSError) as error:
        raise click.ClickException(str(error)) from error
    _report(replay, outcome)
    if outcome.refused.keys() - {"board-retired"}:
        context.exit(1)


class ReplayRefused(Exception):
    """The server did not take what a replay needs"""


class Outcome:
    """What became of the tables."""

    def __init__(self) -> None:
        self.accepted = 0
        self.retired: set[str] = set()  # ids of boards
        self.refused: Counter[str] = Counter()  # by problem


class Platform:
    """A platform that reports results."""

    def __init__(self, base: str, token: str | None, pool: str, week: str | None) -> None:
        self._base = base
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._pool = pool
        self._week = week
        self._outcome = Outcome()

    async def play(self, replay: Replay) -> Outcome:
        """Make the boards and post every table; raises ReplayRefused, aiohttp's ClientError."""
        async with aiohttp.ClientSession(headers=self._headers) as session:
            week = self._week or (await self._get(session, "/weeks/current"))["week"]
            made = await self._make_boards(session, week, replay)
            gate = asyncio.Semaphore(ABREAST)
            total = sum(len(board.tables) for board in replay.boards)
            with Progress(console=Console(stderr=True), disable=not Console(stderr=True).is_terminal) as bar:
                task = bar.add_task("Posting", total=total)
                async with asyncio.TaskGroup() as group:
                    for board, named in zip(replay.boards, made, strict=True):
                        step = partial(bar.advance, task)
                        group.create_task(self._post_board(session, gate, board, named, step))
        return self._outcome

    async def _make_boards(self, session: aiohttp.ClientSession, week: str, replay: Replay) -> list[str]:
        first, cursor = 1, ""
        while True:
            page = await self._get(session, f"/boards?week={week}&pool={self._pool}&limit=200{cursor}")
            first = max([first, *(board["number"] + 1 for board in page["boards"])])
            if page["cursor"] is None:
                break
            cursor = f"&cursor={page['cursor']}"
        boards = [{"number": first + i, **board.body} for i, board in enumerate(replay.boards)]
        body = {"week": week, "pool": self._pool, "boards": boards}
        status, made = await self._post(session, "/board-sets", body, None)
        if status != 201:
            raise ReplayRefused(f"POST /board-sets: {status} {made.get('detail')}")
        return [board["id"] for board in made["boards"]]

    async def _post_board(
        self,
        session: aiohttp.ClientSession,
        gate: asyncio.Semaphore,
        board: ReplayBoard,
        named: str,
        step: Callable[[], None],
    ) -> None:
        async with gate:
            for table in board.tables:
                key = f"{named}-{table.key}"
                status, answer = await self._post(session, "/results", {**table.body, "board": named}, key)
                if status == 201:
                    self._outcome.accepted += 1
                    if answer["board"]["state"] == "retired":
                        self._outcome.retired.add(named)
                else:
                    self._outcome.refused[str(answer.get("type", status)).rsplit("/", 1)[-1]] += 1
                step()

    async def _get(self, session: aiohttp.ClientSession, path: str) -> Any:
        async with session.get(self._base + path) as response:
            body = await response.json(content_type=None)
            if response.status != 200:
                raise ReplayRefused(f"GET {path}: {response.status} {body.get('detail')}")
            return body

    async def _post(
        self, session: aiohttp.ClientSession, path: str, body: dict[str, Any], key: str | None
    ) -> tuple[int, dict[str, Any]]:
        """Post; when the server is busy or slows us down, wait as it says and post the same again."""
        headers = {} if key is None else {"Idempotency-Key": key}
        for _ in range(TRIES):
            async with session.post(self._base + path, json=body, headers=headers) as response:
                answer = await response.json(content_type=None)
                if response.status not in (429, 503):
                    return response.status, answer
                wait = int(response.headers.get("Retry-After", "1"))
            await asyncio.sleep(wait)
        raise ReplayRefused(f"POST {path}: the server stayed busy")


def _report(replay: Replay, outcome: Outcome) -> None:
    tables = sum(len(board.tables) for board in replay.boards)
    click.echo(f"{tables} tables of {len(replay.boards)} boards posted: {outcome.accepted} accepted")
    for problem, count in sorted(outcome.refused.items()):
        click.echo(f"  {count} refused: {problem}")
    click.echo(f"  {len(outcome.retired)} boards retired")
    if replay.skipped:
        click.echo(f"  {replay.skipped} rows of the file have no result to post")
