"""All settings: from the environment, or else from a file of ``NAME = value`` lines, or else the default."""

import difflib
import logging
import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

import click
from dotenv import dotenv_values
from sqlalchemy.engine import make_url

from bot.database_url import MOST_PORT, with_driver

CONFIG: Final = "ABAKBOT_CONFIG"
"""The environment variable with the file's path."""
DEFAULT_FILE: Final = Path(".env")
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""The variable that systemd sets for ``LoadCredential``: a folder with a file for each secret, such as
``discord_token``.
"""
LINE: Final = re.compile(
    r"""\s*(?:(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?:"[^"]*"|'[^']*'|[^"'\s][^#]*)?\s*(?:\#.*)?|\#.*)?"""
)
NEARLY: Final = 0.9
"""The least likeness of a misspelt name to the right one: at most one letter of ten differs."""
MINUTE: Final = 60
DAY: Final = 24 * 60 * MINUTE
POSTGRES_CONNECTIONS: Final = 20
"""The most connections at once. Further transactions wait for a free one."""
MOST_SHARDS: Final = 100_000
MOST_WORKERS: Final = 64
HIGHEST_LEVEL: Final = 8
"""The highest level that the machine of any game has."""


class SettingsError(Exception):
    """The settings are wrong. ``problems`` describes each mistake in a sentence, without the values of secrets."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Secret:
    """A text that is shown as stars."""

    text: str = field(repr=False)

    def __str__(self) -> str:
        return "**********"


Read = Callable[[Any], Any]
"""Converts a text, or a program's value, into the value of a setting. Raises ValueError with a description of valid
values.
"""


def about(description: str, read: Read, unset: str = "") -> dict[str, Any]:
    """Returns the metadata of a setting. ``unset``: the text for None."""
    return {"description": description, "read": read, "unset": unset}


def _read(kind: click.ParamType[Any], sentence: str) -> Read:
    """Returns a reader for one of click's types. click's own messages quote the value, which may be a
    misplaced secret.
    """

    def read(given: Any) -> Any:
        try:
            return kind.convert(given, None, None)
        except click.BadParameter:
            raise ValueError(sentence) from None

    return read


def _whole(low: int, high: int) -> Read:
    return _read(click.IntRange(low, high), f"should be a whole number from {low} to {high}")


def _number(low: float, high: float) -> Read:
    sentence = f"should be a number from {low} to {high}"
    within = _read(click.FloatRange(low, high), sentence)

    def read(given: Any) -> Any:
        found = within(given)
        if math.isnan(found):  # click's comparisons let NaN pass
            raise ValueError(sentence)
        return found

    return read


def _one_of(*words: str) -> Read:
    return _read(click.Choice(words, case_sensitive=False), f"should be one of {', '.join(words)}")


_yes_or_no: Final = _read(click.BOOL, "should be true or false")


def _short(most: int) -> Read:
    def read(given: str) -> str:
        if len(given) > most:
            raise ValueError(f"should have at most {most} characters")
        return given

    return read


def _automatic(given: Any) -> Any:
    return None if str(given).lower() == "auto" else _SHARDS(given)


_SHARDS: Final = _read(click.IntRange(1, MOST_SHARDS), f"should be auto, or a whole number from 1 to {MOST_SHARDS}")


def _own_address(given: str) -> str:
    """Reads an IP address, or ``*``. The name of a host is refused, as its address may change."""
    if given != "*":
        try:
            ip_address(given)
        except ValueError:
            raise ValueError("should be an IP address, or * for all of the machine's") from None
    return given


def _address(*schemes: str) -> Read:
    def read(given: str) -> str:
        if not given.startswith(schemes):
            raise ValueError(f"should begin with {' or '.join(schemes)}")
        return given.rstrip("/")

    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All settings. In the environment and in the file, the names are in capitals."""

    discord_token: Secret | None = field(
        default=None, metadata=about("The bot's token, from Discord's developer portal.", Secret)
    )
    discord_api_base: str | None = field(
        default=None,
        metadata=about(
            "Another address for Discord's HTTP API, such as http://127.0.0.1:8080/api/v10.",
            _address("http://", "https://"),
        ),
    )
    discord_gateway_url: str | None = field(
        default=None,
        metadata=about(
            "Another address for Discord's gateway, such as ws://127.0.0.1:8080/gateway.", _address("ws://", "wss://")
        ),
    )
    sync_commands: bool = field(
        default=True, metadata=about("Whether to register the commands with Discord at start.", _yes_or_no)
    )
    shards: int | None = field(
        default=None,
        metadata=about(
            "How many connections to Discord share the servers; auto for as many as Discord advises.",
            _automatic,
            unset="auto",
        ),
    )
    identify_pause: float = field(
        default=5.5,
        metadata=about("Seconds between two new connections to Discord, which wants 5 at least.", _number(0, 60)),
    )
    database_url: str = field(
        default="sqlite:///abakbot-data/abakbot.sqlite3",
        repr=False,
        metadata=about("Where games are kept: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.", with_driver),
    )
    database_connections: int = field(
        default=POSTGRES_CONNECTIONS,
        metadata=about("The most connections to PostgreSQL at once. SQLite needs no such number.", _whole(1, 1000)),
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = field(
        default="INFO", metadata=about("The least that is logged.", _one_of("DEBUG", "INFO", "WARNING", "ERROR"))
    )
    log_format: Literal["console", "json"] = field(
        default="console", metadata=about("Logs for a person, or for a machine.", _one_of("console", "json"))
    )
    challenge_expiry: int = field(
        default=DAY, metadata=about("Seconds until a challenge that nobody answers expires.", _whole(MINUTE, 30 * DAY))
    )
    rated_a_day: int = field(
        default=10, metadata=about("How many contests of the same two players a day may be rated.", _whole(1, 1000))
    )
    rate_limits: bool = field(
        default=True,
        metadata=about("Whether users who ask for far more than anybody plays have to wait a moment.", _yes_or_no),
    )
    machine_workers: int = field(
        default=1,
        metadata=about(
            "How many processes think for the machine opponents, at most; 0 for no machine.", _whole(0, MOST_WORKERS)
        ),
    )
    machine_level: int = field(
        default=HIGHEST_LEVEL,
        metadata=about("The highest level of the machine opponents.", _whole(1, HIGHEST_LEVEL)),
    )
    health_port: int = field(
        default=0,
        metadata=about(
            "Where /healthz and /readyz are served, for whoever watches; 0 for nowhere.", _whole(0, MOST_PORT)
        ),
    )
    health_host: str = field(
        default="127.0.0.1",
        metadata=about("The address on which they are served; * for all of the machine's.", _own_address),
    )
    metrics: bool = field(
        default=True, metadata=about("Whether /metrics is served there, too, for Prometheus.", _yes_or_no)
    )
    privacy_url: str | None = field(
        default=None, metadata=about("The address of this bot's privacy notice.", _address("https://", "http://"))
    )
    terms_url: str | None = field(
        default=None, metadata=about("The address of this bot's terms.", _address("https://", "http://"))
    )
    contact: str | None = field(
        default=None,
        metadata=about("How players reach who hosts this bot: an e-mail address or a server's invite.", _short(200)),
    )
    keep_notifications: int = field(
        default=180,
        metadata=about("Days until a notification that was sent, or is void, is deleted.", _whole(120, 3650)),
    )
    keep_challenges: int = field(
        default=30, metadata=about("Days until a closed challenge is deleted.", _whole(8, 3650))
    )
    keep_inactive: int = field(
        default=365,
        metadata=about("Days until the data of a user without games who is not seen are deleted.", _whole(30, 3650)),
    )
    keep_servers: int = field(
        default=30,
        metadata=about("Days until the settings of a server that removed the bot are deleted.", _whole(1, 3650)),
    )
    end_removed: int = field(
        default=14,
        metadata=about(
            "Days until the running games of a server that removed the bot end, uncounted.", _whole(1, 3650)
        ),
    )
    default_locale: Literal["en", "es"] = field(
        default="en", metadata=about("The language where Discord names none that we have.", _one_of("en", "es"))
    )

    @classmethod
    def load(cls, config: str | Path | None = None, **given: Any) -> Self:
        """Loads the settings. ``config`` is the file (else $ABAKBOT_CONFIG, else ``.env`` if it exists).

        ``given`` overrides the environment, which overrides the file. Raises SettingsError.
        """
        named = config or os.environ.get(CONFIG)
        path = Path(named) if named else DEFAULT_FILE
        problems = _file_problems(path, required=bool(named))
        try:
            in_file = _in_file(path)
        except UnicodeDecodeError:
            problems.append(f"{path}: not UTF-8 text")
            in_file = {}
        known = {one.name: one for one in fields(cls)}
        problems += [_unknown(name, known) for name in (*given, *in_file) if name not in known]
        texts = {**_in_folder(os.environ.get(CREDENTIALS), known), **in_file, **_filled(os.environ)}
        found: dict[str, Any] = {}
        for name, one in known.items():
            try:
                if name in given:
                    found[name] = None if given[name] is None else one.metadata["read"](given[name])
                elif name in texts:
                    found[name] = one.metadata["read"](texts[name])
            except ValueError as error:
                problems.append(f"{name.upper()}: {error}")
        if problems:
            raise SettingsError(problems)
        return cls(**found)

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never appear in a log."""
        token = self.discord_token.text if self.discord_token else ""
        database = make_url(self.database_url)
        addresses = (urlsplit(one or "").password for one in (self.discord_api_base, self.discord_gateway_url))
        found = (token, database.password, *database.normalized_query.get("password", ()), *addresses)
        return tuple(secret for secret in found if secret)


def _filled(texts: Mapping[str, str | None]) -> dict[str, str]:
    """Returns the filled values by the names of our settings. An empty value counts as absent."""
    return {name.lower(): text.strip() for name, text in texts.items() if text and text.strip()}


def _in_file(path: Path) -> dict[str, str]:
    """Reads the settings of a file. Raises UnicodeDecodeError."""
    reader = logging.getLogger("dotenv.main")
    was_disabled, reader.disabled = reader.disabled, True  # _file_problems reports bad lines instead
    try:
        return _filled(dotenv_values(path, encoding="utf-8")) if path.is_file() else {}
    finally:
        reader.disabled = was_disabled


def _in_folder(folder: str | None, known: Mapping[str, object]) -> dict[str, str]:
    """Reads the settings that have a file of their own in the folder."""
    if not folder or not Path(folder).is_dir():
        return {}
    files = [path for path in Path(folder).iterdir() if path.name.lower() in known and path.is_file()]
    return _filled({path.name: path.read_text(encoding="utf-8", errors="replace") for path in files})


def _file_problems(path: Path, *, required: bool) -> list[str]:
    """Returns a sentence for each line of the file that is not a setting, or about the missing file."""
    if not path.is_file():
        return [f"{path}: there is no such file"] if required else []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        f"{path}, line {number}: should read NAME = value"
        for number, line in enumerate(lines, 1)
        if not LINE.fullmatch(line)
    ]


def misspelt() -> list[str]:
    """Returns a sentence for each ignored name in the environment that is nearly the name of a setting."""
    known = {one.name.upper().replace("_", ""): one.name.upper() for one in fields(Settings)}
    problems = []
    for name in sorted(os.environ):
        plain = name.upper().replace("_", "").replace("-", "")
        close = difflib.get_close_matches(plain, known, n=1, cutoff=NEARLY)
        if close and name.upper() not in known.values():
            problems.append(f"{name}: there is no such setting; did you mean {known[close[0]]}?")
    return problems


def _unknown(name: str, known: Mapping[str, object]) -> str:
    close = difflib.get_close_matches(name.upper(), [one.upper() for one in known], n=1)
    return f"{name.upper()}: there is no such setting" + (f"; did you mean {close[0]}?" if close else "")
