"""Pages are made from what the services say, which is tested on both databases with the API.

``tests/web/test_pages.py`` reads every page on both; here one is enough.
"""

import pytest


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """A fresh database with every table."""
    return sqlite_url
