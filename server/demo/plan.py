"""What a demonstration is made from: a few numbers, from which everything in it follows."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from server.bridge.dealing import deal_at_random
from server.bridge.week import Week
from server.services.boards import GivenBoard
from server.world.chance import stream
from server.world.people import World, make_world

LIVE = Week(2026, 48)  # open when a demonstration begins
BEGINS = datetime(2026, 11, 25, 12, tzinfo=UTC)  # what its clock shows then: a Wednesday evening in Shanghai
AHEAD = 2  # weeks for which boards are dealt beforehand: one more than the server would deal by itself
_LEAST_BOARDS = {"imps": 56, "mp": 24}  # as many as the busiest players need
_TABLES_A_BOARD = 16  # of bigger worlds


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of one demonstration."""

    seed: int
    players: int
    weeks: int  # played before it begins
    speed: float  # seconds of its clock in a real one

    @property
    def clock(self) -> str:
        """The setting of its clock."""
        return f"{BEGINS.isoformat().replace('+00:00', 'Z')},{self.speed:g}"

    @property
    def first(self) -> Week:
        """The first week that is played."""
        return LIVE.plus(-self.weeks)

    def world(self) -> World:
        """The people."""
        return make_world(self.seed, self.players, self.weeks)

    def number(self, week: Week) -> int:
        """How the world counts a week, from 0."""
        return (_monday(week) - _monday(self.first)).days // 7

    def boards(self) -> Mapping[str, int]:
        """How many boards each pool has in a week."""
        tables = {"imps": 4 * self.players, "mp": self.players}  # about as many are played
        return {pool: max(least, tables[pool] // _TABLES_A_BOARD) for pool, least in _LEAST_BOARDS.items()}

    def deals(self, week: Week, pool: str) -> list[GivenBoard]:
        """The boards of a week, dealt from the seed."""
        below = stream(self.seed, "deals", week, pool).randrange
        return [GivenBoard(number, deal_at_random(below)) for number in range(1, self.boards()[pool] + 1)]


def _monday(week: Week) -> date:
    return date.fromisocalendar(week.year, week.number, 1)
