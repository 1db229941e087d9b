"""The settings of a demonstration: the defaults, whatever the operator's own server is set to."""

import tomllib
from pathlib import Path
from typing import Any

from server.demo.plan import Plan
from server.settings import DEFAULTS

_OPERATORS = ("host", "port")  # what is the operator's here too


def arguments(plan: Plan, data_dir: Path) -> dict[str, Any]:
    """What a demonstration hands to `load_settings`, so that the same seed gives the same ratings."""
    own = tomllib.loads(DEFAULTS.read_text(encoding="utf-8"))
    for name in _OPERATORS:
        del own[name]
    for pool, boards in plan.boards().items():
        own["pools"][pool]["retire_at"] = plan.retire_at
        own["week_boards"] = max(own["week_boards"], boards)
    return own | {"data_dir": data_dir, "clock": plan.clock, "rate_limit": 0}
