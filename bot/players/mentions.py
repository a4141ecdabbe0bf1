"""Mentions of users. Machines and former players are named instead of mentioned.

A former player has had their data deleted, and has a negative id.
"""

from collections.abc import Iterable
from typing import Final

from bot.core.translations import Language
from bot.players.machines import is_machine, machine_name

FORMER: Final = "player.former"


def is_former(user_id: int) -> bool:
    """Returns whether the id stands for a user whose data were deleted. Discord's own ids are positive."""
    return user_id < 0


def capitalized(sentence: str) -> str:
    """Capitalizes a sentence that may begin with ``a former player``."""
    return sentence[:1].upper() + sentence[1:]


def mention(user_id: int, say: Language) -> str:
    """Names the user in a text: a mention, the name of a machine, or ``a former player``."""
    return unmentioned(user_id, say) or f"<@{user_id}>"


def unmentioned(user_id: int, say: Language) -> str:
    """Returns the name of a player who is never mentioned; "" for all others."""
    if is_machine(user_id):
        return machine_name(user_id, say)
    return say(FORMER) if is_former(user_id) else ""


def named(text: str, players: Iterable[int], names: Iterable[str]) -> str:
    """Replaces mentions by names, for places where Discord does not show mentions."""
    for player, name in zip(players, names, strict=True):
        text = text.replace(f"<@{player}>", name)
    return text
