"""Suggestions of games while an organiser types. A tournament may have thousands."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from discord import app_commands

from bot.core.interactions.answer import Context, Interaction
from bot.core.interactions.command_texts import CHOICES
from bot.core.translations import Language, plain
from bot.players.asker import language_of
from bot.players.service import PlayerNames
from bot.tournaments import chosen
from bot.tournaments.access import organises
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.organising.service import Game, OrganiserService, SearchTerm
from bot.tournaments.results.round_names import every, of_pairing
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Plan
from engine.tournament.model import KNOCKOUTS

DASH: Final = " \u2013 "
DOT: Final = " · "
MARKS: Final = ",\u2013·"
"""The characters between the words of a suggestion."""
WORDS: Final = 8
"""The most typed words that are searched for."""
MANY: Final = 50
"""The most players of one word in a query of the database. With more, only the newest games are searched."""
SEARCHED: Final = 200
"""The most games that are searched: the newest ones that the database finds."""
DIGITS: Final = 4
"""The most digits of the number of a round or of a board."""


class Names(NamedTuple):
    """The names of players, by number."""

    shown: Mapping[int, str]
    plain: Mapping[int, str]

    @classmethod
    async def of(cls, context: Context, users: Mapping[int, int], say: Language) -> "Names":
        """Loads the names. ``users``: the user of each player, by number."""
        known = await context.services[PlayerNames].names(users.values(), say)
        shown = {number: known[user_id] for number, user_id in users.items()}
        return cls(shown, {number: plain(name) for number, name in shown.items()})


class Rounds(NamedTuple):
    """What names the rounds of a tournament."""

    plan: Plan
    sizes: Mapping[int, int]
    """The sizes of its brackets, by their stages."""
    say: Language


async def games(context: Context, interaction: Interaction, typed: str, name: Act) -> list[app_commands.Choice[str]]:
    """Suggests games for the option ``pairing``; none to a user who may not organise.

    A game fits if its players, round and board have all the typed words. The database searches for the words first, so
    that old games of a player are found, too.
    """
    service, guild_id = context.services[TournamentService], interaction.guild_id or 0
    given = str(getattr(interaction.namespace, "tournament", None) or "")
    meant = await service.called(guild_id, given, chosen.PUBLIC) if given else await service.active(guild_id)
    if len(meant) != 1 or not await organises(context, interaction, meant[0]):
        return []
    (tournament,) = meant
    say, repository = await language_of(context, interaction), context.services[OrganiserService].repository
    plan = tournament.plan
    has_bracket = any(stage.format in KNOCKOUTS for stage in plan.stages)
    rounds = Rounds(plan, await repository.bracket_sizes(tournament.id) if has_bracket else {}, say)
    sought = plain(typed)
    words = [stripped for word in sought.split() if (stripped := word.strip(MARKS))][:WORDS]
    if not words:
        found = await repository.games(tournament.id, name, (), CHOICES)
        players = {number for game in found for number in (game.first, game.second)}
        names = await Names.of(context, await repository.users(tournament.id, players), say)
    else:
        names = await Names.of(context, await repository.users(tournament.id), say)
        wanted = _wanted(words, names, rounds)
        found = [] if wanted is None else await repository.games(tournament.id, name, wanted, SEARCHED)
        found = _fitting(found, words, sought, names, rounds)
    return [app_commands.Choice(name=_label(game, names.shown, rounds), value=str(game.id)) for game in found[:CHOICES]]


def _wanted(words: Sequence[str], names: Names, rounds: Rounds) -> list[SearchTerm] | None:
    """Returns the terms for the database; None if no game has one of the words."""
    say = rounds.say
    named = [say("tournament.results.column.round", round=""), *every(rounds.plan, rounds.sizes, say)]
    everywhere = plain(say("tournament.organising.place", round=" ".join(named), board="")).split()
    wanted = []
    for word in dict.fromkeys(words):
        if any(one == word if word.isdecimal() else word in one for one in everywhere):
            continue
        players = [number for number, name in names.plain.items() if word in name]
        is_number = len(word) <= DIGITS and word.isascii() and word.isdigit()
        if not players and not is_number:
            return None
        if len(players) <= MANY:
            wanted.append(SearchTerm(players, int(word) if is_number else None))
    return wanted


def _fitting(found: Sequence[Game], words: Sequence[str], sought: str, names: Names, rounds: Rounds) -> list[Game]:
    """Returns the games with all the words. Those that have them as typed come first."""
    texts = {game: plain(_label(game, names.plain, rounds)) for game in found}
    fitting = [game for game in found if all(word in texts[game] for word in words)]
    return sorted(fitting, key=lambda game: sought not in texts[game])


def _label(game: Game, names: Mapping[int, str], rounds: Rounds) -> str:
    name = of_pairing(rounds.plan, game.pairing, rounds.sizes, rounds.say)
    place = rounds.say("tournament.organising.place", round=name, board=game.board)
    return DASH.join((names[game.first], names[game.second])) + DOT + place
