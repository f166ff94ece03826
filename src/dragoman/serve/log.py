"""One line of JSON for each thing that happens, on standard error. Users' text is never in it unless it was asked for,
and neither are query strings or keys."""

from __future__ import annotations

import datetime
import json
import logging
import sys
from typing import Any

LOGGER = logging.getLogger("dragoman.serve")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {"time": moment, "level": record.levelname.lower(), "event": record.getMessage()}
        line |= getattr(record, "values", {})
        if record.exc_info and record.exc_info[1] is not None:
            line["fault"] = where(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False, default=str)


def where(error: BaseException) -> str:
    """The kind of an error and the lines it came through, without its message: that may quote what a user wrote."""
    places = []
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{trace.tb_lineno} {code.co_name}")
        trace = trace.tb_next
    return f"{type(error).__name__} at {' < '.join(reversed(places[-6:]))}"


def set_up(level: str = "INFO") -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("dragoman.serve", "dragoman.corrections", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(level if name == "dragoman.serve" else "WARNING")


def event(name: str, *, fault: BaseException | None = None, level: int = logging.INFO, **values: Any) -> None:
    info = (type(fault), fault, fault.__traceback__) if fault is not None else None
    LOGGER.log(logging.ERROR if fault else level, name, extra={"values": values}, exc_info=info)
