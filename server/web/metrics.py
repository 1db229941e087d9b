"""Figures for Prometheus: what came in, how fast it was kept, what was refused."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from server.services.ingest import Ingest
from server.web.live import Hub

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_FINE = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)


class Metrics:
    """The figures of one process."""

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
        self.results = Counter("crossruff_results", "Results taken in", registry=self.registry)

    def watch(self, ingest: Ingest, hub: Hub) -> None:
        """Show the queue of this ingest and the followers of this hub."""
        length = Gauge("crossruff_ingest_queue", "Reports that wait", registry=self.registry)
        length.set_function(lambda: ingest.waiting)
        age = Gauge("crossruff_ingest_queue_seconds", "Age of the first of them", registry=self.registry)
        age.set_function(lambda: ingest.oldest)
        followers = Gauge("crossruff_followers", "Open live streams", registry=self.registry)
        followers.set_function(lambda: hub.followers)

    def committed(self, reports: int, seconds: float) -> None:
        """A commit of ingest."""
        self.commits.observe(seconds)
        self.batches.observe(reports)

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self.registry)
