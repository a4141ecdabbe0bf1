"""Judges what an answer tells its reader: that a turn is played, that it is refused, or nothing certain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from harness.bot import wired
from harness.discord import is_ephemeral, text

from bot.core.translations import CODES, language
from soak.journal import ACKED, REFUSED, UNCERTAIN

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction

WORDS: Final = {
    words: meant
    for say in map(language, CODES)
    for words, meant in (
        (say("error.kept"), ACKED),
        (say("next.played", played="", link="").strip(), ACKED),
        (say("error.unknown"), UNCERTAIN),
        (say("error.slow"), UNCERTAIN),
        *((say("next.waiting", n=n), ACKED) for n in range(1, 30)),
    )
}
"""The meanings of some answers for the turn. Every other text says that it was not played."""


def told(sent: Interaction) -> str:
    """Returns the private texts of an answer."""
    messages = [sent.message, *sent.followups]
    return " / ".join(text(one) for one in messages if one is not None and is_ephemeral(one))


def judged(sent: Interaction | None) -> str:
    """Returns what a user who typed a turn can conclude from the answer so far."""
    if sent is None:
        return UNCERTAIN
    if sent.message is None and not sent.followups:
        return ACKED
    said = told(sent)
    if not said:
        return ACKED if sent.message is not None else UNCERTAIN
    if sent.followups or goes_on(sent):
        return UNCERTAIN
    return in_words(said)


def in_words(said: str) -> str:
    """Returns what a private text says about the turn that it answers."""
    return next((meant for words, meant in WORDS.items() if words in said), REFUSED)


def goes_on(sent: Interaction) -> bool:
    """Returns whether the next turn is asked for at once, as after a roll."""
    return any(x["custom_id"].startswith(("b:pick:", "m:pick:")) for x in wired(sent.message or {"components": []}))
