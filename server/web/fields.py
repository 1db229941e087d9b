"""Kinds of text and numbers that bodies are made of, with what they may hold."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta

# No control characters, no characters that turn the direction of writing, no line separators. The tail
# `(?![\s\S])` is the end of the text, which `$` is not when a line feed follows.
_PLAIN = r"^[^\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069{}]{{{}}}(?![\s\S])"
Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern=_PLAIN.format("/", "1,64"),
        description="An id of the platform's own: case-sensitive, without slash and control characters.",
        examples=["ann"],
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=100, pattern=_PLAIN.format("", "1,100"))]
Alias = Annotated[str, Meta(max_length=100, pattern=_PLAIN.format("", "0,100"))]
Key = Annotated[str, Meta(min_length=1, max_length=255, pattern=_PLAIN.format("", "1,255"))]
Call = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PLAIN.format("", "1,64"))]
WeekText = Annotated[str, Meta(pattern=r"^[0-9]{4}-W[0-9]{2}(?![\s\S])", examples=["2026-W48"])]
PoolName = Annotated[str, Meta(min_length=1, max_length=64, pattern=_PLAIN.format("", "1,64"))]
ContractText = Annotated[str, Meta(min_length=1, max_length=24, examples=["4SX", "3NT", "PASS"])]
BoardNumberField = Annotated[int, Meta(ge=1, le=1_000_000)]
Moment = Annotated[datetime, Meta(tz=True)]
SeatName = Literal["N", "E", "S", "W"]
Figure = int | float
