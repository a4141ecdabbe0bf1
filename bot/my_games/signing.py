"""Signatures for presses that must not be forged. They prove that the bot made the custom_id."""

import hmac
from base64 import b32encode
from typing import Final

from bot.core.interactions.press import InvalidPress
from bot.settings import Settings

LENGTH: Final = 12
"""Characters of a signature: 60 bits."""


def signature(settings: Settings, *parts: object) -> str:
    """Returns the signature of these parts. Its key follows from the bot's token, so it survives a restart."""
    token = settings.discord_token.text if settings.discord_token else ""
    signed = "|".join(map(str, parts)).encode()
    digest = hmac.digest(f"press:{token}".encode(), signed, "sha256")
    return b32encode(digest).decode()[:LENGTH].lower()


def check_signature(settings: Settings, given: str, *parts: object) -> None:
    """Raises InvalidPress unless the signature is that of these parts."""
    if not hmac.compare_digest(given.encode(), signature(settings, *parts).encode()):
        raise InvalidPress
