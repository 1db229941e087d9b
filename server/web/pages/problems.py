"""Problems: what each one means, and the page on which somebody meets one."""

from collections.abc import Mapping

from aiohttp import web

from server.services import errors, event_errors
from server.storage.errors import ConstraintViolated, DatabaseBusy
from server.web import problems
from server.web.languages import N_
from server.web.pages.visits import Visit, visit

_FOR_PEOPLE = ("/api/docs",)
_MACHINES = ("/api/", "/metrics", "/healthz", "/readyz")

ADVICE: dict[type[Exception], str] = {
    problems.PathNotFound: N_("Perhaps the address was mistyped, or what was here is no longer shown."),
    errors.BoardNotFound: N_("No board has this id. The boards of a week are listed under Boards."),
    errors.ResultNotFound: N_("No result has this id. Those of a board are listed on its page."),
    errors.PlayerNotFound: N_("No player has this id. Search finds players by the beginning of their name."),
    errors.WeekNotFound: N_("There is no such week, or no board was played in it or before."),
    event_errors.EventNotFound: N_("No event has this id. All of them are listed under Events."),
    event_errors.EntryNotFound: N_("The pairs of an event and their numbers are listed on its page."),
    event_errors.RoundNotFound: N_("The rounds of an event are listed on its page."),
    errors.UnknownPool: N_("No pool has this name. The pools are listed on the first page."),
    problems.InvalidBody: N_(
        "A filter, an order or a number in the address is none that this page knows. "
        "Begin with the page itself, and choose there."
    ),
    errors.NotRevealed: N_(
        "Everything about it is shown when it is retired, or a while after its week has closed."
    ),
    errors.MembersOnly: N_("This is shown to members only."),
    problems.RateLimited: N_("Too much was asked for in too short a time. Try again in a moment."),
    problems.MethodNotAllowed: N_("This address is only for reading."),
    **dict.fromkeys(
        (DatabaseBusy, ConstraintViolated, errors.QueueFull, errors.StreamsFull),
        N_("The server has too much to do just now. Try again in a moment."),
    ),
    problems.InternalError: N_(
        "The mistake is ours and was noted. Try again; if it stays, tell whoever runs this site."
    ),
    problems.CrossSite: N_("The form was sent by a page of another site, so it was not taken."),
}
"""What somebody can do who meets a problem on a page; the others are met by programs."""


def wanted(request: web.Request) -> bool:
    """Whether a person asks for a page: nowhere in the API but its document, only where HTML is accepted."""
    for_people = request.path in _FOR_PEOPLE or not request.path.startswith(_MACHINES)
    return for_people and "text/html" in request.headers.get("Accept", "")


def met(request: web.Request, kind: type[Exception], detail: str, headers: Mapping[str, str]) -> web.Response:
    """A problem as the page that somebody gets instead of what he asked for."""
    slug = problems.slug(kind)
    response = visit(request).page(
        "met.html",
        status=problems.STATUS[kind],
        advice=ADVICE.get(kind),
        title=problems.title(kind),
        detail=detail,
        slug=slug,
    )
    response.headers.update(headers)
    return response


async def get_list(visit: Visit) -> web.Response:
    """Every problem that the API names."""
    rows = [(slug, problems.STATUS[kind], problems.title(kind)) for slug, kind in problems.by_slug().items()]
    return visit.page("problems.html", rows=rows)


async def get(visit: Visit) -> web.Response:
    """What one problem means. Raises PathNotFound."""
    slug = visit.request.match_info["slug"]
    kind = problems.by_slug().get(slug)
    if kind is None:
        raise problems.PathNotFound(f"No problem is called {slug!r}.")
    status = problems.STATUS[kind]
    return visit.page(
        "problem.html", title=problems.title(kind), code=status, slug=slug, advice=ADVICE.get(kind)
    )
