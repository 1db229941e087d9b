"""What the ratings find out in worlds of known skill, and what it brings to leave boards that go badly."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.seasons import Season, Week, leave, rate, raw_means, season
from server.bridge.rating import Rules
from server.bridge.rating_columns import Floats
from server.bridge.rating_week import RatedWeek
from server.world.people import World, make_world
from server.world.tables import BAD
from server.world.truth import rank_correlation

PLAYERS, WEEKS, BOARDS = 240, 20, 80
LEAVERS = 6  # people of each world of whom one season is played again in which each leaves
RULES = Rules()
NO_PARTNER_RULE = replace(RULES, partner_of_leaver=False)


@dataclass(frozen=True, slots=True)
class Gains:
    """Points of the index that somebody has more than his honest twin at the end."""

    classic: float
    joint: float


def measured(seeds: range) -> Iterator[tuple[str, float]]:
    """Figures by name: correlations as means over the worlds of these seeds, then what leaving brings."""
    correlations: list[tuple[float, float, float]] = []
    gains: dict[str, list[Gains]] = {}
    for seed in seeds:
        world = make_world(seed, PLAYERS, WEEKS // 2)
        played = season(world, WEEKS, BOARDS)
        honest = rate(played, RULES)
        correlations.append(_correlations(world, played, honest))
        for leaver, partner in _leavers(world, played):
            for name, gained in _leaving(played, honest, leaver, partner):
                gains.setdefault(name, []).append(gained)
    for name, values in zip(("raw mean", "classic", "joint"), zip(*correlations, strict=True), strict=True):
        yield f"rank correlation with true skill, {name}", float(np.mean(values))
    for name, each in gains.items():
        yield from spread(name, each)


def spread(name: str, gains: Sequence[Gains]) -> Iterator[tuple[str, float]]:
    """The mean gain by either index; which share has gained anything; the largest gain, or smallest loss."""
    for index in ("classic", "joint"):
        values = np.array([getattr(gained, index) for gained in gains])
        yield f"{name}, {index}", float(values.mean())
        yield f"{name}, {index}: share of those who gained", float((values > 0).mean())
        yield f"{name}, {index}: largest", float(values.max())


def _correlations(world: World, played: Season, rated: RatedWeek) -> tuple[float, float, float]:
    """Of raw mean, classic and joint with the truth at the end; of everybody who has ever played."""
    raw = raw_means(played)
    known = ~np.isnan(raw)
    truth = np.array([person.skill(WEEKS - 1) for person in world.people])[known].tolist()
    classic, joint = _indexes(rated)
    one, two, three = (rank_correlation(each[known].tolist(), truth) for each in (raw, classic, joint))
    return one, two, three


def _indexes(rated: RatedWeek) -> tuple[Floats, Floats]:
    if rated.joint is None:
        raise RuntimeError("pools scored in IMPs have a joint rating")
    return rated.snapshot.classic.rate, rated.joint.index


def _leavers(world: World, played: Season) -> Iterator[tuple[int, int]]:
    """Some people with a regular partner whom they play with most; and these partners."""
    found = 0
    for person in world.people:
        if person.partner is None or person.partner < person.number or found == LEAVERS:
            continue
        partners = Counter(partner for week in played.weeks for partner in _partners(week, person.number))
        if partners and partners.most_common(1)[0][0] == person.partner:
            found += 1
            yield person.number, person.partner


def _partners(week: Week, player: int) -> Iterator[int]:
    for seat, mate in zip(week.seats, week.seats[[1, 0, 3, 2]], strict=True):
        yield from mate[seat == player].tolist()


def _leaving(played: Season, honest: RatedWeek, leaver: int, partner: int) -> Iterator[tuple[str, Gains]]:
    """What leaving brings: by the rules, without that for partners, and if such boards cost nothing."""
    short, left = leave(played, leaver, BAD)
    by_rules = rate(short, RULES, left)
    yield "gain of who leaves bad boards", _gains(by_rules, honest, leaver)
    yield "gain of his partner", _gains(by_rules, honest, partner)
    yield (
        "gain of his partner without the rule for partners",
        _gains(rate(short, NO_PARTNER_RULE, left), honest, partner),
    )
    yield "gain of who leaves if it cost nothing", _gains(rate(short, RULES), honest, leaver)


def _gains(rated: RatedWeek, honest: RatedWeek, player: int) -> Gains:
    (classic, joint), (before, joint_before) = _indexes(rated), _indexes(honest)
    return Gains(float(classic[player] - before[player]), float(joint[player] - joint_before[player]))
