"""What goes wrong on the way: restarts, lost connections, failing and slow requests. Nothing is lost, nobody waits."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, bot_running, milliseconds, private, shows, told, wired
from harness.discord import alt, is_ephemeral, text, until
from harness.players import Greedy

from bot.i18n import language
from bot.sandbox import permissions
from bot.services import boards
from bot.ui import answer, pictures, presenter
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.client import AbakBot
    from bot.sandbox.server import Server
    from bot.services.tables import Seated

EN = language("en")
FIRST, SECOND = "e4-e5 e3-e4", "e9-d8 e10-e9"
"""Two turns of APB."""


async def play(room: Room, seated: Seated, player: Greedy) -> Seated:
    steps = player.turn(seated.table.game, seated.table.state)
    await room.type(seated, seated.table.game.format(seated.table.state, steps))
    return await room.shown()


def assert_shown_once(room: Room, seated: Seated) -> None:
    """A board for every state that was shown, none twice; one call for each, and buttons on the newest alone."""
    seqs = [shows(board) for board in room.boards]
    assert len(set(seqs)) == len(seqs)
    assert seqs[-1] == (seated.id, seated.table.seq)
    called = [m["id"] for _, m in room.calls if m["attachments"]]
    assert called == [board["id"] for board in room.boards]
    assert [wired(board) != [] for board in room.boards] == [False] * (len(seqs) - 1) + [True]


def out_of_reach(room: Room) -> None:
    """The two take no direct messages: nobody but the board calls them."""
    room.server.world.closed.update((room.ana.user_id, room.ben.user_id))


# --- restarts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_buttons_and_a_picker_go_on_after_a_restart(stand_in: Server, sqlite_url: str, game: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        seated = await room.begin(game)
        steps = Greedy().turn(seated.table.game, seated.table.state)
        who = room.to_move(seated)
        await who.press("b:move:", room.board)
        picker = private(who)
        done = min(1, len(steps) - 1)
        await room.tap_steps(seated, picker, steps[:done])
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await room.tap_steps(seated, picker, steps, done=done)
        await room.confirm(who, picker)
        after = await room.shown()
        assert_shown_once(room, after)
        await room.to_move(after).press("b:move:", room.board)
        assert EN("picker.what") in told(room.to_move(after))


async def test_a_challenge_can_be_accepted_after_a_restart(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        message = await room.challenge("apb")
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await room.ben.press("b:take_up:", message)
        assert_shown_once(room, await room.shown())


async def test_what_was_played_but_not_shown_is_shown_after_a_restart(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        seated = await room.begin("apb")
        out_of_reach(room)
        stand_in.world.faults.fail_next("POST /channels", status=403, code=50013)
        await room.type(seated, FIRST)
        await bot.presenter.idle()
        await bot.courier.turn()
        assert len(room.boards) == 1
    later = milliseconds() + boards.FIRST_PAUSE
    async with bot_running(stand_in, sqlite_url, now=lambda: later) as room.bot:
        await until(lambda: len(room.boards) == 2, "the second board is shown")
        assert_shown_once(room, await room.shown())
        assert EN("story.play", seat=EN("seat.white"), move=FIRST) in text(room.board)


# --- lost connections ------------------------------------------------------------------------------------------------


async def lost(server: Server) -> None:
    """Waits until a connection that was broken has been made again."""
    before = set(server.gateway.sockets)
    await until(lambda: server.gateway.sockets - before, "the bot has come back", seconds=30)
    await until(lambda: any(s.socket is not None and not s.silent for s in server.gateway.sessions.values()), "ready")


@pytest.mark.parametrize("fault", ["drop", "drop for good", "reconnect", "invalid"])
async def test_a_game_goes_on_when_the_connection_is_lost(room: Room, fault: str) -> None:
    seated, player, faults = await room.begin("backgammon"), Greedy(patience=9), room.server.world.faults
    for number in range(4):
        seated = await play(room, seated, player)
        if number == 1:
            back = asyncio.create_task(lost(room.server))
            await asyncio.sleep(0)
            {
                "drop": lambda: faults.drop_gateway(resume=True),
                "drop for good": lambda: faults.drop_gateway(resume=False),
                "reconnect": faults.reconnect,
                "invalid": faults.invalidate,
            }[fault]()
            await back
            await until(lambda: room.bot is not None and room.bot.is_ready(), "the bot is ready")
            sessions = len(room.server.gateway.sessions)
            assert sessions == 1
    assert_shown_once(room, seated)


async def test_what_was_pressed_while_the_connection_was_lost_is_answered(room: Room) -> None:
    await room.begin("apb")
    room.server.world.answer_limit = 60
    room.server.world.faults.drop_gateway(resume=True)
    await room.ana.press("b:move:", room.board)
    assert EN("picker.what") in told(room.ana)


# --- requests that fail ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failing",
    [
        {"status": 429},
        {"status": 429, "everywhere": True},
        {"status": 500},
        {"status": 502, "lost": True},  # it arrived, and the bot does not know
        {"status": 400},
    ],
    ids=str,
)
async def test_a_board_that_could_not_be_sent_is_sent_again(
    room: Room, failing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenter, "RETRIES", (0.01, 0.01))
    seated = await room.begin("apb")
    room.server.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", **failing)
    await room.type(seated, FIRST)
    assert_shown_once(room, await room.shown())


@pytest.mark.parametrize("history", [True, False])
async def test_a_board_that_arrived_unnoticed_is_not_sent_twice(
    room: Room, history: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord tells two alike by their nonce for some minutes; after that the channel itself is asked."""
    monkeypatch.setattr(presenter, "RETRIES", (0.2, 0.01))
    seated, world = await room.begin("apb"), room.server.world
    world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
    if history:
        world.subscribe(lambda _: world.messages.nonces.clear())
    else:
        world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    await room.type(seated, FIRST)
    assert_shown_once(room, await room.shown())


async def test_boards_that_a_dead_process_sent_and_never_noted_are_tidied(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        seated = await room.begin("apb")
        stand_in.world.faults.fail_next("POST /channels", status=403, lost=True)
        await room.type(seated, FIRST)
        await bot.presenter.idle()
        await bot.presenter.close()
        await room.ben.slash("abak move play", notation=SECOND)
    assert [wired(board) != [] for board in room.boards] == [True, True]
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await until(lambda: len(room.boards) == 3, "the third board is shown")
        assert_shown_once(room, await room.shown())


async def test_the_sweep_shows_what_the_attempts_did_not(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presenter, "RETRIES", (0.01, 0.01))
    monkeypatch.setattr(presenter, "SWEEP", 0.1)
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        seated = await room.begin("apb")
        out_of_reach(room)
        stand_in.world.deny(room.channel_id, permissions.SEND_MESSAGES)
        await room.type(seated, FIRST)
        await asyncio.sleep(0.3)
        await bot.courier.turn()
        assert len(room.boards) == 1
        stand_in.world.allow(room.channel_id, permissions.SEND_MESSAGES)
        await until(lambda: len(room.boards) == 2, "the second board is shown")
        assert_shown_once(room, await room.shown())


async def test_two_moves_that_were_not_shown_are_told_together(room: Room) -> None:
    seated = await room.begin("apb")
    out_of_reach(room)
    room.server.world.deny(room.channel_id, permissions.SEND_MESSAGES)
    await room.type(seated, FIRST)
    assert room.bot is not None
    await room.ben.slash("abak move play", notation=SECOND)
    await room.bot.presenter.idle()
    await room.bot.courier.turn()
    room.server.world.allow(room.channel_id, permissions.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown")
    assert_shown_once(room, await room.shown())
    assert FIRST in text(room.board)
    assert SECOND in text(room.board)
    assert len(room.boards) == 2


async def test_an_old_board_that_is_gone_does_not_hinder_the_next(room: Room) -> None:
    seated = await room.begin("apb")
    room.server.world.delete_message(int(room.board["id"]))
    await room.type(seated, FIRST)
    after = await room.shown()
    assert shows(room.board) == (after.id, 1)


async def test_a_channel_that_is_gone_takes_no_other_game_with_it(room: Room) -> None:
    seated = await room.begin("apb")
    other = room.elsewhere(room.server.world.add_channel("more"))
    beside = await other.begin("abalone")
    room.server.world.delete_channel(room.channel_id)
    assert room.bot is not None
    await room.bot.services.tables.play(seated.id, room.ana.user_id, 0, FIRST)
    await other.type(beside, "a1b1")
    assert_shown_once(other, await other.shown())


async def test_a_callback_that_fails_is_repeated(room: Room) -> None:
    seated = await room.begin("apb")
    room.server.world.faults.fail_next("/callback", status=500)
    await room.ana.press("b:move:", room.board)
    assert EN("picker.what") in told(room.ana)
    room.server.world.faults.fail_next("/callback", status=500, lost=True)
    await room.ana.press("b:flip:", room.board)
    assert len(alt(private(room.ana))) == 1
    assert await room.present() == seated


async def test_a_move_whose_answer_comes_too_late_is_played_all_the_same(room: Room) -> None:
    seated = await room.begin("apb")
    room.server.world.faults.fail_next("/callback", status=404, code=10062)
    pressing = asyncio.create_task(room.type(seated, FIRST))
    await until(lambda: len(room.boards) == 2, "the board is shown")
    pressing.cancel()
    assert_shown_once(room, await room.shown())


# --- slow answers ----------------------------------------------------------------------------------------------------


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longer than the bot lets anybody wait without a word."""
    draw = pictures.registry.picture

    def slowly(*given: Any, quick: bool = False) -> bytes:
        time.sleep(0.25)
        return draw(*given, quick=quick)

    monkeypatch.setattr(answer, "PATIENCE", 0.05)
    monkeypatch.setattr(pictures.registry, "picture", slowly)
    monkeypatch.setattr(pictures.registry, "kept", lambda *_, **__: None)


@pytest.mark.usefixtures("slow")
async def test_a_slow_answer_is_announced_and_filled_in(room: Room) -> None:
    seated = await room.begin("apb")
    looked = await room.ana.slash("abak board")
    assert looked.deferred
    assert looked.message is not None
    assert is_ephemeral(looked.message)
    assert len(alt(looked.message)) == 1
    opened = await room.ana.press("b:move:", room.board)
    assert opened.deferred
    await until(lambda: EN("picker.what") in told(room.ana), "the picker is open")
    picker = private(room.ana)
    assert len(alt(picker)) == 1
    steps = Greedy(patience=9).turn(seated.table.game, seated.table.state)
    await room.tap_steps(seated, picker, steps)
    await room.ana.press("b:confirm:", picker)
    assert_shown_once(room, await room.shown())


@pytest.mark.usefixtures("slow")
async def test_a_slow_refusal_is_private_too(room: Room) -> None:
    seated = await room.begin("apb")
    sent = await room.ben.press("b:move:", room.board)
    assert sent.deferred
    await until(lambda: told(room.ben).startswith(EN("table.not_your_turn")), "the refusal is told")
    assert wired(room.board) != []
    assert text(room.ana.fresh(room.board)) == text(room.board)
    assert await room.present() == seated


def slow_post(bot: AbakBot, monkeypatch: pytest.MonkeyPatch) -> None:
    post = bot.services.challenges.post

    async def slowly(*given: Any) -> Any:
        await asyncio.sleep(0.3)
        return await post(*given)

    monkeypatch.setattr(answer, "PATIENCE", 0.05)
    monkeypatch.setattr(bot.services.challenges, "post", slowly)


async def test_a_slow_challenge_is_announced_to_all_and_filled_in(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    slow_post(room.bot, monkeypatch)
    message = await room.challenge("apb")
    assert not is_ephemeral(message)
    assert room.ben.mention in text(message)
    await room.ben.press("b:take_up:", message)
    assert_shown_once(room, await room.shown())


async def test_a_slow_rematch_leaves_the_card_as_it_is(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    card = room.board
    rematch = room.bot.services.challenges.rematch

    async def slowly(*given: Any) -> Any:
        await asyncio.sleep(0.3)
        return await rematch(*given)

    monkeypatch.setattr(answer, "PATIENCE", 0.05)
    monkeypatch.setattr(room.bot.services.challenges, "rematch", slowly)
    asked = await room.ben.press("b:rematch:", card)
    assert asked.deferred
    await until(lambda: room.ana.last["id"] != card["id"], "the challenge stands below the card")
    assert (text(room.board), alt(room.board)) == (text(card), alt(card))
    assert not is_ephemeral(room.ana.last)
    await room.ana.press("b:take_up:", room.ana.last)
    assert (await room.shown()).table.seq == 0


async def test_a_slow_refusal_of_a_challenge_is_private(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    slow_post(room.bot, monkeypatch)
    await room.ana.slash("abak challenge", opponent=room.ana)
    await until(lambda: EN("challenge.self") in [m["content"] for m in room.ana.messages], "the refusal is told")
    assert [m for m in room.ben.messages if m["author"]["id"] == str(room.server.world.application_id)] == []


# --- our own faults --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_a_fault_of_ours_is_owned_up_to_in_one_sentence(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError("made by the test")

    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        seated = await room.begin("apb")
        with monkeypatch.context() as patched:
            patched.setattr(bot.services.tables, "play", broken)
            await room.type(seated, FIRST)
        assert told(room.ana) == room.say("error.ours")
        assert await room.present() == seated
        await room.type(seated, FIRST)
        assert_shown_once(room, await room.shown())


async def test_a_board_that_cannot_be_made_stops_no_other(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boards, "FIRST_PAUSE", 50)
    monkeypatch.setattr(presenter, "SWEEP", 0.1)
    make = presenter.board.message
    attempts = 0

    async def broken_once(*given: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            raise RuntimeError("made by the test")
        return await make(*given)

    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        seated = await room.begin("apb")
        monkeypatch.setattr(presenter.board, "message", broken_once)
        await room.type(seated, FIRST)
        await until(lambda: len(room.boards) == 2, "the sweep has shown it")
        assert_shown_once(room, await room.shown())
    assert attempts == 2
