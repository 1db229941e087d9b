"""The weekly report for directors."""

from aiohttp import web

from server.bridge.rating_watch import Watched, Why
from server.services import errors
from server.services.tokens import Scope
from server.services.watch import Report
from server.web import queries, schemas_weeks
from server.web.answers import json_answer
from server.web.api.weeks import named
from server.web.keys import Call
from server.web.routes import BASE, POOL, Route


async def get(call: Call) -> web.Response:
    """The report on a week."""
    report = await call.services.watch.report(named(call), queries.pool(call))
    return json_answer(
        schemas_weeks.WatchReport(
            week=str(report.week),
            pool=report.pool,
            weeks=[str(week) for week in report.weeks],
            lines=[_line(report, line) for line in report.lines],
        )
    )


def _line(report: Report, line: Watched) -> schemas_weeks.WatchLine:
    counted = line.why is not Why.ABANDONED
    return schemas_weeks.WatchLine(
        why=line.why.value,
        players=[_player(report, number) for number in line.players],
        opponents=[_player(report, number) for number in line.opponents],
        boards=line.boards,
        excess=round(line.excess, 6) if counted else None,
        z=round(line.z, 6) if counted else None,
    )


def _player(report: Report, number: int) -> schemas_weeks.Ranked:
    player = report.people[number]
    return schemas_weeks.Ranked(id=player.id, name=player.shown_name)


ROUTES = (
    Route(
        "GET",
        f"{BASE}/weeks/{{week}}/watch",
        get,
        "Weeks",
        schemas_weeks.WatchReport,
        "What is out of the ordinary",
        "Of a rated week and the three before it: who did much better than expected against the same two "
        "opponents (`same-opponents`) or against players of few boards (`novices`), on eight boards or more "
        "and by four standard deviations; and pairs with more than two boards that nobody finished "
        "(`abandoned`). It names, it accuses nobody.",
        scope=Scope.DIRECTOR,
        parameters=(POOL,),
        problems=(errors.UnknownPool, errors.WeekNotFound),
        private=True,
    ),
)
