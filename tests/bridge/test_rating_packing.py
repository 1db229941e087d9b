"""The faded sums as bytes."""

import zlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.bridge.rating import Rules
from server.bridge.rating_joint import NOTHING, JointState, strengths
from server.bridge.rating_packing import Damaged, checksum, packed, unpacked
from server.bridge.rating_week import Snapshot, rate_week
from tests.bridge.rating_worlds import Played, Table, histories, rated, renamed, rows_of

# Numbers in several blocks.
NAMES = {who: 700 * who + 5 for who in range(7)}
RULES = Rules(shield_boards=3)
WEEK = Played(tuple(Table((i % 4, 4, 5, 6), Fraction(i - 7)) for i in range(16)))
OTHER_WEEK = Played((*WEEK.tables, Table((0, 1, 2, 3), Fraction(1))))


def state_of(history) -> JointState:
    state = rated([renamed(week, NAMES) for week in history], RULES)[-1].snapshot.joint
    assert state is not None
    return state


def same(one: JointState, other: JointState) -> None:
    for name in ("players", "settled", "boards", "total", "penalties"):
        values, others = getattr(one, name), getattr(other, name)
        assert values.dtype == others.dtype
        assert values.tolist() == others.tolist()
    for values, others in zip(
        (*one.waiting.players, one.waiting.boards, one.waiting.total),
        (*other.waiting.players, other.waiting.boards, other.waiting.total),
        strict=True,
    ):
        assert values.tolist() == others.tolist()
    for ties, others in zip(one.ties, other.ties, strict=True):
        assert (ties.block, ties.first, ties.matrix.shape) == (
            others.block,
            others.first,
            others.matrix.shape,
        )
        assert ties.matrix.indices.tolist() == others.matrix.indices.tolist()
        assert ties.matrix.indptr.tolist() == others.matrix.indptr.tolist()
        assert ties.matrix.data.tolist() == others.matrix.data.tolist()


@given(histories())
def test_what_is_packed_is_unpacked(history):
    state = state_of(history)
    parts = list(packed(state))
    again = unpacked(parts)
    same(state, again)
    same(state, again)  # the ties can be read more than once
    assert list(packed(again)) == parts
    assert strengths(again).tolist() == strengths(state).tolist()


@given(histories(weeks=2))
def test_the_next_week_goes_on_from_what_was_kept(history):
    weeks = [renamed(week, NAMES) for week in history]
    before = rated(weeks, RULES)[-1].snapshot
    kept = Snapshot(before.classic, unpacked(list(packed(before.joint))))
    rows = rows_of([*weeks, weeks[0]])
    one, other = rate_week(before, rows, RULES), rate_week(kept, rows, RULES)
    same(one.snapshot.joint, other.snapshot.joint)
    assert one.joint.index.tolist() == other.joint.index.tolist()


def test_nothing_is_kept_too():
    same(NOTHING, unpacked(list(packed(NOTHING))))


@given(histories().filter(lambda history: any(week.tables for week in history)), st.data())
def test_any_changed_byte_is_found(history, data):
    parts = list(packed(state_of(history)))
    number = data.draw(st.integers(0, len(parts) - 1))
    at = data.draw(st.integers(0, len(parts[number]) - 1))
    damaged = bytearray(parts[number])
    damaged[at] ^= data.draw(st.integers(1, 255))
    parts[number] = bytes(damaged)
    with pytest.raises(Damaged):
        list(unpacked(parts).ties)


def test_blocks_of_other_sums_and_missing_parts_are_found():
    one, other = (list(packed(state_of([week]))) for week in (WEEK, OTHER_WEEK))
    with pytest.raises(Damaged, match="other sums"):
        list(unpacked([one[0], *other[1:]]).ties)
    with pytest.raises(Damaged, match="no part"):
        unpacked([])
    with pytest.raises(Damaged, match="first part"):
        unpacked(one[1:])
    for parts in (one[:-1], [*one, one[-1]], [one[0], *reversed(one[1:])]):
        with pytest.raises(Damaged, match="blocks"):
            list(unpacked(parts).ties)


def test_the_checksum_is_that_of_the_content_not_of_the_compression():
    parts = list(packed(state_of([WEEK])))
    smaller = [part[:32] + zlib.compress(zlib.decompress(part[32:]), 9) for part in parts]
    assert smaller != parts
    assert checksum(smaller) == checksum(parts)
    same(unpacked(smaller), unpacked(parts))
    assert checksum(parts) != checksum(packed(state_of([OTHER_WEEK])))
    assert checksum(parts) != checksum(reversed(parts))
