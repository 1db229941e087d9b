"""Plays random Swiss events with the product, as a service would, and logs what happens for the checker."""

import random
from dataclasses import replace
from fractions import Fraction

from server.bridge.adjustments import Artificial, Average, Played
from server.bridge.standings import Standing, final_standings, pairing_order
from server.bridge.swiss_draw import FirstRound, first_round
from server.bridge.swiss_field import (
    Entrant,
    Presence,
    active,
    byes_had,
    latest_entry,
    meetings_before,
    takes_late_entries,
)
from server.bridge.swiss_pairing import pair_round
from server.bridge.swiss_round import PlayedTable, encounter, event_total, round_scores
from server.bridge.swiss_scoring import Scoring, ScoringRules
from server.bridge.swiss_tables import Seating, boards_of_round, lean_to_ns, seat
from tests.bridge.swiss_checker import Log, LoggedRound

SCORES = (0, 50, -50, 110, 140, -100, 420, 620, 650, -620, 1430)


class RandomEvent:
    """One event, all of which follows from its seed."""

    def __init__(self, seed):
        self.source = source = random.Random(seed)
        size = source.choice([source.randint(2, 5), source.randint(2, 13), source.randint(6, 34)])
        rounds = source.randint(1, 9)
        self.rules = ScoringRules(source.choice(list(Scoring)), boards=2)
        self.late_until = source.choice([0, 0, latest_entry(rounds)])
        self.leaving, self.staying_away = (source.choice([0, 0, 0.03, 0.15]) for _ in range(2))
        self.seating = source.choice(list(Seating))
        self.entrants = {number: Entrant(number) for number in range(1, size + 1)}
        self.log = Log(seed, rounds, self.rules.boards, dict.fromkeys(self.entrants, 1))
        self.log.band = source.choice([0, 5])
        self.encounters, self.sit_outs, self.tables, self.scores = [], [], [], {}
        self.wholly_absent = set()

    def chance(self, probability):
        return self.source.random() < probability

    def play(self):
        """The whole event; returns its log."""
        for number in range(1, self.log.rounds_planned + 1):
            self.entrants_move(number)
            field = active(self.entrants.values(), number)
            if len(field) < 2:
                break
            self.play_round(number, field)
        played = len(self.log.rounds)
        standings = [self.standing(pair) for pair in self.entrants]
        placings = final_standings(standings, played * self.rules.boards, Fraction(1, 2), self.log.band)
        self.log.final = [(placing.pair, placing.rank) for placing in placings]
        return self.log

    def entrants_move(self, number):
        """Before a round: late entries, withdrawals, the absent who are ready again."""
        for pair, entrant in list(self.entrants.items()):
            if self.chance(self.leaving):
                self.entrants[pair] = replace(entrant, withdrawn=True)
                self.log.withdrawn_after.setdefault(pair, number - 1)
            elif entrant.absent_in is not None and not entrant.ready and self.chance(0.5):
                self.entrants[pair] = replace(entrant, ready=True)
                self.log.ready_before.add((pair, number))
        while number > 1 and takes_late_entries(number - 1, self.late_until) and self.chance(0.4):
            pair = max(self.entrants) + 1
            self.entrants[pair] = Entrant(pair, first_round=number)
            self.log.first_rounds[pair] = number

    def standing(self, pair):
        rounds = self.scores.get(pair, [])
        newcomer = not rounds and self.entrants[pair].first_round > 1
        total = event_total(self.rules, rounds)
        return Standing(pair, total, sum(each.finished for each in rounds), newcomer)

    def paired(self, number, order):
        if number == 1:
            how, seeded = self.source.choice(list(FirstRound)), self.source.sample(order, len(order) // 3)
            return first_round(how, order, seeded, self.source.getrandbits(64))
        byes = byes_had(self.sit_outs, self.encounters)
        return pair_round(order, meetings_before(self.encounters, number), byes, number)

    def play_round(self, number, field):
        order = pairing_order([self.standing(pair) for pair in field])
        paired = self.paired(number, order)
        tables = seat(paired.matches, self.seating, lean_to_ns(self.tables))
        boards = boards_of_round(number, self.rules.boards)
        played = [self.played(table, boards) for table in tables]
        scored = {each.pair: each for each in round_scores(self.rules, boards, played, paired.sit_outs)}
        for score in scored.values():
            self.scores.setdefault(score.pair, []).append(score)
        self.tables += tables
        self.sit_outs += paired.sit_outs
        logged = LoggedRound(
            number, order, list(paired.matches), list(paired.sit_outs), [(t.ns, t.ew) for t in tables]
        )
        for match, table in zip(paired.matches, played, strict=True):
            self.remember(number, match, table, logged)
            self.encounters.append(encounter(number, scored[table.ns], scored[table.ew]))
        logged.scores = {
            pair: (standing.score, standing.boards)
            for pair in self.scores
            for standing in (self.standing(pair),)
        }
        self.log.rounds.append(logged)

    def played(self, table, boards):
        """What becomes of a table: mostly both come and play most of the boards."""
        presences = [
            self.source.choice([Presence.LATE, Presence.ABSENT])
            if self.chance(self.staying_away)
            else Presence.PRESENT
            for _ in range(2)
        ]
        entries = {}
        for board in boards if Presence.ABSENT not in presences else ():
            what = self.source.random()
            if what < 0.85:
                entries[board] = Played(self.source.choice(SCORES))
            elif what < 0.9:
                entries[board] = Artificial(*self.source.choices(list(Average), k=2))
        return PlayedTable(table.ns, table.ew, entries, *presences)

    def remember(self, number, match, table, logged):
        sides = ((table.ns, table.ns_presence), (table.ew, table.ew_presence))
        absent = {pair for pair, presence in sides if presence is Presence.ABSENT}
        logged.absent |= absent
        if any(isinstance(entry, Played) for entry in table.entries.values()):
            logged.played.add(match)
        for pair in absent:
            self.entrants[pair] = replace(self.entrants[pair], absent_in=number, ready=False)
