"""A leaderboard as a picture and in words, with pages, for this server or for everybody."""

import io
from dataclasses import replace
from typing import Final, NamedTuple

import discord

from bot.board.pictures import ALT_LENGTH
from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import escaped
from bot.players.service import PlayerNames
from bot.profiles.ranking import Board, Ranked
from bot.profiles.service import PAGES, PER_PAGE, ProfileService
from bot.profiles.tables import EVERYBODY
from bot.profiles.views import pace_text
from bot.ratings.pace import CORRESPONDENCE, LIVE
from engine.registry import GAMES, find
from render.people import pictures
from render.people.views import LeaderboardView, Rank

handlers: Final = Handlers()

SERVER: Final = "server"
ALL: Final = "all"
SCOPES: Final = (SERVER, ALL)
CONTENT: Final = 2000


class PageRequest(NamedTuple):
    """The requested page of a leaderboard; ``page`` 0 is the first."""

    game: str
    pace: str
    scope: str
    page: int = 0


@handlers.on("top")
async def turn_page(answer: Answer, press: Press) -> None:
    """Shows another page or another leaderboard: the rest is ``PACE|SCOPE|BUTTON``."""
    pace, scope, *_ = (*press.rest.split("|"), "", "")
    known = press.subject in GAMES and pace in {LIVE, CORRESPONDENCE} and scope in SCOPES
    request = (
        PageRequest(press.subject, pace, scope, min(press.seq, PAGES - 1))
        if known
        else PageRequest(next(iter(GAMES)), CORRESPONDENCE, ALL)
    )
    await show(answer, request, fresh=False)


async def show(answer: Answer, request: PageRequest, *, fresh: bool) -> None:
    """Shows a page of a leaderboard. In direct messages it is that of everybody."""
    guild_id = answer.interaction.guild_id
    if guild_id is None:
        request = request._replace(scope=ALL)
    board = Board(guild_id if request.scope == SERVER and guild_id else EVERYBODY, request.game, request.pace)
    service = answer.service(ProfileService)
    ranked, more = await service.page(board, request.page)
    own = await service.place(board, answer.user_id)
    names = await answer.service(PlayerNames).names((player.user_id for player in ranked), answer.say)
    view = _view(answer, request, ranked, names, own)
    data = await render_queue.pictures.draw(pictures.leaderboard, view)
    words = _in_words(replace(view, ranks=tuple(rank._replace(name=escaped(rank.name)) for rank in view.ranks)))
    file = discord.File(
        io.BytesIO(data), filename="top.png", description=_in_words(view).replace("**", "")[:ALT_LENGTH]
    )
    buttons = view_of(*_buttons(answer, request, more=more, in_server=guild_id is not None))
    await answer.show(words[:CONTENT], files=[file], view=buttons, fresh=fresh)


def _view(
    answer: Answer, request: PageRequest, ranked: list[Ranked], names: dict[int, str], own: int | None
) -> LeaderboardView:
    say = answer.say
    ranks = tuple(
        Rank(
            str(request.page * PER_PAGE + number),
            names[player.user_id] or say("profile.nameless"),
            str(round(player.rating)),
            say("top.contests", n=player.contests),
            player.user_id == answer.user_id,
        )
        for number, player in enumerate(ranked, 1)
    )
    place = say("top.unplaced") if own is None else say("top.place", place=own + 1)
    about = f"{pace_text(request.pace, say)} · {say(f'top.{request.scope}')} · {place}"
    return LeaderboardView(find(request.game).name, about, ranks, say("top.empty"), answer.theme)


def _in_words(view: LeaderboardView) -> str:
    lines = [f"{rank.place}. {rank.name} · {rank.rating} · {rank.detail}" for rank in view.ranks]
    return "\n".join([f"**{view.title}** · {view.about}", *(lines or [view.empty])])


def _buttons(answer: Answer, request: PageRequest, *, more: bool, in_server: bool) -> list[PressButton]:
    """Returns the buttons to other pages, to the other pace, and to the other scope."""

    def button(name: str, label: str, to: PageRequest, *, enabled: bool = True) -> PressButton:
        press = Press("top", to.game, to.page, f"{to.pace}|{to.scope}|{name}")
        return PressButton(press, answer.say(label), disabled=not enabled)

    page = request.page
    pace = LIVE if request.pace == CORRESPONDENCE else CORRESPONDENCE
    scope = ALL if request.scope == SERVER else SERVER
    found = [
        button("back", "button.back", request._replace(page=max(0, page - 1)), enabled=page > 0),
        button("forward", "button.forward", request._replace(page=page + 1), enabled=more),
        button("pace", f"button.top.{pace}", request._replace(pace=pace, page=0)),
    ]
    if in_server:
        found.append(button("scope", f"button.top.{scope}", request._replace(scope=scope, page=0)))
    return found
