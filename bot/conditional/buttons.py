"""The way to planning ahead, for whoever waits in a game in which that can be done."""

from bot.conditional.doubles import may_be_doubled
from bot.conditional.service import seat_ahead, seat_doubled
from bot.core.interactions.components import PressButton
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.games.live import LiveGame
from engine.core.errors import Refused


def conditional_buttons(live: LiveGame, user_id: int, say: Language) -> list[PressButton]:
    """The button, or nothing: without a seat, on one's own turn, after the end, with dice that nobody may double."""
    for verb, possible in (("conditional", _turns), ("conditional_double", _doubles)):
        try:
            if possible(live, user_id):
                return [PressButton(Press(verb, live.id, live.table.seq), say(f"button.{verb}"))]
        except Refused:
            continue
    return []


def _turns(live: LiveGame, user_id: int) -> bool:
    """Raises Refused where no turns can be planned."""
    seat_ahead(live, user_id)
    return True


def _doubles(live: LiveGame, user_id: int) -> bool:
    """Whether the other could double next. Raises Refused where nothing can be said about it."""
    return may_be_doubled(live.table, seat_doubled(live, user_id))
