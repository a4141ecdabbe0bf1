"""Play the machine: a private message with a button for each game, from which the game begins at once."""

from typing import Final

from bot.challenges import form
from bot.challenges.proposal import Wishes
from bot.challenges.views import check_machine, post
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.routing import Handlers
from bot.players.machines import Machines, machine_title
from bot.players.service import PreferenceService
from engine.registry import GAMES, find

handlers: Final = Handlers()


@handlers.on("machine")
async def choose(answer: Answer, _press: Press) -> None:
    """Opens the message. Raises Refused if no machine plays."""
    await show(answer, answer.service(Machines).usual, fresh=True)


async def show(answer: Answer, level: int, *, fresh: bool) -> None:
    """Shows the games and the levels, and the way to all other options."""
    check_machine(answer, level, await answer.service(PreferenceService).of_server(answer.interaction.guild_id))
    say, levels = answer.say, answer.service(Machines).levels
    games = [PressButton(Press("machine_play", key, level), game.name, "good", row=0) for key, game in GAMES.items()]
    more = PressButton(Press("machine_options", "me", level), say("button.machine_options"), row=2)
    menu = form.level_menu(Press("machine_level", "me", 0), levels, level, say, row=1)
    await answer.show(
        say("machine.choose", opponent=machine_title(level, say)), view=view_of(*games, menu, more), fresh=fresh
    )


@handlers.on("machine_level")
async def choose_level(answer: Answer, press: Press) -> None:
    await show(answer, form.checked_level(read_id(press.value)), fresh=False)


@handlers.on("machine_play")
async def play(answer: Answer, press: Press) -> None:
    """Begins a game of what is usual. The message begins one game, however often it is pressed."""
    message = answer.interaction.message
    form_id = None if message is None else f"{message.id:x}"
    await post(answer, Wishes(find(press.subject).key), form.checked_level(press.seq), form_id=form_id)


@handlers.on("machine_options")
async def options(answer: Answer, press: Press) -> None:
    """Opens the form of a challenge in place of the message."""
    await form.show(answer, form.checked_level(press.seq), fresh=False)
