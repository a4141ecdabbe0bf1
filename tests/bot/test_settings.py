"""Settings come from where they should, and every mistake is told at once, without telling a secret."""

from dataclasses import fields
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot import database_url
from bot.__main__ import main
from bot.logs import MASK
from bot.settings import Settings, SettingsError


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting is given, and there is no file."""
    monkeypatch.chdir(tmp_path)
    for name in (*(field.name for field in fields(Settings)), "abakbot_config", "credentials_directory"):
        monkeypatch.delenv(name.upper(), raising=False)


def problems(config: Path | None = None) -> list[str]:
    with pytest.raises(SettingsError) as error:
        Settings.load(config)
    return error.value.problems


def file(text: str, name: str = "abakbot.env") -> Path:
    path = Path(name)
    path.write_text(text, encoding="utf-8")
    return path


def test_nothing_need_be_set() -> None:
    settings = Settings.load()
    assert settings.discord_token is None
    assert settings.database_url == "sqlite:///abakbot-data/abakbot.sqlite3"
    assert (settings.discord_api_base, settings.discord_gateway_url, settings.sync_commands) == (None, None, True)
    assert (settings.log_level, settings.log_format) == ("INFO", "console")
    assert (settings.challenge_expiry, settings.default_locale) == (86_400, "en")


def test_every_setting_is_described() -> None:
    assert all(field.metadata["description"] for field in fields(Settings))


def test_what_is_given_goes_before_the_environment_and_that_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    path = file("CHALLENGE_EXPIRY = 100\nLOG_LEVEL = warning\nDEFAULT_LOCALE = es\n")
    monkeypatch.setenv("CHALLENGE_EXPIRY", "200")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    settings = Settings.load(path, challenge_expiry=300)
    assert (settings.challenge_expiry, settings.log_level, settings.default_locale) == (300, "ERROR", "es")


def test_the_file_is_the_one_named_else_dot_env(monkeypatch: pytest.MonkeyPatch) -> None:
    file("CHALLENGE_EXPIRY=100", ".env")
    assert Settings.load().challenge_expiry == 100
    monkeypatch.setenv("ABAKBOT_CONFIG", str(file("CHALLENGE_EXPIRY=200", "named.env")))
    assert Settings.load().challenge_expiry == 200
    assert Settings.load(file("CHALLENGE_EXPIRY=300", "option.env")).challenge_expiry == 300


def test_the_file_reads_like_a_shell_or_like_toml() -> None:
    path = file(
        "# what a host sets\n"
        "\n"
        "export LOG_FORMAT=json\n"
        'DISCORD_TOKEN = "a-token#1"  # from the portal\n'
        "DEFAULT_LOCALE='es'\n"
        "SYNC_COMMANDS=no # later\n"
        "DISCORD_API_BASE=\n"
    )
    settings = Settings.load(path)
    assert settings.discord_token is not None
    assert settings.discord_token.text == "a-token#1"
    assert (settings.log_format, settings.default_locale, settings.sync_commands) == ("json", "es", False)
    assert settings.discord_api_base is None  # empty is as good as absent


def test_a_secret_may_come_as_a_credential_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "credentials"
    folder.mkdir()
    (folder / "discord_token").write_text("from-systemd\n")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder))
    token = Settings.load().discord_token
    assert token is not None
    assert token.text == "from-systemd"


def test_every_mistake_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "xml")
    monkeypatch.setenv("DISCORD_API_BASE", "localhost:8080")
    path = file("DISCORD_TOKN=abc\nCHALLENGE_EXPIRY=59\nnot a setting\nWEATHER=fine\nSYNC_COMMANDS=perhaps\n")
    told = problems(path)
    assert f"{path}, line 3: should read NAME = value" in told
    assert "DISCORD_TOKN: there is no such setting; did you mean DISCORD_TOKEN?" in told
    assert "WEATHER: there is no such setting" in told
    assert "DISCORD_API_BASE: should begin with http:// or https://" in told
    assert {line.split(":")[0] for line in told[1:]} == {
        "DISCORD_TOKN",
        "WEATHER",
        "CHALLENGE_EXPIRY",
        "SYNC_COMMANDS",
        "LOG_FORMAT",
        "DISCORD_API_BASE",
    }
    assert len(told) == 7


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("CHALLENGE_EXPIRY", "59", "should be a whole number from 60 to 2592000"),
        ("SHARDS", "0", "should be auto, or a whole number from 1 to 100000"),
        ("IDENTIFY_PAUSE", "nan", "should be a number from 0 to 60"),
        ("SYNC_COMMANDS", "perhaps", "should be true or false"),
        ("LOG_FORMAT", "xml", "should be one of console, json"),
        ("CONTACT", "a" * 201, "should have at most 200 characters"),
        ("HEALTH_HOST", "example.org", "should be an IP address, or * for all of the machine's"),
        ("HEALTH_PORT", "a-token-in-the-wrong-place", "should be a whole number from 0 to 65535"),
    ],
)
def test_a_mistake_says_what_the_setting_should_be(
    monkeypatch: pytest.MonkeyPatch, name: str, given: str, told: str
) -> None:
    monkeypatch.setenv(name, given)
    assert problems() == [f"{name}: {told}"]


@pytest.mark.parametrize(("given", "used"), [("yes", True), ("TRUE", True), ("1", True), ("off", False), ("n", False)])
def test_yes_and_no_have_many_words(monkeypatch: pytest.MonkeyPatch, given: str, used: bool) -> None:
    monkeypatch.setenv("METRICS", given)
    assert Settings.load().metrics is used


def test_names_in_the_environment_and_spaces_around_values_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("log_level", " warning\n")
    monkeypatch.setenv("SHARDS", "Auto")
    assert Settings.load().log_level == "WARNING"
    assert Settings.load().shards is None


def test_a_file_that_is_named_must_be_there() -> None:
    assert problems(Path("nowhere.env")) == ["nowhere.env: there is no such file"]


def test_a_file_must_be_text() -> None:
    Path("binary.env").write_bytes(b"LOG_LEVEL=\xff\xfe")
    assert problems(Path("binary.env")) == ["binary.env: not UTF-8 text"]


@pytest.mark.parametrize("seconds", ["59", "2592001", "soon", "1.5"])
def test_a_challenge_expires_between_a_minute_and_thirty_days(monkeypatch: pytest.MonkeyPatch, seconds: str) -> None:
    monkeypatch.setenv("CHALLENGE_EXPIRY", seconds)
    assert problems()[0].startswith("CHALLENGE_EXPIRY: ")


@pytest.mark.parametrize("seconds", [60, 2_592_000])
def test_the_bounds_themselves_are_allowed(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    monkeypatch.setenv("CHALLENGE_EXPIRY", str(seconds))
    assert Settings.load().challenge_expiry == seconds


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("sqlite:///games.sqlite3", "sqlite:///games.sqlite3"),
        ("sqlite:////var/lib/g.sqlite3", "sqlite:////var/lib/g.sqlite3"),
        ("postgres://u:p%40w@h/games", "postgresql+asyncpg://u:p%40w@h/games"),
        ("postgresql://u@h:5433/games?sslmode=require", "postgresql+asyncpg://u@h:5433/games?ssl=require"),
        (
            "postgresql://u@/games?host=a&host=b&port=1&port=2",
            "postgresql+asyncpg://u@/games?host=a&host=b&port=1&port=2",
        ),
        ("postgresql+psycopg://u@h/games", "postgresql+asyncpg://u@h/games"),
    ],
)
def test_a_database_is_reached_with_our_driver(monkeypatch: pytest.MonkeyPatch, given: str, used: str) -> None:
    monkeypatch.setenv("DATABASE_URL", given)
    assert Settings.load().database_url == used


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("games.sqlite3", "not a database URL"),
        ("postgresql://u:hunter2@h:port/games", "not a database URL"),
        ("mysql://u:hunter2@h/games", "mysql is not supported"),
        ("sqlite://", "name a file"),
        ("sqlite:///:memory:", "name a file"),
        ("postgresql://u:hunter2@h/games?sslmode=foo", "sslmode should be one of disable, allow, "),
        ("postgresql://u:hunter2@h/games?ssl=true", "ssl should be one of disable, allow, "),
        ("postgresql://u:hunter2@h/games?foo=hunter2", "there is no parameter foo; there are "),
        ("postgresql://u:hunter2@3@h/games", "write special characters of the password percent-encoded"),
        ("postgresql://u:hunter2@3/4@h/games", "write special characters of the password percent-encoded"),
        ("postgresql://u:hunter2@3:4@h/games", "write special characters of the password percent-encoded"),
        ("postgresql://u:hunter2@h:99999/games", "the port should be a whole number from 1 to 65535"),
        ("postgresql://u:hunter2@h:0/games", "the port should be a whole number from 1 to 65535"),
        ("postgresql://u:hunter2@/games?host=h&port=99999", "the port should be a whole number from 1 to 65535"),
    ],
)
def test_a_database_we_cannot_use_is_refused_without_its_password(
    monkeypatch: pytest.MonkeyPatch, given: str, told: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", given)
    (problem,) = problems()
    assert problem.startswith("DATABASE_URL: ")
    assert told in problem
    assert "hunter2" not in problem


def test_the_port_of_the_environment_counts_where_the_url_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://u@h/games")
    monkeypatch.setenv("PGPORT", "5432,5433")
    Settings.load()
    monkeypatch.setenv("PGPORT", "99999")
    assert len(problems()) == 1
    monkeypatch.setenv("DATABASE_URL", "postgresql://u@h:5432/games")
    Settings.load()


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_url, "find_spec", lambda _: None)
    monkeypatch.setenv("DATABASE_URL", "postgresql://u@h/games")
    assert problems() == ["DATABASE_URL: PostgreSQL needs one more package: pip install 'abakbot[postgres]'"]


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080", "discord.gg"])
def test_the_gateway_is_a_socket(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("DISCORD_GATEWAY_URL", url)
    assert problems() == ["DISCORD_GATEWAY_URL: should begin with ws:// or wss://"]


def test_settings_shown_keep_their_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "the-token")
    monkeypatch.setenv("DATABASE_URL", "postgresql://u:hunter2@h/games")
    settings = Settings.load()
    assert settings.secrets == ("the-token", "hunter2")
    for shown in (repr(settings), str(settings)):
        assert "the-token" not in shown
        assert "hunter2" not in shown


def test_passwords_in_addresses_are_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://u@h/games?password=hunter2")
    monkeypatch.setenv("DISCORD_API_BASE", "http://me:hunter3@proxy/api")
    monkeypatch.setenv("DISCORD_GATEWAY_URL", "ws://me:hunter4@proxy")
    assert Settings.load().secrets == ("hunter2", "hunter3", "hunter4")
    shown = CliRunner().invoke(main, ["settings"]).output
    assert "hunter" not in shown
    assert shown.count(f"={MASK}") + shown.count(f":{MASK}@") == 3


def test_bad_lines_are_told_once(caplog: pytest.LogCaptureFixture) -> None:
    assert len(problems(file("not a setting\n"))) == 1
    assert not caplog.records


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("HEALTHPORT", "HEALTH_PORT"),
        ("health-port", "HEALTH_PORT"),
        ("DATABASE_URI", "DATABASE_URL"),
        ("log_levl", "LOG_LEVEL"),
    ],
)
def test_a_slip_in_the_environment_is_named_and_ends_nothing(
    name: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "a-secret")
    shown = CliRunner().invoke(main, ["settings"])
    assert shown.exit_code == 0
    assert shown.stderr == f"{name}: there is no such setting; did you mean {meant}?\n"


@pytest.mark.parametrize("name", ["HEALTH_PORT", "health_port", "TEST_DATABASE_URL", "HOST", "PORT", "LOGNAME"])
def test_other_names_of_the_environment_are_nobodys_slip(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    assert CliRunner().invoke(main, ["settings"]).stderr == ""
