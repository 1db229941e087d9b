"""Problems: what each one means, and the page on which somebody meets one."""

from collections.abc import Mapping

from aiohttp import web

from server.web import problems
from server.web.languages import N_
from server.web.pages.visits import Visit, visit

_FOR_PEOPLE = ("/api/docs",)
_MACHINES = ("/api/", "/metrics", "/healthz", "/readyz")

ADVICE = {
    "not-found": N_("Perhaps the address was mistyped, or what was here is no longer shown."),
    "board-not-found": N_("No board has this id. The boards of a week are listed under Boards."),
    "not-revealed": N_(
        "Everything about it is shown when it is retired, or a while after its week has closed."
    ),
    "method-not-allowed": N_("This address is only for reading."),
    "busy": N_("The server has too much to do just now. Try again in a moment."),
    "internal-error": N_(
        "The mistake is ours and was noted. Try again; if it stays, tell whoever runs this site."
    ),
    "cross-site": N_("The form was sent by a page of another site, so it was not taken."),
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
        advice=ADVICE.get(slug),
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
        "problem.html", title=problems.title(kind), code=status, slug=slug, advice=ADVICE.get(slug)
    )
