"""The clock of events: whatever is due is done. Doing it twice, or late, or twice at once changes nothing."""

from dataclasses import dataclass

import structlog

from server.clock import Clock
from server.services import event_course
from server.services.event_course import Keeper
from server.storage.database import Database
from server.storage.errors import StorageError

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Keep:
    """Keeps the clocks of all events."""

    database: Database
    clock: Clock
    keeper: Keeper

    async def __call__(self) -> None:
        """Enter pairs, start and close rounds; any number of processes may do it at once."""
        try:
            await event_course.advance(self.database, self.keeper, self.clock.now)
        except StorageError as error:
            _log.warning("events.busy", detail=str(error))  # the next one does it
