"""The analysis board: shows imported games and positions, steps through them, and tries other turns."""

import asyncio
import re
from functools import wraps
from typing import Any, Final, NamedTuple

import discord

from bot.archive.views import visible_game
from bot.board import pictures
from bot.board.cube_actions import is_cube_action
from bot.core.interactions.answer import Answer, Handler
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import Press, read_number
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import escaped
from bot.core.translations import Language
from bot.exchange.analysis import LINE, Analysis, at, moment_of, moments, to_roll
from bot.exchange.service import ExchangeService
from bot.games.live import read_notes
from bot.games.notation import in_language, to_notation
from bot.moves.suggestions import suggestions
from bot.players.asker import names_of
from engine.core.errors import Refused, RuleError
from engine.core.game import CHANCE
from engine.core.record import TURN_KINDS, Kind
from engine.core.table import Table
from engine.exchange import FORMATS, BadLine, Positions
from engine.kits.cube import counts_points

handlers: Final = Handlers()

OPTIONS: Final = 25
"""The most options of a menu."""
END: Final = 9_999
"""A moment beyond every game: it means the last one."""
NUMBER: Final = re.compile(r"-1|[0-9]{1,6}")
"""The number of a game, or LINE, in a custom_id."""


class Shown(NamedTuple):
    """The content of the board: a moment of a game or LINE, with a seat below."""

    number: int
    moment: int
    below: int

    def press(self, verb: str, analysis: Analysis, what: str = "") -> Press:
        return Press(verb, analysis.id, max(self.moment, 0), f"{self.number}|{self.below}|{what}")


def read_shown(press: Press) -> Shown:
    """Reads the content of the pressed board: ``seq`` is the moment, the rest ``NUMBER|BELOW|WHAT``."""
    number, below, *_ = (*press.rest.split("|"), "", "")
    return Shown(int(number) if NUMBER.fullmatch(number) else 0, press.seq, int(below == "1"))


async def open_text(answer: Answer, text: str) -> None:
    """Opens an analysis board of a position or a file. Raises RuleError for an unreadable text."""
    try:
        analysis = await answer.service(ExchangeService).open(answer.user_id, text)
    except RuleError as error:
        if error.key == "exchange.unknown":  # there is no way to name the format here
            raise Refused("import.unknown") from error
        if not isinstance(error, BadLine):
            raise
        why = answer.say.error(error.cause)
        raise Refused("import.line", line=error.line, text=error.params["text"], why=why) from error
    await show(answer, analysis, Shown(0, 0, _first_below(analysis)), fresh=True)


def _first_below(analysis: Analysis) -> int:
    """Returns the seat to act in the first position, or the first seat if none is."""
    return max(at(analysis.games[0], 0).to_act or 0, 0)


async def show(answer: Answer, analysis: Analysis, shown: Shown, *, fresh: bool) -> None:
    record = analysis.record(shown.number)
    if record is not analysis.line:
        shown = shown._replace(number=min(max(shown.number, 0), len(analysis.games) - 1))
    last = len(moments(record)) - 1
    shown = shown._replace(moment=min(max(shown.moment, 0), last))
    table = await asyncio.to_thread(at, record, shown.moment)
    await read_notes(table)
    content = "\n".join(words(analysis, shown, table, last, answer.say))
    happened, names = latest(table, answer.say), analysis.names_in(shown.number)
    file = await pictures.board(table, shown.below, answer.say, answer.theme, names, happened)
    await answer.show(
        content, files=[file], view=view_of(*_items(analysis, shown, table, last, answer.say)), fresh=fresh
    )


# --- in words --------------------------------------------------------------------------------------------------------


def words(analysis: Analysis, shown: Shown, table: Table[Any, Any], last: int, say: Language) -> list[str]:
    """Writes the text of the board: the moment, the last event, the seat to act, and the texts of the position."""
    names = " \u2013 ".join(escaped(name) for name in analysis.names_in(shown.number) if name)
    lines = [say("analysis.heading", game=table.game.name, names=f" · {names}" if names else "")]
    if shown.number == LINE and analysis.line is not None:
        lines.append(say("analysis.line", number=shown.moment, n=last))
    elif last or len(analysis.games) > 1:  # a position alone has no moments to count
        key = "analysis.game" if len(analysis.games) > 1 else "analysis.moment"
        lines.append(say(key, game=shown.number + 1, games=len(analysis.games), number=shown.moment, n=last))
    return [*lines, *filter(None, (latest(table, say),)), turn(table, say), *position_texts(table)]


def latest(table: Table[Any, Any], say: Language) -> str:
    """Describes the last turn or roll; empty at the start."""
    for entry, notes in zip(reversed(table.record.entries), reversed(table.notes), strict=True):
        if entry.kind in TURN_KINDS:
            key = f"story.{notes[0].key}" if notes else ""
            if is_cube_action(notes) and say.has(key):
                return say(key, seat=_seat(table, entry.seat, say), **notes[0].params)
            if is_cube_action(notes):  # a roll in place of a double
                continue
            return say("analysis.played", seat=_seat(table, entry.seat, say), move=in_language(entry.body, say))
        if entry.kind is Kind.CHANCE:
            return say("analysis.rolled", dice="-".join(entry.body.split(" ")[0]))
    return ""


def turn(table: Table[Any, Any], say: Language) -> str:
    """Says whose turn it is, or how the game ended."""
    outcome = table.outcome
    if outcome is None:
        seat = table.to_act
        roll = seat in {None, CHANCE}
        return say("analysis.to_roll") if roll else say("analysis.to_play", seat=_seat(table, seat or 0, say))
    if outcome.winner is None:
        return say("analysis.drawn", reason=say(outcome.reason))
    winner = _seat(table, outcome.winner, say)
    if counts_points(table.options):
        return say("analysis.won_points", seat=winner, reason=say(outcome.reason), n=abs(outcome.points[0]))
    return say("analysis.won", seat=winner, reason=say(outcome.reason))


def position_texts(table: Table[Any, Any]) -> list[str]:
    """Writes the position in each format that can hold it."""
    texts: dict[str, None] = {}
    positions = Positions(table.game.key, (table.game.encode(table.state),))
    for form in FORMATS.values():
        if form.games and table.game.key not in form.games:
            continue
        try:
            texts[form.write(positions).strip()] = None
        except RuleError:  # a format of whole games, or one that cannot hold this position
            continue
    return [f"`{text}`" for text in texts if "\n" not in text]


def _seat(table: Table[Any, Any], seat: int, say: Language) -> str:
    return say(f"side.{table.game.seats[seat]}")


# --- buttons and menus -----------------------------------------------------------------------------------------------


def _items(
    analysis: Analysis, shown: Shown, table: Table[Any, Any], last: int, say: Language
) -> list[discord.ui.Item[Any]]:
    def button(verb: str, name: str, to: Shown, row: int, *, enabled: bool = True) -> PressButton:
        return PressButton(to.press(verb, analysis, name), say(f"button.{name}"), disabled=not enabled, row=row)

    number = shown.moment
    steps = (("first", 0), ("back", max(number - 1, 0)), ("forward", min(number + 1, last)), ("last", last))
    items: list[discord.ui.Item[Any]] = [
        button("analysis", name, shown._replace(moment=to), 0, enabled=to != number) for name, to in steps
    ]
    items.append(button("analysis", "flip", shown._replace(below=1 - shown.below), 0))
    if table.to_act is not None:
        items.append(button("analysis_type", "analysis_type", shown, 1))
    if to_roll(table) is not None:
        items.append(button("analysis_roll", "analysis_roll", shown, 1))
    if shown.number == LINE and analysis.line is not None:
        items.append(button("analysis_undo", "analysis_undo", shown, 1, enabled=bool(analysis.line.entries)))
        items.append(button("analysis_leave", "analysis_leave", shown, 1))
    elif analysis.line is not None:
        items.append(button("analysis", "analysis_line", Shown(LINE, END, shown.below), 1))
    return [*items, *_menus(analysis, shown, table, say)]


def _menus(analysis: Analysis, shown: Shown, table: Table[Any, Any], say: Language) -> list[PressMenu]:
    """Returns the menus of the turns to try here, and of the games."""
    menus = []
    if table.to_act not in {None, CHANCE} and table.game.enumerates_turns:
        found = suggestions(table.game, table.state, "", say)[:OPTIONS]
        options = [discord.SelectOption(label=label, value=text) for label, text in found]
        if options:
            menus.append(PressMenu(shown.press("analysis_play", analysis), say("analysis.choose"), options, row=2))
    if len(analysis.games) > 1:
        options = [
            discord.SelectOption(label=say("analysis.option", number=number + 1), value=str(number))
            for number in _window(len(analysis.games), shown.number)
        ]
        menus.append(PressMenu(shown.press("analysis_game", analysis), say("analysis.games"), options, row=3))
    return menus


def _window(count: int, middle: int) -> range:
    """Returns at most OPTIONS numbers below ``count``, around ``middle``."""
    start = min(max(middle - OPTIONS // 2, 0), max(count - OPTIONS, 0))
    return range(start, min(count, start + OPTIONS))


# --- presses ---------------------------------------------------------------------------------------------------------


def one_at_a_time(handler: Handler) -> Handler:
    """Decorates a handler so that it handles one press of a user at a time, as each press replays a game."""

    @wraps(handler)
    async def alone(answer: Answer, press: Press) -> None:
        async with answer.service(ExchangeService).one_at_a_time(answer.user_id):
            await handler(answer, press)

    return alone


async def _own(answer: Answer, press: Press) -> Analysis:
    return await answer.service(ExchangeService).get(press.subject, answer.user_id)


@handlers.on("analysis")
@one_at_a_time
async def look(answer: Answer, press: Press) -> None:
    """Shows another moment, or the other side below."""
    await show(answer, await _own(answer, press), read_shown(press), fresh=False)


@handlers.on("analyse")
@one_at_a_time
async def analyse(answer: Answer, press: Press) -> None:
    """Opens a finished game after ``seq`` entries, with the seat of the rest below."""
    live = await visible_game(answer, press.subject)
    names = await names_of(answer, live.players)
    analysis = await answer.service(ExchangeService).open_game(answer.user_id, live, names)
    below = int(press.rest == "1")
    await show(answer, analysis, Shown(0, moment_of(live.record, press.seq), below), fresh=True)


@handlers.on("analysis_game")
@one_at_a_time
async def choose_game(answer: Answer, press: Press) -> None:
    """Shows another game from its start."""
    chosen = read_number(press.value)
    await show(answer, await _own(answer, press), Shown(chosen, 0, read_shown(press).below), fresh=False)


@handlers.on("analysis_play")
@one_at_a_time
async def choose_turn(answer: Answer, press: Press) -> None:
    await _play(answer, press, press.value)


@handlers.on("analysis_type")
@one_at_a_time
async def ask_turn(answer: Answer, press: Press) -> None:
    say, shown = answer.say, read_shown(press)
    analysis = await _own(answer, press)
    rolls = (await asyncio.to_thread(at, analysis.record(shown.number), shown.moment)).to_act == CHANCE
    key = "analysis.field.dice" if rolls else "analysis.field.move"
    field = Field("move", say(key), "", say(f"{key}.hint"), longest=300)
    await answer.form(form_of(shown.press("analysis_typed", analysis), say("button.analysis_type"), [field]))


@handlers.on("analysis_typed")
@one_at_a_time
async def typed_turn(answer: Answer, press: Press) -> None:
    await _play(answer, press, press.field("move"))


async def _play(answer: Answer, press: Press, text: str) -> None:
    shown = read_shown(press)
    analysis = await _own(answer, press)
    typed = to_notation(analysis.record(shown.number).header.game, text)
    made = await answer.service(ExchangeService).play(analysis, shown.number, shown.moment, typed)
    await show(answer, made, Shown(LINE, END, shown.below), fresh=False)


@handlers.on("analysis_roll")
@one_at_a_time
async def roll(answer: Answer, press: Press) -> None:
    shown = read_shown(press)
    made = await answer.service(ExchangeService).roll(await _own(answer, press), shown.number, shown.moment)
    await show(answer, made, Shown(LINE, END, shown.below), fresh=False)


@handlers.on("analysis_undo")
@one_at_a_time
async def undo(answer: Answer, press: Press) -> None:
    made = await answer.service(ExchangeService).undo(await _own(answer, press))
    await show(answer, made, Shown(LINE, END, read_shown(press).below), fresh=False)


@handlers.on("analysis_leave")
@one_at_a_time
async def leave(answer: Answer, press: Press) -> None:
    """Deletes the line, and shows the position at which it began."""
    analysis = await _own(answer, press)
    made = await answer.service(ExchangeService).drop_line(analysis)
    await show(answer, made, Shown(*analysis.origin, read_shown(press).below), fresh=False)
