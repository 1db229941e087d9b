"""PBN text to games: tags and the lines below them, without comments, and with what games inherit.

One broken tag or unclosed comment is complained about and costs its own line, never the rest of the file.
Every step is linear in the length of the text.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from server.formats.complaints import Complaints

Line = tuple[int, str]  # number counted from 1, and text

_TAG = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9_]*)[ \t]*"')
_TAG_END = re.compile(r'"[ \t]*\]')
_GAME_START = re.compile(r'\[[ \t]*(?:Event|Board)[ \t]*"')
_DATA_END = re.compile(r"[{;\[]")
_SECTIONS = ("Auction", "Play")
_STARTS_A_GAME = ("Event", "Board")
_REPEATED = ("Note",)
_INHERITED = (
    *("Event", "Site", "Date", "Section", "Scoring"),
    *("North", "East", "South", "West", "PairNS", "PairEW"),
    *("Dealer", "Vulnerable", "Deal", "Contract", "Declarer", "Result"),
)


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag pair, with the lines of data that follow it when it opens a section or a table."""

    line: int
    name: str
    value: str
    below: tuple[Line, ...] = ()

    @property
    def is_table(self) -> bool:
        """Whether rows may follow."""
        return self.name.endswith("Table")

    @property
    def is_section(self) -> bool:
        """Whether lines of data may follow: an auction, a play, or a table."""
        return self.is_table or self.name in _SECTIONS


@dataclass(frozen=True, slots=True)
class Game:
    """The tags of one game by name, inherited values filled in."""

    line: int  # of its first tag
    tags: dict[str, Tag]

    def value(self, name: str) -> str:
        """Value of a tag without white space at either end; empty when the game has none."""
        tag = self.tags.get(name)
        return "" if tag is None else tag.value.strip()

    def line_of(self, name: str) -> int:
        """Line of a tag, or of the game when it has none."""
        tag = self.tags.get(name)
        return self.line if tag is None else tag.line


def read_games(text: str, complaints: Complaints) -> list[Game]:
    """All games of a file in order. Blocks without any tag are no games."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return _inherit(_Scanner(lines, complaints).games(), complaints)


class _Scanner:
    """Walks through the lines once; what is being gathered stands in its attributes."""

    def __init__(self, lines: list[str], complaints: Complaints) -> None:
        self._lines = lines
        self._complaints = complaints
        self._closing = _next_with(lines, lambda line: "}" in line)
        self._starting = _next_with(lines, lambda line: bool(_GAME_START.match(line)))
        self._games: list[Game] = []
        self._tags: dict[str, Tag] = {}
        self._last: Tag | None = None  # whose section is open
        self._below: list[Line] = []
        self._stray = False  # complained already about text outside of tags

    def games(self) -> list[Game]:
        at = 0
        while at < len(self._lines):
            at = self._line(at)
        self._end_game()
        return self._games

    def _line(self, at: int) -> int:
        """Read the line with index ``at`` and whatever a comment joins to it; returns the next index."""
        if self._lines[at].startswith("%"):
            return at + 1
        if not self._lines[at].strip():
            self._end_game()
            return at + 1
        column = 0
        while True:
            text = self._lines[at]
            while column < len(text) and text[column] in " \t":
                column += 1
            if column >= len(text) or text[column] == ";":
                return at + 1
            if text[column] == "{":
                at, column = self._comment(at, column)
            elif text[column] == "[" and (column == 0 or _TAG.match(text, column)):
                column = self._tag(at, column)
            else:
                column = self._data(at, column)

    def _comment(self, at: int, column: int) -> tuple[int, int]:
        """Pass over a comment in braces; returns where the text goes on."""
        close = self._lines[at].find("}", column)
        if close >= 0:
            return at, close + 1
        end = self._closing[at + 1]
        if end is None or (self._starting[at + 1] or end) < end:
            self._complaints.warn(
                at + 1, "a comment is opened here and not closed; only this line was left out"
            )
            return at, len(self._lines[at])
        return end, self._lines[end].index("}") + 1

    def _tag(self, at: int, column: int) -> int:
        text = self._lines[at]
        start = _TAG.match(text, column)
        end = start and _TAG_END.search(text, start.end())
        self._close_section()
        if start is None or end is None:
            reason = f'expected a tag such as [Board "1"], not {excerpt(text[column:])}'
            self._complaints.warn(at + 1, reason)
            return len(text)
        tag = Tag(at + 1, start.group(1), text[start.end() : end.start()])
        if not tag.is_table:
            tag = replace(tag, value=tag.value.replace('\\"', '"').replace("\\\\", "\\"))
        self._add(tag)
        return end.end()

    def _add(self, tag: Tag) -> None:
        if tag.name in self._tags and tag.name in _STARTS_A_GAME:
            self._end_game()
        if tag.name not in self._tags:
            self._tags[tag.name] = tag
        elif tag.name not in _REPEATED:
            self._complaints.warn(tag.line, f"{tag.name} is given twice in one game; the first was taken")
            return
        self._last = tag if tag.is_section else None

    def _data(self, at: int, column: int) -> int:
        """Note the text from ``column`` as a line of the open section; returns where it ends."""
        text = self._lines[at]
        whole = self._last is not None and self._last.is_table
        stop = None if whole else _DATA_END.search(text, column + 1)
        end = stop.start() if stop else len(text)
        if self._last is not None:
            self._below.append((at + 1, text[column:end]))
        elif not self._stray:
            self._stray = True
            self._complaints.warn(at + 1, f"text that belongs to no tag was left out: {excerpt(text)}")
        return end

    def _close_section(self) -> None:
        if self._last is not None:
            self._tags[self._last.name] = replace(self._last, below=tuple(self._below))
        self._last = None
        self._below = []
        self._stray = False

    def _end_game(self) -> None:
        stray = self._stray
        self._close_section()
        self._stray = stray  # free text may have empty lines
        if self._tags:
            line = min(tag.line for tag in self._tags.values())
            self._games.append(Game(line, self._tags))
            self._tags = {}


def excerpt(text: str) -> str:
    """The beginning of a text, for complaints."""
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:40] + "…")


def _next_with(lines: list[str], has: Callable[[str], bool]) -> list[int | None]:
    """For each index, and one past the end, the first index from there on whose line ``has`` it."""
    found: list[int | None] = [None] * (len(lines) + 1)
    for at in range(len(lines) - 1, -1, -1):
        found[at] = at if has(lines[at]) else found[at + 1]
    return found


def _inherit(games: list[Game], complaints: Complaints) -> list[Game]:
    """Fill in what games take over: ``##value`` for all that follow, ``#`` from the game before."""
    defaults: dict[str, Tag] = {}
    done: list[Game] = []
    for game in games:
        before = done[-1].tags if done else {}
        tags = {name: _resolved(tag, before, defaults, complaints) for name, tag in game.tags.items()}
        done.append(Game(game.line, {**defaults, **tags}))
    return done


def _resolved(tag: Tag, before: dict[str, Tag], defaults: dict[str, Tag], complaints: Complaints) -> Tag:
    """A tag with the value it stands for; notes it among the ``defaults`` when later games inherit it."""
    if not tag.value.startswith("#"):
        return tag
    lasting = tag.value.startswith("##")
    if tag.value in ("#", "##"):
        if tag.name not in before and (tag.name in _INHERITED or tag.is_table):
            complaints.warn(tag.line, f"{tag.name} refers to the game before, which has none")
        known = before.get(tag.name)
        tag = replace(tag, value="" if known is None else known.value)
    else:
        tag = replace(tag, value=tag.value[2:] if lasting else tag.value)
    if lasting and tag.name in _INHERITED:
        defaults[tag.name] = replace(tag, below=())
    return tag
