"""Relocates a game: its channel was deleted, or its players prefer another one.

A game moves to another server only if the opponent agrees there, as they may not be a member. The question is a message
in the new channel. Its buttons carry the asker and a signature, so that nobody can answer a question that was never
asked.
"""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.board.delivery.permissions import check_place
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.board.message import link
from bot.clocks.displaced.service import DisplacedGames
from bot.clocks.removed_servers.service import RemovedServers
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import InvalidPress, Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.limits.rates import QUESTIONS
from bot.core.texts.quoting import visible
from bot.core.translations import Language, language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import Place, RunningGame
from bot.my_games import views as my_games
from bot.my_games.signing import check_signature, signature
from bot.players.asker import check_machine_here
from bot.players.machines import is_machine
from bot.players.mentions import is_former, mention
from bot.players.service import PlayerNames, PreferenceService
from engine.core.errors import Refused
from engine.core.hours import DAY
from engine.registry import find

handlers: Final = Handlers()

ANSWERABLE: Final = 7 * DAY
"""The time in which the opponent may answer, in ms."""


async def relocate(answer: Answer, game_id: str | None) -> None:
    """Relocates one of the user's games to the channel of the command. Raises Refused."""
    check_place(answer)
    interaction, games = answer.interaction, answer.service(GameService)
    channel_id = interaction.channel_id or 0
    game_id = game_id or await only_candidate(answer.context, answer.user_id, channel_id)
    place, live = Place(interaction.guild_id, channel_id), await games.get(game_id)
    live.seats_playing(answer.user_id)
    await check_machine(answer, live)
    asked = opponents(live, answer.user_id)
    if asked and place.guild_id is None:
        raise Refused("here.direct")
    if asked and live.place.guild_id != place.guild_id:
        await ask(answer, live, place, asked)
        return
    await answer.service(RemovedServers).credit(live)
    await answer.service(DisplacedGames).credit(live)
    before, after = await games.relocate(game_id, answer.user_id, place)
    await answer.private(answer.say("here.moved", game=after.table.game.name))
    await answer.service(BoardPublisher).tidy(before)


async def check_machine(answer: Answer, live: LiveGame) -> None:
    """Raises Refused for a game against a machine if the server does not want it in this channel."""
    if not live.has_machine:
        return
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    check_machine_here(answer, server)
    if server["machine"] == "threads" and not isinstance(answer.interaction.channel, discord.Thread):
        raise Refused("here.machine_threads")


# --- to another server -----------------------------------------------------------------------------------------------


def opponents(live: LiveGame, user_id: int) -> list[int]:
    """Returns the other players, as far as they can be asked."""
    others = (player for player in live.players if player != user_id)
    return [player for player in others if not (is_former(player) or is_machine(player))]


async def ask(answer: Answer, live: LiveGame, place: Place, asked: Sequence[int]) -> None:
    """Asks the opponent in the new channel. Raises Refused if another game runs there."""
    if await answer.service(GameService).at(place.channel_id) is not None:
        raise Refused("place.taken")
    answer.context.check_rate(answer.user_id, QUESTIONS)
    say = language(live.locale)
    now = answer.now  # read once, as the signature has it, too
    signed = signature(answer.context.services.settings, *_asked(live, place, answer.user_id, now))
    rest = f"{answer.user_id}|{signed}"
    view = view_of(
        PressButton(Press("relocate_agree", live.id, now, rest), say("button.relocate_agree"), "good"),
        PressButton(Press("relocate_decline", live.id, now, rest), say("button.relocate_decline")),
    )
    names = {"player": mention(answer.user_id, say), "opponent": mention(asked[0], say)}
    text = say("here.asked", game=live.game.name, link=link(live), **names)
    pinged = discord.AllowedMentions(everyone=False, roles=False, users=[discord.Object(asked[0])])
    await answer.public(text, view, pinged)


def _asked(live: LiveGame, place: Place, asker: int, at: int) -> tuple[object, ...]:
    """Returns the signed parts of the question: the game, its present and its new place, the asker, and the time."""
    return "relocate", live.id, live.place.channel_id, place.guild_id, place.channel_id, asker, at


async def _answered(answer: Answer, press: Press) -> tuple[LiveGame, Place, int]:
    """Returns the game, the new place and the asker. Raises Refused for a forged or an old question."""
    asker_text, signed = press.parts(2)
    asker = read_id(asker_text)
    live = await answer.service(GameService).newest(press.subject)
    live.seats_playing(answer.user_id)
    place = Place(answer.interaction.guild_id, answer.interaction.channel_id or 0)
    check_signature(answer.context.services.settings, signed, *_asked(live, place, asker, press.seq))
    if answer.now - press.seq > ANSWERABLE:
        raise InvalidPress
    return live, place, asker


@handlers.on("relocate_agree")
async def agree(answer: Answer, press: Press) -> None:
    """Relocates the game to this channel, as the opponent agrees."""
    live, place, asker = await _answered(answer, press)
    if answer.user_id == asker:
        raise Refused("here.not_yours")
    await answer.service(RemovedServers).credit(live)
    await answer.service(DisplacedGames).credit(live)
    before, after = await answer.service(GameService).relocate(live.id, answer.user_id, place)
    say = language(after.locale)
    await answer.update(say("here.agreed", game=after.game.name, player=mention(answer.user_id, say)), view=view_of())
    await answer.service(BoardPublisher).tidy(before)


@handlers.on("relocate_decline")
async def decline(answer: Answer, press: Press) -> None:
    """Leaves the game at its place: the opponent declines, or the asker withdraws the question."""
    live, _, _ = await _answered(answer, press)
    say = language(live.locale)
    text = say("here.declined", game=live.game.name, player=mention(answer.user_id, say), link=link(live))
    await answer.update(text, view=view_of())


# --- which game ------------------------------------------------------------------------------------------------------


async def only_candidate(context: Context, user_id: int, channel_id: int) -> str:
    """Returns the id of the only candidate: among games elsewhere whose boards cannot be posted, or else among all
    games elsewhere.

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
    """Returns the user's running games in other channels, in order of need."""
    return [game for game in await my_games.running_games(context, user_id) if game.place.channel_id != channel_id]


async def choices(
    context: Context, interaction: discord.Interaction[Any], typed: str, say: Language
) -> list[tuple[str, str]]:
    """Returns the games elsewhere that match the typed text, as pairs of a line and a game id."""
    found = await games_elsewhere(context, interaction.user.id, interaction.channel_id or 0)
    names = await context.services[PlayerNames].names({player for game in found for player in game.players}, say)
    shown = []
    for game in found:
        other = next((player for player in game.players if player != interaction.user.id), interaction.user.id)
        place = say("here.direct_messages") if game.place.guild_id is None else place_name(context, game)
        name = say("here.choice", game=find(game.game).name, opponent=names[other] or "?", place=place)
        shown.append((name, game.id))
    return [(name, game_id) for name, game_id in shown if typed.casefold() in name.casefold()]


def place_name(context: Context, game: RunningGame) -> str:
    """Returns the name of the game's channel or thread, or the end of the game's id without such a name."""
    channel = context.client.get_channel(game.place.channel_id)
    name = visible(getattr(channel, "name", None) or "")
    if not name:
        return game.id[-4:]
    return name if isinstance(channel, discord.Thread) else f"#{name}"
