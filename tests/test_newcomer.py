"""The walk of somebody new: clone, `make serve`, and the lines of README.md as they stand there."""

import asyncio
import os
import re
import signal
import socket
import subprocess
from asyncio.subprocess import DEVNULL, PIPE, STDOUT
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIRST_RESULTS = re.compile(r"^## First results$(.*?)^## ", re.MULTILINE | re.DOTALL)
ADDRESS = "http://127.0.0.1:8080"


def readme_lines():
    """The shell lines of the section "First results", in order."""
    section = FIRST_RESULTS.search((ROOT / "README.md").read_text(encoding="utf-8"))[1]
    return "\n".join(re.findall(r"^```sh$(.*?)^```$", section, re.MULTILINE | re.DOTALL))


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def clone(tmp_path):
    """The repository as somebody else gets it, with nothing built."""
    folder = tmp_path / "crossruff"
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    return folder


def untracked(folder):
    """What git finds in a clone that does not belong to it."""
    status = ["git", "status", "--porcelain"]
    return subprocess.run(status, cwd=folder, capture_output=True, check=True, text=True).stdout


@asynccontextmanager
async def made_to_serve(folder, port):
    """`make serve`, which makes the environment first; the process, and what it said up to its address."""
    own = {
        name: value for name, value in os.environ.items() if not name.startswith(("CROSSRUFF_", "VIRTUAL_"))
    }
    process = await asyncio.create_subprocess_exec(
        *("make", "serve"),
        cwd=folder,
        # pip need not compile what nobody runs (its options that begin with "no" are turned on by "no").
        env=own | {"CROSSRUFF_PORT": str(port), "PIP_NO_COMPILE": "no"},
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=STDOUT,
        start_new_session=True,
    )
    said = ""
    try:
        async with asyncio.timeout(600):
            while " listens on " not in said:
                line = (await process.stdout.readline()).decode()
                assert line, said
                said += line
        yield process, said
    finally:
        if process.returncode is None:
            os.killpg(process.pid, signal.SIGKILL)
        await process.stdout.read()
        await process.wait()


def server_of(process):
    """The server that `make` started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    (server,) = map(int, children)
    return server


async def test_the_first_results_of_a_newcomer(clone, tmp_path):
    port = free_port()
    async with made_to_serve(clone, port) as (process, said):
        assert f"Crossruff listens on http://127.0.0.1:{port}" in said
        assert "Admin token" in said
        lines = readme_lines().replace(ADDRESS, f"http://127.0.0.1:{port}")
        assert lines.count("report table-") == 6
        shell = await asyncio.create_subprocess_exec(
            *("bash", "-euo", "pipefail", "-c", lines), cwd=clone, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
        )
        out, err = await shell.communicate()
        assert (shell.returncode, err) == (0, b"")
        shown = out.decode()
        assert shown.count('"state":"pending"') == 10  # five results and their boards
        assert '"award":{"ns":-5,"ew":5},"field":{"ns":-5,"ew":5},"rated":true' in shown
        explained = shown.splitlines()[-3:]
        assert explained[0] == "6SN-1, not vulnerable: undertricks -50 = -50; -50 for NS."
        assert all(
            line.endswith("is the datum 120; the difference -170 is -5 IMPs for NS.")
            for line in explained[1:]
        )
        os.kill(server_of(process), signal.SIGTERM)
        async with asyncio.timeout(20):
            assert await process.wait() == 0
    assert await asyncio.to_thread(untracked, clone) == "?? sixth.json\n"  # what the walk itself left


def test_what_the_readme_shows_is_what_it_says():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = FIRST_RESULTS.search(readme)[1]
    assert section.count("```sh") == 3
    assert section.index("the difference -170 is -5 IMPs for NS.") > section.index("Why -5?")
