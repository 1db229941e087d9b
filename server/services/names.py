"""What ids and names may be made of, wherever they come from."""

import re

# No control characters, no characters that turn the direction of writing, no line separators. The tail
# `(?![\s\S])` is the end of the text, which `$` is not when a line feed follows.
_PLAIN = r"[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069{}]"
_END = r"(?![\s\S])"

LONGEST_ID = 64
PLAIN_TEXT = rf"^{_PLAIN.format('')}*{_END}"
ID = rf"^(?!\.{{1,2}}{_END}){_PLAIN.format('/')}{{1,{LONGEST_ID}}}{_END}"
"""Ids stand in addresses: no slash, and neither `.` nor `..`, which addresses resolve away."""

_id = re.compile(ID)


def is_id(text: str) -> bool:
    """Whether ``text`` may be the id of a player or a table."""
    return _id.match(text) is not None
