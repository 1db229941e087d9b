"""Results of events: who may report what until when, and what everybody sees meanwhile."""

import asyncio
import json
from datetime import timedelta

import pytest

from server.services import event_course
from server.services.event_course import Keeper
from tests import event_days, factories

PLAYED = {"round": 1, "table": 1, "board": 1, "contract": "4S", "declarer": "N", "tricks": 10}


async def tick(server):
    await event_course.advance(server.database, Keeper(), server.clock.now)


@pytest.fixture
async def event(server):
    """An event whose first round of 50 s is played; its closing lasts 5 s."""
    return await event_days.running(server)


async def test_a_result_is_taken_once_and_answered_as_every_result(server, event):
    first = await server.api.post(f"events/{event}/results", PLAYED, key="K")
    assert first.status == 201, first
    assert (first.body["award"], first.body["reason"], first.body["table"]) == (None, "event", "R1-T1")
    again = await server.api.post(f"events/{event}/results", PLAYED, key="K")
    assert (again.raw, again.headers["Idempotency-Replayed"]) == (first.raw, "true")
    other = await server.api.post(f"events/{event}/results", PLAYED | {"tricks": 9}, key="K")
    assert other.slug == "idempotency-key-reused"
    twice = await server.api.post(f"events/{event}/results", PLAYED)
    assert twice.slug == "table-already-reported"
    missing = await server.api.post(f"events/{event}/results", PLAYED, key=None)
    assert missing.slug == "idempotency-key-missing"
    board = first.body["board"]["id"]
    named = await server.api.post(f"events/{event}/results", PLAYED | {"table": 2, "board": board})
    assert (named.status, named.body["sequence"]) == (201, 2)


@pytest.mark.parametrize("scoring", ["cross_imps", "datum", "matchpoints"])
async def test_an_answer_says_what_its_client_may_read_and_nothing_of_other_tables(server, scoring):
    event = await event_days.running(server, scoring=scoring)
    for table, tricks in ((1, 10), (2, 6)):
        body = PLAYED | {"table": table, "tricks": tricks}
        answer = (await server.api.post(f"events/{event}/results", body)).body
        read = (await server.api.get(f"results/{answer['id']}", token="results")).body
        assert read == {name: answer[name] for name in ("id", "sequence", "state")}
        assert answer["state"] == "scored"
        assert (answer["datum"], answer["award"], answer["field"]) == (None, None, None)
        assert (answer["board"]["state"], answer["board"]["results"]) == ("scoring", table)
        assert answer["score"] == (420 if table == 1 else -200)


async def test_what_the_round_does_not_take(server, event):
    for body, slug, status in (
        (PLAYED | {"table": 3}, "table-not-in-round", 409),
        (PLAYED | {"round": 2}, "table-not-in-round", 409),
        (PLAYED | {"board": 3}, "board-not-found", 404),
        (PLAYED | {"board": "b_zzzzzz"}, "board-not-found", 404),
        (PLAYED | {"players": factories.four()}, "invalid-result", 422),
        (PLAYED | {"disconnects": ["stranger"]}, "invalid-result", 422),
        (PLAYED | {"tricks": 14}, "invalid-result", 422),
    ):
        answer = await server.api.post(f"events/{event}/results", body)
        assert (answer.status, answer.slug) == (status, slug), body
    nowhere = await server.api.post("events/e_zzzzzz/results", PLAYED)
    assert (nowhere.status, nowhere.slug) == (404, "not-found")
    board = (await server.api.get(f"events/{event}/rounds/1")).body["boards"][0]
    elsewhere = await server.api.post("results", factories.result(board))
    assert (elsewhere.status, elsewhere.slug) == (409, "board-of-event")


async def test_until_when_a_result_counts(server, event, clock):
    end = clock.now() + timedelta(seconds=50)
    clock.set(end)
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201
    clock.advance(timedelta(microseconds=1))
    for ticked in (False, True):  # whether or not the clock of the event has been looked at
        late = await server.api.post(f"events/{event}/results", PLAYED | {"board": 2})
        assert (late.status, late.slug) == (409, "round-over")
        assert late.body["ended_at"] == end.isoformat().replace("+00:00", "Z")
        if not ticked:
            await tick(server)
    in_time = {"played_at": end.isoformat(), "board": 2}
    assert (await server.api.post(f"events/{event}/results", PLAYED | in_time)).status == 201
    clock.set(end + timedelta(seconds=5))
    await tick(server)
    closed = await server.api.post(f"events/{event}/results", PLAYED | in_time | {"table": 2})
    assert closed.slug == "round-over"


async def test_a_pause_gives_everything_behind_it_more_time(server, event, clock):
    clock.advance(timedelta(seconds=40))
    await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    clock.advance(timedelta(minutes=30))
    await tick(server)
    assert (await server.api.get(f"events/{event}")).body["state"] == "paused"
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201
    again = await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    assert (again.status, again.slug) == (409, "event-state")
    await server.api.post(f"events/{event}/resume", {"reason": "on again"})
    clock.advance(timedelta(seconds=10))
    assert (await server.api.post(f"events/{event}/results", PLAYED | {"board": 2})).status == 201
    clock.advance(timedelta(seconds=1))
    late = await server.api.post(f"events/{event}/results", PLAYED | {"table": 2})
    assert late.slug == "round-over"


async def test_a_pause_while_a_round_is_closed_makes_no_play_longer(server, event, clock):
    """The closing goes on where it was; what was played after the end of the round stays too late."""
    end = clock.now() + timedelta(seconds=50)
    clock.set(end + timedelta(seconds=1))
    await tick(server)
    await server.api.post(f"events/{event}/pause", {"reason": "lights"})
    clock.advance(timedelta(minutes=30))
    await server.api.post(f"events/{event}/resume", {"reason": "on again"})
    for played_at in (None, end + timedelta(seconds=1), end + timedelta(seconds=60), clock.now()):
        told = {} if played_at is None else {"played_at": played_at.isoformat()}
        late = await server.api.post(f"events/{event}/results", PLAYED | told)
        assert (late.status, late.slug) == (409, "round-over"), played_at
        assert late.body["ended_at"] == end.isoformat().replace("+00:00", "Z")
    in_time = {"played_at": end.isoformat()}
    assert (await server.api.post(f"events/{event}/results", PLAYED | in_time)).status == 201
    clock.advance(timedelta(seconds=4, microseconds=1))
    over = await server.api.post(f"events/{event}/results", PLAYED | in_time | {"table": 2})
    assert over.slug == "round-over"


async def test_a_running_round_is_secret_until_its_results_are_published(server, event, clock):
    secret = {"lead": None, "contract": "5DX", "declarer": "W", "tricks": 7}
    for table in (1, 2):
        for board in (1, 2):
            body = PLAYED | secret | {"table": table, "board": board}
            assert (await server.api.post(f"events/{event}/results", body)).status == 201
    stranger = await server.token("another", "events:write")

    async def seen(token):
        text = ""
        for path in ("", "/rounds/1", "/entries/1", "/standings", "/boards/1"):
            text += json.dumps((await server.api.get(f"events/{event}{path}", token=token)).body)
        board = (await server.api.get(f"events/{event}/rounds/1")).body["boards"][0]["id"]
        for path in (f"boards/{board}", f"boards/{board}/traveller"):
            text += json.dumps((await server.api.get(path, token=token)).body)
        return text

    for _ in range(3):  # while it is played, and when all three rounds are over but not published
        for token in ("public", "results", stranger):
            text = await seen(token)
            assert "5DX" not in text
            assert "N:" not in text
            assert '"rank": 1' not in text
        for _ in range(4):
            clock.advance(timedelta(seconds=28))
            await tick(server)
    assert (await server.api.get(f"events/{event}")).body["state"] == "finished"
    early = await server.api.post(f"events/{await event_days.running(server)}/publish", {})
    assert (early.status, early.slug) == (409, "event-state")
    assert (await server.api.post(f"events/{event}/publish", {})).status == 200
    text = await seen("public")
    assert "5DX" in text
    assert '"rank": 1' in text


async def test_a_director_sees_it_and_who_has_played_it_too(server, event):
    await server.api.post(f"events/{event}/results", PLAYED)
    board = await server.api.get(f"events/{event}/boards/1", token="director")
    assert len(board.body["results"]) == 1
    table = (await server.api.get(f"events/{event}/rounds/1")).body["tables"][0]
    for seat in "NESW":
        mine = {"viewer": table["players"][seat]}
        own = await server.api.get(f"events/{event}/boards/1", token="results", params=mine)
        assert own.body["results"][0]["contract"] == "4S"
    missing = await server.api.get(f"events/{event}/boards/99")
    assert missing.slug == "board-not-found"


async def test_boards_are_dealt_when_everybody_is_there_and_not_at_the_end(server, clock):
    event = await event_days.running(server, last_board_s=20)
    early = await server.api.post(f"events/{event}/tables/1/next-board", {})
    assert (early.slug, early.body["reason"]) == ("no-board-to-deal", "not_everybody_there")
    for player in ("x1", "y1", "x4", "y4"):
        assert (await server.api.post(f"events/{event}/tables/1/arrive", {"player": player})).status == 200
    stranger = await server.api.post(f"events/{event}/tables/1/arrive", {"player": "x2"})
    assert (stranger.status, stranger.slug) == (409, "not-at-table")
    nowhere = await server.api.post(f"events/{event}/tables/9/arrive", {"player": "x1"})
    assert nowhere.slug == "table-not-in-round"
    first = await server.api.post(f"events/{event}/tables/1/next-board", {}, key="K")
    assert (first.status, first.body["board"]["number"]) == (200, 1)
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {}, key="K")).raw == first.raw
    clock.advance(timedelta(seconds=30))
    assert (await server.api.post(f"events/{event}/tables/1/next-board", {})).body["board"]["number"] == 2
    done = await server.api.post(f"events/{event}/tables/1/next-board", {})
    assert done.body["reason"] == "all_dealt"
    for player in ("x2", "y2", "x3", "y3"):
        await server.api.post(f"events/{event}/tables/2/arrive", {"player": player})
    clock.advance(timedelta(seconds=1))
    late = await server.api.post(f"events/{event}/tables/2/next-board", {})
    assert late.body["reason"] == "too_late"


async def test_two_processes_do_each_transition_once(serve, server, clock):
    other = await serve()
    event = await event_days.pairs_event(server)
    clock.advance(timedelta(seconds=1))
    for _ in range(16):
        await asyncio.gather(tick(server), tick(other), tick(server), tick(other))
        found = (await server.api.get(f"events/{event}")).body
        if found["state"] == "running":
            await event_days.report_all(server, event, found["round"])
        clock.advance(timedelta(seconds=11))
    found = (await server.api.get(f"events/{event}")).body
    assert (found["state"], found["scored_rounds"]) == ("finished", 3)
    steps = await server.database.read(lambda connection: _steps(connection, event))
    assert [step[:3] for step in steps] == [
        ("announced", "registration", 0),
        ("registration", "running", 1),
        ("running", "closing", 1),
        ("closing", "running", 2),
        ("running", "closing", 2),
        ("closing", "running", 3),
        ("running", "closing", 3),
        ("closing", "finished", 0),
    ]


def _steps(connection, event):
    from server.storage import events
    from server.storage.ids import event_number

    return events.transitions(connection, event_number(event))


async def test_a_round_that_an_outage_interrupted_is_lengthened(server, event, clock):
    clock.advance(timedelta(seconds=30))
    await tick(server)
    end = (await server.api.get(f"events/{event}")).body["ends_at"]
    clock.advance(timedelta(seconds=60))  # hardly an outage: the time is over
    await server.api.get(f"events/{event}")
    clock.advance(timedelta(seconds=540))
    await tick(server)
    found = (await server.api.get(f"events/{event}")).body
    assert (found["state"], found["round"]) == ("running", 1)
    assert found["ends_at"] > end
    clock.advance(timedelta(seconds=20))
    assert (await server.api.post(f"events/{event}/results", PLAYED)).status == 201


async def at(server, event, table):
    """Who sits at a table of the first round, by seat."""
    found = (await server.api.get(f"events/{event}/rounds/1")).body["tables"]
    return next(each["players"] for each in found if each["table"] == table)


async def test_who_was_replaced_is_one_of_the_pair_that_sits_there(server, event):
    """Anybody else would have played the board, and his own table could report it no more."""
    here, other = await at(server, event, 1), await at(server, event, 2)
    assert (await server.api.put(f"players/{here['W']}", {"linked": ["west-too"]})).status == 200
    body = {"player": here["W"], "substitute": "eve"}
    assert (await server.api.post(f"events/{event}/substitutes", body)).status == 200
    for name in (other["W"], here["N"], "stranger"):
        answer = await server.api.post(f"events/{event}/results", PLAYED | {"substitutes": {"W": name}})
        assert (answer.status, answer.slug) == (422, "invalid-result"), name
        assert answer.body["errors"][0]["pointer"] == "/substitutes/W"
    assert (await server.api.get("players/stranger")).status == 404
    assert (await server.api.post(f"events/{event}/results", PLAYED | {"table": 2})).status == 201
    for board, name in ((1, here["W"]), (2, "west-too")):
        told = PLAYED | {"board": board, "substitutes": {"W": name}}
        answer = await server.api.post(f"events/{event}/results", told)
        assert answer.status == 201, answer


async def test_who_publishes_has_seen_what(server):
    """Its organiser and directors see standings, cards and boards of rounds that are closed; nobody else, and
    none of them who plays in the event. Boards that are played are for directors alone.
    """
    event = await event_days.running(server)
    await event_days.report_all(server, event, 1)
    await event_days.closed(server)
    await server.api.post(f"events/{event}/results", PLAYED | {"round": 2, "board": 3})
    others = await server.token("another platform", "events:write")
    plays = await server.token("console", "director", player="x3")
    for token, sees in (
        *(("events", True), ("director", True), ("admin", True)),
        *((others, False), (plays, False), ("results", False), ("public", False)),
    ):
        read = {
            path: (await server.api.get(f"events/{event}/{path}", token=token)).body
            for path in ("standings", "entries/1", "boards/1", "boards/3")
        }
        standings, card = read["standings"], read["entries/1"]
        shown = (len(standings["rows"]), standings["scored_rounds"])
        assert shown == ((4, 1) if sees else (0, 0)), token
        figures = (card["score"], card["boards"], [each["round"] for each in card["rounds"]])
        assert figures == ((0, 2, [1]) if sees else (None, None, [])), token
        # Who has played a board sees it in any case.
        assert len(read["boards/1"]["results"]) == (2 if sees or token == plays else 0), token
        assert len(read["boards/3"]["results"]) == (1 if token in ("director", "admin") else 0), token
