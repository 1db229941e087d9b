"""The first page: the week, what is being played, what was finished last."""

from aiohttp import web

from server.bridge.event_rules import Kind
from server.bridge.pool import DEFAULT_POOL
from server.services import activity, weeks
from server.services.event_snapshot import ALL
from server.services.leaderboards import Wanted
from server.storage.leaderboards import Filters, Order
from server.web import queries, rendering, rendering_weeks
from server.web.moments import parts
from server.web.pages.events import programme
from server.web.pages.follows import of_week
from server.web.pages.visits import Visit
from server.web.pages.weeks import ties

_SHOWN = 10  # boards of each kind, and players
_EVENTS = 5  # that are played, to come, and over


async def get(visit: Visit) -> web.Response:
    """The week that is open, with its boards, and events: all, or those of ``?kind=``. Raises InvalidBody."""
    services, asked = visit.services, visit.request.query.get("kind") or None
    kind = None if asked is None else queries.choice(asked, "kind", Kind, Kind.PAIRS)
    week = await weeks.current(services.database, DEFAULT_POOL, visit.now, services.zone)
    follows = await of_week(visit.services.database, week.week, ALL)
    found = await activity.of_week(services.database, week.week, _SHOWN)
    top = next(iter(services.pools))
    leaders = await services.leaderboards.page(
        Wanted(week.week, top, Order.POINTS, Filters(), 0, _SHOWN + 1), visit.now
    )
    finished = [(rendering.board_view(board, True), board.traveller.datum()) for board in found.retired]
    return visit.page(
        "home.html",
        week=week,
        left=parts(week.closes_at - visit.now),
        pools=services.pools,
        counts=found.counts,
        moving=[rendering.board_view(board, False) for board in found.moving],
        finished=finished,
        leaders=rendering_weeks.leaderboard(leaders, None).rows[:_SHOWN],
        ties=ties(leaders),
        top_pool=top,
        method=services.pools[top].terms.method.value,
        programme=await programme(visit, _EVENTS, kind),
        kind=asked,
        kinds=[each.value for each in Kind],
        follows=follows,
    )
