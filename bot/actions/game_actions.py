"""Buttons that are about a game as a whole: flip, resign, offers and their answers."""

from typing import Any

from bot.actions import clock_actions
from bot.board import message as board
from bot.board import pictures
from bot.board.buttons import own_offer, told_offered
from bot.clocks import words as clock_words
from bot.conditional.buttons import ways_ahead
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, on_press, only_says, view_of
from bot.games.service import Seated, once
from bot.learn.rules import SUMMARY
from bot.moves.picker import show_present
from engine.core.errors import Refused
from engine.core.offers import DRAW
from engine.core.takeback import TAKEBACK, standing, takeable


@on_press("flip")
async def flip(client: Any, answer: Answer, press: Press) -> None:
    """The present board from the other side, privately; flipping again turns it back."""
    seated = await client.services.tables.get(press.subject)
    reader = await client.services.preferences.of_user(board.reader_of(seated))
    below = 1 - (int(press.rest) if press.rest else board.public_below(seated, reader["below"]))
    left = clock_words.frame(seated, answer.say, client.services.now() - seated.table.record.header.started)
    names = await answer.names(seated.players)
    happened = " ".join(board.latest(seated, answer.say))
    file = await pictures.board(seated.table, below, answer.say, answer.theme, names, happened, left)
    again = PressButton(Press("flip", seated.id, press.seq, str(below)), answer.say("button.flip"))
    if press.rest:
        await answer.update(board.status(seated, answer.say), files=[file], view=view_of(again))
    else:
        await answer.private(board.status(seated, answer.say), files=[file], view=view_of(again))


@on_press("resign")
async def ask_to_resign(client: Any, answer: Answer, press: Press) -> None:
    """The Resign button: asks in private before anything is given up."""
    await confirm_resigning(answer, await client.services.tables.get(press.subject))


async def confirm_resigning(answer: Answer, seated: Seated) -> None:
    """Asks what to resign for. Raises Refused for who does not play, or when the game is over."""
    seat, *_ = seated.seats_playing(answer.user_id)
    allowed = seated.table.game.resign_values(seated.table.state, seat)
    items = [
        PressButton(
            Press("resign_for", seated.id, seated.table.seq, str(points)),
            answer.say("button.resign_for" if points == allowed[-1] else "button.resign_offer", n=points),
            "danger",
        )
        for points in allowed
    ]
    keep = PressButton(Press("keep", seated.id, seated.table.seq), answer.say("button.keep_playing"))
    await answer.private(answer.say("resign.sure"), view=view_of(keep, *items))


@on_press("resign_for")
async def resign(client: Any, answer: Answer, press: Press) -> None:
    """Resigns, or offers to where the opponent may refuse."""
    seated = await client.services.tables.resign(press.subject, answer.user_id, int(press.rest))
    if seated.table.outcome is None:
        await told_offered(answer, seated, answer.say("resign.offered"))
    else:
        await answer.update(answer.say("resign.done"))


@on_press("more")
async def more(client: Any, answer: Answer, press: Press) -> None:
    """What else can be done with a game, for players and for who looks on."""
    seated = await clock_actions.informed(client, await client.services.tables.get(press.subject), answer.user_id)
    seq, key = seated.table.seq, seated.table.game.key
    plays = bool(seated.seats_of(answer.user_id)) and seated.table.outcome is None
    verbs = ["words", "replay", "record"]
    if seated.table.outcome is None and "flip" not in board.around_a_board(seated):
        verbs += ["flip"]
    if plays and seated.table.offer is None:
        verbs += ["sure_draw"]
        verbs += ["sure_back"] if can_ask_back(seated, answer.user_id) else []
    if plays and "resign" not in board.around_a_board(seated):
        verbs += ["resign"]
    items = own_offer(seated, answer.user_id, answer.say)
    items += [PressButton(Press(verb, seated.id, seq), answer.say(f"button.{verb}")) for verb in verbs]
    items += ways_ahead(seated, answer.user_id, answer.say)
    items += clock_actions.in_more(seated, answer.user_id, client.services.now(), answer.say)
    items.append(PressButton(Press("rule", key, 0, SUMMARY), answer.say("button.rules")))
    await answer.private(answer.say("more"), view=view_of(*items))


def can_ask_back(seated: Seated, user_id: int) -> bool:
    """Whether the player has a last turn that could be taken back, and no offer stands that comes first."""
    table = seated.table
    return table.offer is None and any(standing(table.line, seat) is not None for seat in seated.seats_of(user_id))


@on_press("words")
async def in_words(client: Any, answer: Answer, press: Press) -> None:
    """The board as text."""
    seated = await client.services.tables.get(press.subject)
    below = board.side_below(seated, answer.user_id, answer.prefs["below"])
    await board.show(answer, seated, below, words=True)


@on_press("sure_draw")
async def ask_for_draw(client: Any, answer: Answer, press: Press) -> None:
    """The way to a draw from the More button."""
    await confirm_draw(answer, await client.services.tables.get(press.subject))


@on_press("sure_back")
async def ask_for_takeback(client: Any, answer: Answer, press: Press) -> None:
    """The way to a takeback from the More button."""
    await confirm_takeback(answer, await client.services.tables.get(press.subject))


only_says("resign.kept", "keep")


async def confirm_draw(answer: Answer, seated: Seated) -> None:
    """Asks before a draw is offered. Raises Refused."""
    seat, *_ = seated.seats_playing(answer.user_id)
    once(seated.table, seat, DRAW)
    offer = PressButton(Press("draw", seated.id, seated.table.seq), answer.say("button.offer_draw"), "primary")
    keep = PressButton(Press("keep", seated.id, seated.table.seq), answer.say("button.keep_playing"))
    await answer.private(answer.say("draw.sure"), view=view_of(keep, offer))


async def confirm_takeback(answer: Answer, seated: Seated) -> None:
    """Asks before a takeback is asked for. Raises Refused."""
    seat, *_ = seated.seats_playing(answer.user_id)
    takeable(seated.table.line, seat)
    once(seated.table, seat, TAKEBACK)
    ask = PressButton(Press("ask_back", seated.id, seated.table.seq), answer.say("button.ask_back"), "primary")
    keep = PressButton(Press("keep", seated.id, seated.table.seq), answer.say("button.keep_playing"))
    told = board.taken_back(seated, answer.say, "takeback.sure", seat, seated.seq)
    await answer.private(told, view=view_of(keep, ask))


@on_press("ask_back")
async def ask_back(client: Any, answer: Answer, press: Press) -> None:
    """Asks the opponent to let the last turn be taken back."""
    seated = await client.services.tables.ask_back(press.subject, answer.user_id, seq=press.seq)
    await told_offered(answer, seated, answer.say("takeback.asked"))


@on_press("draw")
async def offer_draw(client: Any, answer: Answer, press: Press) -> None:
    """Offers a draw."""
    seated = await client.services.tables.offer(press.subject, answer.user_id, DRAW)
    await told_offered(answer, seated, answer.say("draw.offered"))


@on_press("accept")
async def accept(client: Any, answer: Answer, press: Press) -> None:
    """Accepts the offer that stands."""
    await _reply(client, answer, press, accepting=True)


@on_press("decline")
async def decline(client: Any, answer: Answer, press: Press) -> None:
    """Declines the offer that stands."""
    await _reply(client, answer, press, accepting=False)


@on_press("withdraw")
async def withdraw(client: Any, answer: Answer, press: Press) -> None:
    """Takes back the presser's own offer, whatever has been noted since."""
    await client.services.tables.withdraw(press.subject, answer.user_id)
    await answer.update(answer.say("offer.withdrawn"))


async def _reply(client: Any, answer: Answer, press: Press, *, accepting: bool) -> None:
    seated = await client.services.tables.get(press.subject)
    if not seated.seats_of(answer.user_id):
        raise Refused("table.not_a_player")
    if seated.table.seq != press.seq:
        await show_present(answer, seated, answer.say("table.stale"))
        return
    await client.services.tables.answer(press.subject, answer.user_id, accept=accepting, seq=press.seq)
    await answer.private(answer.say("offer.accepted" if accepting else "offer.declined"))
