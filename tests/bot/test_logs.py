"""Logs of every source come out in one form, and without secrets."""

import io
import json
import logging
import sys
import threading
import warnings
from collections.abc import Iterator
from typing import Literal

import aiohttp
import pytest
import structlog
import yarl
from fuzz.calibration import growth
from harness.bot import Room, bot_running
from harness.finished import STARTED, row
from multidict import CIMultiDict, CIMultiDictProxy
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from bot import logs
from bot.core.storage.database import Database
from bot.games.stored import Place, StoredGame
from bot.games.tables import games
from bot.logs import MASK, IdMask, Mask
from bot.sandbox.server import Server
from bot.settings import Settings
from engine.core.record import Header, Record

pytestmark = pytest.mark.both_databases

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GhIjKl." + "abcdefghijklmnopqrstuvwxyz-_0123456789"
OTHER = "NzY1NDMyMTA5ODc2NTQzMjEw.AbCdEf." + "ZYXWVUTSRQPONMLKJIHGFEDCBA-_9876543210"
INTERACTION = "aW50ZXJhY3Rpb246MTIzNDU2Nzg5MDEyMzQ1Njc4OmFiY2RlZmdoaWprbG1ub3A"
PASSWORD = 'p@ss/wo"rd ñ'
QUOTED = "p%40ss%2Fwo%22rd%20%C3%B1"
URL = f"postgresql://abak:{QUOTED}@db.example/games"


@pytest.fixture(autouse=True)
def restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Logging as it was, afterwards."""
    for name in ("DISCORD_TOKEN", "DATABASE_URL", "ABAKBOT_CONFIG", "LOG_LEVEL", "LOG_FORMAT"):
        monkeypatch.delenv(name, raising=False)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers, root.level = handlers, level
    logging.captureWarnings(capture=False)
    structlog.reset_defaults()


@pytest.fixture(params=["console", "json"])
def stream(request: pytest.FixtureRequest) -> io.StringIO:
    target = io.StringIO()
    settings = Settings.load(discord_token=TOKEN, database_url=URL, log_format=request.param, log_level="DEBUG")
    logs.configure(settings, target)
    return target


def fail() -> None:
    secret = TOKEN  # a local variable, as a traceback may show it
    raise RuntimeError(f"could not connect to {URL} as {secret} ({PASSWORD})")


def log_it(number: int) -> None:
    """Logs a secret in each way in which it could get into a log."""
    ours, theirs = structlog.get_logger("bot.test"), logging.getLogger("discord.http")
    match number:
        case 0:
            ours.info(f"token {TOKEN}")
        case 1:
            ours.info("value", token=TOKEN, nested={"url": [URL, PASSWORD]}, **{TOKEN: 1})
        case 2:
            theirs.info("identify with %s and %r", TOKEN, {"password": PASSWORD})
        case 3:
            theirs.warning("extra", extra={"headers": {"Authorization": f"Bot {TOKEN}"}})
        case 4:
            try:
                fail()
            except RuntimeError:
                ours.exception("failed")
        case 5:
            try:
                fail()
            except RuntimeError:
                theirs.exception("failed")
        case 6:
            structlog.contextvars.bind_contextvars(url=URL)
            ours.info("bound")
            structlog.contextvars.clear_contextvars()
        case 7:
            ours.info("with stack", stack_info=True, token=TOKEN)
        case _:
            ours.info("bytes", raw=TOKEN.encode(), shown=Settings.load(discord_token=TOKEN, database_url=URL))


@pytest.mark.parametrize("number", range(9))
def test_no_way_leads_a_secret_into_a_log(stream: io.StringIO, number: int) -> None:
    log_it(number)
    logged = stream.getvalue()
    assert logged
    for secret in (TOKEN, TOKEN.split(".")[2], PASSWORD, QUOTED, json.dumps(PASSWORD)[1:-1], 'wo"rd', 'wo\\"rd'):
        assert secret not in logged


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        (f"Bot {OTHER}", f"Bot {MASK}"),
        ("postgresql://u:hunter2@h/g", f"postgresql://u:{MASK}@h/g"),
        ("postgresql+asyncpg://u:hun@ter2@h/g", f"postgresql+asyncpg://u:{MASK}@h/g"),
        ("postgresql://u@h/g?ssl=require&password=hunter2&x=1", f"postgresql://u@h/g?ssl=require&password={MASK}&x=1"),
        ("'redis://:hunter2@h'", f"'redis://:{MASK}@h'"),
        ("POST /interactions/12/aW50ZXJhY3Rpb24/callback", f"POST /interactions/12/{MASK}/callback"),
        ("/webhooks/12/aW50ZXJhY3Rpb24/messages/@original", f"/webhooks/12/{MASK}/messages/@original"),
        (
            "url=https%3A%2F%2Fx%2Fwebhooks%2F12%2FaW50ZXJh%2Fmessages",
            f"url=https%3A%2F%2Fx%2Fwebhooks%2F12%2F{MASK}%2Fmessages",
        ),
        (
            "/interactions/12/to:ken.with=signs/callback?with_response=1",
            f"/interactions/12/{MASK}/callback?with_response=1",
        ),
        (f"got {INTERACTION} late", f"got {MASK} late"),
        ("{'token': 'abcdefghijklmnopqrst', 'version': 1}", f"{{'token': '{MASK}', 'version': 1}}"),
        ('{\\"token\\": \\"abcdefghijklmnopqrst\\"}', f'{{\\"token\\": \\"{MASK}\\"}}'),
        ("Interaction(id=5 token=abcdefghijklmnopqrst)", f"Interaction(id=5 token={MASK})"),
    ],
)
def test_what_looks_like_a_secret_is_masked_though_it_is_not_ours(text: str, masked: str) -> None:
    assert Mask()(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "game g1 seq 12 play 8/5 6/5",
        "sqlite:///abakbot-data/abakbot.sqlite3",
        "https://discord.com/api/v10/channels/123456789012345678/messages",
        "ws://127.0.0.1:8080/gateway",
        "5f0c" * 16,  # a revealed secret or commitment of a roll
        "discord.ext.commands.bot.something",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    assert Mask([TOKEN])(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "user_id=573951852234407937",
        "Key (user_id)=(573951852234407937) already exists.",
        '{"asked": {"value": "573951852234407937"}}',
        "nobody is <@573951852234407937>",
        "/users/573951852234407937",
    ],
)
def test_ids_of_users_become_codes(text: str) -> None:
    mask = IdMask()
    masked = mask(text)
    assert "573951852234407937" not in masked
    assert "id#" in masked
    assert mask(text) == masked
    assert IdMask()(text) != masked  # another process, another code


@pytest.mark.parametrize(
    "text",
    [
        "channel=573951852234407937 message=573951852234407938",
        '{"guild": 573951852234407937, "channel": "573951852234407938"}',
        "https://discord.com/api/v10/channels/573951852234407937/messages/573951852234407938",
        "at 1800000000000 ms",
        "5f0c" * 16,
    ],
)
def test_ids_of_places_stay(text: str) -> None:
    assert IdMask()(text) == text


def test_an_empty_secret_masks_nothing() -> None:
    assert Mask(["", ""])("text") == "text"


def test_json_is_a_line_of_json_for_ours_and_for_theirs() -> None:
    stream = io.StringIO()
    logs.configure(Settings.load(log_format="json"), stream)
    structlog.get_logger("bot.test").info("played", game="g1", seq=4)
    logging.getLogger("discord.client").warning("late by %d s", 3)
    ours, theirs = map(json.loads, stream.getvalue().splitlines())
    assert ours.items() >= {"message": "played", "game": "g1", "seq": 4, "level": "info", "logger": "bot.test"}.items()
    assert theirs.items() >= {"message": "late by 3 s", "level": "warning", "logger": "discord.client"}.items()
    assert ours["timestamp"].endswith("Z")


def test_json_holds_an_exception_as_text() -> None:
    stream = io.StringIO()
    logs.configure(Settings.load(log_format="json"), stream)
    try:
        fail()
    except RuntimeError:
        structlog.get_logger().exception("failed")
    assert "RuntimeError: could not connect" in json.loads(stream.getvalue())["exception"]


def test_less_than_the_level_is_not_logged() -> None:
    stream = io.StringIO()
    logs.configure(Settings.load(log_level="WARNING"), stream)
    structlog.get_logger().info("small talk")
    logging.getLogger("discord").info("small talk")
    assert not stream.getvalue()


def test_configuring_again_does_not_log_twice() -> None:
    stream = io.StringIO()
    for _ in range(2):
        logs.configure(Settings.load(), stream)
    logging.getLogger("discord").warning("once")
    assert stream.getvalue().count("once") == 1


def test_warnings_are_logged() -> None:
    stream = io.StringIO()
    logs.configure(Settings.load(), stream)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(capture=False)  # the block has put its own in place
        logging.captureWarnings(capture=True)
        warnings.warn("old way", DeprecationWarning, stacklevel=1)
        logging.captureWarnings(capture=False)
    assert "old way" in stream.getvalue()


def test_missing_voice_libraries_are_no_news(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    from discord import Client, Intents, VoiceClient

    for library in ("warn_nacl", "warn_dave"):
        monkeypatch.setattr(VoiceClient, library, True)  # as at the start of a process without them
    logging.getLogger("discord.client").warning("something else")
    Client(intents=Intents.none())
    assert VoiceClient.warn_nacl is VoiceClient.warn_dave is False  # discord.py did complain
    assert "something else" in stream.getvalue()
    assert "voice" not in stream.getvalue()


@pytest.mark.parametrize("level", ["DEBUG", "INFO", "WARNING", "ERROR"])
async def test_tokens_of_interactions_are_masked_at_every_level(
    stand_in: Server, sqlite_url: str, level: Literal["DEBUG", "INFO", "WARNING", "ERROR"]
) -> None:
    """A real interaction with every library at its most talkative, and its request as an exception."""
    stream = io.StringIO()
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        logs.configure(Settings.load(discord_token=TOKEN, database_url=URL, log_level=level), stream)
        for name in ("discord", "discord.http", "discord.webhook.async_", "discord.gateway", "aiohttp", "asyncio"):
            logging.getLogger(name).setLevel(level)
        sent = await room.ana.slash("abak games")
        url = f"{stand_in.api_base}/webhooks/5/{sent.token}/messages/@original"
        try:
            request = aiohttp.RequestInfo(yarl.URL(url), "PATCH", CIMultiDictProxy(CIMultiDict()))
            raise aiohttp.ClientResponseError(request, (), status=500)
        except aiohttp.ClientError:
            logging.getLogger("aiohttp.client").exception("failed at %s: %r", url, sent.payload)
    logged = stream.getvalue()
    assert sent.token not in logged
    assert MASK in logged


def test_what_nobody_caught_is_masked_too(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    for owner, name in ((sys, "excepthook"), (sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    logs.log_uncaught()
    try:
        fail()
    except RuntimeError as error:
        sys.excepthook(type(error), error, error.__traceback__)
    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    logged = stream.getvalue()
    assert logged.count("RuntimeError: could not connect to") == 2
    for secret in (TOKEN, PASSWORD, QUOTED):
        assert secret not in logged


@pytest.mark.parametrize(
    "text", ["a+", "a://x:", "://x:", "a://", "/webhooks/1/", "token: ", "a" * 29 + ".", "channel"]
)
def test_a_long_line_is_masked_in_linear_time(text: str) -> None:
    mask, ids = Mask([TOKEN]), IdMask()
    assert growth(lambda length: ids(mask(text * (length // len(text)))), 2_500, 20_000, 24) <= 24


async def test_the_row_of_a_violated_constraint_is_not_told(stream: io.StringIO, database: Database) -> None:
    """PostgreSQL's message has the values of the row: also the secrets of the next rolls."""
    seed = "00112233445566778899aabbccddeeff00112233445566778899aabbcc"
    with pytest.raises(IntegrityError) as caught:
        async with database.writing() as connection:
            await connection.execute(insert(games).values(row("g", (1, 2), STARTED, secret=f"9 {seed}", locale=None)))
    structlog.get_logger("bot.test").error("failed", exc_info=caught.value)
    assert "IntegrityError" in stream.getvalue()
    assert seed[:20] not in stream.getvalue()


def test_the_secrets_of_the_next_rolls_are_in_no_repr() -> None:
    stored = StoredGame(Record(Header("abak", 1, "g", STARTED)), (1, 2), Place(1, 2), "en", "9 seed")
    assert "seed" not in repr(stored)
