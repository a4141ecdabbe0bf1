"""What can be done in a game by whoever is wanted: to move, to call, to answer an offer or to withdraw it."""

from collections.abc import Callable
from typing import Any

import discord

from bot.board.cube_actions import move_buttons
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame
from engine.core.game import Game
from engine.core.lesson import Topic
from engine.core.progress import Offer
from engine.core.timekeeping import DRAW, WIN


def acts(live: LiveGame, say: Language) -> list[discord.ui.Item[Any]]:
    """The buttons of a board in public: of whoever is wanted alone, be it for an answer or for a move."""
    if live.offer is None:
        return [*move_buttons(live, say, row=1)]
    moves = move_buttons(live, say, row=1) if live.seat_to_act == live.awaited_seat else []
    return [*answers(live, live.offer, say), *moves]


def buttons_for(live: LiveGame, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """The buttons of one user on a board in private: all that is theirs to do now; nothing when the game is over."""
    if live.is_over:
        return []
    items: list[discord.ui.Item[Any]] = []
    if live.offer is not None:
        items += answers(live, live.offer, say) if live.may_answer(user_id) else []
        items += [withdrawal(live, say)] if live.may_withdraw(user_id) else []
    if live.is_turn_of(user_id):
        items += move_buttons(live, say, row=1)
    return items


def answers(live: LiveGame, offer: Offer, say: Language) -> list[PressButton]:
    """To accept, which says what, and to decline."""
    what, seq = offer.what.partition(" ")[0], live.seq
    return [
        PressButton(Press("accept", live.id, seq), say(f"button.accept.{what}"), "good", row=0),
        PressButton(Press("decline", live.id, seq), say("button.decline"), row=0),
    ]


def own_offer(live: LiveGame, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """For whoever waits for an answer: to withdraw the offer, and to play on if it is their turn; else nothing."""
    return buttons_for(live, user_id, say) if live.may_withdraw(user_id) else []


def withdrawal(live: LiveGame, say: Language) -> PressButton:
    return PressButton(Press("withdraw", live.id, live.seq), say("button.withdraw"), row=0)


async def told_offered(answer: Answer, live: LiveGame, told: str) -> None:
    """Says that an offer is made, and offers what can be done before the answer comes."""
    waits = [told]
    if live.is_turn_of(answer.user_id):
        waits.append(answer.say("offer.your_turn"))
    await answer.update("\n".join(waits), view=view_of(*buttons_for(live, answer.user_id, answer.say)))


def clock_buttons(live: LiveGame, say: Language) -> list[discord.ui.Item[Any]]:
    """What a board offers because of its clock: to end a pause, or to claim where somebody's time is up."""
    if live.is_over:
        return []
    verbs = [("resume", "good")] if live.paused else []
    if live.overdue is not None and not live.paused:
        verbs = [(f"claim_{what}", "plain") for what in (WIN, DRAW)]
    return [PressButton(Press(verb, live.id, live.seq), say(f"button.{verb}"), style, row=0) for verb, style in verbs]


def rule_button(
    game: Game[Any, Any], topic: Topic, say: Language, *, titled: bool = False, row: int | None = None
) -> PressButton:
    """Leads from a refusal to its rule; ``titled``: under the topic's own title, as where no rule forbids anything."""
    label = say(f"{game.key}.topic.{topic.key}.title") if titled else say("button.rule")
    return PressButton(Press("rule", game.key, 0, topic.key), label, row=row)


class GameMenu:
    """What higher features offer a player in a game, beside the board's own buttons."""

    def __init__(self) -> None:
        self.providers: list[Callable[[LiveGame, int, Language], list[PressButton]]] = []
        """Each gives the buttons for a user; none where there is nothing to offer."""

    def buttons(self, live: LiveGame, user_id: int, say: Language) -> list[PressButton]:
        return [button for provide in self.providers for button in provide(live, user_id, say)]
