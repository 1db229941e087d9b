"""``crossruff``: its list of commands, and what reading them costs."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from server.cli import main

NAMES = ["demo", "import", "jobs", "migrate", "rate", "replay", "serve", "settings", "token", "verify"]


def test_help_lists_every_command_with_a_whole_line():
    found = CliRunner().invoke(main, ["--help"], terminal_width=80)
    assert found.exit_code == 0
    listed = found.output.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in listed] == NAMES
    assert all(line.endswith(".") and not line.endswith("...") for line in listed)


@pytest.mark.parametrize("name", NAMES)
def test_each_stands_where_the_list_says(name):
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    found = CliRunner().invoke(main, [name, "--help"])
    assert found.exit_code == 0
    assert found.output.startswith(f"Usage: crossruff {name}") or f"{name} [OPTIONS]" in found.output


def test_what_is_no_command_is_named_with_the_nearest():
    found = CliRunner().invoke(main, ["reply"])
    assert found.exit_code == 2
    assert "replay" in found.output


def test_help_reads_no_command():
    """So it is there at once: the server's packages take a second to read."""
    code = (
        "import sys\nfrom server.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "print([name for name in sys.modules if name.startswith(('sqlalchemy', 'aiohttp', 'numpy'))])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "[]"
