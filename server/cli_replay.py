"""`crossruff replay`: the tables of a result file, posted over HTTP as a platform would."""

import click


@click.command("replay")
def replay_command() -> None:
    """Post the tables of a result file to a running server."""
