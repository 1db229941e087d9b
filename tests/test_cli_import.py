"""``crossruff import`` as people and programs call it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from server.cli_import import import_command
from tests.formats.pbn_files import FILES, game, played

GOOD = FILES / "pbn_cross_imps.pbn"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(import_command, [str(argument) for argument in arguments])


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.pbn"
    path.write_text(played(Score="NS 400") + "\n" + played(Board="2", Result="14") + "\nthank you\n")
    return path


def test_a_report_for_people() -> None:
    result = run("--dry-run", GOOD)

    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        f"{GOOD}: PBN, Harbour Tournament",
        "  read: 2 boards, 7 results",
        "  contract scores: 7 of 7",
        "  published board scores reproduced (cross_imps_per_comparison): 7 of 7",
        "  verified only: imported events come later, so nothing was entered",
    ]
    assert result.stderr == ""


def test_what_is_wrong_is_named_with_its_line(bad: Path) -> None:
    result = run(bad)

    assert result.exit_code == 1
    assert "  different: line 3, board 1: contract score: published 400, computed 420" in result.stdout
    assert "  warning: line 14: text that belongs to no tag was left out: 'thank you'" in result.stdout
    assert "  refused: line 10: declarer takes 0 to 13 tricks, not '14'" in result.stdout


def test_json_has_every_file(bad: Path) -> None:
    result = run("--json", "--dry-run", GOOD, bad)

    assert result.exit_code == 1
    reports = json.loads(result.stdout)["files"]
    assert [report["file"] for report in reports] == [str(GOOD), str(bad)]
    assert reports[0]["published"] == {"checked": 7, "equal": 7}
    assert [refusal["line"] for refusal in reports[1]["refused"]] == [10]


def test_results_for_a_pool_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "week.csv"
    path.write_text("board,table,north,east,south,west,contract,declarer,tricks\n1,A1,a,b,c,d,4S,N,10\n")
    result = run("--dry-run", path)

    assert result.exit_code == 0
    assert "  1 result for a pool, not entered: dry run" in result.stdout


def test_an_unreadable_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(bytes(range(256)))
    result = run(path)

    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}: not read\n  refused: neither PBN nor USEBIO")


@pytest.mark.parametrize("arguments", [[], ["no-such-file.pbn"], ["--wrong", str(GOOD)], [str(FILES)]])
def test_wrong_usage(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_long_lists_are_cut_for_people_only(tmp_path: Path) -> None:
    path = tmp_path / "many.pbn"
    path.write_text("\n".join(played(Board=str(number), Score="NS 400") for number in range(1, 31)))

    text = run(path).stdout
    assert text.count("  different: line") == 20
    assert "  different: and 10 more, all of them with --json" in text
    assert len(json.loads(run("--json", path).stdout)["files"][0]["differences"]) == 30


def test_a_file_cannot_steer_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "evil.pbn"
    path.write_text(game(Event="\x1b[2Jgone\u202e", Board="1"))

    assert "PBN, ?[2Jgone?" in run(path).stdout
