"""Tests what spectators can do: see the board from the other side, and get the record of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import SeededLuck
from harness.bot import SPANISH, private, told, wired
from harness.discord import Seat, components, text
from harness.pixels import pixels

from bot.board.message import COMMITMENT_DIGITS
from bot.players.service import PreferenceService
from engine.core.chance import commitment
from engine.core.record import Kind, load
from engine.core.rolls import verify

if TYPE_CHECKING:
    from harness.bot import Room


@pytest.fixture
def luck() -> SeededLuck:
    return SeededLuck(1)


async def prefer(room: Room, who: Seat, key: str, value: str) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(who.user_id, key, value)


async def test_flip_turns_the_board_as_it_was_drawn(room: Room) -> None:
    """Ben has the first player's side below always: so has the board that calls him, and Flip shows the other one."""
    await prefer(room, room.ben, "below", "first")
    await room.type(await room.begin("abalone"), "a1b1")
    await room.shown()
    await room.ben.press("b:flip:", room.board)

    def picture(message: dict[str, Any]) -> bytes:
        return pixels(room.server.world.attachment(int(message["attachments"][0]["id"]))[0])

    flipped = private(room.ben)
    assert picture(flipped) != picture(room.board)
    await room.ben.press("b:flip:", flipped)
    assert picture(room.ben.fresh(flipped)) == picture(room.board)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_anybody_can_open_the_record_of_a_game_that_runs_or_is_over(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await room.begin("backgammon")
    eve = Seat.join(room.server.world, "Eve", room.channel_id, locale=locale)
    await eve.press("b:more:", room.board)
    await eve.press("b:record:", private(eve))
    assert room.say("record.empty") in told(eve)
    game, state = live.table.game, live.table.state
    played = game.format(state, game.turns(state)[0][0])
    dice = live.table.record.entries[-1].body.split(" ")[0]
    line = f"1. {room.say(f'seat.{game.seats[live.table.to_act or 0]}')} {dice}: {played}"
    await room.type(live, played)
    await room.shown()
    await room.ben.slash("abak resign")
    await room.ben.press(room.say("button.resign"), private(room.ben))
    await room.shown()
    await eve.press("b:replay:", room.board)
    assert [x.get("label") for x in components(private(eve))][-1] == room.say("button.record")
    await eve.press("b:record:", private(eve))
    assert line in text(private(eve)).splitlines()
    attachment = private(eve)["attachments"][0]
    whole = room.server.world.attachment(int(attachment["id"]))[0].decode()
    assert line in whole.splitlines()
    assert "Ana" in whole
    assert "<@" not in whole
    assert private(eve) not in room.ana.messages


async def test_anybody_can_check_the_dice_by_the_record_and_what_the_boards_showed_before(room: Room) -> None:
    """The mark under a board was there before the next roll; the whole promise is under Record and in the record.

    The challenge had it before anybody accepted, under a button whose custom_id has it, too.
    """
    challenge = await room.challenge("backgammon")
    (promise,) = (x["custom_id"].split(":")[-1] for x in wired(challenge) if ":promise:" in x["custom_id"])
    await room.ben.press("b:promise:", challenge)
    assert told(room.ben) == room.say("challenge.promise", seal=promise)
    await room.ben.press("b:accept_challenge:", challenge)
    live = await room.shown()
    for _ in range(3):
        game, state = live.table.game, live.table.state
        await room.type(live, game.format(state, game.turns(state)[0][0]))
        live = await room.shown()
    begin = room.say("board.sealed", seal="").rstrip("`")
    closing = [board["content"].splitlines()[-1] for board in room.boards]
    assert all(line.startswith(begin) for line in closing)
    seals = [line.removeprefix(begin).strip("`") for line in closing]
    await room.ben.press("b:more:", room.board)
    await room.ben.press("b:record:", private(room.ben))
    _, attachment = private(room.ben)["attachments"]
    assert attachment["filename"] == "backgammon.record"
    assert room.say("record.proof", file="backgammon.record") in told(room.ben)
    record = load(room.server.world.attachment(int(attachment["id"]))[0].decode())
    assert verify(live.table.game, record) == sum(entry.kind is Kind.CHANCE for entry in record.entries)
    secrets = [entry.body.split(" ")[1] for entry in record.entries if entry.kind is Kind.CHANCE]
    assert [commitment(secret)[:COMMITMENT_DIGITS] for secret in secrets[-3:]] == seals[:-1]
    assert COMMITMENT_DIGITS == len(seals[-1]) == 8
    whole = room.say("record.promise", seal=live.commitment)
    assert whole in told(room.ben)
    assert live.commitment.startswith(seals[-1])
    assert record.header.commitment == promise
    assert room.say("challenge.sealed", seal=promise[:COMMITMENT_DIGITS]) in text(room.ana.fresh(challenge))


async def test_a_game_without_luck_has_no_dice_to_check(room: Room) -> None:
    await room.begin("abalone")
    await room.ben.press("b:more:", room.board)
    await room.ben.press("b:record:", private(room.ben))
    assert [attachment["filename"] for attachment in private(room.ben)["attachments"]] == ["abalone.txt"]
    assert "engine verify" not in told(room.ben)
