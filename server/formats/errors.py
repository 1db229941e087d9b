"""What a reader of files refuses as a whole. The docstring of each class is its title for people.

Not frozen, for the reason given in ``server.bridge.errors``.
"""

from dataclasses import dataclass


@dataclass(eq=False)
class FileRefused(ValueError):
    """A file that cannot be read at all"""

    reason: str
    line: int | None = None

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"
