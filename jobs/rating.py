"""Rating: closing the weeks that are due. Doing it twice, or late, or twice at once changes nothing."""

from dataclasses import dataclass

import structlog

from server.services.closing import Closing
from server.storage.errors import StorageError

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rate:
    """Closes what is due, oldest first."""

    closing: Closing

    async def __call__(self) -> None:
        """Close the weeks that are over and have no ratings, or of which something changed since."""
        try:
            for pool, week in await self.closing.due():
                closed = await self.closing.close(pool, week)
                if closed.changed:
                    _log.info("week.closed", week=str(week), pool=pool, revision=closed.revision)
        except StorageError as error:
            _log.warning("rating.busy", detail=str(error))  # the next one does it
