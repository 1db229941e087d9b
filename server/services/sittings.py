"""Results of events on their way in: who sits at the table, and whether its round still takes results."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from server.bridge.seats import Seat
from server.bridge.swiss_clock import Arrived, State, in_time
from server.bridge.swiss_event import lengthened
from server.services.arrivals import Accepted
from server.services.errors import BoardNotFound, InvalidResult
from server.services.event_errors import ArtificialStands, EventNotFound, RoundOver, TableNotInRound
from server.services.event_play import seats_of
from server.services.event_snapshot import KIND, bulletin, told_to
from server.services.reports import BoardNumber, Report, Sitting
from server.storage import (
    event_adjustments,
    event_entries,
    event_rounds,
    event_substitutes,
    events,
    players,
    results,
)
from server.storage.bulletins import Bulletin
from server.storage.event_rounds import table_name
from server.storage.events import Event, moment, seconds
from server.storage.ids import board_id, event_id

_LINES = {
    Seat.N: (Seat.N, Seat.S),
    Seat.S: (Seat.N, Seat.S),
    Seat.E: (Seat.E, Seat.W),
    Seat.W: (Seat.E, Seat.W),
}


@dataclass(frozen=True, slots=True)
class Seated:
    """A table of a round, by players' ids."""

    players: tuple[str, str, str, str]  # of the two pairs: N, E, S, W
    substitutes: Mapping[str, str]  # who sits in now, by who is missing
    stood_in: Mapping[str, Collection[str]]  # who does or has done so in this round, by who was missing
    persons: Mapping[str, int]  # whose accounts these are
    skipped: Collection[int] = ()  # boards by number that it may not play
    dealt: Collection[int] = ()  # and those that it was dealt

    def side(self, seat: Seat) -> set[str]:
        """Who may be at this seat or opposite it: the pair, and who sits or has sat in for one of them."""
        expected = dict(zip(Seat, self.players, strict=True))
        line = [expected[each] for each in _LINES[seat]]
        return {*line, *(other for each in line for other in self.stood_in.get(each, ()))}


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round of an event as far as its results are concerned."""

    event: Event | None  # None: there is none
    started: bool
    ended_at: datetime | None  # None: it is the round that is played or closed just now
    cut_at: datetime | None  # when play was over, of one that is closed just now too
    boards: Mapping[int, int]  # rows by numbers
    tables: Mapping[int, Seated]
    adjusted: Collection[tuple[int, int]] = ()  # boards by number, and tables, with an artificial score


Rounds = Mapping[tuple[int, int], PlayedRound]  # by event and round


def look_up(connection: Connection, wanted: Iterable[Sitting]) -> Rounds:
    """The rounds of these sittings. Their events stay as they are until the transaction ends."""
    asked = sorted({(each.event, each.round) for each in wanted})
    if not asked:
        return {}
    known = events.share(connection, [event for event, _ in asked])
    return {
        (event, number): _round(connection, known[event], number)
        if event in known
        else PlayedRound(None, False, None, None, {}, {})
        for event, number in asked
    }


def seated(report: Report, rounds: Rounds) -> Report:
    """The report with the board and the players that its table and round stand for, if there are any."""
    sitting = report.sitting
    if sitting is None:
        return report
    found = rounds[sitting.event, sitting.round]
    table = found.tables.get(sitting.table)
    if table is None:
        return report
    board = found.boards.get(sitting.board, 0) if sitting.board is not None else report.board
    at_table = report.players or _playing(table)
    return replace(report, board=board, players=at_table)


def by_names_at_table(connection: Connection, reports: Sequence[Report]) -> list[Report]:
    """The reports of events with whoever disconnected named as at the table, by whichever of his accounts he
    was told of. Whoever had no part there keeps his name.
    """
    strange = [each.sitting is not None and bool({*each.disconnects} - {*each.people}) for each in reports]
    those = [each for each, is_strange in zip(reports, strange, strict=True) if is_strange]
    names = {name for each in those for name in (*each.people, *each.disconnects)}
    persons = {each.id: each.person for each in players.find(connection, names).values()} if names else {}
    told = zip(reports, strange, strict=True)
    return [_renamed(each, persons) if is_strange else each for each, is_strange in told]


def _renamed(report: Report, persons: Mapping[str, int]) -> Report:
    here = {persons[name]: name for name in report.people if name in persons}
    told = [
        name if name in report.people else here.get(persons.get(name, 0), name) for name in report.disconnects
    ]
    return replace(report, disconnects=tuple(dict.fromkeys(told)))


def check(
    report: Report, rounds: Rounds, persons: Mapping[str, int], patience_s: float, now: datetime
) -> None:
    """Refuse what its round does not take. Raises EventNotFound, TableNotInRound, BoardNotFound, RoundOver,
    InvalidResult, ArtificialStands.

    A round that nobody has kept for longer than ``patience_s`` gets the time back, also where nobody has
    looked at it since then. ``persons``: whose accounts the players are that are known.
    """
    sitting = report.sitting
    if sitting is None:
        return
    found = rounds[sitting.event, sitting.round]
    if found.event is None:
        raise EventNotFound(event_id(sitting.event))
    table = found.tables.get(sitting.table)
    if not found.started or table is None:
        raise TableNotInRound(sitting.round, sitting.table)
    if report.board not in found.boards.values():
        named = report.board if isinstance(report.board, int) else 0
        raise BoardNotFound(board_id(named) if sitting.board is None else str(sitting.board))
    last_seen = seconds(found.event.seen_at)
    course = lengthened(found.event.course, last_seen, seconds(now), patience_s)
    _check_time(found, replace(found.event, course=course), report, now)
    _check_players(report, table, persons)
    if _number(found, report) in table.skipped:
        raise InvalidResult("/board", "it was seen at another table before this one was paired")
    if (_number(found, report), sitting.table) in found.adjusted:
        raise ArtificialStands(report.table)


def changed(accepted: Iterable[Accepted]) -> list[Bulletin]:
    """What these results are told as to the channels of their events."""
    return [
        bulletin(sitting.event, KIND, told_to((sitting.table, each.board.number, sitting.round)))
        for each in accepted
        for sitting in [each.report.sitting]
        if sitting is not None
    ]


def _number(found: PlayedRound, report: Report) -> int:
    """Of the report's board in its event."""
    return next(number for number, row in found.boards.items() if row == report.board)


def _check_time(found: PlayedRound, event: Event, report: Report, now: datetime) -> None:
    """Results count that came in by the end of the round, or a little later when they were played by then."""
    course = event.course
    if found.ended_at is not None or course.ends_at is None:
        raise RoundOver(_text(found.ended_at or now))
    closing = State.CLOSING in (course.state, course.paused_in)
    # A pause while it is closed makes the closing longer, never the play.
    cut = found.cut_at if closing else None
    ended, closed = course.ends_at, course.ends_at + event.rules.closing_s
    if closing:
        ended, closed = (
            course.ends_at - event.rules.closing_s if cut is None else seconds(cut),
            course.ends_at,
        )
    # While the clock stands, it is as early as it was then.
    received = seconds(report.received_at or now)
    if course.state is State.PAUSED and course.paused_at is not None:
        received = min(received, course.paused_at)
    played = None if report.played_at is None else seconds(report.played_at)
    if not in_time(Arrived(received, played), ended, closed):
        raise RoundOver(_text(moment(ended)))


def _check_players(report: Report, table: Seated, persons: Mapping[str, int]) -> None:
    """Each side is the pair that sits there, in any order, or who sits in for one of them; by any account.

    Who was replaced is one of them too: whoever else was named would have played the board, to the harm of
    the table where he really sits.
    """
    named = [(f"/players/{seat}", seat, name) for seat, name in zip(Seat, report.players, strict=True)]
    named += [(f"/substitutes/{seat}", seat, name) for seat, name in report.substitutes]
    _check_seats(named, table, persons)
    for i, name in enumerate(report.disconnects):
        if name not in report.people:
            raise InvalidResult(f"/disconnects/{i}", f"{name!r} was not at the table")


def _check_seats(named: Iterable[tuple[str, Seat, str]], table: Seated, persons: Mapping[str, int]) -> None:
    """Raises InvalidResult for whoever is named at a seat, by a pointer, and does not sit there."""
    for pointer, seat, name in named:
        allowed = table.side(seat)
        if name not in allowed and persons.get(name) not in {table.persons[each] for each in allowed}:
            raise InvalidResult(pointer, f"{name!r} does not sit there in this round")


def check_leaving(
    connection: Connection, board: int | BoardNumber | str, name: str, four: tuple[str, str, str, str]
) -> bool:
    """Whether a board is one of an event; then a disconnect is refused unless these four sit at the table of
    this name, or have in the round, and the board was dealt to them.

    Their event stays as it is until the transaction ends. What they have reported was dealt to them however
    it came. Raises InvalidResult.
    """
    place = events.of_board(connection, board) if isinstance(board, int) else None
    if place is None or not isinstance(board, int):
        return False
    event, number = place
    found = look_up(connection, [Sitting(event, number, table=0, board=None)])[place]
    tables = {table_name(number, each): table for each, table in found.tables.items()}
    if name not in tables:
        raise InvalidResult("/table", f"round {number}, whose board it is, has no table {name!r}")
    persons = {each.id: each.person for each in players.find(connection, four).values()}
    named = [(f"/players/{seat}", seat, player) for seat, player in zip(Seat, four, strict=True)]
    _check_seats(named, tables[name], persons)
    numbers = {row: each for each, row in found.boards.items()}
    if numbers[board] not in tables[name].dealt and results.of_table(connection, board, name) is None:
        raise InvalidResult("/board", f"it was not dealt to table {name!r}")
    return True


def _playing(table: Seated) -> tuple[str, str, str, str]:
    north, east, south, west = (table.substitutes.get(name, name) for name in table.players)
    return north, east, south, west


def _round(connection: Connection, event: Event, number: int) -> PlayedRound:
    stored = {each.number: each for each in event_rounds.rounds(connection, event.id)}
    mine = stored.get(number)
    if mine is None or mine.started_at is None:
        return PlayedRound(event, False, None, None, {}, {})
    entries = {each.number: each for each in event_entries.of_event(connection, event.id)}
    matches = event_rounds.matches(connection, event.id, number)
    seats = {match.table: seats_of(match, entries) for match in matches}
    sat_in = event_substitutes.of_event(connection, event.id, number)
    numbers = {player for four in seats.values() for player in four} | {each.substitute for each in sat_in}
    people = players.by_number(connection, numbers)
    names = {player.number: player.id for player in people.values()}
    persons = {player.id: player.person for player in people.values()}
    numbered = event_rounds.board_numbers(connection, event.id, number)
    boards, tables = list(numbered), {}
    for match in matches:
        north, east, south, west = seats[match.table]
        four = (names[north], names[east], names[south], names[west])
        here = [(names[each.player], each) for each in sat_in if each.player in (north, east, south, west)]
        now = {name: names[each.substitute] for name, each in here if each.standing}
        ever = {name: {names[each.substitute] for other, each in here if other == name} for name, _ in here}
        skipped, dealt = boards[: match.skipped], boards[match.skipped : match.dealt]
        tables[match.table] = Seated(four, now, ever, persons, skipped, dealt)
    over = event.course.round != number
    ended_at = (mine.ended_at or event.created_at) if over else None
    adjusted = event_adjustments.standing(connection, event.id, number).keys()
    return PlayedRound(event, True, ended_at, mine.ended_at, numbered, tables, adjusted)


def _text(instant: datetime) -> str:
    return instant.isoformat().replace("+00:00", "Z")
