"""Rating: closing the weeks that are due. Doing it twice, or late, or twice at once changes nothing."""

from dataclasses import dataclass

import structlog

from server.services.closing import Closing
from server.services.weeks import UNNAMED
from server.storage.errors import StorageError

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rate:
    """Closes what is due, oldest first."""

    closing: Closing

    async def __call__(self) -> None:
        """Close the weeks that are over and have no ratings, or of which something changed since."""
        try:
            await self.closing.tidy()
            for pool in self.closing.pools:
                await self._rate(pool)
        except StorageError as error:
            _log.warning("rating.busy", detail=str(error))  # the next one does it

    async def _rate(self, pool: str) -> None:
        for week in await self.closing.due(pool):
            try:
                closed = await self.closing.close(pool, week)
            except StorageError:
                raise
            except Exception as error:  # whatever is wrong with one pool, the others are rated
                _log.error("rating.failed", week=str(week), pool=pool, exc_info=error)
                return
            if closed.changed:
                _log.info("week.closed", week=str(week), pool=pool, revision=closed.revision)
        if (unnamed := await self.closing.unnamed(pool)) is not None:
            _log.warning("rating.waits", week=str(unnamed), pool=pool, detail=UNNAMED)
