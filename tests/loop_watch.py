"""An event loop that notes when it was blocked: while one callback runs, nobody else is served.

A busy machine must fail no test. So a long turn counts only when the loop's thread computed all the while, or
when another thread, which looks where the loop stands, got its turns meanwhile as it should.
"""

import asyncio
import gc
import selectors
import sys
import threading
import time
import traceback
from typing import Any

LIMIT = 0.5  # seconds
LOOKS = 5  # in the time of the limit

blocked: list[str] = []
"""What was noted since somebody last looked."""

_collected = 0.0  # seconds that collecting garbage took, which is no fault of what happened to run then
_collecting_since = 0.0


def _collecting(phase: str, _info: dict[str, int]) -> None:
    global _collected, _collecting_since  # noqa: PLW0603 - the collector is one for the process
    if phase == "start":
        _collecting_since = time.monotonic()
    else:
        _collected += time.monotonic() - _collecting_since


gc.callbacks.append(_collecting)


class WatchedLoop(asyncio.SelectorEventLoop):
    """Notes each turn that took longer than ``limit``, with the place where it stood."""

    def __init__(self, limit: float = LIMIT) -> None:
        self._watch = _Watch(limit)
        super().__init__(self._watch)

    def run_forever(self) -> None:
        """As every loop; what happens before and after is not the loop's."""
        self._watch.begin()
        try:
            super().run_forever()
        finally:
            self._watch.end()


class _Watch(selectors.DefaultSelector):
    """Is asked for events once a turn; what happens from one answer to the next question is one turn."""

    def __init__(self, limit: float) -> None:
        super().__init__()
        self._limit = limit
        self._since: float | None = None  # of the turn; None: between turns
        self._computed = 0.0  # by this thread, before the turn
        self._collected = 0.0  # garbage, before the turn
        self._looks = 0  # at this turn
        self._place = ""
        self._over = threading.Event()

    def begin(self) -> None:
        self._over = threading.Event()
        self._start()
        threading.Thread(target=self._look, args=(threading.get_ident(), self._over), daemon=True).start()

    def end(self) -> None:
        self._stop()
        self._over.set()

    def select(self, timeout: float | None = None) -> Any:
        self._stop()
        try:
            return super().select(timeout)
        finally:
            self._start()

    def _start(self) -> None:
        self._looks, self._place = 0, ""
        self._computed = time.thread_time()
        self._collected = _collected
        self._since = time.monotonic()

    def _stop(self) -> None:
        since, self._since = self._since, None
        if since is None or time.monotonic() - since <= self._limit:
            return
        collected = _collected - self._collected
        seconds = time.monotonic() - since - collected
        computed = time.thread_time() - self._computed - collected
        looked = self._looks - collected * LOOKS / self._limit
        if seconds > self._limit and (computed > self._limit or looked >= LOOKS - 1):
            blocked.append(f"the event loop was blocked for {seconds:.2f} s\n{self._place}")

    def _look(self, thread: int, over: threading.Event) -> None:
        """While the loop runs, note now and then where a long turn stands."""
        while not over.wait(self._limit / LOOKS):
            since, frame = self._since, sys._current_frames().get(thread)
            if since is None or frame is None:
                continue
            self._looks += 1
            if time.monotonic() - since > self._limit / 2:
                self._place = "".join(traceback.format_stack(frame)[-8:])
