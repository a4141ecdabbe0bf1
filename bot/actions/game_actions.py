"""Actions that concern the game as a whole: resign, draw, takeback, and answers to offers."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import discord

from bot.actions import clock_actions
from bot.board import story
from bot.board.access import require_access
from bot.board.buttons import GameMenu, extra_verbs, own_offer_buttons, report_offer
from bot.board.match import score_line
from bot.board.message import counts_points, link
from bot.board.views import show_present
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.actions import Action, why_not
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.matches.service import MatchService
from engine.core.errors import Refused, RuleError, Translated
from engine.core.game import Seat
from engine.core.offers import DRAW
from engine.kits.cube import needed

handlers: Final = Handlers()

NO_OFFER: Final = "table.no_offer"
"""The refusal of an answer to an offer that is no longer open."""
IN_MORE: Final = {
    "flip": Action.FLIP,
    "sure_draw": Action.OFFER_DRAW,
    "sure_back": Action.TAKEBACK,
    "resign": Action.RESIGN,
}
"""Actions of the More menu, by verb. Those with a button on the board are left out."""


@handlers.on("resign")
async def ask_to_resign(answer: Answer, press: Press) -> None:
    await _from_menu(answer, press, confirm_resigning)


async def confirm_resigning(answer: Answer, live: LiveGame) -> None:
    """Asks for how many points to resign. Raises Refused for users who do not play, or if the game is over."""
    answer.service(GameService).check(live, answer.user_id, Action.RESIGN)
    seat, *_ = live.seats_of(answer.user_id)
    offered = resignations(live, seat)
    need = needed(live.table.options, 1 - seat)
    decides = need is not None and need <= offered[-1]
    items = [
        PressButton(
            Press("resign_for", live.id, live.seq, str(points)),
            resign_label(offered, points, answer.say, counts=counts_points(live), decides=decides),
            "danger",
        )
        for points in offered
    ]
    if live.record.header.match and not decides:
        whole = PressButton(
            Press("sure_resign_match", live.id, live.seq), answer.say("button.sure_resign_match"), row=1
        )
        items.append(whole)
    keep = PressButton(Press("keep", live.id, live.seq), answer.say("button.keep_playing"))
    # A new message, so that a second tap on Resign in the More menu does not hit a button that resigns.
    await answer.private(answer.say("resign.sure"), view=view_of(keep, *items))


def resignations(live: LiveGame, seat: Seat) -> list[int]:
    """Returns the points for which the player may resign, as far as they are worth offering.

    Only the highest is offered where a lower one makes no difference: where points do not count, in a single game
    against a machine, and beyond the points that the opponent needs to win the match.
    """
    *less, most = live.game.resign_values(live.state, seat)
    if not counts_points(live) or (live.has_machine and not live.record.header.match):
        return [most]
    need = needed(live.table.options, 1 - seat)
    return [*(points for points in less if need is None or points < need), most]


def resign_label(
    offered: Sequence[int], points: int, say: Language, *, counts: bool = True, decides: bool = False
) -> str:
    """Returns the label of the button to resign for so many points. If there is a choice, it names the kind of loss.

    ``counts``: points matter in this game. ``decides``: the most of them lose the match.
    """
    if not counts:
        return say("button.resign")
    if decides and points == offered[-1]:
        return say("button.resign_decides")
    if len(offered) == 1:
        return say("button.resign_for", n=points)
    label = say("button.resign_lose" if points == offered[-1] else "button.resign_offer", n=points)
    return say("button.resign_kind", kind=Translated(f"@resign.level.{points // offered[0]}"), label=label)


@handlers.on("sure_resign_match")
async def ask_to_resign_match(answer: Answer, press: Press) -> None:
    """Asks for confirmation before the whole match is resigned."""
    live = await answer.service(GameService).get(press.subject)
    answer.service(GameService).check(live, answer.user_id, Action.RESIGN)
    match = await answer.service(MatchService).of(live)
    if match is None:
        raise Refused("resign.no_match")
    sure = PressButton(Press("resign_match", live.id, live.seq), answer.say("button.resign_match"), "danger")
    keep = PressButton(Press("keep", live.id, live.seq), answer.say("button.keep_playing"))
    lines = [score_line(match, live, answer.say), answer.say("resign.sure_match")]
    await answer.update("\n".join(lines), view=view_of(keep, sure))


@handlers.on("resign_match")
async def resign_match(answer: Answer, press: Press) -> None:
    live = await answer.service(GameService).get(press.subject)
    if live.seats_of(answer.user_id) and not live.record.header.match:
        raise Refused("resign.no_match")
    await answer.service(GameService).resign_match(press.subject, answer.user_id)
    await answer.done()


@handlers.on("resign_for")
async def resign(answer: Answer, press: Press) -> None:
    """Resigns, or offers to resign where the opponent may decline."""
    live = await answer.service(GameService).resign(press.subject, answer.user_id, press.number)
    if not live.is_over:
        await report_offer(answer, live, answer.say("resign.offered"))
    else:
        await answer.done()


@handlers.on("more")
async def more(answer: Answer, press: Press) -> None:
    """Shows the More menu to players and spectators."""
    games = answer.service(GameService)
    live = await games.with_time_off(await games.get(press.subject), answer.user_id)
    await require_access(answer, live)
    lines = [answer.say("more"), *_why_no_draw(live, answer)]
    await answer.private("\n".join(lines), view=_menu(answer, live))


def _why_no_draw(live: LiveGame, answer: Answer) -> list[str]:
    """Returns the reason why a draw cannot be offered again yet; none if it can, or if that is plain to see."""
    refused = why_not(live, answer.user_id, Action.OFFER_DRAW, answer.now)
    if refused is None or refused.key not in {"table.declined", "table.withdrawn"}:
        return []
    return [f"-# {answer.say('button.sure_draw')}: {answer.say.error(refused)}"]


def _menu(answer: Answer, live: LiveGame) -> discord.ui.View:
    games, on_board = answer.service(GameService), extra_verbs(live)
    verbs = ["words", "replay", "record"]
    verbs += [
        verb for verb, action in IN_MORE.items() if verb not in on_board and games.may(live, answer.user_id, action)
    ]
    items = own_offer_buttons(live, answer.user_id, answer.say)
    items += [PressButton(Press(verb, live.id, live.seq), answer.say(f"button.{verb}")) for verb in verbs]
    items += answer.service(GameMenu).buttons(live, answer.user_id, answer.say)
    items += clock_actions.in_more(games, live, answer.user_id, answer.say)
    items.append(PressButton(Press("rule", live.game.key, 0), answer.say("button.rules")))
    return view_of(*items)


@handlers.on("sure_draw")
async def ask_for_draw(answer: Answer, press: Press) -> None:
    """Asks for confirmation after the draw button of the More menu."""
    await _from_menu(answer, press, confirm_draw)


@handlers.on("sure_back")
async def ask_for_takeback(answer: Answer, press: Press) -> None:
    """Asks for confirmation after the takeback button of the More menu."""
    await _from_menu(answer, press, confirm_takeback)


async def _from_menu(answer: Answer, press: Press, confirm: Callable[[Answer, LiveGame], Awaitable[None]]) -> None:
    """Asks for confirmation. If the game has ended meanwhile, shows the menu of a finished game instead."""
    live = await answer.service(GameService).get(press.subject)
    if live.is_over and answer.on_private and live.seats_of(answer.user_id):
        await answer.update(answer.say("table.over"), view=_menu(answer, live))
    else:
        await confirm(answer, live)


handlers.says("keep", "resign.kept")


async def confirm_draw(answer: Answer, live: LiveGame) -> None:
    """Asks before a draw is offered. Raises Refused."""
    answer.service(GameService).check(live, answer.user_id, Action.OFFER_DRAW)
    offer = PressButton(Press("draw", live.id, live.seq), answer.say("button.offer_draw"), "primary")
    keep = PressButton(Press("keep", live.id, live.seq), answer.say("button.keep_playing"))
    await answer.show(answer.say("draw.sure"), view=view_of(keep, offer), fresh=not answer.on_private)


async def confirm_takeback(answer: Answer, live: LiveGame) -> None:
    """Asks before a takeback is requested. Raises Refused."""
    answer.service(GameService).check(live, answer.user_id, Action.TAKEBACK)
    seat, *_ = live.seats_of(answer.user_id)
    ask = PressButton(Press("ask_back", live.id, live.seq), answer.say("button.ask_back"), "primary")
    keep = PressButton(Press("keep", live.id, live.seq), answer.say("button.keep_playing"))
    text = story.takeback_text(live, answer.say, "takeback.sure", seat, live.seq)
    await answer.show(text, view=view_of(keep, ask), fresh=not answer.on_private)


@handlers.on("ask_back")
async def ask_back(answer: Answer, press: Press) -> None:
    """Asks the opponent for a takeback of the last turn."""
    live = await answer.service(GameService).ask_back(press.subject, answer.user_id, seq=press.seq)
    await report_offer(answer, live, answer.say("takeback.asked"))


@handlers.on("draw")
async def offer_draw(answer: Answer, press: Press) -> None:
    live = await answer.service(GameService).offer(press.subject, answer.user_id, DRAW)
    await report_offer(answer, live, answer.say("draw.offered"))


@handlers.on("accept")
async def accept(answer: Answer, press: Press) -> None:
    await _reply(answer, press, accepting=True)


@handlers.on("decline")
async def decline(answer: Answer, press: Press) -> None:
    await _reply(answer, press, accepting=False)


@handlers.on("withdraw")
async def withdraw(answer: Answer, press: Press) -> None:
    """Withdraws the user's own offer, even if entries have been added since it was made."""
    try:
        await answer.service(GameService).withdraw(press.subject, answer.user_id)
    except RuleError as error:
        if error.key != NO_OFFER or not answer.on_private:
            raise
        # The offer is closed, so its button is useless now.
        await answer.update(answer.say.error(error), view=view_of())
        return
    await answer.done()


async def _reply(answer: Answer, press: Press, *, accepting: bool) -> None:
    live = await answer.service(GameService).get(press.subject, press.seq)
    if not live.seats_of(answer.user_id):
        raise Refused("table.not_a_player")
    if not live.still_stands(press.seq):
        await show_present(answer, live, answer.say("table.stale"))
        return
    await answer.service(GameService).answer(press.subject, answer.user_id, accept=accepting, seq=press.seq)
    if answer.interaction.channel_id == live.place.channel_id:
        await answer.done()  # the board shows the withdrawal
    else:
        await answer.private(answer.say("offer.answered", link=link(live)))
