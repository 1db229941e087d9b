"""What is said of leavers: the mean of their gains, how many have gained, and the largest gain."""

import pytest

from benchmarks import __main__ as bench
from benchmarks import worlds
from benchmarks.worlds import Gains, spread

FEW = [Gains(-2.0, 1.5), Gains(0.5, 1.0), Gains(-3.5, 0.0), Gains(0.0, -0.5)]


def test_one_who_gains_is_not_lost_in_the_mean():
    assert dict(spread("gain", FEW)) == {
        "gain, classic": -1.25,
        "gain, classic: share of those who gained": 0.25,
        "gain, classic: largest": 0.5,
        "gain, joint": 0.5,
        "gain, joint: share of those who gained": 0.5,
        "gain, joint: largest": 1.5,
    }


def test_when_all_lose_the_largest_gain_is_the_smallest_loss():
    found = dict(spread("gain", [Gains(-2.0, -1.0), Gains(-0.25, -4.0)]))
    assert found["gain, classic: share of those who gained"] == 0
    assert (found["gain, classic: largest"], found["gain, joint: largest"]) == (-0.25, -1.0)


@pytest.fixture
def small(monkeypatch):
    """Worlds that are played in a second or two."""
    for name, value in {"PLAYERS": 60, "WEEKS": 4, "BOARDS": 40, "LEAVERS": 3}.items():
        monkeypatch.setattr(worlds, name, value)


def test_every_leaver_of_every_world_counts(small, monkeypatch):
    told = []
    monkeypatch.setattr(
        worlds, "spread", lambda name, gains: told.append((name, list(gains))) or spread(name, gains)
    )
    found = dict(worlds.measured(range(1, 3)))
    gains = dict(told)
    assert {len(each) for each in gains.values()} == {6}  # three leavers in each of two worlds
    leavers = gains["gain of who leaves bad boards"]
    free = gains["gain of who leaves if it cost nothing"]
    # Whoever pays for what he leaves has less than if it cost him nothing.
    assert all(a.classic <= b.classic and a.joint <= b.joint for a, b in zip(leavers, free, strict=True))
    assert any(a.classic < b.classic for a, b in zip(leavers, free, strict=True))
    for name, each in gains.items():
        shares = [found[f"{name}, {index}: share of those who gained"] for index in ("classic", "joint")]
        assert shares == [sum(getattr(g, index) > 0 for g in each) / 6 for index in ("classic", "joint")]


def test_the_targets_are_about_figures_that_are_printed():
    figures = bench.Figures({name: [value] for name, value in spread("gain of who leaves bad boards", FEW)})
    rows = [target.row(figures) for target in bench.reached_for(figures)]
    assert [(what, verdict) for what, _, _, verdict in rows] == [
        ("who leaves bad boards gains, classic", "reached"),
        ("who leaves bad boards gains, joint", "missed"),
    ]
