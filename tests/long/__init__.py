"""Failure tests as programs: the server in processes of its own, killed, flooded, raced, cut off.

Each runs alone, ``python -m tests.long.kills [--database sqlite|postgresql] [--long] [--seed N]``. It
prints its seed and what it measured, and ends with 1 and a list of faults when something does not hold.
``make long`` runs all with their long profiles, ``tests/failures`` each with its short one within the
normal suite.

- ``program.py`` what all share: arguments, seed, progress, figures, faults
- ``places.py``, ``servers.py``, ``cluster.py``, ``disks.py`` databases, server processes, a PostgreSQL that
  may be restarted, disks that are full
- ``wire.py``, ``streams.py`` clients that can break off at any byte, followers of channels
- ``traffic.py``, ``loads.py``, ``main_job.py`` results to post, and a ledger of what was acknowledged
- ``checker.py`` reads the database by plain SQL and compares it with the ledger, by rules of its own
"""
