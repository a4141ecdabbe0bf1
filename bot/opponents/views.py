"""The private message to play the machine, with a button for each game. A button begins its game at once."""

from math import ceil
from typing import Any, Final

import discord

from bot.board.message import link
from bot.challenges import form
from bot.challenges.proposal import Wishes
from bot.challenges.starting.views import WITHOUT_THREADS
from bot.challenges.views import check_machine, post
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.service import GameService
from bot.players.machines import Machines, highest_of, is_machine, machine_title
from bot.players.service import PreferenceService
from engine.registry import GAMES, find

handlers: Final = Handlers()

IN_A_ROW: Final = 5
"""The most buttons that Discord puts side by side."""
LATEST: Final = 10
"""The user's latest games, among which the last one against the machine is looked for."""


@handlers.on("machine")
async def choose(answer: Answer, press: Press) -> None:
    """Opens the message with the level of the user's last game against the machine. Raises Refused if none plays.

    Who has just learnt a game, which the button names, and has not played the machine yet, begins at the lowest level.
    """
    machines, last = answer.service(Machines), await last_game(answer)
    usual = machines.usual
    learnt = press.subject if press.subject in GAMES else ""
    if last is not None:
        level = last[1] if last[1] in machines.levels else usual
    else:
        level = machines.levels[0] if learnt else usual
    await show(answer, level, fresh=True, proposed=learnt)


async def last_game(answer: Answer) -> tuple[str, int] | None:
    """Returns the key and the level of the user's last game against the machine, if it is among the latest games."""
    for game in await answer.service(GameService).recent(answer.user_id, LATEST):
        for player in game.players:
            if is_machine(player):
                return game.game, player
    return None


async def show(answer: Answer, level: int, *, fresh: bool, proposed: str = "") -> None:
    """Shows the games and the levels, and the way to all other options. ``proposed``: the game in colour; by default
    the one of the user's last game against the machine, or all.

    If another game runs here and the new one has no other place, the message says so, and the games can be chosen once
    that game is over.
    """
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    check_machine(answer, level, server)
    running = await answer.service(GameService).at(answer.interaction.channel_id or 0)
    taken = running is not None and isinstance(answer.interaction.channel, WITHOUT_THREADS)
    say, levels = answer.say, answer.service(Machines).levels
    last = await last_game(answer)
    marked = proposed or (last[0] if last else "")
    items: list[discord.ui.Item[Any]] = [
        play_button(key, level, say, row=number // IN_A_ROW, disabled=taken, marked=marked in {"", key})
        for number, key in enumerate(GAMES)
    ]
    below = ceil(len(GAMES) / IN_A_ROW)
    items += [
        form.level_menu(Press("machine_level", proposed or "me", 0), levels, level, say, row=below),
        PressButton(Press("machine_options", "me", level), say("button.machine_options"), row=below + 1),
    ]
    text = say("machine.choose", opponent=machine_title(level, say))
    if taken and running is not None:
        text = say("machine.taken", game=running.game.name, board=link(running))
        if running.seats_of(answer.user_id):
            items.append(PressButton(Press("resign", running.id, running.seq), say("button.resign"), row=below + 1))
    await answer.show(text, view=view_of(*items), fresh=fresh)


def play_button(game: str, level: int, say: Language, row: int, *, disabled: bool, marked: bool) -> PressButton:
    """Returns the button that begins a game at the level, or at the machine's highest level in it, which the label then
    names. ``marked``: in colour, as the game played last is.
    """
    name, highest = GAMES[game].name, highest_of(game)
    label = name if level <= highest else say("button.machine_play_level", game=name, n=highest)
    return PressButton(
        Press("machine_play", game, min(level, highest)),
        label,
        "good" if marked else "plain",
        row=row,
        disabled=disabled,
    )


@handlers.on("machine_level")
async def choose_level(answer: Answer, press: Press) -> None:
    proposed = press.subject if press.subject in GAMES else ""
    await show(answer, form.checked_level(read_id(press.value)), fresh=False, proposed=proposed)


@handlers.on("machine_play")
async def play(answer: Answer, press: Press) -> None:
    """Begins a game with the usual choices. Further presses of the message begin no second game."""
    message = answer.interaction.message
    form_id = None if message is None else f"{message.id:x}"
    await post(answer, Wishes(find(press.subject).key), form.checked_level(press.seq), form_id=form_id)


@handlers.on("machine_options")
async def options(answer: Answer, press: Press) -> None:
    """Opens the form of a challenge in place of the message."""
    await form.show(answer, form.checked_level(press.seq), fresh=False)
