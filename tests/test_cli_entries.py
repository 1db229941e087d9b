"""``crossruff import`` of CSV: results entered into their pool like posted ones."""

import asyncio
import json
from random import Random
from zoneinfo import ZoneInfo

import pytest

from server.bridge.pool import Pool, ScoringMethod, Terms
from server.bridge.week import parse_week
from server.services.boards import GivenBoard, make_set
from server.services.tokens import NOBODY
from server.storage import boards, results
from server.storage.database import open_database
from tests.clock import NOON
from tests.commands import run
from tests.web.scoring import Judge, random_outcome

ZONE = ZoneInfo("Asia/Shanghai")
HEADER = "week,board,table,north,east,south,west,contract,declarer,tricks,lead,played_at"
CLOCK = "2026-11-25T12:00:00Z,1"
POOLS = {
    "imps": Pool("imps", Terms(ScoringMethod.DATUM, 6, 40)),
    "mp": Pool("mp", Terms(ScoringMethod.MATCHPOINTS, 6, 40)),
}


class Commands:
    """Commands over one database, in a folder of their own."""

    def __init__(self, url, folder):
        self.url, self.folder = url, folder

    def run(self, *arguments, clock=CLOCK):
        """Run one to its end."""
        own = {"CROSSRUFF_DATABASE_URL": self.url, "CROSSRUFF_DATA_DIR": str(self.folder)}
        return run(*arguments, **own, CROSSRUFF_CLOCK=clock)


@pytest.fixture
def commands(database_url, tmp_path):
    """Commands over a database with boards 1 to 3 of the open week in two pools."""
    asyncio.run(_with(database_url, _make_boards))
    return Commands(database_url, tmp_path / "data")


async def _with(url, verb):
    database = open_database(url)
    try:
        return await database.write(verb)
    finally:
        await database.close()


def _make_boards(connection):
    given = [GivenBoard(number) for number in (1, 2, 3)]
    for pool in POOLS.values():
        make_set(connection, NOBODY, parse_week("2026-W48"), pool, given, ZONE, NOON)


def stored(commands):
    """Scores and awards for NS of every board, by its row."""

    def verb(connection):
        found = {}
        for number in range(1, 7):
            awards = results.awards_of(connection, number)
            given = [awards[sequence].score.ns for sequence in sorted(awards)]
            found[number] = (boards.get(connection, number).scores, given)
        return found

    return asyncio.run(_with(commands.url, verb))


def line(table, board="1", *, contract="4S", declarer="N", tricks="10", week="", players=None, rest=","):
    """A line of the file."""
    seated = players or [f"{table}{seat}" for seat in "nesw"]
    return ",".join([week, board, table, *seated, contract, declarer, tricks]) + f",{rest}"


@pytest.fixture
def write(tmp_path):
    """Writes a CSV file of some lines."""

    def written(*lines, name="week.csv"):
        path = tmp_path / name
        path.write_text("\n".join([HEADER, *lines, ""]))
        return path

    return written


def random_lines(count):
    """Lines of different tables on board 1, and their scores for NS."""
    rng, lines, scores = Random(3), [], []
    for table in range(count):
        outcome, score = random_outcome(rng, 1)
        cells = {name: "" if value is None else str(value) for name, value in outcome.items()}
        lines.append(line(f"t{table}", **cells))
        scores.append(score)
    return lines, tuple(scores)


def test_rows_are_entered_like_posted_results_and_once(commands, write):
    lines, scores = random_lines(8)
    path = write(*lines, line("u", "b_000002", week="2026-W48", rest="H4,2026-11-25T12:00:00+08:00"))
    first = commands.run("import", path)
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines() == [
        f"{path}: CSV",
        "  read: 2 boards, 9 results",
        "  entered: 9 results",
    ]
    judge = Judge("datum")
    awards = [judge.award(scores, index)[0] for index in range(8)]
    expected = {1: (scores, awards), 2: ((620,), [])} | dict.fromkeys(range(3, 7), ((), []))
    assert stored(commands) == expected
    again = commands.run("import", path)
    assert again.exit_code == 0
    assert again.stdout.splitlines()[-1] == "  entered: 0 results, 9 were there before"
    assert stored(commands) == expected


def test_rows_go_into_the_pool_that_is_named(commands, write):
    path = write(line("t", "1"), line("t", "2"))
    assert commands.run("import", "--pool", "mp", path).exit_code == 0
    assert {number for number, (scores, _) in stored(commands).items() if scores} == {4, 5}
    unknown = commands.run("import", "--pool", "none", path)
    assert unknown.exit_code == 2
    assert "no pool is called 'none'" in unknown.stderr


def test_a_file_that_is_half_bad_loads_its_good_half(commands, write):
    four = ["ann", "eve", "sam", "wes"]
    path = write(
        line("good1", players=four),
        line("bad1", contract="8NT"),
        line("bad2", tricks="14"),
        line("good2"),
        line("bad3", board="99"),
        line("bad4", board="b_nowhere"),
        line("bad5", players=["x", "y", "z", "eve"]),
        line("good2"),
        line("bad6", week="2026-W99"),
        line("bad7", players=["a", "b", "a", "c"]),
        line("bad8", rest="H9,yesterday"),
        line("good3", board="2"),
    )
    result = commands.run("import", "--json", path)
    assert result.exit_code == 1
    (report,) = json.loads(result.stdout)["files"]
    assert report["entered"] == {"accepted": 3, "known": 0}
    assert [refusal["line"] for refusal in report["refused"]] == [3, 4, 6, 7, 8, 9, 10, 11, 12]
    said = {refusal["line"]: refusal["text"] for refusal in report["refused"]}
    assert "'8NT'" in said[3]
    assert "board 99 of 2026-W48, imps" in said[6]
    assert "'b_nowhere'" in said[7]
    assert "'eve'" in said[8]
    assert "'good2'" in said[9]
    assert "2026-W99" in said[10]
    assert {number: scores for number, (scores, _) in stored(commands).items() if scores} == {
        1: (420, 420),
        2: (620,),
    }
    people = commands.run("import", path)
    assert people.exit_code == 1
    assert "  refused: line 3: column contract: '8NT'" in people.stdout
    assert people.stdout.splitlines()[-1] == "  entered: 0 results, 3 were there before"


def test_another_file_does_not_enter_the_same_tables_again(commands, write):
    assert commands.run("import", write(line("t"))).exit_code == 0
    other = commands.run("import", write(line("t"), line("u"), name="corrected.csv"))
    assert other.exit_code == 1
    assert "  refused: line 2: A result of table 't' on this board is there" in other.stdout
    assert "  entered: 1 result" in other.stdout


def test_the_forty_first_is_refused(commands, write):
    lines = [line(f"t{table}") for table in range(41)]
    result = commands.run("import", write(*lines))
    assert result.exit_code == 1
    assert "  refused: line 42: It has all its 40 results and takes no more." in result.stdout
    assert "  entered: 40 results" in result.stdout


def test_more_rows_than_are_submitted_together(commands, write):
    lines = [line(f"t{table}", contract="Pass", declarer="", tricks="") for table in range(39)]
    many = [line(f"u{table}", board="99") for table in range(1500)]
    result = commands.run("import", "--json", write(*lines, *many, line("last")))
    (report,) = json.loads(result.stdout)["files"]
    assert report["entered"] == {"accepted": 40, "known": 0}
    assert len(report["refused"]) == 1500


def test_a_dry_run_enters_nothing(commands, write):
    result = commands.run("import", "--dry-run", write(line("t")))
    assert result.exit_code == 0
    assert "  1 result for a pool, not entered: dry run" in result.stdout
    assert not (commands.folder).exists()
    assert {scores for scores, _ in stored(commands).values()} == {()}


def test_what_is_entered_is_verified(commands, write):
    lines, _ = random_lines(7)
    commands.run("import", write(*lines))
    verified = commands.run("verify")
    assert (verified.exit_code, verified.stdout) == (
        0,
        "7 results of 6 boards computed again, 0 differences\n",
    )


@pytest.mark.parametrize("arguments", [["import"], ["import", "nowhere.csv"], ["import", "--what"]])
def test_wrong_usage_is_two(commands, arguments):
    assert commands.run(*arguments).exit_code == 2


def test_another_clock_is_refused(commands, write):
    path = write(line("t"))
    assert commands.run("import", path).exit_code == 0
    refused = commands.run("import", path, clock="")
    assert refused.exit_code == 1
    assert "CROSSRUFF_CLOCK" in refused.stderr


def test_ids_are_such_as_may_be_posted(commands, write):
    wrong = ["a/b", "t\x00", "t\u202e", "t" * 65, "t\x7f"]
    lines = [line(name, players=["n", "e", "s", "w"]) for name in wrong]
    lines += [line(f"p{at}", players=[f"{at}n", f"{at}e", f"{at}s", name]) for at, name in enumerate(wrong)]
    result = commands.run("import", "--json", write(*lines, line("good")))
    (report,) = json.loads(result.stdout)["files"]
    assert [refusal["line"] for refusal in report["refused"]] == list(range(2, 12))
    assert report["entered"] == {"accepted": 1, "known": 0}
