"""Rolling, doubling, taking and passing, by a button or by a command."""

from typing import Any

from bot.board.cube_actions import calls, params
from bot.core.interactions.answer import Answer
from bot.core.interactions.routing import Press, PressButton, on_press, only_says, view_of
from bot.games.service import LiveGame
from bot.moves import picker, refusal
from bot.my_games import views as my_games
from engine.core.errors import Refused, RuleError


@on_press("call")
async def press_call(client: Any, answer: Answer, press: Press) -> None:
    """A button of the board: what is routine is done, anything else asked about."""
    live = await picker.current(client, answer, press)
    if live is not None:
        await make(client, answer, live, press.rest)


@on_press("call_sure")
async def press_sure(client: Any, answer: Answer, press: Press) -> None:
    """The confirmation."""
    live = await picker.current(client, answer, press)
    if live is not None:
        after: LiveGame = await client.services.games.play(live.id, answer.user_id, press.seq, press.rest)
        content, view = await my_games.told_played(client, answer, press.seq, after)
        await answer.update(content, view=view)


only_says("call.not", "call_not")


async def command(client: Any, answer: Answer, live: LiveGame, word: str) -> None:
    """``/abak roll`` and ``/abak double``. Raises Refused; a rule that forbids it is shown."""
    table, seats = live.table, live.seats_playing(answer.user_id)
    if all(option.key != "cube" for option in table.game.options):
        raise Refused("call.none", game=table.game.name)
    if table.to_act not in seats:
        raise Refused("table.not_your_turn")
    try:
        table.game.parse(table.state, word)
    except RuleError as error:
        await refusal.show(answer, live, word, error)
    else:
        await make(client, answer, live, word)


async def make(client: Any, answer: Answer, live: LiveGame, word: str) -> None:
    """Says the word for whoever is to act, or asks about it first. Raises Refused."""
    game, state = live.table.game, live.table.state
    step = calls(game, state).get(word)
    if step is None:
        raise Refused("table.stale")
    if step != game.automatic_action(state):
        await ask(answer, live, word, step)
        return
    after: LiveGame = await client.services.games.play(live.id, answer.user_id, live.table.seq, word)
    table = after.table
    if table.to_act in after.seats_of(answer.user_id) and not calls(table.game, table.state):
        await picker.begin(answer, after)  # the dice have fallen: straight on to the move
    else:
        content, view = await my_games.told_played(client, answer, live.table.seq, after)
        await answer.private(content, view=view)


async def ask(answer: Answer, live: LiveGame, word: str, step: Any) -> None:
    """In private, where no finger lies by habit: the harmless choice first, the other under words of its own."""
    say, told = answer.say, params(live.table.game, live.table.state, step)
    seq = live.table.seq
    leave = PressButton(Press("call_not", live.id, seq), say("button.call_not"))
    sure = PressButton(Press("call_sure", live.id, seq, word), say(f"call.{word}.do", **told), "danger")
    await answer.private(say(f"call.{word}.sure", **told), view=view_of(leave, sure))
