"""Files to be written: boards with travellers of any kind, as our own exports have them."""

import dataclasses
from decimal import Decimal

from hypothesis import strategies as st

from server.formats.records import FileBoard, Method, Published, ResultFile, Row, Total
from tests.strategies import PACK, deals, outcomes, scores, seats, vulnerabilities

HOSTILE = ("<script>\"&'", "{x}", "[Board \\9]", "]]>", "=1+1", "% EXPORT", "两 个", "a;b", "-", "?", "Bye")
texts = st.text(st.characters(exclude_categories=("C", "Z")), max_size=64) | st.sampled_from(HOSTILE)
named = st.tuples(texts, texts, texts, texts).filter(lambda four: any(map(known, four)))


def known(text: str) -> bool:
    """Whether PBN takes it for something that is known."""
    return text not in ("", "?", "-")


@st.composite
def rows(draw: st.DrawFn, number: int, what: str) -> Row:
    """A row of a traveller, by pairs that are numbered in order."""
    ns = draw(st.decimals(-24, 24, places=2) | st.integers(-24, 24).map(Decimal))
    return Row(
        line=0,
        ns=str(2 * number + 1),
        ew=str(2 * number + 2),
        outcome=draw(outcomes),
        score=draw(scores),
        lead=draw(st.none() | st.sampled_from(PACK)),
        published=(Published(what, ns, -ns),) if what else (),
    )


@st.composite
def files(draw: st.DrawFn, methods: dict[Method, str]) -> ResultFile:
    """A file of some boards by one method."""
    method = draw(st.sampled_from(list(methods)))
    boards = []
    for number in sorted(draw(st.sets(st.integers(1, 99), min_size=1, max_size=3))):
        count = draw(st.integers(1, 5))
        board = FileBoard(
            line=0,
            number=number,
            dealer=draw(seats),
            vulnerability=draw(vulnerabilities),
            deal=draw(st.none() | deals),
            method=method,
            rows=tuple(draw(rows(place, methods[method])) for place in range(count)),
        )
        boards.append(board)
    pairs = [
        Total(0, row.ns or "", "NS", None, None, names=(draw(texts), draw(texts)))
        for row in max((board.rows for board in boards), key=len)
    ]
    return ResultFile("", draw(texts), method, tuple(boards), tuple(pairs))


def without_lines(boards: tuple[FileBoard, ...]) -> list[FileBoard]:
    """Boards whose lines are all 0, so that they can be compared."""
    return [
        dataclasses.replace(board, line=0, rows=tuple(dataclasses.replace(row, line=0) for row in board.rows))
        for board in boards
    ]
