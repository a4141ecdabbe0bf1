"""Buttons that are about a game's clock: a pause, another clock, going on, and the claim of who waits too long."""

from collections.abc import Iterator
from typing import Any

import discord

from bot.board.buttons import told_offered
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, PressMenu, on_press, only_says, view_of
from bot.core.translations import Language
from bot.games.service import Seated
from engine.core.errors import Refused
from engine.core.offers import ADJOURN, PAUSE
from engine.core.timekeeping import CLAIM, DRAW, WIN

CLAIMS = (WIN, DRAW)


def on_board(seated: Seated, say: Language) -> list[discord.ui.Item[Any]]:
    """What a board offers because of its clock: to end a pause, or to claim where somebody's time is up."""
    table = seated.table
    if table.outcome is not None:
        return []
    verbs = [("resume", "good")] if table.paused else []
    if table.overdue is not None and not table.paused:
        verbs = [(f"claim_{what}", "plain") for what in CLAIMS]
    return [
        PressButton(Press(verb, seated.id, table.seq), say(f"button.{verb}"), style, row=0) for verb, style in verbs
    ]


def in_more(seated: Seated, user_id: int, now: int, say: Language) -> Iterator[PressButton]:
    """What a player may ask for because of the clock; ``now`` is in ms since 1970."""
    table, seats = seated.table, seated.seats_of(user_id)
    if table.outcome is not None or not seats:
        return
    verbs = ["ask_adjourn"] if table.clock is not None else []
    if table.clock is not None and not table.paused:
        verbs.insert(0, "ask_pause")
    if may_claim(seated, user_id, now):
        verbs += [f"claim_{what}" for what in CLAIMS]
    for verb in verbs:
        yield PressButton(Press(verb, seated.id, table.seq), say(f"button.{verb}"))


def may_claim(seated: Seated, user_id: int, now: int) -> bool:
    """Whether the player may end the game, by what its record knows of the other's time off."""
    return any(seated.table.may_claim(seat, _elapsed(seated, now)) for seat in seated.seats_of(user_id))


async def informed(client: Any, seated: Seated, user_id: int) -> Seated:
    """The game; where its record would let the player end it, with all of the other's time off, which may forbid it."""
    services = client.services
    return await services.tables.tick(seated.id) if may_claim(seated, user_id, services.now()) else seated


def _elapsed(seated: Seated, now: int) -> int:
    return max(now - seated.table.record.header.started, clock_words.present(seated))


def _two(answer: Answer, press: Press, safe: tuple[str, str], act: tuple[str, str, str], style: str) -> Any:
    """The safe choice, and the other: a verb and its label each; the other with what its Press carries."""
    verb, label, rest = act
    return view_of(
        PressButton(Press(safe[0], press.subject, press.seq), answer.say(safe[1])),
        PressButton(Press(verb, press.subject, press.seq, rest), answer.say(label), style),
    )


# --- a pause, another clock ----------------------------------------------------------------------------------------


@on_press("ask_pause")
async def ask_for_pause(client: Any, answer: Answer, press: Press) -> None:
    """Asks before a pause is offered."""
    seated = await client.services.tables.get(press.subject)
    seats = seated.seats_playing(answer.user_id)
    seated.table.make_offer(seats[0], PAUSE, _elapsed(seated, client.services.now()))  # what speaks against it, now
    keep = ("keep", "button.keep_playing")
    view = _two(answer, press, keep, ("offer_time", "button.offer_pause", PAUSE), "primary")
    await answer.private(answer.say("timing.pause_sure"), view=view)


@on_press("ask_adjourn")
async def ask_for_clock(client: Any, answer: Answer, press: Press) -> None:
    """Shows the clocks that may be offered instead of the present one."""
    seated = await client.services.tables.get(press.subject)
    seated.seats_playing(answer.user_id)
    if seated.table.clock is None:
        raise Refused("table.no_clock")
    say, now = answer.say, str(seated.table.clock.spec)
    server = await client.services.preferences.of_server(seated.place.guild_id)
    options = [
        discord.SelectOption(label=clock_words.control(preset, say)[:100], value=preset)
        for preset in typed_time.PRESETS
        if preset not in {"", now} and time_limits.allows(server, preset)
    ]
    menu = PressMenu(Press("adjourn_to", press.subject, press.seq), say("timing.adjourn_menu"), options)
    await answer.private(say("timing.adjourn_choose", now=clock_words.control(now, say)), view=view_of(menu))


@on_press("adjourn_to")
async def confirm_clock(client: Any, answer: Answer, press: Press) -> None:
    """Asks before another clock is offered."""
    seated = await client.services.tables.get(press.subject)
    seats, spec = seated.seats_playing(answer.user_id), press.values[0]
    what = f"{ADJOURN} {spec}"
    seated.table.make_offer(seats[0], what, _elapsed(seated, client.services.now()))  # what speaks against it, now
    say = answer.say
    now = clock_words.control(str(seated.table.clock.spec), say)
    text = say("timing.adjourn_sure", now=now, then=clock_words.control(spec, say))
    keep = ("keep", "button.keep_playing")
    await answer.update(text, view=_two(answer, press, keep, ("offer_time", "button.offer_adjourn", what), "primary"))


@on_press("offer_time")
async def offer(client: Any, answer: Answer, press: Press) -> None:
    """Offers a pause, or another clock."""
    what, _, spec = press.rest.partition(" ")
    if what not in {PAUSE, ADJOURN}:
        raise Refused("table.stale")
    if what == ADJOURN:
        seated = await client.services.tables.get(press.subject)
        time_limits.allowed(await client.services.preferences.of_server(seated.place.guild_id), spec)
    seated = await client.services.tables.offer(press.subject, answer.user_id, press.rest, seq=press.seq)
    then = {"then": clock_words.control(spec, answer.say)} if spec else {}
    await told_offered(answer, seated, answer.say(f"timing.{what}_offered", **then))


@on_press("resume")
async def ask_to_resume(client: Any, answer: Answer, press: Press) -> None:
    """Asks before the clock runs again."""
    seated = await client.services.tables.get(press.subject)
    seated.seats_playing(answer.user_id)
    if not seated.table.paused:
        raise Refused("table.not_paused")
    stay = ("stay_paused", "button.stay_paused")
    view = _two(answer, press, stay, ("resume_now", "button.resume_now", ""), "good")
    await answer.private(answer.say("timing.resume_sure", player=f"<@{seated.to_act}>"), view=view)


only_says("timing.resume_kept", "stay_paused")


@on_press("resume_now")
async def resume(client: Any, answer: Answer, press: Press) -> None:
    """Ends the pause."""
    await client.services.tables.resume(press.subject, answer.user_id)
    await answer.update(answer.say("timing.resumed"))


# --- the claim -----------------------------------------------------------------------------------------------------


@on_press("claim_win")
async def ask_to_win(client: Any, answer: Answer, press: Press) -> None:
    """Asks before the game is claimed."""
    await _confirm_claim(client, answer, press, WIN)


@on_press("claim_draw")
async def ask_to_draw(client: Any, answer: Answer, press: Press) -> None:
    """Asks before a draw is called."""
    await _confirm_claim(client, answer, press, DRAW)


async def _confirm_claim(client: Any, answer: Answer, press: Press, what: str) -> None:
    """Says how the game would end. Raises Refused."""
    tables = client.services.tables
    (await tables.get(press.subject)).seats_playing(answer.user_id)
    seated = await tables.tick(press.subject)  # with all absence that does not count
    seats = seated.seats_playing(answer.user_id)
    at = _elapsed(seated, client.services.now())
    seat = next((seat for seat in seats if seated.table.may_claim(seat, at)), seats[0])
    outcome = seated.table.claim(seat, what, at).outcome
    aborted = outcome.reason == "end.aborted"
    text = answer.say(f"timing.claim_sure_{'aborted' if aborted else what}", n=max(outcome.points))
    wait = ("wait_on", "button.wait_on")
    act = (CLAIM, f"button.claim_now_{what}", what)
    await answer.private(text, view=_two(answer, press, wait, act, "danger"))


only_says("timing.waiting", "wait_on")


@on_press(CLAIM)
async def claim(client: Any, answer: Answer, press: Press) -> None:
    """Ends the game, as the one who waits has chosen."""
    await client.services.tables.claim(press.subject, answer.user_id, press.rest, seq=press.seq)
    await answer.update(answer.say("timing.claimed"))
