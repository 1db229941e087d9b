"""Counting: bringing players' week totals up to date with the boards that changed."""

from dataclasses import dataclass
from datetime import timedelta
from zoneinfo import ZoneInfo

import structlog

from server.bridge.week import week_of
from server.clock import Clock
from server.services import tallies
from server.storage.database import Database
from server.storage.errors import StorageError

RECENT = timedelta(weeks=2)  # boards of older weeks hardly ever change: all are looked at less often

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Count:
    """Counts what changed on boards of the last weeks, or of all."""

    database: Database
    clock: Clock
    zone: ZoneInfo
    all_weeks: bool = False

    async def __call__(self) -> None:
        """Count every board that changed; any number of processes may do it at once."""
        now = self.clock.now()
        since = "" if self.all_weeks else str(week_of(now - RECENT, self.zone))
        try:
            while await tallies.refresh(self.database, since) == tallies.AT_ONCE:
                pass
        except StorageError as error:
            _log.warning("tallies.busy", detail=str(error))  # the next one does it
