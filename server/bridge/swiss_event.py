"""The course of a Swiss pairs: from which state it goes into which, when, and what is to be done then.

    announced -> registration -> running 1 -> closing 1 -> running 2 -> … -> closing R -> finished

It can be cancelled before it starts, and paused while running or closing; where a step fails, its clock stops
in any state. Each transition is a value with a key; whoever keeps the keys can do each once, however often it
is decided.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from server.bridge.errors import BridgeError
from server.bridge.swiss_clock import Span, State, Timing, timetable

OUTAGE_S = 60  # what is shorter is nobody's gain; after a longer one the clock goes on where it stood
WARNINGS_S = (300, 60)  # before the end of a round
_BEFORE_PLAY = (State.ANNOUNCED, State.REGISTRATION)
_IN_PLAY = (State.RUNNING, State.CLOSING)


class Action(StrEnum):
    """What is to be done in the transaction of a transition, in this order."""

    CREATE_ROOM = "create_room"
    LOCK_ENTRIES = "lock_entries"
    STAND_UP = "stand_up"
    CUT_OFF = "cut_off"  # stop play everywhere; boards not finished are over
    STANDINGS = "standings"
    PAIR = "pair"
    CREATE_TABLES = "create_tables"
    SEAT = "seat"
    DEAL = "deal"
    MASTERPOINTS = "masterpoints"
    PUBLISH = "publish"
    TELL = "tell"


@dataclass(eq=False)
class WrongState(BridgeError):
    """The event is in no state for this"""

    state: State
    wanted: str

    def __str__(self) -> str:
        return f"an event that is {self.state} cannot be {self.wanted}"


@dataclass(frozen=True, slots=True)
class Course:
    """Where an event stands. It is stored, so that a restart finds it."""

    state: State = State.ANNOUNCED
    round: int | None = None  # while running or closing, also when it was paused then
    ends_at: float | None = None  # of this state, while running or closing, or when it was paused
    appear_by: float | None = None  # in a round: who is not at the table then is marked absent
    paused_at: float | None = None
    paused_in: State | None = None
    pauses: int = 0  # so far; makes the keys of further ones differ
    playable_until: float | None = None  # in a round: the last instant at which a board is dealt

    @property
    def doing(self) -> State:
        """What it does, or what it will go on with after the pause."""
        return self.paused_in or self.state


@dataclass(frozen=True, slots=True)
class Facts:
    """What the clock does not know."""

    active: int = 0  # pairs that would be paired now
    finished: bool = False  # nothing more can come from any table of the round, while it is played
    reported: bool = False  # the same once it is over
    scored: bool = False  # the scores of the round are stored


@dataclass(frozen=True, slots=True)
class Transition:
    """A step in the course of an event."""

    before: Course
    after: Course
    at: float  # the instant it counts from
    actions: tuple[Action, ...] = ()

    @property
    def key(self) -> tuple[State, State, int | None, int]:
        """From, to, round and pauses so far: no event does the same twice."""
        return (self.before.state, self.after.state, self.after.round, self.after.pauses)


def next_transition(timing: Timing, course: Course, facts: Facts, now: float) -> Transition | None:
    """What is due at ``now``, if anything; after it, something else may be due at once."""
    match course.state:
        case State.ANNOUNCED if now >= timing.open_at:
            after = replace(course, state=State.REGISTRATION)
            return Transition(course, after, timing.open_at, (Action.CREATE_ROOM,))
        case State.REGISTRATION if now >= timing.start_at:
            if facts.active < timing.min_pairs:
                return cancelled(course, now)
            locking = (Action.LOCK_ENTRIES, Action.STAND_UP)
            return _round(timing, course, 1, _moment(timing.start_at, now), locking)
        case State.RUNNING:
            return _closing(timing, course, facts, now)
        case State.CLOSING if facts.scored:
            return _after_closing(timing, course, facts, now)
    return None


def cancelled(course: Course, now: float) -> Transition:
    """The event does not take place; raises WrongState once it has started."""
    if course.doing not in _BEFORE_PLAY:
        raise WrongState(course.state, "cancelled")
    after = replace(course, state=State.CANCELLED, paused_at=None, paused_in=None)
    return Transition(course, after, now, (Action.STAND_UP, Action.TELL))


def paused(course: Course, now: float) -> Transition:
    """The clock stops: the organiser wants it. Raises WrongState unless a round is running or closing."""
    if course.state not in _IN_PLAY:
        raise WrongState(course.state, "paused")
    return _stopped(course, now)


def halted(course: Course, now: float) -> Transition:
    """The clock stops: a step failed, such as to pair or to store a round, the first one too.

    Raises WrongState when the event is paused or over.
    """
    if course.state not in (*_BEFORE_PLAY, *_IN_PLAY):
        raise WrongState(course.state, "paused")
    return _stopped(course, now)


def _stopped(course: Course, now: float) -> Transition:
    after = replace(
        course, state=State.PAUSED, paused_at=now, paused_in=course.state, pauses=course.pauses + 1
    )
    return Transition(course, after, now, (Action.TELL,))


def resumed(course: Course, now: float) -> Transition:
    """The clock goes on; what lay ahead moves by the pause. Raises WrongState unless it is paused.

    The next round lay ahead also where it was due when it failed: nobody has less time to play for that. When
    the first one starts is among the rules of the event, and moves with them.
    """
    if course.state is not State.PAUSED or course.paused_at is None or course.paused_in is None:
        raise WrongState(course.state, "resumed")
    pause = now - course.paused_at
    moved = _moved(course, course.paused_at, pause)
    if (
        course.paused_in is State.CLOSING
        and course.ends_at is not None
        and course.ends_at <= course.paused_at
    ):
        moved = replace(moved, ends_at=course.ends_at + pause)
    after = replace(moved, state=course.paused_in, paused_at=None, paused_in=None)
    return Transition(course, after, now, (Action.TELL,))


def lengthened(course: Course, last_seen: float, now: float, patience_s: float = OUTAGE_S) -> Course:
    """The course after nobody kept the clock from ``last_seen`` to ``now``.

    Whatever was running or closing gets that time back when it was more than a minute, or ``patience_s``.
    This comes before anything is looked at that may be due.
    """
    if course.state not in _IN_PLAY or now - last_seen <= patience_s:
        return course
    return _moved(course, last_seen, now - last_seen)


def warnings(course: Course, after: float, now: float) -> tuple[int, ...]:
    """The warnings due after one instant and up to another, as seconds before the end of the round."""
    if course.state is not State.RUNNING or course.ends_at is None:
        return ()
    return tuple(seconds for seconds in WARNINGS_S if after < course.ends_at - seconds <= now)


def may_deal(timing: Timing, course: Course, now: float) -> bool:
    """Whether a table may still start a board of the round."""
    return course.state is State.RUNNING and now <= playable_until(timing, course)


def playable_until(timing: Timing, course: Course) -> float:
    """The last instant at which a board of the round is dealt: what it was when it passed, whatever moves the
    end of the round later.
    """
    if course.playable_until is not None:
        return course.playable_until
    return (course.ends_at or 0) - timing.last_board_s


def playing_until(timing: Timing, course: Course) -> float:
    """The last instant at which somebody who has not come may still come and play, or not be late at all."""
    return max(playable_until(timing, course), course.appear_by or 0)


def rounds_over(course: Course) -> int:
    """How many rounds are over while an event goes on: one that is closed just now is, paused or not."""
    closing = course.doing is State.CLOSING
    return (course.round or 1) - (0 if closing else 1)


def forecast(timing: Timing, course: Course) -> tuple[Span, ...]:
    """The rounds still to come, if nothing happens to the clock; while paused, as if it went on at once."""
    if course.doing in _BEFORE_PLAY:
        return timetable(timing)
    if course.round is None or course.ends_at is None or course.doing not in _IN_PLAY:
        return ()
    closed_at = course.ends_at + (timing.closing_s if course.doing is State.RUNNING else 0)
    return timetable(timing, course.round + 1, closed_at)


def _closing(timing: Timing, course: Course, facts: Facts, now: float) -> Transition | None:
    due = course.ends_at or 0
    if now < due and not (timing.early_close and facts.finished):
        return None
    at = min(due, now)
    after = replace(course, state=State.CLOSING, ends_at=at + timing.closing_s)
    return Transition(course, after, at, (Action.CUT_OFF,))


def _after_closing(timing: Timing, course: Course, facts: Facts, now: float) -> Transition | None:
    """The next round; the end after the last one, for which nobody waits longer than for the last result."""
    due, number = course.ends_at or 0, course.round or 0
    last = number >= timing.rounds
    if now < due and not (last and facts.reported):
        return None
    if not last and facts.active >= 2:
        return _round(timing, course, number + 1, _moment(due, now), (Action.STANDINGS,))
    after = replace(
        course, state=State.FINISHED, round=None, ends_at=None, appear_by=None, playable_until=None
    )
    return Transition(
        course, after, min(due, now), (Action.STANDINGS, Action.MASTERPOINTS, Action.PUBLISH, Action.TELL)
    )


def _round(timing: Timing, course: Course, number: int, at: float, before: Iterable[Action]) -> Transition:
    after = replace(
        course,
        state=State.RUNNING,
        round=number,
        ends_at=at + timing.round_s,
        appear_by=at + timing.absent_s,
        playable_until=at + timing.round_s - timing.last_board_s,
    )
    seating = (Action.PAIR, Action.CREATE_TABLES, Action.SEAT, Action.DEAL, Action.TELL)
    return Transition(course, after, at, (*before, *seating))


def _moment(due: float, now: float) -> float:
    """When a round starts: a short delay is made up for, after a long one it still has all its time."""
    return due if now - due <= OUTAGE_S else now


def _moved(course: Course, since: float, by: float) -> Course:
    """All times that lay ahead at ``since``, later.

    What may be done up to an instant, that one included, may still be done when the clock stops at it; what
    ends at an instant is over then.
    """

    def later(instant: float | None) -> float | None:
        return instant + by if instant is not None and instant >= since else instant

    ends_at = course.ends_at
    return replace(
        course,
        ends_at=ends_at + by if ends_at is not None and ends_at > since else ends_at,
        appear_by=later(course.appear_by),
        playable_until=later(course.playable_until),
    )
