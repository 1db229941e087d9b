"""Builds small PBN files."""

from pathlib import Path

from server.formats.pbn import read_pbn
from server.formats.records import ResultFile, Row

FILES = Path(__file__).parent / "files"
PLAYED = {"Board": "1", "Vulnerable": "None", "Contract": "4S", "Declarer": "N", "Result": "10"}


def game(*lines: str, **tags: str) -> str:
    """A game of these tags and the lines after them."""
    return "\n".join([*(f'[{name} "{value}"]' for name, value in tags.items()), *lines, ""])


def played(*lines: str, **changed: str) -> str:
    """A game with a result, some of its tags changed."""
    return game(*lines, **(PLAYED | changed))


def table(columns: str, *rows: str, **tags: str) -> str:
    """A game with a ScoreTable."""
    return game(f'[ScoreTable "{columns}"]', *rows, **({"Board": "1", "Vulnerable": "None"} | tags))


def read(*games: str) -> ResultFile:
    """What is read of a file of these games."""
    return read_pbn("\n".join(games).encode())


def rows_of(file: ResultFile) -> list[Row]:
    """Every row of every board."""
    return [row for each in file.boards for row in each.rows]


def whole(*games: str) -> ResultFile:
    """What is read of a file about which there is nothing to complain."""
    file = read(*games)
    assert (file.warnings, file.refused) == ((), ())
    return file


def warned(file: ResultFile) -> list[tuple[int | None, str]]:
    """Lines and texts of the warnings of a file from which nothing was refused."""
    assert file.refused == ()
    return [(warning.line, warning.text) for warning in file.warnings]


def refused(file: ResultFile) -> list[tuple[int | None, str]]:
    """Lines and texts of what was refused."""
    return [(refusal.line, refusal.text) for refusal in file.refused]
