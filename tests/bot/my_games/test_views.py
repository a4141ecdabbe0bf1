"""A player's games: the list in order of need, the next one, and the time on boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, bot_running, private, told, told_all, verbs
from harness.discord import buttons, is_ephemeral, text

from bot.clocks import words as clock_words
from bot.clocks.heartbeats import service
from bot.clocks.vacations.service import VacationService
from bot.core.translations import language
from bot.games.service import GameService
from bot.my_games.views import PER_PAGE
from bot.players.service import PreferenceService
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.timekeeping import ABANDONED

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")
NOON = 1_763_726_400_000  # 2025-11-21 12:00 UTC, a Friday


@dataclass
class Hand:
    """A clock moved by hand."""

    now: int = NOON

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str, hand: Hand, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    monkeypatch.setattr(service, "GAP_MS", 365 * DAY)  # when the hand moves, the bot was not away
    async with bot_running(stand_in, sqlite_url, now=hand) as bot:
        yield Room.of(stand_in, bot)


def another(room: Room) -> Room:
    """Returns the same two in a channel of its own."""
    return room.elsewhere(room.server.world.add_channel("more"))


def first_turn(live: LiveGame) -> str:
    game, state = live.table.game, live.table.state
    return game.format(state, (game.legal(state)[0],))


def at(moment: int, style: str = "R") -> str:
    return f"<t:{moment // 1000}:{style}>"


def linked(live: LiveGame, room: Room) -> str:
    """Returns the game's name with a link to its board."""
    place = f"https://discord.com/channels/{room.server.world.guild_id}/{live.place.channel_id}"
    return f"[{live.table.game.name}]({place}/{live.message_id})"


# --- the list --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_games_are_listed_in_order_of_need(room: Room, hand: Hand, locale: str) -> None:
    room.speak(locale)
    say = room.say
    await room.ana.slash("abak games")
    assert told(room.ana) == say("games.none")
    assert verbs(private(room.ana)) == ["machine", "welcome_challenge"]
    rooms = [another(room) for _ in range(4)]
    untimed = await rooms[0].begin("abalone", time="none")
    slow = await rooms[1].begin("abalone", time="7d/move")
    fast = await rooms[2].begin("abalone", time="1d/move")
    theirs = await rooms[3].begin("abalone", time="3d/move")
    hand.now += HOUR
    await rooms[3].type(theirs, first_turn(theirs))
    theirs = await rooms[3].shown()
    await room.ana.slash("abak games")
    head, *listed = told(room.ana).splitlines()
    assert head == say("games.some", n=4)
    ben, until = room.ben.mention, lambda end: say("games.until", relative=at(end))
    assert listed == [
        f"{say('games.your_turn', game=linked(fast, room), opponent=ben)} · {until(NOON + DAY)}",
        f"{say('games.your_turn', game=linked(slow, room), opponent=ben)} · {until(NOON + 7 * DAY)}",
        say("games.your_turn", game=linked(untimed, room), opponent=ben),
        f"{say('games.their_turn', game=linked(theirs, room), opponent=ben)} · {until(NOON + HOUR + 3 * DAY)}",
    ]
    assert is_ephemeral(private(room.ana))
    assert say("button.next_game", n=3) in buttons(private(room.ana))


async def test_signs_tell_why_a_clock_stands(room: Room, hand: Hand) -> None:
    assert room.bot is not None
    services = room.bot.services
    await services[PreferenceService].set_user(room.ana.user_id, "rest", "12:00-14:00")
    await room.begin("abalone", time="1d/move")
    await room.ana.slash("abak games")
    assert EN("games.stands") in told(room.ana)
    hand.now += 3 * HOUR
    await room.ana.slash("abak games")
    assert EN("games.stands") not in told(room.ana)
    await services[VacationService].take(room.ana.user_id, hand.now, hand.now + 7 * DAY)
    hand.now += MINUTE
    await services[GameService].tick((await room.present()).id)
    await room.ana.slash("abak games")
    assert EN("games.away") in told(room.ana)


async def test_a_paused_game_comes_last_and_needs_nobody(room: Room) -> None:
    live = await room.begin("abalone", time="3d/move")
    await another(room).begin("abalone", time="7d/move")
    await pause(room, live)
    await room.ana.slash("abak games")
    *_, last = told(room.ana).splitlines()
    assert last.startswith(EN("games.paused", game=linked(await room.present(), room), opponent=room.ben.mention))
    assert last.endswith(EN("games.left", left="3 days"))
    await room.ana.slash("abak next")
    assert "**Abalone**" in told(room.ana)
    assert str(room.channel_id) not in told(room.ana)
    assert "⏸" in room.board["content"]
    assert "⏳" not in room.board["content"]


async def pause(room: Room, live: LiveGame) -> None:
    """Pauses the game: Ana offers it, Ben accepts."""
    assert room.bot is not None
    games = room.bot.service(GameService)
    await games.offer(live.id, room.ana.user_id, "pause")
    await games.answer(live.id, room.ben.user_id, accept=True)
    await room.shown()


async def test_a_game_whose_time_is_up_may_be_claimed(room: Room, hand: Hand) -> None:
    assert room.bot is not None
    services = room.bot.services
    await services[PreferenceService].set_server(room.server.world.guild_id, "timeout_policy", "claim")
    live = await room.begin("abalone", time="1d/move")
    hand.now += DAY + MINUTE
    await services[GameService].tick(live.id)
    await room.shown()
    await room.ben.slash("abak games")
    assert EN("games.time_up") in told(room.ben)
    assert "**You can claim**" in told(room.ben)
    await room.ana.slash("abak games")
    assert "**Your turn**" in told(room.ana)


async def test_who_is_on_vacation_has_not_abandoned_a_game_whatever_the_list_knows(room: Room, hand: Hand) -> None:
    assert room.bot is not None
    services = room.bot.services
    live = await room.begin("abalone", time="none")
    late, waiting = room.to_move(live), room.other(live)
    await services[VacationService].take(late.user_id, hand.now, hand.now + 7 * DAY)
    hand.now += ABANDONED + HOUR
    await waiting.slash("abak games")
    assert "Their turn" in told(waiting)
    await waiting.slash("abak next")
    assert EN("next.none") in told(waiting)
    hand.now += 7 * DAY
    await waiting.slash("abak games")
    assert "**You can claim**" in told(waiting)
    await waiting.slash("abak next")
    assert EN("next.none") not in told(waiting)
    assert (await services[GameService].get(live.id)).table.outcome is None


async def test_a_long_list_has_pages(room: Room) -> None:
    count = 2 * PER_PAGE + 1
    for _ in range(count):
        await another(room).begin("apb")
    await room.ana.slash("abak games")
    panel, seen = private(room.ana), []
    for number in (1, 2, 3):
        *listed, foot = text(room.ana.fresh(panel)).splitlines()[1:]
        assert foot == EN("games.page", number=number, last=3)
        assert len(text(room.ana.fresh(panel))) <= 2000
        seen += listed
        turn = buttons(room.ana.fresh(panel))
        assert [turn[EN(f"button.{verb}")].get("disabled", False) for verb in ("back", "forward")] == [
            number == 1,
            number == 3,
        ]
        if number < 3:
            await room.ana.press(EN("button.forward"), panel)
    assert len(set(seen)) == count
    await room.ana.press(EN("button.back"), panel)
    assert EN("games.page", number=2, last=3) in text(room.ana.fresh(panel))


# --- the next game ---------------------------------------------------------------------------------------------------


async def test_next_opens_the_game_most_in_need_ready_to_move(room: Room, hand: Hand) -> None:
    await room.ana.slash("abak next")
    assert told(room.ana) == EN("next.none")
    await room.ana.press(EN("button.begin_challenge"), private(room.ana))
    assert "form_post" in verbs(private(room.ana))
    slow, fast = another(room), another(room)
    await slow.begin("abalone", time="7d/move")
    live = await fast.begin("abalone", time="1d/move")
    await room.ana.slash("abak next")
    shown = private(room.ana)
    assert str(fast.channel_id) in text(shown)
    assert EN("time.until", relative=at(NOON + DAY), date=at(NOON + DAY, "f")) in text(shown)
    assert len(shown["attachments"]) == 1
    await room.ana.press("b:move:", shown)
    picker = private(room.ana)
    step = live.table.game.legal(live.table.state)[0]
    await fast.tap_steps(live, picker, (step,))
    await fast.confirm(room.ana, picker)
    played = EN("story.play", seat=EN("side.black"), move=live.table.game.format(live.table.state, (step,)))
    assert text(room.ana.fresh(picker)) == f"{played}.\n{EN('next.waiting', n=1)}"
    assert not room.ana.fresh(picker)["attachments"]
    await room.ana.press(EN("button.next_game", n=1), picker)
    assert str(slow.channel_id) in text(room.ana.fresh(picker))
    assert len(room.ana.fresh(picker)["attachments"]) == 1
    del hand


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_one_goes_from_game_to_game_and_round(room: Room, locale: str) -> None:
    room.speak(locale)
    rooms = [another(room) for _ in range(3)]
    for number, one in enumerate(rooms):
        await one.begin("abalone", time=f"{number + 1}d/move")
    await room.ana.slash("abak next")
    panel = private(room.ana)
    for one in (*rooms[1:], rooms[0]):
        await room.ana.press(room.say("button.skip_game"), panel)
        assert str(one.channel_id) in text(room.ana.fresh(panel))


async def test_where_nothing_waits_the_next_clock_is_told(room: Room) -> None:
    await room.begin("abalone", time="2d/move")
    await room.ben.slash("abak next")
    assert told(room.ben) == f"{EN('next.none')}\n{EN('next.due', relative=at(NOON + 2 * DAY))}"
    assert not buttons(private(room.ben))


async def test_a_typed_move_offers_the_next_game_too(room: Room) -> None:
    await another(room).begin("abalone")
    live = await room.begin("abalone")
    await room.type(live, first_turn(live))
    assert room.bot is not None
    await told_all(room.bot)
    assert list(buttons(private(room.ana))) == [EN("button.next_game", n=1), EN("button.conditional")]
    after = await room.shown()
    await room.type(after, first_turn(after))
    assert not [message for message in room.ben.messages if is_ephemeral(message)]  # the board says all


# --- the board -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_board_shows_both_times(room: Room, hand: Hand, locale: str) -> None:
    room.speak(locale)
    say = room.say
    live = await room.begin("abalone", time="3d+12h")
    hand.now += DAY
    await room.type(live, first_turn(live))
    await room.shown()
    ends = hand.now + 3 * DAY
    left = clock_words.length(2 * DAY + 12 * HOUR, say)
    assert say("time.until", relative=at(ends), date=at(ends, "f")) in room.board["content"]
    control = clock_words.control("3d+12h", say)
    told_then = say("time.control_then", control=control, player=room.ana.mention, left=left)
    assert told_then in room.board["content"]
    assert [user for user, _ in room.pings].count(room.ana.user_id) == 1
    await room.ana.slash("abak board")
    assert told_then in told(room.ana)


async def test_a_board_does_not_say_of_each_turn_what_each_turn_has(room: Room, hand: Hand) -> None:
    await room.begin("abalone", time="3d/move")
    assert room.board["content"].splitlines()[1:] == [
        EN("board.turn", player=room.ana.mention),
        EN("time.until", relative=at(hand.now + 3 * DAY), date=at(hand.now + 3 * DAY, "f")),
        EN("time.control", control=clock_words.control("3d/move", EN)),
    ]


async def test_a_live_board_does_not_date_the_others_end(room: Room, hand: Hand) -> None:
    """Both have 10 minutes: a date for the other would be the same as for the turn that runs."""
    live = await room.begin("abalone", time="10m")
    ends = hand.now + 10 * 60_000
    other = live.players[1 - (live.table.to_act or 0)]
    assert EN("time.until", relative=at(ends), date=at(ends, "f")) in room.board["content"]
    control = clock_words.control("10m", EN)
    line = EN("time.control_then", control=control, player=f"<@{other}>", left="10:00")
    assert line in room.board["content"]
    assert room.board["content"].count(at(ends, "f")) == 1


async def test_a_deadline_on_the_board_counts_rest(room: Room) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(room.ana.user_id, "rest", "20:00-06:00")
    await room.begin("abalone", time="1d/move")
    # 8 hours on Friday, 14 on Saturday, and two on Sunday from 6 o'clock
    ends = NOON + 20 * HOUR + DAY - 6 * HOUR + 6 * HOUR
    assert at(ends) in room.board["content"]


async def test_the_frame_of_a_board_says_what_is_left(room: Room, hand: Hand) -> None:
    await room.begin("abalone", time="3d/move")

    async def drawn() -> bytes:
        await room.ana.slash("abak board")
        found, _ = room.server.world.attachment(int(private(room.ana)["attachments"][0]["id"]))
        return found

    full = await drawn()
    hand.now += 2 * HOUR
    assert await drawn() != full
    before = await drawn()
    hand.now += 20_000
    assert await drawn() == before  # what is left is shown in whole minutes at the finest: pictures are kept


async def test_without_a_clock_a_board_says_nothing_of_time(room: Room) -> None:
    await room.begin("apb")
    assert "<t:" not in room.board["content"]


# --- offers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_games_are_listed_by_whose_clock_runs_whoever_has_to_answer(room: Room, locale: str) -> None:
    room.speak(locale)
    assert room.bot is not None
    say, games = room.say, room.bot.service(GameService)
    live = await room.begin("abalone", time="3d/move")
    await games.offer(live.id, room.ana.user_id, "draw")
    live = await room.shown()
    link, until = linked(live, room), say("games.until", relative=at(NOON + 3 * DAY))
    await room.ana.slash("abak games")
    mine = say("games.your_turn", game=link, opponent=room.ben.mention)
    assert told(room.ana).splitlines()[1] == f"{mine} · {say('games.offer_yours')} · {until}"
    await room.ben.slash("abak games")
    theirs = say("games.your_answer", game=link, opponent=room.ana.mention)
    assert told(room.ben).splitlines()[1] == f"{theirs} · {say('games.offer_theirs')} · {until}"
    for command in ("next", "board"):
        await room.ana.slash(f"abak {command}")
        assert f"{say('offer.open')} {say('offer.your_turn')}" in told(room.ana)
        assert {"withdraw", "move"} <= set(verbs(private(room.ana)))
    await room.ben.slash("abak next")
    assert {"accept", "decline"} <= set(verbs(private(room.ben)))
    for who in (room.ana, room.ben):
        assert await games.waiting(who.user_id, "") == 1


async def test_finished_games_are_behind_a_button(room: Room) -> None:
    assert room.bot is not None
    live = await room.begin("abalone")
    await room.ana.slash("abak games")
    assert EN("button.finished") not in buttons(private(room.ana))
    await room.bot.service(GameService).resign(live.id, room.ana.user_id, 1)
    await room.shown()
    await room.ana.slash("abak games")
    assert told(room.ana) == EN("games.none")
    await room.ana.press(EN("button.finished"), private(room.ana))
    assert told(room.ana).startswith(EN("history.title", player=room.ana.mention))
    assert "Abalone" in told(room.ana)
