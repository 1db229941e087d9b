"""The server where few files may be open: ``python -m tests.long.few_files <limit> <highest> serve …``."""

import resource
import sys

from server.cli import main

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
    main(sys.argv[3:])
