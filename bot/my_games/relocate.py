"""Relocates a game: its channel was deleted, or its players prefer another channel."""

from typing import Any, Final

import discord

from bot.board.delivery.permissions import check_place
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.clocks.removed_servers.service import RemovedServers
from bot.core.interactions.answer import Answer, Context
from bot.core.translations import Language
from bot.games.service import GameService
from bot.games.stored import Place, RunningGame
from bot.my_games import views as my_games
from bot.players.service import PlayerNames
from engine.core.errors import Refused
from engine.registry import find

NAME_LENGTH: Final = 100


async def relocate(answer: Answer, game_id: str | None) -> None:
    """Relocates one of the user's games to the channel of the command. Raises Refused."""
    check_place(answer)
    interaction, games = answer.interaction, answer.service(GameService)
    channel_id = interaction.channel_id or 0
    game_id = game_id or await only_candidate(answer.context, answer.user_id, channel_id)
    await answer.service(RemovedServers).credit(await games.get(game_id))
    before, after = await games.relocate(game_id, answer.user_id, Place(interaction.guild_id, channel_id))
    await answer.private(answer.say("here.moved", game=after.table.game.name))
    await answer.service(BoardPublisher).tidy(before)


async def only_candidate(context: Context, user_id: int, channel_id: int) -> str:
    """The id of the only candidate: among games elsewhere whose boards cannot be posted, else among all games
    elsewhere.

    Raises Refused if there is none, or more than one.
    """
    elsewhere = [game.id for game in await games_elsewhere(context, user_id, channel_id)]
    if not elsewhere:
        raise Refused("here.none")
    undelivered = [game.id for game in await context.services[BoardDelivery].undelivered(user_id)]
    found = [game_id for game_id in undelivered if game_id in elsewhere] or elsewhere
    if len(found) > 1:
        raise Refused("here.which")
    return found[0]


async def games_elsewhere(context: Context, user_id: int, channel_id: int) -> list[RunningGame]:
    """The user's running games in other channels, in order of need."""
    return [game for game in await my_games.running_games(context, user_id) if game.place.channel_id != channel_id]


async def choices(
    context: Context, interaction: discord.Interaction[Any], typed: str, say: Language
) -> list[tuple[str, str]]:
    """The games elsewhere that match what is typed, as pairs of a line and a game id."""
    found = await games_elsewhere(context, interaction.user.id, interaction.channel_id or 0)
    names = await context.services[PlayerNames].names({player for game in found for player in game.players}, say)
    shown = []
    for game in found:
        other = next((player for player in game.players if player != interaction.user.id), interaction.user.id)
        place = place_name(context, game)
        name = say("here.choice", game=find(game.game).name, opponent=names[other] or "?", place=place)
        shown.append((name[:NAME_LENGTH], game.id))
    return [(name, game_id) for name, game_id in shown if typed.casefold() in name.casefold()]


def place_name(context: Context, game: RunningGame) -> str:
    """The name of the game's channel or thread; the end of the game's id if there is no such name."""
    channel = context.client.get_channel(game.place.channel_id)
    if isinstance(channel, discord.Thread):
        return channel.name
    name = getattr(channel, "name", None)
    return f"#{name}" if name else game.id[-4:]
