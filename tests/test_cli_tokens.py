"""``crossruff token``: what a token may be, and how the first one is shown."""

import asyncio
import stat
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from server.storage import tables
from server.storage.database import open_database
from tests.commands import run

CLOCK = "2026-11-25T12:00:00Z,1"
CSV = "board,table,north,east,south,west,contract,declarer,tricks\n1,A1,a,b,c,d,4S,N,10\n"


@pytest.fixture
def token(tmp_path):
    """Runs ``crossruff token`` over a database in ``data``, on the 25th of November 2026."""
    here = {"CROSSRUFF_DATA_DIR": str(tmp_path / "data"), "CROSSRUFF_CLOCK": CLOCK}
    return lambda *arguments: run("token", *arguments, **here)


def kept(tmp_path):
    """Client, scopes and end of every token but the first."""

    async def read():
        database = open_database(f"sqlite:///{tmp_path / 'data' / 'crossruff.sqlite3'}")
        statement = select(tables.clients.c.name, tables.tokens.c.scopes, tables.tokens.c.expires_at)
        joined = statement.select_from(tables.tokens.join(tables.clients)).where(tables.tokens.c.number > 1)
        try:
            return await database.read(lambda connection: [tuple(row) for row in connection.execute(joined)])
        finally:
            await database.close()

    return asyncio.run(read())


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "cl\nub", "a\x00b", "\x1b[2J"])
def test_a_client_needs_a_name_of_some_characters(token, tmp_path, name):
    refused = token("create", "--name", name, "--scope", "admin")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "expected 1 to 100 characters" in refused.stderr
    assert not (tmp_path / "data").exists()


def test_the_longest_name_is_kept_without_blanks_around_it(token, tmp_path):
    assert token("create", "--name", f" {'ü' * 100} ", "--scope", "admin").exit_code == 0
    assert kept(tmp_path) == [("ü" * 100, "admin", None)]


@pytest.mark.parametrize("day", ["2020-01-01", "2026-11-24", "2026-11-25"])
def test_a_token_that_has_ended_already_is_not_made(token, tmp_path, day):
    refused = token("create", "--name", "club", "--scope", "admin", "--expires", day)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert f"{day} has begun" in refused.stderr
    assert kept(tmp_path) == []


def test_a_token_that_ends_tomorrow_is_made(token, tmp_path):
    made = token("create", "--name", "club", "--scope", "admin", "--expires", "2026-11-26")
    assert (made.exit_code, made.stdout[:3], made.stdout.count("\n")) == (0, "cr_", 1)
    assert kept(tmp_path) == [("club", "admin", datetime(2026, 11, 26, tzinfo=UTC))]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--name", "club", "--scope", "results:write", "boards:write"),
        ("--scope", "results:write", "boards:write", "--name", "club"),
        ("--scope", "results:write", "--name", "club", "--scope", "boards:write"),
        ("--scope=results:write", "boards:write", "results:write", "--name=club"),
    ],
)
def test_a_token_may_have_several_scopes(token, tmp_path, arguments):
    assert token("create", *arguments).exit_code == 0
    assert kept(tmp_path) == [("club", "boards:write results:write", None)]


@pytest.mark.parametrize("scopes", [(), ("--scope",), ("admin",), ("--scope", "admin", "root")])
def test_wrong_scopes_are_wrong_usage(token, tmp_path, scopes):
    assert token("create", "--name", "club", *scopes).exit_code == 2
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("first", ["token create", "import"])
def test_whichever_command_comes_first_shows_the_admin_token(tmp_path, first):
    here = {"CROSSRUFF_DATA_DIR": str(tmp_path / "data")}
    file = tmp_path / "week.csv"
    file.write_text(CSV)
    commands = {
        "token create": ("token", "create", "--name", "club", "--scope", "admin"),
        "import": ("import", file),
    }
    made = run(*commands[first], **here)
    kept = tmp_path / "data" / "admin-token"
    admin = kept.read_text().strip()
    assert made.stderr == (
        f"Admin token, shown this once: {admin}\nIt is also in {kept}, readable by you alone.\n"
    )
    assert admin not in made.stdout
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert run(*commands[first], **here).stderr == ""
    assert kept.read_text().strip() == admin


def test_the_token_of_a_new_database_takes_the_place_of_an_older_ones(token, tmp_path):
    token("create", "--name", "club", "--scope", "admin")
    file = tmp_path / "data" / "admin-token"
    older = tmp_path / "older"
    older.hardlink_to(file)
    old = older.read_text()
    (tmp_path / "data" / "crossruff.sqlite3").unlink()
    made = token("create", "--name", "club", "--scope", "admin")
    assert f"Admin token, shown this once: {file.read_text()}" in made.stderr
    assert file.read_text() != old
    assert older.read_text() == old  # nobody saw it half-written
