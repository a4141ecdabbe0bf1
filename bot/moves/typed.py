"""Moves by commands: typed notation, and the words of the cube."""

from bot.actions import cube_actions
from bot.board.cube_actions import word_of
from bot.core.interactions.answer import Answer
from bot.games.live import LiveGame
from bot.games.service import GameService
from bot.moves import picker, refusal
from bot.moves.draft import Draft, follow
from bot.my_games import views as my_games
from engine.core.errors import Refused, RuleError


async def play(answer: Answer, live: LiveGame, notation: str) -> None:
    """Plays what was typed; the picker goes on where it is not a whole turn, or must be asked about. Raises Refused."""
    table = live.table
    if table.to_act not in live.seats_playing(answer.user_id):
        raise Refused("table.not_your_turn")
    try:
        steps = table.game.parse(table.state, notation)
    except RuleError as error:
        await refusal.show(answer, live, notation, error)
        return
    drafted = follow(table.game, table.state, Draft.of(table.game, table.state, steps))
    if word := word_of(table.game, table.state, drafted.steps):
        await cube_actions.make(answer, live, word)
        return
    if not drafted.complete or not picker.may_be_played(drafted, answer.prefs["confirm"]):
        await picker.show(answer, live, drafted.draft, fresh=True)
        return
    after = await answer.service(GameService).play(live.id, answer.user_id, table.seq, notation)
    content, view = await my_games.told_played(answer, table.seq, after)
    await answer.private(content, view=view)


async def cube(answer: Answer, live: LiveGame, word: str) -> None:
    """``/abak roll`` and ``/abak double``. Raises Refused; a rule that forbids it is shown."""
    table, seats = live.table, live.seats_playing(answer.user_id)
    if all(option.key != "cube" for option in table.game.options):
        raise Refused("cube_action.none", game=table.game.name)
    if table.to_act not in seats:
        raise Refused("table.not_your_turn")
    try:
        table.game.parse(table.state, word)
    except RuleError as error:
        await refusal.show(answer, live, word, error)
    else:
        await cube_actions.make(answer, live, word)
