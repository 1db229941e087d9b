"""Judges whole Swiss events by what happened in them. It imports nothing of the product.

What it is given is a `Log`: who entered, left, stayed away and came back when, and of each round the order,
the matches, the sit-outs, who never came, whether anything was played, and what each pair had from it. From
that it works out for itself who had to play, who had met whom and who had sat out how often.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cache

import networkx as nx

from tests.bridge import swiss_oracle

EXACT = 12  # fields up to this size are compared with the best of all rounds
BOTTOM = 10**9


@dataclass
class LoggedRound:
    """What happened in a round; pairs are registration numbers."""

    number: int
    order: list
    matches: list  # (higher, lower), by tables
    sit_outs: list
    seats: list  # (NS, EW), by tables
    absent: set = field(default_factory=set)
    played: set = field(default_factory=set)  # matches with a result
    scores: dict = field(
        default_factory=dict
    )  # pair: (hundredths of its total after the round, boards finished)
    by_hand: bool = False  # a director wanted it so, whatever speaks against it


@dataclass
class Log:
    """What happened in an event."""

    seed: int
    rounds_planned: int
    boards: int  # of a round
    first_rounds: dict = field(default_factory=dict)  # pair: from which round on it is entered
    withdrawn_after: dict = field(default_factory=dict)  # pair: round
    ready_before: set = field(default_factory=set)  # (pair, round that it wants to play again)
    rounds: list = field(default_factory=list)
    final: list = field(default_factory=list)  # (pair, rank or None)
    band: int = 0


class Fault(AssertionError):
    """Something is wrong with an event; says of which seed."""


def check(log):
    """Raise Fault at the first thing that is wrong."""
    for at, this in enumerate(log.rounds):
        before = log.rounds[:at]
        _demand(this.number == at + 1, log, this, "rounds are numbered")
        _check_field(log, before, this)
        _check_order(log, before, this)
        _check_places(log, this)
        if not this.by_hand:
            _check_sit_out(log, before, this)
        if before and not this.by_hand:
            _check_rematches(log, before, this)
    _check_balance_of_sit_outs(log)
    _check_final(log)


def _demand(holds, log, this, what):
    if not holds:
        raise Fault(f"seed {log.seed}, round {this and this.number}: {what}")


def expected(log, before, number):
    """Who is entered, has not left and did not stay away unheard of plays in a round; nobody else."""
    found = set()
    for pair, first in log.first_rounds.items():
        silent = False
        for earlier in before:
            if pair in earlier.absent:
                silent = True
            if (pair, earlier.number + 1) in log.ready_before:
                silent = False
        left = log.withdrawn_after.get(pair, BOTTOM) < number
        if first <= number and not left and not silent:
            found.add(pair)
    return found


def _check_field(log, before, this):
    field = expected(log, before, this.number)
    _demand(set(this.order) == field, log, this, f"{field} should play, not {this.order}")
    _demand(len(this.order) == len(field), log, this, "a pair is in the order twice")


def _check_order(log, before, this):
    """Total, boards finished, registration; who enters late, at the bottom."""

    def key(pair):
        been = any(pair in earlier.scores for earlier in before)
        total, boards = before[-1].scores.get(pair, (0, 0)) if before else (0, 0)
        return (not been and log.first_rounds[pair] > 1, -total, -boards, pair)

    _demand(this.order == sorted(this.order, key=key), log, this, "the order is wrong")


def _check_places(log, this):
    named = [pair for match in this.matches for pair in match] + this.sit_outs
    _demand(all(count == 1 for count in Counter(named).values()), log, this, "somebody is there twice")
    _demand(set(named) == set(this.order), log, this, "somebody has no place, or one too many")
    _demand(len(this.sit_outs) == len(this.order) % 2, log, this, "too many sit out")
    _demand(
        [set(match) for match in this.matches] == [set(seats) for seats in this.seats], log, this, "seats"
    )


def _sat_out(before):
    had = Counter(pair for earlier in before for pair in earlier.sit_outs)
    for earlier in before:
        for match in earlier.matches:
            for pair, opponents in (match, match[::-1]):
                had[pair] += opponents in earlier.absent and pair not in earlier.absent
    return had


def _check_sit_out(log, before, this):
    had = _sat_out(before)
    for pair in this.sit_outs:
        fewest = min(had[other] for other in this.order)
        _demand(had[pair] == fewest, log, this, f"{pair} sits out although others have done so less")


def _met(before, this):
    """Meetings by positions in the order."""
    place = {pair: rank for rank, pair in enumerate(this.order)}
    return [
        (earlier.number, place[a], place[b])
        for earlier in before
        for a, b in earlier.matches
        if a in place and b in place
        if (a, b) in earlier.played or (earlier.number == this.number - 1 and {a, b} & earlier.absent)
    ]


def _check_rematches(log, before, this):
    history, had = _met(before, this), _sat_out(before)
    byes = [had[pair] for pair in this.order]
    place = {pair: rank for rank, pair in enumerate(this.order)}
    matches = tuple((place[a], place[b]) for a, b in this.matches)
    cost = sum(swiss_oracle.price(history, a, b, this.number) for a, b in matches)
    if len(this.order) <= EXACT:
        best = swiss_oracle.by_weights(len(this.order), history, byes, this.number)
        sits_out = place[this.sit_outs[0]] if this.sit_outs else None
        _demand((matches, sits_out, cost) == best, log, this, f"{best} is better than {matches}")
    elif cost:
        _demand(cost == _least_cost(history, byes, this.number), log, this, "a rematch is needless")
    _demand(all(a < b for a, b in matches), log, this, "the lower ranked is named first")
    _demand(list(matches) == sorted(matches), log, this, "the tables are not in order")


def _least_cost(history, byes, round_number):
    pairs = range(len(byes))
    price = cache(lambda a, b: swiss_oracle.price(history, a, b, round_number))
    graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, -price(a, b)) for b in pairs for a in range(b))
    if len(byes) % 2:
        graph.add_weighted_edges_from((a, "nobody", 0) for a in pairs if byes[a] == min(byes))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    return sum(price(*sorted(edge)) for edge in matched if "nobody" not in edge)


def _check_balance_of_sit_outs(log):
    """Where nobody ever stayed away, those who played throughout have sat out equally often, or nearly."""
    if any(this.absent or this.by_hand for this in log.rounds) or not log.rounds:
        return
    throughout = [pair for pair in log.rounds[0].order if all(pair in this.order for this in log.rounds)]
    had = _sat_out(log.rounds)
    counts = [had[pair] for pair in throughout]
    _demand(max(counts, default=0) - min(counts, default=0) <= 1, log, None, "sit-outs are not balanced")


def _check_final(log):
    """Half of the boards, then score, boards and registration; groups within the band from the top."""
    scores = log.rounds[-1].scores if log.rounds else {}
    whole = len(log.rounds) * log.boards
    enough = [pair for pair in log.first_rounds if 2 * scores.get(pair, (0, 0))[1] >= whole]
    others = [pair for pair in log.first_rounds if pair not in enough]
    expected = [(pair, rank) for rank, pair in enumerate(_ranked(log, enough, scores), 1)]
    expected += [(pair, None) for pair in _ranked(log, others, scores)]
    _demand(log.final == expected, log, None, f"the final order should be {expected}, not {log.final}")


def _ranked(log, pairs, scores):
    left = {pair: scores.get(pair, (0, 0)) for pair in pairs}
    found = []
    while left:
        first = max(total for total, _ in left.values())
        group = [pair for pair, (total, _) in left.items() if first - total < max(log.band, 1)]
        found += sorted(group, key=lambda pair: (-left[pair][1], pair))
        for pair in group:
            del left[pair]
    return found
