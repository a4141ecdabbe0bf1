"""The buttons of a game: moves, cube actions, offers and their answers, the clock."""

from collections.abc import Callable
from typing import Any, Final

import discord

from bot.board.cube_actions import cube_actions, move_buttons
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.players.machines import is_machine
from engine.core.game import Game
from engine.core.lesson import Topic
from engine.core.progress import Offer
from engine.core.timekeeping import DRAW, WIN
from engine.kits.cube import CubeAction
from render import registry

EXTRA_VERBS: Final = ("flip", "more")
"""The buttons of a running game's public board besides the action buttons."""


def board_buttons(
    live: LiveGame, say: Language, rematch: str = "", *, again: bool = True, flips: bool = True
) -> list[discord.ui.Item[Any]]:
    """Returns the buttons of the public board. A finished game keeps Replay and Flip.

    ``rematch`` is the address of the rematch; a link to it replaces the Rematch button. ``again``: whether there is a
    Rematch button; there is none while the match goes on. ``flips``: whether the message shows a board.
    """
    seq = live.seq

    def button(verb: str, style: str = "plain", rest: str = "", row: int = 0) -> PressButton:
        return PressButton(Press(verb, live.id, seq, rest), say(f"button.{verb}"), style, row=row)

    if live.is_over:
        offered: discord.ui.Item[Any] = button("rematch", "good")
        if rematch:
            offered = discord.ui.Button(label=say("button.to_rematch"), url=rematch)
        return [*([offered] if again else []), button("replay"), *([button("flip")] if flips else [])]
    extra_buttons = [button(verb, row=1) for verb in extra_verbs(live)]
    if "flip" in extra_verbs(live):  # otherwise the row may be full of answers
        extra_buttons += legend_button(live.game, say)
    return [*action_buttons(live, say), *clock_buttons(live, say), *extra_buttons]


def legend_button(game: Game[Any, Any], say: Language) -> list[PressButton]:
    """Returns the button that explains the signs of the pieces; none for games without such signs."""
    if not registry.legend_keys(game.key):
        return []
    return [PressButton(Press("legend", game.key, 0), say(f"{game.key}.legend.title"), row=1)]


def extra_verbs(live: LiveGame) -> tuple[str, ...]:
    """Returns the buttons besides the action buttons: EXTRA_VERBS, or More alone while an offer waits for its answer.

    While a double waits, Flip is among its answers.
    """
    waits_for_answer = live.offer is not None or CubeAction.TAKE in cube_actions(live.game, live.state)
    return ("more",) if waits_for_answer else EXTRA_VERBS


def action_buttons(live: LiveGame, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the action buttons of the public board, for the awaited player: to move, or to answer an offer.

    There are none while a machine is awaited.
    """
    if is_machine(live.awaited):
        return []
    if live.offer is None:
        return [*move_buttons(live, say, row=1)]
    moves = move_buttons(live, say, row=1) if live.seat_to_act == live.awaited_seat else []
    return [*answer_buttons(live, live.offer, say), *moves]


def buttons_for(live: LiveGame, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the buttons of a private board: every action that the user can take now. Empty after the end."""
    if live.is_over:
        return []
    clock = clock_buttons(live, say) if live.seats_of(user_id) and live.overdue not in live.seats_of(user_id) else []
    return [*_turn_buttons(live, user_id, say), *clock]


def _turn_buttons(live: LiveGame, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the buttons for an open offer and the user's move."""
    items: list[discord.ui.Item[Any]] = []
    if live.offer is not None:
        items += answer_buttons(live, live.offer, say) if live.may_answer(user_id) else []
        items += [withdraw_button(live, say)] if live.may_withdraw(user_id) else []
    if live.is_turn_of(user_id):
        items += move_buttons(live, say, row=1)
    return items


def answer_buttons(live: LiveGame, offer: Offer, say: Language) -> list[PressButton]:
    """Returns the Accept button, which names the offer, and the Decline button."""
    what, seq = offer.what.partition(" ")[0], live.seq
    return [
        PressButton(Press("accept", live.id, seq), say(f"button.accept.{what}"), "good", row=0),
        PressButton(Press("decline", live.id, seq), say("button.decline"), row=0),
    ]


def own_offer_buttons(live: LiveGame, user_id: int, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the buttons of a player with an open offer: withdraw, and the move buttons in their turn. Empty for
    others.
    """
    return _turn_buttons(live, user_id, say) if live.may_withdraw(user_id) else []


def withdraw_button(live: LiveGame, say: Language) -> PressButton:
    return PressButton(Press("withdraw", live.id, live.seq), say("button.withdraw"), row=0)


async def report_offer(answer: Answer, live: LiveGame, text: str) -> None:
    """Tells the player that their offer was made, and shows their actions until the answer."""
    lines = [text]
    if live.has_machine:  # the machine answers at once, on the board
        await answer.update(answer.say("offer.to_machine"))
        return
    if live.is_turn_of(answer.user_id):
        lines.append(answer.say("offer.your_turn"))
    await answer.update("\n".join(lines), view=view_of(*buttons_for(live, answer.user_id, answer.say)))


def clock_buttons(live: LiveGame, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns the clock buttons of a board: to end a pause, or to claim a game whose player is out of time
    or absent.
    """
    if live.is_over:
        return []
    verbs = [("resume", "good")] if live.paused else []
    if live.overdue is not None and not live.paused:
        verbs = [(f"claim_{result}", "plain") for result in (WIN, DRAW)]
    return [PressButton(Press(verb, live.id, live.seq), say(f"button.{verb}"), style, row=0) for verb, style in verbs]


def rule_button(
    game: Game[Any, Any], topic: Topic, say: Language, *, titled: bool = False, row: int | None = None
) -> PressButton:
    """Returns a button that opens the rule behind a refusal.

    ``titled``: the label is the title of the topic, for refusals that do not come from a rule.
    """
    label = say(f"{game.key}.topic.{topic.key}.title") if titled else say("button.rule")
    return PressButton(Press("rule", game.key, 0, topic.key), label, row=row)


class GameMenu:
    """Buttons that other features add to a game, besides those of the board."""

    def __init__(self) -> None:
        self.providers: list[Callable[[LiveGame, int, Language], list[PressButton]]] = []
        """The functions that return the buttons for a user, or []."""

    def buttons(self, live: LiveGame, user_id: int, say: Language) -> list[PressButton]:
        return [button for provide in self.providers for button in provide(live, user_id, say)]
