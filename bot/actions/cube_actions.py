"""Rolling, doubling, taking and passing, by a button or by a command."""

from typing import Any, Final

from bot.board.cube_actions import calls, params
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


@handlers.on("call")
async def press_call(answer: Answer, press: Press) -> None:
    """A button of the board: what is routine is done, anything else asked about."""
    live = await current(answer, press)
    if live is not None:
        await make(answer, live, press.rest)


@handlers.on("call_sure")
async def press_sure(answer: Answer, press: Press) -> None:
    """The confirmation."""
    live = await current(answer, press)
    if live is not None:
        after: LiveGame = await answer.service(GameService).play(live.id, answer.user_id, press.seq, press.rest)
        content, view = await my_games.told_played(answer, press.seq, after)
        await answer.update(content, view=view)


handlers.says("call_not", "call.not")


async def make(answer: Answer, live: LiveGame, word: str) -> None:
    """Says the word for whoever is to act, or asks about it first. Raises Refused."""
    game, state = live.table.game, live.table.state
    step = calls(game, state).get(word)
    if step is None:
        raise Refused("table.stale")
    if step != game.automatic_action(state):
        await ask(answer, live, word, step)
        return
    after: LiveGame = await answer.service(GameService).play(live.id, answer.user_id, live.table.seq, word)
    table = after.table
    if table.to_act in after.seats_of(answer.user_id) and not calls(table.game, table.state):
        await answer.forward(Press("move", after.id, after.seq))  # the dice have fallen: straight on to the move
    else:
        content, view = await my_games.told_played(answer, live.table.seq, after)
        await answer.private(content, view=view)


async def ask(answer: Answer, live: LiveGame, word: str, step: Any) -> None:
    """In private, where no finger lies by habit: the harmless choice first, the other under words of its own."""
    say, told = answer.say, params(live.table.game, live.table.state, step)
    seq = live.table.seq
    leave = PressButton(Press("call_not", live.id, seq), say("button.call_not"))
    sure = PressButton(Press("call_sure", live.id, seq, word), say(f"call.{word}.do", **told), "danger")
    await answer.private(say(f"call.{word}.sure", **told), view=view_of(leave, sure))
