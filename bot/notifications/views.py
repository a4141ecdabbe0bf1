"""What a notice says: its text, its picture, its buttons."""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures
from bot.board.buttons import ways_of
from bot.board.delivery import errors as delivery_errors
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, on_press, view_of
from bot.core.translations import CODES, Language, language
from bot.games.live import Seated
from bot.my_games import views as my_games
from bot.notifications.service import CALL, GONE, REMINDER, TURN, Notice
from bot.services import Services

SHOWN: Final = (TURN, CALL, REMINDER)
"""The kinds that come with the board, and with its buttons where it cannot be seen elsewhere."""
VERB: Final = "waiting"
"""Of the button that every notice has: by it a notice that arrived is known again."""


def uncalled(shown: board.Message) -> board.Message:
    """A board that calls nobody: whoever is awaited is told in another way."""
    return replace(shown, mentions=board.NOBODY, call="")


async def speaker(services: Services, user_id: int, otherwise: str) -> Language:
    """The language of a user whom no interaction shows: their own choice, else what their Discord spoke last, else
    that of the game's place.
    """
    reader = await services.preferences.of_user(user_id)
    return language(next((code for code in (reader["language"], reader["heard"]) if code in CODES), otherwise))


async def line(services: Services, notice: Notice, seated: Seated | None, say: Language) -> str:
    """The notice in words."""
    if seated is None:
        return await digest(services, notice.user_id, say)
    key = f"notice.{notice.body.get('text', notice.kind)}"
    more: dict[str, str] = {}
    if notice.kind in {TURN, CALL} and seated.table.offer is not None and seated.awaited == notice.user_id:
        key = f"{key}_offer"
    if notice.kind == TURN and await services.boards.hindrance(seated.id) == delivery_errors.GONE:
        key = "notice.turn_gone"
    if notice.kind == REMINDER:
        more["when"] = clock_words.stamp(clock_words.due(seated) or notice.due, "R")
    return say(key, **about(seated, notice.user_id), **more)


def about(seated: Seated, user_id: int) -> dict[str, str]:
    """The parameters of every text about a game, for one of its players."""
    other = next((player for player in seated.players if player != user_id), user_id)
    return {"game": seated.table.game.name, "opponent": f"<@{other}>", "link": board.link(seated)}


async def waiting(services: Services, user_id: int) -> list[Seated]:
    """The games in which the user is awaited."""
    return [seated for seated in await services.tables.of(user_id) if seated.awaited == user_id]


async def digest(services: Services, user_id: int, say: Language) -> str:
    """The games that wait for a user; those with the least time first."""
    now = services.now()
    waits = my_games.in_order(await waiting(services, user_id), user_id, now)
    lines = [say("notice.digest", n=len(waits)), *(my_games.line(seated, user_id, now, say) for seated in waits)]
    return "\n".join(board.fitted(lines[0], lines[1:], []))


async def picture(services: Services, notice: Notice, seated: Seated, say: Language) -> list[discord.File]:
    """The board as the user would see it, for the notices that call."""
    if notice.kind not in SHOWN or seated.table.outcome is not None:
        return []
    reader = await services.preferences.of_user(notice.user_id)
    names = await services.people.names(seated.players)
    pair = (names[seated.players[0]], names[seated.players[1]])
    below = board.side_below(seated, notice.user_id, reader["below"])
    happened = " ".join(board.latest(seated, say))
    return [await pictures.board(seated.table, below, say, reader["theme"], pair, happened)]


def view(notice: Notice, seated: Seated | None, say: Language) -> discord.ui.View:
    """The buttons to move or to answer, where no board has them; the link to the board; and the games that wait."""
    items: list[discord.ui.Item[Any]] = []
    if seated is not None and notice.kind == TURN:
        items += ways_of(seated, notice.user_id, say)
    if seated is not None and notice.kind not in {TURN, GONE}:
        items.append(discord.ui.Button(label=say("button.to_board"), url=board.link(seated)))
    items.append(PressButton(Press(VERB, notice.id, 0), say("button.waiting")))
    return view_of(*items)


@on_press(VERB)
async def show_waiting(client: Any, answer: Answer, press: Press) -> None:
    """The games that wait for who asks."""
    del press
    await my_games.show_list(client, answer, 0, fresh=True)
