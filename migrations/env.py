"""Alembic's entry: runs migrations on the connection it is given, or opens the configured database itself."""

import asyncio

from alembic import context
from sqlalchemy import Connection

from server.settings import load_settings
from server.storage.database import open_database
from server.storage.schema import metadata


def run(connection: Connection) -> None:
    """Migrate over ``connection``; its owner commits."""
    context.configure(
        connection=connection,
        target_metadata=metadata,
        compare_server_default=True,
        render_as_batch=connection.dialect.name == "sqlite",
        transaction_per_migration=False,
    )
    context.run_migrations()


async def run_alone() -> None:
    """Migrate the database that the settings name (for Alembic's own command line)."""
    database = open_database(load_settings().database)
    try:
        await database.write(run)
    finally:
        await database.close()


given = context.config.attributes.get("connection")
if given is None:
    asyncio.run(run_alone())
else:
    run(given)
