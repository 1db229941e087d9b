"""Every address of the API in one table: it is served from here, and documented from here."""

from server.web.api import assignments, boards, channels, operations, players, results, weeks
from server.web.routes import Route

ROUTES: tuple[Route, ...] = (
    *results.ROUTES,
    *boards.ROUTES,
    *assignments.ROUTES,
    *players.ROUTES,
    *weeks.ROUTES,
    *channels.ROUTES,
    *operations.ROUTES,
)
