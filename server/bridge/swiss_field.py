"""Who plays in a round of a Swiss pairs: late entries, withdrawals, absence, substitutes, sit-outs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from server.bridge.swiss_pairing import Meeting


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair that is entered, and what decides whether it is paired."""

    number: int  # of its registration; never reused
    first_round: int = 1  # in which it can play
    withdrawn: bool = False
    absent_in: int | None = None  # the last round for the whole of which it was absent
    ready: bool = False  # one of them said so since then
    suspended: bool = False  # by a director, for this round

    def plays(self, round_number: int) -> bool:
        """Whether it is paired in a round that starts now.

        A pair that was absent for a whole round is not, until one of the two is ready again.
        """
        silent = self.absent_in is not None and not self.ready
        return self.first_round <= round_number and not (self.withdrawn or silent or self.suspended)


def active(entrants: Iterable[Entrant], round_number: int) -> tuple[int, ...]:
    """Numbers of the pairs that are paired in a round that starts now, in order of registration."""
    return tuple(sorted(entrant.number for entrant in entrants if entrant.plays(round_number)))


def latest_entry(rounds: int) -> int:
    """The last round until whose end an event may take late entries: half of them have been played then."""
    return rounds // 2


def takes_late_entries(running: int, late_until: int) -> bool:
    """Whether a pair may still enter while round ``running`` is played; it plays from the next round on."""
    return running <= late_until


class Presence(StrEnum):
    """Whether a pair came to its table."""

    PRESENT = "present"
    LATE = "late"  # marked absent, but came while a board could still be played
    ABSENT = "absent"


def presence(arrivals: Sequence[int | None], appear_by: int, playable_until: int) -> Presence:
    """What a pair was in a round, by the instants at which its two players came to the table (None: never).

    Both are there by ``appear_by``, or the pair is marked absent; it still plays when both are there by
    ``playable_until``, the last instant at which a board is dealt.
    """
    if any(instant is None for instant in arrivals):
        return Presence.ABSENT
    complete = max(instant for instant in arrivals if instant is not None)
    if complete <= appear_by:
        return Presence.PRESENT
    return Presence.LATE if complete <= playable_until else Presence.ABSENT


class SubstituteRefusal(StrEnum):
    """Why somebody may not sit in for a player who is missing."""

    NO_TABLE = "no_table"  # the pair sits out, or does not play in this round
    IN_ANOTHER_PAIR = "in_another_pair"  # entered with it, or at its table in this round
    PARTNER_REPLACED = "partner_replaced"  # in this round: nobody of the pair itself would play
    TOO_MANY_BOARDS = "too_many_boards"


def substitute_refusal(
    *, has_table: bool, in_another_pair: bool, partner_replaced: bool, boards: int, of: int
) -> SubstituteRefusal | None:
    """Why a substitute is refused, None when he is not.

    One player of a pair that plays may be missing. ``boards``: boards of the event that this pair would then
    have played with substitutes, at most half of all ``of`` its boards.
    """
    if not has_table:
        return SubstituteRefusal.NO_TABLE
    if in_another_pair:
        return SubstituteRefusal.IN_ANOTHER_PAIR
    if partner_replaced:
        return SubstituteRefusal.PARTNER_REPLACED
    return SubstituteRefusal.TOO_MANY_BOARDS if 2 * boards > of else None


@dataclass(frozen=True, slots=True)
class Encounter:
    """What became of a match."""

    round: int
    a: int
    b: int
    played: bool  # at least one board of it has a result, played or assigned
    absent: frozenset[int] = frozenset()  # who of the two never appeared


def meetings_before(encounters: Iterable[Encounter], round_number: int) -> list[Meeting[int]]:
    """What counts as a meeting when round ``round_number`` is paired, of the encounters of all rounds before.

    A match of which nothing was played is none. But who waited in vain should not have to wait for the same
    pair again at once: in the next round, and in that one only, it is as if they had met.
    """
    return [
        Meeting(match.round, match.a, match.b)
        for match in encounters
        if match.played or (match.absent and match.round == round_number - 1)
    ]


def byes_had(sit_outs: Iterable[int], encounters: Iterable[Encounter]) -> Counter[int]:
    """How often each pair has sat out; ``sit_outs`` names it once for every time.

    Waiting for opponents who never appear is like sitting out.
    """
    waited = (
        pair
        for match in encounters
        for pair, opponents in ((match.a, match.b), (match.b, match.a))
        if opponents in match.absent and pair not in match.absent
    )
    return Counter([*sit_outs, *waited])
