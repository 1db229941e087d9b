"""Clients and their tokens."""

from datetime import timedelta

from sqlalchemy import Connection

from server.storage import tokens
from server.storage.tokens import Token
from tests.clock import NOON

DAY = timedelta(days=1)


async def test_a_token_is_found_by_its_digest(database):
    def verb(connection: Connection):
        client = tokens.client_number(connection, "it's Zoë's club", NOON)
        scopes = frozenset(["results:write", "boards:write"])
        number = tokens.add(connection, client, "digest", scopes, "ann", NOON, NOON + DAY)
        expected = Token(number, client, "it's Zoë's club", scopes, "ann", NOON, NOON + DAY, None)
        return expected, tokens.find(connection, "digest"), tokens.find(connection, "Digest")

    expected, found, other = await database.write(verb)
    assert found == expected
    assert other is None


async def test_a_token_may_have_no_end_and_no_player(database):
    def verb(connection: Connection):
        client = tokens.client_number(connection, "club", NOON)
        tokens.add(connection, client, "digest", frozenset(), None, NOON, None)
        return tokens.find(connection, "digest")

    found = await database.write(verb)
    assert (found.scopes, found.player, found.expires_at, found.revoked_at) == (frozenset(), None, None, None)


async def test_a_client_is_made_once(database):
    def verb(connection: Connection):
        names = ("club", "Club", "club", "club ")
        return [tokens.client_number(connection, name, NOON) for name in names]

    first, other, again, blank = await database.write(verb)
    assert first == again
    assert len({first, other, blank}) == 3


async def test_a_token_is_revoked_once_and_is_still_there(database):
    def verb(connection: Connection):
        client = tokens.client_number(connection, "club", NOON)
        one = tokens.add(connection, client, "one", frozenset(["director"]), None, NOON, None)
        two = tokens.add(connection, client, "two", frozenset(["admin"]), None, NOON, None)
        answers = [
            tokens.revoke(connection, number, NOON + DAY * i) for i, number in enumerate((one, one, 999))
        ]
        return one, two, answers, tokens.get_all(connection)

    one, two, answers, (first, second) = await database.write(verb)
    assert answers == [True, False, False]
    assert (first.number, first.revoked_at) == (one, NOON)
    assert (second.number, second.revoked_at) == (two, None)
