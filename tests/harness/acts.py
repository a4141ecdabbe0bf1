"""Acts of players that are refused, other than typed moves, by the key of the refusal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fakes.clock import Clock

from bot.board.delivery.publisher import BoardPublisher
from bot.players.service import PreferenceService
from engine.core.clock import LAG, SECOND
from engine.core.errors import Translated
from engine.core.hours import DAY
from engine.games.backgammon import GAME as BACKGAMMON
from harness.bot import private
from harness.hours import pass_time, pass_unnoticed
from harness.positions import placed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from engine.core.errors import Param
    from harness.bot import Room
    from harness.discord import Seat

Json = dict[str, Any]
GAMMONS: Final = "XGID=-BBBBCD------------bbbccc-:0:0:1:61:0:0:0:0:10"
"""White may bear off, and has not yet: resigning may cost a gammon."""


async def begin(room: Room) -> None:
    await room.begin("apb")


async def offer_draw(room: Room, seat: Seat) -> None:
    await seat.slash("abak draw")
    await seat.press("b:draw:", private(seat))
    assert room.bot is not None
    await room.bot.service(BoardPublisher).idle()


async def confirm_after_the_other(room: Room, late: Seat, first: Seat, verb: str, confirm: str) -> Seat:
    """Asks both whether they mean it, and lets ``late`` confirm when nothing is left to do."""
    await ask_first(room, late, verb)
    asked = private(late)
    await ask_first(room, first, verb)
    await first.press(f"b:{confirm}:", private(first))
    await late.press(f"b:{confirm}:", asked)
    return late


async def ask_first(room: Room, who: Seat, verb: str) -> None:
    """Presses the board's button with that verb, or sends the command to resign."""
    await (who.slash("abak resign") if verb == "resign" else who.press(f"b:{verb}:", room.board))


async def resign_after_the_end(room: Room) -> Seat:
    await begin(room)
    return await confirm_after_the_other(room, room.ben, room.ana, "resign", "resign_for")


async def move_out_of_turn(room: Room) -> Seat:
    await begin(room)
    await room.ben.slash("abak move play", notation="e9-d8 e10-e9")
    return room.ben


async def resign_for_what_is_no_longer_to_lose(room: Room) -> Seat:
    live = await placed(room, "backgammon", GAMMONS)
    await room.ana.slash("abak resign")
    asked = private(room.ana)
    await room.type(live, "6/off 6/5")
    await room.ana.press(f"b:resign_for:{live.id}:0:2", asked)
    return room.ana


async def offer_twice(room: Room) -> Seat:
    await begin(room)
    await offer_draw(room, room.ana)
    await room.ana.slash("abak draw")
    return room.ana


async def offer_instead_of_an_answer(room: Room) -> Seat:
    await begin(room)
    await offer_draw(room, room.ana)
    await room.ben.slash("abak draw")
    return room.ben


async def answer_oneself(room: Room) -> Seat:
    await begin(room)
    await offer_draw(room, room.ana)
    await room.ana.press("b:accept:", room.board)
    return room.ana


async def withdraw_what_the_other_offered(room: Room) -> Seat:
    await begin(room)
    await offer_draw(room, room.ana)
    offered = private(room.ana)
    await room.ben.press("b:decline:", room.board)
    await room.shown()
    await offer_draw(room, room.ben)
    await room.ana.press("b:withdraw:", offered)
    return room.ana


async def take_back_past_dice(room: Room) -> Seat:
    live = await room.begin("backgammon", cube="off")  # without the cube, the opponent's dice fall at once
    who, (steps, _) = room.to_move(live), live.table.game.turns(live.table.state)[0]
    await room.type(live, live.table.game.format(live.table.state, steps))
    await room.shown()
    await who.slash("abak takeback")
    return who


async def take_back_nothing(room: Room) -> Seat:
    await begin(room)
    await room.ana.slash("abak takeback")
    return room.ana


def challenging(**options: str | int) -> Callable[[Room], Awaitable[Seat]]:
    async def act(room: Room) -> Seat:
        await room.ana.slash("abak challenge", opponent=room.ben, **options)
        return room.ana

    return act


def layouts() -> str:
    return ", ".join(next(option.choices for option in BACKGAMMON.options if option.key == "layout"))


# --- the clock -------------------------------------------------------------------------------------------------------


async def timed(room: Room, time: str = "1d/move") -> LiveGame:
    return await room.begin("apb", time=time)


def bot_and_clock(room: Room) -> tuple[AbakBot, Clock]:
    """Returns the room's bot, and its clock, which the test moves."""
    assert room.bot is not None
    clock = room.bot.services.now
    assert isinstance(clock, Clock)
    return room.bot, clock


async def from_more(room: Room, seat: Seat, verb: str) -> Json:
    """Presses the button of that verb in the More menu, and returns the answer."""
    await seat.press("b:more:", room.board)
    await seat.press(f"b:{verb}:", private(seat))
    return private(seat)


async def pause(room: Room, seat: Seat) -> None:
    await seat.press("b:offer_time:", await from_more(room, seat, "ask_pause"))
    await room.shown()
    other = room.ben if seat is room.ana else room.ana
    await other.press("b:accept:", room.board)
    await room.shown()


async def move_too_late(room: Room) -> Seat:
    await timed(room)
    await pass_unnoticed(*bot_and_clock(room), (DAY + LAG) / SECOND)
    await room.ana.slash("abak move play", notation="e4-d5 e3-e4")
    return room.ana


async def claim_ones_own_loss(room: Room) -> Seat:
    bot, clock = bot_and_clock(room)
    guild_id = room.server.world.guild_id
    await bot.service(PreferenceService).set_server(guild_id, "timeout_policy", "claim")
    await timed(room)
    await bot.service(PreferenceService).set_server(guild_id, "timeout_policy", "loss")
    await pass_time(bot, clock, (DAY + LAG) / SECOND)
    await room.ana.press("b:claim_win:", room.board)
    return room.ana


async def pause_twice(room: Room) -> Seat:
    await timed(room)
    await room.ana.press("b:more:", room.board)
    more = private(room.ana)
    await pause(room, room.ben)
    await room.ana.press("b:ask_pause:", more)
    return room.ana


async def resume_twice(room: Room) -> Seat:
    await timed(room)
    await pause(room, room.ana)
    await room.ben.press("b:resume:", room.board)
    await room.ben.press("b:resume_now:", private(room.ben))
    await room.shown()
    await room.ana.press("b:resume:", room.board)
    first = private(room.ana)
    await room.ana.press("b:resume:", room.board)
    await room.ana.press("b:resume_now:", first)
    await room.ana.press("b:resume_now:", private(room.ana))
    return room.ana


async def ask_to_resume_twice(room: Room) -> Seat:
    await timed(room)
    await pause(room, room.ana)
    await room.ben.press("b:resume:", room.board)
    await room.ben.press("b:resume_now:", private(room.ben))
    await room.shown()
    await room.ben.press("b:resume:", room.board)
    return room.ben


async def offer_the_clock_there_is(room: Room) -> Seat:
    await timed(room)
    menus = [await from_more(room, seat, "ask_adjourn") for seat in (room.ana, room.ben)]
    await room.ana.choose("3d/move", message=menus[0])
    await room.ana.press("b:offer_time:", room.ana.fresh(menus[0]))
    await room.shown()
    await room.ben.press("b:accept:", room.board)
    await room.shown()
    await room.ben.choose("3d/move", message=menus[1])
    return room.ben


ACTS: Final[Mapping[str, tuple[Callable[[Room], Awaitable[Seat]], Mapping[str, Param]]]] = {
    "table.over": (resign_after_the_end, {}),
    "table.not_your_turn": (move_out_of_turn, {}),
    "table.resign_points": (resign_for_what_is_no_longer_to_lose, {"points": 2, "allowed": "1"}),
    "table.offer_stands": (offer_twice, {}),
    "table.answer_first": (offer_instead_of_an_answer, {}),
    "table.own_offer": (answer_oneself, {}),
    "table.others_offer": (withdraw_what_the_other_offered, {}),
    "table.nothing_to_take_back": (take_back_nothing, {}),
    "table.dice_fell": (take_back_past_dice, {}),
    "option.choice": (
        challenging(game="backgammon", layout="mars"),
        {"option": "layout", "value": "mars", "choices": layouts()},
    ),
    "option.unknown": (
        challenging(game="abak", layout="mars"),
        {"option": "layout", "options": "cube, jacoby, beavers"},
    ),
    "match.points_or_games": (challenging(game="backgammon", points=5, games=3), {}),
    "clock.text": (challenging(game="apb", time="whenever"), {"text": "whenever"}),
    "clock.range": (
        challenging(game="apb", time="40d/move"),
        {"part": "per_turn", "least": Translated("~5s"), "most": Translated("~30d")},
    ),
    "table.time_up": (move_too_late, {}),
    "table.no_claim": (claim_ones_own_loss, {}),
    "table.paused": (pause_twice, {}),
    "table.not_paused": (resume_twice, {}),
    "table.resume_asked": (ask_to_resume_twice, {}),
    "table.same_clock": (offer_the_clock_there_is, {"clock": "3d/move"}),
}
"""For each key what a player does to be told so, and the parameters of the sentence."""
