"""Roll, double, take and pass, by button or by command."""

from typing import Any, Final

from bot.board.cube_actions import cube_actions, needs_confirmation, params
from bot.board.delivery.publisher import BoardPublisher
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

BOARD_FIRST: Final = 1.2
"""Seconds to wait for the board after a roll, so that the picker opens below it. A failing board delays the picker no
longer than this.
"""


@handlers.on("cube")
async def press_cube(answer: Answer, press: Press) -> None:
    """Does the action of a cube button of a board, or asks for confirmation first (see ``needs_confirmation``)."""
    live = await current(answer, press)
    if live is not None:
        await make(answer, live, press.rest)


@handlers.on("cube_confirm")
async def press_confirm(answer: Answer, press: Press) -> None:
    live = await current(answer, press)
    if live is not None:
        after = await answer.service(GameService).play(
            live.id, answer.user_id, live.seq, turn_of_word(live, press.rest)
        )
        await my_games.after_move(answer, after, fresh=False)


handlers.says("cube_cancel", "cube_action.cancelled")


async def make(answer: Answer, live: LiveGame, word: str) -> None:
    """Does the cube action, or asks for confirmation first. Raises Refused."""
    turn = turn_of_word(live, word)
    if needs_confirmation(live.game, live.state, turn):
        await ask(answer, live, word, turn[0])
        return
    games = answer.service(GameService)
    after = await games.play(live.id, answer.user_id, live.seq, turn)
    if after.is_turn_of(answer.user_id) and not cube_actions(after.game, after.state):
        await answer.service(BoardPublisher).wait_for_board(after.id, BOARD_FIRST)
        now = await games.get(after.id)
        if now.still_stands(after.seq):
            await answer.forward(Press("move", after.id, after.seq))  # the dice are rolled: open the picker
            return
    # the board shows the action, and the opponent's reply
    await my_games.after_move(answer, after, fresh=True)


def turn_of_word(live: LiveGame, word: str) -> tuple[Any, ...]:
    """Returns the turn of a cube action in the present position. Raises Refused if it is not legal now."""
    step = cube_actions(live.game, live.state).get(word)
    if step is None:
        raise Refused("table.stale")
    return (step,)


async def ask(answer: Answer, live: LiveGame, word: str, step: Any) -> None:
    """Asks for confirmation in private. The harmless choice comes first, so that a habitual click does no harm."""
    say, text_params = answer.say, params(live.game, live.state, step)
    seq = live.seq
    cancel = PressButton(Press("cube_cancel", live.id, seq), say("button.cube_cancel"))
    confirm = PressButton(
        Press("cube_confirm", live.id, seq, word), say(f"cube_action.{word}.do", **text_params), "danger"
    )
    await answer.private(say(f"cube_action.{word}.confirm", **text_params), view=view_of(cancel, confirm))
