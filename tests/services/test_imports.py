"""Files told apart by their content, and the report on each."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.formats.errors import FileRefused
from server.services.imports import read_import, recognise
from server.services.verification import Check
from tests.formats.pbn_files import FILES, game, played

CSV = (
    "week,board,table,north,east,south,west,contract,declarer,tricks\r\n"
    "2026-W10,1,A1,ann,eve,bob,dan,4S,N,10\r\n2026-W10,1,A2,a,b,c,d,4S,N,9\r\n,2,A1,ann,eve,bob,dan,PASS,,\r\n"
)


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("% PBN 2.1\n\n", "pbn"),
        ('\n\n{ hello }\n  [ Board "1"]', "pbn"),
        ('% EXPORT\r[Event "x"]\r', "pbn"),
        ('hello\n[board "1"]', "pbn"),
        ("<?xml version='1.0'?><USEBIO/>", "usebio"),
        ("\n <html>", "usebio"),
        (CSV, "csv"),
        (CSV.replace(",", ";"), "csv"),
        (CSV.replace(",", "\t"), "csv"),
        ('"Board","Table","NORTH","East","south","contract"\n', "csv"),
    ],
)
def test_formats_are_told_apart(content: str, kind: str) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        assert recognise(content.encode(encoding)) == kind


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \r\n\t\n", "empty"),
        (b"hello", "neither PBN nor USEBIO, nor CSV"),
        (b"a,b,c\n1,2,3", "tricks"),
        (b"\x00\x01\x02", "neither"),
        (b"vg|Cup,Final,I,1,16|\nrs|4SN=|", "LIN"),
        (b"qx|o1|md|3S|", "LIN"),
        (b"\xff\xfe\x00", "UTF-16"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(content: bytes, reason: str) -> None:
    with pytest.raises(FileRefused, match=reason):
        recognise(content)
    report = read_import(content, "name")
    assert (report.file, report.format, report.boards, report.rows) == ("name", "", 0, 0)
    assert [reason in refusal.text for refusal in report.refused] == [True]


def test_a_file_refused_by_its_reader_keeps_its_format() -> None:
    report = read_import(b"<html></html>", "page")

    assert report.format == "usebio"
    assert "html" in report.refused[0].text


def test_the_report_on_a_tournament() -> None:
    report = read_import((FILES / "pbn_cross_imps.pbn").read_bytes(), "cross.pbn")

    assert (report.format, report.event, report.method) == (
        "pbn",
        "Harbour Tournament",
        "cross_imps_per_comparison",
    )
    assert (report.boards, report.rows) == (2, 7)
    assert (report.contract_scores, report.published, report.totals) == (
        Check(7, 7),
        Check(7, 7),
        Check(0, 0),
    )


def test_the_members_for_json() -> None:
    wrong = (
        played(Score="NS 400")
        + "\n"
        + played(Board="2", Result="14")
        + "\n"
        + game(Board="3", Deal="?", Dealer="Q")
    )
    report = read_import(wrong.encode(), "x.pbn")

    assert json.loads(json.dumps(report.members())) == {
        "file": "x.pbn",
        "format": "pbn",
        "event": "",
        "method": "none",
        "boards": 3,
        "rows": 1,
        "contract_scores": {"checked": 1, "equal": 0},
        "published": {"checked": 0, "equal": 0},
        "totals": {"checked": 0, "equal": 0},
        "differences": [
            {"board": 1, "row": 3, "what": "contract score", "published": "400", "computed": "420"}
        ],
        "warnings": [{"line": 16, "text": "Dealer 'Q': at position 1 expected a seat N, E, S or W"}],
        "refused": [{"line": 10, "text": "declarer takes 0 to 13 tricks, not '14'"}],
    }


def test_results_for_a_pool_stay_with_the_report() -> None:
    report = read_import(CSV.encode(), "week.csv")

    assert (report.format, report.boards, report.rows, report.refused) == ("csv", 2, 3, ())
    assert [row.table for row in report.posted] == ["A1", "A2", "A1"]
    assert "posted" not in report.members()


def test_warnings_of_reading_and_of_comparing_stand_by_line() -> None:
    single = played(ScoreIMP="NS 3")
    report = read_import((single + "\n" + game(Board="2", Deal="?", Dealer="Q")).encode(), "x")

    assert [warning.line for warning in report.warnings] == [3, 10]


def test_a_complaint_does_not_repeat_a_whole_file() -> None:
    report = read_import(played(Result="9" * 100_000).encode(), "x")

    assert len(report.refused[0].text) < 400


@given(st.binary(max_size=300))
def test_any_bytes_give_a_report(data: bytes) -> None:
    report = read_import(data, "x")

    assert report.format or report.refused


@given(st.sampled_from(["% PBN 2.1\n", "<USEBIO>", CSV]), st.text(max_size=200))
def test_any_text_gives_a_report(start: str, rest: str) -> None:
    read_import((start + rest).encode("utf-8", errors="replace"), "x")
