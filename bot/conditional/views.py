"""The private panel of conditional moves, at one place of the player's tree; ``picker`` adds moves to it.

The custom_ids hold its whole state. A place is a move's id, which is looked up only among the user's own moves.
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
from bot.core.interactions.discord_limits import OPTION, cut
from bot.core.interactions.press import Press, read_number, split
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.games.notation import in_language
from bot.games.service import GameService
from bot.players.asker import names_of
from engine.core.errors import Refused
from engine.core.game import Mark
from engine.core.record import TURN_KINDS, Kind
from render.view import View

handlers: Final = Handlers()

PER_MENU: Final = 24
"""The branches on a page of the menu. Discord allows 25 lines, one of which leads to the next page."""
ONE_LINE: Final = 32
"""The characters of a menu's line that fit on a phone."""
PAGE: Final = "page"
MOVES_ON: Final = TURN_KINDS | {Kind.CHANCE, Kind.ACCEPT}
"""The kinds of entries that may change the position."""
GATE: Final = frozenset({"table.not_a_player", "conditional.luck"})
"""The refusals after which there is no panel to show."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a tree: after the reply of ``move``, or before the reply while it is not set. None: the root."""

    live: LiveGame
    tree: Tree
    move: ConditionalMove | None = None

    @property
    def needs_reply(self) -> bool:
        return self.move is not None and self.move.reply is None

    @property
    def id(self) -> str:
        return str(self.move.id) if self.move else ""

    @property
    def state(self) -> Any:
        """The position at the place; for the reply RESIGN, the one in which the player resigns."""
        if self.move is None:
            return self.tree.state
        return (
            self.tree.after_condition(self.move)
            if self.move.reply in {None, RESIGN}
            else self.tree.after_reply(self.move)
        )

    @property
    def over(self) -> bool:
        return (self.move is not None and self.move.reply == RESIGN) or self.tree.game.to_act(self.state) is None

    @property
    def last(self) -> tuple[Mark, ...]:
        """The marks of the turn that led there."""
        if self.move is None:
            return pictures.last_marks(self.live.table)
        replied = self.move.reply not in {None, RESIGN}
        state, text = self.tree.before_condition(self.move), self.move.condition
        if replied:
            state, text = self.tree.after_condition(self.move), str(self.move.reply)
        marks: list[Mark] = []
        for step in self.tree.game.parse(state, text):
            marks += self.tree.game.marks(state, step)
            state = self.tree.game.apply(state, step)
        return tuple(marks)

    def press(self, verb: str, rest: str = "") -> Press:
        return Press(verb, self.live.id, self.live.seq, rest)


async def spot_of(answer: Answer, press: Press, place: str) -> tuple[Spot, str] | None:
    """Returns the place, with a notice if the game has moved on or the place is gone; None if the user was shown the
    board.

    Raises Refused for a user who does not play, and in a game with dice.
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
            return Spot(live, tree, tree.get(read_number(place))), ""
        except Refused:
            return Spot(live, tree), answer.say("conditional.gone")
    moved_on = any(entry.kind in MOVES_ON for entry in live.entries[press.seq :])
    return Spot(live, tree), answer.say("conditional.moved_on") if moved_on else ""


# --- the panel -------------------------------------------------------------------------------------------------------


@handlers.on("conditional")
async def open_panel(answer: Answer, press: Press) -> None:
    """Opens the panel at the root of the tree."""
    found = await spot_of(answer, press, "")
    if found is not None:
        await show(answer, found[0], fresh=True)


@handlers.on("conditional_at")
async def open_place(answer: Answer, press: Press) -> None:
    """Opens another place, or another page of the menu: ``PLACE`` or ``page|N|PLACE``."""
    wanted = press.chosen
    page, place = 0, wanted
    if wanted.startswith(f"{PAGE}|"):
        _, number, place = split(wanted, 3)
        page = read_number(number)
    found = await spot_of(answer, press, place)
    if found is not None:
        spot, notice = found
        await show(answer, spot, notice=notice, page=page)


async def show(answer: Answer, spot: Spot, *, fresh: bool = False, notice: str = "", page: int = 0) -> None:
    """Shows the panel: the position, the line that leads to it, the branches after it, and the buttons."""
    say = answer.say
    closing = [line for line in (notice, prompt(spot, say)) if line]
    content = "\n".join(board.fitted(heading(spot, say), line_to(spot, say), closing))
    view = await position_view(answer, spot)
    await show_position(answer, spot, content, view, panel(spot, say, page), fresh=fresh)


async def position_view(answer: Answer, spot: Spot) -> View:
    """Returns the view of the position there: the player's usual side is below, and the turn that led to it
    is marked.
    """
    below = board.side_below(spot.live, answer.user_id, answer.prefs["below"])
    names = await names_of(answer, spot.live.players)
    return View(below=below, last=spot.last, theme=answer.theme, names=names)


async def show_position(
    answer: Answer, spot: Spot, content: str, view: View, buttons: discord.ui.View, *, fresh: bool, state: Any = None
) -> None:
    """Shows a position (``state``, by default the one at ``spot``) in a new private message, or edits the old one."""
    shown = spot.state if state is None else state
    file = await pictures.of_state(spot.tree.game, shown, view, answer.say)
    await answer.show(content, files=[file], view=buttons, fresh=fresh)


def heading(spot: Spot, say: Language) -> str:
    """Writes the number of complete moves, and of those without a reply, which count towards the limit, too."""
    lacking = sum(move.reply is None for move in spot.tree.moves)
    whole = len(spot.tree.moves) - lacking
    shown = say("conditional.heading", game=spot.tree.game.name, n=whole, most=LIMIT)
    return say("conditional.heading_open", heading=shown, n=lacking) if lacking else shown


def line_to(spot: Spot, say: Language) -> list[str]:
    """Returns the moves that lead there, one per line."""
    line = spot.tree.line(spot.move.id) if spot.move else ()
    return [f"{number}. {summary(move, say)}" for number, move in enumerate(line, 1)]


def summary(move: ConditionalMove, say: Language) -> str:
    condition = in_language(move.condition, say)
    if move.reply is None:
        return say("conditional.if_open", condition=condition)
    if move.reply == RESIGN:
        return say("conditional.if_resign", condition=condition)
    return say("conditional.if", condition=condition, reply=in_language(move.reply, say))


def prompt(spot: Spot, say: Language) -> str:
    """Returns the text that asks for the next condition or reply there."""
    if spot.move is None:
        return say("conditional.what_if") if spot.tree.moves else say("conditional.about")
    if spot.needs_reply:
        return say("conditional.what_reply", condition=in_language(spot.move.condition, say))
    if spot.over:
        return say("conditional.end_of_line")
    return say("conditional.what_then")


def panel(spot: Spot, say: Language, page: int = 0) -> discord.ui.View:
    """Returns the branches as a menu, and the buttons."""
    items: list[discord.ui.Item[Any]] = []
    if spot.tree.below(spot.move.id if spot.move else None):
        items.append(branches_menu(spot, say, page))
    if spot.needs_reply:
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
    """Returns the menu of the conditions there, or a page of it if they are too many."""
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
    """Returns the option of a branch: ``c3d4 → e5e4``, and how many moves come after it.
    A long reply goes into the description.
    """
    replies = {None: say("conditional.reply_open"), RESIGN: say("conditional.reply_resign")}
    reply = f"→ {replies.get(move.reply, move.reply)}"
    deeper = len(tree.branch(move)) - 1
    if deeper:
        reply = f"{cut(reply, OPTION - 4)} +{deeper}"
    if len(move.condition) + len(reply) < ONE_LINE:
        return discord.SelectOption(label=f"{move.condition} {reply}", value=str(move.id))
    return discord.SelectOption(label=move.condition, description=reply, value=str(move.id))


# --- deleting, closing -----------------------------------------------------------------------------------------------


@handlers.on("conditional_delete")
async def delete(answer: Answer, press: Press) -> None:
    """Deletes a move and all moves after it, and shows its parent."""
    found = await spot_of(answer, press, press.rest)
    if found is None:
        return
    spot, notice = found
    if spot.move is None:
        await show(answer, spot, notice=notice)
        return
    await answer.service(ConditionalMoveService).delete(spot.live, answer.user_id, spot.move.id)
    tree = await answer.service(ConditionalMoveService).tree(spot.live, answer.user_id)
    parent_id = spot.move.parent_id
    await show(
        answer,
        Spot(spot.live, tree, tree.get(parent_id) if parent_id else None),
        notice=answer.say("conditional.deleted"),
    )


@handlers.on("conditional_clear")
async def clear(answer: Answer, press: Press) -> None:
    """Asks whether to delete all moves (``PLACE``), then deletes them (``sure``)."""
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
async def close_panel(answer: Answer, press: Press) -> None:
    """Closes the panel; the moves stay."""
    found = await spot_of(answer, press, "")
    if found is None:
        return
    spot, _ = found
    whole = [move for move in spot.tree.moves if move.reply is not None]
    await answer.update(answer.say("conditional.kept", n=len(whole)) if whole else answer.say("conditional.none"))
