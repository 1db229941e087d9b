"""Who somebody is in an event: a person is entered once, and plays by any of his accounts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from server.storage import event_entries, event_rounds, event_substitutes, players, results
from server.storage.event_entries import Entry
from server.storage.players import Player


def entry_of(connection: Connection, event: int, player: Player) -> int | None:
    """The pair that a player is entered with, by this account before any other of his; None: he is not."""
    own = event_entries.number_of(connection, event, player.number)
    if own is not None:
        return own
    others = sorted(players.accounts(connection, [player.person]).keys() - {player.number})
    found = (event_entries.number_of(connection, event, each) for each in others)
    return next((number for number in found if number is not None), None)


def account_of(connection: Connection, people: Iterable[int], player: Player) -> int | None:
    """Which of these accounts stands for a player: this one before any other of his; None: none of them."""
    numbers = set(people)
    if player.number in numbers:
        return player.number
    known = players.by_number(connection, numbers)
    return min((each.number for each in known.values() if each.person == player.person), default=None)


def persons(connection: Connection, accounts: Iterable[int]) -> dict[int, int]:
    """Whose these accounts are."""
    return {each.number: each.person for each in players.by_number(connection, accounts).values()}


def has_part(connection: Connection, event: int, name: str | None) -> bool:
    """Whether this player has a part in an event by any account; None: whoever asks is no player.

    He has when he is entered, sits or has sat in for somebody, or has played a board of it.
    """
    player = None if name is None else players.find(connection, [name]).get(name)
    if player is None:
        return False
    mine = sorted({player.number, *players.accounts(connection, [player.person])})
    entered = any(event_entries.number_of(connection, event, each) is not None for each in mine)
    sat_in = any(each.substitute in mine for each in event_substitutes.of_event(connection, event))
    rows = event_rounds.board_numbers(connection, event).values()
    played = results.plays_of(connection, [(row, each) for row in rows for each in mine])
    return entered or sat_in or bool(played)


@dataclass(frozen=True, slots=True)
class Persons:
    """Whose accounts some are: what is said of a person holds by whichever of them he plays."""

    by_account: Mapping[int, int]

    def of(self, accounts: Iterable[int]) -> frozenset[int]:
        """The persons whose accounts these are."""
        return frozenset(self.by_account[each] for each in accounts)

    def pairs_with(self, accounts: Iterable[int], entries: Iterable[Entry]) -> set[int]:
        """Numbers of the pairs in which one of these persons plays."""
        wanted = self.of(accounts)
        return {each.number for each in entries if wanted & self.of(each.players)}


def known(connection: Connection, *accounts: Iterable[int]) -> Persons:
    """Whose these accounts are, to be asked often."""
    return Persons(persons(connection, {each for some in accounts for each in some}))
