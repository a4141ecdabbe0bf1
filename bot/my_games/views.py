"""A player's games: which of them needs them most, how much time is left, and the way from one to the next."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures, story
from bot.board.buttons import GameMenu, buttons_for
from bot.clocks import words as clock_words
from bot.core.interactions.answer import Answer, Context
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.players.asker import names_of
from engine.core.record import TURN_KINDS

handlers: Final = Handlers()

PER_PAGE: Final = 8
MINE, CLAIM, THEIRS, PAUSED = range(4)
"""How much a game needs a player, the most first."""


def need(live: LiveGame, user_id: int, now: int) -> int:
    """Which of MINE, CLAIM, THEIRS and PAUSED it is; ``now`` in ms since 1970."""
    table = live.table
    if live.awaited == user_id:
        return MINE if table.offer or not table.paused else PAUSED
    if live.may_claim(user_id, now):
        return CLAIM
    return PAUSED if table.paused else THEIRS


def in_order(running: Sequence[LiveGame], user_id: int, now: int) -> list[LiveGame]:
    """Those that need the user first; of these the ones with the least time, then the longest without a move."""

    def key(live: LiveGame) -> tuple[int, bool, int]:
        due = clock_words.due(live)
        moved = live.table.record.header.started + clock_words.present(live)
        return need(live, user_id, now), due is None, moved if due is None else due

    return sorted(running, key=key)


async def mine(context: Context, user_id: int) -> list[LiveGame]:
    """The user's running games in order of need."""
    running = [
        await context.services[GameService].informed(live, user_id)
        for live in await context.services[GameService].of(user_id)
    ]
    return in_order(running, user_id, context.services.now())


# --- the list --------------------------------------------------------------------------------------------------------


async def show_list(answer: Answer, page: int, *, fresh: bool) -> None:
    """A page of the asker's games."""
    say, now = answer.say, answer.now
    running = await mine(answer.context, answer.user_id)
    last = max(0, len(running) - 1) // PER_PAGE
    page = min(page, last)
    lines = [say("games.some", n=len(running)) if running else say("games.none")]
    lines += [line(live, answer.user_id, now, say) for live in running[page * PER_PAGE :][:PER_PAGE]]
    items: list[discord.ui.Item[Any]] = []
    if last:
        lines.append(say("games.page", number=page + 1, last=last + 1))
        items += [_turn(page - 1, "back", say, enabled=page > 0), _turn(page + 1, "forward", say, enabled=page < last)]
    waiting = sum(need(live, answer.user_id, now) <= CLAIM for live in running)
    if waiting:
        items.append(_next("", waiting, say))
    view = view_of(*items) if items else None
    await answer.show("\n".join(lines), view=view, fresh=fresh)


def _turn(page: int, verb: str, say: Language, *, enabled: bool) -> PressButton:
    return PressButton(Press("games", "me", max(page, 0), verb), say(f"button.{verb}"), disabled=not enabled)


@handlers.on("games")
async def turn_page(answer: Answer, press: Press) -> None:
    """Another page of the list, as it is now."""
    await show_list(answer, press.seq, fresh=False)


def line(live: LiveGame, user_id: int, now: int, say: Language) -> str:
    """``**Your turn** · Abalone against @Ben · ⏳ in 3 hours``, with a link to the board."""
    other = next((player for player in live.players if player != user_id), user_id)
    key = ("games.your_turn", "games.claim", "games.their_turn", "games.paused")[need(live, user_id, now)]
    told = say(key, game=f"[{live.table.game.name}]({board.link(live)})", opponent=f"<@{other}>")
    return " · ".join([told, *time_left(live, now, say)])


def time_left(live: LiveGame, now: int, say: Language) -> list[str]:
    """Until when whoever is to act has time, and what makes the clock stand."""
    table, clock = live.table, live.table.clock
    if clock is None or table.outcome is not None:
        return []
    if table.paused:
        return [
            say("games.left", left=clock_words.length(clock.left(table.to_act or 0, clock_words.present(live)), say))
        ]
    if table.overdue is not None:
        return [say("games.time_up")]
    due = clock_words.due(live)
    if due is None:
        return []
    return [say("games.until", relative=clock_words.stamp(due, "R")), *standing(live, now, say)]


def standing(live: LiveGame, now: int, say: Language) -> list[str]:
    """Why the clock that runs stands just now, if it does."""
    clock, at = live.table.clock, now - live.table.record.header.started
    if clock is None or clock.running is None:
        return []
    if any(since <= at < until for since, until in clock.away[clock.running]):
        return [say("games.away")]
    return [say("games.stands")] if clock_words.stands(clock, at) else []


# --- the next game ---------------------------------------------------------------------------------------------------


def _next(after: str, waiting: int, say: Language) -> PressButton:
    """``Next game (2 waiting)``, beginning after the game of that id."""
    return PressButton(Press("next", "me", 0, after), say("button.next_game", n=waiting), "primary")


@handlers.on("next")
async def open_next(answer: Answer, press: Press) -> None:
    """The board that needs the presser most after the one they come from, in place of what they were told last."""
    await show_next(answer, press.rest, fresh=False)


async def show_next(answer: Answer, after: str, *, fresh: bool) -> None:
    """The board of the game most in need, with the buttons to act; after the last of them, the first again."""
    say, now = answer.say, answer.now
    running = await mine(answer.context, answer.user_id)
    waiting = [live for live in running if need(live, answer.user_id, now) <= CLAIM]
    if not waiting:
        lines = [say("next.none")]
        due = clock_words.least(clock_words.due(live) for live in running)
        if due is not None:
            lines.append(say("next.due", relative=clock_words.stamp(due, "R")))
        await answer.show("\n".join(lines), fresh=fresh)
        return
    ids = [live.id for live in waiting]
    live = waiting[(ids.index(after) + 1) % len(ids) if after in ids else 0]
    names, below = await names_of(answer, live.players), board.side_below(live, answer.user_id, answer.prefs["below"])
    left = clock_words.frame(live, say, now - live.table.record.header.started)
    happened = story.latest(live, say)
    file = await pictures.board(live.table, below, say, answer.theme, names, " ".join(happened), left)
    lines = [board.heading(live, say), *happened]
    lines += [
        board.status(live, say),
        *clock_words.lines(live, say),
        *standing(live, now, say),
        board.link(live),
    ]
    items = buttons_for(live, answer.user_id, say)
    if len(waiting) > 1:
        skip = PressButton(Press("next", "me", 0, live.id), say("button.skip_game"), row=1)
        items.append(skip)
    content, view = "\n".join(board.fitted(lines[0], lines[1:-1], lines[-1:])), view_of(*items)
    await answer.show(content, files=[file], view=view, fresh=fresh)


# --- after a move ----------------------------------------------------------------------------------------------------


async def told_played(answer: Answer, seq: int, after: LiveGame) -> tuple[str, discord.ui.View | None]:
    """What is said to who has just played, ``seq`` entries being known before; and the way to their next game."""
    say, entries = answer.say, after.table.record.entries
    number = next((number for number in range(seq, len(entries)) if entries[number].kind in TURN_KINDS), seq)
    told = say("picker.played", move=entries[number].body)
    for note in after.table.notes[number][:1]:
        told = say(key, **note.params) if say.has(key := f"played.{note.key}") else told
    waiting = await answer.service(GameService).waiting(answer.user_id, but=after.id)
    items = [_next(after.id, waiting, say)] if waiting else []
    items += answer.service(GameMenu).buttons(after, answer.user_id, say)
    return told, view_of(*items) if items else None
