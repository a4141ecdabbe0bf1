"""Laying moves down at a place of the tree: the picker for either side's turn there, or to give up."""

from dataclasses import dataclass
from typing import Final

from bot.board import message as board
from bot.conditional.service import RESIGN, ConditionalMoveService
from bot.conditional.views import Spot, heading, line_to, looked_at, put, show, spot_of
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.moves.draft import Draft, Drafted, DraftOutdated, follow
from bot.moves.labels import ask_where, loss_warning
from bot.moves.picker import Verbs, components, preview
from bot.players.asker import names_of
from engine.core.errors import RuleError

handlers: Final = Handlers()


@dataclass(frozen=True, slots=True)
class At(Verbs):
    """What a picker's buttons are about: a turn at a place of the tree."""

    place: str = ""

    def press(self, verb: str, rest: str = "") -> Press:
        where = self.place if verb == self.cancel else f"{self.place}|{rest}"
        return Press(verb, self.subject, self.seq, where)


@handlers.on("conditional_if")
async def choose_condition(answer: Answer, press: Press) -> None:
    """A choice for the opponent's turn; when it is whole, one's own reply is next."""
    await choose(answer, press, asks_reply=False)


@handlers.on("conditional_reply")
async def choose_reply(answer: Answer, press: Press) -> None:
    """A choice for the reply; when it is whole, it is laid down."""
    await choose(answer, press, asks_reply=True)


async def choose(answer: Answer, press: Press, *, asks_reply: bool) -> None:
    """Goes on from the draft that the button carries: ``PLACE|DRAFT``."""
    place, _, drafted_by_button = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, notice = found
    if notice or spot.asks_reply != asks_reply or spot.over:
        await show(answer, spot, notice=notice)
        return
    try:
        draft = Draft.read(press.values[0] if press.values else drafted_by_button)
        drafted = follow(spot.tree.game, spot.state, draft)
    except DraftOutdated as error:
        await show(answer, spot, notice=answer.say.error(error))
        return
    await take(answer, spot, drafted)


async def take(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """Keeps a turn that is whole, of whichever side; else the picker goes on."""
    if not drafted.complete:
        await pick(answer, spot, drafted, fresh=fresh)
        return
    service = answer.service(ConditionalMoveService)
    try:
        if spot.move is not None and spot.asks_reply:
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
    if after.asks_reply:
        await pick(answer, after, follow(tree.game, after.state, Draft()), fresh=fresh)
    else:
        await show(answer, after, fresh=fresh)


async def pick(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """The picker for the turn at ``spot``, on the board as it would be then."""
    say = answer.say
    verb = "conditional_reply" if spot.asks_reply else "conditional_if"
    verbs = At(spot.live.id, spot.live.seq, verb, verb, "conditional_at", spot.id)
    closing = say("conditional.pick_reply" if spot.asks_reply else "conditional.pick_condition")
    if drafted.words:
        closing = ask_where(drafted, say)
    so_far = [say("picker.so_far", move=drafted.text, n=len(drafted.steps))] if drafted.steps else []
    content = "\n".join(
        board.fitted(heading(spot, say), line_to(spot, say), [*so_far, closing, *loss_warning(drafted, say)])
    )
    below = board.side_below(spot.live, answer.user_id, answer.prefs["below"])
    view = preview(drafted, below, spot.last, answer.theme, await names_of(answer, spot.live.players))
    buttons = components(verbs, drafted, say, below)
    if spot.asks_reply and drafted.draft == Draft():
        buttons.add_item(
            PressButton(spot.press("conditional_resign", f"{spot.id}|1"), say("button.conditional_resign"), row=4)
        )
    await put(answer, spot, content, view, buttons, fresh=fresh, state=drafted.state)


# --- giving up -------------------------------------------------------------------------------------------------------


@handlers.on("conditional_resign")
async def resign(answer: Answer, press: Press) -> None:
    """Asks, asks again in other words and another place, and only then lays it down: ``PLACE|TIMES``."""
    place, _, times = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, notice = found
    if notice or not spot.asks_reply:
        await show(answer, spot, notice=notice)
    elif times == "3":
        await set_resign(answer, spot)
    else:
        await ask_to_resign(answer, spot, again=times == "2", fresh=False)


async def set_resign(answer: Answer, spot: Spot) -> None:
    service, move_id = answer.service(ConditionalMoveService), spot.move.id if spot.move else 0
    await service.answer(spot.live, answer.user_id, move_id, RESIGN)
    tree = await service.tree(spot.live, answer.user_id)
    await show(answer, Spot(spot.live, tree, tree.get(move_id)))


async def ask_to_resign(answer: Answer, spot: Spot, *, again: bool, fresh: bool) -> None:
    """The first question, or the second, whose buttons lie the other way round: who taps twice has said no."""
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
    view = await looked_at(answer, spot)
    await put(answer, spot, content, view, view_of(leave, second if again else first), fresh=fresh)
