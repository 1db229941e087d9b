"""Where the parts of a USEBIO event stand, and which BOARD elements belong to one board."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from server.formats.complaints import Complaints
from server.formats.xml_tree import Element

_PARTS = ("BOARD", "HANDSET", "PARTICIPANTS")
_BOARD_NUMBER = re.compile(r"[0-9]{1,4}")
_OPPONENTS = ("NS_PAIR_NUMBER", "EW_PAIR_NUMBER", "TEAM", "OPPOSING_TEAM")


@dataclass(frozen=True, slots=True)
class Part:
    """A BOARD, HANDSET or PARTICIPANTS element and what surrounds it."""

    element: Element
    scope: tuple[str, ...]  # ids of the session and the section around it, as far as there are any
    match: Element | None

    @property
    def section(self) -> str:
        """The scope as one word."""
        return "/".join(self.scope)

    @property
    def round(self) -> str:
        """Number of the round of the match around it, as printed."""
        return "" if self.match is None else self.match.text_of("ROUND_NUMBER")

    @property
    def opponents(self) -> set[str]:
        """The pairs or teams of the match around it."""
        return set() if self.match is None else {self.match.text_of(name) for name in _OPPONENTS} - {""}


@dataclass(frozen=True, slots=True)
class Sheet:
    """One board: every BOARD element with results of the same deal."""

    number: int
    parts: tuple[Part, ...]
    again: bool = False  # the number stands for another deal in each round

    @property
    def section(self) -> str:
        """Section as one word, with the round where each round has a deal of its own."""
        first = self.parts[0]
        return "/".join(filter(None, (first.section, first.round if self.again else "")))

    @property
    def lines(self) -> list[Element]:
        """Its traveller lines in the order of the file."""
        return [line for part in self.parts for line in part.element.all("TRAVELLER_LINE")]


def parts_of(element: Element, scope: tuple[str, ...] = (), match: Element | None = None) -> Iterator[Part]:
    """Every part below ``element``, whatever the event nests them in."""
    counts = {"SESSION": 0, "SECTION": 0}
    for child in element.children:
        if child.name in _PARTS:
            yield Part(child, scope, match)
        elif child.name in counts:
            counts[child.name] += 1
            name = child.attributes.get(f"{child.name}_ID", "").strip() or str(counts[child.name])
            yield from parts_of(child, (*scope, name), match)
        else:
            yield from parts_of(child, scope, child if child.name == "MATCH" else match)


def board_number(board: Element, complaints: Complaints) -> int | None:
    """The number of a board from 1; None, refused, when there is none."""
    text = board.text_of("BOARD_NUMBER")
    if _BOARD_NUMBER.fullmatch(text) and int(text) > 0:
        return int(text)
    complaints.refuse(board.line_of("BOARD_NUMBER"), f"BOARD_NUMBER {text!r}: expected a number from 1")
    return None


def sheets_of(parts: list[Part], complaints: Complaints) -> Iterator[Sheet]:
    """The BOARD elements among ``parts``, brought together by section and number.

    Matches carry a BOARD element for each table. Nobody plays a deal twice (Law 15), so when a pair meets the
    same number in two rounds, each round has its own deal.
    """
    found: dict[tuple[tuple[str, ...], int], list[Part]] = {}
    for part in parts:
        if part.element.name == "BOARD":
            number = board_number(part.element, complaints)
            if number is not None:
                found.setdefault((part.scope, number), []).append(part)
    for (_, number), same in found.items():
        if not _come_back(same):
            yield Sheet(number, tuple(same))
            continue
        rounds: dict[str, list[Part]] = {}
        for part in same:
            rounds.setdefault(part.round, []).append(part)
        yield from (Sheet(number, tuple(each), again=True) for each in rounds.values())


def _come_back(parts: list[Part]) -> bool:
    met: dict[str, str] = {}
    return any(met.setdefault(pair, part.round) != part.round for part in parts for pair in part.opponents)
