"""How many rows a token may send: so many a second, after a burst."""

import math
from collections import OrderedDict
from collections.abc import Callable

from server.web.problems import RateLimited

BURST = 1000  # rows
KEPT = 10_000


class RateLimit:
    """A bucket of rows for each token, refilled all the time."""

    def __init__(self, per_second: int, seconds: Callable[[], float]) -> None:
        self._per_second = per_second  # 0: no limit
        self._seconds = seconds  # monotonic
        self._buckets: OrderedDict[int, tuple[float, float]] = OrderedDict()

    def take(self, token: int, rows: int, headers: dict[str, str]) -> None:
        """Take ``rows`` out of the token's bucket; ``headers`` get what is left in it. Raises RateLimited."""
        if self._per_second == 0:
            return
        left = self._left(token)
        if rows > left:
            headers.update(self.headers(left))
            raise RateLimited(math.ceil((rows - left) / self._per_second))
        headers.update(self.headers(left - rows))
        self._buckets[token] = (self._seconds(), left - rows)
        self._buckets.move_to_end(token)
        if len(self._buckets) > KEPT:
            self._buckets.popitem(last=False)

    def headers(self, left: float) -> dict[str, str]:
        """RateLimit headers: what is left, and when the bucket is full again."""
        full = math.ceil((BURST - left) / self._per_second)
        window = math.ceil(BURST / self._per_second)
        return {
            "RateLimit-Policy": f'"rows";q={BURST};w={window}',
            "RateLimit": f'"rows";r={int(left)};t={full}',
        }

    def _left(self, token: int) -> float:
        now = self._seconds()
        since, left = self._buckets.get(token, (now, float(BURST)))
        return min(float(BURST), left + (now - since) * self._per_second)
