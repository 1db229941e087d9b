"""The twelfth round of large Swiss pairs, after eleven with random results."""

import time

from server.bridge.swiss_draw import SplitMix64
from server.bridge.swiss_pairing import Meeting, pair_round

ROUND, TIMES = 12, 5


def measured() -> dict[str, float]:
    """Seconds for one round, by the number of pairs."""
    return {f"pairing {pairs:,} pairs, s": _seconds(pairs) for pairs in (160, 2000, 10_000)}


def _seconds(pairs: int) -> float:
    source, scores, meetings = SplitMix64(pairs), [0] * pairs, list[Meeting[int]]()
    for number in range(1, ROUND):
        for a, b in pair_round(_order(scores), meetings, {}, number).matches:
            gained = source.below(2001)
            scores[a] += gained
            scores[b] += 2000 - gained
            meetings.append(Meeting(number, a, b))
    order = _order(scores)
    started = time.perf_counter()
    for _ in range(TIMES):
        pair_round(order, meetings, {}, ROUND)
    return (time.perf_counter() - started) / TIMES


def _order(scores: list[int]) -> list[int]:
    return sorted(range(len(scores)), key=lambda pair: (-scores[pair], pair))


if __name__ == "__main__":
    print(measured())
