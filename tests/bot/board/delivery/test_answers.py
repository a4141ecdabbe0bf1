"""Boards that answer the turn before them: what that costs, when it is not done, and what failures make of it."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, bot_running, private, told_all
from harness.discord import PATIENT, is_ephemeral, text, until
from harness.origins import shows
from harness.positions import placed
from harness.scene import FIRST, SECOND

from bot.board.delivery import answers
from bot.board.delivery.publisher import BoardPublisher
from bot.core.interactions.delivery import answer_message, first_answer
from bot.core.translations import language
from bot.games.notation import in_language
from bot.players.service import PreferenceService
from bot.sandbox.faults import RESET
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN = language("en")
CALLBACK = "POST /interactions/*/callback"
BY_TOKEN = "PATCH /webhooks/*/messages/*"
SOLE = f"XGID=-AAA{'-' * 20}b-:0:0:1:65:0:0:0:0:10"
"""There is only one turn."""


def requests(room: Room) -> list[str]:
    """Returns the bot's requests to Discord, in order, without ids and tokens."""
    log = room.server.world.log
    asked = [f"{entry.method} {entry.path}" for entry in log]
    log.clear()
    return [
        re.sub(r"(?<=/)[0-9]+", "*", re.sub(r"(interactions|webhooks)/[0-9]+/[^/]+", r"\1/*", one)) for one in asked
    ]


async def second_turn(room: Room) -> list[str]:
    """Types a turn after another one, and returns its requests."""
    await room.type(await room.begin("apb"), FIRST)
    live = await room.shown()
    requests(room)
    await room.type(live, SECOND)
    assert_shown_once(room, await room.shown())
    assert room.bot is not None
    await told_all(room.bot)
    return requests(room)


async def test_a_typed_turn_costs_two_requests_that_no_limit_of_the_bot_counts(room: Room) -> None:
    assert await second_turn(room) == [CALLBACK, BY_TOKEN]
    assert room.board["interaction_metadata"]["user"]["id"] == str(room.ben.user_id)
    assert not [message for message in room.ben.messages if is_ephemeral(message)]


async def test_a_button_of_the_board_is_answered_by_the_next_board(room: Room) -> None:
    await placed(room, "backgammon", SOLE)
    requests(room)
    await room.ana.press("b:only:", first := room.board)
    live = await room.shown()
    assert [shows(message) for message in room.boards] == [(live.id, 0), (live.id, live.seq)]
    assert room.board["message_reference"]["message_id"] == first["id"]
    assert requests(room) == [CALLBACK, "PATCH /channels/*/messages/*"]  # the first board was no answer


async def test_where_old_boards_are_deleted_nothing_replies_to_them(room: Room) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "old_board", "delete")
    await placed(room, "backgammon", SOLE)
    requests(room)
    await room.ana.press("b:only:", room.board)
    await room.shown()
    assert "POST /channels/*/messages" in requests(room)
    assert len(room.boards) == 1


async def test_a_board_that_is_edited_is_no_answer(room: Room) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "old_board", "edit")
    live = await room.begin("apb")
    requests(room)
    await room.type(live, FIRST)
    await room.shown()
    await told_all(room.bot)
    assert CALLBACK in (asked := requests(room))
    assert "DELETE /webhooks/*/messages/@original" in asked
    assert len(room.boards) == 1


async def test_where_the_history_is_not_readable_a_board_keeps_its_nonce(room: Room) -> None:
    room.server.world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    asked = await second_turn(room)
    assert "POST /channels/*/messages" in asked
    assert room.board["nonce"]


@pytest.mark.usefixtures("slow_boards")
async def test_a_board_that_takes_long_follows_the_answer(room: Room) -> None:
    asked = await second_turn(room)
    assert asked.count("POST /channels/*/messages") == 1
    assert "DELETE /webhooks/*/messages/@original" in asked  # nobody sees that the bot is thinking any more
    assert not [message for message in room.ben.messages if is_ephemeral(message)]


@pytest.mark.parametrize(
    "failing",
    [
        {"status": 429},
        {"status": 429, "retry_after": 20},
        {"status": 400},
        {"status": 500},
        {"status": 500, "lost": True},
        {"status": 400, "lost": True},
        {"status": RESET},
        {"status": RESET, "lost": True},
        {"status": 404, "code": 10062},
    ],
    ids=str,
)
async def test_a_board_whose_answer_fails_is_shown_once(
    room: Room, failing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An answer that has arrived is found; otherwise the board is a message of its own."""
    live = await room.begin("apb")
    if "retry_after" in failing:
        monkeypatch.setattr(first_answer.asyncio, "timeout", lambda _: asyncio.timeout(0.1))
    room.server.world.faults.fail_next("/callback", **failing)
    sent = asyncio.create_task(room.type(live, FIRST))
    await until(lambda: len(room.boards) == 2, "the board is shown")
    assert_shown_once(room, await room.shown())
    assert len(room.boards) == 2
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)


async def test_the_next_game_is_offered_beside_the_board(room: Room) -> None:
    live = await room.begin("apb")
    other = room.elsewhere(room.server.world.add_channel("more"))
    await other.begin("apb")
    requests(room)
    await room.type(live, FIRST)
    assert_shown_once(room, await room.shown())
    assert room.bot is not None
    await told_all(room.bot)
    played = EN("story.play", seat=EN("side.white"), move=in_language(FIRST, EN))
    assert text(private(room.ana)) == f"{played}.\n{EN('next.waiting', n=1)}"
    asked = requests(room)
    assert asked[0] == CALLBACK
    assert "POST /channels/*/messages" not in asked  # the board is the answer
    assert "interaction_metadata" in room.board
    assert "DELETE /webhooks/*/messages/@original" not in asked


@pytest.mark.parametrize("failing", [{"status": 401, "code": 50027}, {"status": 404, "code": 10015}], ids=str)
async def test_an_old_board_is_tidied_though_its_token_is_not_accepted(room: Room, failing: dict[str, Any]) -> None:
    await room.type(await room.begin("apb"), FIRST)
    live = await room.shown()
    room.server.world.faults.fail_next("PATCH /webhooks", **failing)
    requests(room)
    await room.type(live, SECOND)
    assert_shown_once(room, await room.shown())
    assert "PATCH /channels/*/messages/*" in requests(room)


async def test_a_token_is_not_used_when_it_has_ended(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_message, "LIFETIME", -1.0)
    assert await second_turn(room) == [CALLBACK, "PATCH /channels/*/messages/*"]


async def test_a_bot_that_stops_leaves_no_answer_waiting(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "PATIENCE", 2 * PATIENT)
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await bot.service(BoardPublisher).close()
        async with asyncio.timeout(PATIENT):
            await room.type(live, FIRST)
            await told_all(bot)


async def test_a_turn_in_a_thread_is_answered_by_its_board(room: Room) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "threads", "always")
    message = await room.challenge("apb")
    await room.ben.press("b:accept_challenge:", message)
    thread = room.elsewhere(int(message["id"]))
    live = await thread.shown()
    requests(room)
    await thread.type(live, FIRST)
    assert_shown_once(thread, await thread.shown())
    await told_all(room.bot)
    assert requests(room) == [CALLBACK, "PATCH /channels/*/messages/*"]


async def test_an_old_board_is_deleted_by_its_token(room: Room) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "old_board", "delete")
    await room.type(await room.begin("apb"), FIRST)
    live = await room.shown()
    requests(room)
    await room.type(live, SECOND)
    await room.shown()
    await told_all(room.bot)
    assert requests(room) == [CALLBACK, "DELETE /webhooks/*/messages/*"]
    assert len(room.boards) == 1


async def test_a_button_of_a_private_board_is_not_answered_in_public(room: Room) -> None:
    await placed(room, "backgammon", SOLE)
    await room.ana.slash("abak board")
    await room.ana.press("b:only:", private(room.ana))
    await room.shown()
    assert room.board["nonce"]
