"""Public ids: the row's number in base 32, fixed width, sortable.

``b_00000h`` is a board, ``a_…`` an assignment, ``d_…`` a disconnect, ``e_…`` an event; ``r_00000h000007`` is
the seventh result of that board, so that every result names its board and needs no number of its own.
"""

import re
from functools import lru_cache

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's: no i, l, o, u
_WIDTH = 6  # a billion boards; ids grow longer beyond that and stay unique
_NUMBER = rf"[{_DIGITS}]{{6}}|[{_DIGITS[1:]}][{_DIGITS}]{{6,11}}"  # no two ids for one number
_BOARD = re.compile(rf"b_({_NUMBER})")
_DISCONNECT = re.compile(rf"d_({_NUMBER})")
_EVENT = re.compile(rf"e_({_NUMBER})")
_RESULT = re.compile(rf"r_({_NUMBER})([{_DIGITS}]{{6}})")


def board_id(number: int) -> str:
    """Public id of the board with this number."""
    return f"b_{_encode(number)}"


def result_id(board: int, sequence: int) -> str:
    """Public id of the result that arrived as number ``sequence`` on the board."""
    return f"r_{_encode(board)}{_encode(sequence)}"


def assignment_id(number: int) -> str:
    """Public id of the assignment with this number."""
    return f"a_{_encode(number)}"


def disconnect_id(number: int) -> str:
    """Public id of the disconnect with this number."""
    return f"d_{_encode(number)}"


def event_id(number: int) -> str:
    """Public id of the event with this number."""
    return f"e_{_encode(number)}"


def board_number(text: str) -> int | None:
    """The board that a public id names; None when it is none of ours."""
    match = _BOARD.fullmatch(text)
    return _decode(match[1]) if match else None


def disconnect_number(text: str) -> int | None:
    """The disconnect that a public id names; None when it is none of ours."""
    match = _DISCONNECT.fullmatch(text)
    return _decode(match[1]) if match else None


def event_number(text: str) -> int | None:
    """The event that a public id names; None when it is none of ours."""
    match = _EVENT.fullmatch(text)
    return _decode(match[1]) if match else None


def result_number(text: str) -> tuple[int, int] | None:
    """Board and sequence that a public id names; None when it is none of ours."""
    match = _RESULT.fullmatch(text)
    return (_decode(match[1]), _decode(match[2])) if match else None


@lru_cache(65_536)
def _encode(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 32)
        digits = _DIGITS[digit] + digits
    return digits.rjust(_WIDTH, "0")


def _decode(digits: str) -> int:
    number = 0
    for digit in digits:
        number = 32 * number + _DIGITS.index(digit)
    return number
