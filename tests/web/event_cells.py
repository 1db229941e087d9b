"""What the routes of events are asked with, so that they answer well."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tests.event_days import dealt, entered, finished, pairs_event, running, seated
from tests.running import Served

EVENT = {"kind": "pairs", "name": "E", "start_at": "2027-01-01T00:00:00Z", "rounds": 1}
ANN, X1 = {"player": "ann"}, {"player": "x1"}
WHY = {"reason": "because"}
AWARDED = {"round": 1, "table": 1, "board": 1, "ns": "A+", "ew": "A", "basis": "unplayable"}
RESULT = {"round": 1, "table": 1, "board": 1, "contract": "PASS"}


@dataclass(frozen=True)
class EventCell:
    """A request about an event that is so far."""

    method: str
    path: str  # below the event, as the table of routes has it
    scope: str | None
    before: Callable[[Served], Awaitable[str]]
    body: Any = None
    mine: bool = False  # only for the client to whom the event belongs

    @property
    def address(self) -> str:
        """Below the event."""
        path = self.path
        for name in ("{entry}", "{round}", "{number}", "{table}", "{penalty}"):
            path = path.replace(name, "1")
        return path


async def paused(served: Served) -> str:
    """The id of an event whose clock stands."""
    event = await running(served)
    await served.api.post(f"events/{event}/pause", WHY)
    return event


async def adjusted(served: Served) -> str:
    """The id of an event with an artificial score, of version 1."""
    event = await running(served)
    answer = await served.api.post(f"events/{event}/adjustments", WHY | AWARDED, headers={"If-Match": '"v0"'})
    assert answer.status == 200, answer
    return event


def _organiser(path: str, before: Callable[..., Awaitable[str]], body: Any) -> EventCell:
    return EventCell("POST", path, "events:write", before, body, mine=True)


def _director(path: str, before: Callable[..., Awaitable[str]], **body: Any) -> EventCell:
    return EventCell("POST", path, "director", before, WHY | body)


async def paired(served: Served) -> str:
    """The id of an event that begins with a round by hand."""
    event = await pairs_event(served)
    wanted = WHY | {"round": 1, "matches": [[1, 2], [3, 4]]}
    answer = await served.api.post(f"events/{event}/pairings", wanted)
    assert answer.status == 201, answer
    return event


async def penalised(served: Served) -> str:
    """The id of an event in which a pair was warned."""
    event = await running(served)
    answer = await served.api.post(f"events/{event}/penalties", WHY | {"entry": 1})
    assert answer.status == 201, answer
    return event


CELLS = (
    *(
        EventCell("GET", path, None, running)
        for path in (
            *("", "/entries", "/entries/{entry}", "/standings", "/rounds/{round}", "/boards/{number}"),
            "/qualifiers",
        )
    ),
    _organiser("/cancel", seated, {}),
    _organiser("/publish", finished, {}),
    _organiser("/room/sit", seated, {"player": "eve", "table": 2, "seat": "N"}),
    *(_organiser(f"/room/{verb}", seated, ANN) for verb in ("stand", "raise", "lower", "disconnect")),
    _organiser("/room/cancel", entered, ANN),
    _organiser("/entries", pairs_event, {"players": ["new", "pair"]}),
    _organiser("/ready", running, X1),
    _organiser("/leave", running, X1),
    _organiser("/tables/{table}/arrive", running, X1),
    _organiser("/substitutes", running, {"player": "x1", "substitute": "eve"}),
    _organiser("/tables/{table}/next-board", dealt, {}),
    EventCell("POST", "/results", "results:write", running, RESULT),
    EventCell("POST", "/results/batch", "results:write", running, [RESULT | {"idempotency_key": "cell"}]),
    _director("/pause", running),
    _director("/resume", paused),
    _director("/withdraw", running, entry=1),
    _director("/penalties", running, entry=1),
    EventCell("GET", "/penalties", "director", penalised),
    _director("/penalties/{penalty}/lift", penalised),
    _director("/pairings", running, round=1, matches=[[1, 2], [3, 4]]),
    EventCell("GET", "/pairings", "director", paired),
    _director("/pairings/{round}/cancel", paired),
    _director("/adjustments", adjusted, **AWARDED),
    _organiser("/entries/{entry}/earlier-ranks", running, {"ranks": [1, 12]}),
)
