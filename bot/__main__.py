"""The command line: ``abakbot run`` on Discord, ``abakbot sandbox`` without it."""

import asyncio
import errno
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

import click

if TYPE_CHECKING:
    from bot.sandbox.page.welcome import Welcome
    from bot.sandbox.world import World
    from bot.settings import Settings

BAD_SETTINGS: Final = 2
UNREACHED: Final = 1
SANDBOX: Final = "sandbox"
"""A placeholder token: the sandbox does not check it."""
PORT: Final = 8000
PATIENCE: Final = 2.0
"""Seconds to wait for another sandbox that is just closing to release the folder."""
TAKEN: Final = "Port {port} is taken. --port chooses another one, --port 0 any that is free."
HELD: Final = (
    "Another sandbox runs on the games in {data}. To run a second one, give it a folder and a port of its own:"
    " --data FOLDER --port 0"
)
PEOPLE: Final = ("Ana", "Bruno", "Carla")
"""The users of a new sandbox. The first owns the server. They speak the language of the first browser, and a further
one another language.
"""


@click.group()
@click.version_option(package_name="abakbot")
def main() -> None:
    """Board games in Discord: Abak Evolution Backgammon, backgammon, Abalone and APB."""


config_option = click.option("--config", type=click.Path(path_type=Path), help="A file of settings, NAME = value.")


@main.command()
@config_option
def run(config: Path | None) -> None:
    """Run the bot on Discord; it needs DISCORD_TOKEN."""
    settings = _settings(config)
    if settings.discord_token is None:
        _refuse(["DISCORD_TOKEN: the bot's token is needed; it is shown once on the Bot page of the developer portal"])
    from discord import LoginFailure

    from bot import app

    try:
        with _reaching("Discord or the database"):
            asyncio.run(app.run(settings))
    except LoginFailure:
        _refuse(["DISCORD_TOKEN: Discord does not accept this token"])
    except OSError as error:
        if not _taken(error):
            raise
        _refuse([f"HEALTH_PORT: {settings.health_port} is taken; another program serves there, or another bot"])


@main.command()
@config_option
def settings(config: Path | None) -> None:
    """Check the settings and list them all, with what each is for."""
    from sqlalchemy.engine import make_url

    loaded = _settings(config)
    shown = loaded.model_dump() | {"database_url": make_url(loaded.database_url)}  # SecretStr and URL hide secrets
    for name, field in type(loaded).model_fields.items():
        click.echo(f"{name.upper()} = {'' if shown[name] is None else shown[name]}")
        click.echo(f"    {field.description}")


@main.command()
@config_option
def migrate(config: Path | None) -> None:
    """Bring the database up to date and stop; ``run`` does so by itself."""
    from bot.core.storage.database import Database

    async def upgrade(url: str) -> None:
        await (await Database.open(url)).close()

    url = _settings(config).database_url
    with _reaching("The database"):
        asyncio.run(upgrade(url))
    click.echo("The database is up to date.")


@main.command()
@config_option
def rebuild(config: Path | None) -> None:
    """Replay the record of every game and match, and write anew what follows from it, such as results and deadlines.

    Then count all ratings and all rolls of dice again, and correct what differs. Games whose records are corrupt are
    named and left as they are; the command then ends with 1. The bot may run meanwhile, if it is of the same version.
    """
    loaded = _settings(config)
    with _reaching("The database"):
        checked, changed, faults = asyncio.run(_rebuild(loaded.database_url))
        click.echo(f"{checked} games and matches checked, {changed} written anew, {faults} left as they are.")
        contests, ratings, corrected = asyncio.run(_rebuild_ratings(loaded))
    click.echo(
        f"{contests} rated games and matches counted, {ratings} ratings checked, {corrected} differences corrected."
    )
    with _reaching("The database"):
        click.echo(f"The rolls of {asyncio.run(_recount_dice(loaded.database_url))} games counted.")
    sys.exit(1 if faults else 0)


async def _recount_dice(url: str) -> int:
    from bot.core.storage.database import Database
    from bot.dice.service import recount_all

    database = await Database.open(url)
    try:
        return await recount_all(database)
    finally:
        await database.close()


async def _rebuild(url: str) -> tuple[int, int, int]:
    """Prints each game and match whose columns differ from its record.

    Returns how many were checked, corrected and faulty.
    """
    from bot.core.storage.database import Database
    from bot.games.rebuild import rebuild_all
    from bot.matches.rebuild import rebuild_matches

    counts = [0, 0, 0]
    database = await Database.open(url)
    try:
        for rebuilt in (rebuild_all(database), rebuild_matches(database)):
            async for checked in rebuilt:
                counts[0] += 1
                if checked.fault:
                    counts[2] += 1
                    click.echo(f"{checked.id} is left as it is: {checked.fault}")
                elif checked.changed:
                    counts[1] += 1
                    click.echo(f"{checked.id} is written anew: {', '.join(checked.changed)}")
    finally:
        await database.close()
    return counts[0], counts[1], counts[2]


async def _rebuild_ratings(settings: "Settings") -> tuple[int, int, int]:
    """Prints each difference. Returns how many contests and ratings were checked, and how many differences found."""
    from bot.app import assemble, system_sources
    from bot.core.storage.database import Database
    from bot.profiles.service import ProfileService
    from bot.ratings.rebuild import rebuild_ratings

    database = await Database.open(settings.database_url)
    try:
        checked = await rebuild_ratings(database, settings.rated_a_day)
        await assemble(database, system_sources(), settings)[ProfileService].rebuild()
    finally:
        await database.close()
    for difference in checked.differences:
        click.echo(difference)
    return checked.contests, checked.ratings, len(checked.differences)


@main.command()
@config_option
def health(config: Path | None) -> None:
    """Ask the running bot whether it is alive; for a container's health check. Needs HEALTH_PORT."""
    from urllib.request import urlopen

    port = _settings(config).health_port
    if not port:
        _refuse(["HEALTH_PORT: set it, so that there is something to ask"])
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            click.echo(answer.read().decode())
    except OSError as error:
        click.echo(f"no answer on port {port}: {error}", err=True)
        sys.exit(1)


@main.command()
@click.option("--port", default=PORT, show_default=True, help="Where the page is served; 0 for any free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="A loopback address; no other is allowed.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("abakbot-data/sandbox"),
    show_default=True,
    help="The folder that keeps the games and the channels.",
)
def sandbox(port: int, host: str, data: Path) -> None:
    """Try everything on this machine: a stand-in of Discord, its page in the browser, and the bot in it."""
    from bot.core.storage.migrate import EmptyFile, UnknownSchema
    from bot.core.storage.start_errors import explained
    from bot.settings import SettingsError

    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(_sandbox(host, port, data))
    except SettingsError as error:
        _refuse(error.problems)
    except (ValueError, OSError, EmptyFile, UnknownSchema) as error:
        _refuse([TAKEN.format(port=port) if _taken(error) else explained(error) or str(error)])
    except Exception as error:
        sentence = explained(error)
        if sentence is None:
            raise
        _refuse([sentence])


@contextmanager
def _reaching(what: str) -> Iterator[None]:
    """If ``what`` cannot be reached, or its database not be used, prints a sentence about it and exits."""
    from aiohttp import ClientConnectorError

    from bot.core.storage.migrate import EmptyFile, UnknownSchema
    from bot.core.storage.start_errors import explained

    try:
        yield
    except (EmptyFile, UnknownSchema) as error:
        click.echo(str(error), err=True)
        sys.exit(UNREACHED)
    except (ConnectionError, ClientConnectorError, socket.gaierror) as error:
        click.echo(f"{what} cannot be reached: {error}", err=True)
        sys.exit(UNREACHED)
    except Exception as error:
        sentence = explained(error)
        if sentence is None:
            raise
        click.echo(sentence, err=True)
        sys.exit(UNREACHED)


def _taken(error: Exception) -> bool:
    """Whether the error says that another program uses the port."""
    return isinstance(error, OSError) and error.errno == errno.EADDRINUSE


async def _sandbox(host: str, port: int, data: Path) -> None:
    from bot import app
    from bot.logs import configure
    from bot.sandbox.archive import Archive
    from bot.sandbox.server import serve
    from bot.settings import Settings

    async with _locked(data):
        archive = Archive(data / "discord.sqlite3")
        world = archive.load() or _new_world()
        server = await serve(world, host=host, port=port, archive=archive, welcome=_welcome())
        try:
            settings = Settings.load(
                discord_token=SANDBOX,
                discord_api_base=server.api_base,
                discord_gateway_url=server.gateway_url,
                database_url=f"sqlite:///{data / 'games.sqlite3'}",
                log_level="WARNING",
            )
            configure(settings)
            async with app.running(settings) as client:
                app.on_stop(client.closed.set)
                click.echo(f"The sandbox is open at {server.url} (stop it with Ctrl+C)")
                await client.closed.wait()
        finally:
            await server.close()


@asynccontextmanager
async def _locked(data: Path) -> AsyncIterator[None]:
    """Locks the folder, because two sandboxes would overwrite each other's files. Raises OSError if it is locked."""
    from bot.core.storage.migrate import file_lock

    async with AsyncExitStack() as stack:
        try:
            async with asyncio.timeout(PATIENCE):
                await stack.enter_async_context(file_lock(data / "sandbox.lock"))
        except TimeoutError:
            raise BlockingIOError(HELD.format(data=data)) from None
        yield


def _new_world() -> "World":
    from bot.sandbox.world import World

    world = World(bot_name="Abakbot", guild="Sandbox", bot=False)
    owner, *_ = [world.add_user(name) for name in PEOPLE]
    world.set_owner(world.guild_id, owner)
    world.add_channel("games")
    world.set_system_channel(world.guild_id, world.add_channel("lounge"))
    return world


def _welcome() -> "Welcome":
    """What the page's welcome card offers: the games with their start positions, and the commands to begin with."""
    from bot.sandbox.page.welcome import Thumbnail, Welcome
    from engine.registry import GAMES
    from render import registry
    from render.view import View

    games = tuple(
        Thumbnail(key, game.name, partial(registry.thumbnail, key, game.start(game.settle_options({})), View()))
        for key, game in GAMES.items()
    )
    return Welcome(challenge="abak challenge", opponent="opponent", game="game", learn="abak learn", games=games)


def _settings(config: Path | None) -> "Settings":
    """Loads the settings and configures logging. If settings are wrong, prints every mistake and exits."""
    from bot.logs import configure
    from bot.settings import Settings, SettingsError

    try:
        loaded = Settings.load(config)
    except SettingsError as error:
        _refuse(error.problems)
    configure(loaded)
    return loaded


def _refuse(problems: list[str]) -> NoReturn:
    for problem in problems:
        click.echo(problem, err=True)
    sys.exit(BAD_SETTINGS)


if __name__ == "__main__":
    main()
