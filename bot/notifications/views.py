"""The content of notifications: text, picture, buttons."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.board import match as match_words
from bot.board import message as board
from bot.board import pictures, story
from bot.board.buttons import buttons_for
from bot.board.delivery import errors as delivery_errors
from bot.board.delivery.service import BoardDelivery
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.services import Services
from bot.core.translations import Language, language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.games.stored import RunningGame
from bot.matches.service import MatchService
from bot.matches.tournament_names import TournamentNames
from bot.my_games import views as my_games
from bot.notifications.model import GONE, LEFT, PING, REMINDER, TURN
from bot.notifications.service import Notification
from bot.players.asker import spoken_language
from bot.players.mentions import mention
from bot.players.service import PlayerNames, PreferenceService
from engine.core.offers import DRAW
from engine.core.timekeeping import ABANDONED

handlers: Final = Handlers()

SHOWN: Final = (TURN, PING, REMINDER)
"""Kinds that come with a picture of the board."""
WALKOVERS: Final = {
    "notification.time_aborted": ("notification.time_walkover_lost", "notification.time_walkover_won"),
    "notification.left_aborted": ("notification.left_walkover", "notification.left_walkover"),
}
"""The texts about an aborted game that is lost, or won, by forfeit in its tournament."""
VERB: Final = "waiting"
"""The verb of a button on every notification, by which one that has arrived is found."""


async def language_of_user(services: Services, user_id: int, otherwise: str) -> Language:
    """Returns the language of a user outside an interaction.

    It is their own choice, or else the last language of their Discord client, or else ``otherwise``, the language of
    the game's channel.
    """
    return language(spoken_language(await services[PreferenceService].of_user(user_id)) or otherwise)


async def line(services: Services, notification: Notification, live: LiveGame, say: Language) -> str:
    key = f"notification.{notification.body.get('text', notification.kind)}"
    more: dict[str, str] = {}
    if notification.kind in {TURN, PING} and live.offer is not None and live.awaited == notification.user_id:
        key = f"{key}_draw" if live.offer.what == DRAW else f"{key}_offer"
    if notification.kind == TURN and await services[BoardDelivery].delivery_error(live.id) == delivery_errors.GONE:
        key = "notification.turn_gone"
    if notification.kind == LEFT:
        key = "notification.left_aborted" if live.outcome is None or live.outcome.winner is None else key
    if notification.kind == REMINDER:
        absent = live.table.absent_at(ABANDONED)
        if absent is not None:
            key = "notification.reminder_absent"
        due = clock_words.due(live) if absent is None else live.started + absent
        more["when"] = clock_words.stamp(due or notification.due, "R")
    if notification.body.get("text") == "resume_asked":
        begins = notification.due if live.resuming is None else live.started + live.resuming.at
        more["when"] = clock_words.stamp(begins, "R")
    walkover = await services[TournamentNames].walkover(live)
    if walkover is not None and key in WALKOVERS:
        key = WALKOVERS[key][walkover.winner == notification.user_id]
        more["name"] = walkover.tournament
    text = say(key, **game_params(live, notification.user_id, say), **more)
    match = await services[MatchService].of(live)
    if match is None:
        return text
    score = match_words.outcome(match, say, walkover) if match.is_over else match_words.score_line(match, live, say)
    return f"{text}\n{score}"


def game_params(live: LiveGame, user_id: int, say: Language) -> dict[str, str]:
    """Returns the parameters of texts about a game, for one of its players."""
    other = next((player for player in live.players if player != user_id), user_id)
    return {"game": live.game.name, "opponent": mention(other, say), "link": board.link(live)}


async def waiting(services: Services, user_id: int) -> list[RunningGame]:
    """Returns the games that wait for the user's turn or answer, the least time left first."""
    games, now = await services[GameService].of(user_id), services.now()
    mine = [game for game in games if my_games.need(game, user_id, now) == my_games.MINE]
    return my_games.sorted_by_need(mine, user_id, now)


async def digest(
    services: Services, user_id: int, games: Sequence[RunningGame], say: Language, news: Sequence[str] = ()
) -> str:
    """Returns the text of a digest: the ``news`` of other rooms, and the games that wait for the user."""
    told = [say("notification.digest_news"), *(say("notification.digest_notice", markup=text) for text in news)]
    told = told if news else []
    if not games:
        return "\n".join(told)
    now, matches = services.now(), await services[MatchService].several([game.match_id for game in games])
    cups = await services[TournamentNames].several(games)
    listed = (my_games.line(game, user_id, now, say, matches.get(game.match_id), cups[game.id]) for game in games)
    first = "\n".join([*told, say("notification.digest", n=len(games))])
    return "\n".join(board.fitted(first, [*listed], []))


async def picture(services: Services, notification: Notification, live: LiveGame, say: Language) -> list[discord.File]:
    """Returns the board as the user would see it, for the kinds in SHOWN."""
    if notification.kind not in SHOWN or live.is_over:
        return []
    reader = await services[PreferenceService].of_user(notification.user_id)
    names = await services[PlayerNames].names(live.players, say)
    pair = (names[live.players[0]], names[live.players[1]])
    below = board.side_below(live, notification.user_id, reader["below"])
    happened = story.in_one(story.latest(live, say))
    scores = match_words.scores(await services[MatchService].of(live), live)
    return [await pictures.board(live.table, below, say, reader["theme"], pair, happened, scores=scores)]


def view(
    notification: Notification, live: LiveGame | None, say: Language, first: Sequence[discord.ui.Item[Any]] = ()
) -> discord.ui.View:
    """Returns the buttons: those that come ``first``, the actions if no board has them, a link to the board, and the
    list of waiting games.
    """
    items: list[discord.ui.Item[Any]] = [*first]
    if live is not None and notification.kind == TURN:
        items += buttons_for(live, notification.user_id, say)
    if live is not None and notification.kind not in {TURN, GONE}:
        items.append(discord.ui.Button(label=say("button.to_board"), url=board.link(live)))
    items.append(PressButton(Press(VERB, notification.id, 0), say("button.waiting")))
    return view_of(*items)


@handlers.on(VERB)
async def show_waiting(answer: Answer, press: Press) -> None:
    del press
    await my_games.show_list(answer, 0, fresh=True)
