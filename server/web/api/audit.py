"""The audit: who did what and when."""

from aiohttp import web

from server.services import audit
from server.services.secrecy import Reader
from server.services.tokens import Scope
from server.web import queries, schemas_rulings
from server.web.answers import json_answer
from server.web.keys import Call
from server.web.routes import BASE, PAGE, Route


async def get(call: Call) -> web.Response:
    """Rows of the audit, newest first."""
    query, services = call.request.query, call.services
    limit = queries.limit(query.get("limit"))
    before = queries.read_cursor(query.get("cursor"), services.secret) or None
    found = await audit.page(
        services.database, Reader(call.caller), services.secrecy, call.now, before, limit
    )
    rows = [
        schemas_rulings.AuditRow(
            at=row.at, client=row.client, verb=row.verb, subject=row.subject, detail=row.detail
        )
        for row in found.rows
    ]
    cursor = queries.cursor(found.rows[-1].id, services.secret) if found.more else None
    return json_answer(
        schemas_rulings.AuditPage(rows, cursor), headers=queries.next_link(call.request, cursor)
    )


ROUTES = (
    Route(
        "GET",
        f"{BASE}/audit",
        get,
        "Audit",
        schemas_rulings.AuditPage,
        "Read the audit",
        "A row for everything that anybody changed, newest first.",
        scope=Scope.DIRECTOR,
        parameters=PAGE,
        private=True,
    ),
)
