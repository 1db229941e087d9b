"""The server as an operator runs it: first start, later starts, refusals, the end."""

import asyncio
import signal
import socket
import sqlite3
import stat
import tomllib
from contextlib import closing

import aiohttp
import pytest
from click.testing import CliRunner

from server.cli import main
from server.settings import DEFAULTS
from tests.processes import crossruff, crossruff_serve

START = "2026-11-25T12:00:00Z"
only_postgresql = pytest.mark.parametrize("empty_database_url", ["postgresql"], indirect=True)


@pytest.fixture
def here(tmp_path):
    """Arguments that keep the data in the test's own folder."""
    return ("--data-dir", str(tmp_path / "data"))


@pytest.fixture
def environment(tmp_path):
    """The same for commands without such an argument."""
    return {"CROSSRUFF_DATA_DIR": str(tmp_path / "data")}


async def get(running, path: str, token: str | None = None):
    """Status and body."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession() as session, session.get(running.url + path, headers=headers) as answer:
        return answer.status, await answer.json()


async def test_the_first_start_prints_the_admin_token_once(here, tmp_path):
    async with crossruff_serve(*here, "--no-jobs", afresh=True) as running:
        token = running.said.partition("shown this once: ")[2].split()[0]
        file = tmp_path / "data" / "admin-token"
        assert file.read_text() == f"{token}\n"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "data" / "secret-key").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700
        assert (await get(running, "/api/v1/weeks/current", token))[0] == 200
        assert (await get(running, "/api/v1/weeks/current", token + "x"))[0] == 401
        assert await running.stop() == 0
    async with crossruff_serve(*here, "--no-jobs") as running:
        assert "oken" not in running.said
        assert file.read_text() == f"{token}\n"
        assert (await get(running, "/api/v1/weeks/current", token))[0] == 200
        assert await running.stop() == 0


async def test_another_zone_refuses_to_start(here):
    async with crossruff_serve(*here, "--no-jobs", CROSSRUFF_WEEK_ZONE="Europe/Tallinn") as running:
        assert await running.stop() == 0
    refused = await crossruff("serve", "--port", "0", *here)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("Error: the weeks of this database run in Europe/Tallinn")
    assert len(refused.err.splitlines()) == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_it_ends_in_good_order(here, how):
    async with crossruff_serve(*here, afresh=True, CROSSRUFF_WEEK_BOARDS="2") as running:
        host, port = running.url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))  # a client that stays, and is silent
        assert (await get(running, "/readyz"))[0] == 200
        assert await running.stop(how) == 0
        assert await reader.read() == b""
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(host, int(port))


async def test_a_load_balancer_sees_that_it_will_stop_while_it_still_takes_requests(here):
    async with crossruff_serve(*here, "--no-jobs") as running:
        stopping = asyncio.create_task(running.stop())
        while (await get(running, "/readyz"))[0] == 200:
            pass
        assert (await get(running, "/readyz"))[0] == 503
        assert (await get(running, "/api/v1/weeks/current"))[0] == 200
        assert await stopping == 0


async def test_nobody_else_can_read_what_it_keeps(here, tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o755)  # a folder that others may look into
    async with crossruff_serve(*here, CROSSRUFF_WEEK_BOARDS="2") as running:
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in data.iterdir()}
        kept = {"crossruff.sqlite3", "crossruff.sqlite3-wal", "crossruff.sqlite3-shm"}
        assert modes == dict.fromkeys(kept | {"admin-token", "secret-key"}, 0o600)
        assert await running.stop() == 0


async def test_a_request_under_way_is_answered_before_the_end(here, tmp_path):
    """It waits for somebody else who writes; meanwhile the server is told to stop."""
    async with crossruff_serve(*here, "--no-jobs") as running:
        token = running.said.partition("shown this once: ")[2].split()[0]
        host, port = running.url.removeprefix("http://").split(":")
        with closing(sqlite3.connect(tmp_path / "data" / "crossruff.sqlite3", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asking = asyncio.create_task(deal_set(running, token, "2100-W01"))
            await is_in_hand(running)
            stopping = asyncio.create_task(running.stop())
            await refuses_connections(host, int(port))
            assert not asking.done()
            other.execute("COMMIT")
            assert await asking == 201
            assert await stopping == 0
            assert other.execute("SELECT count(*) FROM boards").fetchone() == (1,)


async def is_in_hand(running) -> None:
    """Return when what was sent before is being worked on: what comes later is answered by then."""
    for _ in "12":
        assert (await get(running, "/healthz"))[0] == 200


async def refuses_connections(host: str, port: int) -> None:
    """Return when nobody listens there any more."""
    async with asyncio.timeout(5):
        while True:
            try:
                _, writer = await asyncio.open_connection(host, port)
            except ConnectionRefusedError:
                return
            writer.close()
            await asyncio.sleep(0.01)


async def test_a_simulated_clock_runs_on_across_restarts(here):
    clock = f"{START},3600"  # an hour every second
    seen = []
    for _ in "12":
        async with crossruff_serve(*here, "--no-jobs", CROSSRUFF_CLOCK=clock) as running:
            _, week = await get(running, "/api/v1/weeks/current")
            token = running.said.partition("shown this once: ")[2].split()
            seen.append(week)
            if token:
                made = await deal_set(running, token[0], "2026-W48")
            assert await running.stop() == 0
    assert [week["week"] for week in seen] == ["2026-W48", "2026-W48"]
    assert made == 201
    for other in ({}, {"CROSSRUFF_CLOCK": f"{START},1"}):
        refused = await crossruff("serve", "--port", "0", *here, **other)
        assert refused.code == 1
        assert f"this database was made with the clock '{clock}'" in refused.err
        assert len(refused.err.splitlines()) == 1


async def deal_set(running, token: str, week: str) -> int:
    """Status of making a board for this week."""
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(f"{running.url}/api/v1/board-sets", json={"week": week, "count": 1}) as answer,
    ):
        return answer.status


async def test_a_simulated_clock_is_refused_where_the_database_was_made_without(here):
    async with crossruff_serve(*here, "--no-jobs") as running:
        assert await running.stop() == 0
    refused = await crossruff("serve", "--port", "0", *here, CROSSRUFF_CLOCK=f"{START},60")
    assert refused.code == 1
    assert "this database was made without a simulated clock" in refused.err


async def test_it_deals_ahead_as_it_starts_unless_it_is_told_not_to(here, tmp_path):
    dealt = []
    for number, options in enumerate(((), ("--no-jobs",))):
        folder = str(tmp_path / str(number))
        async with crossruff_serve("--data-dir", folder, *options, CROSSRUFF_WEEK_BOARDS="2") as running:
            _, page = await get(running, "/api/v1/boards")
            dealt.append(len(page["boards"]))
            assert await running.stop() == 0
    assert dealt == [2, 0]


async def test_a_port_that_is_taken_is_said_and_the_admin_token_too(here, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        refused = await crossruff("serve", "--port", str(taken.getsockname()[1]), *here, "--no-jobs")
    assert refused.code == 1
    assert "address already in use" in refused.err
    assert "Traceback" not in refused.err
    token = (tmp_path / "data" / "admin-token").read_text().strip()
    assert f"Admin token, shown this once: {token}\n" in refused.out


def command(*arguments: str, **environment: str):
    """Run a command that starts no server within this process."""
    own = {"CROSSRUFF_CONFIG": None} | environment  # which `--config` sets
    return CliRunner().invoke(main, arguments, env=own)


def test_unknown_settings_and_arguments_are_refused(here):
    refused = command("serve", *here, CROSSRUFF_PROT="1")
    assert (refused.exit_code, refused.stderr) == (1, "Error: unknown environment variable CROSSRUFF_PROT\n")
    for arguments in (("serve", "--port", "many"), ("deal-me-in",), ("--config", "missing.toml", "settings")):
        assert command(*arguments).exit_code == 2
    for scope in ("root", "results"):
        assert command("token", "create", "--name", "club", "--scope", scope).exit_code == 2


def test_settings_are_shown_with_secrets_masked(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text("port = 1234\n")
    secrets = {
        "CROSSRUFF_SECRET_KEY": "hush",
        "CROSSRUFF_DATABASE_URL": "postgresql+asyncpg://ann:hush@host/db",
    }
    shown = command("--config", str(file), "settings", **secrets)
    assert shown.exit_code == 0
    said = tomllib.loads(shown.stdout)
    assert (said["port"], said["secret_key"], said["database_url"]) == (1234, "**********", "**********")
    assert "hush" not in shown.output
    assert 'pools.imps.method = "datum"\n' in shown.stdout
    masked = {"port": 1234, "database_url": "**********", "secret_key": "**********"}
    assert said == tomllib.loads(DEFAULTS.read_text()) | {"data_dir": "var"} | masked


async def test_tokens_are_made_listed_and_revoked_while_the_server_runs(here, environment):
    async def token(*arguments: str):
        return await asyncio.to_thread(command, "token", *arguments, **environment)

    async with crossruff_serve(*here, "--no-jobs") as running:
        scopes = ("--scope", "results:write", "--scope", "director")
        made = await token("create", "--name", "club", *scopes)
        word = made.stdout.strip()
        assert (made.exit_code, made.stdout.count("\n"), word[:3]) == (0, 1, "cr_")
        assert (await get(running, "/api/v1/weeks/current", word))[0] == 200
        listed = (await token("list")).stdout
        assert word not in listed
        number = next(line.split()[0] for line in listed.splitlines() if "director results:write" in line)
        assert (await token("revoke", number)).exit_code == 0
        await asyncio.sleep(1)  # for which a token is believed at most
        assert (await get(running, "/api/v1/weeks/current", word))[0] == 401
        again = await token("revoke", number)
        assert (again.exit_code, again.stderr) == (1, f"Error: no token {number} that could be revoked\n")
        assert await running.stop() == 0


@only_postgresql
async def test_postgresql_is_migrated_by_hand_and_has_no_admin_token(empty_database_url, here, environment):
    database = {"CROSSRUFF_DATABASE_URL": empty_database_url}
    refused = await crossruff("serve", "--port", "0", *here, **database)
    assert refused.code == 1
    assert "run `crossruff migrate`" in refused.err
    migrated = await crossruff("migrate", **environment, **database)
    assert (migrated.code, migrated.out) == (0, "The schema is current.\n")
    async with crossruff_serve(*here, **database, CROSSRUFF_WEEK_BOARDS="1") as running:
        assert "oken" not in running.said
        _, page = await get(running, "/api/v1/boards")
        assert len(page["boards"]) == 1
        assert await running.stop() == 0
