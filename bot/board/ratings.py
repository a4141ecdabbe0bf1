"""The ratings behind the players' names, and their changes when a rated game or match is over."""

from dataclasses import dataclass

from bot.core.services import Services
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.matches.service import MatchService
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingChange, RatingService
from engine.rating.glicko import Rating


@dataclass(frozen=True, slots=True)
class ShownRatings:
    """The texts about ratings on a board; empty in a casual game."""

    beside: tuple[str, str] = ("", "")
    """The texts behind the players' names, by seat: ``(1532)``, or ``1532 (+11)`` once it has changed."""
    note: str = ""
    """The reason why a rated game that is over has changed no ratings."""


CASUAL = ShownRatings()


async def shown_ratings(services: Services, live: LiveGame, say: Language) -> ShownRatings:
    """Returns the ratings of a rated game's players: the present ones, or the changes by the game or by its match."""
    header, ratings = live.record.header, services[RatingService]
    if not header.rated:
        return CASUAL
    match = await services[MatchService].of(live)
    note = ""
    if live.is_over and (match is None or match.is_over):
        contest_id = header.match or live.id
        changes = {change.user_id: change for change in await ratings.changes_of(contest_id)}
        if set(live.players) <= set(changes):
            first, second = (changed(changes[user_id]) for user_id in live.players)
            return ShownRatings((first, second))
        if await ratings.was_counted(contest_id) is False:
            note = say("board.not_rated_today", n=ratings.daily_limit)
    found = await ratings.of_all(list(live.players), header.game, pace_of(header.clock))
    return ShownRatings((f"({written(found[0])})", f"({written(found[1])})"), note)


def written(rating: Rating) -> str:
    """Formats a rating: ``1532``, or ``1532?`` while it is provisional."""
    return f"{round(rating.rating)}{'?' if rating.provisional else ''}"


def changed(change: RatingChange) -> str:
    """Formats a changed rating: ``1532 (+11)``."""
    sign = "+" if change.gain > 0 else "\N{MINUS SIGN}" if change.gain < 0 else "±"
    return f"{written(change.after)} ({sign}{abs(change.gain)})"
