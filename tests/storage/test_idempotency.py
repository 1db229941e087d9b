"""First answers are kept byte for byte, for as long as they are remembered."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection

from server.storage import idempotency
from server.storage.idempotency import Answer
from tests.clock import NOON
from tests.storage import rows

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)


@settings(max_examples=30)
@given(st.dictionaries(texts, texts, max_size=6))
async def test_answers_come_back_byte_for_byte(database, bodies):
    def verb(connection: Connection):
        client = rows.add_client(connection)
        idempotency.forget(connection, NOON + timedelta(days=1))
        answers = [Answer(client, key, f"of {body}", 201, body) for key, body in bodies.items()]
        idempotency.add(connection, answers, NOON)
        return answers, idempotency.find(connection, [(client, key) for key in bodies])

    answers, found = await database.write(verb)
    assert found == {(answer.client, answer.key): answer for answer in answers}


async def test_each_client_has_keys_of_its_own(database):
    def verb(connection: Connection):
        one, two = rows.add_client(connection, "one"), rows.add_client(connection, "two")
        idempotency.add(connection, [Answer(one, "k", "f", 201, "mine")], NOON)
        before = idempotency.find(connection, [(two, "k"), (one, "K"), (one, "k ")])
        idempotency.add(connection, [Answer(two, "k", "f", 200, "yours")], NOON)
        found = idempotency.find(connection, [(one, "k"), (two, "k"), (two, "k")])
        return before, [found[client, "k"].body for client in (one, two)], idempotency.find(connection, [])

    assert await database.write(verb) == ({}, ["mine", "yours"], {})


async def test_what_was_answered_before_a_moment_is_forgotten(database):
    def verb(connection: Connection):
        client = rows.add_client(connection)
        for i, key in enumerate(("old", "limit", "young")):
            idempotency.add(connection, [Answer(client, key, "f", 201, "")], NOON + timedelta(microseconds=i))
        limit = NOON + timedelta(microseconds=1)
        gone = idempotency.forget(connection, limit), idempotency.forget(connection, limit)
        found = idempotency.find(connection, [(client, key) for key in ("old", "limit", "young")])
        return gone, sorted(key for _, key in found)

    assert await database.write(verb) == ((1, 0), ["limit", "young"])
