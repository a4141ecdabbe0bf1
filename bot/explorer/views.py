"""The explorer:
a position with its picture, the moves played from it on this server, and a menu to step into a move.
"""

from dataclasses import replace
from typing import Any, Final

import discord

from bot.board import pictures
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.explorer.counting import Counts
from bot.explorer.line import Line, Origin, line_of, read_line, shown_move, start_of
from bot.explorer.service import Explored, ExplorerService
from bot.games.service import GameService
from engine.core.errors import Refused, RuleError, Translated
from engine.core.game import CHANCE, Game
from engine.registry import GAMES
from render.view import View

handlers: Final = Handlers()

FEW: Final = 10
"""The number of games below which the figures mean little."""
PER_MENU: Final = 25
FENCE: Final = "```"


async def first_line(answer: Answer, game: str, position: str) -> Line:
    """Returns the line to begin with: the typed position, or the start of the game, or the game of this channel.

    A finished game begins at its start, a running one at its present position. Raises RuleError.
    """
    if position:
        return _typed(game, position.strip())
    if game:
        return start_of(game)
    live = await answer.service(GameService).latest_at(answer.interaction.channel_id or 0)
    if live is None:
        return start_of(next(iter(GAMES)))
    line = line_of(live.record)
    return replace(line, moves=()) if live.is_over else line


def _typed(game: str, position: str) -> Line:
    refusal: RuleError | None = None
    for key in [game] if game else GAMES:
        line = replace(start_of(key), origin=Origin.TYPED, position=position)
        try:
            # the canonical text, as the message shows it and a press reads it there
            line = replace(line, position=line.rules.encode(line.state()))
        except RuleError as error:
            refusal = error
        else:
            return line
    raise refusal if game and refusal else Refused("explore.unreadable")


async def show(answer: Answer, line: Line, *, fresh: bool) -> None:
    """Shows the position at the end of the line. Raises RuleError."""
    guild_id, rules = answer.interaction.guild_id, line.rules
    if guild_id is None:
        raise Refused("explore.server")
    line = line.shortened()
    state = line.state()
    service = answer.service(ExplorerService)
    await service.require_fair(answer.user_id, rules, state, typed=line.origin is Origin.TYPED)
    found = await service.explore(guild_id, rules, state)
    file = await pictures.of_state(rules, state, View(theme=answer.theme), answer.say)
    content = "\n".join(_lines(line, state, found, answer.say))
    items = _items(line, state, found, answer.say)
    await answer.show(content, files=[file], view=view_of(*items) if items else None, fresh=fresh)


def _lines(line: Line, state: Any, found: Explored, say: Language) -> list[str]:
    """Returns the lines of the message. ``read_line`` reads the second of them."""
    rules, total = line.rules, found.total
    lines = [say("explore.title", game=rules.name), f"-# {line.shown()}" if line.shown() else say("explore.start")]
    actor = rules.to_act(state)
    if actor is None:
        return [*lines, say("explore.over")]
    lines.append(
        say(
            "explore.roll" if actor == CHANCE else "explore.turn",
            seat=Translated(f"@side.{rules.seats[max(actor, 0)]}"),
        )
    )
    if not total.games:
        return [*lines, say("explore.none")]
    seats = {"first": Translated(f"@seat.{rules.seats[0]}"), "second": Translated(f"@seat.{rules.seats[1]}")}
    shares = {name: f"{share:.0%}" for name, share in zip(("won", "drawn", "lost"), _shares(total), strict=True)}
    lines.append(say("explore.total", n=total.games, **seats, **shares))
    if total.games < FEW:
        lines.append(say("explore.few"))
    more = _is_worth_more(rules, line)
    legend = say("explore.columns_points" if more else "explore.columns", **seats)
    return [*lines, f"-# {legend}", FENCE, *(_row(name, counts, points=more) for name, counts in found.moves), FENCE]


def _is_worth_more(rules: Game[Any, Any], line: Line) -> bool:
    """Returns whether a game can be won with more than one point. Only then are average points shown."""
    return rules.resign_values(rules.start(line.options), 0)[-1] > 1


def _shares(counts: Counts) -> tuple[float, float, float]:
    """Returns the shares that the first seat won, that were drawn, and that the second seat won."""
    return counts.wins0 / counts.games, counts.draws / counts.games, counts.wins1 / counts.games


def _row(name: str, counts: Counts, *, points: bool) -> str:
    shares = " ".join(f"{share:>4.0%}" for share in _shares(counts))
    mean = f" {counts.points0 / counts.games:+5.2f}".replace("-", "\N{MINUS SIGN}") if points else ""
    return f"{counts.games:>5} {shares}{mean}  {shown_move(name)}"


def _items(line: Line, state: Any, found: Explored, say: Language) -> list[discord.ui.Item[Any]]:
    items: list[discord.ui.Item[Any]] = []
    rolls = line.rules.to_act(state) == CHANCE
    for number, since in enumerate(range(0, len(found.moves), PER_MENU)):
        options = [
            discord.SelectOption(label=shown_move(name), value=name, description=say("explore.games", n=counts.games))
            for name, counts in found.moves[since : since + PER_MENU]
        ]
        press = _press("explore_step", line, f"|{number}")
        items.append(PressMenu(press, say("explore.step_roll" if rolls else "explore.step"), options, row=number))
    if line.moves:
        items.append(PressButton(_press("explore_back", line), say("explore.back"), row=4))
    return items


def _press(verb: str, line: Line, more: str = "") -> Press:
    return Press(verb, line.game, int(line.origin), line.packed_options() + more)


def _carried(answer: Answer, press: Press) -> Line:
    """Returns the line of the pressed message. Raises Refused."""
    message = answer.interaction.message
    content = "" if message is None else message.content
    return read_line(press.subject, press.seq, press.rest.partition("|")[0], content)


@handlers.on("explore_step")
async def step(answer: Answer, press: Press) -> None:
    """Steps into the chosen move or roll."""
    line = _carried(answer, press)
    await show(answer, replace(line, moves=(*line.moves, *press.values[:1])), fresh=False)


@handlers.on("explore_back")
async def back(answer: Answer, press: Press) -> None:
    """Goes back by one move or roll."""
    line = _carried(answer, press)
    await show(answer, replace(line, moves=line.moves[:-1]), fresh=False)
