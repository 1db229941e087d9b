"""Numbers as people read them: a true minus, signs for gain and loss, fixed decimals that line up."""

MINUS = "\N{MINUS SIGN}"  # as wide as the plus and the figures; the en dash is passed over when read aloud


def many(count: float, thing: str, sign: bool = False) -> str:
    """How many of a thing there are, in English: `1 board`, `2 boards`; with a sign `-1 IMP`, `+0.5 IMPs`."""
    return f"{count:{'+' if sign else ''}} {thing}{'' if abs(count) == 1 else 's'}"


def plain(value: float) -> str:
    """A number with its minus."""
    return f"{value:d}".replace("-", MINUS) if isinstance(value, int) else f"{value}".replace("-", MINUS)


def signed(value: float) -> str:
    """A gain or loss: `+3`, `−3`, `0`."""
    return plain(value) if value == 0 else f"{value:+}".replace("-", MINUS)


def decimals(value: float, places: int = 2) -> str:
    """A number with so many decimals."""
    return f"{value:.{places}f}".replace("-", MINUS)


def signed_decimals(value: float, places: int = 2) -> str:
    """A gain or loss with so many decimals; nothing gained has no sign."""
    return decimals(0, places) if value == 0 else f"{value:+.{places}f}".replace("-", MINUS)


def shortest(value: float) -> str:
    """A number without decimals that say nothing."""
    return f"{value:.10g}".replace("-", MINUS)
