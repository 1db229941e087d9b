"""Leaderboards of weeks."""

from collections import Counter
from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from aiohttp import web

from server.bridge.pool import Pool
from server.bridge.rating import FIRST
from server.bridge.week import Week, week_of
from server.services.closing_steps import has_joint
from server.services.errors import PlayerNotFound, UnknownPool
from server.services.leaderboards import Leaderboard, Wanted
from server.storage.leaderboards import Filters, Order
from server.web import queries, rendering_weeks
from server.web.api.weeks import HIGHEST_INDEX
from server.web.pages.follows import of_week
from server.web.pages.paging import MOST, page_numbers, wanted
from server.web.pages.visits import Visit

OF_A_PAGE = 50


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of a list asks for."""

    week: Week
    pool: str
    order: Order
    words: str
    provisional: bool | None
    min_boards: int
    lowest: float | None  # skill index
    highest: float | None
    revision: int | None

    @property
    def query(self) -> dict[str, str]:
        """As in an address, of the page as of the API; what is usual is left out."""
        given = {
            "pool": self.pool,
            "rating": "" if self.order is Order.SKILL else self.order.value,
            "q": self.words,
            "provisional": "" if self.provisional is None else str(self.provisional).lower(),
            "min_boards": str(self.min_boards or ""),
            "index_from": _brief(self.lowest),
            "index_to": _brief(self.highest),
            "revision": str(self.revision or ""),
        }
        return {name: value for name, value in given.items() if value}

    def at(self, **changes: object) -> str:
        """Path and query of this list, or of another one where something is changed."""
        page, around = changes.pop("page", None), changes.pop("around", None)
        other = replace(self, **changes)  # type: ignore[arg-type]
        query = other.query | ({"page": str(page)} if page not in (None, 1) else {})
        query |= {"around": str(around)} if around is not None else {}
        return f"/weeks/{other.week}?{urlencode(query)}"

    def in_pool(self, pool: str, pools: Mapping[str, Pool], known: Container[str]) -> str:
        """The list of the same week in another pool, where that is ``known``, else of the open one.

        By the same order where the pool has it.
        """
        order = self.order if self.order.value in orders(pools[pool]) else Order.SKILL
        path = self.at(pool=pool, order=order, revision=None)
        return path if pool in known else f"/weeks?{path.partition('?')[2]}"

    @property
    def filtered(self) -> bool:
        """Whether not everybody is to be shown."""
        return self.wanted().filters != Filters()

    @property
    def narrowed(self) -> bool:
        """Whether it is filtered by more than what is searched for."""
        return not self.query.keys().isdisjoint(("provisional", "min_boards", "index_from", "index_to"))

    @property
    def unfiltered(self) -> str:
        """The list with everybody."""
        return self.at(words="", min_boards=0, provisional=None, lowest=None, highest=None)

    def table(self, kind: str) -> str:
        """Where the API gives all of this list as a file."""
        return f"/api/v1/weeks/{self.week}/leaderboard?{urlencode(self.query | {'format': kind})}"

    def wanted(self, offset: int = 0, limit: int = OF_A_PAGE, around: str | None = None) -> Wanted:
        """What is asked of the service."""
        filters = Filters(self.min_boards, self.words, self.provisional, self.lowest, self.highest)
        return Wanted(self.week, self.pool, self.order, filters, offset, limit, self.revision, around)


def _brief(number: float | None) -> str:
    """A number without decimals where there are none; nothing without one."""
    return "" if number is None else f"{number:.6f}".rstrip("0").rstrip(".")


async def get_current(visit: Visit) -> web.Response:
    """The list of the week that is open."""
    return await _list(visit, week_of(visit.now, visit.services.zone))


async def get(visit: Visit) -> web.Response:
    """The list of a week. Raises UnknownPool, WeekNotFound, InvalidBody."""
    return await _list(visit, queries.week_of_page(visit.request.match_info["week"]))


async def _list(visit: Visit, week: Week) -> web.Response:
    services, asked = visit.services, _asked(visit, week)
    follows = await of_week(visit.services.database, week, pool=asked.pool)
    sought = queries.words(visit.request.query.get("around"), "around")
    found, player = await _found(visit, asked, sought)
    beside = await services.leaderboards.surroundings(week, asked.pool, visit.now)
    pool = services.pools[asked.pool]
    board = rendering_weeks.leaderboard(found, None)
    board.rows = board.rows[:OF_A_PAGE]
    return visit.page(
        "week.html",
        asked=asked,
        week=found.status,
        board=board,
        ties=ties(found),
        follows=follows,
        beside=beside,
        pools=services.pools,
        method=pool.terms.method.value,
        orders=orders(pool),
        moves=bool(found.revision) or found.order is Order.POINTS,
        order_of=Order,
        provisional_below=int(FIRST.flags.provisional_below),
        sought=sought,
        at=player,
        pages=page_numbers(found.total, found.offset, OF_A_PAGE),
    )


async def _found(visit: Visit, asked: Asked, sought: str) -> tuple[Leaderboard, str | None]:
    """The page that is asked for, and which player it is opened at.

    The first page, and nobody, when it should be that of one who is not on the list.
    """
    services = visit.services
    page, player = wanted(visit), None
    if sought:
        player = await _sought(visit, asked, sought)
        if player is not None:
            place = await services.leaderboards.page(asked.wanted(limit=1, around=player), visit.now)
            page = place.offset // OF_A_PAGE + 1
    # One more than is shown, which tells whether the last one shares his rank.
    rows = asked.wanted((page - 1) * OF_A_PAGE, OF_A_PAGE + 1)
    return await services.leaderboards.page(rows, visit.now), player


async def _sought(visit: Visit, asked: Asked, sought: str) -> str | None:
    """The id of the player who is looked for by id or by name: of several, who is called just so, or the
    first on the list.
    """
    pages = visit.services.leaderboards
    try:
        await pages.page(asked.wanted(limit=1, around=sought), visit.now)
    except PlayerNotFound:
        called = await pages.page(replace(asked, words=sought).wanted(), visit.now)
        just_so = [row for row in called.entries if row.name.casefold() == sought.casefold()]
        return next((row.id for row in (*just_so, *called.entries)), None)
    return sought


def _asked(visit: Visit, week: Week) -> Asked:
    query, pools = visit.request.query, visit.services.pools
    pool = query.get("pool", next(iter(pools)))
    if pool not in pools:
        raise UnknownPool("?pool", f"no pool is called {pool!r}")
    revision = queries.number(query.get("revision") or None, "revision", MOST)
    return Asked(
        week,
        pool,
        queries.choice(query.get("rating"), "rating", Order, Order.SKILL),
        queries.words(query.get("q")),
        queries.maybe("provisional", query.get("provisional") or None),
        queries.number(query.get("min_boards") or None, "min_boards", MOST) or 0,
        queries.decimal(query.get("index_from") or None, "index_from", HIGHEST_INDEX),
        queries.decimal(query.get("index_to") or None, "index_to", HIGHEST_INDEX),
        revision,
    )


def orders(pool: Pool) -> tuple[str, ...]:
    """What the lists of a pool may be ordered by."""
    return tuple(order.value for order in Order if order is not Order.JOINT or has_joint(pool))


def ties(found: Leaderboard) -> frozenset[int]:
    """Ranks that more than one row has, or that began on the page before."""
    places = Counter(entry.place for entry in found.entries)
    return frozenset(place for place, times in places.items() if times > 1 or place <= found.offset)
