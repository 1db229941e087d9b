"""Runs the command ``crossruff`` within the test's process, with settings of the test alone.

For commands that come to an end; ``tests/processes.py`` runs servers, and commands beside them.
"""

import asyncio
from pathlib import Path

from click.testing import CliRunner, Result

from server.cli import main


def run(*arguments: str | Path, **environment: str) -> Result:
    """Run a command to its end; what it raises, beside its exit code, fails the test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


async def run_beside(*arguments: str | Path, **environment: str) -> Result:
    """The same while a server runs in the test's loop."""
    return await asyncio.to_thread(run, *arguments, **environment)
