"""The sweep: asks the database what is due, and does it. Running it twice, or late, changes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from zoneinfo import ZoneInfo

import structlog

from server.bridge.pool import Pool
from server.clock import Clock
from server.services import boards, bulletins, idempotency
from server.storage.database import Database
from server.storage.errors import DatabaseBusy

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Sweep:
    """What is swept, and how."""

    database: Database
    clock: Clock
    zone: ZoneInfo
    pools: Mapping[str, Pool]
    week_boards: int

    async def __call__(self) -> None:
        """Deal the boards of this week and the next; forget answers and bulletins older than a week."""
        now = self.clock.now()
        try:
            made = await boards.deal_ahead(self.database, self.pools, self.week_boards, self.zone, now)
            await idempotency.forget_old_answers(self.database, now)
            await bulletins.forget_old(self.database, now)
        except DatabaseBusy as error:
            _log.warning("sweep.busy", detail=str(error))  # the next one does it
            return
        if made:
            _log.info("sweep.dealt", boards=made)
