"""Seeded randomness: everything that happens in a world follows from its seed and from what it is about."""

from random import Random


def stream(seed: int, *about: object) -> Random:
    """A source of its own for one thing, the same every time; independent of what is drawn elsewhere."""
    return Random("/".join(map(str, (seed, *about))))
