"""The replay of a game: first, back, forward, last, animation and record. It is private, for users who may look at the
game.

Share posts a message about the game with a button that opens the replay. Users who press it must have access, too.
"""

import asyncio
import io
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import discord

from bot.archive import record
from bot.archive.finished import ListedGame
from bot.board import message as board
from bot.board import pictures, story
from bot.board.access import require_access
from bot.core import render_queue
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.limits.rates import WORK
from bot.core.messages import NOBODY
from bot.core.translations import Language
from bot.games.live import LiveGame, read_notes
from bot.games.service import GameService
from bot.games.stored import FinishedGame
from bot.matches.tournament_names import TournamentNames
from bot.players.asker import names_of, public_language
from bot.players.mentions import mention
from engine.core.errors import Translated
from engine.core.game import Seat
from engine.core.record import TURN_KINDS, sealed
from engine.core.table import Table, replay_tables
from engine.registry import find
from render import registry
from render.view import View

handlers: Final = Handlers()

FRAMES: Final = 200
"""The most positions in an animation. Of a longer game it shows the last ones."""


def moments(live: LiveGame) -> list[Table[Any, Any]]:
    """Returns the tables that a replay shows: the start, after each turn that changed the board, and the end."""
    found: list[Table[Any, Any]] = []
    for table in replay_tables(live.game, live.record):
        entry = table.record.entries[-1] if table.seq else None
        moved = table.last_move is table.last_turn  # a pass or a cube action moves nothing
        if entry is None or (entry.kind in TURN_KINDS and moved):
            found.append(table)
    if found[-1].seq != live.seq:
        found.append(live.table)
    return found


@handlers.on("look")
async def show_moment(answer: Answer, press: Press) -> None:
    """Shows another moment: ``seq`` is its number, the rest ``BUTTON|SIDE``, the button and the seat below."""
    live = await visible_game(answer, press.subject)
    await show(answer, live, press.seq, fresh=False, side=press.rest.partition("|")[2])


@handlers.on("replay")
async def open_replay(answer: Answer, press: Press) -> None:
    await show(answer, await visible_game(answer, press.subject), None, fresh=True)


async def visible_game(answer: Answer, game_id: str) -> LiveGame:
    """Returns the game, with its notes. Raises Refused if it does not exist, or if the user may not look at it."""
    live = await answer.service(GameService).get(game_id)
    await require_access(answer, live)
    await read_notes(live.table)
    return live


async def show(answer: Answer, live: LiveGame, number: int | None, *, fresh: bool, side: str = "") -> None:
    """Shows the ``number``-th moment (None: the last), with the seat ``side`` below if it is given."""
    all_moments = await asyncio.to_thread(moments, live)
    last = len(all_moments) - 1
    number = last if number is None else min(number, last)
    table = all_moments[number]
    names, below = await names_of(answer, live.players), side_below(live, answer, side)
    happened = story.in_one(story.latest(replace(live, table=table), answer.say))
    file = await pictures.board(table, below, answer.say, answer.theme, names, happened)
    content = describe(live, table, all_moments[number - 1].seq if number else 0, answer.say)
    view = view_of(*_buttons(live, table, number, last, below, answer.say))
    await answer.show(content, files=[file], view=view, fresh=fresh)


def side_below(live: LiveGame, answer: Answer, side: str = "") -> Seat:
    """Returns the seat below, the same for the whole replay: ``side`` if it is given, as by the Flip button.

    Otherwise it is the user's own seat. It is the first seat for users who do not play, play both seats, or prefer the
    first seat.
    """
    if side in {"0", "1"}:
        return int(side)
    seats = live.seats_of(answer.user_id)
    return seats[0] if len(seats) == 1 and answer.prefs["below"] != "first" else 0


def ended(points: int) -> str:
    """Returns ``won``, ``lost`` or ``drawn``, by a player's points."""
    return "drawn" if points == 0 else "won" if points > 0 else "lost"


def summary(game: FinishedGame | ListedGame, user_id: int, names: Mapping[int, str], say: Language) -> str:
    """Describes a finished game in a list: its name, the opponent, and whether ``user_id`` won."""
    other = next((player for player in game.players if player != user_id), user_id)
    points = game.outcome.points[game.players.index(user_id)]
    reached = ended(points) if game.outcome.has_result else game.outcome.reason.removeprefix("end.")
    return say(
        "replay.summary",
        game=find(game.game).name,
        opponent=names[other] or "?",
        state=Translated(f"@replay.{reached}"),
    )


def describe(live: LiveGame, table: Table[Any, Any], since: int, say: Language) -> str:
    """Writes the text of a moment: the players, the number of the turn, and the last events.

    ``since`` is the ``seq`` of the moment before. If there were only rolls since, the text repeats the latest turn,
    which the picture marks.
    """
    number, last = story.turns_made(table), story.turns_made(live.table)
    no_turn = number == story.turns_made(table, since)  # only at the end of what there is
    end = "replay.end" if live.is_over else "replay.now"
    key = "replay.start" if not number else end if no_turn else "replay.turn"
    lines = [board.heading(live, say), say(key, number=number, n=last)]
    closing = [board.status(live, say)] if table.outcome is not None else []
    there, entries = replace(live, table=table), table.record.entries
    played = any(entry.kind in TURN_KINDS for entry in entries[since:])
    happened = story.story(there, say, since) if played else story.latest(there, say)
    return "\n".join(board.fitted("\n".join(lines), happened, closing))


def _buttons(
    live: LiveGame, table: Table[Any, Any], number: int, last: int, below: Seat, say: Language
) -> list[PressButton]:
    steps = (("first", 0), ("back", max(number - 1, 0)), ("forward", min(number + 1, last)), ("last", last))
    looks = [
        PressButton(Press("look", live.id, to, f"{name}|{below}"), say(f"button.{name}"), disabled=to == number)
        for name, to in steps
    ]
    flip = PressButton(Press("look", live.id, number, f"flip|{1 - below}"), say("button.flip"), row=1)
    others = [
        PressButton(Press(verb, live.id, live.seq, str(below)), say(f"button.{verb}"), row=1)
        for verb in ("film", "share", "record")
    ]
    analyse = PressButton(Press("analyse", live.id, table.seq, str(below)), say("button.analyse"), row=1)
    return [*looks, flip, *([analyse] if live.is_over else []), *others]


@handlers.on("share")
async def share(answer: Answer, press: Press) -> None:
    """Posts the game in this channel: the players, the score, the link to its board, and a button for the replay."""
    answer.context.check_posts(answer.user_id)
    live = await visible_game(answer, press.subject)
    say = await public_language(answer)
    replay = PressButton(Press("replay", live.id, live.seq), say("button.replay"))
    shared = say("replay.shared", player=mention(answer.user_id, say))
    walkover = await answer.service(TournamentNames).walkover(live)
    lines = [shared, board.heading(live, say), board.status(live, say, walkover), board.link(live)]
    await answer.public("\n".join(lines), view_of(replay), NOBODY)


@handlers.on("record")
async def send_record(answer: Answer, press: Press) -> None:
    """Sends the record privately: the last turns as text, all turns as a file, and the file for checking the dice."""
    live = await visible_game(answer, press.subject)
    texts = {f"{live.game.key}.txt": record.text(live, answer.say, await names_of(answer, live.players))}
    proof = ""
    if live.record.header.commitment:
        proof = f"{live.game.key}.record"
        texts[proof] = sealed(str(live.record))
    files = [discord.File(io.BytesIO(text.encode()), filename=name) for name, text in texts.items()]
    await answer.private(record.message(live, answer.say, proof), files=files)


@handlers.on("film")
async def send_animation(answer: Answer, press: Press) -> None:
    """Sends the game as an animation, privately. Drawing takes a while, so the answer is deferred first."""
    answer.context.check_rate(answer.user_id, WORK)
    await answer.defer()
    live = await visible_game(answer, press.subject)
    names, below = await names_of(answer, live.players), side_below(live, answer, press.rest)
    found = await asyncio.to_thread(moments, live)
    view = View(below=below, theme=answer.theme, names=names)
    shown = [
        (table.state, pictures.with_words(live.game, table.state, replace(view, last=marks), answer.say))
        for table, marks in ((table, pictures.last_marks(table)) for table in found[-FRAMES:])
    ]
    data = await render_queue.films.draw(registry.animation, live.game.key, shown)
    happened = story.in_one(story.latest(live, answer.say))
    alt = pictures.alt(live.game, live.state, View(below=below, over=live.is_over), answer.say, happened)
    file = discord.File(io.BytesIO(data), filename="game.webp", description=alt)
    whole, first = len(shown) == len(found), found[-len(shown)]
    turns = story.turns_made(live.table) - (0 if whole else story.turns_made(first) - 1)
    await answer.private(answer.say("replay.film" if whole else "replay.film_end", n=turns), files=[file])
