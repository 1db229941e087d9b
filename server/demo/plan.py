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
_TABLES = {"imps": 4.3, "mp": 1.1}  # that are played in a week, for each player
_ROOM = 1.25  # boards for so many times as many tables
_LEAST_BOARDS = {"imps": 24, "mp": 12}
_LEAST_RETIRE_AT, _USUAL_RETIRE_AT = 8, 40
_PLAYERS_A_RESULT = 10  # so that many boards are full some time before their week is over


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

    @property
    def retire_at(self) -> int:
        """Results with which its boards are retired: few people come nowhere near the usual forty."""
        return max(_LEAST_RETIRE_AT, min(_USUAL_RETIRE_AT, self.players // _PLAYERS_A_RESULT))

    def world(self) -> World:
        """The people."""
        return make_world(self.seed, self.players, self.weeks)

    def number(self, week: Week) -> int:
        """How the world counts a week, from 0."""
        return (_monday(week) - _monday(self.first)).days // 7

    def boards(self) -> Mapping[str, int]:
        """How many boards each pool has in a week."""
        return {
            pool: max(_LEAST_BOARDS[pool], round(_ROOM * tables * self.players / self.retire_at))
            for pool, tables in _TABLES.items()
        }

    def deals(self, week: Week, pool: str) -> list[GivenBoard]:
        """The boards of a week, dealt from the seed."""
        below = stream(self.seed, "deals", week, pool).randrange
        return [GivenBoard(number, deal_at_random(below)) for number in range(1, self.boards()[pool] + 1)]


def _monday(week: Week) -> date:
    return date.fromisocalendar(week.year, week.number, 1)
