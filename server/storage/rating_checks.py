"""Queries that only `crossruff verify` asks of ratings: what does not fit together."""

from collections.abc import Iterator

from sqlalchemy import Connection, text

_NEWEST = """
SELECT k.week, k.pool, coalesce(w.snapshot, 0), coalesce(w.revision, 0),
    coalesce(s.id, 0), coalesce(s.revision, 0)
FROM (SELECT week, pool FROM weeks UNION SELECT week, pool FROM snapshots WHERE revision IS NOT NULL) AS k
LEFT JOIN weeks AS w ON w.week = k.week AND w.pool = k.pool
LEFT JOIN snapshots AS s ON s.week = k.week AND s.pool = k.pool AND s.revision =
    (SELECT max(t.revision) FROM snapshots AS t WHERE t.week = k.week AND t.pool = k.pool)
ORDER BY k.week, k.pool
"""
_ROWS = """
SELECT s.id, s.week, s.pool, s.revision, s.players, coalesce(r.found, 0) FROM snapshots AS s
LEFT JOIN (SELECT snapshot, count(*) AS found FROM ratings GROUP BY snapshot) AS r ON r.snapshot = s.id
WHERE s.revision IS NOT NULL AND s.players <> coalesce(r.found, 0) ORDER BY s.id
"""
_STRAYS = """
SELECT snapshot, count(*) FROM ratings
WHERE NOT EXISTS (SELECT 1 FROM snapshots WHERE id = snapshot) GROUP BY snapshot ORDER BY snapshot
"""


def misplaced(connection: Connection) -> Iterator[tuple[str, str, str, str]]:
    """Where something is that is stored otherwise than it must be: where, what, stored, as it must be."""
    for week, pool, snapshot, revision, newest, newest_revision in connection.execute(text(_NEWEST)):
        if (snapshot, revision) != (newest, newest_revision):
            yield (
                f"{week} {pool}",
                "current revision",
                f"{revision} ({snapshot})",
                f"{newest_revision} ({newest})",
            )
    for _, week, pool, revision, players, rows in connection.execute(text(_ROWS)):
        yield f"{week} {pool} revision {revision}", "number of rows", str(rows), str(players)
    for snapshot, rows in connection.execute(text(_STRAYS)):
        yield f"snapshot {snapshot}", "number of rows", str(rows), "0"
