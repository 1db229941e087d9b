"""What the laws of the game refuse. The docstring of each class is its title for people.

The classes are dataclasses with ``eq=False`` and not frozen: a context manager that an exception passes
through writes ``__traceback__`` into it, which a frozen dataclass refuses.
"""

from dataclasses import dataclass


class BridgeError(ValueError):
    """Refused by the laws of the game"""


@dataclass(eq=False)
class NotUnderstood(BridgeError):
    """A text that is no contract, card, deal or week"""

    text: str
    position: int
    expected: str

    def __str__(self) -> str:
        return f"{self.text!r}: at position {self.position + 1} expected {self.expected}"


@dataclass(eq=False)
class Impossible(BridgeError):
    """A result that cannot have happened at the table"""

    member: str
    reason: str

    def __str__(self) -> str:
        return self.reason
