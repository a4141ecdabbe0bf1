"""The parts that a feature's package gives to the app: one ``Feature``, listed in ``bot/app.py``."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Protocol

from discord import app_commands

from bot.core.interactions.answer import Context
from bot.core.interactions.command_texts import Command
from bot.core.interactions.routing import Handlers
from bot.core.personal_data import PersonalData
from bot.core.services import Services


class BackgroundTask(Protocol):
    """A task that runs in the background from the bot's start to its end, such as a Worker."""

    def start(self) -> None: ...
    async def close(self) -> None: ...


def no_services(services: Services) -> None:
    del services


def no_commands(context: Context) -> list[Command]:
    del context
    return []


def no_groups(context: Context) -> list[app_commands.Group]:
    del context
    return []


def no_menus(context: Context) -> list[app_commands.ContextMenu]:
    del context
    return []


def no_workers(context: Context) -> Iterable[BackgroundTask]:
    del context
    return ()


@dataclass(frozen=True, slots=True)
class Feature:
    """The parts of a feature. Every part is optional."""

    services: Callable[[Services], None] = no_services
    """Adds its services. The services of the features before it exist already."""
    handlers: tuple[Handlers, ...] = ()
    """Handle its buttons, menus and forms."""
    commands: Callable[[Context], list[Command]] = no_commands
    """Its commands under ``/abak``. Groups of the same name become one."""
    groups: Callable[[Context], list[app_commands.Group]] = no_groups
    """Its groups of commands beside ``/abak``, such as ``/tournament``."""
    menus: Callable[[Context], list[app_commands.ContextMenu]] = no_menus
    """Its commands in the menu of a user or a message ("Apps")."""
    workers: Callable[[Context], Iterable[BackgroundTask]] = no_workers
    """Makes its background tasks. Called once the Discord client exists."""
    personal_data: tuple[PersonalData, ...] = ()
    """The data about users in its tables."""
