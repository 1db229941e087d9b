"""XML of unknown origin: what it may not do to us, and that every complaint knows its line."""

import socket
import time
import urllib.request

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.formats.complaints import Complaints
from server.formats.errors import FileRefused
from server.formats.usebio import read_usebio
from server.formats.xml_tree import read_tree
from tests.formats.usebio_files import board, event, traveller

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
BILLION_LAUGHS = (
    f'<?xml version="1.0"?>\n<!DOCTYPE USEBIO [\n<!ENTITY l0 "lol">\n{LAUGHS}]>\n<USEBIO>&l9;</USEBIO>'
)
ENTITIES = {
    "billion laughs": BILLION_LAUGHS,
    "quadratic": f'<!DOCTYPE A [\n\n<!ENTITY a "{"x" * 9999}">]><USEBIO>{"&a;" * 9999}</USEBIO>',
    "file": '<!DOCTYPE A [\n\n<!ENTITY a SYSTEM "file:///etc/passwd">]><USEBIO>&a;</USEBIO>',
    "network": '<!DOCTYPE A [\n\n<!ENTITY a SYSTEM "http://results.example/a">]><USEBIO>&a;</USEBIO>',
    "parameter": '<!DOCTYPE A [\n\n<!ENTITY % a SYSTEM "http://results.example/a"> %a;]><USEBIO/>',
    "unparsed": '<!DOCTYPE A [<!NOTATION n SYSTEM "n">\n\n<!ENTITY a SYSTEM "a.gif" NDATA n>]><USEBIO/>',
    "beside a document type": '<!DOCTYPE A SYSTEM "a.dtd" [\n\n<!ENTITY a "b">]><USEBIO>&a;</USEBIO>',
}


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("reached for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(urllib.request, "urlopen", refuse)


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize("name", ENTITIES)
def test_declared_entities_are_refused_with_their_line(name: str) -> None:
    start = time.perf_counter()

    with pytest.raises(FileRefused, match="entit") as refused:
        read_usebio(ENTITIES[name].encode())

    assert refused.value.line == 3
    assert time.perf_counter() - start < 2


@pytest.mark.usefixtures("no_network")
@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE USEBIO SYSTEM "http://results.example/usebio_v1_2.dtd">',
        '<!DOCTYPE USEBIO SYSTEM "file:///etc/passwd">',
        '<!DOCTYPE USEBIO PUBLIC "-//X//Y//EN" "http://results.example/usebio_v1_2.dtd">',
        "<!DOCTYPE USEBIO>",
        "<!DOCTYPE USEBIO [<!ELEMENT USEBIO ANY>]>",
        "",
    ],
)
def test_a_document_type_is_passed_over_and_never_fetched(doctype: str) -> None:
    data = event(board("1", traveller())).decode().replace("\n<USEBIO", f"\n{doctype}<USEBIO")
    if doctype:
        data = data.replace('<!DOCTYPE USEBIO SYSTEM "http://results.example/usebio_v1_2.dtd">\n<!', "\n<!")

    assert len(read_usebio(data.encode()).boards) == 1


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("no XML", 1),
        ("<A>\n<B>\n</A>", 3),
        ("<A>\n&undeclared;</A>", 2),
        ("<A>\n\nTom & Jerry</A>", 3),
        ("<A/>\n<B/>", 2),
        ("<A>\n\x00</A>", 2),
        ('<A x="1"\n x="2"/>', 2),
        ("<A>" * 33, 1),
    ],
)
def test_what_is_no_xml_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(FileRefused) as refused:
        read_tree(text, Complaints())

    assert refused.value.line == line


def test_elements_know_the_line_of_their_start_tag() -> None:
    root = read_tree(
        '<A>\n\n  <B\n   x="1">\r\n  text<C/>\rmore &amp; more\n</B><!-- -->\n<B/></A>', Complaints()
    )

    first, second = root.all("B")
    assert (root.line, first.line, second.line) == (1, 3, 8)
    assert first.attributes == {"x": "1"}
    assert first.text == "text\nmore & more"
    assert (first.line_of("C"), second.line_of("C")) == (5, 8)
    assert (second.text, second.text_of("C")) == ("", "")
    assert [each.line for each in root.descendants("C")] == [5]


def test_lines_stay_right_in_a_long_file() -> None:
    lines = [f"<L n='{'x' * 50}'/>" for _ in range(5000)]

    root = read_tree("\n".join(["<A>", *lines, "</A>"]), Complaints())

    assert [child.line for child in root.children] == list(range(2, 5002))


def test_the_declared_encoding_is_ignored() -> None:
    for name in ("utf-16", "iso-8859-1", "windows-1252", "nonsense"):
        assert read_tree(f'<?xml version="1.0" encoding="{name}"?><A>Zoë</A>', Complaints()).text == "Zoë"


def test_an_entity_of_a_document_type_we_do_not_fetch_is_left_out_with_a_warning() -> None:
    complaints = Complaints()

    root = read_tree('<!DOCTYPE A SYSTEM "a.dtd">\n<A>\nRen&eacute;</A>', complaints)

    assert root.text == "Ren"
    assert [(each.line, "eacute" in each.text) for each in complaints.warnings] == [(3, True)]


def test_complaints_come_by_line() -> None:
    complaints = Complaints()
    for line in (3, None, 1):
        complaints.warn(line, "w")
        complaints.refuse(line, "r")

    assert [each.line for each in complaints.warnings] == [None, 1, 3]
    assert [each.line for each in complaints.refused] == [None, 1, 3]


def reading(data: bytes) -> FileRefused | None:
    """The refusal of a file; None when it is read. Any other exception fails the test."""
    try:
        read_usebio(data)
    except FileRefused as refused:
        return refused
    return None


SAMPLE = event(board("1", traveller(), traveller(SCORE="A6040")), board("2", traveller(CONTRACT="PASS")))


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with pytest.raises(FileRefused):
        read_usebio(data)


@given(st.data())
def test_a_damaged_file_is_read_or_refused(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SAMPLE)))
    end = data.draw(st.integers(at, min(len(SAMPLE), at + 40)))
    damaged = SAMPLE[:at] + data.draw(st.binary(max_size=20)) + SAMPLE[end:]
    lines = damaged.count(b"\n") + damaged.count(b"\r") + 1

    refused = reading(damaged)

    assert refused is None or refused.line is None or 1 <= refused.line <= lines


NAMES = ["CONTRACT", "PLAYED_BY", "LEAD", "TRICKS", "SCORE", "NS_PAIR_NUMBER", "NS_MATCH_POINTS"]
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=12) | st.from_regex(
    r"[0-9A-Za-z+\-./ ]{0,8}", fullmatch=True
)


@given(st.sampled_from(NAMES), texts, texts)
def test_any_text_in_any_element_costs_at_most_its_own_line(name: str, text: str, number: str) -> None:
    def escaped(raw: str) -> str:
        return raw.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    odd = traveller(**{"NS_PAIR_NUMBER": "3", "EW_PAIR_NUMBER": "4", name: escaped(text)})
    data = event(board("1", traveller(), odd), board(escaped(number), traveller()), board("3", traveller()))
    if refused := reading(data):  # for a character that XML does not allow
        assert "not well-formed" in str(refused)
        return
    file = read_usebio(data)
    assert (file.boards[0].number, file.boards[-1].number) == (1, 3)
    assert file.boards[0].rows[0].ns == "1"
    assert all(each.line is not None for each in (*file.warnings, *file.refused))
