"""A season in words: a line for messages, and the whole table."""

from fractions import Fraction
from typing import Final

from babel.numbers import format_decimal

from bot.core.texts.quoting import with_own_numbers
from bot.core.translations import Language
from bot.players.mentions import mention
from bot.tournaments.series.service import Season
from engine.tournament.season import POINTS, SeasonLine

NAMED: Final = 3
"""The number of players in the line, unless more share the last of these ranks."""
MOST_NAMED: Final = 6


def points(value: Fraction, say: Language) -> str:
    """Formats points: ``17``, ``8.5``, ``7.33``."""
    return format_decimal(round(float(value), 2), "0.##", locale=say.code)


def line(season: Season, say: Language) -> str:
    """Writes the standings in a line with the best players; at the beginning, those of the former season."""
    if not season.table:
        return say("tournament.season.none", part=season.part, n=season.length)
    best = [one for one in season.table if one.rank <= NAMED][:MOST_NAMED]
    players = ", ".join(
        say("tournament.season.player", rank=one.rank, player=mention(one.who, say), points=points(one.points, say))
        for one in best
    )
    if season.former:
        return say("tournament.season.former", n=season.length, players=players)
    return say("tournament.season.stands", part=season.part, n=season.length, players=players)


def page(season: Season, reader: int, say: Language, most: int) -> list[str]:
    """Returns the table as lines, with at most ``most`` players and the reader."""
    lines = [say("tournament.season.rule", points=", ".join(map(str, POINTS)))]
    lines += [_row(one, say) for one in season.table[:most]]
    lines += [_row(one, say) for one in season.table[most:] if one.who == reader]
    return with_own_numbers(lines)


def _row(one: SeasonLine[int], say: Language) -> str:
    value = points(one.points, say)
    return say("tournament.season.row", rank=one.rank, player=mention(one.who, say), points=value, n=one.tournaments)
