"""Kinds of text and numbers that bodies are made of, with what they may hold."""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import Meta, Struct

from server.services.names import ID, LONGEST_ID, PLAIN_TEXT

Id = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=LONGEST_ID,
        pattern=ID,
        description="An id of the platform's own: case-sensitive, without slash and control characters.",
        examples=["ann"],
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=100, pattern=PLAIN_TEXT)]
Alias = Annotated[str, Meta(max_length=100, pattern=PLAIN_TEXT)]
Key = Annotated[str, Meta(min_length=1, max_length=255, pattern=PLAIN_TEXT)]
Call = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN_TEXT)]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=PLAIN_TEXT)]
PoolName = Annotated[str, Meta(min_length=1, max_length=64, pattern=PLAIN_TEXT)]
WeekText = Annotated[str, Meta(pattern=r"^[0-9]{4}-W[0-9]{2}(?![\s\S])", examples=["2026-W48"])]
ContractText = Annotated[str, Meta(min_length=1, max_length=24, examples=["4SX", "3NT", "PASS"])]
BoardNumberField = Annotated[int, Meta(ge=1, le=1_000_000)]
Moment = Annotated[datetime, Meta(tz=True)]
SeatName = Literal["N", "E", "S", "W"]
Figure = int | float


class Sides(Struct):
    """A score of each side: IMPs, or in matchpoint pools per cent."""

    ns: Figure
    ew: Figure
