"""Logs: one line of JSON for each thing, and no secrets in it."""

import json
import os
import subprocess
import sys

SAYS = """
import logging
import structlog
from server import logs

logs.set_up()
log = structlog.get_logger()
log.info("dealt", boards=3, name="Zoë ♠")
log.debug("nobody asked")


def fail(token):
    raise LookupError("no such thing")


try:
    fail("cr_hush" + "hush")
except LookupError as error:
    log.error("request.failed", exc_info=error)
logging.getLogger("somebody.else").warning("careful with %s", "that")
logging.getLogger("somebody.else").info("nobody asked")
try:
    fail("cr_hush" + "hush")
except LookupError:
    logging.getLogger("somebody.else").exception("failed too")
"""


def test_each_thing_is_a_line_of_json_on_standard_error():
    ran = subprocess.run([sys.executable, "-c", SAYS], capture_output=True, check=True)
    assert ran.stdout == b""
    assert b"cr_hushhush" not in ran.stderr
    dealt, failed, careful, too = map(json.loads, ran.stderr.splitlines())
    assert dealt.pop("timestamp").endswith("Z")
    assert dealt == {"event": "dealt", "level": "info", "boards": 3, "name": "Zoë ♠"}
    assert (failed["level"], failed["event"]) == ("error", "request.failed")
    assert (careful["event"], careful["logger"]) == ("careful with that", "somebody.else")
    assert (too["event"], too["level"]) == ("failed too", "error")
    for line in (failed, too):
        (exception,) = line["exception"]
        assert (exception["exc_type"], exception["exc_value"]) == ("LookupError", "no such thing")
        assert exception["frames"][-1]["name"] == "fail"


OFTEN = """
import logging
import structlog
from server import logs

logs.set_up()
for number in range(5000):
    structlog.get_logger().info("request", number=number, padding="x" * 100)
    logging.getLogger("somebody.else").warning("careful")
"""


def test_lines_of_several_processes_stay_whole():
    """As of `serve --workers`, whose processes share one standard error."""
    ours, theirs = os.pipe()
    running = [subprocess.Popen([sys.executable, "-c", OFTEN], stderr=theirs) for _ in "12"]
    os.close(theirs)
    with os.fdopen(ours) as lines:
        said = [json.loads(line)["event"] for line in lines]
    assert [process.wait() for process in running] == [0, 0]
    assert (said.count("request"), said.count("careful")) == (10_000, 10_000)
