"""The events of a demonstration, one after another: how large they are, how long they take, who enters."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from server.bridge.swiss_pairing import rounds_without_rematch
from server.demo.plan import LIVE, Plan
from server.world.events import entrants
from server.world.sittings import BOARD_TIME, Pair

_PLAYERS_A_PAIR = 9  # of all players, one pair for so many
_LEAST_PAIRS, _MOST_PAIRS = 5, 13  # odd: somebody sits out
_ROUNDS = 5  # at most
_REAL_SECONDS = 2.0  # that a board takes at least, however fast the clock runs
_NAME = re.compile(r"Swiss pairs no\. ([1-9][0-9]{0,8})")


@dataclass(frozen=True, slots=True)
class Programme:
    """A Swiss pairs is entered, played, over; then comes the next."""

    plan: Plan
    pairs: int
    rounds: int
    boards: int  # of a round
    board_time: timedelta

    @property
    def sign_up(self) -> timedelta:
        """How long the registration room is open."""
        return 2 * self.board_time

    @property
    def rest(self) -> timedelta:
        """From the end of an event to the registration for the next."""
        return 2 * self.board_time

    @property
    def week(self) -> int:
        """Of which people's skill is in all events, so that these follow from the seed alone."""
        return self.plan.number(LIVE)

    def name(self, number: int) -> str:
        """Of event ``number``, from 1."""
        return f"Swiss pairs no. {number}"

    def number(self, name: str) -> int | None:
        """The event that is called so; None when it is somebody else's."""
        found = _NAME.fullmatch(name)
        return None if found is None else int(found[1])

    def entrants(self, number: int) -> list[Pair]:
        """The pairs of an event in the order in which they come."""
        return entrants(self.plan.world(), number, self.week, self.pairs)

    def body(self, number: int, now: datetime) -> dict[str, Any]:
        """What ``POST /events`` takes."""
        return {
            "kind": "swiss_pairs",
            "name": self.name(number),
            "start_at": (now + self.sign_up).isoformat(),
            "rounds": self.rounds,
            "boards": self.boards,
            "round_s": _seconds(self.boards * self.board_time),
            "closing_s": _seconds(self.board_time / 3),
            "last_board_s": _seconds(self.board_time / 4),
            "absent_s": _seconds(self.board_time),
            "scoring": "vp",
        }


def usual(plan: Plan) -> Programme:
    """The events of a demonstration: rounds of four boards, so many that nobody need meet twice."""
    pairs = max(_LEAST_PAIRS, min(_MOST_PAIRS, plan.players // _PLAYERS_A_PAIR))
    slow = timedelta(seconds=_REAL_SECONDS * plan.speed)
    rounds = min(_ROUNDS, rounds_without_rematch(pairs))
    return Programme(plan, pairs, rounds, boards=4, board_time=max(BOARD_TIME, slow))


def _seconds(span: timedelta) -> int:
    return max(1, round(span.total_seconds()))
