"""The machine's profile: its levels with their ratings and the reader's record against each, and a menu of levels."""

from typing import Final

import discord

from bot.challenges.form import checked_level
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressMenu, view_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.routing import Handlers
from bot.core.translations import Language
from bot.players.machines import Machines, machine_name
from bot.profiles import views
from bot.profiles.profile import LevelProfile
from bot.profiles.service import ProfileService
from engine.core.errors import Refused
from engine.registry import find

handlers: Final = Handlers()


async def show(answer: Answer) -> None:
    """Shows the levels that play here, and those that have played. Raises Refused if there are none."""
    say, offered = answer.say, answer.service(Machines).levels
    found = await answer.service(ProfileService).of_machines(answer.user_id)
    levels = [one for one in found if one.level in offered or one.ratings or any(one.against)]
    if not levels:
        raise Refused("machine.off")
    options = [discord.SelectOption(label=machine_name(one.level, say), value=str(one.level)) for one in levels]
    menu = PressMenu(Press("machine_profile", "me", 0), say("profile.machine.menu"), options)
    lines = [say("profile.machine"), *(line(one, say) for one in levels)]
    await answer.private("\n".join(lines)[: views.CONTENT], view=view_of(menu))


@handlers.on("machine_profile")
async def show_level(answer: Answer, press: Press) -> None:
    """Shows the profile of the chosen level in a new message."""
    await views.show(answer, checked_level(read_id(press.value)), "")


def line(one: LevelProfile, say: Language) -> str:
    """Returns the line of a level: its ratings, and the reader's results against it."""
    parts = [f"**{machine_name(one.level, say)}**"]
    parts += [
        say(
            "profile.machine.rating",
            game=find(game).name,
            pace=views.pace_text(pace, say),
            rating=views.rating_text(rating, say),
        )
        for game, pace, rating in one.ratings
    ]
    if any(one.against):
        won, drawn, lost = one.against
        parts.append(say("profile.machine.against", counts=say("profile.counts", won=won, drawn=drawn, lost=lost)))
    return " · ".join(parts)
