"""A small world for tests of the sandbox page: two people, a channel, and a bot of canned answers."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from PIL import Image

from bot.sandbox.server import serve
from bot.sandbox.state.attachments import Upload
from bot.sandbox.world import World
from harness.canned import CHOICES, MESSAGE, CannedBot
from harness.discord import ANSWER_LIMIT
from harness.page import SandboxPage, browser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

    from bot.sandbox.server import Server

Json = dict[str, Any]
EPHEMERAL = 64
V2 = 1 << 15

GAME = {
    "name": "game",
    "description": "Games of all kinds",
    "options": [
        {
            "type": 1,
            "name": "invite",
            "name_localizations": {"es-ES": "invitar"},
            "description": "Invite somebody",
            "description_localizations": {"es-ES": "Invita a alguien"},
            "options": [
                {
                    "type": 6,
                    "name": "guest",
                    "name_localizations": {"es-ES": "rival"},
                    "description": "Whom to invite",
                    "required": True,
                },
                {
                    "type": 3,
                    "name": "kind",
                    "description": "Which game",
                    "choices": [
                        {"name": "Checkers", "name_localizations": {"es-ES": "Damas"}, "value": "checkers"},
                        {"name": "Mill", "value": "mill"},
                    ],
                },
                {
                    "type": 4,
                    "name": "points",
                    "description": "First to so many",
                    "min_value": 1,
                    "max_value": 25,
                },
                {"type": 5, "name": "rated", "description": "Whether it counts"},
            ],
        },
        {
            "type": 2,
            "name": "move",
            "description": "Moves",
            "options": [
                {
                    "type": 1,
                    "name": "play",
                    "description": "Play a move",
                    "options": [
                        {
                            "type": 3,
                            "name": "step",
                            "description": "The move",
                            "required": True,
                            "autocomplete": True,
                        }
                    ],
                }
            ],
        },
        {"type": 1, "name": "silent", "description": "Is never answered"},
        {"type": 1, "name": "panel", "description": "A private panel"},
        {"type": 1, "name": "later", "description": "Is answered later"},
        {"type": 1, "name": "form", "description": "Asks for a form"},
        {
            "type": 1,
            "name": "load",
            "description": "Load a game",
            "options": [
                {"type": 11, "name": "file", "description": "The game as a file", "required": True},
                {"type": 3, "name": "title", "description": "What to call it"},
            ],
        },
    ],
}
SELECT = {
    "type": 3,
    "custom_id": "stone",
    "placeholder": "Choose the stone",
    "options": [
        {"label": "8 → 5", "value": "8/5", "description": "hits"},
        {"label": "6 → 3", "value": "6/3"},
        {"label": "24 → 21", "value": "24/21"},
    ],
}
"""A menu of three turns."""
MANAGE = {"name": "manage", "description": "For managers", "default_member_permissions": "32"}
GREET = {"name": "Greet", "name_localizations": {"es-ES": "Saludar"}, "type": 2}


def picture(color: str = "#2c4a3e", size: tuple[int, int] = (320, 240)) -> bytes:
    """Makes a PNG of one colour."""
    file = io.BytesIO()
    Image.new("RGB", size, color).save(file, "PNG")
    return file.getvalue()


def animation() -> bytes:
    """Makes a GIF of two frames, first red, then blue."""
    file = io.BytesIO()
    frames = [Image.new("RGB", (240, 160), color) for color in ("#ff0000", "#0000ff")]
    frames[0].save(file, "GIF", save_all=True, append_images=frames[1:], duration=100, loop=0)
    return file.getvalue()


def png(name: str = "board.png") -> Upload:
    return Upload(name, picture(), "image/png")


def row(*parts: Json) -> Json:
    return {"type": 1, "components": list(parts)}


def button(label: str, custom_id: str, style: int = 2, **more: Any) -> Json:
    return {"type": 2, "style": style, "label": label, "custom_id": custom_id, **more}


def said(content: str, **more: Any) -> Json:
    """Makes a message that answers an interaction."""
    return {"type": MESSAGE, "data": {"content": content, **more}}


def suggested(*names: str) -> Json:
    """Makes an answer to an autocompletion: values are the names in capitals."""
    return {"type": CHOICES, "data": {"choices": [{"name": n, "value": n.upper()} for n in names]}}


@dataclass
class Stage:
    """The world, who is in it, and the page before it."""

    world: World
    bot: CannedBot
    server: Server
    ana: int
    ben: int
    hall: int
    chromium: Browser | None = None
    pages: list[SandboxPage] = field(default_factory=list)

    async def open(self, **options: Any) -> SandboxPage:
        """Opens the page in a window, which is closed with the stage: a picture that moves would keep Chromium busy."""
        assert self.chromium is not None
        self.pages.append(await SandboxPage.open(self.chromium, self.server.url, **options))
        return self.pages[-1]


@asynccontextmanager
async def staged(chromium: Browser | None = None) -> AsyncIterator[Stage]:
    """Serves Ana (English) and Ben (Spanish) in #hall on a socket."""
    world = World(bot_name="Robot")
    world.answer_limit = ANSWER_LIMIT
    ana = world.add_user("Ana")
    ben = world.add_user("Ben", locale="es-ES")
    hall = world.add_channel("hall")
    bot = CannedBot(world, {})
    bot.register(GAME, MANAGE, GREET)
    server = await serve(world)
    stage = Stage(world, bot, server, ana, ben, hall, chromium)
    try:
        yield stage
    finally:
        for page in stage.pages:
            await page.close()
        await stage.server.close()


__all__ = ["Stage", "browser", "staged"]
