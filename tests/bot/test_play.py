"""Every game played to its end by two people over a real socket: by taps, and by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.luck import SeededLuck
from harness.books import Books, replayed
from harness.bot import SPANISH, Room, bot_running, shows_board, verbs, wired
from harness.discord import alt, is_ephemeral, text
from harness.origins import shows
from harness.players import Greedy

from bot.board.message import status
from bot.games.notation import in_language
from bot.games.service import GameService
from bot.sandbox.validation.messages import UPLOAD_LIMIT
from engine.core.game import CHANCE
from engine.core.record import Kind, dump, load
from engine.core.rolls import verify
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

PNG: Final = b"\x89PNG\r\n\x1a\n"
MOST_TURNS: Final = 400
SHORT: Final[dict[str, dict[str, Any]]] = {"backgammon": {"layout": "hyper"}, "abalone": {"layout": "domination"}}
"""Layouts that make a game short; where none is named the usual one."""
PICKING: Final = {"move", "pick", "confirm", "cancel_pick"}
"""The buttons with which a turn is chosen: none is left once it is played."""


async def play_out(room: Room, live: LiveGame, player: Greedy, *, typing: bool) -> LiveGame:
    """Plays to the end, and looks at every message on the way."""
    for _ in range(MOST_TURNS):
        if live.table.outcome is not None:
            return live
        steps = player.turn(live.table.game, live.table.state)
        played = live.table.game.format(live.table.state, steps)
        who, boards, calls = room.to_move(live), len(room.boards), len(room.pings)
        if typing:
            await check_suggestions(room, live, steps)
            typed = await room.type(live, played)
            if typed.message is not None and "confirm" in verbs(typed.message):  # it costs a piece of one's own
                await who.press("b:confirm:", typed.message)
        else:
            await room.tap(live, steps)
        assert not any(PICKING & set(verbs(message)) for message in who.messages if is_ephemeral(message))
        live = check_turn(room, live, await room.shown(), boards, calls, played)
    raise AssertionError(f"{live.table.game.key} goes on after {MOST_TURNS} turns")


def check_turn(room: Room, before: LiveGame, after: LiveGame, boards: int, calls: int, played: str) -> LiveGame:
    """Checks for one new board with its picture and words, one ping of the next player, and a spent old board."""
    entry = after.table.record.entries[before.table.seq]
    assert (entry.kind, entry.seat, entry.body) == (Kind.PLAY, before.table.to_act, played)
    new = room.boards[boards:]
    assert len(new) == 1
    assert all(wired(board) == [] for board in room.boards[:-1] if shows(board)[0] == after.id)
    called = [user_id for user_id, _ in room.pings[calls:]]
    assert called == ([] if after.awaited is None else [after.awaited])
    check_picture(room, new[0])
    is_cut = "\n…\n" in new[0]["content"]  # forced turns have followed, more lines than a board has
    assert is_cut or f"`{in_language(played, room.say)}`" in new[0]["content"]
    if after.awaited is not None:
        assert room.say("board.turn", player=room.to_move(after).mention) in new[0]["content"]
    return after


def check_picture(room: Room, board: dict[str, Any]) -> None:
    [description] = alt(board)
    assert 40 < len(description) <= 1024
    [attachment] = board["attachments"]
    content, kind = room.server.world.attachment(int(attachment["id"]))
    assert kind == "image/png"
    assert content.startswith(PNG)
    assert 2_000 < len(content) < UPLOAD_LIMIT


async def check_suggestions(room: Room, live: LiveGame, steps: tuple[Any, ...]) -> None:
    """Checks that the suggestions for a typed turn hold it: at once, or step by step if turns are too many to list."""
    game, state = live.table.game, live.table.state
    who = room.to_move(live)
    wanted = [steps] if game.enumerates_turns else [steps[: count + 1] for count in range(len(steps))]
    for part in wanted:
        written = game.format(state, part)
        offered = await who.choices("abak move play", "notation", notation=written[:-1])
        assert written in [choice["value"] for choice in offered]
    offered = await who.choices("abak move play", "notation", notation="")
    assert 0 < len(offered) <= 25
    assert all(0 < len(choice["name"]) <= 100 and 0 < len(choice["value"]) <= 100 for choice in offered)


async def check_end(room: Room, live: LiveGame, books: Books) -> None:
    """Checks that the last message says who won and why, that the record replays, and that its dice verify."""
    outcome = live.table.outcome
    assert outcome is not None
    say, content = room.say, text(room.board)
    if outcome.winner is None:
        assert say("board.drawn", reason=say(outcome.reason)) in content
    else:
        assert status(live, say) in content
        score = live.table.game.score(live.table.state, outcome.winner)
        assert score is None or say.note(score) in content
    assert verbs(room.board) == ["rematch", "replay", "flip"]
    stored = await books.stored(live.id)
    assert replayed(stored) == live.table
    assert load(dump(stored.record)) == stored.record
    rolls = sum(entry.kind is Kind.CHANCE for entry in stored.record.entries)
    assert verify(live.table.game, stored.record) == rolls
    assert (rolls > 0) == any(entry.seat == CHANCE for entry in live.table.record.entries)
    assert room.bot is not None
    assert await room.bot.service(GameService).at(room.channel_id) is None


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_by_taps_in_english(game: str, stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, luck=SeededLuck(1)) as bot, Books(sqlite_url) as books:
        room = Room.of(stand_in, bot)
        live = await room.begin(game)
        check_picture(room, room.board)
        assert [user_id for user_id, m in room.pings if shows_board(m)] == [live.awaited]
        ended = await play_out(room, live, Greedy(seed=0, patience=6), typing=False)
        await check_end(room, ended, books)


@pytest.mark.thorough  # what is typed has tests of its own, and a whole game is played by taps above
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_by_typing_in_spanish(game: str, stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, luck=SeededLuck(1)) as bot, Books(sqlite_url) as books:
        room = Room.of(stand_in, bot, locale=SPANISH)
        live = await room.begin(game, **SHORT.get(game, {}))
        ended = await play_out(room, live, Greedy(seed=6, patience=6), typing=True)
        await check_end(room, ended, books)
        await room.begin(game)  # the channel is free again
        assert wired(room.boards[-2]) != []  # the end of the last game can still be looked at


@pytest.mark.thorough
async def test_a_game_on_postgres(stand_in: Server, postgres_url: str) -> None:
    async with bot_running(stand_in, postgres_url, luck=SeededLuck(1)) as bot, Books(postgres_url) as books:
        room = Room.of(stand_in, bot)
        for game, options in {"backgammon": {"layout": "hyper"}, "apb": {}}.items():
            live = await room.begin(game, **options)
            ended = await play_out(room, live, Greedy(seed=2), typing=game == "backgammon")
            await check_end(room, ended, books)
