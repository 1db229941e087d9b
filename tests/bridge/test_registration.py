"""The registration room, act by act."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from server.bridge.registration import (
    Cancel,
    Cancelled,
    Doors,
    Hand,
    Refusal,
    Refused,
    Registered,
    Room,
    Sit,
    Stand,
    moved,
    started,
    until,
)
from server.bridge.seats import Seat
from tests.bridge import golden

CASES = golden.vectors("swiss/registration.json")["cases"]


def move_of(what, player, *rest):
    if what == "sit":
        return Sit(player, rest[0], Seat(rest[1]))
    if what == "hand":
        return Hand(player, rest[0])
    return Cancel(player) if what == "cancel" else Stand(player)


def told(outcome):
    if isinstance(outcome, Refused):
        return [outcome.at, "refused", outcome.player, outcome.reason.value]
    word = "registered" if isinstance(outcome, Registered) else "cancelled"
    return [outcome.at, word, outcome.number, *outcome.players]


def played(actions, end, room=None):
    """The room after all actions, and everything that was told."""
    room, log = room or Room(), []
    for at, *action in actions:
        step = moved(room, move_of(*action), at)
        room, log = step.room, log + list(step.outcomes)
    step = until(room, end)
    return step.room, log + list(step.outcomes)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_golden_case(case):
    room, log = played(case["actions"], case["end"], Room(hold_s=case["hold"]))
    assert [told(outcome) for outcome in log] == case["expected_log"]
    assert [list(pair) for pair in room.entries.values()] == case["expected_entries"]


PERSONS = {"a": 1, "a2": 1, "b": 2, "b2": 2}
UP = [[0, "sit", "a", 1, "N"], [0, "sit", "b", 1, "S"], [0, "hand", "a", True], [0, "hand", "b", True]]


@pytest.mark.parametrize(
    ("more", "log"),
    [
        ([[6, "sit", "a2", 2, "N"]], [[6, "refused", "a2", "already_registered"]]),
        ([[6, "sit", "b2", 1, "N"]], [[6, "refused", "b2", "already_registered"]]),
        ([[6, "cancel", "b2"], [7, "sit", "a2", 1, "N"]], [[6, "cancelled", 1, "a", "b"]]),
    ],
)
def test_accounts_of_an_entered_person_are_that_person(more, log):
    _, outcomes = played([*UP, *more], 30, Room(hold_s=5, persons=PERSONS))
    assert [told(each) for each in outcomes] == [[5, "registered", 1, "a", "b"], *log]


def test_a_person_has_one_seat_whatever_his_account():
    """Also where he takes his own seat anew: the hand is down then, and the count is broken."""
    for place in ((2, "N"), (1, "S"), (1, "N")):
        acts = [*UP[:1], UP[2], [1, "sit", "a2", *place]]
        room, log = played(acts, 1, Room(hold_s=5, persons=PERSONS))
        assert not log
        assert {(table, seat.value): each.player for (table, seat), each in room.seats.items()} == {
            place: "a2"
        }
        assert all(each.hand_up_since is None for each in room.seats.values())


def test_of_a_person_at_two_tables_that_complete_together_the_smaller_is_entered():
    acts = [[at, *act] for at, *act in UP] + [
        [0, "sit", "a2", 2, "S"],
        [0, "sit", "c", 2, "N"],
        [0, "hand", "a2", True],
        [0, "hand", "c", True],
    ]
    room, _ = played(acts, 1, Room(hold_s=5))  # whose accounts they are is known only now
    step = until(replace(room, persons=PERSONS), 5)
    assert [told(each) for each in step.outcomes] == [[5, "registered", 1, "a", "b"]]
    assert step.room.next_completion() is None


BOTH_UP = [(0, "sit", "a", 1, "N"), (0, "sit", "b", 1, "S"), (0, "hand", "a", True), (0, "hand", "b", True)]


def test_a_count_that_completes_comes_before_what_happens_in_the_same_instant():
    for action in ((20, "hand", "a", False), (20, "stand", "b"), (20, "sit", "a", 2, "N")):
        room, log = played([*BOTH_UP, action], 20)
        assert told(log[0]) == [20, "registered", 1, "a", "b"]
        assert list(room.entries.values()) == [("a", "b")]
    _, log = played([*BOTH_UP, (20, "cancel", "a")], 20)
    assert [told(outcome)[1] for outcome in log] == ["registered", "cancelled"]


def test_both_stand_up_when_they_are_registered():
    room, _ = played(BOTH_UP, 20)
    assert room.seats == {}
    assert (room.number_of("a"), room.number_of("b"), room.number_of("c")) == (1, 1, None)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (("sit", "a", 1, "E"), Refusal.ALREADY_REGISTERED),
        (("sit", "x", 2, "W"), Refusal.SEAT_NOT_FOR_REGISTRATION),
        (("sit", "x", 2, "N"), Refusal.SEAT_TAKEN),
        (("sit", "a", 2, "N"), Refusal.ALREADY_REGISTERED),
        (("hand", "a", True), Refusal.NOT_SEATED),
        (("hand", "x", False), Refusal.NOT_SEATED),
        (("cancel", "c"), Refusal.NOT_REGISTERED),
    ],
)
def test_refusals_and_what_comes_first(action, reason):
    before, _ = played([*BOTH_UP, (21, "sit", "c", 2, "N")], 21)
    after, log = played([(22, *action)], 22, before)
    assert log == [Refused(22, action[1], reason)]
    assert after == before


def test_who_is_refused_elsewhere_keeps_the_seat_and_the_count():
    actions = [*BOTH_UP, (5, "sit", "c", 2, "N"), (10, "sit", "a", 2, "N"), (11, "sit", "a", 1, "N")]
    _, log = played(actions, 20)
    assert [told(outcome) for outcome in log] == [
        [10, "refused", "a", "seat_taken"],
        [20, "registered", 1, "a", "b"],
    ]


def test_changing_sides_is_leaving_the_first_seat():
    room, log = played([*BOTH_UP, (5, "stand", "b"), (6, "sit", "a", 1, "S")], 60)
    assert (log, room.place_of("a"), len(room.seats)) == ([], (1, Seat.S), 1)
    assert room.seats[1, Seat.S].hand_up_since is None


def test_standing_up_without_a_seat_is_nothing():
    assert moved(Room(), Stand("a"), 5).room == Room()


def test_numbers_are_not_given_again():
    again = [(at + 40, *action) for at, *action in BOTH_UP]
    room, log = played([*BOTH_UP, (30, "cancel", "b"), *again], 90)
    assert [outcome.number for outcome in log] == [1, 1, 2]
    assert log[1] == Cancelled(30, 1, ("a", "b"))
    assert room.entries == {2: ("a", "b")}


def test_the_start_of_the_event_lets_what_is_complete_count_and_everybody_stand_up():
    room, _ = played([*BOTH_UP, (1, "sit", "c", 2, "N")], 1)
    step = started(room, 20)
    assert [told(outcome) for outcome in step.outcomes] == [[20, "registered", 1, "a", "b"]]
    assert (step.room.seats, step.room.doors) == ({}, Doors.CLOSED)
    assert started(room, 19).outcomes == ()
    assert until(started(room, 19).room, 99).outcomes == ()


@pytest.mark.parametrize("doors", [Doors.CLOSED, Doors.LATE])
def test_after_the_start(doors):
    room = started(played(BOTH_UP, 20)[0], 30, doors).room
    assert moved(room, Cancel("a"), 31).outcomes == (Refused(31, "a", Refusal.EVENT_STARTED),)
    late = [
        (40, "sit", "c", 1, "N"),
        (40, "sit", "d", 1, "S"),
        (41, "hand", "c", True),
        (42, "hand", "d", True),
    ]
    _, log = played(late, 99, room)
    if doors is Doors.LATE:
        assert [told(outcome) for outcome in log] == [[62, "registered", 2, "c", "d"]]
    else:
        assert {outcome.reason for outcome in log} == {Refusal.ROOM_CLOSED, Refusal.NOT_SEATED}


def test_when_the_next_pair_is_complete():
    room, _ = played(BOTH_UP[:3], 0)
    assert room.next_completion() is None
    room, _ = played([*BOTH_UP, (3, "sit", "c", 2, "N")], 3)
    assert room.next_completion() == 20


PLAYERS = st.sampled_from("abcde")
MOVES = st.one_of(
    st.builds(Sit, PLAYERS, st.integers(1, 2), st.sampled_from(Seat)),
    st.builds(Hand, PLAYERS, st.booleans()),
    st.builds(Hand, PLAYERS, st.just(True)),
    st.builds(Stand, PLAYERS),
    st.builds(Cancel, PLAYERS),
)


class Watched(RuleBasedStateMachine):
    """A second room kept by hand, second by second: who sits where, and how long both hands have been up."""

    @initialize()
    def opened(self):
        self.room, self.now, self.log = Room(hold_s=5), 0, []
        self.seat, self.up, self.held, self.entered, self.count = {}, set(), {}, [], 0

    def tick(self):
        self.now += 1
        for table in (1, 2):
            players = [player for player, place in self.seat.items() if place[0] == table]
            complete = len(players) == 2 and set(players) <= self.up
            self.held[table] = self.held.get(table, 0) + 1 if complete else 0
            if self.held[table] == 5:
                north, south = sorted(players, key=lambda player: self.seat[player][1].value)
                self.count += 1
                self.entered.append((self.count, north, south))
                self.held[table] = 0
                for player in players:
                    del self.seat[player]
                    self.up.discard(player)

    @rule(seconds=st.integers(0, 6))
    def time_passes(self, seconds):
        for _ in range(seconds):
            self.tick()

    @rule(move=MOVES)
    def somebody_moves(self, move):
        step = moved(self.room, move, self.now)
        self.room = step.room
        registered = {player for _, *pair in self.entered for player in pair}
        refused = any(isinstance(outcome, Refused) for outcome in step.outcomes)
        match move:
            case Sit(player, table, seat):
                taken = (table, seat) in self.seat.values() and self.seat.get(player) != (table, seat)
                expected = player in registered or seat in (Seat.E, Seat.W) or taken
                if not expected and self.seat.get(player) != (table, seat):
                    self.leave(player)
                    self.seat[player] = (table, seat)
            case Hand(player, up):
                expected = player not in self.seat
                if not expected:
                    (self.up.add if up else self.up.discard)(player)
                    if not up:
                        self.held[self.seat[player][0]] = 0
            case Stand(player):
                expected = False
                self.leave(player)
            case Cancel(player):
                expected = player not in registered
                self.entered = [entry for entry in self.entered if player not in entry]
        assert refused == expected, move

    def leave(self, player):
        if player in self.seat:
            self.held[self.seat.pop(player)[0]] = 0
        self.up.discard(player)

    @invariant()
    def both_say_the_same(self):
        self.room = until(self.room, self.now).room
        assert [(number, *pair) for number, pair in self.room.entries.items()] == self.entered
        assert {sitter.player: place for place, sitter in self.room.seats.items()} == self.seat
        assert self.room.issued == self.count


TestWatched = Watched.TestCase
TestWatched.settings = settings(max_examples=80, stateful_step_count=60)


@given(st.lists(st.tuples(st.integers(0, 9), MOVES), max_size=40), st.data())
def test_looking_in_between_changes_nothing(moves, data):
    now, watched, left_alone, seen, heard = 0, Room(hold_s=5), Room(hold_s=5), [], []
    for wait, move in moves:
        for _ in range(data.draw(st.integers(0, 2))):
            between = until(watched, now + data.draw(st.integers(0, wait)))
            watched, seen = between.room, seen + list(between.outcomes)
        now += wait
        one, other = moved(watched, move, now), moved(left_alone, move, now)
        watched, seen = one.room, seen + list(one.outcomes)
        left_alone, heard = other.room, heard + list(other.outcomes)
    assert (watched, seen) == (left_alone, heard)
