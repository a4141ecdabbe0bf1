"""Mentions of users. A former player, who has had their data deleted, has a negative id and is never mentioned."""

from collections.abc import Iterable
from typing import Final

from bot.core.translations import Language

FORMER: Final = "player.former"


def is_former(user_id: int) -> bool:
    """Whether the id stands for a user whose data were deleted. Discord's own ids are positive."""
    return user_id < 0


def capitalized(sentence: str) -> str:
    """The sentence with a capital, for one that may begin with ``a former player``."""
    return sentence[:1].upper() + sentence[1:]


def mention(user_id: int, say: Language) -> str:
    """The user in a text: a mention, or ``a former player``."""
    return say(FORMER) if is_former(user_id) else f"<@{user_id}>"


def named(text: str, players: Iterable[int], names: Iterable[str]) -> str:
    """The text with names in place of mentions, for places where Discord does not show mentions."""
    for player, name in zip(players, names, strict=True):
        text = text.replace(f"<@{player}>", name)
    return text
