"""What was measured, and what it must reach."""

import statistics
from collections.abc import Callable
from dataclasses import dataclass, field

import click

from benchmarks import pages


@dataclass(slots=True)
class Figures:
    """What was measured, by name; several rounds of each."""

    rates: dict[str, list[float]] = field(default_factory=dict)

    def add(self, name: str, value: float) -> float:
        """One more measurement; shown at once."""
        self.rates.setdefault(name, []).append(value)
        click.echo(f"  {name}: {shown(value)}")
        return value

    def median(self, name: str) -> float:
        """The median of the rounds."""
        return statistics.median(self.rates[name])

    def ratio(self, above: str, below: str) -> float:
        """The median of the rounds' ratios."""
        pairs = zip(self.rates[above], self.rates[below], strict=True)
        return statistics.median(a / b for a, b in pairs)


def shown(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"


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
        return self.what, shown(found), f"{sign} {self.bound:g}", "reached" if good else "missed"


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
    ("POST meanwhile, longest ms", 1000),
    ("points counted meanwhile, longest s", 5),
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
        click.echo(f"| {name} | {shown(figures.median(name))} |")
    click.echo("\n| target | measured | bound | |\n|---|---:|---:|---|")
    for target in reached_for(figures):
        click.echo("| {} | {} | {} | {} |".format(*target.row(figures)))
