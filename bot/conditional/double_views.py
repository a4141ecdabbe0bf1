"""The private panel for the conditional answer to the next double."""

from typing import Final

import discord

from bot.board.views import show_present
from bot.conditional.logic.move import ConditionalMove
from bot.conditional.service import ConditionalMoveService
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import InvalidPress, Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from engine.core.errors import Refused
from engine.kits.cube import CubeAction

handlers: Final = Handlers()

GATE = frozenset({"table.not_a_player", "conditional.no_cube"})
"""The refusals after which there is no panel to show."""
SPANS = ("once", "persistent")


@handlers.on("conditional_double")
async def open_panel(answer: Answer, press: Press) -> None:
    """Opens the panel: the answer that is set, and the ones that can be set."""
    await show(answer, await answer.service(GameService).newest(press.subject))


async def show(answer: Answer, live: LiveGame) -> None:
    """Shows the panel as a new private message. Raises Refused."""
    loaded = await load_answer(answer, live)
    if loaded is not None:
        await answer.private(content(live, *loaded, answer.say), view=panel(live, *loaded, answer.say))


@handlers.on("conditional_double_set")
async def set_answer(answer: Answer, press: Press) -> None:
    """Sets ``take|once``, ``pass|persistent`` …; ``|`` removes the answer. A ``|sure`` at the end confirms a pass."""
    live: LiveGame = await answer.service(GameService).newest(press.subject)
    if await load_answer(answer, live) is None:
        return
    word, _, rest = press.rest.partition("|")
    span, _, sure = rest.partition("|")
    if (word, span) != ("", "") and (word not in {CubeAction.TAKE, CubeAction.PASS} or span not in SPANS):
        raise InvalidPress
    if word == CubeAction.PASS and not sure:
        yes = Press("conditional_double_set", live.id, live.seq, f"{press.rest}|sure")
        no = Press("conditional_double_back", live.id, live.seq)
        buttons = view_of(
            PressButton(no, answer.say("button.conditional_pass_cancel")),
            PressButton(yes, answer.say("button.conditional_pass_confirm"), "danger"),
        )
        await answer.update(answer.say("conditional.pass_sure"), view=buttons)
        return
    await answer.service(ConditionalMoveService).answer_double(live, answer.user_id, word, persistent=span == SPANS[1])
    loaded = await load_answer(answer, live)
    if loaded is not None:
        await answer.update(content(live, *loaded, answer.say), view=panel(live, *loaded, answer.say))


@handlers.on("conditional_double_back")
async def keep_answer(answer: Answer, press: Press) -> None:
    """Shows the panel again without a change."""
    live: LiveGame = await answer.service(GameService).newest(press.subject)
    loaded = await load_answer(answer, live)
    if loaded is not None:
        await answer.update(content(live, *loaded, answer.say), view=panel(live, *loaded, answer.say))


async def load_answer(answer: Answer, live: LiveGame) -> tuple[ConditionalMove | None] | None:
    """Returns the answer that the user has set, in a tuple; None if they were shown the board instead.
    Raises Refused.
    """
    try:
        return (await answer.service(ConditionalMoveService).double_answer(live, answer.user_id),)
    except Refused as error:
        if error.key in GATE:
            raise
        await show_present(answer, live, answer.say.error(error))
        return None


def content(live: LiveGame, move: ConditionalMove | None, say: Language) -> str:
    current = (
        say("conditional.double_none")
        if move is None
        else say(f"conditional.double.{move.reply}.{SPANS[move.persistent]}")
    )
    return "\n".join(
        [say("conditional.double_heading", game=live.game.name), say("conditional.double_about"), f"**{current}**"]
    )


def panel(live: LiveGame, move: ConditionalMove | None, say: Language) -> discord.ui.View:
    """Returns the buttons: take in the first row, pass in the second, no answer in the third. The current one is marked
    and disabled.
    """
    current = "|" if move is None else f"{move.reply}|{SPANS[move.persistent]}"

    def button(rest: str, choice: str, row: int) -> PressButton:
        press = Press("conditional_double_set", live.id, live.seq, rest)
        if rest == current:
            return PressButton(
                press, say("button.conditional_double.stands", choice=choice), "good", disabled=True, row=row
            )
        return PressButton(press, choice, row=row)

    items = [
        button(f"{word}|{span}", say(f"button.conditional_double.{word}.{span}"), row)
        for row, word in enumerate((CubeAction.TAKE, CubeAction.PASS))
        for span in SPANS
    ]
    return view_of(*items, button("|", say("button.conditional_double.none"), 2))
