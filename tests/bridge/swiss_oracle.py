"""The rule of the pairing again, in two other ways, to check the product against; it imports nothing of it.

A round is ``(matches, sit-out or None, rematch cost)``; matches are pairs of positions in the order, as are
those of ``history``, which has (round, a, b).
"""

from collections.abc import Iterator, Sequence

import networkx as nx

Round = tuple[tuple[tuple[int, int], ...], int | None, int]


def price(history, a, b, round_number):
    """What it costs that a and b meet."""
    rounds = [number for number, one, other in history if {one, other} == {a, b}]
    return len(rounds) ** 2 + (1_000_000 if round_number - 1 in rounds else 0)


def every_round(places: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to pair off an even number of places, each match and the matches from the top."""
    if not places:
        yield ()
        return
    top, *others = places
    for other in others:
        rest = [place for place in others if place != other]
        for matches in every_round(rest):
            yield ((top, other), *matches)


def by_enumeration(pairs: int, history, byes: Sequence[int], round_number: int) -> Round:
    """The smallest key of all rounds that there are."""
    best = None
    for sit_out in range(pairs) if pairs % 2 else [None]:
        places = [place for place in range(pairs) if place != sit_out]
        for matches in every_round(places):
            cost = sum(price(history, a, b, round_number) for a, b in matches)
            had = 0 if sit_out is None else byes[sit_out]
            key = (had, cost, -(sit_out or 0), [other for _, other in matches])
            if best is None or key < best[0]:
                best = key, (matches, sit_out, cost)
    return best[1]


def by_weights(pairs: int, history, byes: Sequence[int], round_number: int) -> Round:
    """One heaviest matching, with weights so far apart that they hold the whole key."""
    base = pairs + 2
    last_key = base ** (pairs + 1)  # more than all opponents' positions together
    sit_out_key = last_key * base
    dearest = max((price(history, a, b, round_number) for a in range(pairs) for b in range(a)), default=0)
    cost_key = sit_out_key * (pairs * dearest + 1)
    graph = nx.Graph()
    for a in range(pairs):
        for b in range(a + 1, pairs):
            cost = price(history, a, b, round_number)
            graph.add_edge(a, b, weight=-(cost * sit_out_key + b * base ** (pairs - a)))
    if pairs % 2:
        for a in range(pairs):
            graph.add_edge(a, "nobody", weight=-(byes[a] * cost_key + (pairs - 1 - a) * last_key))
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    sit_out = (
        next(({*edge} - {"nobody"}).pop() for edge in matched if "nobody" in edge) if pairs % 2 else None
    )
    matches = tuple(sorted(tuple(sorted(edge)) for edge in matched if "nobody" not in edge))
    return matches, sit_out, sum(price(history, a, b, round_number) for a, b in matches)
