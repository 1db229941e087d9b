"""The faded sums of the joint rating as bytes, to be kept beside a snapshot.

The first part has the columns of the players and the waiting quartets, each further part one block of ties.
Every part begins with the SHA-256 of what is compressed in it, so that the sums have one checksum whatever
the compression made of them; blocks also name the first part that they belong to. The same sums always have
the same checksum, and with the same zlib the same bytes.
"""

import hashlib
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from server.bridge.errors import BridgeError
from server.bridge.rating_joint import JointState
from server.bridge.rating_quartets import Quartets
from server.bridge.rating_ties import Ties, blocks_of

_MAGIC = b"CRJ1"
_DIGEST = 32
_LEVEL = 1  # of compression: higher ones gain little on what is left after the columns are split
_BLOCK = struct.Struct("<qqqq")  # number of the block, first position, rows, all players


@dataclass(eq=False)
class Damaged(BridgeError):
    """Kept sums of the joint rating are not what was kept"""

    reason: str

    def __str__(self) -> str:
        return self.reason


@dataclass(frozen=True, slots=True)
class PackedTies:
    """Blocks of ties that are unpacked one by one, from the first at each reading."""

    head: bytes  # digest of the part that they belong to
    blocks: tuple[int, ...]  # their numbers
    parts: Sequence[bytes]

    def __iter__(self) -> Iterator[Ties]:
        if len(self.parts) != len(self.blocks):
            raise Damaged("there are too few or too many blocks")
        for number, part in zip(self.blocks, self.parts, strict=True):
            ties = _block(_opened(part), self.head)
            if ties.block != number:
                raise Damaged("the blocks are out of order")
            yield ties


def packed(state: JointState) -> Iterator[bytes]:
    """The parts that ``unpacked`` makes the state of again, one at a time."""
    waiting = (*state.waiting.players, state.waiting.boards, state.waiting.total)
    columns = (state.players, state.settled, state.boards, state.total, state.penalties, *waiting)
    head = _MAGIC + b"".join(_column(np.asarray(column)) for column in columns)
    yield _closed(head)
    digest = hashlib.sha256(head).digest()
    for ties in state.ties:
        yield _closed(_block_bytes(ties, digest))


def checksum(parts: Iterable[bytes]) -> str:
    """One checksum of all parts, in their order; it does not depend on how they were compressed."""
    return hashlib.sha256(b"".join(part[:_DIGEST] for part in parts)).hexdigest()


def unpacked(parts: Sequence[bytes]) -> JointState:
    """The state of its parts; the ties are unpacked when they are read.

    Raises Damaged, also while the ties are read, when a part is damaged or belongs to another state.
    """
    if not parts:
        raise Damaged("there is no part")
    content = _opened(parts[0])
    if content[:4] != _MAGIC:
        raise Damaged("the first part is none")
    read = _Reader(content, 4)
    players, settled, boards, total, penalties = (read.column() for _ in range(5))
    waiting = Quartets(*(read.column() for _ in range(6)))
    ties = PackedTies(parts[0][:_DIGEST], tuple(block for block, _, _ in blocks_of(players)), parts[1:])
    return JointState(players, settled, boards, total, penalties, waiting, ties)


def _closed(content: bytes) -> bytes:
    return hashlib.sha256(content).digest() + zlib.compress(content, _LEVEL)


def _opened(part: bytes) -> bytes:
    try:
        content = zlib.decompress(part[_DIGEST:])
    except zlib.error as error:
        raise Damaged("a part cannot be unpacked") from error
    if hashlib.sha256(content).digest() != part[:_DIGEST]:
        raise Damaged("a part is not what its checksum says")
    return content


def _block_bytes(ties: Ties, head: bytes) -> bytes:
    """A block: where it belongs, then lengths of rows, steps between columns, different values and codes.

    Faded sums of few whole numbers have few different values; bytes of one significance lie together.
    """
    matrix = ties.matrix
    where = _BLOCK.pack(ties.block, ties.first, matrix.shape[0], matrix.shape[1] // 2)
    steps = np.diff(matrix.indices, prepend=np.int32(0)).astype(np.int32)
    values, codes = np.unique(matrix.data, return_inverse=True)
    columns = (np.diff(matrix.indptr).astype(np.int32), _split(steps), values, _split(codes.astype(np.int32)))
    return head + where + b"".join(_column(column) for column in columns)


def _block(content: bytes, head: bytes) -> Ties:
    if content[:_DIGEST] != head:
        raise Damaged("a block belongs to other sums")
    block, first, rows, players = _BLOCK.unpack_from(content, _DIGEST)
    read = _Reader(content, _DIGEST + _BLOCK.size)
    ends = np.append(np.int32(0), np.cumsum(read.column(), dtype=np.int32))
    columns = np.cumsum(_whole(read.column()), dtype=np.int32)
    values = read.column()
    matrix = sparse.csr_array((values[_whole(read.column())], columns, ends), shape=(rows, 2 * players))
    return Ties(block, first, matrix)


def _split(numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.uint8]:
    """All first bytes, then all second ones …"""
    return np.ascontiguousarray(numbers.astype("<i4").view(np.uint8).reshape(-1, 4).T).ravel()


def _whole(split: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
    """What ``_split`` split."""
    return np.ascontiguousarray(split.reshape(4, -1).T).ravel().view("<i4").astype(np.int32)


def _column(values: npt.NDArray[Any]) -> bytes:
    """Type, length and values, least significant byte first."""
    little = values.astype(values.dtype.newbyteorder("<"))
    return struct.pack("<2sxxxxxxq", little.dtype.str[1:].encode(), len(little)) + little.tobytes()


@dataclass(slots=True)
class _Reader:
    """Reads what ``_column`` wrote, one after the other."""

    content: bytes
    at: int

    def column(self) -> npt.NDArray[Any]:
        """The next column."""
        kind, length = struct.unpack_from("<2sxxxxxxq", self.content, self.at)
        little = np.frombuffer(self.content, "<" + kind.decode(), length, self.at + 16)
        self.at += 16 + little.nbytes
        return little.astype(little.dtype.newbyteorder("="))
