"""Where a reader notes what it could not take, and goes on reading."""

from server.formats.records import Complaint


class Complaints:
    """The complaints about one file, in the order in which they were found."""

    def __init__(self) -> None:
        self._warnings: list[Complaint] = []
        self._refused: list[Complaint] = []

    def warn(self, line: int | None, text: str) -> None:
        """Something suspicious that was read all the same, or that carries no result."""
        self._warnings.append(Complaint(line, text))

    def refuse(self, line: int | None, text: str) -> None:
        """Something that was left out because it could not be understood."""
        self._refused.append(Complaint(line, text))

    @property
    def warnings(self) -> tuple[Complaint, ...]:
        """Warnings by line; those about the whole file first."""
        return _by_line(self._warnings)

    @property
    def refused(self) -> tuple[Complaint, ...]:
        """Refusals by line; those about the whole file first."""
        return _by_line(self._refused)


def _by_line(complaints: list[Complaint]) -> tuple[Complaint, ...]:
    return tuple(sorted(complaints, key=lambda complaint: complaint.line or 0))
