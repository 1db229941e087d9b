"""One request for a page: who reads it, in which language, and how the page is made for him."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from aiohttp import web

from server.clock import speed_of
from server.services.secrecy import Reader
from server.services.tokens import NOBODY
from server.web import display, languages
from server.web.display import Display
from server.web.keys import SERVICES, Services
from server.web.languages import N_, Language
from server.web.moments import clock_parts, written
from server.web.pages.follows import FOLLOWS, Follows
from server.web.templating import environment

PUBLIC = Reader(NOBODY)
"""Pages show what everybody may see."""

NAVIGATION = (
    ("/", N_("Home")),
    ("/weeks", N_("Leaderboard")),
    ("/boards", N_("Boards")),
    ("/events", N_("Events")),
    ("/rules", N_("Rules")),
)
"""What stands at the head of every page; one row of it on a telephone."""

FOOTER = (
    ("/docs", N_("API")),
    ("/problems", N_("Problem types")),
    ("/status", N_("System status")),
)
"""What stands at the foot of every page."""

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "private, no-cache",
}
_PACKED_FROM = 1024  # bytes from which a page is worth compressing


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page."""

    request: web.Request
    services: Services
    language: Language
    now: datetime
    path: str  # of the page, without the language, as it stands in the address

    @property
    def display(self) -> Display:
        """How the reader wants the page to look."""
        return display.read_display(self.request.cookies.get(display.COOKIE, ""))

    def to(self, path: str) -> str:
        """The address of another page in the same language."""
        return f"/{self.language.code}{path}"

    def here_in(self, language: Language) -> str:
        """The address of this page in a language."""
        query = self.request.rel_url.raw_query_string
        return f"/{language.code}{self.path}{'?' + query if query else ''}"

    def inside(self, path: str) -> bool:
        """Whether this page is the one at ``path``, or below it."""
        return self.path == path or (path != "/" and self.path.startswith(f"{path}/"))

    def written(self, moment: datetime) -> str:
        """An instant in the zone of the weeks."""
        return written(moment, self.services.zone, self.language)

    def left(self, moment: datetime) -> tuple[int, int, int, int]:
        """Days, hours, minutes and seconds until an instant; zeros once it is over."""
        return clock_parts(moment - self.now)

    @property
    def speed(self) -> str:
        """Seconds of the server's clock in one of the reader's."""
        return f"{speed_of(self.services.clock):g}"

    def page(
        self, template: str, status: int = 200, follows: Follows | None = None, **values: Any
    ) -> web.Response:
        """The page that a template makes of these values; left open it follows what is told there."""
        made = environment(self.language).get_template(template)
        fixed = {"visit": self, "navigation": NAVIGATION, "footer": FOOTER, "zone": self.services.zone.key}
        context = values | fixed | {"follows": follows}
        text = made.render(context)
        response = web.Response(text=text, status=status, content_type="text/html", charset="utf-8")
        if follows is not None:
            response[FOLLOWS] = follows
        response.headers.update(_HEADERS)
        response.headers["Content-Language"] = self.language.tag
        prefixed = languages.of_path(self.request.path) is not None
        response.headers["Vary"] = f"{'' if prefixed else 'Accept-Language, '}Cookie, Accept-Encoding"
        if len(text) >= _PACKED_FROM:
            response.enable_compression()
        return response

    async def large_page(self, template: str, **values: Any) -> web.Response:
        """As ``page``, made in a thread: one that has hundreds of rows keeps nobody waiting meanwhile."""
        return await asyncio.to_thread(partial(self.page, template, **values))


def visit(request: web.Request) -> Visit:
    """The visit that a request is: in the language of its address, else in the one its reader likes best."""
    services = request.app[SERVICES]
    named = languages.of_path(request.path)
    language = named or languages.wanted(request.headers.get("Accept-Language", ""))
    path = request.rel_url.raw_path
    if named is not None:
        path = path.removeprefix(f"/{named.code}") or "/"
    return Visit(request, services, language, services.clock.now(), path)
