"""Every address of the API in one table: it is served from here, and documented from here."""

from server.web.api import (
    assignments,
    audit,
    boards,
    channels,
    disconnects,
    event_adjustments,
    event_direction,
    event_finals,
    event_play,
    event_results,
    events,
    grades,
    operations,
    outages,
    players,
    results,
    rulings,
    weeks,
)
from server.web.routes import Route

ROUTES: tuple[Route, ...] = (
    *results.ROUTES,
    *rulings.ROUTES,
    *disconnects.ROUTES,
    *outages.ROUTES,
    *boards.ROUTES,
    *assignments.ROUTES,
    *players.ROUTES,
    *weeks.ROUTES,
    *events.ROUTES,
    *event_play.ROUTES,
    *event_results.ROUTES,
    *event_direction.ROUTES,
    *event_adjustments.ROUTES,
    *event_finals.ROUTES,
    *grades.ROUTES,
    *channels.ROUTES,
    *audit.ROUTES,
    *operations.ROUTES,
)
