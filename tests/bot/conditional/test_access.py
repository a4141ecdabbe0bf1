"""Tests who may see and set conditional moves: only the player who is not to move, in games without dice."""

from __future__ import annotations

from itertools import product

from harness.bot import Room, private, told, verbs
from harness.conditional import stored
from harness.discord import Seat, components, text

from bot.core.translations import language

EN = language("en")


VERBS = (
    "conditional",
    "conditional_at",
    "conditional_if",
    "conditional_reply",
    "conditional_resign",
    "conditional_delete",
    "conditional_clear",
    "conditional_done",
)


async def test_neither_a_stranger_nor_the_opponent_gets_at_them(room: Room) -> None:
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    (move,) = await stored(room)
    rest = {
        "conditional_resign": f"{move.id}|3",
        "conditional_if": f"{move.id}|",
        "conditional_reply": f"{move.id}|",
        "conditional_clear": "sure",
    }
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    for verb, (who, key) in product(VERBS, ((stranger, "table.not_a_player"), (room.ana, "conditional.your_turn"))):
        told_before = len(who.messages)
        await forge(room, who, f"b:{verb}:{live.id}:{live.seq}:{rest.get(verb, move.id)}")
        assert len(who.messages) > told_before, verb
        assert told(who).startswith(EN(key)), verb
        assert "i5h5" not in "".join(text(m) for m in who.messages), verb
        assert await stored(room) == [move], verb
    await stranger.slash("abak move conditional")
    assert told(stranger) == EN("table.not_a_player")
    await room.ana.slash("abak move conditional", condition="a1b2")
    assert told(room.ana) == EN("conditional.your_turn")


async def forge(room: Room, who: Seat, custom_id: str) -> None:
    """Presses a button of the public board that was never there."""
    board = room.server.world.messages.find(int(room.board["id"]))
    assert board is not None
    button = next(x for x in components(board) if x.get("custom_id"))
    before = button["custom_id"]
    button["custom_id"] = custom_id
    try:
        await who.press(custom_id, board)
    finally:
        button["custom_id"] = before


async def test_where_dice_fall_no_button_leads_there(room: Room) -> None:
    live = await room.begin("backgammon")
    who = room.other(live)
    await who.press("b:more:", room.board)
    assert "conditional" not in verbs(private(who))
    await who.slash("abak move conditional")
    assert told(who) == EN("conditional.luck", game="Backgammon")


async def test_who_is_to_move_is_not_offered_conditional_moves(room: Room) -> None:
    live = await room.begin("abalone")
    for who, offered in ((room.to_move(live), False), (room.other(live), True)):
        await who.press("b:more:", room.board)
        assert ("conditional" in verbs(private(who))) is offered
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    await stranger.press("b:more:", room.board)
    assert "conditional" not in verbs(private(stranger))
