"""nginx before two servers as `config/nginx.conf` says: the example itself, with other addresses, no TLS."""

import asyncio
import re
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.long.program import Skipped
from tests.long.servers import ROOT, Server, free_port
from tests.long.wire import Connection

EXAMPLE = ROOT / "config" / "nginx.conf"
STARTS = 10.0  # seconds


def program() -> str:
    """Path of nginx. Raises Skipped."""
    found = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin:/sbin:/bin")
    if found is None:
        raise Skipped("nginx is not installed (Debian's package nginx-light)")
    return found


@asynccontextmanager
async def before(first: Server, second: Server) -> AsyncIterator[str]:
    """nginx before two servers, until the block ends; its address. Raises Skipped."""
    found, port = program(), free_port()
    ports = tuple(int(server.url.rsplit(":", 1)[1]) for server in (first, second))
    with tempfile.TemporaryDirectory(prefix="crossruff-nginx-") as name:
        process = await asyncio.to_thread(_launch, found, Path(name), port, ports)
        try:
            await _answers(f"http://127.0.0.1:{port}", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait)


def configuration(folder: Path, port: int, ports: tuple[int, ...]) -> str:
    """The example with these ports and without TLS, within what nginx needs around it."""
    text = EXAMPLE.read_text(encoding="utf-8")
    for pattern, instead in (
        (r"listen 443 ssl http2;", f"listen 127.0.0.1:{port};"),
        (r"ssl_certificate(_key)?\s+[^;]*;", ""),
        (r"127\.0\.0\.1:8081", f"127.0.0.1:{ports[0]}"),
        (r"127\.0\.0\.1:8082", f"127.0.0.1:{ports[1]}"),
    ):
        text, found = re.subn(pattern, instead, text)
        assert found, f"the example has no {pattern}"
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    paths = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    return (
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; worker_processes 1;\n"
        f"events {{ worker_connections 4096; }}\nhttp {{ access_log off; {paths}\n{text}\n}}\n"
    )


def _launch(program: str, folder: Path, port: int, ports: tuple[int, ...]) -> "subprocess.Popen[bytes]":
    folder.chmod(0o755)  # its workers are of another user
    file = folder / "nginx.conf"
    file.write_text(configuration(folder, port, ports), encoding="utf-8")
    command = [program, "-e", f"{folder}/error.log", "-c", str(file)]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True)


async def _answers(url: str, process: "subprocess.Popen[bytes]") -> None:
    async with asyncio.timeout(STARTS):
        while True:
            try:
                async with Connection(url) as connection:
                    await connection.get("/healthz")
                    return
            except ConnectionError:
                assert process.poll() is None, "nginx has ended"
                await asyncio.sleep(0.02)
