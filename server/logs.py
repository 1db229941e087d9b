"""Logs: one line of JSON for each thing that happened."""

import logging
import sys

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from structlog.tracebacks import ExceptionDictTransformer
from structlog.typing import Processor


def set_up(level: int = logging.INFO) -> None:
    """Write logs from ``level`` on to the standard error stream, those of libraries too."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Without local variables: they hold tokens and the address of the database.
    exceptions = structlog.processors.ExceptionRenderer(ExceptionDictTransformer(show_locals=False))
    line = structlog.processors.JSONRenderer(ensure_ascii=False)
    structlog.configure(
        processors=[*shared, exceptions, line],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),  # a line at a time: processes share it
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, exceptions, line],
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
        )
    )
    logging.getLogger("aiohttp.server").addFilter(_no_fault_of_ours)
    # A run that is still under way does the work of the next one too: nothing to warn about.
    logging.getLogger("apscheduler").setLevel(logging.ERROR)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)


def _no_fault_of_ours(record: logging.LogRecord) -> bool:
    """Whoever sends what is no HTTP gets a line, not a traceback."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, HttpProcessingError):
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
        record.msg, record.args = "no HTTP: %s", (type(error).__name__,)
    return True
