"""The list of finished games: a page with its filters, buttons to other pages, and a menu that opens replays."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import discord
from babel.dates import format_date

from bot.archive import views
from bot.archive.finished import RESULTS, Cursor, Filters, ListedGame
from bot.archive.service import HistoryService, Page, Score
from bot.board import message as board
from bot.board.access import may_look
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import MOST_ID, InvalidPress, Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.my_games.views import begin_buttons
from bot.players.machines import ANY_LEVEL
from bot.players.mentions import mention
from bot.players.service import PlayerNames
from engine.core.game import Seat
from engine.registry import GAMES, find

handlers: Final = Handlers()

DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
PACKED: Final = re.compile(r"[0-9a-z]{1,13}")
OLDER, NEWER = "o", "n"


def packed(number: int) -> str:
    """Writes a user's id in base 36, as a custom_id has at most 100 characters."""
    text = ""
    while number > 0:
        number, digit = divmod(number, len(DIGITS))
        text = DIGITS[digit] + text
    return text or "0"


def unpacked(text: str) -> int:
    """Reads a user's id that ``packed`` wrote. Raises InvalidPress."""
    if not PACKED.fullmatch(text) or int(text, len(DIGITS)) > MOST_ID:
        raise InvalidPress
    return int(text, len(DIGITS))


async def show(
    answer: Answer, filters: Filters, cursor: Cursor | None = None, *, newer: bool = False, fresh: bool
) -> None:
    whole = await answer.service(HistoryService).page(filters, cursor, newer=newer)
    page = replace(whole, games=await _seen(answer, whole.games))
    items = [*await _menu(answer, filters, page), *_buttons(answer, filters, whole)]
    if not whole.games and filters.user_id == answer.user_id:
        items += await begin_buttons(answer)
    content = text(filters, page, answer.say)
    if len(page.games) < len(whole.games):
        content = f"{content}\n{answer.say('history.closed')}"
    await answer.show(content, view=view_of(*items) if items else None, fresh=fresh)


def text(filters: Filters, page: Page, say: Language) -> str:
    """Writes the page as a message. The links to the boards are left out if they do not fit."""
    if not page.games:
        return "\n".join([title(filters, say), say("history.none")])
    for linked in (True, False):
        lines = [title(filters, say)]
        for game in page.games:
            lines += [line(game, filters.user_id, page.scores.get(game.id), say, linked=linked)]
        found = "\n".join(lines)
        if len(found) <= board.CONTENT:
            break
    return found


async def _seen(answer: Answer, games: Sequence[ListedGame]) -> list[ListedGame]:
    """Returns the games that the reader may look at. Games of other users in channels closed to the reader are left
    out.
    """
    places = {game.place: game.players for game in games if answer.user_id not in game.players}
    allowed = await asyncio.gather(*(may_look(answer, players, place) for place, players in places.items()))
    closed = {place for place, seen in zip(places, allowed, strict=True) if not seen}
    return [game for game in games if answer.user_id in game.players or game.place not in closed]


async def _menu(answer: Answer, filters: Filters, page: Page) -> list[discord.ui.Item[Any]]:
    if not page.games:
        return []
    say = answer.say
    names = await answer.service(PlayerNames).names({player for game in page.games for player in game.players}, say)
    options = [
        discord.SelectOption(
            label=views.summary(game, filters.user_id, names, say),
            value=game.id,
            description=say("history.when", date=_date(game.ended, say), n=game.turns),
        )
        for game in page.games
    ]
    return [PressMenu(Press("history_open", "me", 0), say("history.open"), options, row=0)]


def _buttons(answer: Answer, filters: Filters, page: Page) -> list[discord.ui.Item[Any]]:
    """Returns the buttons to the pages before and after. ``page`` includes games that the reader may not look at."""
    if not page.games or not (page.has_newer or page.has_older):
        return []
    ends = ((NEWER, "back", page.games[0], page.has_newer), (OLDER, "forward", page.games[-1], page.has_older))
    return [
        PressButton(
            _press(filters, direction, Cursor(game.ended, game.id)),
            answer.say(f"button.{name}"),
            disabled=not enabled,
            row=1,
        )
        for direction, name, game, enabled in ends
    ]


def _press(filters: Filters, direction: str, cursor: Cursor) -> Press:
    opponent = "" if filters.opponent_id is None else packed(filters.opponent_id)
    rest = f"{direction}|{cursor.game_id}|{filters.game}|{opponent}|{filters.result}"
    return Press("history", packed(filters.user_id), cursor.ended, rest)


@handlers.on("history")
async def turn_page(answer: Answer, press: Press) -> None:
    """Shows the page after or before the game that the button names. Raises InvalidPress."""
    direction, game_id, game, opponent, result = press.parts(5)
    if result not in {"", *RESULTS} or game not in {"", *GAMES}:
        raise InvalidPress
    user_id, opponent_id = unpacked(press.subject), unpacked(opponent) if opponent else None
    filters = Filters(
        user_id=user_id,
        viewer_id=answer.user_id,
        guild_id=answer.interaction.guild_id,
        game=game,
        opponent_id=opponent_id,
        result=result,
    )
    await show(answer, filters, Cursor(press.seq, game_id), newer=direction == NEWER, fresh=False)


@handlers.on("finished")
async def show_own(answer: Answer, press: Press) -> None:
    """Shows the user's own finished games in a new message, after the button below the running ones."""
    del press
    filters = Filters(user_id=answer.user_id, viewer_id=answer.user_id, guild_id=answer.interaction.guild_id)
    await show(answer, filters, fresh=True)


@handlers.on("history_open")
async def open_replay(answer: Answer, press: Press) -> None:
    await views.show(answer, await views.visible_game(answer, press.value), None, fresh=True)


def title(filters: Filters, say: Language) -> str:
    parts = [say("history.title", player=mention(filters.user_id, say))]
    parts += [find(filters.game).name] if filters.game else []
    if filters.opponent_id is not None:
        opponent = say("machine.any") if filters.opponent_id == ANY_LEVEL else mention(filters.opponent_id, say)
        parts.append(say("history.against", player=opponent))
    parts += [say(f"replay.{filters.result}")] if filters.result else []
    return " · ".join(parts)


def line(game: ListedGame, user_id: int, score: Score | None, say: Language, *, linked: bool = True) -> str:
    """Returns a line of the list, from the user's view: game, opponent, result, date, turns, rated or not, match."""
    seat = game.players.index(user_id)
    name = find(game.game).name
    name = f"[{name}]({board.link(game)})" if linked else name
    if not game.outcome.has_result:
        result = say(f"history.{game.outcome.reason.removeprefix('end.')}")
    else:
        result = _result(game, seat, say)
    parts = [
        say("history.game", game=name, opponent=mention(game.players[1 - seat], say)),
        result,
        clock_words.stamp(game.ended, "d"),
        say("history.turns", n=game.turns),
        say("history.rated" if game.rated else "history.casual"),
    ]
    if score is not None:
        mine, theirs = (score.first, score.second) if seat == 0 else (score.second, score.first)
        parts.append(say("history.match", number=game.match_game, mine=f"{mine:g}", theirs=f"{theirs:g}"))
    return " · ".join(parts)


def _result(game: ListedGame, seat: Seat, say: Language) -> str:
    """Describes the result from the seat's view: won, lost or drawn, with the points where they matter."""
    points = game.outcome.points[seat]
    key = f"history.{views.ended(points)}"
    return say(f"{key}_points", n=abs(points)) if points and game.counts_points else say(key)


def _date(ended: int, say: Language) -> str:
    """Returns a date for a menu, where Discord shows no timestamps; in UTC."""
    return format_date(datetime.fromtimestamp(ended / 1000, UTC), "d MMM y", locale=say.code)
