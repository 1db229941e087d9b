"""Single values of a PBN file: the text of one tag or one cell of a table.

All raise NotUnderstood or Impossible; nothing is guessed.
"""

import re
from datetime import date
from decimal import Decimal

from server.bridge.contract import PASSED_OUT, Outcome, parse_contract
from server.bridge.errors import Impossible, NotUnderstood
from server.bridge.seats import Seat, Side, Vulnerability
from server.formats.records import Method

UNKNOWN = ("", "?", "-")
_FIGURE = re.compile(r"\^?([+-]?[0-9]{1,7}(?:\.[0-9]{1,6})?)%?")
_WHOLE = re.compile(r"[+-]?[0-9]{1,7}")
_DATE = re.compile(r"([0-9]{4})\.([0-9]{2})\.([0-9]{2})")
_HIGHEST = 7600  # 1NTXX vulnerable, all tricks lost
_VULNERABILITIES = {
    **dict.fromkeys(("NONE", "LOVE", "-"), Vulnerability.NONE),
    **dict.fromkeys(("ALL", "BOTH"), Vulnerability.BOTH),
    "NS": Vulnerability.NS,
    "EW": Vulnerability.EW,
}
_KINDS = {
    "butler": Method.BUTLER_UNTRIMMED,
    "butler-2": Method.BUTLER,
    "cross": Method.CROSS_IMPS,
    "cross1": Method.CROSS_IMPS_PER_SCORE,
    "cross2": Method.CROSS_IMPS_PER_COMPARISON,
    "mp1": Method.MATCHPOINTS,
    "mp2": Method.MATCHPOINTS_HALVES,
    "ascherman": Method.ASCHERMAN,
}
_FAMILIES = {
    **dict.fromkeys(("imp", "imps"), Method.IMPS),
    **dict.fromkeys(("mp", "matchpoint", "matchpoints"), Method.MP),
}
_OTHERS = (  # known names, but the board scores by them are not computed
    *("?", "bam", "board-a-match", "cavendish", "chicago", "emp", "experts", "ido", "instant", "mean"),
    *("minibridge", "oldmp", "patton", "rubber", "vp"),
)


def read_seat(text: str) -> Seat | None:
    """A seat, also ``^N`` for an irregular declarer; None when it is not known."""
    word = text.removeprefix("^").strip().upper()
    if word in UNKNOWN:
        return None
    if word not in Seat.__members__ or not text.isascii():
        raise NotUnderstood(text, 0, "a seat N, E, S or W")
    return Seat(word)


def read_vulnerability(text: str) -> Vulnerability | None:
    """Who is vulnerable; None when it is not said."""
    if text in ("", "?"):
        return None
    if text.upper() not in _VULNERABILITIES:
        raise NotUnderstood(text, 0, "None, NS, EW or All")
    return _VULNERABILITIES[text.upper()]


def read_date(text: str) -> date | None:
    """A day ``yyyy.mm.dd``; None when it is not known, in whole or in part."""
    if not text or "?" in text:
        return None
    match = _DATE.fullmatch(text)
    try:
        return date(*map(int, match.groups())) if match else date.fromisoformat(text)
    except ValueError as error:
        raise NotUnderstood(text, 0, "a day written yyyy.mm.dd") from error


def read_scoring(text: str) -> tuple[Method, tuple[str, ...]]:
    """The method that a Scoring tag names, and those of its names that nobody knows.

    A kind (``Cross2``) says more than its family (``IMP``), in whichever order they stand.
    """
    names = [name.strip() for name in text.split(";")] if text else []
    words = [name.lower() for name in names]
    known = [found[word] for found in (_KINDS, _FAMILIES) for word in words if word in found]
    strange = [
        name
        for name, word in zip(names, words, strict=True)
        if word not in _KINDS and word not in _FAMILIES and word not in _OTHERS
    ]
    return known[0] if known else Method.NONE, tuple(dict.fromkeys(strange))


def read_outcome(contract: str, declarer: str, result: str) -> Outcome | None:
    """What happened at the table; None unless contract, declarer and result are all known."""
    if contract in UNKNOWN:
        return None
    called = parse_contract(contract)
    if called is None:
        return PASSED_OUT
    seat = read_seat(declarer)
    if seat is None or result in UNKNOWN:
        return None
    return Outcome(called, seat, read_tricks(result, seat.side))


def read_tricks(text: str, declaring: Side) -> int:
    """Tricks of the declaring side: ``10``, ``^10``, ``NS 10`` or ``EW 3 NS 10``."""
    sides, bare = _by_side(text)
    if bare is not None:
        sides = {declaring: bare}
    if any(tricks != int(tricks) or not 0 <= tricks <= 13 for tricks in sides.values()):
        raise Impossible("result", f"declarer takes 0 to 13 tricks, not {text!r}")
    if len(sides) == 2 and sum(sides.values()) != 13:
        raise Impossible("result", f"the tricks of both sides add up to 13, not {text!r}")
    return int(sides[declaring] if declaring in sides else 13 - sides[declaring.other])


def read_figures(text: str, declarer: Seat | None) -> tuple[Decimal | None, Decimal | None]:
    """A figure for NS and for EW from a tag: ``NS 3.87``, ``EW 0.94``; without a side it is declarer's."""
    if text in UNKNOWN:
        return None, None
    sides, bare = _by_side(text)
    if bare is not None:
        if declarer is None:
            raise NotUnderstood(text, 0, "NS or EW before the figure, as the declarer is not known")
        sides = {declarer.side: bare}
    return sides.get(Side.NS), sides.get(Side.EW)


def read_score(text: str, declarer: Seat | None, passed_out: bool = False) -> int | None:
    """A contract score in total points, signed for NS; None when it is not known.

    Without a side it is declarer's, except that 0 needs none.
    """
    if passed_out and text.removeprefix("+") == "0":
        return 0
    ns, ew = read_figures(text, declarer)
    if ns is not None and ew is not None and ns != -ew:
        raise Impossible("score", f"what one side wins the other loses, unlike {text!r}")
    score = ns if ns is not None else None if ew is None else -ew
    return None if score is None else whole_score(str(score))


def whole_score(text: str) -> int:
    """A score in total points; raises Impossible for more than any contract scores."""
    score = whole_number(text)
    if abs(score) > _HIGHEST:
        raise Impossible("score", f"no contract scores {text}")
    return score


def whole_number(text: str) -> int:
    """A whole number of at most seven digits."""
    if not _WHOLE.fullmatch(text):
        raise NotUnderstood(text, 0, "a whole number")
    return int(text)


def read_figure(text: str) -> Decimal | None:
    """A number with the precision it is printed in, also ``^40`` for one that was awarded; None for ``-``."""
    if text in UNKNOWN:
        return None
    match = _FIGURE.fullmatch(text)
    if match is None:
        raise NotUnderstood(text, 0, "a number")
    return Decimal(match[1])


def _by_side(text: str) -> tuple[dict[Side, Decimal], Decimal | None]:
    """Figures by the side they are given for, or the one figure without a side."""
    words = text.removeprefix("^").split()
    if len(words) == 1:
        return {}, _number(words[0], text)
    if len(words) not in (2, 4) or any(word.upper() not in Side.__members__ for word in words[::2]):
        raise NotUnderstood(text, 0, "a number, or NS or EW and a number")
    sides = {
        Side(side.upper()): _number(word, text) for side, word in zip(words[::2], words[1::2], strict=True)
    }
    return sides, None


def _number(word: str, text: str) -> Decimal:
    match = _FIGURE.fullmatch(word)
    if match is None:
        raise NotUnderstood(text, text.find(word), "a number")
    return Decimal(match[1])
