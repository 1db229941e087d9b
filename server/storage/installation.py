"""What was settled when the database was made."""

from sqlalchemy import Connection, insert, select

from server.storage.tables import installation


def get_all(connection: Connection) -> dict[str, str]:
    """Everything that was settled, by name."""
    return {row.name: row.value for row in connection.execute(select(installation))}


def add(connection: Connection, name: str, value: str) -> None:
    """Settle something for good; ConstraintViolated when it is settled already."""
    connection.execute(insert(installation).values(name=name, value=value))
