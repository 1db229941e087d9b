"""Finding players by the beginnings of ids and of words of their names, and events by words of theirs."""

from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select

from server.storage import sets
from server.storage.event_tables import events
from server.storage.search_tables import name_words
from server.storage.tables import players

_LAST = "\U0010ffff"  # after every other character


def keep(connection: Connection, player: int, words: Iterable[str]) -> None:
    """Let a player be found by these words, and by no others."""
    connection.execute(delete(name_words).where(name_words.c.player == player))
    rows = [{"word": word, "player": player} for word in sorted(set(words))]
    sets.insert(connection, name_words, rows)


def words_of(connection: Connection, after: int, limit: int) -> list[tuple[int, str | None, set[str]]]:
    """Some players behind number ``after``: number, shown name and the words by which they are found."""
    shown = func.coalesce(players.c.alias, players.c.name)
    statement = select(players.c.number, shown).where(players.c.number > after)
    found = connection.execute(statement.order_by(players.c.number).limit(limit)).all()
    numbers = [number for number, _ in found]
    kept: dict[int, set[str]] = {number: set() for number in numbers}
    if numbers:
        between = name_words.c.player.between(numbers[0], numbers[-1])
        for word, player in connection.execute(select(name_words.c.word, name_words.c.player).where(between)):
            kept[player].add(word)
    return [(number, name, kept[number]) for number, name in found]


def by_id(connection: Connection, beginning: str, limit: int) -> list[int]:
    """Players whose ids begin so, in order of id."""
    statement = select(players.c.number).where(_begins(players.c.id, beginning), ~players.c.hidden)
    return list(connection.execute(statement.order_by(players.c.id).limit(limit)).scalars())


def by_words(connection: Connection, words: Sequence[str], limit: int) -> list[int]:
    """Players with words that begin like each of these, in order of the first of them."""
    first, *others = (name_words.alias() for _ in words)
    statement = select(first.c.player).join(players, players.c.number == first.c.player)
    statement = statement.where(_begins(first.c.word, words[0]), ~players.c.hidden)
    for other, word in zip(others, words[1:], strict=True):
        has = select(other.c.word).where(other.c.player == first.c.player, _begins(other.c.word, word))
        statement = statement.where(has.exists())
    # Somebody may have several words that begin so.
    several = statement.order_by(first.c.word, first.c.player).limit(4 * limit)
    return list(dict.fromkeys(connection.execute(several).scalars()))[:limit]


def events_named(connection: Connection, words: Iterable[str], limit: int) -> list[int]:
    """Events with all of these in their names, the newest first."""
    statement = select(events.c.id).where(*(_contains(events.c.name, word) for word in words))
    return list(connection.execute(statement.order_by(events.c.id.desc()).limit(limit)).scalars())


def _begins(column: ColumnElement[str], beginning: str) -> ColumnElement[bool]:
    return and_(column >= beginning, column < beginning + _LAST)


def _contains(column: ColumnElement[str], word: str) -> ColumnElement[bool]:
    return func.lower(column).contains(word.lower(), autoescape=True)
