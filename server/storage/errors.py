"""What the database refuses. The docstring of each class is its title for people."""

from dataclasses import dataclass


@dataclass(eq=False)
class StorageError(Exception):
    """The database did not do what was asked"""

    detail: str

    def __str__(self) -> str:
        return self.detail


@dataclass(eq=False)
class DatabaseBusy(StorageError):
    """The database is busy or not reachable; try again"""

    passing: bool = False  # a deadlock or serialization failure: the same again may well succeed


class ConstraintViolated(StorageError):
    """The database refused a row that contradicts another"""


class DatabaseUnusable(StorageError):
    """The database cannot be used"""
