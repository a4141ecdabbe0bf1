"""All settings: from the environment, else from a file of ``NAME = value`` lines, else the default."""

import difflib
import logging
import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

CONFIG: Final = "ABAKBOT_CONFIG"
"""The environment variable with the file's path."""
DEFAULT_FILE: Final = Path(".env")
CREDENTIALS: Final = "CREDENTIALS_DIRECTORY"
"""Set by systemd for ``LoadCredential``: a folder with a file per secret, such as ``discord_token``."""
LINE: Final = re.compile(
    r"""\s*(?:(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?:"[^"]*"|'[^']*'|[^"'\s][^#]*)?\s*(?:\#.*)?|\#.*)?"""
)
MINUTE: Final = 60
DAY: Final = 24 * 60 * MINUTE
POSTGRES_CONNECTIONS: Final = 20
"""The most connections at once. Further transactions wait for a free one."""
DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}


class SettingsError(Exception):
    """The settings are wrong. ``problems`` describes each mistake in a sentence, without the values of secrets."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Settings(BaseSettings):
    """All settings. In the environment and in the file, the names are in capitals."""

    model_config = SettingsConfigDict(extra="forbid", frozen=True, env_ignore_empty=True, hide_input_in_errors=True)

    discord_token: SecretStr | None = Field(None, description="The bot's token, from Discord's developer portal.")
    discord_api_base: str | None = Field(
        None, description="Another address for Discord's HTTP API, such as http://127.0.0.1:8080/api/v10."
    )
    discord_gateway_url: str | None = Field(
        None, description="Another address for Discord's gateway, such as ws://127.0.0.1:8080/gateway."
    )
    sync_commands: bool = Field(default=True, description="Whether to register the commands with Discord at start.")
    shards: int | None = Field(
        None,
        ge=1,
        le=100_000,
        description="How many connections to Discord share the servers; auto for as many as Discord advises.",
    )
    identify_pause: float = Field(
        5.5, ge=0, le=60, description="Seconds between two new connections to Discord, which wants 5 at least."
    )
    database_url: str = Field(
        "sqlite+aiosqlite:///abakbot-data/abakbot.sqlite3",
        description="Where games are kept: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME.",
        repr=False,
    )
    database_connections: int = Field(
        POSTGRES_CONNECTIONS,
        ge=1,
        le=1000,
        description="The most connections to PostgreSQL at once. SQLite needs no such number.",
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field("INFO", description="The least that is logged.")
    log_format: Literal["console", "json"] = Field("console", description="Logs for a person, or for a machine.")
    challenge_expiry: int = Field(
        DAY, ge=MINUTE, le=30 * DAY, description="Seconds until a challenge that nobody answers expires."
    )
    rated_a_day: int = Field(
        10, ge=1, le=1000, description="How many contests of the same two players a day may be rated."
    )
    rate_limits: bool = Field(
        default=True, description="Whether users who ask for far more than anybody plays have to wait a moment."
    )
    health_port: int = Field(
        0, ge=0, le=65535, description="Where /healthz and /readyz are served, for whoever watches; 0 for nowhere."
    )
    metrics: bool = Field(default=True, description="Whether /metrics is served there, too, for Prometheus.")
    privacy_url: str | None = Field(None, description="The address of this bot's privacy notice.")
    terms_url: str | None = Field(None, description="The address of this bot's terms.")
    contact: str | None = Field(
        None,
        max_length=200,
        description="How players reach who hosts this bot: an e-mail address or a server's invite.",
    )
    keep_notifications: int = Field(
        180, ge=120, le=3650, description="Days until a notification that was sent, or is void, is deleted."
    )
    keep_challenges: int = Field(30, ge=8, le=3650, description="Days until a closed challenge is deleted.")
    keep_inactive: int = Field(
        365, ge=30, le=3650, description="Days until the data of a user without games who is not seen are deleted."
    )
    keep_servers: int = Field(
        30, ge=1, le=3650, description="Days until the settings of a server that removed the bot are deleted."
    )
    default_locale: Literal["en", "es"] = Field("en", description="The language where Discord names none that we have.")

    @classmethod
    def load(cls, config: str | Path | None = None, **given: Any) -> Self:
        """Loads the settings. ``config`` is the file (else $ABAKBOT_CONFIG, else ``.env`` if it exists).

        ``given`` overrides the environment, which overrides the file. Raises SettingsError.
        """
        named = config or os.environ.get(CONFIG)
        path = Path(named) if named else DEFAULT_FILE
        problems = _file_problems(path, required=bool(named))
        sources: dict[str, Any] = {
            "_env_file": path,
            "_env_file_encoding": "utf-8",
            "_secrets_dir": os.environ.get(CREDENTIALS),
        }
        reader = logging.getLogger("dotenv.main")
        was_disabled, reader.disabled = reader.disabled, True  # its warnings about bad lines are in problems already
        try:
            settings = cls(**sources, **given)
        except ValidationError as error:
            problems += [_problem(mistake["loc"], mistake["type"], mistake["msg"]) for mistake in error.errors()]
        except UnicodeDecodeError:
            problems.append(f"{path}: not UTF-8 text")
        finally:
            reader.disabled = was_disabled
        if problems:
            raise SettingsError(problems)
        return settings

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values that must never appear in a log."""
        token = self.discord_token.get_secret_value() if self.discord_token else None
        return tuple(secret for secret in (token, make_url(self.database_url).password) if secret)

    @field_validator("log_level", mode="before")
    @classmethod
    def _capitals(cls, value: object) -> object:
        return value.upper() if isinstance(value, str) else value

    @field_validator("shards", mode="before")
    @classmethod
    def _automatic(cls, value: object) -> object:
        return None if isinstance(value, str) and value.lower() == "auto" else value

    @field_validator("database_url")
    @classmethod
    def _driver(cls, value: str) -> str:
        """The URL with our driver. Raises ValueError if the database is not supported."""
        try:
            url = make_url(value)
        except (ArgumentError, ValueError):
            raise ValueError("not a database URL such as sqlite:///games.sqlite3 or postgresql://…") from None
        backend = url.get_backend_name()
        driver = DRIVERS.get(backend)
        if driver is None:
            raise ValueError(f"{backend} is not supported; use sqlite:///FILE or postgresql://…")
        if driver == "sqlite+aiosqlite" and url.database in {None, "", ":memory:"}:
            raise ValueError("games would be lost at the end; name a file: sqlite:///FILE")
        if driver == "postgresql+asyncpg" and find_spec("asyncpg") is None:
            raise ValueError("PostgreSQL needs one more package: pip install 'abakbot[postgres]'")
        return _ssl(url.set(drivername=driver)).render_as_string(hide_password=False)

    @field_validator("discord_api_base")
    @classmethod
    def _http(cls, value: str | None) -> str | None:
        return _address(value, "http://", "https://")

    @field_validator("privacy_url", "terms_url")
    @classmethod
    def _page(cls, value: str | None) -> str | None:
        return _address(value, "https://", "http://")

    @field_validator("discord_gateway_url")
    @classmethod
    def _socket(cls, value: str | None) -> str | None:
        return _address(value, "ws://", "wss://")


def _ssl(url: URL) -> URL:
    """Renames libpq's URL parameter ``sslmode`` to asyncpg's ``ssl``."""
    mode = url.query.get("sslmode")
    return url if mode is None else url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})


def _address(value: str | None, *schemes: str) -> str | None:
    if value is None:
        return None
    if not value.startswith(schemes):
        raise ValueError(f"should begin with {' or '.join(schemes)}")
    return value.rstrip("/")


def _file_problems(path: Path, *, required: bool) -> list[str]:
    """A sentence for each line of the file that is not a setting, or about the missing file."""
    if not path.is_file():
        return [f"{path}: there is no such file"] if required else []
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        f"{path}, line {number}: should read NAME = value"
        for number, line in enumerate(lines, 1)
        if not LINE.fullmatch(line)
    ]


def _problem(place: tuple[int | str, ...], kind: str, message: str) -> str:
    name = ".".join(map(str, place)).upper()
    if kind != "extra_forbidden":
        return f"{name}: {message.removeprefix('Value error, ')}"
    names = [field.upper() for field in Settings.model_fields]
    close = difflib.get_close_matches(name, names, n=1)
    return f"{name}: there is no such setting" + (f"; did you mean {close[0]}?" if close else "")
