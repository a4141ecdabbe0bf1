"""Moves by command: typed notation, and the words of cube actions."""

from bot.actions import cube_actions
from bot.board.cube_actions import word_of
from bot.core.interactions.answer import Answer
from bot.games.live import LiveGame
from bot.games.notation import to_notation
from bot.moves import picker, refusal
from bot.moves.draft import Draft, follow
from engine.core.errors import Refused, RuleError


async def play(answer: Answer, live: LiveGame, notation: str) -> None:
    """Plays a typed turn. The picker opens if the turn is incomplete or needs confirmation. Raises Refused."""
    game, state = live.game, live.state
    if live.seat_to_act not in live.seats_playing(answer.user_id):
        raise Refused("table.not_your_turn")
    notation = to_notation(game.key, notation)
    try:
        steps = game.parse(state, notation)
    except RuleError as error:
        await refusal.show(answer, live, notation, error)
        return
    drafted = follow(game, state, Draft.of(game, state, steps))
    if word := word_of(game, state, drafted.steps):
        await cube_actions.make(answer, live, word)
        return
    if not drafted.complete or not picker.plays_without_confirmation(drafted, answer.prefs["confirm"]):
        await picker.show(answer, live, drafted, fresh=True)
        return
    await picker.play(answer, live, drafted, fresh=True)


async def cube(answer: Answer, live: LiveGame, word: str) -> None:
    """Plays ``/abak roll`` and ``/abak double``.
    Raises Refused; if a rule of the game forbids it, the refusal is shown.
    """
    seats = live.seats_playing(answer.user_id)
    if all(option.key != "cube" for option in live.game.options):
        raise Refused("cube_action.none", game=live.game.name)
    if live.seat_to_act not in seats:
        raise Refused("table.not_your_turn")
    try:
        live.game.parse(live.state, word)
    except RuleError as error:
        await refusal.show(answer, live, word, error)
    else:
        await cube_actions.make(answer, live, word)
