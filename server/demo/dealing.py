"""Boards of a demonstration, dealt before anybody else deals them."""

from functools import partial

from server.app import Installed
from server.bridge.week import Week
from server.demo.plan import AHEAD, Plan
from server.services import boards
from server.services.errors import BoardNumberTaken
from server.services.tokens import Caller
from server.settings import Settings


class Dealer:
    """Deals the boards that the seed says."""

    def __init__(self, settings: Settings, installed: Installed, caller: Caller, plan: Plan) -> None:
        self._zone, self._pools = settings.zone, settings.all_pools()
        self._database, self._clock = installed.database, installed.clock
        self._caller, self._plan = caller, plan

    async def deal(self, week: Week) -> None:
        """Deal a week and those after it that have no boards yet."""
        for each in (week.plus(ahead) for ahead in range(AHEAD + 1)):
            for pool in self._plan.boards():
                if not await boards.page(self._database, each, pool, 0, 1):
                    await self._deal(each, pool)

    async def _deal(self, week: Week, pool: str) -> None:
        given, now = self._plan.deals(week, pool), self._clock.now()
        try:
            await self._database.write(
                partial(
                    boards.make_set,
                    caller=self._caller,
                    week=week,
                    pool=self._pools[pool],
                    wanted=given,
                    zone=self._zone,
                    now=now,
                )
            )
        except BoardNumberTaken:  # somebody was first
            return
