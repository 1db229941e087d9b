"""The field of an event, as it follows from the scores that are kept."""

import msgspec
import pytest
from sqlalchemy import select, update

from server.storage.event_tables import event_scores
from server.storage.ids import event_number
from tests import event_days


@pytest.mark.parametrize("awarded", [(), (1,), (4,), (1, 4)], ids=["none", "one side", "the other", "both"])
async def test_two_pairs_have_met_when_one_of_them_has_a_result(server, clock, awarded):
    """One side of a split score is a result of the match, whichever it is: to meet again is a rematch."""
    event = await event_days.running(server)
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)

    def award(connection):
        mine = (event_scores.c.event == event_number(event)) & event_scores.c.entry.in_(awarded)
        for row in connection.execute(select(event_scores).where(mine)).all():
            boards = msgspec.json.decode(row.boards)
            split = {board: [value, played, "A+"] for board, (value, played, _) in boards.items()}
            values = {"boards": msgspec.json.encode(split).decode()}
            its = mine & (event_scores.c.entry == row.entry)
            connection.execute(update(event_scores).where(its).values(**values))

    await server.database.write(award)
    again = {"round": 3, "matches": [[1, 4], [2, 3]], "reason": "to see"}
    refused = await server.api.post(f"events/{event}/pairings", again)
    told = [each["pairs"] for each in refused.body["objections"] if each["fault"] == "rematch"]
    assert told == ([[2, 3]] if awarded == (1, 4) else [[1, 4], [2, 3]])
