"""A random walk of dealing and reporting, and a book that is kept of it from the answers alone.

The book knows the rules of dealing, not how the server keeps them: after every answer it says whether that
answer was allowed, and what else it could have been.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

LIFETIME = timedelta(minutes=30)
"""Of an assignment, as the tests' servers are set."""


@dataclass
class Sheet:
    """What is known of one board."""

    pool: str
    score_at: int
    retire_at: int | None
    played: dict[str, str] = field(default_factory=dict)  # account: result
    seen: set[str] = field(default_factory=set)  # accounts that were dealt or shown it
    tables: set[str] = field(default_factory=set)  # that have reported
    open: dict[str, datetime] = field(default_factory=dict)  # table: when its assignment expires

    def slots(self, now: datetime) -> int:
        """Results, and assignments that still hold a slot."""
        return len(self.tables) + sum(expires > now for expires in self.open.values())

    @property
    def retired(self) -> bool:
        """Whether it takes no more."""
        return self.retire_at is not None and len(self.tables) >= self.retire_at


@dataclass
class Book:
    """Boards and people of a walk."""

    boards: dict[str, Sheet] = field(default_factory=dict)
    person: dict[str, str] = field(default_factory=dict)  # account: person, where it is linked

    def accounts(self, players: Iterable[str]) -> set[str]:
        """The players and every account linked to one of them."""
        persons = {self.person.get(player, player) for player in players}
        linked = {account for account, person in self.person.items() if person in persons}
        return linked | set(players)

    def link(self, group: Iterable[str]) -> None:
        """From now on these are one person."""
        group = list(group)
        self.person |= dict.fromkeys(group, group[0])

    def twice(self, players: list[str]) -> bool:
        """Whether somebody sits at a table twice."""
        return len({self.person.get(player, player) for player in players}) < len(players)

    def eligible(self, pool: str, players: list[str], now: datetime) -> dict[str, Sheet]:
        """Boards that these four may be dealt."""
        accounts = self.accounts(players)
        return {
            name: sheet
            for name, sheet in self.boards.items()
            if sheet.pool == pool
            and not sheet.retired
            and (sheet.retire_at is None or sheet.slots(now) < sheet.retire_at)
            and not accounts & (sheet.seen | sheet.played.keys())
        }

    def best(self, pool: str, players: list[str], now: datetime) -> set[str]:
        """Of these the ones to be dealt first; none when there is none."""
        eligible = self.eligible(pool, players, now)
        short = {name for name, sheet in eligible.items() if sheet.slots(now) < sheet.score_at}
        if short:
            return short
        fullest = max((sheet.slots(now) for sheet in eligible.values()), default=0)
        return {name for name, sheet in eligible.items() if sheet.slots(now) == fullest}

    def deal(self, board: str, table: str, players: list[str], now: datetime) -> None:
        """The board was dealt to the table."""
        sheet = self.boards[board]
        assert not self.accounts(players) & (sheet.seen | sheet.played.keys()), (board, players)
        sheet.open[table] = now + LIFETIME
        sheet.seen |= set(players)
        assert sheet.retire_at is None or sheet.slots(now) <= sheet.retire_at, board

    def expected(self, board: str, table: str, players: list[str]) -> str | int:
        """How a result must be answered: 201, or the kind of refusal."""
        sheet = self.boards[board]
        if self.twice(players):
            return "invalid-result"
        if table in sheet.tables:
            return "table-already-reported"
        if self.accounts(players) & sheet.played.keys():
            return "already-played"
        return "board-retired" if sheet.retired else 201

    def play(self, board: str, table: str, players: list[str], result: str) -> None:
        """The result of the table was taken."""
        sheet = self.boards[board]
        assert not self.accounts(players) & sheet.played.keys(), (board, players)
        sheet.played |= dict.fromkeys(players, result)
        sheet.tables.add(table)
        sheet.open.pop(table, None)
        assert sheet.retire_at is None or len(sheet.tables) <= sheet.retire_at, board
