"""Every page in one table. Each room of `pages/` makes its own; from here they are served."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web

from server.web import languages, static_files
from server.web.languages import LANGUAGES
from server.web.openapi import encoded
from server.web.pages import (
    boards,
    display,
    docs,
    event_boards,
    event_cards,
    event_entries,
    event_files,
    event_rounds,
    event_sheets,
    event_standings,
    event_vps,
    events,
    home,
    players,
    problems,
    results,
    rules,
    search,
    status,
    weeks,
)
from server.web.pages.follows import COPIES, Copies, asked
from server.web.pages.visits import Visit, visit
from server.web.routes import served

Handler = Callable[[Visit], Awaitable[web.StreamResponse]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page, below the part of the address that names the language."""

    path: str
    handler: Handler


PAGES = (
    Page("/", home.get),
    Page("/boards", boards.get_list),
    Page("/boards/{id}", boards.get),
    Page("/results/{id}", results.get),
    Page("/weeks", weeks.get_current),
    Page("/weeks/{week}", weeks.get),
    Page("/players/{id}", players.get),
    Page("/players/{id}/weeks/{week}", players.get_week),
    Page("/events", events.get_list),
    Page("/events/{id}", event_standings.get),
    Page("/events/{id}/cross-table", event_standings.get_cross_table),
    Page("/events/{id}/rounds/{round}", event_rounds.get),
    Page("/events/{id}/boards/{number}", event_boards.get),
    Page("/events/{id}/entries", event_entries.get),
    Page("/events/{id}/entries/{entry}", event_cards.get),
    Page("/events/{id}/vp", event_vps.get),
    Page("/search", search.get),
    Page("/rules", rules.get),
    Page("/docs", docs.get),
    Page("/problems", problems.get_list),
    Page("/problems/{slug}", problems.get),
    Page("/status", status.get),
)
"""What is at `/en` and `/zh`. Without the language an address leads to the one that the reader likes best."""

FIXED = (
    Page("/api/docs", docs.get),
    Page("/problems", problems.get_list),
    Page("/problems/{slug}", problems.get),
)
"""What the API names without a language: a page at once, in the language that the reader likes best."""

FILES = (
    Page("/boards.csv", boards.get_list_csv),
    Page("/boards/{id}/traveller.csv", boards.get_csv),
    Page("/boards/{id}/traveller.pbn", boards.get_pbn),
    Page("/boards/{id}/traveller.xml", boards.get_usebio),
    Page("/players/{id}/weeks.csv", players.get_weeks_csv),
    Page("/players/{id}/results.csv", players.get_results_csv),
    Page("/players/{id}/weeks/{week}/boards.csv", players.get_week_csv),
    Page("/events.csv", events.get_csv),
    Page("/events/{id}/standings.csv", event_sheets.get_standings),
    Page("/events/{id}/cross-table.csv", event_sheets.get_cross_table),
    Page("/events/{id}/rounds/{round}/tables.csv", event_sheets.get_round),
    Page("/events/{id}/entries.csv", event_sheets.get_entries),
    Page("/events/{id}/entries/{entry}/scorecard.csv", event_sheets.get_card),
    Page("/events/{id}/vp.csv", event_sheets.get_vps),
    Page("/events/{id}/boards/{number}/traveller.csv", event_sheets.get_board),
    Page("/events/{id}/boards/{number}/traveller.pbn", event_files.get_board_pbn),
    Page("/events/{id}/boards/{number}/traveller.xml", event_files.get_board_usebio),
    Page("/events/{id}/event.pbn", event_files.get_pbn),
    Page("/events/{id}/event.xml", event_files.get_usebio),
)
"""Downloads, the same in every language."""


def add_to(app: web.Application) -> None:
    """Serve the pages."""
    app[COPIES] = Copies(time.monotonic)
    fixed = {page.path for page in FIXED}
    for page in PAGES:
        for language in LANGUAGES:
            app.router.add_get(f"/{language.code}{served(page.path)}", _serve(page))
        if page.path not in fixed:
            app.router.add_get(served(page.path), _lead)
    for page in (*FIXED, *FILES):
        app.router.add_get(served(page.path), _serve(page))
    for language in LANGUAGES:
        app.router.add_get(f"/{language.code}", _lead)
        app.router.add_post(f"/{language.code}/display", _serve(Page("/display", display.post)))
    app.router.add_get("/api/openapi.json", _get_document)
    app.router.add_get("/static/{name}", static_files.get)


def _serve(page: Page) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def serve(request: web.Request) -> web.StreamResponse:
        found, seen = visit(request), asked(request)
        if seen is None:
            return await page.handler(found)
        look = f"{found.display.theme} {found.display.suits}"
        return await request.app[COPIES].get(request, look, seen, lambda: page.handler(found))

    return serve


async def _lead(request: web.Request) -> web.Response:
    """To the same page in the language that the reader likes best."""
    found = visit(request)
    headers = {"Location": found.here_in(found.language), "Vary": "Accept-Language"}
    if languages.of_path(request.path) is not None:
        headers.pop("Vary")
    return web.Response(status=302, headers=headers)


async def _get_document(_request: web.Request) -> web.Response:
    """The API document itself."""
    return web.Response(body=encoded(), content_type="application/json")
