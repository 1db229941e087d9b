"""USEBIO 1.2: boards with their travellers, hands and pairs to bytes.

`read_usebio` gives back what was written. The format knows figures of three kinds: IMPs against a datum
(BUTLER_POINTS), cross-IMPs and matchpoints; others are left out, and so are players without a pair number.
An event of matches is one of Swiss pairs: its results stand in the MATCH of their round, with victory points.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from xml.sax.saxutils import escape

from server.bridge.deal import RANKS, SUITS, Deal
from server.bridge.seats import Seat
from server.formats.records import FileBoard, FileMatch, Method, Published, ResultFile, Row, Total

_KINDS = {  # type of the event, which figures it has, and how their elements are called
    Method.CROSS_IMPS: ("CROSS_IMPS", "imps", "CROSS_IMP_POINTS"),
    Method.CROSS_IMPS_PER_COMPARISON: ("CROSS_IMPS", "imps", "CROSS_IMP_POINTS"),
    Method.BUTLER: ("BUTLER_PAIRS", "imps", "BUTLER_POINTS"),
    Method.BUTLER_UNTRIMMED: ("BUTLER_PAIRS", "imps", "BUTLER_POINTS"),
    Method.IMPS: ("BUTLER_PAIRS", "imps", "BUTLER_POINTS"),
    Method.MATCHPOINTS: ("MP_PAIRS", "matchpoints", "MATCH_POINTS"),
    Method.MP: ("MP_PAIRS", "matchpoints", "MATCH_POINTS"),
}
_OTHER = ("PAIRS", "", "")
_OF_MATCHES = {"CROSS_IMPS": "SWISS_PAIRS_CROSS_IMPS", "BUTLER_PAIRS": "SWISS_PAIRS_BUTLER_IMPS"}
_SUIT_NAMES = dict(zip(SUITS, ("SPADES", "HEARTS", "DIAMONDS", "CLUBS"), strict=True))
_SEAT_NAMES = dict(zip(Seat, ("North", "East", "South", "West"), strict=True))
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Lines = Iterator[str]


def write_usebio(file: ResultFile) -> bytes:
    """One event as a USEBIO file in UTF-8."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', *_inside("USEBIO", _content(file), 'Version="1.2"')]
    return "".join(f"{line}\n" for line in lines).encode()


def _content(file: ResultFile) -> Lines:
    kind, *_ = _KINDS.get(file.method, _OTHER)
    if file.matches:
        kind = _OF_MATCHES.get(kind, "SWISS_PAIRS")
    yield from _inside("CLUB", [_element("CLUB_NAME", "Crossruff")])
    yield from _inside("EVENT", _event(file, kind), f'EVENT_TYPE="{kind}"')
    dealt = [board for board in file.boards if board.deal is not None]
    if dealt:
        yield from _inside("HANDSET", (line for board in dealt for line in _hands(board)))


def _event(file: ResultFile, kind: str) -> Lines:
    yield _element("EVENT_DESCRIPTION", file.event)
    yield _element("PROGRAM_NAME", "Crossruff")
    if file.played_on is not None:
        yield _element("DATE", f"{file.played_on:%d/%m/%Y}")
    if file.totals:
        pairs = (line for total in file.totals for line in _pair(total))
        yield from _inside("PARTICIPANTS", pairs, f'EVENT_TYPE="{kind}"')
    for match in file.matches:
        yield from _inside("MATCH", _match(match, file))
    for board in () if file.matches else file.boards:
        yield from _inside("BOARD", _board(board, file.method))


def _match(match: FileMatch, file: ResultFile) -> Lines:
    yield _element("ROUND_NUMBER", str(match.round))
    yield _element("NS_PAIR_NUMBER", match.ns)
    yield _element("EW_PAIR_NUMBER", match.ew)
    for side, score in (("NS", match.ns_score), ("EW", match.ew_score)):
        if score is not None:
            yield _element(f"{side}_SCORE", str(score))
    for board in file.boards:
        rows = tuple(row for row in board.rows if (row.ns, row.ew) == (match.ns, match.ew))
        if rows and board.number in match.boards:
            yield from _inside("BOARD", _board(replace(board, rows=rows), file.method))


def _pair(total: Total) -> Lines:
    content = [_element("PAIR_NUMBER", total.pair), _element("DIRECTION", total.direction)]
    if total.total is not None:
        content.append(_element("TOTAL_SCORE", str(total.total)))
    if total.percent is not None:
        content.append(_element("PERCENTAGE", str(total.percent)))
    content.append(_element("PLACE", total.place))
    for name in total.names:
        content += _inside("PLAYER", [_element("PLAYER_NAME", name)])
    yield from _inside("PAIR", content)


def _board(board: FileBoard, method: Method) -> Lines:
    yield _element("BOARD_NUMBER", str(board.number))
    for row in board.rows:
        yield from _inside("TRAVELLER_LINE", _line(row, method))


def _line(row: Row, method: Method) -> Lines:
    yield _element("NS_PAIR_NUMBER", row.ns or "")
    yield _element("EW_PAIR_NUMBER", row.ew or "")
    outcome = row.outcome
    if outcome is not None:
        yield _element("CONTRACT", "PASS" if outcome.contract is None else str(outcome.contract))
        yield _element("PLAYED_BY", "" if outcome.declarer is None else outcome.declarer.value)
        # The rank before the suit, as everybody writes it here.
        yield _element("LEAD", "" if row.lead is None else row.lead[::-1])
        yield _element("TRICKS", "" if outcome.tricks is None else str(outcome.tricks))
    yield _element("SCORE", row.artificial or ("" if row.score is None else str(row.score)))
    _, what, ending = _KINDS.get(method, _OTHER)
    figure = _figure(row.published, what)
    for side, value in (("NS", figure and figure.ns), ("EW", figure and figure.ew)):
        if value is not None:
            yield _element(f"{side}_{ending}", str(value))


def _figure(published: Iterable[Published], what: str) -> Published | None:
    return next((each for each in published if each.what == what), None)


def _hands(board: FileBoard) -> Lines:
    content = [_element("BOARD_NUMBER", str(board.number))]
    for seat in Seat:
        content += _hand(seat, board.deal)
    yield from _inside("BOARD", content)


def _hand(seat: Seat, deal: Deal | None) -> list[str]:
    cards = None if deal is None else deal.hand(seat)
    if cards is None:
        return []
    content = [_element("DIRECTION", _SEAT_NAMES[seat])]
    for suit in reversed(SUITS):
        ranks = "".join(rank for rank in RANKS if suit + rank in cards)
        content.append(_element(_SUIT_NAMES[suit], ranks))
    return list(_inside("HAND", content))


def _inside(name: str, content: Iterable[str], attributes: str = "") -> Lines:
    yield f"<{name} {attributes}>" if attributes else f"<{name}>"
    yield from content
    yield f"</{name}>"


def _element(name: str, text: str) -> str:
    """An element with a text; what no XML may hold becomes a question mark."""
    return f"<{name}>{escape(_NOT_XML.sub('?', text))}</{name}>"
