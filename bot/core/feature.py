"""What a room of the bot gives to the app: one ``Feature``, listed in ``bot/app.py``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from bot.core.interactions.answer import Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.routing import Handlers
from bot.core.services import Services


class Runs(Protocol):
    """What runs by itself from the bot's start to its end, such as a Worker."""

    def start(self) -> None: ...
    async def close(self) -> None: ...


def no_services(services: Services) -> None:
    del services


def no_commands(context: Context) -> list[Command]:
    del context
    return []


def no_workers(context: Context) -> Iterable[Runs]:
    del context
    return ()


@dataclass(frozen=True, slots=True)
class Feature:
    """Everything has a default: a feature names what it has."""

    services: Callable[[Services], None] = no_services
    """Adds its services; those of the features before it are there already."""
    handlers: tuple[Handlers, ...] = ()
    """For its buttons, menus and forms."""
    commands: Callable[[Context], list[Command]] = no_commands
    """Its commands under ``/abak``."""
    workers: Callable[[Context], Iterable[Runs]] = no_workers
    """What runs by itself; made once the Discord client is there."""
