"""A whole visit: all acts of two people, in order."""

from typing import Final

import visit_acts as play
from visit import Act, Visit
from visit_clock import claimed, paused, vacations
from visit_conditional import conditional_moves, double_awaited
from visit_games import brought
from visit_history import explored, listed

LOOKING: Final = (play.boards, play.flips, play.texts, play.panels, play.rules, play.lessons, play.toured, play.more)
BETWEEN: Final = (paused, vacations, claimed, brought)
"""The acts between games."""
LOOKING_BACK: Final = (listed, explored)
BEGINNING: Final = (
    *(play.layouts, play.turned_down, play.taken_back, play.begun, play.again, play.doubled),
    *(*BETWEEN, *LOOKING_BACK),
)


def acts(turns: int) -> list[Act]:
    """Lists the acts: two long games, of so many turns by taps, and some short ones."""
    return [
        *(play.layouts, play.turned_down, play.taken_back, play.begun),
        *(play.turn for _ in range(turns)),
        *(play.changed_mind, play.typed, play.broken_off, play.refused, *LOOKING),
        *(play.kept, play.withdrawn, play.declined, play.back, conditional_moves, play.resigned),
        *(play.again, play.turn, play.replayed, play.filmed, play.drawn),
        *(*BETWEEN, *LOOKING_BACK, play.doubled, double_awaited),
    ]


async def do(visit: Visit, act: Act) -> None:
    """Does an act, after the beginning of a game if it needs one and there is none."""
    if visit.over and act not in BEGINNING:
        await play.begun(visit)
    await act(visit)
