"""What everybody may see of an event, as one tree; and what a change of it is told as.

The tree names players by their numbers and holds no nulls. A bulletin is what differs between two trees, as
a JSON merge patch (RFC 7396): the tree before it and the bulletin together give the tree after it, and it
does no harm to apply it twice. Names are filled in when it is read, so that who was hidden stays so.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import Connection

from server.bridge.swiss_by_hand import Objection
from server.bridge.swiss_event import forecast
from server.bridge.swiss_pairing import rounds_without_rematch
from server.services import event_room
from server.storage import (
    bulletins,
    event_adjustments,
    event_entries,
    event_penalties,
    event_rounds,
    event_substitutes,
    events,
)
from server.storage.bulletins import Bulletin
from server.storage.event_entries import Entry
from server.storage.event_penalties import Penalty
from server.storage.events import Event, moment
from server.storage.ids import event_id

KIND = "event"  # event: what changed, as a merge patch of its snapshot
WARNING = "event-warning"  # event: so many seconds are left of the round
LISTED = "event-listed"  # events: what lists show of one of them changed, or there is one more
ALL = "events"
"""The channel that lists of events follow."""
_IN_LISTS = ("state", "round", "ends_at", "paused_at", "published")

Tree = dict[str, Any]


def channel(event: int) -> str:
    """The channel of an event."""
    return f"event:{event_id(event)}"


def tree(connection: Connection, event: Event) -> Tree:
    """What everybody may see of an event now."""
    course = event.course
    entries = event_entries.of_event(connection, event.id)
    found: Tree = {
        "id": event_id(event.id),
        "kind": event.kind.value,
        "name": event.name,
        "state": course.state.value,
        "room": _room(connection, event),
        "entries": {str(each.number): _entry(each) for each in entries},
        "always_pairable": rounds_without_rematch(sum(_plays_on(each) for each in entries)),
        "schedule": [
            {"round": span.round, "starts_at": instant(span.starts_at), "ends_at": instant(span.ends_at)}
            for span in forecast(event.rules.timing, course)
        ],
        "scored_rounds": event_rounds.scored_rounds(connection, event.id),
        "published": event.published_at is not None,
        "rulings": event_adjustments.count_rulings(connection, event.id),
        "penalties": [_penalty(each) for each in event_penalties.of_event(connection, event.id)],
    }
    for name in ("ends_at", "appear_by", "paused_at"):
        if getattr(course, name) is not None:
            found[name] = instant(getattr(course, name))
    if event.pause_reason is not None:
        found["pause_reason"] = event.pause_reason
    if course.paused_in is not None:
        found["paused_in"] = course.paused_in.value
    if course.round is not None:
        found |= {"round": course.round} | _tables(connection, event, course.round)
    return found


def told_to(result: tuple[int, int, int]) -> Tree:
    """What a result of a table (table, board, round) changes in the tree."""
    table, board, _ = result
    return {"tables": {str(table): {"results": {str(board): True}}}}


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> Tree:
    """The merge patch that makes one tree into another."""
    patch: Tree = {name: None for name in before if name not in after}
    for name, value in after.items():
        if name not in before:
            patch[name] = value
        elif before[name] != value:
            both = isinstance(before[name], dict) and isinstance(value, dict)
            patch[name] = difference(before[name], value) if both else value
    return patch


@contextmanager
def telling(connection: Connection, event: int, now: datetime) -> Iterator[None]:
    """Tell the channel of the event what the block changes; nothing when it raises."""
    before = _current(connection, event)
    yield
    after = _current(connection, event)
    patch = difference(before, after)
    if patch:
        tell(connection, event, KIND, patch, now)
    if _in_lists(before) != _in_lists(after):
        list_again(connection, after, now)


def list_again(connection: Connection, told: Mapping[str, Any], now: datetime) -> None:
    """Tell lists of events what they show of one now."""
    shown = {name: told.get(name) for name in ("id", "kind", "name", "state", "round")}
    body = msgspec.json.encode({"event": shown | {"pairs": len(told["entries"])}}).decode()
    bulletins.add(connection, [Bulletin(ALL, None, LISTED, body)], now)


def _in_lists(told: Mapping[str, Any]) -> list[Any]:
    """What a list of events shows of one, and may change."""
    return [len(told.get("entries", ())), *(told.get(name) for name in _IN_LISTS)]


def tell(connection: Connection, event: int, kind: str, body: Mapping[str, Any], now: datetime) -> None:
    """Write a bulletin to the channel of an event, which all that happens there shares."""
    bulletins.add(connection, [bulletin(event, kind, body)], now)


def bulletin(event: int, kind: str, body: Mapping[str, Any]) -> Bulletin:
    """A bulletin for the channel of an event; numbered a moment later."""
    return Bulletin(channel(event), None, kind, msgspec.json.encode(body).decode())


def players_in(told: Any) -> Iterator[int]:
    """Numbers of the players that a tree or a patch names."""
    if isinstance(told, list):
        for each in told:
            yield from players_in(each)
    elif isinstance(told, dict):
        for name, value in told.items():
            if name in ("player", "substitute") and isinstance(value, int):
                yield value
            elif name in ("players", "arrived") and isinstance(value, list):
                yield from value
            else:
                yield from players_in(value)


def with_names(told: Any, names: Mapping[int, str]) -> Any:
    """A tree or a patch with players' ids in place of their numbers."""
    if isinstance(told, list):
        return [with_names(each, names) for each in told]
    if not isinstance(told, dict):
        return told
    return {name: _with_name(name, value, names) for name, value in told.items()}


def _with_name(name: str, value: Any, names: Mapping[int, str]) -> Any:
    if name in ("player", "substitute") and isinstance(value, int):
        return names[value]
    if name in ("players", "arrived") and isinstance(value, list):
        return [names[each] for each in value]
    return with_names(value, names)


def _current(connection: Connection, number: int) -> Tree:
    event = events.get(connection, number)
    return {} if event is None else tree(connection, event)


def _room(connection: Connection, event: Event) -> Tree:
    seats = event_entries.seats(connection, event.id)
    return {
        "doors": event_room.doors(event).value,
        "seats": {
            f"{table}{seat}": {"player": player}
            | ({} if since is None else {"hand_up_since": instant(since)})
            for (table, seat), (player, since) in sorted(seats.items())
        },
    }


def _entry(entry: Entry) -> Tree:
    told: Tree = {"players": list(entry.players), "first_round": entry.first_round}
    if entry.withdrawn_at is not None:
        told["withdrawn"] = True
    if entry.earlier_ranks:
        told["earlier_ranks"] = list(entry.earlier_ranks)
    if entry.absent_in is not None:
        told |= {"absent_in": entry.absent_in, "ready": entry.ready}
    return told


def _plays_on(entry: Entry) -> bool:
    """Whether a pair is paired again as far as it is up to it; a suspension ends by itself."""
    return entry.withdrawn_at is None and (entry.absent_in is None or entry.ready)


def _penalty(penalty: Penalty) -> Tree:
    """A penalty without its reason, which is for directors."""
    told: Tree = {"id": penalty.number, "entry": penalty.entry, "kind": penalty.kind}
    if penalty.amount:
        told["amount"] = penalty.amount / 100
    if penalty.until_round is not None:
        told["until_round"] = penalty.until_round
    if penalty.until_at is not None:
        told["until_at"] = _instant(penalty.until_at)
    if penalty.lifted is not None:
        told["lifted_at"] = _instant(penalty.lifted.at)
    return told


def _tables(connection: Connection, event: Event, number: int) -> Tree:
    rounds = event_rounds.rounds(connection, event.id)
    mine = next((each for each in rounds if each.number == number), None)
    sit_outs = () if mine is None else mine.sit_outs
    reported: dict[str, Tree] = {}
    for board, name, _, _ in event_rounds.results(connection, event.id, number):
        reported.setdefault(name, {})[str(board)] = True
    came = event_rounds.arrivals(connection, event.id, number)
    pairs = {each.number: each.players for each in event_entries.of_event(connection, event.id)}
    replaced = event_substitutes.current(connection, event.id, number)
    tables: dict[str, Tree] = {}
    for match in event_rounds.matches(connection, event.id, number):
        seated = [*pairs.get(match.ns, ()), *pairs.get(match.ew, ())]
        sits_in = [
            {"player": each.player, "substitute": each.substitute}
            for each in replaced
            if each.entry in (match.ns, match.ew)
        ]
        there = [*seated, *(each["substitute"] for each in sits_in)]
        tables[str(match.table)] = {
            "ns": match.ns,
            "ew": match.ew,
            "sits_first": match.sits_first,
            "arrived": sorted(player for player in there if player in came),
            "dealt": match.dealt,
            "results": reported.get(match.name, {}),
        }
        if match.skipped:
            tables[str(match.table)]["skipped"] = match.skipped
        if sits_in:
            tables[str(match.table)]["substitutes"] = sits_in
    found: Tree = {"tables": tables, "sit_outs": list(sit_outs)}
    if mine is not None and mine.dropped is not None:
        found["dropped"] = [told_against(each) for each in mine.dropped.dropped]
    return found


def told_against(objection: Objection[int]) -> Mapping[str, Any]:
    """What speaks against a round by hand, as it is shown."""
    shown = {"fault": objection.fault.value, "pairs": list(objection.pairs)}
    return shown | ({"rounds": list(objection.rounds)} if objection.rounds else {})


def instant(at: float) -> str:
    """An instant in seconds since 1970, as the tree and the API tell it."""
    return _instant(moment(at))


def _instant(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
