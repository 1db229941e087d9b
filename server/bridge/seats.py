"""Seats and sides of a table, and who is vulnerable on which board."""

from enum import StrEnum


class Side(StrEnum):
    """One of the two partnerships at a table."""

    NS = "NS"
    EW = "EW"

    @property
    def other(self) -> "Side":
        """The opponents."""
        return Side.EW if self is Side.NS else Side.NS


class Seat(StrEnum):
    """A compass direction at the table, in order of play."""

    N = "N"
    E = "E"
    S = "S"
    W = "W"

    @property
    def side(self) -> Side:
        """The partnership that sits here."""
        return Side.NS if self in (Seat.N, Seat.S) else Side.EW

    @property
    def next(self) -> "Seat":
        """The seat to the left, who plays next."""
        return _CLOCKWISE[(_CLOCKWISE.index(self) + 1) % 4]

    @property
    def partner(self) -> "Seat":
        """The seat opposite."""
        return self.next.next


_CLOCKWISE = (Seat.N, Seat.E, Seat.S, Seat.W)


class Vulnerability(StrEnum):
    """Which sides are vulnerable on a board."""

    NONE = "none"
    NS = "NS"
    EW = "EW"
    BOTH = "both"

    def includes(self, side: Side) -> bool:
        """Whether ``side`` is vulnerable."""
        return self is Vulnerability.BOTH or self.value == side.value


_NAMES = "none NS EW both NS EW both none EW both none NS both none NS EW"
_VULNERABILITIES = tuple(map(Vulnerability, _NAMES.split(" ")))


def dealer_of(board_number: int) -> Seat:
    """Dealer of a board by its number (Law 2; period 4)."""
    return _CLOCKWISE[(board_number - 1) % 4]


def vulnerability_of(board_number: int) -> Vulnerability:
    """Vulnerability of a board by its number (Law 2; period 16)."""
    return _VULNERABILITIES[(board_number - 1) % 16]
