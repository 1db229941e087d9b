"""The cheapest ways to pair off a few vertices, and the first of them in order.

Vertices are numbered from 0. A price is what an edge costs; vertices without a price cannot be matched.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

Prices = Mapping[int, Mapping[int, int]]  # symmetric: prices[a][b] = prices[b][a], 0 or more

_FEW = 18  # so many vertices are paired off by going through their subsets


@dataclass(frozen=True, slots=True)
class Matching:
    """A perfect matching: what it costs and who is matched with whom, both ways."""

    cost: int
    partner: Mapping[int, int]


class Matcher:
    """Finds cheapest perfect matchings of subsets of the vertices; remembers what it found of small ones."""

    def __init__(self, prices: Prices) -> None:
        """``prices`` of every edge there is."""
        self._prices = prices
        # By set of vertices, one bit each: the least cost, and the partner of the highest of them in that.
        self._known: dict[int, tuple[int, int] | None] = {0: (0, 0)}
        self._cheapest_first = {a: sorted(edges, key=lambda b: (edges[b], b)) for a, edges in prices.items()}

    def cheapest(self, vertices: Sequence[int], at_most: int | None = None) -> Matching | None:
        """A perfect matching of ``vertices`` that costs least; None when there is none.

        Where ``at_most`` is 0, only one that costs nothing is of interest.
        """
        if len(vertices) % 2:
            return None
        if len(vertices) <= _FEW:
            return self._by_subsets(vertices)
        return self._free(vertices) or (self._by_blossoms(vertices) if at_most != 0 else None)

    def first(self, order: Sequence[int], best: Matching) -> list[tuple[int, int]]:
        """Of all perfect matchings as cheap as ``best`` the one that comes first.

        The first vertex of ``order`` is matched with the earliest of the others with which that is still
        possible, then the first vertex left, and so on.
        """
        matches: list[tuple[int, int]] = []
        left = list(order)
        while left:
            other, best = self.earliest(left[0], left[1:], best)
            matches.append((left[0], other))
            left = [vertex for vertex in left[1:] if vertex != other]
        return matches

    def earliest(self, top: int, others: Sequence[int], best: Matching) -> tuple[int, Matching]:
        """The earliest of ``others`` whom ``top`` can have when the whole is to be as cheap as ``best``.

        With it comes a matching of all the rest that is as cheap as can be.
        """
        for other in others:
            price = self._prices[top].get(other)
            if price is None or price > best.cost:
                continue
            rest = self._exchanged(top, other, best)
            if rest is None or price + rest.cost > best.cost:
                rest = self.cheapest([vertex for vertex in others if vertex != other], best.cost - price)
            if rest is not None and price + rest.cost == best.cost:
                return other, rest
        raise AssertionError("the cheapest matching has a partner for every vertex")

    def _exchanged(self, top: int, other: int, best: Matching) -> Matching | None:
        """``best`` without the two, their partners matched with each other where that is possible."""
        partner = {vertex: to for vertex, to in best.partner.items() if vertex not in (top, other)}
        if best.partner[top] == other:
            return Matching(best.cost - self._prices[top][other], partner)
        one, two = best.partner[top], best.partner[other]
        price = self._prices[one].get(two)
        if price is None:
            return None
        partner[one], partner[two] = two, one
        return Matching(best.cost - self._prices[top][one] - self._prices[other][two] + price, partner)

    def _by_subsets(self, vertices: Iterable[int]) -> Matching | None:
        left = sum(1 << vertex for vertex in vertices)
        found = self._least(left)
        if found is None:
            return None
        cost, partner = found[0], {}
        while left:
            vertex, other = left.bit_length() - 1, (self._known[left] or (0, 0))[1]
            partner[vertex], partner[other] = other, vertex
            left ^= 1 << vertex | 1 << other
        return Matching(cost, partner)

    def _least(self, left: int) -> tuple[int, int] | None:
        """Least cost of pairing off a set of vertices, and the partner of its highest vertex in that."""
        if left in self._known:
            return self._known[left]
        vertex = left.bit_length() - 1
        rest, prices = left ^ 1 << vertex, self._prices[vertex]
        best: tuple[int, int] | None = None
        for other in self._cheapest_first[vertex]:
            price = prices[other]
            if best is not None and price >= best[0]:
                break
            if not rest >> other & 1:
                continue
            found = self._least(rest ^ 1 << other)
            if found is not None and (best is None or price + found[0] < best[0]):
                best = (price + found[0], other)
        self._known[left] = best
        return best

    def _free(self, vertices: Sequence[int]) -> Matching | None:
        """A perfect matching that costs nothing (Edmonds)."""
        edges = [(a, b, 1) for a, b, price in self._edges(vertices) if price == 0]
        return self._perfect(edges, len(vertices))

    def _by_blossoms(self, vertices: Sequence[int]) -> Matching | None:
        """A cheapest one by way of a heaviest one (Edmonds); weights are whole numbers, so it is exact."""
        edges = self._edges(vertices)
        dearest = max((price for _, _, price in edges), default=0)
        return self._perfect([(a, b, dearest + 1 - price) for a, b, price in edges], len(vertices))

    def _edges(self, vertices: Sequence[int]) -> list[tuple[int, int, int]]:
        within = set(vertices)
        return [
            (a, b, price) for a in vertices for b, price in self._prices[a].items() if a < b and b in within
        ]

    def _perfect(self, weighted: Sequence[tuple[int, int, int]], vertices: int) -> Matching | None:
        graph = nx.Graph()
        graph.add_weighted_edges_from(weighted)
        matched = nx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(matched) < vertices:
            return None
        partner = {one: two for a, b in matched for one, two in ((a, b), (b, a))}
        return Matching(sum(self._prices[a][b] for a, b in matched), partner)
