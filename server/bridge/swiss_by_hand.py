"""A round that a director pairs by hand: everything that speaks against it."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from server.bridge.swiss_draw import PairedRound
from server.bridge.swiss_pairing import Meeting

P = TypeVar("P", bound=Hashable)


class Fault(StrEnum):
    """What can be wrong with a round that was paired by hand."""

    TOO_EARLY = "too_early"  # the round before it has not started
    UNKNOWN_PAIR = "unknown_pair"  # it does not play in this round
    AGAINST_ITSELF = "against_itself"
    PAIR_TWICE = "pair_twice"
    PAIR_MISSING = "pair_missing"  # it neither plays nor sits out
    NEEDLESS_SIT_OUT = "needless_sit_out"  # two sit out who could meet, or one in an even field
    REMATCH = "rematch"
    SECOND_SIT_OUT = "second_sit_out"  # while others have had fewer
    BOARDS_DEALT = "boards_dealt"  # at a table of the round that is played, which would be torn apart
    NOTHING_TO_PLAY = "nothing_to_play"  # of that round: every board of it was seen at another table

    @property
    def forbids(self) -> bool:
        """Whether such a round cannot be played; otherwise the director may want it so."""
        return self not in _POSSIBLE


_POSSIBLE = (Fault.NEEDLESS_SIT_OUT, Fault.REMATCH, Fault.SECOND_SIT_OUT, Fault.BOARDS_DEALT)


@dataclass(frozen=True, slots=True)
class Objection(Generic[P]):
    """One thing that speaks against a round."""

    fault: Fault
    pairs: tuple[P, ...]  # whom it concerns
    rounds: tuple[int, ...] = ()  # in which they have met before


def objections(
    paired: PairedRound[P],
    order: Sequence[P],
    meetings: Iterable[Meeting[P]] = (),
    byes: Mapping[P, int] | None = None,
) -> tuple[Objection[P], ...]:
    """All objections to a round by hand; ``order``, ``meetings`` and ``byes`` as for `pair_round`.

    They come fault by fault as these are listed, and within each in the order in which the round or the
    field names the pairs.
    """
    named = [pair for match in paired.matches for pair in match] + list(paired.sit_outs)
    known, times = set(order), Counter(named)
    itself = {a for a, b in paired.matches if a == b}
    return (
        *(Objection(Fault.UNKNOWN_PAIR, (pair,)) for pair in times if pair not in known),
        *(Objection(Fault.AGAINST_ITSELF, (pair,)) for pair in dict.fromkeys(named) if pair in itself),
        *(
            Objection(Fault.PAIR_TWICE, (pair,))
            for pair, count in times.items()
            if count > (2 if pair in itself else 1)
        ),
        *(Objection(Fault.PAIR_MISSING, (pair,)) for pair in order if pair not in times),
        *_needless(paired.sit_outs, len(order)),
        *_rematches(paired.matches, meetings),
        *_second_sit_outs(paired.sit_outs, order, byes or {}),
    )


def too_early(round_number: int, started: int) -> tuple[Objection[int], ...]:
    """What speaks against a round whose predecessor has not started, when the last to start is ``started``.

    Who will have met by then, nobody knows yet.
    """
    return (Objection(Fault.TOO_EARLY, ()),) if round_number > started + 1 else ()


def arisen(found: Iterable[Objection[P]], known: Iterable[Objection[P]]) -> tuple[Objection[P], ...]:
    """The objections that were not among those known when the round was taken despite them.

    A rematch is a new one also where the two have met once more since then.
    """
    before: dict[tuple[Fault, frozenset[P]], set[int]] = {}
    for each in known:
        before.setdefault((each.fault, frozenset(each.pairs)), set()).update(each.rounds)
    return tuple(
        each
        for each in found
        if (rounds := before.get((each.fault, frozenset(each.pairs)))) is None
        or not rounds.issuperset(each.rounds)
    )


def higher_first(matches: Iterable[tuple[P, P]], order: Sequence[P]) -> tuple[tuple[P, P], ...]:
    """The matches with the higher ranked pair named first, as the seating wants them."""
    place = {pair: rank for rank, pair in enumerate(order)}
    return tuple((a, b) if place[a] < place[b] else (b, a) for a, b in matches)


def may_be_replaced(round_number: int, started: int, has_result: bool) -> bool:
    """Whether a round may still be paired by hand when the last that has started is ``started`` (0: none).

    Before it starts, always; then only while it is the one being played and no table of it has a result.
    """
    return round_number > started or (round_number == started and not has_result)


def _needless(sit_outs: Sequence[P], field: int) -> tuple[Objection[P], ...]:
    allowed = field % 2
    return (Objection(Fault.NEEDLESS_SIT_OUT, tuple(sit_outs)),) if len(sit_outs) > allowed else ()


def _rematches(matches: Sequence[tuple[P, P]], meetings: Iterable[Meeting[P]]) -> list[Objection[P]]:
    met: dict[frozenset[P], list[int]] = {}
    for meeting in meetings:
        met.setdefault(frozenset((meeting.a, meeting.b)), []).append(meeting.round)
    return [
        Objection(Fault.REMATCH, match, tuple(sorted(met[frozenset(match)])))
        for match in matches
        if frozenset(match) in met
    ]


def _second_sit_outs(sit_outs: Sequence[P], order: Sequence[P], byes: Mapping[P, int]) -> list[Objection[P]]:
    fewest = min((byes.get(pair, 0) for pair in order), default=0)
    return [Objection(Fault.SECOND_SIT_OUT, (pair,)) for pair in sit_outs if byes.get(pair, 0) > fewest]
