"""Reads the golden figures in ``data/``: right answers that were worked out apart from the product."""

import csv
import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file by column, all text."""
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def vectors(name: str) -> Any:
    """The value of a JSON file."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))
