"""Laying plans down at a place of the tree: the picker for either side's turn there, or to give up."""

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
from bot.moves.labels import warned, where
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


@handlers.on("plan_they")
async def choose_theirs(answer: Answer, press: Press) -> None:
    """A choice for the opponent's turn; when it is whole, one's own reply is next."""
    await choose(answer, press, asks_reply=False)


@handlers.on("plan_mine")
async def choose_mine(answer: Answer, press: Press) -> None:
    """A choice for the reply; when it is whole, it is laid down."""
    await choose(answer, press, asks_reply=True)


async def choose(answer: Answer, press: Press, *, asks_reply: bool) -> None:
    """Goes on from the draft that the button carries: ``PLACE|DRAFT``."""
    place, _, drafted_by_button = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, told = found
    if told or spot.asks_reply != asks_reply or spot.over:
        await show(answer, spot, told=told)
        return
    try:
        draft = Draft.read(press.values[0] if press.values else drafted_by_button)
        drafted = follow(spot.tree.game, spot.state, draft)
    except DraftOutdated as error:
        await show(answer, spot, told=answer.say.error(error))
        return
    await take(answer, spot, drafted)


async def take(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """Keeps a turn that is whole, of whichever side; else the picker goes on."""
    if not drafted.complete:
        await pick(answer, spot, drafted, fresh=fresh)
        return
    plans = answer.service(ConditionalMoveService)
    try:
        if spot.plan is not None and spot.asks_reply:
            await plans.answer(spot.live, answer.user_id, spot.plan.id, drafted.steps)
            place = spot.plan.id
        else:
            place = (
                await plans.add_condition(spot.live, answer.user_id, spot.plan.id if spot.plan else None, drafted.steps)
            ).id
    except RuleError as error:
        await show(answer, spot, fresh=fresh, told=answer.say.error(error))
        return
    tree = await plans.tree(spot.live, answer.user_id)
    after = Spot(spot.live, tree, tree.get(place))
    if after.asks_reply:
        await pick(answer, after, follow(tree.game, after.state, Draft()), fresh=fresh)
    else:
        await show(answer, after, fresh=fresh)


async def pick(answer: Answer, spot: Spot, drafted: Drafted, *, fresh: bool = False) -> None:
    """The picker for the turn at ``spot``, on the board as it would be then."""
    say = answer.say
    verb = "plan_mine" if spot.asks_reply else "plan_they"
    verbs = At(spot.live.id, spot.live.seq, verb, verb, "plan_at", spot.id)
    closing = say("plan.pick_mine" if spot.asks_reply else "plan.pick_theirs")
    if drafted.words:
        closing = where(drafted, say)
    so_far = [say("picker.so_far", move=drafted.text, n=len(drafted.steps))] if drafted.steps else []
    content = "\n".join(board.fitted(heading(spot, say), line_to(spot, say), [*so_far, closing, *warned(drafted, say)]))
    below = board.side_below(spot.live, answer.user_id, answer.prefs["below"])
    view = preview(drafted, below, spot.last, answer.theme, await names_of(answer, spot.live.players))
    buttons = components(verbs, drafted, say, below)
    if spot.asks_reply and drafted.draft == Draft():
        buttons.add_item(PressButton(spot.press("plan_resign", f"{spot.id}|1"), say("button.plan_resign"), row=4))
    await put(answer, spot, content, view, buttons, fresh=fresh, state=drafted.state)


# --- giving up -------------------------------------------------------------------------------------------------------


@handlers.on("plan_resign")
async def resign(answer: Answer, press: Press) -> None:
    """Asks, asks again in other words and another place, and only then lays it down: ``PLACE|TIMES``."""
    place, _, times = press.rest.partition("|")
    found = await spot_of(answer, press, place)
    if found is None:
        return
    spot, told = found
    if told or not spot.asks_reply:
        await show(answer, spot, told=told)
    elif times == "3":
        await plan_to_resign(answer, spot)
    else:
        await ask_to_resign(answer, spot, again=times == "2", fresh=False)


async def plan_to_resign(answer: Answer, spot: Spot) -> None:
    plans, plan_id = answer.service(ConditionalMoveService), spot.plan.id if spot.plan else 0
    await plans.answer(spot.live, answer.user_id, plan_id, RESIGN)
    tree = await plans.tree(spot.live, answer.user_id)
    await show(answer, Spot(spot.live, tree, tree.get(plan_id)))


async def ask_to_resign(answer: Answer, spot: Spot, *, again: bool, fresh: bool) -> None:
    """The first question, or the second, whose buttons lie the other way round: who taps twice has said no."""
    say = answer.say
    their = spot.plan.their if spot.plan else ""
    leave = PressButton(spot.press("plan_at", spot.id), say("button.plan_not_resign"), row=int(again))
    first = PressButton(spot.press("plan_resign", f"{spot.id}|2"), say("button.plan_resign_first"), "danger", row=1)
    second = PressButton(spot.press("plan_resign", f"{spot.id}|3"), say("button.plan_resign_second"), "danger", row=0)
    key = "plan.resign_second" if again else "plan.resign_first"
    content = "\n".join([heading(spot, say), say(key, their=their)])
    view = await looked_at(answer, spot)
    await put(answer, spot, content, view, view_of(leave, second if again else first), fresh=fresh)
