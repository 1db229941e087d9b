"""Problems: what each one means, and the page on which somebody meets one."""

import re
from collections.abc import Mapping

from aiohttp import web

from server.services import errors, event_errors
from server.storage.errors import ConstraintViolated, DatabaseBusy
from server.web import languages, problems
from server.web.languages import N_
from server.web.pages.visits import Visit, visit

_FOR_PEOPLE = ("/api/docs",)
_EVENT = re.compile("/events/[^/]+(?=/)")
_PLAYER = re.compile("/players/[^/]+(?=/)")
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
    event_errors.RoundNotStarted: N_("Its tables will stand on the page of the event when it starts."),
    errors.UnknownPool: N_("No pool has this name. The pools are listed on the first page."),
    problems.InvalidBody: N_(
        "This page does not know a filter, order or number in its address. "
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
        "The mistake is ours and has been logged. Try again; if it stays, tell whoever runs this site."
    ),
    problems.CrossSite: N_("The form was sent by a page of another site, so it was not accepted."),
}
"""What somebody can do who meets a problem on a page; the others are met by programs."""


IN_EVENT: dict[type[Exception], str] = {
    errors.BoardNotFound: N_("The boards of an event are listed with its rounds, from the start of each."),
}
"""The same, where somebody meets it on a page of an event."""

WAYS: dict[type[Exception], tuple[str, str]] = {
    errors.BoardNotFound: ("/boards", N_("The boards of this week")),
    errors.ResultNotFound: ("/boards", N_("The boards of this week")),
    errors.NotRevealed: ("/boards", N_("The boards of this week")),
    errors.PlayerNotFound: ("/search", N_("Search for a player")),
    errors.WeekNotFound: ("/weeks", N_("The leaderboard of this week")),
    event_errors.EventNotFound: ("/events", N_("All events")),
}
"""Where he finds what there is."""


def wanted(request: web.Request) -> bool:
    """Whether a page is asked for: nowhere in the API but its document, and only where HTML is accepted.

    Below the name of a language there are only pages: whatever is accepted there, HTML among it, is a page.
    """
    accept = request.headers.get("Accept", "")
    if languages.of_path(request.path) is not None:
        return "text/html" in accept or "json" not in accept
    for_people = request.path in _FOR_PEOPLE or not request.path.startswith(_MACHINES)
    return for_people and "text/html" in accept


def met(request: web.Request, kind: type[Exception], detail: str, headers: Mapping[str, str]) -> web.Response:
    """A problem as the page that somebody gets instead of what he asked for."""
    slug, found = problems.slug(kind), visit(request)
    place = _event(found.path)
    response = found.page(
        "met.html",
        status=problems.STATUS[kind],
        advice=IN_EVENT.get(kind) if place and kind in IN_EVENT else ADVICE.get(kind),
        way=_way(found, kind),
        title=problems.title(kind),
        detail=detail,
        slug=slug,
    )
    response.headers.update(headers)
    return response


def _way(met_by: Visit, kind: type[Exception]) -> tuple[str, str] | None:
    """Where to go on from a problem: path and words; None: nowhere but to the first page."""
    path, event = met_by.path, _event(met_by.path)
    if event is not None and issubclass(kind, errors.NotFound) and kind is not event_errors.EventNotFound:
        return event, N_("To the event")
    if kind is errors.WeekNotFound and (match := _PLAYER.match(path)):
        return match[0], N_("To the player")
    if kind is errors.WeekNotFound and path == "/boards":
        return WAYS[errors.BoardNotFound]
    if kind in (problems.InvalidBody, errors.UnknownPool):
        # A file is at an address without language, where there is no page.
        return (path, N_("To the page itself")) if languages.of_path(met_by.request.path) else None
    return WAYS.get(kind)


def _event(path: str) -> str | None:
    """The first page of the event that a path lies in."""
    match = _EVENT.match(path)
    return None if match is None else match[0]


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
