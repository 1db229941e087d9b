"""The server with a short queue: ``python -m tests.long.narrow <places> serve …``."""

import sys
from functools import partial

from server import app
from server.cli import main
from server.services.ingest import Ingest

if __name__ == "__main__":
    app.Ingest = partial(Ingest, limit=int(sys.argv[1]))  # type: ignore[misc]
    main(sys.argv[2:])
