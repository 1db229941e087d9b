"""How many files, and so connections, this process may have open."""

import resource
from contextlib import suppress

from server.web.live import MOST

NEEDED = 2 * MOST + 1000  # every stream that is ever taken, as many other connections, and what lies on disks


def raise_limit() -> None:
    """Ask the system for as many as may be needed: many processes begin with no more than 1,024."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = NEEDED if most == resource.RLIM_INFINITY else min(NEEDED, most)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        with suppress(OSError, ValueError):  # some systems say that there is no limit, and have one
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def streams() -> int:
    """Live streams that leave half of the connections to results."""
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if allowed == resource.RLIM_INFINITY else min(MOST, allowed // 2)
