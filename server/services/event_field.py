"""The field of an event: its pairs with their scores, and the order that follows from them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from typing import Any

import msgspec
from sqlalchemy import Connection

from server.bridge.adjustments import Average
from server.bridge.qualifying import Candidate, Qualified, qualified
from server.bridge.standings import Placing, Standing, completed, final_standings, pairing_order
from server.bridge.swiss_field import Encounter, Entrant, active, byes_had, meetings_before
from server.bridge.swiss_pairing import Meeting
from server.bridge.swiss_round import BoardScore, Kind, RoundScore, encounter, event_total
from server.bridge.traveller import SideScores, hundredths
from server.services import event_people
from server.services.event_people import Persons
from server.storage import event_entries, event_penalties, event_rounds, events
from server.storage.event_entries import Entry
from server.storage.event_penalties import Penalty
from server.storage.event_rounds import Match, Round, StoredScore
from server.storage.events import Event

SUSPENSION = "suspension"


@dataclass(frozen=True)
class Field:
    """An event with its pairs and everything that they have done so far."""

    event: Event
    entries: tuple[Entry, ...]  # in order of registration
    rounds: tuple[Round, ...]
    matches: tuple[Match, ...]  # of all rounds
    scores: Mapping[int, Mapping[int, RoundScore]]  # by pair and round, of rounds that are scored
    penalties: tuple[Penalty, ...]  # those that were lifted too
    persons: Persons  # of its pairs, and of whom the event names

    @cached_property
    def scored(self) -> int:
        """Rounds that are scored."""
        return sum(each.scored_at is not None for each in self.rounds)

    @property
    def started(self) -> int:
        """The last round that has started; 0: none."""
        return max((each.number for each in self.rounds if each.started_at is not None), default=0)

    def entrants(self, round_number: int, now: datetime) -> list[Entrant]:
        """The pairs, as it matters whether they are paired in a round that starts now."""
        return [
            Entrant(
                each.number,
                each.first_round,
                each.withdrawn_at is not None,
                each.absent_in,
                each.ready,
                self.suspended(each.number, round_number, now),
            )
            for each in self.entries
        ]

    def active(self, round_number: int, now: datetime) -> tuple[int, ...]:
        """Pairs that are paired in a round that starts now, in order of registration."""
        return active(self.entrants(round_number, now), round_number)

    def suspended(self, pair: int, round_number: int, now: datetime) -> bool:
        """Whether a director keeps the pair out of a round."""
        return any(
            each.entry == pair
            and each.kind == SUSPENSION
            and (
                (each.until_round is not None and round_number <= each.until_round)
                or (each.until_at is not None and now < each.until_at)
            )
            for each in self.penalties
            if each.lifted is None
        )

    def deduction(self, pair: int) -> int:
        """Hundredths that a director took off the pair's total."""
        return sum(each.amount for each in self.penalties if each.entry == pair and each.lifted is None)

    @cached_property
    def carried(self) -> Mapping[int, int]:
        """Hundredths of a VP that pairs have brought from an earlier event."""
        brought = {self.persons.of(each.players): each.points for each in self.event.carried}
        found = {each.number: brought.get(self.persons.of(each.players), 0) for each in self.entries}
        return {pair: points for pair, points in found.items() if points}

    def standing(self, entry: Entry) -> Standing:
        """What decides the place of a pair."""
        mine = self.scores.get(entry.number, {})
        less = self.deduction(entry.number) - self.carried.get(entry.number, 0)
        total = event_total(self.event.rules.scores, mine.values(), less)
        finished = sum(each.finished for each in mine.values())
        return Standing(entry.number, total, finished, entry.first_round > 1 and not mine)

    def worth(self, pair: int, number: int) -> int | None:
        """What a pair has from a round, in hundredths.

        None: it has not been scored there, or by matchpoints no board of it counts.
        """
        score = self.scores.get(pair, {}).get(number)
        return None if score is None else score.worth(self.event.rules.scoring)

    @cached_property
    def standings(self) -> dict[int, Standing]:
        """By pair."""
        return {each.number: self.standing(each) for each in self.entries}

    @cached_property
    def absences(self) -> dict[int, int]:
        """Pairs that were absent for the whole of the last round that they were to play, by pair: which.

        Whoever plays or sits out later has come again, whatever is ruled about the round before.
        """
        last: dict[int, int] = {}
        for each in self.rounds:
            if each.started_at is not None:
                last |= dict.fromkeys(each.sit_outs, each.number)
        for match in self.matches:
            for pair in (match.ns, match.ew):
                last[pair] = max(match.round, last.get(pair, 0))
        scores = {pair: self.scores.get(pair, {}).get(number) for pair, number in last.items()}
        return {pair: last[pair] for pair, score in scores.items() if score and score.kind is Kind.ABSENT}

    def order(self, round_number: int, now: datetime) -> list[int]:
        """The pairs of a round that starts now, in the order in which they are paired."""
        playing = self.active(round_number, now)
        return pairing_order(self.standings[pair] for pair in playing)

    @cached_property
    def placings(self) -> tuple[Placing, ...]:
        """The standings after the rounds that are scored, ranks and all."""
        rules = self.event.rules
        return final_standings(self.standings.values(), self.boards, rules.ratio, rules.band)

    @property
    def boards(self) -> int:
        """Boards of the rounds that are scored."""
        return self.scored * self.event.rules.boards

    def completed(self, pair: int) -> bool:
        """Whether a pair has finished enough boards to be ranked."""
        return completed(self.standings[pair].boards, self.boards, self.event.rules.ratio)

    def qualified(self) -> Qualified | None:
        """Who goes on, where the event is a qualification; not those that have left it."""
        rules = self.event.rules
        if not rules.places:
            return None
        left = {each.number for each in self.entries if each.withdrawn_at is not None}
        ranked = [each.pair for each in self.placings if each.rank is not None and each.pair not in left]
        candidates = [Candidate(pair, self.standings[pair].score, pair in self.protected) for pair in ranked]
        return qualified(candidates, rules.places, rules.protected_places, rules.tie)

    @cached_property
    def encounters(self) -> list[Encounter]:
        """What became of the matches of rounds that are scored."""
        return [
            encounter(match.round, self.scores[match.ns][match.round], self.scores[match.ew][match.round])
            for match in self.matches
            if match.round in self.scores.get(match.ns, {})
        ]

    def meetings(self, round_number: int) -> list[Meeting[int]]:
        """Who has met whom when a round is paired."""
        return meetings_before(self.encounters, round_number)

    @cached_property
    def byes(self) -> Mapping[int, int]:
        """How often each pair has sat out."""
        started = [each for each in self.rounds if each.scored_at is not None]
        return byes_had((pair for each in started for pair in each.sit_outs), self.encounters)

    def meetings_by(self, round_number: int) -> list[Meeting[int]]:
        """As ``meetings``, with the matches before it that are being played, as if they had been."""
        scored = {(each.round, each.a, each.b) for each in self.encounters}
        playing = [
            Encounter(each.round, each.ns, each.ew, True, frozenset())
            for each in self.matches
            if each.round < round_number and (each.round, each.ns, each.ew) not in scored
        ]
        return meetings_before([*self.encounters, *playing], round_number)

    def byes_by(self, round_number: int) -> Mapping[int, int]:
        """As ``byes``, with those who sit out in rounds before it that are being played."""
        before = (each for each in self.rounds if each.started_at is not None and each.number < round_number)
        return byes_had((pair for each in before for pair in each.sit_outs), self.encounters)

    @cached_property
    def seeded(self) -> set[int]:
        """Pairs with a player who is seeded."""
        return self.persons.pairs_with(self.event.seeded, self.entries)

    @cached_property
    def protected(self) -> set[int]:
        """Pairs with a player for whom a place may be protected."""
        return self.persons.pairs_with(self.event.protected, self.entries)


def load(connection: Connection, event: Event) -> Field:
    """Everything that decides about an event."""
    scores: dict[int, dict[int, RoundScore]] = {}
    for stored in event_rounds.scores(connection, event.id):
        scores.setdefault(stored.entry, {})[stored.round] = parsed(stored)
    entries = tuple(event_entries.of_event(connection, event.id))
    pairs = [*(each.players for each in entries), *(each.players for each in event.carried)]
    return Field(
        event,
        entries,
        tuple(event_rounds.rounds(connection, event.id)),
        tuple(event_rounds.matches(connection, event.id)),
        scores,
        tuple(event_penalties.of_event(connection, event.id)),
        event_people.known(connection, event.seeded, event.protected, *pairs),
    )


def board_fields(connection: Connection, board: int) -> dict[str, SideScores]:
    """What a board of a round that is scored gave to each table, by the method of its event."""
    found = events.of_board(connection, board)
    if found is None:
        return {}
    event, number = found
    scores = [parsed(each) for each in event_rounds.scores(connection, event) if each.round == number]
    numbers = {row: name for name, row in event_rounds.board_numbers(connection, event, number).items()}
    return fields_of(connection, event, number, numbers[board], scores)


def fields_of(
    connection: Connection, event: int, number: int, board: int, scores: Iterable[RoundScore]
) -> dict[str, SideScores]:
    """What a board, by its number in the event, gives to each table with these scores of its round."""
    by_pair = {each.pair: each for each in scores}
    fields = {}
    for match in event_rounds.matches(connection, event, number):
        sides = [_value(by_pair.get(pair), board) for pair in (match.ns, match.ew)]
        if sides[0] is not None and sides[1] is not None:
            fields[match.name] = SideScores(sides[0], sides[1])
    return fields


def _value(score: RoundScore | None, board: int) -> int | None:
    """Hundredths from a board; None where it was not compared."""
    found = None if score is None else score.boards.get(board)
    return None if found is None or found.value is None or not found.played else hundredths(found.value)


def stored(round_number: int, score: RoundScore) -> StoredScore:
    """A score as it is kept: exact, board by board."""
    told = {
        str(board): [
            None if each.value is None else [each.value.numerator, each.value.denominator],
            each.played,
            None if each.artificial is None else each.artificial.value,
        ]
        for board, each in score.boards.items()
    }
    boards = msgspec.json.encode(told).decode()
    return StoredScore(round_number, score.pair, score.kind.value, score.score, score.finished, boards)


class _Boards(Mapping[int, BoardScore]):
    """Scores by board from what is kept, read when somebody looks at them: totals do without."""

    def __init__(self, kept: str) -> None:
        self._kept = kept

    @cached_property
    def _read(self) -> dict[int, BoardScore]:
        told: dict[str, Any] = msgspec.json.decode(self._kept)
        return {
            int(board): BoardScore(
                None if value is None else Fraction(*value),
                played,
                None if artificial is None else Average(artificial),
            )
            for board, (value, played, artificial) in told.items()
        }

    def __getitem__(self, board: int) -> BoardScore:
        return self._read[board]

    def __iter__(self) -> Iterator[int]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def parsed(kept: StoredScore) -> RoundScore:
    """A score from what is kept."""
    return RoundScore(kept.entry, Kind(kept.kind), kept.score, kept.finished, _Boards(kept.boards))
