"""`python -m jobs`: the timetable alone, as `crossruff jobs` runs it."""

from server.cli import main

if __name__ == "__main__":
    main(["jobs"])
