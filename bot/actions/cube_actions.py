"""Rolling, doubling, taking and passing, by a button or by a command."""

from typing import Any, Final

from bot.board.cube_actions import cube_actions, params
from bot.board.views import current
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.my_games import views as my_games
from engine.core.errors import Refused

handlers: Final = Handlers()


@handlers.on("cube")
async def press_cube(answer: Answer, press: Press) -> None:
    """A button of the board: the automatic action is done at once, any other is confirmed first."""
    live = await current(answer, press)
    if live is not None:
        await make(answer, live, press.rest)


@handlers.on("cube_confirm")
async def press_confirm(answer: Answer, press: Press) -> None:
    """The confirmation."""
    live = await current(answer, press)
    if live is not None:
        after: LiveGame = await answer.service(GameService).play(live.id, answer.user_id, press.seq, press.rest)
        content, view = await my_games.told_played(answer, press.seq, after)
        await answer.update(content, view=view)


handlers.says("cube_cancel", "cube_action.cancelled")


async def make(answer: Answer, live: LiveGame, word: str) -> None:
    """Does a cube action for whoever is to act, or asks them to confirm it first. Raises Refused."""
    game, state = live.table.game, live.table.state
    step = cube_actions(game, state).get(word)
    if step is None:
        raise Refused("table.stale")
    if step != game.automatic_action(state):
        await ask(answer, live, word, step)
        return
    after: LiveGame = await answer.service(GameService).play(live.id, answer.user_id, live.table.seq, word)
    table = after.table
    if table.to_act in after.seats_of(answer.user_id) and not cube_actions(table.game, table.state):
        await answer.forward(Press("move", after.id, after.seq))  # the dice have fallen: straight on to the move
    else:
        content, view = await my_games.told_played(answer, live.table.seq, after)
        await answer.private(content, view=view)


async def ask(answer: Answer, live: LiveGame, word: str, step: Any) -> None:
    """Asks in private, where nobody presses by habit: Cancel comes first, and Confirm says what happens."""
    say, values = answer.say, params(live.table.game, live.table.state, step)
    seq = live.table.seq
    cancel = PressButton(Press("cube_cancel", live.id, seq), say("button.cube_cancel"))
    confirm = PressButton(Press("cube_confirm", live.id, seq, word), say(f"cube_action.{word}.do", **values), "danger")
    await answer.private(say(f"cube_action.{word}.confirm", **values), view=view_of(cancel, confirm))
