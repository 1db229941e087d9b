"""Places on a list, and how they moved since last week."""

from dataclasses import dataclass

import numpy as np

from server.bridge.rating_columns import Flags, Numbers, Positions

UNRANKED = 0


@dataclass(frozen=True, slots=True, eq=False)
class Movement:
    """Places won since last week, a row for each player."""

    places: Positions  # up is positive; 0 also where it is not known
    known: Flags  # had a place then and has one now


def ranks(values: Numbers, provisional: Flags, listed: Flags) -> Positions:
    """Places from 1, the highest value first; equal values share one, and the places after it stay empty.

    ``values`` are whole numbers of what is published, so that what looks equal is equal. Provisional players
    stand behind all others. Who is not ``listed`` (hidden, or with nothing to be ranked by) is UNRANKED and
    takes no place.
    """
    rows = np.flatnonzero(listed)
    order = rows[np.lexsort((-values[rows], provisional[rows]))]
    new = np.ones(len(order), np.bool_)
    new[1:] = (values[order[1:]] != values[order[:-1]]) | (provisional[order[1:]] != provisional[order[:-1]])
    starts = np.flatnonzero(new)
    places = np.full(len(values), UNRANKED, np.int32)
    places[order] = starts[np.cumsum(new) - 1] + 1
    return places


def movement(now: Positions, before: Positions) -> Movement:
    """From the places of the same players this week and last week."""
    known = (now != UNRANKED) & (before != UNRANKED)
    return Movement(np.where(known, before - now, 0).astype(np.int32), known)
