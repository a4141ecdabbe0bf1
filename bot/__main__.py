"""The command line: ``abakbot run`` on Discord, ``abakbot sandbox`` without it."""

import asyncio
import errno
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bot.command_line.database import backup, db, restore
from bot.command_line.settings import DISCORD, config_option, load_settings, reaching, refuse

if TYPE_CHECKING:
    from bot.sandbox.page.welcome import Welcome
    from bot.sandbox.world import World

SANDBOX: Final = "sandbox"
"""A placeholder token, which the sandbox does not check."""
PORT: Final = 8000
PATIENCE: Final = 2.0
"""Seconds to wait until a closing sandbox releases the folder."""
TAKEN: Final = "Port {port} is taken. --port chooses another one, --port 0 any that is free."
HELD: Final = (
    "Another sandbox runs on the games in {data}. To run a second one, give it a folder and a port of its own:"
    " --data FOLDER --port 0"
)
PEOPLE: Final = ("Ana", "Bruno", "Carla")
"""The users of a new sandbox. The first owns the server. They speak the language of the first browser,
except for one.
"""


@click.group(help="Board games in Discord.")
@click.version_option(package_name="abakbot")
@click.pass_context
@config_option
def main(context: click.Context, config: Path | None) -> None:
    del config  # each command finds it by itself
    if threading.current_thread() is threading.main_thread():
        before = signal.signal(signal.SIGTERM, _interrupt)  # ``run`` has its own way of stopping
        context.call_on_close(lambda: signal.signal(signal.SIGTERM, before))


for command in (backup, restore, db):
    main.add_command(command)


@main.command(help="Run the bot on Discord; it needs DISCORD_TOKEN.")
@config_option
def run(config: Path | None) -> None:
    before = signal.signal(signal.SIGTERM, _leave)  # only while the bot is loaded; it has its own way of stopping
    try:
        _run(config)
    finally:
        signal.signal(signal.SIGTERM, before)


def _run(config: Path | None) -> None:
    settings = load_settings(config)
    if settings.discord_token is None:
        refuse(["DISCORD_TOKEN: the bot's token is needed; it is shown once on the Bot page of the developer portal"])
    from bot import app

    with reaching(DISCORD):
        asyncio.run(app.run(settings))


@main.command(help="Check the settings and list them all, with what each is for.")
@config_option
def settings(config: Path | None) -> None:
    from dataclasses import fields

    from bot.logs import Mask

    loaded = load_settings(config)
    for field in fields(loaded):
        value = getattr(loaded, field.name)
        shown = field.metadata["unset"] if value is None else Mask()(str(value))  # addresses may hold passwords
        click.echo(f"{field.name.upper()} = {shown}")
        click.echo(f"    {field.metadata['description']}")


@main.command(help="Ask the running bot whether it is alive; for a container's health check. Needs HEALTH_PORT.")
@config_option
def health(config: Path | None) -> None:
    from urllib.request import urlopen

    settings = load_settings(config)
    port, host = settings.health_port, settings.health_host.replace("*", "127.0.0.1")
    place = f"[{host}]" if ":" in host else host
    if not port:
        refuse(["HEALTH_PORT: set it, so that there is something to ask"])
    try:
        with urlopen(f"http://{place}:{port}/healthz", timeout=5) as answer:
            click.echo(answer.read().decode())
    except OSError as error:
        click.echo(f"no answer on port {port}: {error}", err=True)
        sys.exit(1)


@main.command(help="Try everything on this machine: a stand-in of Discord, its page in the browser, and the bot in it.")
@click.option("--port", default=PORT, show_default=True, help="Where the page is served; 0 for any free port.")
@click.option("--host", default="127.0.0.1", show_default=True, help="A loopback address; no other is allowed.")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("abakbot-data/sandbox"),
    show_default=True,
    help="The folder that keeps the games and the channels.",
)
@config_option
def sandbox(port: int, host: str, data: Path, config: Path | None) -> None:
    from bot.core.storage.faults.start_errors import explained
    from bot.core.storage.migrate import EmptyFile
    from bot.core.storage.revisions import UnknownSchema
    from bot.settings import SettingsError

    try:
        data.mkdir(parents=True, exist_ok=True)
        asyncio.run(_sandbox(host, port, data, config))
    except SettingsError as error:
        refuse(error.problems)
    except (ValueError, OSError, EmptyFile, UnknownSchema) as error:
        refuse([TAKEN.format(port=port) if _taken(error) else explained(error) or str(error)])
    except Exception as error:
        sentence = explained(error)
        if sentence is None:
            raise
        refuse([sentence])


def _interrupt(*_: object) -> None:
    """Ends a command like Ctrl+C, so that it takes back what it has half done."""
    if callable(signal.getsignal(signal.SIGINT)):
        signal.raise_signal(signal.SIGINT)
    else:  # a shell lets its jobs in the background ignore Ctrl+C
        raise KeyboardInterrupt


def _leave(*_: object) -> None:
    sys.exit(0)


def _taken(error: Exception) -> bool:
    """Returns whether the error says that another program uses the port."""
    return isinstance(error, OSError) and error.errno == errno.EADDRINUSE


async def _sandbox(host: str, port: int, data: Path, config: Path | None) -> None:
    from bot import app
    from bot.logs import configure
    from bot.sandbox.archive import Archive
    from bot.sandbox.server import serve
    from bot.settings import Settings

    async with _locked(data):
        archive = Archive(data / "discord.sqlite3")
        world = archive.load() or _new_world()
        machine = Settings.load(config, discord_token=SANDBOX).machine_workers > 0
        server = await serve(world, host=host, port=port, archive=archive, welcome=_welcome(machine=machine))
        try:
            settings = Settings.load(
                config,
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
    """Locks the folder, as two sandboxes would overwrite each other's files. Raises OSError if it is locked."""
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


def _welcome(*, machine: bool = True) -> "Welcome":
    """Returns the content of the page's welcome card: the games with their start positions, and the first commands.

    ``machine``: whether there is a machine to play.
    """
    from bot.players.machines import USUAL
    from bot.sandbox.page.welcome import Thumbnail, Welcome
    from engine.registry import GAMES
    from render import registry
    from render.view import View

    games = tuple(
        Thumbnail(key, game.name, partial(registry.thumbnail, key, game.start(game.settle_options({})), View()))
        for key, game in GAMES.items()
    )
    return Welcome(
        challenge="abak challenge",
        opponent="opponent",
        game="game",
        machine=f"level:{USUAL}" if machine else "",
        level=str(USUAL) if machine else "",
        learn="abak learn",
        games=games,
    )


if __name__ == "__main__":
    main()
