"""A decision from outside ends a game: its board says so, and both players hear of it once."""

from __future__ import annotations

from harness.delivery import Delivery
from harness.discord import alt, text
from harness.scene import FIRST

from bot.core.translations import language
from bot.games.service import GameService

EN = language("en")


async def test_a_decision_reaches_the_channel_and_both_players(scene: Delivery) -> None:
    ana, ben = scene.room.ana, scene.room.ben
    live = await scene.begin("3d/move")
    await scene.move(live, FIRST)
    await scene.bot.service(GameService).adjudicate(live.id, "1", "forfeit")
    await scene.settle()
    board = scene.room.board
    assert EN("story.forfeited", seat=EN("seat.white")) in text(board)
    assert EN("how.end.forfeited", other=ana.mention) in text(board)
    assert EN("how.end.forfeited", other=EN("seat.white")) in " ".join(alt(board))
    (lost,), (won,) = scene.sent_to(ana), scene.sent_to(ben)
    assert text(lost).startswith(f"You have lost your game of APB against {ben.mention} by forfeit.")
    assert text(won).startswith(f"{ana.mention} forfeited your game of APB. You won.")
    await scene.settle()
    assert await scene.states("adjudicated") == ["sent", "sent"]


async def test_a_void_game_says_so_in_the_readers_language(scene: Delivery) -> None:
    live = await scene.begin()
    await scene.prefer(scene.room.ben, language="es")
    await scene.bot.service(GameService).adjudicate(live.id, "void")
    await scene.settle()
    assert EN("board.voided") in text(scene.room.board)
    (message,) = scene.sent_to(scene.room.ben)
    assert text(message).startswith("La organización ha anulado tu partida de APB")
