"""Logging: all records, ours and the libraries', go through structlog to standard error, with secrets masked.

The mask works on the finished line. So it covers everything: keys, values, exceptions, other libraries' records. Ids of
users are replaced there, too. Names of users are never logged.
"""

import hashlib
import hmac
import json
import logging
import re
import secrets
import sys
import threading
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Final, TextIO
from urllib.parse import quote

import structlog

from bot.core.metrics.definitions import LOG_RECORDS, OTHER
from bot.core.storage.faults.outages import drop_outages
from bot.settings import Settings

MASK: Final = "[masked]"
PATTERNS: Final = (
    # a bot token: the id in base64, a timestamp, a signature
    (re.compile(r"(?<![\w-])[\w-]{23,30}\.[\w-]{6}\.[\w-]{27,}"), MASK),
    # the password in a URL; it may contain an @
    (re.compile(r"((?<![\w+])[\w+]+://[^\s:/@'\"]{0,300}:)[^\s'\"]{1,300}(?=@)"), rf"\1{MASK}"),
    # the same as a parameter of a URL
    (re.compile(r"([?&]\w*password=)[^\s&#'\"]+", re.IGNORECASE), rf"\1{MASK}"),
    # the token of an interaction or webhook in Discord's URLs, also in quoted ones
    (
        re.compile(r"((?:/|%2F)(?:interactions|webhooks)(?:/|%2F)\d+(?:/|%2F))[^\s/?#'\"<>)%&]+", re.IGNORECASE),
        rf"\1{MASK}",
    ),
    # an interaction's token anywhere: in base64 it begins with "interaction:"
    (re.compile(r"\baW50ZXJhY3Rpb246[\w+/=-]*"), MASK),
    # the row of a violated constraint in PostgreSQL's errors: it may hold the secrets of the next rolls
    (re.compile(r"(Failing row contains )\((?:(?!\n|\\n|\"[,}]).)*"), rf"\1{MASK}"),
    # a value named token in a payload, a header or a repr
    (re.compile(r"""(\btoken\\?["']?\s*[:=]\s*\\?["']?)[\w.+/=-]{16,}""", re.IGNORECASE), rf"\1{MASK}"),
)

PLACE: Final = r"(?:channel|guild|message|thread|application|interaction|webhook)s?"
"""Names of places, whose ids are not replaced: they say where something failed, and not who was there."""
ID: Final = re.compile(rf"""({PLACE}(?:/|=|_id=|['"]?:\s?['"]?))?(?<!\w)(\d{{17,20}})(?!\w)""")
"""One of Discord's ids, with the text before it if that is the name of a place."""
QUIET: Final = {
    **dict.fromkeys(("aiosqlite", "sqlalchemy", "alembic"), logging.WARNING),
    "discord": logging.INFO,
}
"""Libraries that log, at lower levels, every statement with its values, or every event with names of users."""
LEVELS: Final = frozenset({"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"})
VOICE: Final = "voice will NOT be supported"


class Mask:
    """Masks the given secrets, and texts that look like secrets."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if secret for form in _forms(secret)}
        longest_first = sorted(forms, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if forms else None

    def __call__(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(MASK, text)
        for pattern, replacement in PATTERNS:
            text = pattern.sub(replacement, text)
        return text


class IdMask:
    """Replaces ids of users by codes, which stay the same until the process ends. A code cannot be traced back."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def __call__(self, text: str) -> str:
        return ID.sub(lambda found: found[0] if found[1] else self._code(found[2]), text)

    def _code(self, number: str) -> str:
        return f"id#{hmac.new(self._key, number.encode(), hashlib.sha256).hexdigest()[:8]}"


def _forms(secret: str) -> set[str]:
    """Returns a secret as it is, and escaped as in a URL, in JSON and in a Python repr."""
    return {secret, quote(secret, safe=""), quote(secret), json.dumps(secret)[1:-1], repr(secret)[1:-1]}


class MaskingFormatter(structlog.stdlib.ProcessorFormatter):
    """Masks every finished line."""

    def __init__(self, mask: Mask, **parts: Any) -> None:
        super().__init__(**parts)
        self._mask = mask
        self._ids = IdMask()

    def format(self, record: logging.LogRecord) -> str:
        LOG_RECORDS.labels(record.levelname.lower() if record.levelname in LEVELS else OTHER).inc()
        return self._ids(self._mask(super().format(record)))


def log_uncaught() -> None:
    """Sends uncaught exceptions through the logs, as Python would print them unmasked. Ctrl+C works as usual."""
    log = logging.getLogger("bot")

    def main(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        log.critical("uncaught", exc_info=(kind, error, trace))

    def unraisable(args: "sys.UnraisableHookArgs") -> None:
        log.error("uncaught", exc_info=args.exc_value)

    def in_thread(args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            log.critical("uncaught", exc_info=args.exc_value)

    sys.excepthook, sys.unraisablehook, threading.excepthook = main, unraisable, in_thread


def _is_not_about_voice(record: logging.LogRecord) -> bool:
    """Drops discord.py's two warnings about missing voice libraries. The bot does not use voice."""
    return VOICE not in str(record.msg)


def configure(settings: Settings, stream: TextIO | None = None) -> None:
    """Sends all logging through one masking handler to ``stream`` (default: standard error). May be called again."""
    target = sys.stderr if stream is None else stream
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    for_machines: list[Any] = [
        structlog.processors.EventRenamer("message"),
        structlog.processors.format_exc_info,
        structlog.processors.JSONRenderer(default=repr),
    ]
    for_people: list[Any] = [
        structlog.dev.ConsoleRenderer(
            colors=target.isatty(),
            exception_formatter=structlog.dev.plain_traceback,  # a rich traceback would show local variables
        )
    ]
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        MaskingFormatter(
            Mask(settings.secrets),
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *(for_machines if settings.log_format == "json" else for_people),
            ],
        )
    )
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            drop_outages,
            structlog.stdlib.PositionalArgumentsFormatter(),
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(settings.log_level)
    logging.captureWarnings(capture=True)
    for chatty, least in QUIET.items():
        logging.getLogger(chatty).setLevel(max(least, root.level))
    logging.getLogger("discord.client").addFilter(_is_not_about_voice)
