"""`make bench`: every ratio of the targets, each limit measured in the same run, the median of rounds."""

import platform
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

import click

from benchmarks import bulk, closing, crowd, events, limits, pages, pairing, rating, worlds
from benchmarks.places import Cluster, Place, load, postgres, running, sqlite

# Parts that can be measured alone. bulk: scoring, rating, pairing; week: a big one closed on both databases.
PARTS = ("ingest", "bulk", "week", "worlds", "pages")
BULK_FACTOR = 4  # results of a batch measurement, in results of a single one


@dataclass(slots=True)
class Figures:
    """What was measured, by name; several rounds of each."""

    rates: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> float:
        """One more measurement; shown at once."""
        self.rates.setdefault(name, []).append(value)
        click.echo(f"  {name}: {_shown(value)}")
        return value

    def median(self, name: str) -> float:
        """The median of the rounds."""
        return statistics.median(self.rates[name])

    def ratio(self, above: str, below: str) -> float:
        """The median of the rounds' ratios."""
        pairs = zip(self.rates[above], self.rates[below], strict=True)
        return statistics.median(a / b for a, b in pairs)


def _shown(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"


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


@dataclass(frozen=True, slots=True)
class Target:
    """A ratio that must be reached, or a figure that must not be passed."""

    what: str
    figure: Callable[[Figures], float]
    bound: float
    at_most: bool = False

    def measured(self, figures: Figures) -> bool:
        """Whether what it is about was measured at all."""
        try:
            self.figure(figures)
        except KeyError:
            return False
        return True

    def row(self, figures: Figures) -> tuple[str, str, str, str]:
        """What, measured, bound, verdict."""
        found = self.figure(figures)
        good = found <= self.bound if self.at_most else found >= self.bound
        sign = "≤" if self.at_most else "≥"
        return self.what, _shown(found), f"{sign} {self.bound:g}", "reached" if good else "missed"


def _ratio(above: str, below: str) -> Callable[[Figures], float]:
    return lambda figures: figures.ratio(f"{above}, results/s", f"{below}, results/s")


def _tail(name: str) -> Callable[[Figures], float]:
    return lambda figures: figures.ratio(f"{name}, p99 ms", f"{name}, p50 ms")


def _joint(figures: Figures) -> float:
    parts = ("rating joint, sums, s", "rating joint, solution, bars and flags, s")
    return sum(figures.median(part) for part in parts)


def _closing(database: str, what: str) -> Callable[[Figures], float]:
    return lambda figures: figures.median(f"closing, {database}: {what}")


def _more(above: str, below: str) -> Callable[[Figures], float]:
    what = "rank correlation with true skill"
    return lambda figures: figures.median(f"{what}, {above}") - figures.median(f"{what}, {below}")


CLOSING = (
    ("crossruff rate, s", 60),
    ("crossruff rate, GiB", 2),
    ("inside a server, s", 60),
    ("inside a server, GiB", 2),
    ("GET meanwhile, p95 ms", 200),
    ("POST meanwhile, p95 ms", 200),
)

TARGETS = (
    Target("PostgreSQL / the same without store", _ratio("PostgreSQL", "PostgreSQL, no store"), 0.20),
    Target("PostgreSQL / pgbench function", _ratio("PostgreSQL", "pgbench, one a transaction"), 0.7),
    Target("SQLite / the same without store", _ratio("SQLite", "SQLite, no store"), 0.28),
    Target("SQLite / raw sqlite3", _ratio("SQLite", "raw sqlite3, one a transaction"), 2.0),
    Target("PostgreSQL: group commit / batch 1", _ratio("PostgreSQL", "PostgreSQL, batch 1"), 2.5),
    Target("SQLite: group commit / batch 1", _ratio("SQLite", "SQLite, batch 1"), 2.5),
    Target("two processes / one", _ratio("PostgreSQL, two processes", "PostgreSQL"), 1.3),
    Target(
        "batches of 64 / pgbench batches of 64",
        _ratio("PostgreSQL, batches of 64", "pgbench, batches of 64"),
        0.7,
    ),
    Target("PostgreSQL: p99 / p50", _tail("PostgreSQL"), 5, at_most=True),
    Target("SQLite: p99 / p50", _tail("SQLite"), 5, at_most=True),
    Target("10 million results: datum IMPs, s", lambda f: f.median("bulk datum IMPs, s"), 1, at_most=True),
    Target("10 million results: cross-IMPs, s", lambda f: f.median("bulk cross-IMPs, s"), 2, at_most=True),
    Target("10 million results: memory, GiB", lambda f: f.median("bulk memory, GiB"), 1, at_most=True),
    Target("10 million player-boards: classic, s", lambda f: f.median("rating classic, s"), 1, at_most=True),
    Target("… joint, s", _joint, 10, at_most=True),
    Target("… memory, GiB", lambda f: f.median("rating memory, GiB"), 2, at_most=True),
    Target(
        "final ranking of 160 pairs after the last result, s",
        lambda f: f.median("event of 160 pairs, final ranking, s"),
        1,
        at_most=True,
    ),
    Target("a round of 10,000 pairs, s", lambda f: f.median("pairing 10,000 pairs, s"), 0.1, at_most=True),
    *(
        Target(f"closing a week, {database}: {what}", _closing(database, what), bound, at_most=True)
        for database in ("SQLite", "PostgreSQL")
        for what, bound in CLOSING
    ),
    Target("rank correlation, classic less raw mean", _more("classic", "raw mean"), 0),
    Target("rank correlation, joint less classic", _more("joint", "classic"), 0),
    Target(
        "who leaves bad boards gains, classic",
        lambda f: f.median("gain of who leaves bad boards, classic"),
        0,
        at_most=True,
    ),
    Target(
        "who leaves bad boards gains, joint",
        lambda f: f.median("gain of who leaves bad boards, joint"),
        0,
        at_most=True,
    ),
)


def _slowest(database: str, page: str) -> Callable[[Figures], float]:
    return lambda figures: figures.median(f"pages, {database}: {page}, p95 ms")


def _heaviest(figures: Figures) -> float:
    found = [figures.median(name) for name in figures.rates if name.endswith("first load KiB")]
    if not found:
        raise KeyError("pages")
    return max(found)


PAGE_TARGETS = (
    *(
        Target(f"{database}: {kind.name}, p95 ms", _slowest(database, kind.name), kind.most_ms, at_most=True)
        for database in ("SQLite", "PostgreSQL")
        for kind in pages.kinds("")
    ),
    Target("heaviest page, first load KiB", _heaviest, 150, at_most=True),
)


def reached_for(figures: Figures) -> list[Target]:
    """The targets of what was measured."""
    return [target for target in (*TARGETS, *PAGE_TARGETS) if target.measured(figures)]


def report(figures: Figures) -> None:
    """The tables that README quotes."""
    click.echo("\n| measured | median |\n|---|---:|")
    for name in figures.rates:
        click.echo(f"| {name} | {_shown(figures.median(name))} |")
    click.echo("\n| target | measured | bound | |\n|---|---:|---:|---|")
    for target in reached_for(figures):
        click.echo("| {} | {} | {} | {} |".format(*target.row(figures)))


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
