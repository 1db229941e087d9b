"""Column types that mean the same on both databases."""

from datetime import UTC, datetime

import msgspec
from sqlalchemy import BigInteger, BindParameter, DateTime, Dialect, Integer, Text, bindparam
from sqlalchemy.types import TypeDecorator

_numbers = msgspec.json.Decoder(tuple[int, ...]).decode  # the quickest way to read and write a few numbers
_encode = msgspec.json.Encoder().encode

Number = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit number. SQLite numbers rows by itself only when the column is called INTEGER."""

Sorted = Text().with_variant(Text(collation="C"), "postgresql")
"""Text in the order of its characters' numbers, so that an index finds beginnings; as SQLite always does."""


class Instant(TypeDecorator[datetime]):
    """A moment. Stored in UTC; what comes back knows that it is UTC, also from SQLite."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuses a datetime without zone."""
        return None if value is None else in_utc(value)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware, in UTC."""
        return None if value is None else value.replace(tzinfo=value.tzinfo or UTC).astimezone(UTC)


class Scores(TypeDecorator[tuple[int, ...]]):
    """A few whole numbers in order, kept in one column as ``420,-50,0``."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: tuple[int, ...] | None, dialect: Dialect) -> str | None:
        """As text."""
        return None if value is None else scores_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> tuple[int, ...] | None:
        """As numbers."""
        return None if value is None else _numbers(f"[{value}]")


def in_utc(value: datetime) -> datetime:
    """A moment as it is stored; refuses a datetime without zone."""
    if value.tzinfo is None:
        raise ValueError(f"a moment needs its zone: {value}")
    return value.astimezone(UTC)


def scores_text(scores: tuple[int, ...]) -> str:
    """Scores as their column holds them, for statements that pass by the column's type."""
    return _encode(scores)[1:-1].decode()


def moment(now: datetime) -> BindParameter[datetime]:
    """The parameter ``:now`` of a textual statement."""
    return bindparam("now", now, Instant())
