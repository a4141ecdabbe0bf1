"""Planning ahead: a private panel at one place of the player's tree; ``plan_picker`` adds to it.

Everything is in the custom_ids: the place is a plan's id, which is looked up among the presser's own moves only.
"""

from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.board import message as board
from bot.board import pictures
from bot.board.views import show_present
from bot.conditional.logic.move import ConditionalMove
from bot.conditional.service import LIMIT, RESIGN, ConditionalMoveService, Tree
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.players.asker import names_of
from engine.core.errors import Refused
from engine.core.game import Mark
from engine.core.record import TURN_KINDS, Kind
from render.view import View

handlers: Final = Handlers()

PER_MENU: Final = 24
"""Branches in a menu, which has room for one more line: the way to the others."""
OPTION_LENGTH: Final = 100
ONE_LINE: Final = 32
"""Characters that a menu shows in a line on a phone."""
PAGE: Final = "page"
MOVES_ON: Final = TURN_KINDS | {Kind.CHANCE, Kind.ACCEPT}
"""The kinds of entries after which the position is another."""
GATE: Final = frozenset({"table.not_a_player", "conditional.luck"})
"""Refusals after which there is nothing to be shown."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a tree: after a plan's reply, or where the reply is still to be said; or at the beginning."""

    live: LiveGame
    tree: Tree
    move: ConditionalMove | None = None

    @property
    def asks_reply(self) -> bool:
        """Whether it is the planner who is to play there."""
        return self.move is not None and self.move.reply is None

    @property
    def id(self) -> str:
        return str(self.move.id) if self.move else ""

    @property
    def state(self) -> Any:
        """The position there; where the game is given up, the one in which it is."""
        if self.move is None:
            return self.tree.state
        return self.tree.asked(self.move) if self.move.reply in {None, RESIGN} else self.tree.after(self.move)

    @property
    def over(self) -> bool:
        return (self.move is not None and self.move.reply == RESIGN) or self.tree.game.to_act(self.state) is None

    @property
    def last(self) -> tuple[Mark, ...]:
        """The marks of the turn that led there."""
        if self.move is None:
            return pictures.last_marks(self.live.table)
        replied = self.move.reply not in {None, RESIGN}
        state, text = self.tree.before(self.move), self.move.condition
        if replied:
            state, text = self.tree.asked(self.move), str(self.move.reply)
        marks: list[Mark] = []
        for step in self.tree.game.parse(state, text):
            marks += self.tree.game.marks(state, step)
            state = self.tree.game.apply(state, step)
        return tuple(marks)

    def press(self, verb: str, rest: str = "") -> Press:
        return Press(verb, self.live.id, self.live.seq, rest)


async def spot_of(answer: Answer, press: Press, place: str) -> tuple[Spot, str] | None:
    """Where the presser is, and a word if the game has moved on meanwhile; None if they were shown the board instead.

    Raises Refused for who does not play, or where nothing can be planned.
    """
    live: LiveGame = await answer.service(GameService).newest(press.subject)
    try:
        tree = await answer.service(ConditionalMoveService).tree(live, answer.user_id)
    except Refused as error:
        if error.key in GATE:
            raise
        await show_present(answer, live, answer.say.error(error))
        return None
    if place:
        try:
            return Spot(live, tree, tree.get(int(place))), ""
        except (Refused, ValueError):
            return Spot(live, tree), answer.say("conditional.gone")
    moved_on = any(entry.kind in MOVES_ON for entry in live.entries[press.seq :])
    return Spot(live, tree), answer.say("conditional.moved_on") if moved_on else ""


# --- the panel -------------------------------------------------------------------------------------------------------


@handlers.on("conditional")
async def open_panel(answer: Answer, press: Press) -> None:
    """ConditionalMove ahead: the panel at the beginning."""
    found = await spot_of(answer, press, "")
    if found is not None:
        await show(answer, found[0], fresh=True)


@handlers.on("conditional_at")
async def go(answer: Answer, press: Press) -> None:
    """Another place, or another page of the menu: ``PLACE`` or ``page|N|PLACE``."""
    wanted = press.values[0] if press.values else press.rest
    page, place = 0, wanted
    if wanted.startswith(f"{PAGE}|"):
        _, number, place = wanted.split("|")
        page = int(number)
    found = await spot_of(answer, press, place)
    if found is not None:
        spot, notice = found
        await show(answer, spot, notice=notice, page=page)


async def show(answer: Answer, spot: Spot, *, fresh: bool = False, notice: str = "", page: int = 0) -> None:
    """The position there with the line that leads to it, what is planned after it, and what can be done."""
    say = answer.say
    closing = [line for line in (notice, asked(spot, say)) if line]
    content = "\n".join(board.fitted(heading(spot, say), line_to(spot, say), closing))
    view = await looked_at(answer, spot)
    await put(answer, spot, content, view, panel(spot, say, page), fresh=fresh)


async def looked_at(answer: Answer, spot: Spot) -> View:
    """How the position there is shown: from the planner's wonted side, the turn that led to it marked."""
    below = board.side_below(spot.live, answer.user_id, answer.prefs["below"])
    names = await names_of(answer, spot.live.players)
    return View(below=below, last=spot.last, theme=answer.theme, names=names)


async def put(
    answer: Answer, spot: Spot, content: str, view: View, buttons: discord.ui.View, *, fresh: bool, state: Any = None
) -> None:
    """A private message with a position (``state``, else the one at ``spot``): a new one, or the old one changed."""
    shown = spot.state if state is None else state
    file = await pictures.of_state(spot.tree.game, shown, view, answer.say)
    await answer.show(content, files=[file], view=buttons, fresh=fresh)


def heading(spot: Spot, say: Language) -> str:
    """How many moves are whole; those that lack a reply take room as well, and are named beside them."""
    lacking = sum(move.reply is None for move in spot.tree.moves)
    whole = len(spot.tree.moves) - lacking
    shown = say("conditional.heading", game=spot.tree.game.name, n=whole, most=LIMIT)
    return say("conditional.heading_open", heading=shown, n=lacking) if lacking else shown


def line_to(spot: Spot, say: Language) -> list[str]:
    """The moves that lead there, a line each."""
    line = spot.tree.line(spot.move.id) if spot.move else ()
    return [f"{number}. {summary(move, say)}" for number, move in enumerate(line, 1)]


def summary(move: ConditionalMove, say: Language) -> str:
    if move.reply is None:
        return say("conditional.if_open", condition=move.condition)
    if move.reply == RESIGN:
        return say("conditional.if_resign", condition=move.condition)
    return say("conditional.if", condition=move.condition, reply=move.reply)


def asked(spot: Spot, say: Language) -> str:
    """What can be laid down there."""
    if spot.move is None:
        return say("conditional.what_if") if spot.tree.moves else say("conditional.about")
    if spot.asks_reply:
        return say("conditional.what_reply", condition=spot.move.condition)
    if spot.over:
        return say("conditional.end_of_line")
    return say("conditional.what_then")


def panel(spot: Spot, say: Language, page: int = 0) -> discord.ui.View:
    """The branches as a menu, and the buttons."""
    items: list[discord.ui.Item[Any]] = []
    if spot.tree.below(spot.move.id if spot.move else None):
        items.append(branches_menu(spot, say, page))
    if spot.asks_reply:
        items.append(
            PressButton(
                spot.press("conditional_reply", f"{spot.id}|"), say("button.conditional_reply"), "primary", row=1
            )
        )
        items.append(
            PressButton(spot.press("conditional_resign", f"{spot.id}|1"), say("button.conditional_resign"), row=1)
        )
    elif not spot.over:
        items.append(
            PressButton(spot.press("conditional_if", f"{spot.id}|"), say("button.conditional_if"), "primary", row=1)
        )
    if spot.move:
        back = str(spot.move.parent_id or "")
        items.append(PressButton(spot.press("conditional_at", back), say("button.conditional_back"), row=2))
        items.append(PressButton(spot.press("conditional_delete", spot.id), say("button.conditional_delete"), row=2))
    if spot.tree.moves:
        items.append(
            PressButton(spot.press("conditional_clear", spot.id), say("button.conditional_clear"), "danger", row=2)
        )
    items.append(PressButton(spot.press("conditional_done"), say("button.conditional_done"), "good", row=2))
    return view_of(*items)


def branches_menu(spot: Spot, say: Language, page: int) -> PressMenu:
    """What is planned for the other's turn there; where it is too much for a menu, a page of it."""
    moves = spot.tree.below(spot.move.id if spot.move else None)
    last = 0 if len(moves) <= PER_MENU + 1 else (len(moves) - 1) // PER_MENU
    page = min(max(page, 0), last)
    here = moves[page * PER_MENU :][:PER_MENU] if last else moves
    options = [branch(spot.tree, move, say) for move in here]
    if last:
        following = (page + 1) % (last + 1)
        options.append(discord.SelectOption(label=say("conditional.others"), value=f"{PAGE}|{following}|{spot.id}"))
    return PressMenu(spot.press("conditional_at"), say("conditional.branches", n=len(moves)), options, row=0)


def branch(tree: Tree, move: ConditionalMove, say: Language) -> discord.SelectOption:
    """``c3d4 → e5e4``, and how many moves come after it; of long turns the reply stands below."""
    replies = {None: say("conditional.reply_open"), RESIGN: say("conditional.reply_resign")}
    reply = f"→ {replies.get(move.reply, move.reply)}"
    deeper = len(tree.branch(move)) - 1
    if deeper:
        reply = f"{reply[: OPTION_LENGTH - 4]} +{deeper}"
    if len(move.condition) + len(reply) < ONE_LINE:
        return discord.SelectOption(label=f"{move.condition} {reply}", value=str(move.id))
    label, below = move.condition[:OPTION_LENGTH], reply[:OPTION_LENGTH]
    return discord.SelectOption(label=label, description=below, value=str(move.id))


# --- taking back, closing ---------------------------------------------------------------------------------------------


@handlers.on("conditional_delete")
async def cut(answer: Answer, press: Press) -> None:
    """Deletes a move with all that comes after it, and steps back."""
    found = await spot_of(answer, press, press.rest)
    if found is None:
        return
    spot, notice = found
    if spot.move is None:
        await show(answer, spot, notice=notice)
        return
    await answer.service(ConditionalMoveService).cut(spot.live, answer.user_id, spot.move.id)
    tree = await answer.service(ConditionalMoveService).tree(spot.live, answer.user_id)
    parent_id = spot.move.parent_id
    await show(
        answer,
        Spot(spot.live, tree, tree.get(parent_id) if parent_id else None),
        notice=answer.say("conditional.deleted"),
    )


@handlers.on("conditional_clear")
async def clear(answer: Answer, press: Press) -> None:
    """Asks before all moves are deleted: ``PLACE``, then ``sure``."""
    sure = press.rest == "sure"
    found = await spot_of(answer, press, "" if sure else press.rest)
    if found is None:
        return
    spot, notice = found
    say = answer.say
    if sure and not notice:
        await answer.service(ConditionalMoveService).clear(spot.live, answer.user_id)
        tree = await answer.service(ConditionalMoveService).tree(spot.live, answer.user_id)
        await show(answer, Spot(spot.live, tree), notice=say("conditional.cleared"))
    elif notice or not spot.tree.moves:
        await show(answer, spot, notice=notice)
    else:
        leave = PressButton(spot.press("conditional_at", spot.id), say("button.conditional_keep"))
        go_on = PressButton(spot.press("conditional_clear", "sure"), say("button.conditional_clear_confirm"), "danger")
        await answer.update(say("conditional.clear_sure", n=len(spot.tree.moves)), view=view_of(leave, go_on))


@handlers.on("conditional_done")
async def done(answer: Answer, press: Press) -> None:
    """Closes the panel; what is laid down stands."""
    found = await spot_of(answer, press, "")
    if found is None:
        return
    spot, _ = found
    whole = [move for move in spot.tree.moves if move.reply is not None]
    await answer.update(answer.say("conditional.kept", n=len(whole)) if whole else answer.say("conditional.none"))
