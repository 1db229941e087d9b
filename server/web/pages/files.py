"""Files to be kept, beside the pages that show the same."""

from aiohttp import web

CSV, PBN, USEBIO = "text/csv", "application/x-pbn", "application/xml"


def file(named: str, content: bytes, media: str) -> web.Response:
    """A file; ``named``: in letters, digits, dashes and a dot."""
    response = web.Response(body=content, content_type=media, charset="utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{named}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
