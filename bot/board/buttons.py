"""What can be done in a game by whoever is wanted: to move, to call, to answer an offer or to withdraw it."""

from typing import Any

import discord

from bot.board.cube_actions import ways_to_act
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, view_of
from bot.core.translations import Language
from bot.games.service import Seated
from engine.core.progress import Offer


def acts(seated: Seated, say: Language) -> list[discord.ui.Item[Any]]:
    """The buttons of a board in public: of whoever is wanted alone, be it for an answer or for a move."""
    offer = seated.table.offer
    if offer is None:
        return [*ways_to_act(seated, say, row=1)]
    moves = ways_to_act(seated, say, row=1) if seated.table.to_act != offer.seat else []
    return [*answers(seated, offer, say), *moves]


def ways_of(seated: Seated, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """The buttons of one user on a board in private: all that is theirs to do now; nothing when the game is over."""
    table, seats = seated.table, seated.seats_of(user_id)
    if table.outcome is not None:
        return []
    items: list[discord.ui.Item[Any]] = []
    if table.offer is not None:
        items += answers(seated, table.offer, say) if 1 - table.offer.seat in seats else []
        items += [withdrawal(seated, say)] if table.offer.seat in seats else []
    if table.to_act in seats:
        items += ways_to_act(seated, say, row=1)
    return items


def answers(seated: Seated, offer: Offer, say: Language) -> list[PressButton]:
    """To accept, which says what, and to decline."""
    what, seq = offer.what.partition(" ")[0], seated.table.seq
    return [
        PressButton(Press("accept", seated.id, seq), say(f"button.accept.{what}"), "good", row=0),
        PressButton(Press("decline", seated.id, seq), say("button.decline"), row=0),
    ]


def own_offer(seated: Seated, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """For whoever waits for an answer: to withdraw the offer, and to play on if it is their turn; else nothing."""
    table, seats = seated.table, seated.seats_of(user_id)
    return ways_of(seated, user_id, say) if table.offer is not None and table.offer.seat in seats else []


def withdrawal(seated: Seated, say: Language) -> PressButton:
    return PressButton(Press("withdraw", seated.id, seated.table.seq), say("button.withdraw"), row=0)


async def told_offered(answer: Answer, seated: Seated, told: str) -> None:
    """Says that an offer is made, and offers what can be done before the answer comes."""
    waits = [told]
    if seated.table.to_act in seated.seats_of(answer.user_id):
        waits.append(answer.say("offer.your_turn"))
    await answer.update("\n".join(waits), view=view_of(*ways_of(seated, answer.user_id, answer.say)))
