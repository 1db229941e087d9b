"""One TRAVELLER_LINE of a USEBIO file: who played, what happened, and the figures published for it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from server.bridge.contract import PASSED_OUT, Contract, Outcome, parse_contract
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError
from server.bridge.seats import Seat
from server.formats.complaints import Complaints
from server.formats.records import Method, Published, Row
from server.formats.usebio_words import read_direction, read_figure, read_seat
from server.formats.xml_tree import Element

# What Published calls the figure, and how the names of its two elements end, after NS_ and EW_.
_FIGURES = {
    Method.CROSS_IMPS_PER_COMPARISON: ("imps", "CROSS_IMP_POINTS"),
    Method.CROSS_IMPS: ("imps", "CROSS_IMP_POINTS"),
    Method.BUTLER: ("imps", "BUTLER_POINTS"),
    Method.MATCHPOINTS: ("matchpoints", "MATCH_POINTS"),
}
_PRINTED = (Method.CROSS_IMPS_PER_COMPARISON, Method.BUTLER, Method.MATCHPOINTS)
_SCORE = re.compile(r"[+-]?[0-9]{1,5}")
_ARTIFICIAL = re.compile(r"A[0-9]{2}/?[0-9]{2}", re.IGNORECASE | re.ASCII)
_TRICKS = re.compile(r"[0-9]{1,2}")
_NOT_PLAYED = ("NP", "N/P", "NOT PLAYED")
_PASSES = ("PASSED", "ALL PASS")  # written by scoring programs; the grammar of contracts lacks them
_HIGHEST = 7600  # 1NTXX vulnerable, all tricks lost


@dataclass(eq=False)
class _Unreadable(ValueError):
    """A traveller line that cannot be understood"""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class _Result:
    """What SCORE, CONTRACT, PLAYED_BY and TRICKS say together."""

    outcome: Outcome | None
    score: int | None
    artificial: str | None


def printed_methods(lines: Iterable[Element]) -> list[Method]:
    """The methods by which the traveller lines publish figures; cross-IMPs count as a mean per comparison."""
    names = {child.name for line in lines for child in line.children if child.text not in ("", "-")}
    return [
        method for method in _PRINTED if {f"{side}_{_FIGURES[method][1]}" for side in ("NS", "EW")} & names
    ]


def read_row(line: Element, match: Element | None, method: Method, complaints: Complaints) -> Row | None:
    """The row of a traveller line. In a match the line may leave its pair numbers to the MATCH around it.

    None, with a complaint, for a line that is wrong (refused) or carries no result (warned: nobody played).
    """
    ns, ew = _pairs(line, match)
    who = f"{ns or '?'} against {ew or '?'}"
    try:
        result = _result(line, who, complaints)
    except _Unreadable as error:
        complaints.refuse(error.line, f"{who}: {error.reason}")
        return None
    if result is None:
        complaints.warn(line.line, f"{who}: no result; left out")
        return None
    published = _published(line, method, complaints)
    lead = _lead(line, who, complaints)
    return Row(line.line, ns, ew, result.outcome, result.score, result.artificial, lead, published)


def _pairs(line: Element, match: Element | None) -> tuple[str | None, str | None]:
    """Pair numbers as printed; in a team match without them, the numbers of the teams."""
    ns, ew = line.text_of("NS_PAIR_NUMBER"), line.text_of("EW_PAIR_NUMBER")
    if match is None or (ns and ew):
        return ns or None, ew or None
    teams = match.text_of("TEAM"), match.text_of("OPPOSING_TEAM")
    # DIRECTION is where the first of the two teams sat at this table.
    direction = read_direction(line.text_of("DIRECTION"))
    seated = {"NS": teams, "EW": teams[::-1], "": ("", "")}[direction]
    ns = ns or match.text_of("NS_PAIR_NUMBER") or seated[0]
    ew = ew or match.text_of("EW_PAIR_NUMBER") or seated[1]
    return ns or None, ew or None


def _result(line: Element, who: str, complaints: Complaints) -> _Result | None:
    text, at = line.text_of("SCORE"), line.line_of("SCORE")
    if text.upper() in _NOT_PLAYED:
        return None
    if _ARTIFICIAL.fullmatch(text):
        return _Result(None, None, text)
    if text and not _SCORE.fullmatch(text):
        raise _Unreadable(at, f"SCORE {text!r}: expected a number, an adjusted score such as A6040, or NP")
    score = int(text) if text else None
    if score is None and not line.text_of("CONTRACT"):
        return None
    outcome = _outcome(line, who, complaints)
    if outcome is None and score is None:
        return None
    if score is not None and (score % 10 or abs(score) > _HIGHEST):
        complaints.warn(at, f"{who}: no contract scores {score}")
    return _Result(outcome, score, None)


def _outcome(line: Element, who: str, complaints: Complaints) -> Outcome | None:
    """Contract, declarer and tricks; None, with a warning, when one of them is not given."""
    contract = _contract(line)
    if contract is PASSED_OUT:
        return PASSED_OUT  # whatever declarer and tricks the line carries
    missing = [name for name in ("CONTRACT", "PLAYED_BY", "TRICKS") if line.text_of(name) in ("", "-")]
    if missing or not isinstance(contract, Contract):
        complaints.warn(line.line, f"{who}: no {' or '.join(missing)}; the contract score cannot be checked")
        return None
    return Outcome(contract, _declarer(line), _tricks(line))


def _contract(line: Element) -> Contract | Outcome | None:
    """The contract, PASSED_OUT, or None when the line names neither."""
    text = line.text_of("CONTRACT")
    if text in ("", "-"):
        return None
    if text.upper() in _PASSES:
        return PASSED_OUT
    try:
        return parse_contract(text) or PASSED_OUT
    except BridgeError as error:
        raise _Unreadable(line.line_of("CONTRACT"), f"CONTRACT {error}") from error


def _declarer(line: Element) -> Seat:
    text = line.text_of("PLAYED_BY")
    seat = read_seat(text)
    if seat is None:
        raise _Unreadable(line.line_of("PLAYED_BY"), f"PLAYED_BY {text!r}: expected N, E, S or W")
    return seat


def _tricks(line: Element) -> int:
    text = line.text_of("TRICKS")
    if not _TRICKS.fullmatch(text) or int(text) > 13:
        raise _Unreadable(line.line_of("TRICKS"), f"TRICKS {text!r}: expected 0 to 13")
    return int(text)


def _lead(line: Element, who: str, complaints: Complaints) -> str | None:
    text = line.text_of("LEAD")
    if text in ("", "-"):
        return None
    try:
        return parse_card(text)
    except BridgeError as error:
        complaints.warn(line.line_of("LEAD"), f"{who}: LEAD {error}; left out")
        return None


def _published(line: Element, method: Method, complaints: Complaints) -> tuple[Published, ...]:
    if method not in _FIGURES:
        return ()
    what, ending = _FIGURES[method]
    ns, ew = (read_figure(line, f"{side}_{ending}", complaints) for side in ("NS", "EW"))
    return () if ns is None and ew is None else (Published(what, ns, ew),)
