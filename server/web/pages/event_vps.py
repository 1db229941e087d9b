"""What so many IMPs in a round of an event are worth in victory points, by the code that scores."""

from aiohttp import web

from server.web import rendering_events
from server.web.pages.event_heads import head
from server.web.pages.visits import Visit
from server.web.pages.vp_formulas import formula

_OF_A_COLUMN = 20


async def get(visit: Visit) -> web.Response:
    """The table for the scale and number of boards of the event. Raises EventNotFound."""
    found = await head(visit)
    rules = rendering_events.rules(found.rules)
    rows = list(enumerate(rules.vps)) if isinstance(rules.vps, list) else []
    return visit.page(
        "event_vp.html",
        head=found,
        follows=found.follows,
        rules=rules,
        columns=[rows[i : i + _OF_A_COLUMN] for i in range(0, len(rows), _OF_A_COLUMN)],
        formula=formula(found.rules.vp_scale),
    )
