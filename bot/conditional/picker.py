"""Adds conditional moves at a place of the tree: the picker for the condition and the reply, or a resignation."""

from dataclasses import dataclass
from typing import Final

from bot.board import message as board
from bot.conditional.service import RESIGN, ConditionalMoveService
from bot.conditional.views import Spot, heading, line_to, position_view, show, show_position, spot_of
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.games.live import LiveGame
from bot.moves.draft import Draft, Drafted, DraftOutdated, follow
from bot.moves.labels import ask_where, loss_warning
from bot.moves.picker import Verbs, components, preview
from bot.players.asker import names_of
from engine.core.errors import RuleError

handlers: Final = Handlers()


@dataclass(frozen=True, slots=True)
class PlaceVerbs(Verbs):
    """The custom_ids of a picker for a turn at ``place`` of the tree."""

    place: str = ""

    def press(self, verb: str, rest: str = "") -> Press:
        where = self.place if verb == self.cancel else f"{self.place}|{rest}"
        return Press(verb, self.subject, self.seq, where)


@handlers.on("conditional_if")
async def choose_condition(answer: Answer, press: Press) -> None:
    """Continues the choice of the condition, the opponent's turn;
    once it is complete, shows the picker for the reply.
    """
    await choose(answer, press, needs_reply=False)


@handlers.on("conditional_reply")
async def choose_reply(answer: Answer, press: Press) -> None:
    """Continues the choice of the reply, and stores it once it is complete."""
    await choose(answer, press, needs_reply=True)


async def choose(answer: Answer, press: Press, *, needs_reply: bool) -> None:
    """Continues the draft in the custom_id or in the menu's value: ``PLACE|DRAFT``."""
    place, _, drafted_by_button = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, notice = found
    if notice or spot.needs_reply != needs_reply or spot.over:
        await show(answer, spot, notice=notice)
        return
    try:
        draft = Draft.read(press.value_or_none or drafted_by_button)
        drafted = follow(spot.tree.game, spot.state, draft)
    except DraftOutdated as error:
        await show(answer, spot, notice=answer.say.error(error))
        return
    await take(answer, spot, drafted)


async def take(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """Stores a complete turn as condition or reply; shows the picker again for an incomplete one."""
    if not drafted.complete:
        await pick(answer, spot, drafted, fresh=fresh)
        return
    service = answer.service(ConditionalMoveService)
    try:
        if spot.move is not None and spot.needs_reply:
            await service.answer(spot.live, answer.user_id, spot.move.id, drafted.steps)
            place = spot.move.id
        else:
            place = (
                await service.add_condition(
                    spot.live, answer.user_id, spot.move.id if spot.move else None, drafted.steps
                )
            ).id
    except RuleError as error:
        await show(answer, spot, fresh=fresh, notice=answer.say.error(error))
        return
    tree = await service.tree(spot.live, answer.user_id)
    after = Spot(spot.live, tree, tree.get(place))
    if after.needs_reply:
        await pick(answer, after, follow(tree.game, after.state, Draft()), fresh=fresh)
    else:
        await show(answer, after, fresh=fresh)


async def pick(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """Shows the picker for the turn at ``spot``, with a picture of the position there."""
    say = answer.say
    verb = "conditional_reply" if spot.needs_reply else "conditional_if"
    verbs = PlaceVerbs(spot.live.id, spot.live.seq, verb, verb, "conditional_at", spot.id)
    closing = say("conditional.pick_reply" if spot.needs_reply else "conditional.pick_condition")
    if drafted.words:
        closing = ask_where(drafted, say)
    so_far = [say("picker.so_far", move=drafted.text, n=len(drafted.steps))] if drafted.steps else []
    content = "\n".join(
        board.fitted(heading(spot, say), line_to(spot, say), [*so_far, closing, *loss_warning(drafted, say)])
    )
    below = board.side_below(spot.live, answer.user_id, answer.prefs["below"])
    view = preview(drafted, below, spot.last, answer.theme, await names_of(answer, spot.live.players))
    buttons = components(verbs, drafted, say, below)
    if spot.needs_reply and drafted.draft == Draft():
        buttons.add_item(
            PressButton(spot.press("conditional_resign", f"{spot.id}|1"), say("button.conditional_resign"), row=4)
        )
    await show_position(answer, spot, content, view, buttons, fresh=fresh, state=drafted.state)


# --- resigning -------------------------------------------------------------------------------------------------------


@handlers.on("conditional_resign")
async def resign(answer: Answer, press: Press) -> None:
    """Asks twice, with other words and swapped buttons, then stores the reply: ``PLACE|TIMES``."""
    place, _, times = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, notice = found
    if notice or spot.move is None or not spot.needs_reply:
        await show(answer, spot, notice=notice)
    elif times == "3":
        await set_resign(answer, spot.live, spot.move.id)
    else:
        await ask_to_resign(answer, spot, again=times == "2", fresh=False)


async def set_resign(answer: Answer, live: LiveGame, move_id: int) -> None:
    service = answer.service(ConditionalMoveService)
    await service.answer(live, answer.user_id, move_id, RESIGN)
    tree = await service.tree(live, answer.user_id)
    await show(answer, Spot(live, tree, tree.get(move_id)))


async def ask_to_resign(answer: Answer, spot: Spot, *, again: bool, fresh: bool) -> None:
    """Asks the first or the second question. The second swaps the buttons, so that a double tap on one
    place cancels.
    """
    say = answer.say
    condition = spot.move.condition if spot.move else ""
    leave = PressButton(spot.press("conditional_at", spot.id), say("button.conditional_resign_cancel"), row=int(again))
    first = PressButton(
        spot.press("conditional_resign", f"{spot.id}|2"), say("button.conditional_resign_first"), "danger", row=1
    )
    second = PressButton(
        spot.press("conditional_resign", f"{spot.id}|3"), say("button.conditional_resign_second"), "danger", row=0
    )
    key = "conditional.resign_second" if again else "conditional.resign_first"
    content = "\n".join([heading(spot, say), say(key, condition=condition)])
    view = await position_view(answer, spot)
    await show_position(answer, spot, content, view, view_of(leave, second if again else first), fresh=fresh)
