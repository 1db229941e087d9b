"""`make bench`: every ratio of the targets, each limit measured in the same run, the median of rounds."""

import platform
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack

import click

from benchmarks import bulk, closing, crowd, events, limits, pages, pairing, rating, worlds
from benchmarks.places import Cluster, Place, load, postgres, running, sqlite
from benchmarks.targets import Figures, reached_for, report

# Parts that can be measured alone. bulk: scoring, rating, pairing; week: a big one closed on both databases.
PARTS = ("ingest", "bulk", "week", "worlds", "pages")
BULK_FACTOR = 4  # results of a batch measurement, in results of a single one


def measure(figures: Figures, name: str, place: Place, count: int, *arguments: str) -> None:
    """Rate, latencies and processor time of one server under load."""
    load(place, count // 10, *arguments)  # warm
    before = place.cpu_seconds()
    told = load(place, count, *arguments)
    spent = place.cpu_seconds() - before
    for each in told:
        if each["statuses"].keys() != {"201"}:
            raise RuntimeError(f"{name}: not every result was taken: {each['statuses']}")
    figures.add(f"{name}, results/s", sum(each["rate"] for each in told))
    figures.add(f"{name}, CPU µs of the server", 1e6 * spent / (count * len(told)))
    figures.add(f"{name}, p50 ms", statistics.median(each["p50_ms"] for each in told))
    figures.add(f"{name}, p99 ms", max(each["p99_ms"] for each in told))


def on_sqlite(figures: Figures, count: int) -> None:
    """One round on SQLite."""
    for kind, name in (("null", "SQLite, no store"), ("whole", "SQLite"), ("single", "SQLite, batch 1")):
        with sqlite() as settings, running(kind, settings) as place:
            measure(figures, name, place, count)
    figures.add("raw sqlite3, one a transaction, results/s", limits.raw_sqlite(count // 2, 1))


def on_postgres(figures: Figures, cluster: Cluster, count: int, seconds: int) -> None:
    """One round on PostgreSQL."""
    for kind, name in (
        ("null", "PostgreSQL, no store"),
        ("whole", "PostgreSQL"),
        ("single", "PostgreSQL, batch 1"),
    ):
        with cluster.database() as settings, running(kind, settings) as place:
            measure(figures, name, place, count)
    with cluster.database() as settings, running("whole", settings, processes=2) as place:
        measure(figures, "PostgreSQL, two processes", place, count // 2, "--clients", "32")
    with cluster.database() as settings, running("whole", settings) as place:
        measure(figures, "PostgreSQL, batches of 64", place, BULK_FACTOR * count, "--batch", "64")
    figures.add("pgbench, one a transaction, results/s", limits.pgbench(cluster, 1, seconds))
    figures.add("pgbench, batches of 64, results/s", limits.pgbench(cluster, 64, seconds))


def in_rounds(figures: Figures, parts: Sequence[str], rounds: int, count: int, seconds: int) -> None:
    """What depends on how busy the machine is, several times."""
    click.echo(f"{rounds} rounds of {count} results")
    with ExitStack() as stack:
        cluster = stack.enter_context(postgres()) if "ingest" in parts else None
        for number in range(1, rounds + 1):
            click.echo(f"round {number}")
            if cluster is not None:
                on_sqlite(figures, count)
                on_postgres(figures, cluster, count, seconds)
            if "bulk" in parts:
                for name, value in (
                    bulk.measured() | rating.measured() | pairing.measured() | events.measured()
                ).items():
                    figures.add(name, value)


def a_big_week(figures: Figures, weeks: int) -> None:
    """Once on each database: it takes minutes to fill one."""
    with sqlite() as settings:
        closing.measured("SQLite", settings, weeks, figures.add)
    with postgres() as cluster, cluster.database() as settings:
        closing.measured("PostgreSQL", settings, weeks, figures.add)


def of_pages(figures: Figures) -> None:
    """Pages upon a large database of each kind."""
    with sqlite() as settings:
        pages.measured("SQLite", settings, figures.add)
    with postgres() as cluster, cluster.database() as settings:
        pages.measured("PostgreSQL", settings, figures.add)


@click.command()
@click.option("--rounds", default=3, show_default=True, help="Rounds, of which the median counts.")
@click.option("--count", default=20_000, show_default=True, help="Results of one measurement.")
@click.option("--seconds", default=5, show_default=True, help="Length of one run of pgbench.")
@click.option("--seeds", default=6, show_default=True, help="Simulated worlds.")
@click.option("--weeks", default=26, show_default=True, help="Weeks before the one that is closed.")
@click.option(
    "--only",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="Measure this part; several may be named.",
)
def main(rounds: int, count: int, seconds: int, seeds: int, weeks: int, parts: tuple[str, ...]) -> None:
    """Measure ingest, bulk scoring, rating, pairing and pages against limits, ratings against the truth."""
    started, figures = time.monotonic(), Figures()
    click.echo(f"Python {platform.python_version()}, {platform.machine()}")
    wanted = parts or PARTS
    if {"ingest", "bulk"} & set(wanted):
        in_rounds(figures, wanted, rounds, count, seconds)
    if "week" in wanted:
        click.echo(f"a week of {closing.PLAYERS:,} players closed upon {weeks} others")
        a_big_week(figures, weeks)
    if "worlds" in wanted:
        click.echo(f"{seeds} worlds of {worlds.PLAYERS} players in {worlds.WEEKS} weeks")
        for name, value in worlds.measured(range(1, seeds + 1)):
            figures.add(name, value)
    if "pages" in wanted:
        click.echo(f"pages upon what {crowd.PLAYERS:,} players have played")
        of_pages(figures)
    report(figures)
    click.echo(f"\nmeasured in {time.monotonic() - started:.0f} s")
    if any(target.row(figures)[3] == "missed" for target in reached_for(figures)):
        sys.exit(1)


if __name__ == "__main__":
    main()
