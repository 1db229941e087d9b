"""How a serving process collects its garbage.

A collection of everything stops the process for a tenth of a second, and everybody who waits for an answer
with it. What is there once the server stands stays until it ends: it is left out of all later collections.
"""

import gc

YOUNG = 20_000  # objects more than there were before the youngest are looked through
OLDER, OLDEST = 20, 50  # collections of one age before the next age is looked through too


def settle() -> None:
    """To be called once, when the process has made what lasts."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLDEST)
