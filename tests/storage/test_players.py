"""Players, and which accounts are one person."""

import asyncio
from datetime import timedelta

from sqlalchemy import Connection, func, select

from server.storage import players
from server.storage.database import open_database
from server.storage.tables import players as table
from tests.clock import NOON
from tests.storage import rows

ODD_IDS = (
    "ann",
    "Ann",
    "ANN",
    "ann ",
    "o'hara",
    'say "hi"',
    "桥牌",
    "e\u0301",
    "\u00e9",
    "%",
    "_",
    "a\\b",
    "0",
    "00",
)


async def test_players_are_made_once_and_keep_their_numbers(database):
    def verb(connection: Connection):
        first = players.add(connection, ["ann", "eve", "ann"], NOON)
        again = players.add(connection, ["eve", "sam"], NOON + timedelta(days=1))
        dates = dict(connection.execute(select(table.c.id, table.c.created_at)).all())
        return first, again, dates

    first, again, dates = await database.write(verb)
    assert first.keys() == {"ann", "eve"}
    assert again.keys() == {"eve", "sam"}
    assert again["eve"] == first["eve"]
    assert dates == {"ann": NOON, "eve": NOON, "sam": NOON + timedelta(days=1)}


async def test_ids_are_told_apart_to_the_letter(database):
    made = await database.write(lambda connection: players.add(connection, ODD_IDS, NOON))
    assert len({player.number for player in made.values()}) == len(ODD_IDS)
    for name in ODD_IDS:
        found = await database.read(lambda connection, name=name: players.find(connection, [name]))
        assert found == {name: made[name]}


async def test_a_new_player_is_a_member_without_name(database):
    made = await database.write(lambda connection: players.add(connection, ["ann"], NOON))
    ann = made["ann"]
    assert (ann.name, ann.alias, ann.hidden, ann.member, ann.person) == (None, None, False, True, ann.number)
    assert ann.shown_name == "ann"


async def test_alias_is_shown_before_name_and_name_before_id(database):
    def verb(connection: Connection):
        (number,) = rows.add_people(connection, "ann")
        shown = []
        for change in (
            {"name": "Ann Lee"},
            {"alias": "The Fox"},
            {"alias": None},
            {"hidden": True, "member": False},
        ):
            players.change(connection, number, **change)
            shown.append(players.by_number(connection, [number])[number])
        return shown

    named, aliased, plain, hidden = await database.write(verb)
    assert [player.shown_name for player in (named, aliased, plain)] == ["Ann Lee", "The Fox", "Ann Lee"]
    assert (plain.hidden, plain.member, hidden.hidden, hidden.member) == (False, True, True, False)


async def test_those_who_do_not_exist_are_left_out(database):
    def query(connection: Connection):
        return (
            players.find(connection, ["nobody"]),
            players.find(connection, []),
            players.by_number(connection, [77]),
            players.by_number(connection, []),
        )

    assert await database.read(query) == ({}, {}, {}, {})


async def test_linked_accounts_are_one_person(database):
    def verb(connection: Connection):
        one, two, three, alone = rows.add_people(connection, "a", "b", "c", "d")
        players.link(connection, [three, one, two])
        known = players.find(connection, "abcd")
        accounts = players.accounts(connection, [one, alone])
        linked = {name: players.linked(connection, player) for name, player in known.items()}
        return (one, two, three, alone), known, accounts, linked

    (one, two, three, alone), known, accounts, linked = await database.write(verb)
    assert [known[name].person for name in "abcd"] == [one, one, one, alone]
    assert accounts == {one: one, two: one, three: one, alone: alone}
    assert linked == {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b"], "d": []}


async def test_a_single_account_is_linked_to_none(database):
    def verb(connection: Connection):
        one, two = rows.add_people(connection, "a", "b")
        players.link(connection, [one, two])
        players.link(connection, [one])
        players.link(connection, [two])
        known = players.find(connection, "ab")
        return (one, two), [known[name].person for name in "ab"], players.linked(connection, known["a"])

    (one, two), persons, linked = await database.write(verb)
    assert persons == [one, two]
    assert linked == []


async def test_two_processes_that_make_the_same_players_make_each_once(database, database_url):
    other = open_database(database_url)
    names = [f"p{i}" for i in range(40)]
    orders = [names, names[::-1], names[20:] + names[:20], names[::2] + names[1::2]]
    found = await asyncio.gather(
        *(
            each.write(lambda connection, ids=order: players.add(connection, ids, NOON))
            for order in orders
            for each in (database, other)
        )
    )
    await other.close()
    assert all(answer == found[0] and answer.keys() == set(names) for answer in found)
    assert (
        await database.read(lambda c: c.execute(select(func.count()).select_from(table)).scalar_one()) == 40
    )


async def test_held_players_wait_for_whoever_holds_them(database, database_url):
    """Each adds a letter to the name that it read: without the lock letters would be lost."""
    other = open_database(database_url)
    await database.write(lambda connection: players.add(connection, ["ann", "eve"], NOON))

    def more(connection: Connection):
        for player in players.lock(connection, ["eve", "ann"]).values():
            players.change(connection, player.number, name=(player.name or "") + "x")

    await asyncio.gather(*(each.write(more) for _ in range(10) for each in (database, other)))
    await other.close()
    found = await database.read(lambda connection: players.find(connection, ["ann", "eve"]))
    assert {player.name for player in found.values()} == {"x" * 20}
