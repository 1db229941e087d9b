"""Single words and figures of a USEBIO file: the text of one element each."""

import re
from datetime import date
from decimal import Decimal

from server.bridge.seats import Seat
from server.formats.complaints import Complaints
from server.formats.xml_tree import Element

_FIGURE = re.compile(r"([+-]?[0-9]{1,7}(?:\.[0-9]{1,6})?) ?%?")
_DATE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})/([0-9]{4})")
_NAMES = ("NORTH", "EAST", "SOUTH", "WEST")
_SEATS = dict(zip(_NAMES, Seat, strict=True)) | {seat.value: seat for seat in Seat}


def read_seat(text: str) -> Seat | None:
    """``N`` or ``North``, in any case; None for anything else."""
    return _SEATS.get(text.upper()) if text.isascii() else None  # upper() also turns the long s into S


def read_direction(text: str) -> str:
    """``NS`` or ``EW`` from ``NS``, ``N`` or ``North``; empty for a pair that sat both ways."""
    seat = read_seat(text[:1])
    return "" if seat is None else seat.side.value


def read_figure(parent: Element, name: str, complaints: Complaints) -> Decimal | None:
    """The number in the child ``name``, with the precision it is printed in; None when none is printed.

    A text that is no number is warned about and left out: it spoils the figure, not the result beside it.
    """
    text = parent.text_of(name)
    if text in ("", "-"):
        return None
    match = _FIGURE.fullmatch(text)
    if match is None:
        complaints.warn(parent.line_of(name), f"{name} {text!r} is no number; left out")
        return None
    return Decimal(match[1])


def read_date(event: Element, complaints: Complaints) -> date | None:
    """The day in DATE, ``dd/mm/yyyy``; None, with a warning, when it is no such day."""
    text = event.text_of("DATE")
    if not text:
        return None
    match = _DATE.fullmatch(text)
    try:
        return date(int(match[3]), int(match[2]), int(match[1])) if match else date.fromisoformat(text)
    except ValueError:
        complaints.warn(event.line_of("DATE"), f"DATE {text!r} is no day written dd/mm/yyyy")
        return None
