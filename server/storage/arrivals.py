"""What arriving results meet in the database: everything asked at once, told as one JSON text.

Every result asks this, so it is one statement for any number of them. What is asked for travels as JSON to
SQLite and as an array for each column to PostgreSQL. There each row is looked up by a subquery of its own:
for a join PostgreSQL may read a whole table while it knows little of it.
"""

from collections.abc import Iterable, Sequence

import msgspec
from sqlalchemy import Connection


class Person(msgspec.Struct, frozen=True, array_like=True):
    """A player, as far as it matters whether he may play a board."""

    id: str  # the platform's own
    number: int
    person: int  # the smallest number among his linked accounts
    member: bool


class Met(msgspec.Struct, frozen=True, array_like=True):
    """What is there already of what was asked for."""

    players: list[Person]
    reported: list[tuple[int, str]]  # board, table
    played: list[tuple[int, str, int]]  # board, player's id, sequence of his result or of a linked account's
    keys: list[tuple[int, str]]  # client, key
    assigned: list[tuple[int, str]]  # board, table: of an assignment that is open


_decode = msgspec.json.Decoder(Met).decode
_encode = msgspec.json.Encoder().encode

_POSTGRES = """
WITH people AS MATERIALIZED (
  SELECT p.id, p.number, p.person, p.member FROM unnest($1::text[]) AS a(id)
  CROSS JOIN LATERAL (SELECT * FROM players WHERE players.id = a.id LIMIT 1) AS p)
SELECT json_build_array(
  (SELECT coalesce(json_agg(json_build_array(id, number, coalesce(person, number), member)), '[]')
    FROM people),
  (SELECT coalesce(json_agg(json_build_array(a.board, a.name)), '[]')
    FROM unnest($2::bigint[], $3::text[]) AS a(board, name)
    WHERE (SELECT r.live FROM results AS r WHERE r.board = a.board AND r.table_name = a.name AND r.live)),
  (SELECT coalesce(json_agg(json_build_array(a.board, a.id, a.sequence)), '[]')
    FROM (SELECT a.board, a.id, CASE WHEN p.person IS NULL
        THEN (SELECT y.sequence FROM plays AS y WHERE y.board = a.board AND y.player = p.number)
        ELSE (SELECT y.sequence FROM players AS q JOIN plays AS y ON y.board = a.board AND y.player = q.number
          WHERE q.person = p.person LIMIT 1) END AS sequence
      FROM unnest($4::bigint[], $5::text[]) AS a(board, id) JOIN people AS p ON p.id = a.id) AS a
    WHERE a.sequence IS NOT NULL),
  (SELECT coalesce(json_agg(json_build_array(a.client, a.key)), '[]')
    FROM unnest($6::bigint[], $7::text[]) AS a(client, key)
    WHERE (SELECT i.status FROM idempotency AS i WHERE i.client = a.client AND i.key = a.key) IS NOT NULL),
  (SELECT coalesce(json_agg(json_build_array(a.board, a.name)), '[]')
    FROM unnest($2::bigint[], $3::text[]) AS a(board, name)
    WHERE (SELECT s.id FROM assignments AS s WHERE s.board = a.board AND s.table_name = a.name
      AND s.ended_at IS NULL LIMIT 1) IS NOT NULL))::text
"""

_SQLITE = """
WITH people AS MATERIALIZED (
  SELECT p.id, p.number, p.person, p.member
  FROM json_each(?1) AS a CROSS JOIN players AS p ON p.id = a.value)
SELECT json_array(
  (SELECT json_group_array(json_array(id, number, coalesce(person, number),
    json(iif(member, 'true', 'false')))) FROM people),
  (SELECT json_group_array(json(a.value)) FROM json_each(?2) AS a
    WHERE (SELECT 1 FROM results AS r
      WHERE r.board = a.value->>0 AND r.table_name = a.value->>1 AND r.live)),
  (SELECT json_group_array(json_array(a.board, a.id, a.sequence))
    FROM (SELECT a.value->>0 AS board, p.id, iif(p.person IS NULL,
        (SELECT y.sequence FROM plays AS y WHERE y.board = a.value->>0 AND y.player = p.number),
        (SELECT y.sequence FROM players AS q CROSS JOIN plays AS y
          ON y.board = a.value->>0 AND y.player = q.number WHERE q.person = p.person LIMIT 1)) AS sequence
      FROM json_each(?3) AS a CROSS JOIN people AS p ON p.id = a.value->>1) AS a
    WHERE a.sequence IS NOT NULL),
  (SELECT json_group_array(json(a.value)) FROM json_each(?4) AS a
    WHERE (SELECT 1 FROM idempotency AS i WHERE i.client = a.value->>0 AND i.key = a.value->>1)),
  (SELECT json_group_array(json(a.value)) FROM json_each(?2) AS a
    WHERE (SELECT 1 FROM assignments AS s WHERE s.board = a.value->>0 AND s.table_name = a.value->>1
      AND s.ended_at IS NULL)))
"""


def meet(
    connection: Connection,
    tables: Iterable[tuple[int, str]],
    seen: Iterable[tuple[int, str]],
    keys: Iterable[tuple[int, str]],
) -> Met:
    """What is there of these: tables (board, name), who saw a board (board, player), keys (client, key)."""
    watched = sorted(set(seen))
    people = sorted({player for _, player in watched})
    asked = (sorted(set(tables)), watched, sorted(set(keys)))
    if connection.dialect.name == "postgresql":
        columns = [column for rows in asked for column in _columns(rows)]
        found = connection.exec_driver_sql(_POSTGRES, (people, *columns))
    else:
        found = connection.exec_driver_sql(
            _SQLITE, tuple(_encode(each).decode() for each in (people, *asked))
        )
    return _decode(found.scalar_one())


def _columns(rows: Sequence[tuple[int, str]]) -> tuple[list[int], list[str]]:
    return [number for number, _ in rows], [name for _, name in rows]
