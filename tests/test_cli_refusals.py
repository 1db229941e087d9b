"""What commands refuse: a clear message on one line, exit code 1, and nothing left behind."""

import sqlite3
from contextlib import closing

import pytest
from sqlalchemy import make_url, text

from server.storage import migrations
from server.storage.database import open_database
from tests.commands import run_beside
from tests.processes import crossruff

NOWHERE = "postgresql+asyncpg://ann@127.0.0.1:1/crossruff"  # where no server listens
LOOKING = {"verify": ("verify",), "list": ("token", "list"), "revoke": ("token", "revoke", "1")}
MAKING = {
    "serve": ("serve", "--port", "0", "--no-jobs"),
    "jobs": ("jobs",),
    "migrate": ("migrate",),
    "create": ("token", "create", "--name", "club", "--scope", "admin"),
    "import": ("import", "{csv}"),
}
COMMANDS = LOOKING | MAKING
only_postgresql = pytest.mark.parametrize("empty_database_url", ["postgresql"], indirect=True)


@pytest.fixture
def refusal(tmp_path):
    """Runs a command that must be refused, with the data folder ``data``; its message."""
    csv = tmp_path / "week.csv"
    csv.write_text("board,table,north,east,south,west,contract,declarer,tricks\n1,A1,a,b,c,d,4S,N,10\n")

    async def refused(name: str, **environment: str) -> str:
        arguments = [argument.format(csv=csv) for argument in COMMANDS[name]]
        settings = {"CROSSRUFF_DATA_DIR": str(tmp_path / "data")} | environment
        if name in ("serve", "jobs"):
            ended = await crossruff(*arguments, **settings)
            code, out, err = ended.code, ended.out, ended.err
        else:  # which leaves the test's process as it is, and is faster
            result = await run_beside(*arguments, **settings)
            code, out, err = result.exit_code, result.stdout, result.stderr
        assert (code, out, err.count("\n")) == (1, "", 1), err
        assert err.startswith("Error: ")
        return err.removeprefix("Error: ").rstrip()

    return refused


@pytest.mark.parametrize("name", COMMANDS)
async def test_wrong_settings(refusal, name):
    said = await refusal(name, CROSSRUFF_PROT="1")
    assert said == "unknown environment variable CROSSRUFF_PROT"


@pytest.mark.parametrize("name", MAKING)
async def test_a_data_folder_that_cannot_be_made(refusal, name):
    assert (await refusal(name, CROSSRUFF_DATA_DIR="/proc/x")).startswith("/proc/x: ")


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_server_of_databases_that_does_not_answer(refusal, name):
    said = await refusal(name, CROSSRUFF_DATABASE_URL=NOWHERE)
    assert said.startswith("The database is busy or not reachable")
    assert "[Errno 111]" in said


@only_postgresql
@pytest.mark.parametrize("name", ["serve", "verify"])
async def test_a_server_that_has_no_such_database(refusal, empty_database_url, name):
    url = make_url(empty_database_url).set(database="nowhere").render_as_string(hide_password=False)
    said = await refusal(name, CROSSRUFF_DATABASE_URL=url)
    assert said == 'The database cannot be used: nowhere: database "nowhere" does not exist'


@pytest.mark.parametrize("name", LOOKING)
async def test_no_database_yet(refusal, tmp_path, name):
    said = await refusal(name)
    assert said == f"there is no database {tmp_path}/data/crossruff.sqlite3 yet; `crossruff serve` makes it"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("name", LOOKING)
async def test_a_database_without_tables(refusal, empty_database_url, tmp_path, name):
    if make_url(empty_database_url).get_backend_name() == "sqlite":
        (tmp_path / "empty.sqlite3").touch()
    said = await refusal(name, CROSSRUFF_DATABASE_URL=empty_database_url)
    assert said == "the database is empty; run `crossruff migrate`"


@only_postgresql
@pytest.mark.parametrize("name", ["serve", "jobs", "create", "import"])
async def test_postgresql_is_migrated_by_hand(refusal, empty_database_url, name):
    said = await refusal(name, CROSSRUFF_DATABASE_URL=empty_database_url)
    assert said == "the database is empty; run `crossruff migrate`"


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_file_that_is_no_database(refusal, tmp_path, name):
    file = tmp_path / "data" / "crossruff.sqlite3"
    file.parent.mkdir()
    file.write_bytes(b"Dear diary, " * 1000)
    said = await refusal(name)
    assert said == f"The database cannot be used: {file}: file is not a database"
    assert file.read_bytes() == b"Dear diary, " * 1000


async def test_a_damaged_database(refusal, tmp_path):
    file = tmp_path / "data" / "crossruff.sqlite3"
    assert (await run_beside("migrate", CROSSRUFF_DATA_DIR=str(file.parent))).exit_code == 0
    with closing(sqlite3.connect(file)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
    content = file.read_bytes()
    file.write_bytes(content[:size] + b"\xff" * (len(content) - size))
    said = await refusal("verify")
    assert said == f"The database cannot be used: {file}: database disk image is malformed"


@pytest.mark.parametrize("name", COMMANDS)
async def test_a_schema_that_is_newer(refusal, database_url, name):
    database = open_database(database_url)
    statement = text("UPDATE alembic_version SET version_num = '9999_future'")
    await database.write(lambda connection: connection.execute(statement))
    await database.close()
    said = await refusal(name, CROSSRUFF_DATABASE_URL=database_url)
    assert said.startswith("the schema (9999_future) is newer than this version of Crossruff")


async def test_a_schema_that_is_older(refusal, database_url):
    database = open_database(database_url)
    await database.alter(lambda connection: migrations.downgrade(connection, "-1"))
    await database.close()
    said = await refusal("verify", CROSSRUFF_DATABASE_URL=database_url)
    assert said.endswith("run `crossruff migrate`")


async def test_what_stands_is_left_as_it_is_by_those_who_only_look(tmp_path):
    for name in ("migrate", "verify", "list"):
        ended = await run_beside(*COMMANDS[name], CROSSRUFF_DATA_DIR=str(tmp_path))
        assert ended.exit_code == 0
    with closing(sqlite3.connect(tmp_path / "crossruff.sqlite3")) as connection:
        assert connection.execute("SELECT count(*) FROM installation").fetchone() == (0,)
        assert connection.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
    assert {path.name for path in tmp_path.iterdir()} == {"crossruff.sqlite3"}
