"""How a reader wants pages to look."""

from dataclasses import dataclass

COOKIE = "display"
THEMES = ("auto", "light", "dark")
SUITS = ("two", "four")  # colours


@dataclass(frozen=True, slots=True)
class Display:
    """A reader's choice; in a cookie of his, so that it holds from the first byte and without script."""

    theme: str = THEMES[0]
    suits: str = SUITS[0]

    def __str__(self) -> str:
        return f"{self.theme}.{self.suits}"


def display(theme: str, suits: str) -> Display:
    """The choice; what is none of ours is the default."""
    return Display(theme if theme in THEMES else THEMES[0], suits if suits in SUITS else SUITS[0])


def read_display(cookie: str) -> Display:
    """The choice as its cookie has it."""
    theme, _, suits = cookie.partition(".")
    return display(theme, suits)
