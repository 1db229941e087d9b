"""Style, script and icon, held in memory; each address carries a part of the file's digest."""

import gzip
import hashlib
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from server.web.problems import PathNotFound

FOLDER = Path(__file__).parent / "static"
_KINDS = {".css": "text/css", ".svg": "image/svg+xml", ".js": "text/javascript"}
_FOR_GOOD = "public, max-age=31536000, immutable"
_FOR_AN_HOUR = "public, max-age=3600"


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it is sent."""

    kind: str
    content: bytes
    packed: bytes
    digest: str


def _read(path: Path) -> _File:
    content = path.read_bytes()
    packed = gzip.compress(content, 9, mtime=0)
    return _File(_KINDS[path.suffix], content, packed, hashlib.sha256(content).hexdigest()[:12])


_FILES = {path.name: _read(path) for path in sorted(FOLDER.iterdir())}


def address(name: str) -> str:
    """Where a file is; another content has another address."""
    return f"/static/{name}?v={_FILES[name].digest}"


async def get(request: web.Request) -> web.Response:
    """A file of ours. Raises PathNotFound."""
    file = _FILES.get(request.match_info["name"])
    if file is None:
        raise PathNotFound(f"Nothing is at {request.path!r}.")
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    response = web.Response(body=file.packed if packed else file.content, content_type=file.kind)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    known = request.query.get("v") == file.digest
    response.headers["Cache-Control"] = _FOR_GOOD if known else _FOR_AN_HOUR
    response.headers["Vary"] = "Accept-Encoding"
    return response
