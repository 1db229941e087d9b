"""Numbering what was written to shared channels, and revealing boards that nobody plays any more."""

from dataclasses import dataclass

import structlog

from server.clock import Clock
from server.services import bulletins
from server.services.bulletins import AT_ONCE, REVEALED_AT_ONCE, Wording
from server.services.secrecy import Secrecy
from server.storage.database import Database
from server.storage.errors import StorageError

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Tell:
    """What is told, and how."""

    database: Database
    clock: Clock
    secrecy: Secrecy
    wording: Wording

    async def __call__(self) -> None:
        """Do all that is due; any number of processes may do it at once."""
        try:
            while await bulletins.number_shared(self.database) == AT_ONCE:
                pass
            now = self.clock.now()
            while await bulletins.reveal(self.database, self.secrecy, self.wording, now) == REVEALED_AT_ONCE:
                pass
        except StorageError as error:
            _log.warning("bulletins.busy", detail=str(error))  # the next one does it
