"""Figures for Prometheus: what came in, how fast it was kept, what was refused."""

import os
from typing import Literal

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from server.services.ingest import Ingest
from server.web.live import Hub

METRICS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # set where several processes add up their figures
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_FINE = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The figures of this process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "crossruff_requests", "Answers by route and status", ["route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "crossruff_request_seconds",
            "Time to answer",
            ["route"],
            buckets=_FINE,
            registry=self.registry,
        )
        self.refused = Counter("crossruff_refused", "Problems by kind", ["problem"], registry=self.registry)
        self.commits = Histogram(
            "crossruff_ingest_commit_seconds", "Time of a commit", buckets=_FINE, registry=self.registry
        )
        self.batches = Histogram(
            "crossruff_ingest_batch_size",
            "Reports in one commit",
            buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
            registry=self.registry,
        )
        self._answers: dict[tuple[str, int], tuple[Counter, Histogram]] = {}
        self.results = Counter("crossruff_results", "Results taken in", registry=self.registry)

        self.queue = self._gauge("crossruff_ingest_queue", "Reports that wait for a commit")
        self.age = self._gauge(
            "crossruff_ingest_queue_seconds", "Age of the oldest report without an answer", "livemax"
        )
        self.followers = self._gauge("crossruff_followers", "Open live streams")

    def _gauge(self, name: str, words: str, together: Literal["livesum", "livemax"] = "livesum") -> Gauge:
        return Gauge(name, words, registry=self.registry, multiprocess_mode=together)

    def look(self, ingest: Ingest, hub: Hub) -> None:
        """Note how long the queue is and how many follow, now."""
        self.queue.set(ingest.waiting)
        self.age.set(ingest.oldest)
        self.followers.set(hub.followers)

    def answered(self, route: str, status: int, seconds: float | None) -> None:
        """A request was answered, in so many seconds; None: by a stream, which is as long as it is."""
        known = self._answers.get((route, status))
        if known is None:
            known = (self.requests.labels(route, status), self.seconds.labels(route))
            self._answers[route, status] = known
        known[0].inc()
        if seconds is not None:
            known[1].observe(seconds)

    def committed(self, reports: int, taken: int, seconds: float) -> None:
        """A commit of ingest."""
        self.commits.observe(seconds)
        self.batches.observe(reports)
        self.results.inc(taken)

    def text(self) -> bytes:
        """All figures in Prometheus' text format; of all processes where there are several."""
        if METRICS_FOLDER not in os.environ:
            return generate_latest(self.registry)
        together = CollectorRegistry()
        MultiProcessCollector(together)  # type: ignore[no-untyped-call]
        return generate_latest(together)
