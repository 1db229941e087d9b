"""`crossruff verify` over the server of a test."""

from server.services import bulletins
from server.services.verify import verify
from tests.running import Served


async def check_clean(served: Served) -> None:
    """Everything computed again comes out as it is stored."""
    await bulletins.number_shared(served.database)  # as the timetable does
    found = [each async for each in verify(served.database, served.clock.now())]
    assert [wrong for each in found for wrong in each.discrepancies] == []
