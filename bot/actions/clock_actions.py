"""Clock actions: a pause, another time control, resuming, giving time, and claiming the game of an absent opponent."""

from collections.abc import Iterator
from typing import Any, Final

import discord

from bot.board.buttons import report_offer
from bot.board.message import counts_points
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import InvalidPress, Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.actions import Action
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.matches.tournament_names import TournamentNames
from bot.players.mentions import mention
from bot.players.service import PreferenceService
from engine.core.offers import ADJOURN, PAUSE
from engine.core.timekeeping import CLAIM, DRAW, WIN, gift

handlers: Final = Handlers()

IN_MORE: Final = {
    "ask_pause": Action.PAUSE,
    "ask_adjourn": Action.CHANGE_CLOCK,
    f"claim_{WIN}": Action.CLAIM,
    f"claim_{DRAW}": Action.CLAIM,
}
"""Clock actions in the More menu, by verb."""
GIVE: Final = "give_time"


def in_more(games: GameService, live: LiveGame, user_id: int, say: Language) -> Iterator[PressButton]:
    for verb, action in IN_MORE.items():
        if games.may(live, user_id, action):
            yield PressButton(Press(verb, live.id, live.seq), say(f"button.{verb}"))
    if games.may(live, user_id, Action.GIVE_TIME):
        yield _give_button(live, say)


def _give_button(live: LiveGame, say: Language) -> PressButton:
    """Returns the button to give the opponent time, which names how much."""
    return PressButton(Press(GIVE, live.id, live.seq), say("button.give_time", time=_gift(live, say)))


def _gift(live: LiveGame, say: Language) -> str:
    return "" if live.clock is None else clock_words.length(gift(live.clock.spec), say)


def _two_buttons(answer: Answer, press: Press, safe: tuple[str, str], act: tuple[str, str, str], style: str) -> Any:
    """Returns a view with two buttons: ``safe`` (verb, label key), then ``act`` (verb, label key, rest of
    its Press).
    """
    verb, label, rest = act
    return view_of(
        PressButton(Press(safe[0], press.subject, press.seq), answer.say(safe[1])),
        PressButton(Press(verb, press.subject, press.seq, rest), answer.say(label), style),
    )


# --- a pause, another clock ----------------------------------------------------------------------------------------


@handlers.on("ask_pause")
async def ask_for_pause(answer: Answer, press: Press) -> None:
    games = answer.service(GameService)
    games.check(await games.get(press.subject), answer.user_id, Action.PAUSE)
    keep = ("keep", "button.keep_playing")
    view = _two_buttons(answer, press, keep, ("offer_time", "button.offer_pause", PAUSE), "primary")
    await answer.private(answer.say("clock_action.pause_sure"), view=view)


@handlers.on("ask_adjourn")
async def ask_for_clock(answer: Answer, press: Press) -> None:
    """Shows the time controls that can be offered in place of the present one."""
    games = answer.service(GameService)
    live = await games.get(press.subject)
    games.check(live, answer.user_id, Action.CHANGE_CLOCK)
    say, now = answer.say, control_of(live)
    server = await answer.service(PreferenceService).of_server(live.place.guild_id)
    options = [
        discord.SelectOption(label=clock_words.control(preset, say), value=preset)
        for preset in typed_time.PRESETS
        if preset not in {"", now} and time_limits.allows(server, preset)
    ]
    menu = PressMenu(Press("adjourn_to", press.subject, press.seq), say("clock_action.adjourn_menu"), options)
    await answer.private(say("clock_action.adjourn_choose", now=clock_words.control(now, say)), view=view_of(menu))


@handlers.on("adjourn_to")
async def confirm_clock(answer: Answer, press: Press) -> None:
    games, say, spec = answer.service(GameService), answer.say, press.value
    live = await games.get(press.subject)
    games.check(live, answer.user_id, Action.CHANGE_CLOCK, spec)
    now, then = clock_words.control(control_of(live), say), clock_words.control(spec, say)
    keep, act = ("keep", "button.keep_playing"), ("offer_time", "button.offer_adjourn", f"{ADJOURN} {spec}")
    await answer.update(
        say("clock_action.adjourn_sure", now=now, then=then), view=_two_buttons(answer, press, keep, act, "primary")
    )


def control_of(live: LiveGame) -> str:
    return "" if live.clock is None else str(live.clock.spec)


@handlers.on("offer_time")
async def offer(answer: Answer, press: Press) -> None:
    """Offers a pause, or another time control. Raises Refused."""
    what, _, spec = press.rest.partition(" ")
    if what not in {PAUSE, ADJOURN} or bool(spec) != (what == ADJOURN):
        raise InvalidPress
    if what == ADJOURN:
        live = await answer.service(GameService).get(press.subject)
        time_limits.check_limit(await answer.service(PreferenceService).of_server(live.place.guild_id), spec)
    live = await answer.service(GameService).offer(press.subject, answer.user_id, press.rest, seq=press.seq)
    then = {"then": clock_words.control(spec, answer.say)} if spec else {}
    await report_offer(answer, live, answer.say(f"clock_action.{what}_offered", **then))


@handlers.on("resume")
async def ask_to_resume(answer: Answer, press: Press) -> None:
    """Asks for confirmation before the player asks to end the pause, or agrees to it."""
    games = answer.service(GameService)
    live = await games.get(press.subject)
    games.check(live, answer.user_id, Action.RESUME)
    stay, agrees = ("stay_paused", "button.stay_paused"), live.resuming is not None
    act = ("resume_now", "button.resume_now" if agrees else "button.resume_ask", "")
    key = "clock_action.resume_sure" if agrees else "clock_action.resume_ask_sure"
    text = answer.say(key, player=mention(live.to_act or 0, answer.say))
    await answer.private(text, view=_two_buttons(answer, press, stay, act, "good"))


handlers.says("stay_paused", "clock_action.resume_kept")


@handlers.on("resume_now")
async def resume(answer: Answer, press: Press) -> None:
    """Asks to end the pause, or ends it if the opponent has asked."""
    live = await answer.service(GameService).resume(press.subject, answer.user_id)
    if live.resuming is None:
        await answer.update(answer.say("clock_action.resumed"))
        return
    begins = clock_words.stamp(live.started + live.resuming.at, "R")
    await answer.update(answer.say("clock_action.resume_asked", relative=begins))


# --- giving time -----------------------------------------------------------------------------------------------------


@handlers.on(GIVE)
async def give_time(answer: Answer, press: Press) -> None:
    """Gives the opponent time. The answer has the same button, so that more can be given."""
    games = answer.service(GameService)
    live = await games.give_time(press.subject, answer.user_id, press.seq)
    may = games.may(live, answer.user_id, Action.GIVE_TIME)
    again = view_of(_give_button(live, answer.say)) if may else None
    await answer.update(answer.say("clock_action.time_given", time=_gift(live, answer.say)), view=again)


# --- the claim -----------------------------------------------------------------------------------------------------


@handlers.on("claim_win")
async def ask_to_win(answer: Answer, press: Press) -> None:
    await _confirm_claim(answer, press, WIN)


@handlers.on("claim_draw")
async def ask_to_draw(answer: Answer, press: Press) -> None:
    await _confirm_claim(answer, press, DRAW)


async def _confirm_claim(answer: Answer, press: Press, what: str) -> None:
    """Asks before a claim, and says how the game would end. Raises Refused."""
    games = answer.service(GameService)
    (await games.get(press.subject)).seats_playing(answer.user_id)
    live = await games.tick(press.subject)  # all time off is recorded first
    games.check(live, answer.user_id, Action.CLAIM)
    outcome = live.outcome_of_claim(answer.user_id, what, answer.now)
    aborted = outcome.reason == "end.aborted"
    kind = "aborted" if aborted else "points" if what == WIN and counts_points(live) else what
    name = await answer.service(TournamentNames).of(live) if aborted else ""
    if name:
        text = answer.say("clock_action.claim_sure_walkover", name=name)
    else:
        text = answer.say(f"clock_action.claim_sure_{kind}", n=max(outcome.points))
    wait = ("wait_on", "button.wait_on")
    act = (CLAIM, f"button.claim_now_{what}", what)
    await answer.private(text, view=_two_buttons(answer, press, wait, act, "danger"))


handlers.says("wait_on", "clock_action.waiting")


@handlers.on(CLAIM)
async def claim(answer: Answer, press: Press) -> None:
    """Ends the game by the claim that the player has confirmed."""
    if press.rest not in {WIN, DRAW}:
        raise InvalidPress
    await answer.service(GameService).claim(press.subject, answer.user_id, press.rest, seq=press.seq)
    await answer.update(answer.say("clock_action.claimed"))
