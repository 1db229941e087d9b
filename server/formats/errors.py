"""What a reader of files refuses as a whole. The docstring of each class is its title for people."""

from dataclasses import dataclass


@dataclass(frozen=True)
class FileRefused(ValueError):
    """A file that cannot be read at all"""

    reason: str
    line: int | None = None

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"
