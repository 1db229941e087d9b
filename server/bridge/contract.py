"""Contracts, outcomes, and the one grammar for their text (API, importers and command line alike)."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from server.bridge.errors import Impossible, NotUnderstood
from server.bridge.seats import Seat


class Strain(StrEnum):
    """Denomination of a contract, in ascending rank."""

    CLUBS = "C"
    DIAMONDS = "D"
    HEARTS = "H"
    SPADES = "S"
    NOTRUMP = "N"


class Risk(StrEnum):
    """Undoubled, doubled or redoubled."""

    UNDOUBLED = ""
    DOUBLED = "X"
    REDOUBLED = "XX"


@dataclass(frozen=True, slots=True)
class Contract:
    """The final contract of an auction that was not passed out."""

    level: int  # odd tricks, 1-7
    strain: Strain
    risk: Risk = Risk.UNDOUBLED

    def __str__(self) -> str:
        strain = "NT" if self.strain is Strain.NOTRUMP else self.strain.value
        return f"{self.level}{strain}{self.risk.value}"

    @property
    def tricks_needed(self) -> int:
        """Tricks declarer must take to make it."""
        return self.level + 6


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened at one table on one board. Passed out: all three are None."""

    contract: Contract | None
    declarer: Seat | None
    tricks: int | None  # taken by declarer's side, 0-13

    def __post_init__(self) -> None:
        given = (self.contract is None, self.declarer is None, self.tricks is None)
        if len(set(given)) != 1:
            missing = "contract" if given[0] else "declarer" if given[1] else "tricks"
            raise Impossible(missing, "a contract needs its declarer and tricks; passed out has neither")
        if self.tricks is not None and not 0 <= self.tricks <= 13:
            raise Impossible("tricks", f"declarer takes 0 to 13 tricks, not {self.tricks}")

    @property
    def passed_out(self) -> bool:
        """All four passed: a real result of 0 (Law 77)."""
        return self.contract is None

    def __str__(self) -> str:
        if self.contract is None or self.tricks is None:
            return "PASS"
        over = self.tricks - self.contract.tricks_needed
        return f"{self.contract}{self.declarer}{'=' if over == 0 else format(over, '+d')}"


PASSED_OUT = Outcome(None, None, None)

_PASS = re.compile(r"(?:passed out|pass|ap|p)", re.IGNORECASE | re.ASCII)
_LEVEL = re.compile(r"[1-7]")
# ASCII: without it, ignoring case would also take the long s for S.
_STRAIN = re.compile(r"(NT|SA|[CDHSN♣♦♥♠♧♢♡♤])\ufe0e?", re.IGNORECASE | re.ASCII)
_RISK = re.compile(r"(xx|\*\*|rdbl|x|\*|dbl)", re.IGNORECASE | re.ASCII)
_DECLARER = re.compile(r"[NESW]", re.IGNORECASE | re.ASCII)
_RESULT = re.compile(r"=|[+-][0-9]{1,2}(?![0-9])")
_STRAINS = dict(zip("♣♦♥♠♧♢♡♤", "CDHSCDHS", strict=True))


class _Reader:
    """A position in a text that is read piece by piece."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.skip()

    def skip(self) -> None:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1

    def take(self, pattern: re.Pattern[str]) -> str | None:
        match = pattern.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        self.skip()
        return match.group()

    def need(self, pattern: re.Pattern[str], expected: str) -> str:
        found = self.take(pattern)
        if found is None:
            raise self.error(expected)
        return found

    def end(self, expected: str = "the end") -> None:
        if self.at < len(self.text):
            raise self.error(expected)

    def error(self, expected: str) -> NotUnderstood:
        return NotUnderstood(self.text, self.at, expected)


@lru_cache(4096)
def parse_contract(text: str) -> Contract | None:
    """Read a contract without declarer or result, such as ``4SX``, ``3nt``, ``4♠ dbl``.

    Returns None for a passed-out board (``Pass``, ``P``, ``AP``, ``Passed out``).
    Raises NotUnderstood with the position and what was expected; nothing is guessed.
    """
    reader = _Reader(text)
    if _passed(reader):
        return None
    level, strain = _bid(reader)
    risk = _risk(reader.take(_RISK))
    reader.end("X, XX or the end")
    return Contract(level, strain, risk)


def parse_result(text: str) -> Outcome:
    """Read a whole result, such as ``4SXN-1``, ``4SNx-1``, ``3NTE=``, ``PASS``.

    Risk and declarer come in either order; the result is ``=``, ``+n`` or ``-n``.
    Raises NotUnderstood with the position, Impossible for more than 13 tricks or fewer than none.
    """
    reader = _Reader(text)
    if _passed(reader):
        return PASSED_OUT
    level, strain = _bid(reader)
    risk = reader.take(_RISK)
    declarer = reader.need(_DECLARER, "declarer N, E, S or W" if risk else "X, XX or declarer N, E, S or W")
    risk = risk or reader.take(_RISK)
    contract = Contract(level, strain, _risk(risk))
    at = reader.at
    result = reader.need(_RESULT, "=, + or - and a number of tricks")
    reader.end()
    over = 0 if result == "=" else int(result)
    if result != "=" and over == 0:
        raise NotUnderstood(text, at, "= for a contract just made")
    tricks = contract.tricks_needed + over
    if not 0 <= tricks <= 13:
        raise Impossible("result", f"{text!r} would be {tricks} tricks; declarer takes 0 to 13")
    return Outcome(contract, Seat(declarer.upper()), tricks)


def _passed(reader: _Reader) -> bool:
    if reader.take(_PASS) is None:
        return False
    reader.end()
    return True


def _bid(reader: _Reader) -> tuple[int, Strain]:
    level = int(reader.need(_LEVEL, "a level 1 to 7 or PASS"))
    word = reader.need(_STRAIN, "a strain C, D, H, S or NT").rstrip("\ufe0e").upper()
    return level, Strain("N" if word in ("NT", "SA") else _STRAINS.get(word, word))


def _risk(word: str | None) -> Risk:
    if word is None:
        return Risk.UNDOUBLED
    return Risk.REDOUBLED if word.lower() in ("xx", "**", "rdbl") else Risk.DOUBLED
