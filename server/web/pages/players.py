"""Players: what one is and was, and how each of his weeks came about."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from aiohttp import web

from server.bridge.rating import FIRST
from server.bridge.seats import Seat
from server.bridge.week import Week, week_of
from server.services import grades, player_results
from server.services.errors import PlayerNotFound, UnknownPool
from server.services.explain_week_tables import BoardLine
from server.services.player_results import PlayerResults
from server.services.travellers import Row, TravellerView
from server.storage.ids import board_id
from server.web import queries, rendering, rendering_careers, rendering_explain_week, rendering_weeks
from server.web.fields import Sides
from server.web.pages import event_rules, sheets
from server.web.pages.charts import chart
from server.web.pages.files import CSV, file
from server.web.pages.follows import SELDOM, of_week
from server.web.pages.travellers import Line, Named, line, named
from server.web.pages.visits import PUBLIC, Visit
from server.web.schemas_explain_week import WeekLine

OF_A_PAGE = 25  # results
OF_A_FILE = 1000


@dataclass(frozen=True, slots=True)
class Played:
    """A result of the player as it stands in his list."""

    id: str
    board: str
    number: int
    week: str | None
    state: str
    line: Line | None  # None: the board may still be played
    seat: Seat | None  # his own; None: he was replaced
    partner: Named | None
    own: float | None  # field score of his side
    left: bool  # he disconnected


@dataclass(frozen=True, slots=True)
class Explained:
    """A line of the explanation of a week, with people by seat."""

    told: WeekLine
    people: dict[str, Named]

    @property
    def share(self) -> float | None:
        """P of the player's side."""
        table = self.told.table
        if table is None or self.told.seat is None:
            return None
        return table.p_ns if self.told.seat in "NS" else table.p_ew

    @property
    def leaver(self) -> Named | None:
        """The partner who abandoned the board, where that is what the line is about."""
        if self.told.leaver is None or self.told.seat is None:
            return None
        return self.people.get(Seat(self.told.seat).partner.value)


async def get(visit: Visit) -> web.Response:
    """A player with his figures, weeks, partners and results. Raises PlayerNotFound, UnknownPool."""
    services, name, pool = visit.services, _named(visit), _pool(visit)
    this_week = week_of(visit.now, services.zone)
    follows = await of_week(visit.services.database, this_week, every=SELDOM, pool=pool)
    found = await services.figures.figures(name, pool, visit.now, False)
    merit = await grades.of_player(services.database, services.keeper.scale, name)
    _, weeks = await services.figures.weeks(name, pool, False)
    career = await services.careers.of(name, pool, False, visit.now)
    query, secret = visit.request.query, services.secret
    after = queries.read_cursor(query.get("cursor"), secret)
    wanted = PlayerResults(name, pool, after, OF_A_PAGE + 1, False)
    results = await player_results.of_player(services.database, wanted, PUBLIC, services.secrecy, visit.now)
    shown = results[:OF_A_PAGE]
    told = [rendering_weeks.player_week(each) for each in weeks]
    more = len(results) > OF_A_PAGE
    return visit.page(
        "player.html",
        player=rendering_weeks.player(found, merit),
        rated=found.last is not None,
        grade=event_rules.grade_name(visit, services.keeper.scale, merit.grade),
        weeks=told,
        this_week=str(this_week),
        follows=follows,
        chart=chart(told),
        career=rendering_careers.career(career, pool),
        results=[_result(name, row, view) for row, view in shown],
        due=min((services.secrecy.revealed_at(week) for week in _in_play(shown)), default=None),
        first=not after,
        cursor=queries.cursor(shown[-1][0].board.id, secret) if more else None,
        pool=pool,
        pools=services.pools,
        method=services.pools[pool].terms.method.value,
    )


async def get_week(visit: Visit) -> web.Response:
    """How a week came about. Raises PlayerNotFound, UnknownPool, WeekNotFound."""
    services, pool = visit.services, _pool(visit)
    week = queries.week_of_page(visit.request.match_info["week"])
    follows = await of_week(visit.services.database, week, every=SELDOM, pool=pool)
    found = await services.explainer.explain(_named(visit), week, pool, PUBLIC, visit.now)
    shown, published = rendering_explain_week.week_explained(found), found.published
    lines = [Explained(told, _people(each)) for told, each in zip(shown.lines, found.lines, strict=True)]
    hidden = shown.hidden_boards or shown.duplicate.hidden_boards
    so_far = None  # of all boards, as his page tells everybody
    if shown.hidden_boards and not shown.revision:
        figures = await services.figures.figures(_named(visit), pool, visit.now, False)
        so_far = next((each for each in figures.totals if each.week == str(week)), None)
    algorithm = FIRST if published is None else published.rules.algorithm
    classic = algorithm.classic
    return visit.page(
        "player_week.html",
        follows=follows,
        told=shown,
        lines=lines,
        so_far=so_far,
        beside=await _beside(visit, week, pool),
        per_cent=f"{float(algorithm.per_cent):g}",
        due=services.secrecy.revealed_at(week) if hidden else None,
        points_so_far=None if so_far is None else rendering_weeks.points(so_far.points),
        rates=sum(each.told.board_rate or 0.0 for each in lines),
        faded=(shown.old_weight or 0.0) * classic.fade,
        zeros=[each for each in lines if each.told.leaver is not None],
        classic=classic,
        clamp=algorithm.clamp,
        width=f"{2 * algorithm.clamp:g}",
        new=published is not None and published.before is None,
        held=published is not None and published.rating.rate in (classic.lowest, classic.highest),
        pool=pool,
        method=services.pools[pool].terms.method.value,
    )


@dataclass(frozen=True, slots=True)
class Beside:
    """Weeks of a player before and after one, whether rated or with boards alone."""

    before: str | None
    after: str | None
    rated: str | None  # the last one before it that is rated


async def _beside(visit: Visit, week: Week, pool: str) -> Beside:
    """Where else to look from the page of a player's week. Raises PlayerNotFound."""
    figures, name, this = visit.services.figures, _named(visit), str(week)
    _, closed = await figures.weeks(name, pool, False)
    rated = {each.snapshot.week for each in closed}
    found = await figures.figures(name, pool, visit.now, False)
    known = rated | {each.week for each in found.totals if each.boards}
    return Beside(
        max((each for each in known if each < this), default=None),
        min((each for each in known if each > this), default=None),
        max((each for each in rated if each < this), default=None),
    )


async def get_weeks_csv(visit: Visit) -> web.Response:
    """Every closed week of a player. Raises PlayerNotFound, UnknownPool."""
    _, found = await visit.services.figures.weeks(_named(visit), _pool(visit), False)
    return file("weeks.csv", sheets.player_weeks([rendering_weeks.player_week(each) for each in found]), CSV)


async def get_week_csv(visit: Visit) -> web.Response:
    """The boards of a player's week, as its page tells them.

    Raises PlayerNotFound, UnknownPool, WeekNotFound.
    """
    week = queries.week_of_page(visit.request.match_info["week"])
    found = await visit.services.explainer.explain(_named(visit), week, _pool(visit), PUBLIC, visit.now)
    shown = rendering_explain_week.week_explained(found)
    return file(f"week-{shown.week}.csv", sheets.player_week(shown), CSV)


async def get_results_csv(visit: Visit) -> web.Response:
    """A player's newest results that nobody can be playing any more. Raises PlayerNotFound, UnknownPool."""
    services = visit.services
    wanted = PlayerResults(_named(visit), _pool(visit), 0, OF_A_FILE, False)
    found = await player_results.of_player(services.database, wanted, PUBLIC, services.secrecy, visit.now)
    return file("results.csv", await asyncio.to_thread(sheets.player_results, found), CSV)


def _people(found: BoardLine) -> dict[str, Named]:
    return {seat: named(player) for seat, player in zip("NESW", found.people, strict=False)}


def _result(name: str, row: Row, view: TravellerView) -> Played:
    """One result as far as everybody may see it."""
    told = rendering.result_detail(row, view)
    board = row.board
    if not view.open:
        known = (told.id, board_id(board.id), board.number, None if board.week is None else str(board.week))
        return Played(*known, told.state, None, None, None, None, False)
    seat = next((seat for seat, player in zip(Seat, row.players, strict=True) if player.id == name), None)
    field = told.field if isinstance(told.field, Sides) else None
    partner = None if seat is None else row.players[tuple(Seat).index(seat.partner)]
    own = None if field is None or seat is None else field.ns if seat.value in "NS" else field.ew
    return Played(
        told.id,
        board_id(board.id),
        board.number,
        None if board.week is None else str(board.week),
        told.state,
        line(row),
        seat,
        None if partner is None else named(partner),
        own,
        any(each.live and player.id == name for each, player in row.disconnects),
    )


def _in_play(found: Iterable[tuple[Row, TravellerView]]) -> Iterator[Week]:
    """Weeks of boards that may still be played."""
    return (row.board.week for row, view in found if not view.open and row.board.week is not None)


def _pool(visit: Visit) -> str:
    pool = visit.request.query.get("pool", next(iter(visit.services.pools)))
    if pool not in visit.services.pools:
        raise UnknownPool("?pool", f"no pool is called {pool!r}")
    return pool


def _named(visit: Visit) -> str:
    name = visit.request.match_info["id"]
    if "\x00" in name:
        raise PlayerNotFound("player")
    return name
