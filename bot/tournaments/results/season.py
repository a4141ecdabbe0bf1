"""The table of a season, shown by its button."""

from typing import Final

from bot.core.interactions.answer import Answer
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.tournaments.results.service import ResultService
from bot.tournaments.results.words import CONTENT, fitting
from bot.tournaments.series import words
from bot.tournaments.series.service import SeriesService
from engine.core.errors import Refused

handlers: Final = Handlers()

SEASON: Final = "tournament_season"
"""The verb of the button."""
SHOWN: Final = 25


@handlers.on(SEASON)
async def show(answer: Answer, press: Press) -> None:
    """Shows the season of the pressed tournament. Raises Refused if it has none."""
    guild_id = answer.interaction.guild_id
    snapshot = await answer.service(ResultService).visible(press.subject, guild_id, answer.user_id)
    season = await answer.service(SeriesService).season(snapshot.tournament)
    if season is None:
        raise Refused("tournament.season.without")
    say = answer.say
    head = say("tournament.season.title", name=snapshot.tournament.name)
    texts = ([head, words.line(season, say), *words.page(season, answer.user_id, say, n)] for n in (SHOWN, SHOWN // 2))
    await answer.private(fitting(texts, CONTENT))
