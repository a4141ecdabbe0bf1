"""``/abak export``: a game, its match or all one's own finished games as files."""

import asyncio
import io
import zipfile
from collections.abc import Mapping
from typing import Final

import discord

from bot.archive.found import find_game
from bot.board.access import require_access
from bot.core.interactions.answer import Answer
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.limits.rates import WORK
from bot.exchange.service import WHOLE_GAMES, ExchangeService
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.players.asker import names_of
from bot.players.service import PlayerNames
from engine.core.errors import Refused
from engine.core.record import Record
from engine.exchange import FORMATS
from engine.match.record import MatchRecord

handlers: Final = Handlers()

FILES: Final = 10
"""The most files in a message."""
BYTES: Final = 9_000_000
"""The most bytes of all files of a message, below Discord's 10 MiB."""
GAMES: Final = 1_000
"""The most games in a zip file. The latest are taken."""
GAME: Final = "game"
MATCH: Final = "match"
ALL: Final = "all"
SCOPES: Final = (GAME, MATCH, ALL)


async def export(answer: Answer, typed: str | None, form: str | None, scope: str) -> None:
    """Sends files privately. ``form``: a format; None for all formats that can hold the content."""
    if scope == ALL:
        await export_all(answer, form)
        return
    await send(answer, await find_game(answer, typed), form, scope)


@handlers.on("export")
async def export_game(answer: Answer, press: Press) -> None:
    """Sends a game in all formats. The rest of the press is the scope."""
    live = await find_game(answer, press.subject)
    await send(answer, live, None, press.rest if press.rest in SCOPES else GAME)


async def send(answer: Answer, live: LiveGame, form: str | None, scope: str) -> None:
    """Sends the files of a game, or of its match. Raises RuleError if the format cannot hold it."""
    answer.context.check_rate(answer.user_id, WORK)
    service = answer.service(ExchangeService)
    what: Record | MatchRecord = live.record
    if scope == MATCH:
        games = await service.games_of_match(live)
        for game in games:  # a match may have begun in another channel
            await require_access(answer, game)
        what = await service.whole(games)
    names = await names_of(answer, live.players) if what is live.record else await _match_names(answer, live)
    if form:
        files = await asyncio.to_thread(service.file, what, form, names)
    else:
        files = await asyncio.to_thread(service.files, what, FORMATS, names)
    data = {name: text.encode() for name, text in files.items()}
    if sum(map(len, data.values())) > BYTES:
        raise Refused("export.too_long")
    shown = [discord.File(io.BytesIO(content), filename=name) for name, content in data.items()][:FILES]
    await answer.private(answer.say("export.file" if form else "export.done"), files=shown)  # Discord names them


async def _match_names(answer: Answer, live: LiveGame) -> tuple[str, str]:
    players = await answer.service(ExchangeService).players(live)
    return await names_of(answer, players)


async def export_all(answer: Answer, form: str | None) -> None:
    """Sends the user's finished games as a zip file, the latest first until it is full.

    ``form``: a format, for the games that it can hold; None for the formats of whole games.
    """
    async with answer.service(ExchangeService).exporting_all(answer.user_id):
        await _export_all(answer, form)


async def _export_all(answer: Answer, form: str | None) -> None:
    await answer.defer()
    games, user_id = answer.service(GameService), answer.user_id
    found = await games.recent(user_id, GAMES)
    if not found:
        raise Refused("export.nothing")
    players = {player for game in found for player in game.players}
    names = await answer.service(PlayerNames).names(players, answer.say)
    forms = (form,) if form else WHOLE_GAMES
    file, count, full = io.BytesIO(), 0, False
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        for game in found:
            live = await games.get(game.id)
            pair = (names[game.players[0]], names[game.players[1]])
            texts = await asyncio.to_thread(ExchangeService.files, live.record, forms, pair)
            if file.tell() + sum(len(text.encode()) for text in texts.values()) > BYTES:
                full = True
                break
            _add(zipped, live, texts)
            count += bool(texts)
    if not count:
        raise Refused("export.nothing_such")
    key = "export.all_latest" if full or len(found) == GAMES else "export.all"
    await answer.private(
        answer.say(key, n=count), files=[discord.File(io.BytesIO(file.getvalue()), filename="abakbot-games.zip")]
    )


def _add(zipped: zipfile.ZipFile, live: LiveGame, texts: Mapping[str, str]) -> None:
    """Adds the files of a game. Those of a match get a folder of their own."""
    header = live.record.header
    folder = f"{header.match}/{header.match_game:02}-" if header.match else ""
    for name, text in texts.items():
        zipped.writestr(f"{folder}{name}", text)
