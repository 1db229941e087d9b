"""Several processes on one address: started, watched over, given up."""

import asyncio
import os
import re
import signal
import socket
import sys
import time
from asyncio.subprocess import PIPE
from pathlib import Path

import aiohttp
import pytest

from server.workers import command
from tests.processes import crossruff, crossruff_serve

only_postgresql = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
DIES, LIVES = "raise SystemExit(3)", "import time; time.sleep(60)"
WATCH = """
import sys
from server.workers import Workers
commands = [[sys.executable, "-c", code] for code in sys.argv[1:]]
print(Workers(commands, lambda: False, lambda: print("ready"), lambda text: print(text, flush=True)).run())
"""


@pytest.fixture
def arguments(tmp_path):
    """Of two processes, with the data in the test's own folder."""
    return ("--workers", "2", "--no-jobs", "--data-dir", str(tmp_path / "data"))


async def watch(*codes):
    """A process that watches over processes which run these pieces of code."""
    return await asyncio.create_subprocess_exec(sys.executable, "-c", WATCH, *codes, stdout=PIPE)


async def test_processes_that_die_at_once_are_given_up():
    watching = await watch(DIES, DIES)
    said, _ = await asyncio.wait_for(watching.communicate(), 30)
    *ended, last = said.decode().splitlines()
    assert last == "False"
    assert len(ended) == 6
    assert all(re.fullmatch(r"Process \d+ ended with 3", line) for line in ended)


async def test_one_that_dies_is_started_again_while_another_lives():
    watching = await watch(DIES, LIVES)
    for _ in range(5):
        assert (await asyncio.wait_for(watching.stdout.readline(), 30)).endswith(b" ended with 3\n")
    watching.send_signal(signal.SIGTERM)
    said, _ = await asyncio.wait_for(watching.communicate(), 30)
    assert said.splitlines()[-1] == b"True"


async def test_nothing_of_the_current_folder_is_taken_for_the_server(tmp_path):
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "__init__.py").write_text("raise SystemExit('not this one')")
    asked = await asyncio.create_subprocess_exec(*command("--version"), cwd=tmp_path, stdout=PIPE)
    said, _ = await asked.communicate()
    assert said.startswith(b"crossruff, version ")


@only_postgresql
async def test_it_listens_when_it_says_so_and_ends_in_good_order(database_url, arguments):
    async with crossruff_serve(*arguments, CROSSRUFF_DATABASE_URL=database_url) as running:
        assert running.said.startswith("Crossruff, 2 processes, listens on http://127.0.0.1:")
        async with aiohttp.ClientSession() as session:
            for path in ("/readyz", "/api/v1/weeks/current"):
                async with session.get(running.url + path) as answer:
                    assert answer.status == 200
        assert await running.stop() == 0
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", int(running.url.rpartition(":")[2]))


def children(process):
    """Numbers of the processes that a process has started."""
    return set(map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()))


@only_postgresql
async def test_a_process_that_is_killed_is_replaced(database_url, arguments):
    async with crossruff_serve(*arguments, CROSSRUFF_DATABASE_URL=database_url) as running:
        first = children(running.process)
        assert len(first) == 2
        killed = min(first)
        os.kill(killed, signal.SIGKILL)
        assert await running.process.stdout.readline() == f"Process {killed} ended with -9\n".encode()
        async with asyncio.timeout(10):
            while (now := children(running.process)) == first or len(now) < 2:
                await asyncio.to_thread(time.sleep, 0.01)
        assert now & first == first - {killed}
        assert await running.stop() == 0


@only_postgresql
async def test_what_each_would_refuse_is_refused_once(database_url, arguments, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret-key").touch()
    own = {"CROSSRUFF_DATABASE_URL": database_url}
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        no_key = await crossruff("serve", "--port", port, *arguments, **own)
        own["CROSSRUFF_SECRET_KEY"] = "hush"
        no_port = await crossruff("serve", "--port", port, *arguments, **own)
        zone = await crossruff(
            "serve", "--port", port, *arguments, **own, CROSSRUFF_WEEK_ZONE="Europe/Tallinn"
        )
    for refused, words in (
        (no_key, "secret-key is empty"),
        (no_port, "Address already in use"),
        (zone, "the weeks of this database run in Asia/Shanghai"),
    ):
        assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1), refused
        assert words in refused.err


async def test_the_embedded_database_has_one_process(arguments):
    refused = await crossruff("serve", "--port", "0", *arguments)
    assert (refused.code, refused.out) == (2, "")
    assert "--workers needs PostgreSQL" in refused.err
