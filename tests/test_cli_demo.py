"""``crossruff demo`` as an operator runs it."""

import asyncio
import json
import re
import signal

import aiohttp
import pytest

from tests.commands import run
from tests.processes import crossruff, crossruff_serve

SMALL = ("--players", "40", "--weeks", "2")
CHECKSUM = re.compile(r"Ratings of 2026-W47, checksum ([0-9a-f]{16})")


def checksum(said):
    """That of the ratings which were shown."""
    return CHECKSUM.search(said)[1]


async def get(url):
    """What the API answers."""
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def more_results(running, least):
    """Wait until so many results stand on boards of the open week; how many there are."""
    async with asyncio.timeout(120):
        while True:
            page = await get(f"{running.url}/api/v1/boards?limit=200")
            found = sum(board["results"] for board in page["boards"])
            if found >= least:
                return found
            await asyncio.sleep(0.2)


async def event_running(running):
    """Wait until a Swiss event is played; how many pairs have entered it."""
    async with asyncio.timeout(120):
        while True:
            listed = (await get(f"{running.url}/api/v1/events?state=running"))["events"]
            if listed:
                return len((await get(f"{running.url}/api/v1/events/{listed[0]['id']}"))["entries"])
            await asyncio.sleep(0.2)


def test_it_teaches():
    told = run("demo", "--help").output
    for words in ("--seed 7 --fresh", "crossruff verify", "Ctrl-C", "--no-serve", "var/demo", "same ratings"):
        assert words in told


@pytest.mark.parametrize(
    "arguments", [("--players", "39"), ("--weeks", "0"), ("--speed", "0"), ("--seed", "-1"), ("--seed", "x")]
)
def test_what_makes_no_world_is_wrong_usage(arguments, tmp_path):
    refused = run("demo", "--data-dir", tmp_path / "demo", *arguments)
    assert refused.exit_code == 2
    assert arguments[0] in refused.output
    assert not (tmp_path / "demo").exists()


def test_a_folder_with_something_else_is_refused_and_left_alone(tmp_path):
    (tmp_path / "crossruff.sqlite3").write_text("mine")
    for more in ((), ("--fresh",)):
        refused = run("demo", "--data-dir", tmp_path, "--no-serve", *more)
        assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
        assert "holds something, and no demonstration" in refused.output
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


async def test_the_same_seed_gives_the_same_ratings(tmp_path):
    """In another folder, with another hash seed, and whatever the operator's own server is set to."""
    own = {
        "CROSSRUFF_DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}",
        "CROSSRUFF_WEEK_ZONE": "Europe/Tallinn",
        "CROSSRUFF_RATING": json.dumps({"official": "joint", "shield_boards": 3}),
        "PYTHONHASHSEED": "77",
    }
    arguments = ("demo", *SMALL, "--no-serve", "--data-dir")
    one, other = await asyncio.gather(
        crossruff(*arguments, str(tmp_path / "1")),
        crossruff(*arguments, str(tmp_path / "2"), afresh=True, **own),
    )
    assert (one.code, other.code) == (0, 0), one.err + other.err
    assert checksum(one.out) == checksum(other.out)
    assert re.search(r"2026-W46: \d+ results, \d+ players rated\n", one.out)
    assert not (tmp_path / "own.sqlite3").exists()
    refused = await crossruff("demo", "--no-serve", "--data-dir", str(tmp_path / "1"), "--seed", "5")
    assert refused.code == 1
    assert "--seed 1" in refused.err
    assert "--fresh" in refused.err
    fresh = await crossruff(*arguments, str(tmp_path / "1"), "--seed", "2", "--fresh")
    assert checksum(fresh.out) != checksum(one.out)


async def test_tables_play_on_before_the_eyes_of_a_newcomer_and_again_after_a_restart(tmp_path):
    arguments = ("--data-dir", str(tmp_path / "demo"))
    async with crossruff_serve(*arguments, *SMALL, "--speed", "2000", command="demo") as running:
        before = checksum(running.said)
        first = await more_results(running, 1)
        assert await more_results(running, first + 4) > first
        assert await event_running(running) == 5
        held = await crossruff("demo", "--no-serve", *arguments)
        assert (held.code, held.err) == (1, f"Error: another demonstration runs in {tmp_path / 'demo'}\n")
        assert (await crossruff("verify", CROSSRUFF_DATA_DIR=str(tmp_path / "demo"))).code == 0
        assert await running.stop(signal.SIGTERM) == 0
    async with crossruff_serve(*arguments, command="demo") as running:
        assert "going on" in running.said
        assert before in running.said or "2026-W47" not in running.said  # unless a week was closed meanwhile
        now = await more_results(running, 1)
        assert await more_results(running, now + 2) > now
        assert await running.stop(signal.SIGINT) == 0


async def test_everything_it_points_at_is_there(tmp_path):
    process = crossruff_serve("--data-dir", str(tmp_path / "demo"), *SMALL, command="demo")
    async with process as running:
        said = ""
        while "Ctrl-C" not in said:
            said += (await running.process.stdout.readline()).decode()
        addresses = re.findall(rf"{running.url}\S*", said)
        assert len(addresses) > 5
        async with aiohttp.ClientSession() as session:
            for address in addresses:
                async with session.get(address) as answer:
                    assert answer.status == 200, address
        week = await get(f"{running.url}/api/v1/weeks/2026-W47/leaderboard")
        assert week["rows"][0]["rank"] == 1
        page = re.search(rf"{running.url}/boards/(\S+)", said)[1]
        board = await get(f"{running.url}/api/v1/boards/{page}/traveller")
        assert board["results"][0]["contract"]
        assert await running.stop() == 0


async def test_what_was_broken_off_begins_anew(tmp_path):
    arguments = ("demo", "--players", "40", "--weeks", "3", "--no-serve", "--data-dir")
    folder = str(tmp_path / "demo")
    told = await crossruff(*arguments, folder, stop=(b"2026-W45: ", signal.SIGTERM))
    assert (told.code, told.err) == (0, "")
    assert told.out.endswith("the next start begins anew.\n")
    killed = await crossruff("demo", "--no-serve", "--data-dir", folder, stop=(b"2026-W45: ", signal.SIGKILL))
    assert killed.code == -signal.SIGKILL
    again = await crossruff("demo", "--no-serve", "--data-dir", folder)
    assert "playing 3 weeks of 40 players" in again.out
    whole = await crossruff(*arguments, str(tmp_path / "whole"))
    assert checksum(again.out) == checksum(whole.out)
