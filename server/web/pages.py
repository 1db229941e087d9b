"""Pages for people. Server-rendered; they ask no other host for anything."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aiohttp import web
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from server.bridge.pool import DEFAULT_POOL
from server.services import weeks
from server.web import openapi, problems
from server.web.keys import SERVICES

STATIC = Path(__file__).parent / "static"
_DOCS = "/api/docs"
_MACHINES = ("/api/", "/metrics", "/healthz", "/readyz")
_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

_KINDS = {".css": "text/css", ".svg": "image/svg+xml", ".js": "text/javascript"}
_FILES = {path.name: (_KINDS[path.suffix], path.read_bytes()) for path in STATIC.iterdir()}

_templates = Environment(
    loader=PackageLoader("server.web", "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _marked(text: str) -> Markup:
    """Text with `names` in code type; names of problems lead to their pages."""
    known = problems.by_slug()

    def code(match: re.Match[str]) -> str:
        name = match[1]
        return (
            f'<a href="/problems/{name}"><code>{name}</code></a>' if name in known else f"<code>{name}</code>"
        )

    return Markup(re.sub("`([^`]*)`", code, str(escape(text))))


def _schema_names(value: object) -> list[str]:
    """Names of the schemas that a body, an answer or a member refers to, in order."""
    return list(dict.fromkeys(re.findall(r"#/components/schemas/(\w+)", str(value))))


_templates.filters["marked"] = _marked
_templates.filters["schema_names"] = _schema_names


def wanted(request: web.Request) -> bool:
    """Whether a person asks for a page: nowhere else in the API, and only where HTML is accepted."""
    for_people = request.path == _DOCS or not request.path.startswith(_MACHINES)
    return for_people and "text/html" in request.headers.get("Accept", "")


def problem(
    request: web.Request, kind: type[Exception], detail: str, headers: Mapping[str, str]
) -> web.Response:
    """A problem as a page."""
    status = problems.STATUS[kind]
    response = _page("problem.html", title=problems.title(kind), status=status, detail=detail, slug=None)
    response.set_status(status)
    response.headers.update(headers)
    return response


async def get_home(request: web.Request) -> web.Response:
    """The first page: the week, and where to go on."""
    services = request.app[SERVICES]
    week = await weeks.current(services.database, DEFAULT_POOL, services.clock.now(), services.zone)
    terms = next(iter(services.pools.values())).terms
    return _page("home.html", title="Crossruff", week=week, zone=services.zone.key, terms=terms)


async def get_docs(_request: web.Request) -> web.Response:
    """The API document, readable."""
    return _page("docs.html", title="The API", api=openapi.document())


async def get_document(_request: web.Request) -> web.Response:
    """The API document itself."""
    return web.Response(body=openapi.encoded(), content_type="application/json")


async def get_problems(_request: web.Request) -> web.Response:
    """Every problem that the API names."""
    rows = [(slug, problems.STATUS[kind], problems.title(kind)) for slug, kind in problems.by_slug().items()]
    return _page("problems.html", title="Problems", rows=rows)


async def get_problem(request: web.Request) -> web.Response:
    """What one problem means."""
    slug = request.match_info["slug"]
    kind = problems.by_slug().get(slug)
    if kind is None:
        raise problems.PathNotFound(f"No problem is called {slug!r}.")
    status = problems.STATUS[kind]
    return _page("problem.html", title=problems.title(kind), status=status, detail=None, slug=slug)


async def get_static(request: web.Request) -> web.Response:
    """A file of ours: style, icon."""
    name = request.match_info["name"]
    if name not in _FILES:
        raise problems.PathNotFound(f"Nothing is at {request.path!r}.")
    kind, content = _FILES[name]
    response = web.Response(body=content, content_type=kind)
    response.headers["Cache-Control"] = "public, max-age=3600"
    return response


def add_to(app: web.Application) -> None:
    """Serve the pages."""
    app.router.add_get("/", get_home)
    app.router.add_get(_DOCS, get_docs)
    app.router.add_get("/api/openapi.json", get_document)
    app.router.add_get("/problems", get_problems)
    app.router.add_get("/problems/{slug}", get_problem)
    app.router.add_get("/static/{name}", get_static)


def _page(template: str, **values: Any) -> web.Response:
    response = web.Response(
        text=_templates.get_template(template).render(values), content_type="text/html", charset="utf-8"
    )
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["Referrer-Policy"] = "same-origin"
    return response
