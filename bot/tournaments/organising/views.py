"""Messages and buttons of this part of tournaments."""

from typing import Final

from bot.core.interactions.routing import Handlers

handlers: Final = Handlers()
