"""From the body of a request to a result as it is reported."""

from dataclasses import replace
from datetime import UTC, datetime

from server.bridge.contract import PASSED_OUT, Outcome, parse_contract, parse_result
from server.bridge.deal import parse_card
from server.bridge.errors import BridgeError, Impossible
from server.bridge.seats import Seat
from server.services.disconnects import Leaving
from server.services.errors import InvalidResult
from server.services.idempotency import Once
from server.services.reports import BoardNumber, Report, Sitting
from server.storage.event_rounds import table_name
from server.storage.ids import board_number
from server.web.problems import FieldError, InvalidBody
from server.web.requests import AdjustBody, DisconnectBody, NumberedBoard, ResultBody, Seated
from server.web.requests_events import EventResultBody

AnyResult = ResultBody | EventResultBody


def report(body: ResultBody, once: Once) -> Report:
    """The report that ``body`` makes.

    Whether there is such a board is asked after the key: the same request again gets the same answer.
    Raises InvalidBody for members that contradict each other, InvalidResult for what cannot have happened.
    """
    return _report(body, once, body.players, _board(body.board))


def event_report(
    body: EventResultBody, once: Once, sitting: Sitting, row: int, received_at: datetime
) -> Report:
    """The report that a table of an event makes; ``row`` of the board where it is named by its id.

    Raises InvalidBody, InvalidResult.
    """
    found = _report(body, once, body.players, row)
    return replace(
        found, table=table_name(sitting.round, sitting.table), sitting=sitting, received_at=received_at
    )


def _report(body: AnyResult, once: Once, seats: Seated | None, board: int | BoardNumber | str) -> Report:
    players = () if seats is None else (seats.N, seats.E, seats.S, seats.W)
    _check_players(players)
    outcome = outcome_of(body)
    substitutes = _substitutes(body, players)
    if players:
        _check_disconnects(body, {*players, *(name for _, name in substitutes)})
    return Report(
        once=once,
        table=body.table if isinstance(body, ResultBody) else "",
        players=players,
        outcome=outcome,
        lead=_lead(body, outcome),
        played_at=_in_utc(body.played_at, "/played_at"),
        disconnects=tuple(dict.fromkeys(body.disconnects)),
        substitutes=substitutes,
        auction=None if body.auction is None else tuple(body.auction),
        play=None if body.play is None else tuple(body.play),
        board=board,
    )


def leaving(body: DisconnectBody) -> Leaving:
    """The disconnect that ``body`` reports; raises InvalidBody, InvalidResult."""
    players = (body.players.N, body.players.E, body.players.S, body.players.W)
    _check_players(players)
    if body.player not in players:
        raise InvalidResult("/player", f"{body.player!r} was not at the table")
    at = _in_utc(body.at, "/at")
    return Leaving(body.player, _board(body.board), body.table, players, at)


def _board(named: str | NumberedBoard) -> int | BoardNumber | str:
    if not isinstance(named, str):
        return BoardNumber(named.week, named.pool, named.number)
    number = board_number(named)
    return named if number is None else number


def _check_players(players: tuple[str, ...]) -> None:
    if len(set(players)) == len(players):
        return
    for seat, player in zip(Seat, players, strict=True):
        if players.index(player) != list(Seat).index(seat):
            raise InvalidResult(f"/players/{seat}", f"{player!r} sits twice at the table")


def outcome_of(body: AnyResult | AdjustBody) -> Outcome:
    """Contract, declarer and tricks; raises InvalidBody, InvalidResult."""
    if body.result is not None:
        for name in ("contract", "declarer", "tricks"):
            if getattr(body, name) is not None:
                raise _contradiction(f"/{name}", "`result` says it already")
        try:
            return parse_result(body.result)
        except BridgeError as error:
            raise InvalidResult("/result", str(error)) from error
    if body.contract is None:
        raise _contradiction("/contract", "this member is missing (or `result` in its place)")
    try:
        contract = parse_contract(body.contract)
    except BridgeError as error:
        raise InvalidResult("/contract", str(error)) from error
    if contract is None:
        return _passed_out(body)
    try:
        return Outcome(contract, None if body.declarer is None else Seat(body.declarer), body.tricks)
    except Impossible as error:
        raise InvalidResult(f"/{error.member}", error.reason) from error


def _passed_out(body: AnyResult | AdjustBody) -> Outcome:
    for name in ("declarer", "tricks"):
        if getattr(body, name) is not None:
            raise InvalidResult(f"/{name}", "a passed-out board has no declarer and no tricks")
    return PASSED_OUT


def _lead(body: AnyResult, outcome: Outcome) -> str | None:
    if body.lead is None:
        return None
    if outcome.passed_out:
        raise InvalidResult("/lead", "a passed-out board has no lead")
    try:
        return parse_card(body.lead)
    except BridgeError as error:
        raise InvalidResult("/lead", str(error)) from error


def _in_utc(moment: datetime | None, pointer: str) -> datetime | None:
    try:
        return None if moment is None else moment.astimezone(UTC)
    except OverflowError as error:
        raise _contradiction(pointer, "no calendar has this moment in UTC") from error


def _substitutes(body: AnyResult, players: tuple[str, ...]) -> tuple[tuple[Seat, str], ...]:
    if body.substitutes is None:
        return ()
    found: list[tuple[Seat, str]] = []
    for seat in Seat:
        name = getattr(body.substitutes, seat.value)
        if not isinstance(name, str):
            continue
        if name in players or name in (other for _, other in found):
            raise InvalidResult(f"/substitutes/{seat}", f"{name!r} cannot be at the table twice")
        found.append((seat, name))
    return tuple(found)


def _check_disconnects(body: AnyResult, people: set[str]) -> None:
    for i, name in enumerate(body.disconnects):
        if name not in people:
            raise InvalidResult(f"/disconnects/{i}", f"{name!r} was not at the table")


def _contradiction(pointer: str, detail: str) -> InvalidBody:
    return InvalidBody((FieldError(pointer, detail),))
