"""Tests the choices of a server: where games are played, what happens to old boards, and the language."""

from __future__ import annotations

import pytest
from harness.bot import SPANISH, Room
from harness.discord import alt, text

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import Language, language
from bot.games.service import GameService
from bot.players.service import PreferenceService
from engine.registry import GAMES

EN, ES = language("en"), language("es")


async def manage(room: Room, key: str, choice: str) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, key, choice)


async def test_a_server_may_have_every_game_in_a_thread(room: Room) -> None:
    await manage(room, "threads", "always")
    message = await room.challenge("apb")
    await room.ben.press("b:accept_challenge:", message)
    assert room.bot is not None
    (live,) = await room.bot.service(GameService).of(room.ana.user_id)
    assert live.place.channel_id != room.channel_id
    await room.bot.service(BoardPublisher).idle()
    assert len(room.elsewhere(live.place.channel_id).boards) == 1


@pytest.mark.parametrize(("choice", "boards"), [("strip", 2), ("delete", 1), ("edit", 1)])
async def test_the_previous_board_goes_as_the_server_wants(room: Room, choice: str, boards: int) -> None:
    await manage(room, "old_board", choice)
    live = await room.begin("abalone")
    await room.tap(live, (GAMES["abalone"].legal(live.table.state)[0],))
    after = await room.shown()
    assert len(room.boards) == boards
    assert len(alt(room.board)) == 1
    assert [user_id for user_id, _ in room.pings[-1:]] == [after.awaited]


async def test_the_servers_language_goes_before_discords(room: Room) -> None:
    await manage(room, "language", "es")
    await manage(room, "game_language", "server")
    await room.begin("apb")
    assert ES("board.turn", player=room.to_move(await room.shown()).mention) in room.board["content"]


@pytest.mark.parametrize(
    ("ana", "ben", "allowed", "say"),
    [
        (SPANISH, "es-419", "players", ES),
        (SPANISH, SPANISH, "server", EN),
        (SPANISH, "en-GB", "players", EN),
        (SPANISH, "fr", "players", EN),
    ],
)
async def test_a_game_between_two_who_share_a_language_is_in_it_if_the_server_lets_them(
    room: Room, ana: str, ben: str, allowed: str, say: Language
) -> None:
    for seat, locale in ((room.ana, ana), (room.ben, ben)):
        room.server.world.users[seat.user_id]["locale"] = locale
    await manage(room, "game_language", allowed)
    message = await room.challenge("apb", opponent=None)  # nobody knows yet who accepts
    assert EN("challenge.open", challenger=room.ana.mention, game="APB", layout="") in text(message)
    await room.ben.press("b:accept_challenge:", message)
    live = await room.shown()
    assert live.locale == say.code
    assert say("board.turn", player=room.to_move(live).mention) in room.board["content"]
    again = await room.challenge("apb")  # now both languages are known
    assert text(again).startswith(
        say("challenge.to", challenger=room.ana.mention, game="APB", layout="", opponent=room.ben.mention)
    )
