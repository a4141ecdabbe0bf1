"""The button that opens the conditional moves, for a player who waits for the opponent."""

from bot.conditional.logic.doubles import may_be_doubled, why_no_answer
from bot.conditional.service import why_no_turns
from bot.core.interactions.components import PressButton
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame


def conditional_buttons(live: LiveGame, user_id: int, say: Language) -> list[PressButton]:
    """Returns the button for a player who waits for the opponent; [] in all other cases.

    These are: no seat, the user's own turn, a game that is over, a game with dice in which no double can come, and a
    game against a machine, which replies at once.
    """
    seats = live.seats_of(user_id)
    if not seats or live.is_over or live.has_machine:
        return []
    if why_no_turns(live) is None and not live.is_turn_of(user_id):
        verb = "conditional"
    elif why_no_answer(live.table, seats[0]) is None and may_be_doubled(live.table, seats[0]):
        verb = "conditional_double"
    else:
        return []
    return [PressButton(Press(verb, live.id, live.seq), say(f"button.{verb}"))]
