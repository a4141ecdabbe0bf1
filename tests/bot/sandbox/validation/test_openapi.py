"""The strict validator: Discord's OpenAPI document, where it is there, and what happens where it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from harness.discord import TOKEN

from bot.sandbox.api.router import ROUTES
from bot.sandbox.errors import Problem
from bot.sandbox.validation import openapi
from bot.sandbox.validation.validator import Validator, check_message

if TYPE_CHECKING:
    from pathlib import Path

    from bot.sandbox.server import Server

Json = dict[str, Any]
MESSAGES = "/channels/{channel_id}/messages"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"

needs_document = pytest.mark.skipif(
    openapi.document_path() is None, reason="Discord's OpenAPI document is not there; the run's header says so too"
)


@pytest.fixture
def strict() -> Validator:
    return Validator(strict=True)


def paths(problems: list[Problem]) -> list[str]:
    return [".".join(map(str, p.path)) for p in problems]


@needs_document
@pytest.mark.parametrize("route", ROUTES, ids=lambda r: f"{r.method} {r.path}")
def test_every_route_is_discords(strict: Validator, route: Any) -> None:
    assert "UNKNOWN_ROUTE" not in [p.code for p in strict.request(route.method, route.path, {}, None)]


@needs_document
def test_a_route_that_discord_has_not(strict: Validator) -> None:
    assert [p.code for p in strict.request("GET", "/nowhere", {}, None)] == ["UNKNOWN_ROUTE"]


@needs_document
def test_a_good_message_of_every_kind_passes_the_document() -> None:
    button = {"type": 2, "style": 1, "label": "Go", "custom_id": "a", "disabled": False}
    menu = {"type": 3, "custom_id": "m", "options": [{"label": "a", "value": "a", "default": False}]}
    rows = [{"type": 1, "components": [button]}, {"type": 1, "components": [menu]}]
    attachments = [{"id": 0, "filename": "a.png", "description": "A board"}]
    assert check_message({"content": "x", "components": rows, "attachments": attachments, "tts": False}) == []
    gallery = {"type": 12, "items": [{"media": {"url": "attachment://a.png"}, "description": "A board"}]}
    section = {"type": 9, "components": [{"type": 10, "content": "x"}], "accessory": button}
    box = {"type": 17, "components": [gallery, section, {"type": 14}]}
    assert check_message({"flags": 1 << 15, "components": [box], "attachments": attachments}) == []


@needs_document
@pytest.mark.parametrize(
    ("method", "path", "body", "where"),
    [
        ("POST", MESSAGES, {"content": "x", "sticker_ids": ["a"]}, "sticker_ids.0"),
        ("POST", MESSAGES, {"contents": "x"}, "contents"),
        ("POST", MESSAGES, {"embeds": [{"colour": 1}]}, "embeds.0.colour"),
        (
            "POST",
            MESSAGES,
            {"components": [{"type": 1, "components": [{"type": 2, "style": 9}]}]},
            "components.0.components.0.style",
        ),
        ("POST", MESSAGES, {"components": [{"components": []}]}, "components.0"),
        ("POST", MESSAGES, {"message_reference": {"message_id": 5, "kind": 0}}, "message_reference.kind"),
        ("POST", CALLBACK, {"type": 4, "data": {"content": 5}}, "data.content"),
        ("POST", CALLBACK, {"type": 9, "data": {"custom_id": "a"}}, "data"),
        ("POST", CALLBACK, {"type": 3}, "type"),
        ("PUT", "/applications/{application_id}/commands", [{"name": "x", "options": [{"type": 3}]}], "0.options.0"),
        ("POST", "/channels/{channel_id}/threads", {"name": "x", "auto_archive_duration": 5}, ""),
        ("POST", "/users/@me/channels", {"recipient_id": "me"}, "recipient_id"),
    ],
)
def test_the_document_says_what_is_wrong_and_where(
    strict: Validator, method: str, path: str, body: Any, where: str
) -> None:
    assert where in paths(strict.request(method, path, {}, body))


@needs_document
def test_ids_may_be_numbers_where_discord_takes_them(strict: Validator) -> None:
    body = {
        "content": "x",
        "attachments": [{"id": 0, "filename": "a"}],
        "message_reference": {"message_id": 5, "channel_id": 6},
        "allowed_mentions": {"parse": [], "users": [7]},
    }
    assert strict.request("POST", MESSAGES, {}, body) == []
    assert strict.request("POST", CALLBACK, {}, {"type": 4, "data": body | {"message_reference": None}}) != []


@needs_document
def test_a_query_that_discord_has_not(strict: Validator) -> None:
    assert strict.request("GET", MESSAGES, {"limit": "5"}, None) == []
    assert paths(strict.request("GET", MESSAGES, {"limits": "5"}, None)) == ["limits"]


@needs_document
async def test_an_answer_of_the_stand_in_is_checked_too(served: Server) -> None:
    del served.world.bot_user["username"]
    url, headers = f"{served.api_base}/users/@me", {"Authorization": f"Bot {TOKEN}"}
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers) as reply:
        assert reply.status == 200
    [violation] = served.validator.violations
    assert violation.path == "/users/@me"
    assert '"username" is a required property' in violation.message


@needs_document
async def test_a_bad_request_is_refused_and_noted(served: Server) -> None:
    channel = served.world.add_channel("games")
    url, headers = f"{served.api_base}/channels/{channel}/threads", {"Authorization": f"Bot {TOKEN}"}
    body = {"name": "x", "kind": 11}
    async with aiohttp.ClientSession() as session, session.post(url, headers=headers, json=body) as reply:
        assert (reply.status, (await reply.json())["code"]) == (400, 50035)
    [violation] = served.validator.violations
    assert violation.method == "POST"
    assert "kind" in violation.message
    assert served.world.channels.keys() == {channel}


def test_own_rules_hold_without_the_document() -> None:
    assert check_message({"content": "x" * 2001}, schema=False) == [
        "content: Must be 2000 or fewer in length. It is 2001."
    ]


def test_a_missing_document_is_said_aloud(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(openapi, "DEFAULT_PATH", tmp_path / "openapi.json")
    monkeypatch.delenv(openapi.PATH_VARIABLE, raising=False)
    assert openapi.document() is None
    assert openapi.status_line().startswith("WARNING")
    lax = Validator(strict=True)
    assert lax.request("GET", "/nowhere", {}, None) == []
    assert check_message({"content": "x"}) == []


@needs_document
def test_the_document_may_lie_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = openapi.document_path()
    assert path is not None
    copy = tmp_path / "elsewhere.json"
    copy.write_bytes(path.read_bytes())
    monkeypatch.setenv(openapi.PATH_VARIABLE, str(copy))
    assert openapi.document_path() == copy
    assert "is checked" in openapi.status_line()
    monkeypatch.setenv(openapi.PATH_VARIABLE, str(tmp_path / "nowhere.json"))
    assert openapi.document_path() is None
