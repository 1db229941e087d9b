"""`crossruff replay`: the tables of a result file, posted over HTTP as a platform would."""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import click
import msgspec
from rich.console import Console
from rich.progress import Progress
from yarl import URL

from server.cli_running import Refused, refusals, run
from server.services.imports import read_result_file
from server.services.replays import Replay, ReplayBoard, replay_of

T = TypeVar("T")

ABREAST = 8  # boards at a time; the tables of one board go in order
TRIES = 60


def _address(_context: click.Context, _parameter: click.Parameter, given: str) -> URL:
    try:
        url = URL(given)
        if url.scheme in ("http", "https") and url.host and not url.query_string:
            return url / "api" / "v1"
    except ValueError:
        pass
    raise click.BadParameter(f"{given!r} is no address such as http://127.0.0.1:8080")


@click.command("replay")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--to",
    "address",
    required=True,
    callback=_address,
    help="Where the server is, such as http://127.0.0.1:8080.",
)
@click.option("--token", envvar="REPLAY_TOKEN", help="Token with results:write and boards:write.")
@click.option("--pool", default="imps", show_default=True, help="The pool to post into.")
@click.option("--week", help="ISO week to post into.  [default: the open week]")
@click.pass_context
def replay_command(
    context: click.Context, file: Path, address: URL, token: str | None, pool: str, week: str | None
) -> None:
    """Post the tables of a result FILE to a running server.

    New boards are made with dealer, vulnerability and cards of the file, under free numbers. Each table is
    posted in the order of the file until its board is retired. Pairs become two players each; a pair that
    the file does not name is invented.
    """
    with refusals(file.name):
        data = file.read_bytes()
        replay = replay_of(data, read_result_file(data))
        if not replay.boards:
            raise Refused("no table with a result")
    outcome = run(Platform(address, token, pool, week).play(replay))
    _report(replay, outcome)
    if outcome.refused.keys() - {"board-retired"}:
        context.exit(1)


class _Week(msgspec.Struct):
    week: str


class _Board(msgspec.Struct):
    id: str
    number: int
    state: str = ""  # a board just made does not tell it


class _Boards(msgspec.Struct):
    boards: list[_Board]


class _Page(_Boards):
    cursor: str | None


class _Accepted(msgspec.Struct):
    board: _Board


class _Problem(msgspec.Struct):
    """What the server says when it does not do something."""

    type: str = ""
    detail: str = ""


class Outcome:
    """What became of the tables."""

    def __init__(self) -> None:
        self.accepted = 0
        self.retired: set[str] = set()  # ids of boards
        self.refused: Counter[str] = Counter()  # by problem


class Platform:
    """A platform that reports results."""

    def __init__(self, api: URL, token: str | None, pool: str, week: str | None) -> None:
        self._api = api
        self._headers = {"Authorization": f"Bearer {token.strip()}"} if token else {}
        self._pool = pool
        self._week = week
        self._outcome = Outcome()

    async def play(self, replay: Replay) -> Outcome:
        """Make the boards and post every table; raises Refused, perhaps in a group."""
        async with aiohttp.ClientSession(headers=self._headers) as session:
            week = self._week or (await self._need(session, _Week, "GET", "weeks/current")).week
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
        first = 1
        cursor: dict[str, str] = {}
        while True:
            asked = {"week": week, "pool": self._pool, "limit": "200", **cursor}
            page = await self._need(session, _Page, "GET", "boards", params=asked)
            first = max([first, *(board.number + 1 for board in page.boards)])
            if page.cursor is None:
                break
            cursor = {"cursor": page.cursor}
        boards = [{"number": first + i, **board.body} for i, board in enumerate(replay.boards)]
        body = {"week": week, "pool": self._pool, "boards": boards}
        made = await self._need(session, _Boards, "POST", "board-sets", json=body)
        return [board.id for board in made.boards]

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
                key = {"Idempotency-Key": f"{named}-{table.key}"}
                body = {**table.body, "board": named}
                status, answer = await self._ask(
                    session, _Accepted, "POST", "results", json=body, headers=key
                )
                if isinstance(answer, _Problem):
                    self._outcome.refused[answer.type.rsplit("/", 1)[-1] or str(status)] += 1
                else:
                    self._outcome.accepted += 1
                    if answer.board.state == "retired":
                        self._outcome.retired.add(named)
                step()

    async def _need(
        self, session: aiohttp.ClientSession, kind: type[T], method: str, path: str, **sent: Any
    ) -> T:
        """As ``_ask``; raises Refused when the server does not do it."""
        status, answer = await self._ask(session, kind, method, path, **sent)
        if isinstance(answer, _Problem):
            raise Refused(f"{method} {self._api / path}: {status} {answer.detail}")
        return answer

    async def _ask(
        self, session: aiohttp.ClientSession, kind: type[T], method: str, path: str, **sent: Any
    ) -> tuple[int, T | _Problem]:
        """Ask the server for something; when it is busy or slows us down, ask again when it says."""
        url = self._api / path
        for _ in range(TRIES):
            try:
                async with session.request(method, url, **sent) as response:
                    status, content = response.status, await response.read()
            except (aiohttp.ClientError, OSError) as error:
                raise Refused(f"{method} {url}: {str(error) or type(error).__name__}") from error
            if status < 300:
                return status, _decoded(content, kind, url)
            if status not in (429, 503):
                return status, _decoded(content, _Problem, url)
            wait = response.headers.get("Retry-After", "")
            await asyncio.sleep(int(wait) if wait.isdecimal() else 1)
        raise Refused(f"{method} {url}: the server stayed busy")


def _decoded(content: bytes, kind: type[T], url: URL) -> T:
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Refused(f"{url}: no Crossruff server answers like this; is the address right?") from error


def _report(replay: Replay, outcome: Outcome) -> None:
    tables = sum(len(board.tables) for board in replay.boards)
    click.echo(f"{tables} tables of {len(replay.boards)} boards posted: {outcome.accepted} accepted")
    for problem, count in sorted(outcome.refused.items()):
        click.echo(f"  {count} refused: {problem}")
    click.echo(f"  {len(outcome.retired)} boards retired")
    if replay.skipped:
        click.echo(f"  {replay.skipped} rows of the file have no result to post")
