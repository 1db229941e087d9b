"""Who sits in for a player of an event who is missing, for how long, and for how many boards."""

from collections.abc import Collection

from sqlalchemy import Connection

from server.bridge.swiss_field import substitute_refusal
from server.services import event_people, event_room
from server.services.event_errors import SubstituteRefused
from server.services.event_play import Desk, check_members, missing_player, played_round
from server.services.event_snapshot import telling
from server.services.events import noted
from server.storage import (
    assignments,
    event_entries,
    event_results,
    event_rounds,
    event_substitutes,
    players,
    results,
)
from server.storage.event_substitutes import Substitution
from server.storage.events import Event


def substitute(connection: Connection, desk: Desk, number: int, name: str, other: str) -> None:
    """Somebody sits in for a player who is missing, for what is left of the round that is played.

    Again for the same player: in place of whoever sat in for him; where it is the player himself, by any of
    his accounts, he is back and plays from now on. What was played until then stays as it was.

    Raises EventState, NotEntered, SubstituteRefused, UnknownPlayer, MembersOnly.
    """
    event = desk.open(connection, number)
    running = played_round(event)
    entry, player = missing_player(connection, number, name)
    known = event_room.known_players(connection, [other], desk.create_players, desk.now)[other]
    himself = event_people.persons(connection, [player])[player] == known.person
    if not himself:
        check_members([known])
        accounts = players.accounts(connection, [known.person]).keys()
        _check(connection, event, running, Substitution(running, player, known.number, entry, True), accounts)
    with telling(connection, number, desk.now):
        if himself:
            _back(connection, desk, event, running, player)
        else:
            event_substitutes.begin(connection, number, running, player, known.number, entry)
    noted(connection, desk.caller, "substitute", number, f"{player} {known.number}", desk.now)


def _back(connection: Connection, desk: Desk, event: Event, number: int, player: int) -> None:
    """Let a player play himself; nothing changes where nobody sits in for him.

    Where his substitute had come to the table, so has he: the seat was never empty.
    """
    came = event_rounds.arrivals(connection, event.id, number)
    for each in event_substitutes.current(connection, event.id, number):
        if each.player == player and each.substitute in came:
            event_rounds.arrive(connection, event.id, number, player, desk.now)
    event_substitutes.end(connection, event.id, number, player)


def _check(
    connection: Connection, event: Event, number: int, wanted: Substitution, accounts: Collection[int]
) -> None:
    """Raises SubstituteRefused. ``accounts``: all that whoever would sit in has."""
    entered = any(event_entries.number_of(connection, event.id, each) for each in sorted(accounts))
    ever = event_substitutes.of_event(connection, event.id, number)
    others = [each for each in ever if each.player != wanted.player]
    busy = any(each.standing and each.substitute in accounts for each in others)
    # Who has left another table may sit down here if he had not come there, nor seen what is played here.
    left = any(each.substitute in accounts and each.entry != wanted.entry for each in others)
    refusal = substitute_refusal(
        has_table=any(
            wanted.entry in (each.ns, each.ew) for each in event_rounds.matches(connection, event.id, number)
        ),
        in_another_pair=entered or busy or (left and _has_begun(connection, event, number, accounts)),
        partner_replaced=any(each.standing and each.entry == wanted.entry for each in others),
        boards=_boards_with_substitutes(connection, event, number, wanted.entry),
        of=event.rules.rounds * event.rules.boards,
    )
    if refusal is not None:
        raise SubstituteRefused(refusal.value)


def _has_begun(connection: Connection, event: Event, number: int, accounts: Collection[int]) -> bool:
    """Whether one of these accounts has come to a table of a round, or seen a board of it."""
    if not event_rounds.arrivals(connection, event.id, number).keys().isdisjoint(accounts):
        return True
    rows = event_rounds.board_numbers(connection, event.id, number).values()
    if assignments.exposed(connection, rows, accounts):
        return True
    return bool(results.plays_of(connection, [(row, each) for row in rows for each in accounts]))


def _boards_with_substitutes(connection: Connection, event: Event, number: int, entry: int) -> int:
    """Boards that a pair will have played with substitutes when one plays all that are left of a round."""
    pair = next(each for each in event_entries.of_event(connection, event.id) if each.number == entry)
    tables = {
        each.name: each for each in event_rounds.matches(connection, event.id) if entry in (each.ns, each.ew)
    }
    played = [each for each in event_results.lineups(connection, event.id) if each.table in tables]
    sides = [each.ns if tables[each.table].ns == entry else each.ew for each in played]
    who = event_people.persons(connection, {*pair.players, *(player for side in sides for player in side)})
    so = sum(not {who[each] for each in side} <= {who[each] for each in pair.players} for side in sides)
    left = event.rules.boards - sum(each.round == number for each in played)
    return so + (left if any(each.round == number for each in tables.values()) else 0)
