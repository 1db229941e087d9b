"""The tests' own PostgreSQL: found or made, and gone afterwards, whatever happens."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from server.services import tokens
from server.storage.database import open_database
from tests import postgres
from tests.clock import NOON

USES_A_CLUSTER = """
import sys
from tests import postgres
with postgres.databases() as databases:
    print(databases.url(databases.clone()), flush=True)
    sys.stdin.read()
"""


def start(code: str = USES_A_CLUSTER, **environment: str) -> "subprocess.Popen[bytes]":
    inherited = {name: value for name, value in os.environ.items() if name != "TEST_POSTGRES_URL"}
    return subprocess.Popen(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[1],
        env=inherited | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def socket_folder(process: "subprocess.Popen[bytes]") -> Path:
    return Path(process.stdout.readline().decode().strip().partition("?host=")[2].replace("%2F", "/"))


def process_of(folder: Path) -> int:
    return int((folder / "data" / "postmaster.pid").read_text().split()[0])


def wait_for_the_end(process: "subprocess.Popen[bytes]") -> str:
    """Its standard error, which also the keeper and the server hold open: at its end all have ended."""
    process.stdin.close()
    said = process.stderr.read().decode()
    process.stdout.close()
    process.stderr.close()
    process.wait()
    return said


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, None])
def test_a_cluster_ends_with_the_tests_however_they_end(how):
    process = start()
    folder = socket_folder(process)
    server = process_of(folder)
    os.kill(server, 0)
    if how is not None:
        process.send_signal(how)
    wait_for_the_end(process)
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)


def test_without_postgresql_the_tests_fail_and_say_what_to_do(tmp_path, monkeypatch):
    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    monkeypatch.setattr(postgres, "DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(postgres.NoPostgres, match="TEST_POSTGRES_URL"), postgres.databases():
        pass


def test_binaries_that_do_not_work_are_named(tmp_path, monkeypatch):
    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    folder = tmp_path / "15" / "bin"
    folder.mkdir(parents=True)
    (folder / "initdb").write_text("#!/bin/sh\necho no such luck\nexit 3\n")
    (folder / "initdb").chmod(0o755)
    monkeypatch.setattr(postgres, "DEBIAN", tmp_path)
    with pytest.raises(postgres.NoPostgres, match=str(folder)), postgres.databases():
        pass


def test_the_newest_of_debians_versions_is_taken(tmp_path, monkeypatch):
    for version in ("9", "15", "17"):
        (tmp_path / version / "bin").mkdir(parents=True)
        (tmp_path / version / "bin" / "initdb").touch()
    monkeypatch.setattr(postgres, "DEBIAN", tmp_path)
    assert postgres.binaries() == tmp_path / "17" / "bin"


def test_the_wheel_will_do(tmp_path, monkeypatch):
    monkeypatch.setattr(postgres, "DEBIAN", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TEST_POSTGRES_URL", raising=False)
    with postgres.databases() as databases:
        assert databases.clone() in databases.names()


def test_a_given_server_is_used_and_left_clean(postgres_databases, monkeypatch):
    monkeypatch.setenv("TEST_POSTGRES_URL", postgres_databases.url("postgres"))
    with postgres.databases() as databases:
        name = databases.clone()
        assert postgres_databases.names() >= {name}
        databases.release(name)
    assert name not in postgres_databases.names()


def use(url: str, *statements: str) -> list[int]:
    """Run statements and make a token in a database; the numbers of all its tokens."""

    async def run() -> list[int]:
        database = open_database(url)
        for statement in statements:
            await database.write(lambda connection, sql=statement: connection.execute(text(sql)))
        await tokens.create(database, "club", frozenset(["admin"]), NOON)
        found = [token.number for token in await tokens.get_all(database)]
        await database.close()
        return found

    return asyncio.run(run())


def test_what_is_let_go_of_is_used_again_and_as_good_as_new(postgres_databases):
    names = []
    for _ in range(3):
        names.append(postgres_databases.clone())
        assert use(postgres_databases.url(names[-1])) == [1]
        postgres_databases.release(names[-1])
    assert len(set(names)) == 1


@pytest.mark.parametrize(
    "change",
    [
        "CREATE TABLE more (number BIGINT)",
        "ALTER TABLE players ADD COLUMN more BIGINT",
        "ALTER TABLE tokens ALTER COLUMN digest DROP NOT NULL",
        "CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        "UPDATE alembic_version SET version_num = '9999_future'",
    ],
)
def test_what_has_another_schema_is_not_used_again(postgres_databases, change):
    name = postgres_databases.clone()
    use(postgres_databases.url(name), change)
    postgres_databases.release(name)
    assert name not in postgres_databases.names()
