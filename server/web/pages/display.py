"""Choosing how pages look. The choice goes into a cookie of the reader's; nothing of it is kept here."""

from urllib.parse import parse_qsl, urlsplit

from aiohttp import web

from server.web import bodies, display, languages
from server.web.pages.visits import Visit
from server.web.problems import CrossSite

_YEAR = 365 * 24 * 3600
_LIMIT = 4096  # bytes of the form


async def post(visit: Visit) -> web.Response:
    """Keep the choice, and go back to the page on which it was made. Raises CrossSite."""
    require_own_page(visit.request)
    form = dict(parse_qsl((await bodies.read(visit.request, _LIMIT)).decode("ascii", "replace")))
    chosen = display.display(form.get("theme", ""), form.get("suits", ""))
    response = web.Response(status=303, headers={"Location": _own(form.get("back", ""), visit)})
    secure = visit.request.headers.get("X-Forwarded-Proto", visit.request.scheme) == "https"
    response.set_cookie(
        display.COOKIE, str(chosen), max_age=_YEAR, secure=secure, httponly=True, samesite="Lax"
    )
    return response


def require_own_page(request: web.Request) -> None:
    """Refuse a form that a page of another site sends. Raises CrossSite."""
    site = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    if site not in ("same-origin", "none") or (
        origin is not None and urlsplit(origin).netloc != request.host
    ):
        raise CrossSite("Send this form from the page it is on.")


def _own(back: str, visit: Visit) -> str:
    """An address of ours: anything else leads to the first page."""
    plain = back.isascii() and back.isprintable() and "\\" not in back and not urlsplit(back).netloc
    return back if plain and languages.of_path(back) is not None else visit.to("/")
