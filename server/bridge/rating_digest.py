"""Digests of what a week was rated from and of what came out, to tell whether anything changed.

Neither depends on the order of rows. Indexes of the joint rating count as they are published, to six
decimals: their last bits are the solver's.
"""

import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from server.bridge.rating import Rules
from server.bridge.rating_columns import Numbers, WeekRows
from server.bridge.rating_week import RatedWeek

_MILLION = 1e6


def input_digest(before: str, rows: WeekRows, rules: Rules, joint: bool) -> str:
    """SHA-256, in hexadecimal, of everything that ``rate_week`` reads.

    ``before`` is the checksum of the snapshot before, empty for none; ``joint`` whether the joint rating is
    computed.
    """
    digest = hashlib.sha256(f"{before}\n{rules!r}\n{joint}\n".encode())
    tables, disconnects, abandoned = rows.tables, rows.disconnects, rows.abandoned
    seats = (rows.players[seat] for seat in tables.seats)
    _add(digest, np.argsort(tables.key, kind="stable"), tables.key, *seats, tables.x)
    who = rows.players[disconnects.player]
    _add(digest, np.lexsort((who, disconnects.key)), disconnects.key, who)
    pair = (rows.players[abandoned.leaver], rows.players[abandoned.partner])
    others = (abandoned.age, abandoned.board, abandoned.at, abandoned.lifted)
    _add(digest, np.lexsort((pair[0], abandoned.board, abandoned.age)), *pair, *others)
    return digest.hexdigest()


def snapshot_checksum(week: RatedWeek) -> str:
    """SHA-256, in hexadecimal, of every figure of a rated week."""
    digest = hashlib.sha256()
    order = np.arange(len(week.players))
    state, classic = week.snapshot.classic, week.classic
    kept = (state.players, state.rate, state.weight, state.rated, state.recent)
    _add(digest, order, *kept, classic.boards, classic.week_rate, classic.clamped, week.provisional)
    if week.joint is not None:
        joint = week.joint
        _add(digest, order, millionths(joint.index), millionths(joint.bar), joint.pair_only, joint.island)
    return digest.hexdigest()


def millionths(values: npt.NDArray[np.float64]) -> Numbers:
    """Indexes as they are published and compared, to six decimals, in whole millionths."""
    return np.rint(values * _MILLION).astype(np.int64)


def _add(digest: Any, order: Numbers, *columns: npt.NDArray[Any]) -> None:
    """The columns, in an order that depends on their values alone; how many rows there are goes first."""
    digest.update(len(order).to_bytes(8, "little"))
    for column in columns:
        values = column[order]
        if values.dtype.kind == "f":
            values = values + 0.0  # 0 has one sign
        digest.update(np.ascontiguousarray(values.astype(values.dtype.newbyteorder("<"))).data)
