"""Buttons that are about a game as a whole: flip, resign, offers and their answers."""

from typing import Final

from bot.actions import clock_actions
from bot.board import message as board
from bot.board import story
from bot.board.buttons import GameMenu, own_offer, told_offered
from bot.board.views import show_present
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.games.live import LiveGame
from bot.games.service import GameService, once
from engine.core.errors import Refused
from engine.core.offers import DRAW
from engine.core.takeback import TAKEBACK, require_takeback_index, takeback_index

handlers: Final = Handlers()


@handlers.on("resign")
async def ask_to_resign(answer: Answer, press: Press) -> None:
    """The Resign button: asks in private before anything is given up."""
    await confirm_resigning(answer, await answer.service(GameService).get(press.subject))


async def confirm_resigning(answer: Answer, live: LiveGame) -> None:
    """Asks what to resign for. Raises Refused for who does not play, or when the game is over."""
    seat, *_ = live.seats_playing(answer.user_id)
    allowed = live.table.game.resign_values(live.table.state, seat)
    items = [
        PressButton(
            Press("resign_for", live.id, live.table.seq, str(points)),
            answer.say("button.resign_for" if points == allowed[-1] else "button.resign_offer", n=points),
            "danger",
        )
        for points in allowed
    ]
    keep = PressButton(Press("keep", live.id, live.table.seq), answer.say("button.keep_playing"))
    await answer.private(answer.say("resign.sure"), view=view_of(keep, *items))


@handlers.on("resign_for")
async def resign(answer: Answer, press: Press) -> None:
    """Resigns, or offers to where the opponent may refuse."""
    live = await answer.service(GameService).resign(press.subject, answer.user_id, int(press.rest))
    if live.table.outcome is None:
        await told_offered(answer, live, answer.say("resign.offered"))
    else:
        await answer.update(answer.say("resign.done"))


@handlers.on("more")
async def more(answer: Answer, press: Press) -> None:
    """What else can be done with a game, for players and for who looks on."""
    games = answer.service(GameService)
    live = await games.informed(await games.get(press.subject), answer.user_id)
    seq, key = live.table.seq, live.table.game.key
    plays = bool(live.seats_of(answer.user_id)) and live.table.outcome is None
    verbs = ["words", "replay", "record"]
    if live.table.outcome is None and "flip" not in board.around_a_board(live):
        verbs += ["flip"]
    if plays and live.table.offer is None:
        verbs += ["sure_draw"]
        verbs += ["sure_back"] if can_ask_back(live, answer.user_id) else []
    if plays and "resign" not in board.around_a_board(live):
        verbs += ["resign"]
    items = own_offer(live, answer.user_id, answer.say)
    items += [PressButton(Press(verb, live.id, seq), answer.say(f"button.{verb}")) for verb in verbs]
    items += answer.service(GameMenu).buttons(live, answer.user_id, answer.say)
    items += clock_actions.in_more(live, answer.user_id, answer.now, answer.say)
    items.append(PressButton(Press("rule", key, 0), answer.say("button.rules")))
    await answer.private(answer.say("more"), view=view_of(*items))


def can_ask_back(live: LiveGame, user_id: int) -> bool:
    """Whether the player has a last turn that could be taken back, and no offer stands that comes first."""
    table = live.table
    return table.offer is None and any(
        takeback_index(table.effective_entries, seat) is not None for seat in live.seats_of(user_id)
    )


@handlers.on("sure_draw")
async def ask_for_draw(answer: Answer, press: Press) -> None:
    """The way to a draw from the More button."""
    await confirm_draw(answer, await answer.service(GameService).get(press.subject))


@handlers.on("sure_back")
async def ask_for_takeback(answer: Answer, press: Press) -> None:
    """The way to a takeback from the More button."""
    await confirm_takeback(answer, await answer.service(GameService).get(press.subject))


handlers.says("keep", "resign.kept")


async def confirm_draw(answer: Answer, live: LiveGame) -> None:
    """Asks before a draw is offered. Raises Refused."""
    seat, *_ = live.seats_playing(answer.user_id)
    once(live.table, seat, DRAW)
    offer = PressButton(Press("draw", live.id, live.table.seq), answer.say("button.offer_draw"), "primary")
    keep = PressButton(Press("keep", live.id, live.table.seq), answer.say("button.keep_playing"))
    await answer.private(answer.say("draw.sure"), view=view_of(keep, offer))


async def confirm_takeback(answer: Answer, live: LiveGame) -> None:
    """Asks before a takeback is asked for. Raises Refused."""
    seat, *_ = live.seats_playing(answer.user_id)
    require_takeback_index(live.table.effective_entries, seat)
    once(live.table, seat, TAKEBACK)
    ask = PressButton(Press("ask_back", live.id, live.table.seq), answer.say("button.ask_back"), "primary")
    keep = PressButton(Press("keep", live.id, live.table.seq), answer.say("button.keep_playing"))
    told = story.taken_back(live, answer.say, "takeback.sure", seat, live.seq)
    await answer.private(told, view=view_of(keep, ask))


@handlers.on("ask_back")
async def ask_back(answer: Answer, press: Press) -> None:
    """Asks the opponent to let the last turn be taken back."""
    live = await answer.service(GameService).ask_back(press.subject, answer.user_id, seq=press.seq)
    await told_offered(answer, live, answer.say("takeback.asked"))


@handlers.on("draw")
async def offer_draw(answer: Answer, press: Press) -> None:
    """Offers a draw."""
    live = await answer.service(GameService).offer(press.subject, answer.user_id, DRAW)
    await told_offered(answer, live, answer.say("draw.offered"))


@handlers.on("accept")
async def accept(answer: Answer, press: Press) -> None:
    """Accepts the offer that stands."""
    await _reply(answer, press, accepting=True)


@handlers.on("decline")
async def decline(answer: Answer, press: Press) -> None:
    """Declines the offer that stands."""
    await _reply(answer, press, accepting=False)


@handlers.on("withdraw")
async def withdraw(answer: Answer, press: Press) -> None:
    """Takes back the presser's own offer, whatever has been noted since."""
    await answer.service(GameService).withdraw(press.subject, answer.user_id)
    await answer.update(answer.say("offer.withdrawn"))


async def _reply(answer: Answer, press: Press, *, accepting: bool) -> None:
    live = await answer.service(GameService).get(press.subject)
    if not live.seats_of(answer.user_id):
        raise Refused("table.not_a_player")
    if live.table.seq != press.seq:
        await show_present(answer, live, answer.say("table.stale"))
        return
    await answer.service(GameService).answer(press.subject, answer.user_id, accept=accepting, seq=press.seq)
    await answer.private(answer.say("offer.accepted" if accepting else "offer.declined"))
