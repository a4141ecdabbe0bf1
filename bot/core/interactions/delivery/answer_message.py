"""Messages that answered an interaction. Its token can change them for 15 minutes, without counting against a limit."""

import time
from dataclasses import dataclass, field
from typing import Any, Final, Self

import discord

LIFETIME: Final = 14 * 60.0
"""Seconds for which a token is used. Discord accepts it for 15 minutes (documentation, "Receiving and Responding")."""


@dataclass(frozen=True, slots=True)
class AnswerMessage:
    """A message that answered an interaction, by its ids. It can be kept, as it does not hold the large interaction."""

    client: discord.Client = field(repr=False)
    application_id: int
    token: str = field(repr=False)
    message_id: int
    until: float
    """The end of the token, by the monotonic clock."""

    @classmethod
    def of(cls, interaction: "discord.Interaction[Any]", message_id: int) -> Self:
        until = time.monotonic() + LIFETIME
        return cls(interaction.client, interaction.application_id, interaction.token, message_id, until)

    @classmethod
    async def public_original(cls, interaction: "discord.Interaction[Any]") -> Self | None:
        """Returns the first answer if Discord has accepted one that is a new message for everybody. Raises
        REQUEST_ERRORS.

        After a deferral, Discord returns the pressed message, or the message that says that the bot is thinking.
        """
        try:
            found = await interaction.original_response()
        except discord.NotFound:
            return None
        pressed = interaction.message is not None and interaction.message.id == found.id
        return None if pressed or found.flags.ephemeral or found.flags.loading else cls.of(interaction, found.id)

    @property
    def lives(self) -> bool:
        """Whether the token can still be used."""
        return time.monotonic() < self.until

    async def edit(self, **parts: Any) -> None:
        """Edits the message; ``parts`` as in ``discord.Webhook.edit_message``. Raises REQUEST_ERRORS."""
        await self._webhook.edit_message(self.message_id, **parts)

    async def delete(self) -> None:
        await self._webhook.delete_message(self.message_id)

    @property
    def _webhook(self) -> discord.Webhook:
        return discord.Webhook.partial(self.application_id, self.token, client=self.client)
