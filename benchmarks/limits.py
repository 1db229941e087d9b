"""What the databases can do at best: the limits that ingest is measured against."""

import re
import sqlite3
import tempfile
import time
from pathlib import Path

from benchmarks.places import ROOT, Cluster

# What one result writes, without HTTP, JSON, Python or scoring: its board locked and counted, the result,
# four plays, its award, the first answer, the audit and two bulletins.
_ANSWER = "x" * 330

_TABLES = """
CREATE TABLE boards (id bigint PRIMARY KEY, scores text NOT NULL DEFAULT '',
    last_sequence int NOT NULL DEFAULT 0);
CREATE TABLE results (board bigint, sequence int, table_name text, north bigint, east bigint, south bigint,
    west bigint, contract text, declarer text, tricks int, score int, received_at timestamptz,
    PRIMARY KEY (board, sequence));
CREATE UNIQUE INDEX results_table ON results (board, table_name);
CREATE TABLE plays (board bigint, player bigint, sequence int, PRIMARY KEY (board, player));
CREATE INDEX plays_player ON plays (player, board);
CREATE TABLE awards (board bigint, sequence int, ns int, ew int, datum int, results int,
    PRIMARY KEY (board, sequence));
CREATE TABLE idempotency (client bigint, key text, fingerprint text, status int, body text,
    created_at timestamptz, PRIMARY KEY (client, key));
"""
_SQLITE_ONLY = """
CREATE TABLE audit (id INTEGER PRIMARY KEY, at text, verb text, subject text, detail text);
CREATE TABLE bulletins (id INTEGER PRIMARY KEY, channel text, number int, kind text, body text, at text,
    UNIQUE (channel, number));
INSERT INTO boards (id) WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 499)
    SELECT i FROM n;
"""
_POSTGRES_ONLY = f"""
CREATE TABLE audit (id bigserial PRIMARY KEY, at timestamptz, verb text, subject text, detail text);
CREATE TABLE bulletins (id bigserial PRIMARY KEY, channel text, number bigint, kind text, body text,
    at timestamptz, UNIQUE (channel, number));
INSERT INTO boards (id) SELECT generate_series(1, 1000000);
CREATE SEQUENCE arrival;
CREATE FUNCTION report(n bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE b bigint := n % 2000 + (n / 80000) * 2000 + 1; s int; p bigint := n * 4;
BEGIN
    SELECT last_sequence + 1 INTO s FROM boards WHERE id = b FOR UPDATE;
    UPDATE boards SET last_sequence = s, scores = scores || ',420' WHERE id = b;
    INSERT INTO results VALUES (b, s, 't' || n, p, p + 1, p + 2, p + 3, '4S', 'N', 10, 420, now());
    INSERT INTO plays VALUES (b, p, s), (b, p + 1, s), (b, p + 2, s), (b, p + 3, s);
    INSERT INTO awards VALUES (b, s, 100, -100, 420, s);
    INSERT INTO idempotency VALUES (1, 'k' || n, repeat('f', 64), 201, '{_ANSWER}', now());
    INSERT INTO audit (at, verb, subject, detail) VALUES (now(), 'result', 'r' || n, repeat('f', 64));
    INSERT INTO bulletins (channel, number, kind, body, at) VALUES
        ('board:' || b, s, 'result', repeat('x', 150), now()),
        ('week:1', NULL, 'board', repeat('x', 100), now());
END $$;
CREATE FUNCTION report_many(first bigint, many int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE IF NOT EXISTS asked (n bigint, b bigint, s int) ON COMMIT DELETE ROWS;
    INSERT INTO asked SELECT n, n % 2000 + (n / 80000) * 2000 + 1, 0
        FROM generate_series(first, first + many - 1) n;
    UPDATE asked SET s = last_sequence + 1 FROM (
        SELECT id, last_sequence FROM boards WHERE id IN (SELECT b FROM asked) ORDER BY id FOR UPDATE
    ) held WHERE held.id = b;
    UPDATE boards SET last_sequence = s, scores = scores || ',420' FROM asked WHERE id = b;
    INSERT INTO results
        SELECT b, s, 't' || n, n * 4, n * 4 + 1, n * 4 + 2, n * 4 + 3, '4S', 'N', 10, 420, now() FROM asked;
    INSERT INTO plays SELECT b, n * 4 + i, s FROM asked, generate_series(0, 3) i;
    INSERT INTO awards SELECT b, s, 100, -100, 420, s FROM asked;
    INSERT INTO idempotency SELECT 1, 'k' || n, repeat('f', 64), 201, '{_ANSWER}', now() FROM asked;
    INSERT INTO audit (at, verb, subject, detail)
        SELECT now(), 'result', 'r' || n, repeat('f', 64) FROM asked;
    INSERT INTO bulletins (channel, number, kind, body, at)
        SELECT 'board:' || b, s, 'result', repeat('x', 150), now() FROM asked
        UNION ALL SELECT 'week:1', NULL, 'board', repeat('x', 100), now() FROM asked;
END $$;
"""
_SCRIPTS = {
    1: "SELECT report(nextval('arrival'));\n",
    64: "SELECT report_many(nextval('arrival') * 64, 64);\n",
}
_TPS = re.compile(r"^tps = ([0-9.]+)", re.MULTILINE)


def pgbench(cluster: Cluster, batch: int, seconds: int) -> float:
    """Results per second that PostgreSQL keeps when a function takes ``batch`` (1 or 64) a transaction."""
    with cluster.database() as settings, tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        name = settings["name"]
        cluster.psql(name, "DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + _TABLES + _POSTGRES_ONLY)
        script.write(_SCRIPTS[batch])
        script.flush()
        told = cluster.pgbench(
            name, "-n", "-M", "prepared", "-c", "64", "-j", "2", "-T", str(seconds), "-f", script.name
        )
    match = _TPS.search(told)
    if match is None:
        raise RuntimeError(f"pgbench printed no rate: {told}")
    return batch * float(match[1])


def raw_sqlite(count: int, batch: int) -> float:
    """Results per second of the bare driver, synchronous=FULL, ``batch`` of them in a transaction."""
    with tempfile.TemporaryDirectory(prefix="crossruff-bench-", dir=ROOT) as folder:
        connection = sqlite3.connect(Path(folder) / "raw.sqlite3", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.executescript(_TABLES + _SQLITE_ONLY)
        started = time.perf_counter()
        for first in range(0, count, batch):
            connection.execute("BEGIN IMMEDIATE")
            for n in range(first, first + batch):
                _raw_result(connection, n)
            connection.execute("COMMIT")
        seconds = time.perf_counter() - started
        connection.close()
    return count / seconds


def _raw_result(connection: sqlite3.Connection, n: int) -> None:
    board, sequence = n % 500, n // 500 + 1
    connection.execute("SELECT scores, last_sequence FROM boards WHERE id = ?", (board,)).fetchone()
    connection.execute(
        "UPDATE boards SET last_sequence = ?, scores = scores || ',420' WHERE id = ?", (sequence, board)
    )
    connection.execute(
        "INSERT INTO results VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
        (board, sequence, f"t{n}", 4 * n, 4 * n + 1, 4 * n + 2, 4 * n + 3, "4S", "N", 10, 420, "2026"),
    )
    connection.executemany(
        "INSERT INTO plays VALUES (?,?,?)", [(board, 4 * n + i, sequence) for i in range(4)]
    )
    connection.execute("INSERT INTO awards VALUES (?,?,100,-100,420,?)", (board, sequence, sequence))
    connection.execute("INSERT INTO idempotency VALUES (1,?,?,201,?,'2026')", (f"k{n}", "f" * 64, _ANSWER))
    connection.execute("INSERT INTO audit VALUES (NULL,'2026','result',?,?)", (f"r{n}", "f" * 64))
    connection.executemany(
        "INSERT INTO bulletins VALUES (NULL,?,?,?,?,'2026')",
        [(f"board:{board}", sequence, "result", "x" * 150), ("week:1", None, "board", "x" * 100)],
    )
