"""What arriving results meet: one look-up of everything, held against looking row by row."""

import random

import pytest
from sqlalchemy import Connection, update

from server.storage import arrivals, assignments, idempotency, players
from server.storage.arrivals import Person
from server.storage.idempotency import Answer
from server.storage.tables import plays as plays_table
from server.storage.tables import results as results_table
from tests.clock import NOON
from tests.storage import rows

ODD = ("it's", 'a "quoted" one', "[1,2]", "王 🂡", "{}", "null", "1", "\\u0041", "A", "a", "%", "{a,b}")


async def test_nothing_is_there_of_what_was_never_seen(database):
    def verb(connection: Connection):
        board = rows.add_board(connection).id
        nothing = arrivals.meet(connection, [], [], [])
        return nothing, arrivals.meet(
            connection, [(board, "T"), (0, "T")], [(board, "ann"), (0, "eve")], [(1, "k")]
        )

    for met in await database.write(verb):
        assert met == arrivals.Met([], [], [], [], [])


async def test_a_table_has_reported_while_its_result_is_live(database):
    def verb(connection: Connection):
        one, two = (each.id for each in rows.add_boards(connection, 1, 2))
        first = rows.add_result(connection, one, 1, table="it's T-1")
        asked = [(one, first.table), (two, first.table), (one, "T-other"), (one, first.table)]
        before = arrivals.meet(connection, asked, [], []).reported
        connection.execute(update(results_table).values(live=False))
        return (one, first.table), before, arrivals.meet(connection, asked, [], []).reported

    table, before, after = await database.write(verb)
    assert before == [table]
    assert after == []


async def test_an_assignment_is_met_until_it_has_ended(database):
    def verb(connection: Connection):
        board, client = rows.add_board(connection).id, rows.add_client(connection)
        assignments.add(connection, board, "T", client, NOON, NOON)
        asked = [(board, "T"), (board, "U")]
        before = arrivals.meet(connection, asked, [], []).assigned
        assignments.end(connection, before, NOON)
        return board, before, arrivals.meet(connection, asked, [], []).assigned

    board, before, after = await database.write(verb)
    assert before == [(board, "T")]
    assert after == []


async def test_whoever_is_linked_to_one_who_played_has_played(database):
    def verb(connection: Connection):
        ann, eve, sam, wes = rows.add_people(connection, "ann", "eve", "sam", "wes")
        players.link(connection, (eve, wes))
        board = rows.add_board(connection).id
        rows.add_result(connection, board, 7, players=(ann, wes, *rows.add_people(connection, "x", "y")))
        seen = [(board, name) for name in ("ann", "eve", "sam", "wes", "new")]
        return (ann, eve, sam, wes), board, arrivals.meet(connection, [], seen, [])

    (ann, eve, sam, wes), board, met = await database.write(verb)
    people = {person.id: person for person in met.players}
    assert people == {
        "ann": Person("ann", ann, ann, True),
        "eve": Person("eve", eve, eve, True),
        "sam": Person("sam", sam, sam, True),
        "wes": Person("wes", wes, eve, True),
    }
    assert sorted(met.played) == [(board, "ann", 7), (board, "eve", 7), (board, "wes", 7)]


async def test_odd_names_are_met_as_they_are(database):
    def verb(connection: Connection):
        client, board = rows.add_client(connection), rows.add_board(connection).id
        rows.add_people(connection, *ODD)
        for sequence, name in enumerate(ODD, 1):
            rows.add_result(connection, board, sequence, table=name)
        idempotency.add(connection, [Answer(client, name, "f", 201, "{}") for name in ODD], NOON)
        asked = [(board, name) for name in (*ODD, "another")]
        keys = [(client, name) for name in (*ODD, "another")]
        return arrivals.meet(connection, asked, asked, keys)

    met = await database.write(verb)
    assert {person.id for person in met.players} == set(ODD)
    assert {name for _, name in met.reported} == set(ODD)
    assert {name for _, name in met.keys} == set(ODD)


@pytest.mark.parametrize("seed", range(5))
async def test_everything_is_what_looking_row_by_row_finds(database, seed):
    rng = random.Random(seed)
    names = [f"p{i}" for i in range(40)]

    def verb(connection: Connection):
        client = rows.add_client(connection)
        numbers = dict(zip(names[:30], rows.add_people(connection, *names[:30]), strict=True))
        for _ in range(5):
            players.link(connection, rng.sample(sorted(numbers.values()), 3))
        made = [board.id for board in rows.add_boards(connection, *range(1, 9))]
        for board in made:
            seated = rng.sample(sorted(numbers.values()), 8)
            for sequence in (1, 2):
                four = tuple(seated[4 * sequence - 4 : 4 * sequence])
                rows.add_result(connection, board, sequence, table=f"T{sequence}", players=four)
        keys = [(client, f"k{i}") for i in range(20)]
        idempotency.add(connection, [Answer(*key, "f", 201, "{}") for key in rng.sample(keys, 8)], NOON)
        seen = [(rng.choice(made), rng.choice(names)) for _ in range(60)]
        tables = [(board, f"T{i}") for board in made for i in (1, 3)]
        return seen, tables, keys, arrivals.meet(connection, tables, seen, keys), _by_hand(connection)

    seen, tables, keys, met, there = await database.write(verb)
    persons, played, reported, used = there
    of = {person.id: person for person in met.players}
    asked = {name for _, name in seen}
    assert {name: person.person for name, person in of.items()} == {
        name: person for name, person in persons.items() if name in asked
    }
    assert set(met.reported) == set(tables) & reported
    assert set(met.keys) == set(keys) & used
    expected = {
        (board, name, sequence)
        for board, name in seen
        if name in persons
        for on, person, sequence in played
        if (on, person) == (board, persons[name])
    }
    assert {(board, name) for board, name, _ in met.played} == {(board, name) for board, name, _ in expected}
    assert set(met.played) <= expected


def _by_hand(connection: Connection):
    found = connection.exec_driver_sql("SELECT id, number, coalesce(person, number) FROM players").all()
    persons = {name: person for name, _, person in found}
    of_number = {number: person for _, number, person in found}
    plays = connection.execute(plays_table.select())
    played = {(row.board, of_number[row.player], row.sequence) for row in plays}
    reported = {(row.board, row.table_name) for row in connection.execute(results_table.select())}
    used = {tuple(row) for row in connection.exec_driver_sql("SELECT client, key FROM idempotency")}
    return persons, played, reported, used
