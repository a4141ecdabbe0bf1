"""The way to planning ahead, for whoever waits in a game in which that can be done."""

from bot.i18n import Language
from bot.services.plans import seat_ahead
from bot.services.tables import Seated
from bot.ui.routing import Press, PressButton
from engine.core.errors import Refused


def ways_ahead(seated: Seated, user_id: int, say: Language) -> list[PressButton]:
    """The button, or nothing: without a seat, with dice, on one's own turn, after the end."""
    try:
        seat_ahead(seated, user_id)
    except Refused:
        return []
    return [PressButton(Press("plan", seated.id, seated.table.seq), say("button.plan"))]
