"""A turn over the socket: who may move, what is stale, what is refused and in which words, and how the picker goes."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import ScriptedLuck
from harness.bot import Room, bot_running, private, told, verbs, wired
from harness.discord import Seat, alt, text
from harness.play import play_elsewhere
from harness.players import Greedy
from harness.walks import OF_STEPS

from bot.core.translations import language
from bot.sandbox.errors import Refused
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")


def turn(live: LiveGame, seed: int = 0) -> tuple[Any, ...]:
    return Greedy(seed, patience=9).turn(live.table.game, live.table.state)


def written(live: LiveGame, seed: int = 0) -> str:
    return live.table.game.format(live.table.state, turn(live, seed))


async def play(room: Room, live: LiveGame) -> LiveGame:
    await room.type(live, written(live))
    return await room.shown()


def assert_present_board(who: Seat, key: str) -> None:
    """Checks that they alone were told why not, and shown the board as it is."""
    message = private(who)
    assert text(message).startswith(EN(key))
    assert len(alt(message)) == 1


# --- who may move ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_only_the_two_who_play_can_touch_the_board(room: Room, game: str) -> None:
    live = await room.begin(game)
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    await stranger.press("b:move:", room.board)
    assert told(stranger) == EN("table.not_a_player")
    for command in ("move play", "draw", "resign"):
        given = {"notation": written(live)} if command == "move play" else {}
        await stranger.slash(f"abak {command}", **given)
        assert told(stranger) == EN("table.not_a_player")
    assert await room.present() == live
    await stranger.press("b:flip:", room.board)
    assert len(alt(private(stranger))) == 1


@pytest.mark.parametrize("game", GAMES)
async def test_who_is_not_to_move_is_told_so_with_the_board(room: Room, game: str) -> None:
    live = await room.begin(game)
    waiting = room.other(live)
    await waiting.press("b:move:", room.board)
    assert_present_board(waiting, "table.not_your_turn")
    assert verbs(private(waiting)) == []
    await waiting.slash("abak move play", notation=written(live))
    assert told(waiting) == EN("table.not_your_turn")
    assert await room.present() == live


async def test_nobody_sees_or_touches_the_picker_of_another(room: Room) -> None:
    live = await room.begin("abalone")
    await room.to_move(live).press("b:move:", room.board)
    picker = private(room.to_move(live))
    waiting = room.other(live)
    assert picker not in waiting.messages
    with pytest.raises(Refused):
        await waiting.press("b:pick:", picker)


# --- what is stale ---------------------------------------------------------------------------------------------------


async def test_a_stale_picker_shows_the_present_board_and_goes_on_from_it(room: Room) -> None:
    first = await room.begin("abalone")
    who = room.to_move(first)
    await who.press("b:move:", room.board)
    picker = private(who)
    second = await play_elsewhere(room, first, turn(first))  # a turn that is typed would close the picker
    await who.press("b:pick:", picker)
    assert_present_board(who, "table.not_your_turn")
    third = await play_elsewhere(room, second, turn(second))
    await who.press("b:pick:", picker)
    assert_present_board(who, "table.stale")
    assert verbs(private(who)) == ["move"]
    await who.press("b:move:", private(who))
    assert "pick" in verbs(private(who))
    assert await room.present() == third


async def test_a_picker_left_open_after_the_end_says_that_it_is_over(room: Room) -> None:
    live = await room.begin("abalone")
    who = room.to_move(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.other(live).slash("abak resign")
    await room.other(live).press("b:resign_for:", private(room.other(live)))
    await room.shown()
    await who.press("b:pick:", picker)
    assert_present_board(who, "table.over")
    await who.slash("abak move play", notation=written(live))
    assert told(who) == EN("place.no_game")


@pytest.mark.parametrize("game", OF_STEPS)
async def test_a_double_click_on_confirm_plays_once(room: Room, game: str) -> None:
    live = await room.begin(game)
    who = room.to_move(live)
    steps = turn(live)
    await who.press("b:move:", room.board)
    await room.tap_steps(live, private(who), steps)
    picker = private(who)
    await asyncio.gather(*(who.press("b:confirm:", picker) for _ in range(3)))
    after = await room.shown()
    plays = [entry for entry in after.table.record.entries if entry.kind == "play"]
    assert len(plays) == 1
    assert len(room.boards) == 2


async def test_two_who_press_at_once_do_not_hinder_each_other(room: Room) -> None:
    live = await room.begin("apb")
    await asyncio.gather(room.type(live, written(live)), room.other(live).press("b:flip:", room.board))
    assert (await room.shown()).table.seq == 1
    assert len(alt(private(room.other(live)))) == 1


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["move play", "draw", "resign", "board"])
async def test_where_no_game_is_there_is_nothing_to_do(room: Room, command: str) -> None:
    given = {"notation": "e4"} if command == "move play" else {}
    await room.ana.slash(f"abak {command}", **given)
    assert told(room.ana) == EN("place.no_game")


async def test_nothing_is_offered_to_who_cannot_move(room: Room) -> None:
    assert await room.ana.choices("abak move play", "notation", notation="") == []
    live = await room.begin("abalone")
    assert await room.other(live).choices("abak move play", "notation", notation="") == []
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    assert await stranger.choices("abak move play", "notation", notation="") == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("typed", ["zzz", " ", "24/1 /// 7", "e4-e5-" * 40, "💥", "-" * 6000])
async def test_whatever_is_typed_is_suggested_upon_within_the_limits(room: Room, game: str, typed: str) -> None:
    live = await room.begin(game)
    offered = await room.to_move(live).choices("abak move play", "notation", notation=typed)
    assert len(offered) <= 25
    assert all(0 < len(choice["name"]) <= 100 and 0 < len(choice["value"]) <= 100 for choice in offered)


# --- how the picker goes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", OF_STEPS)
async def test_a_turn_typed_in_part_is_completed_by_taps(room: Room, game: str) -> None:
    live = await room.begin(game)
    steps = turn(live, seed=3)
    who, state = room.to_move(live), live.table.state
    begun = live.table.game.format(state, steps[:1])
    await room.type(live, begun)
    picker = private(who)
    assert EN("picker.so_far", move=begun) in text(picker)
    assert "pick" in verbs(picker)
    assert await room.present() == live
    await room.tap_steps(live, picker, steps, done=1)
    await who.press("b:confirm:", picker)
    after = await room.shown()
    assert after.table.record.entries[live.table.seq].body == live.table.game.format(state, steps)


@pytest.mark.parametrize("game", OF_STEPS)
async def test_undo_takes_the_last_choice_back_and_cancel_plays_nothing(room: Room, game: str) -> None:
    live = await room.begin(game)
    who, steps = room.to_move(live), turn(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    beginning = (text(picker), [x["label"] for x in wired(picker) if "label" in x])
    await room.tap_steps(live, picker, steps[:1])
    assert EN("picker.so_far", move=live.table.game.format(live.table.state, steps[:1])) in text(who.fresh(picker))
    while EN("button.undo") in [x.get("label") for x in wired(who.fresh(picker))]:
        await who.press(EN("button.undo"), picker)
    now = who.fresh(picker)
    assert (text(now), [x["label"] for x in wired(now) if "label" in x]) == beginning
    await who.press("b:cancel_pick:", picker)
    assert text(who.fresh(picker)) == EN("picker.cancelled")
    assert wired(who.fresh(picker)) == []
    assert await room.present() == live
    assert len(room.boards) == 1


@pytest.mark.parametrize("typed", [False, True])
async def test_a_turn_is_read_as_it_was_typed_and_then_as_an_entry(
    room: Room, monkeypatch: pytest.MonkeyPatch, *, typed: bool
) -> None:
    """A turn reaches the engine as steps: nothing in between is written out and read again."""
    live = await room.begin("abalone")
    kind, read = type(live.table.game), []
    parse = kind.parse

    def reading(game: Any, state: Any, text: str) -> Any:
        read.append(text)
        return parse(game, state, text)

    monkeypatch.setattr(kind, "parse", reading)
    if typed:
        await room.type(live, written(live))
    else:
        await room.tap(live, turn(live))
    played = await room.shown()
    # the engine's fold reads each entry
    assert read.count(played.table.record.entries[live.seq].body) <= 1 + typed


async def test_each_choice_redraws_the_preview(room: Room) -> None:
    live = await room.begin("apb")
    who, steps = room.to_move(live), turn(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    seen = [room.server.world.attachment(int(a["id"]))[0] for a in picker["attachments"]]
    for count in range(len(steps)):
        await room.tap_steps(live, picker, steps[: count + 1], done=count)
        now = who.fresh(picker)
        [attachment] = now["attachments"]
        seen.append(room.server.world.attachment(int(attachment["id"]))[0])
        assert 0 < len(alt(now)[0]) <= 1024
    assert len(set(seen)) == len(steps) + 1


async def test_a_pass_that_is_forced_is_made_and_told(stand_in: Server, sqlite_url: str) -> None:
    plays = ["24/21 22/17", "24/19 22/19", "21/16 17/11", "23/15 19/15(2)", "23/16"]
    with ScriptedLuck(["53", "53", "65", "44", "43", "66", "21"]) as luck:
        async with bot_running(stand_in, sqlite_url, luck=luck) as bot:
            room = Room.of(stand_in, bot)
            live = await room.begin("backgammon", layout="hyper")
            for play in plays:
                await room.type(live, play)
                live = await room.shown()
    assert [entry.body for entry in live.table.record.entries[-3:]] == ["66", "pass", "21"]
    assert EN("story.pass", seat=EN("seat.black")) in text(room.board)
    assert live.awaited == room.ana.user_id
    assert [user_id for user_id, _ in room.pings[-2:]] == [room.ana.user_id] * 2
    assert len(room.boards) == len(plays) + 1


@pytest.mark.parametrize(("rolls", "key"), [(["44", "31"], 0), (["44", "22", "11", "31"], 2)])
async def test_rolls_that_decide_nothing_are_told_in_a_word(
    stand_in: Server, sqlite_url: str, rolls: list[str], key: int
) -> None:
    with ScriptedLuck(rolls) as luck:
        async with bot_running(stand_in, sqlite_url, luck=luck) as bot:
            room = Room.of(stand_in, bot)
            await room.begin("backgammon")
            opening = EN("dice.opening", white="3", black="1", seat=EN("seat.white"))
            told_once = EN("story.ties", line=opening, n=key + 1)
            assert room.board["content"].splitlines()[1:-1] == [told_once, EN("board.turn", player=room.ana.mention)]
