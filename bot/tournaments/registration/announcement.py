"""The public message of a tournament: its rules, its players, its buttons."""

from collections.abc import Sequence
from typing import Any, Final

import discord

from bot.clocks.words import stamp
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.players.mentions import mention
from bot.tournaments import start_words
from bot.tournaments.registration import words
from bot.tournaments.registration.entering import enters_late, expected, players_in, waiting_list
from bot.tournaments.results.words import live_line
from bot.tournaments.rounds.steps.starting import FEWEST
from bot.tournaments.schedule import break_end
from bot.tournaments.series import words as season_words
from bot.tournaments.series.service import Season
from bot.tournaments.tournament import Plan, Player, PlayerStatus, Status, Tournament, TournamentSnapshot
from engine.tournament.model import KNOCKOUTS

PLAYERS: Final = "tournament_players"
"""The verb of the button that every announcement has."""
BRACKET: Final = "tournament_bracket"
RESULTS: Final = ("tournament_standings", "tournament_pairings", BRACKET)
"""The verbs of the buttons that show results."""


def content(snapshot: TournamentSnapshot, say: Language, now: int, season: Season | None = None) -> str:
    """Returns the text of the message. ``season``: the standings of its series' season."""
    tournament, plan = snapshot.tournament, snapshot.tournament.plan
    lines = [say("tournament.title", name=tournament.name), *words.rules(plan, say), *words.who(plan, say)]
    lines += state(snapshot, say, now)
    if tournament.status.is_active:
        lines += words.repeats(plan, say)
        lines += [season_words.line(season, say)] if season is not None else []
    return "\n".join(lines)


def state(snapshot: TournamentSnapshot, say: Language, now: int) -> list[str]:
    """Returns the lines about its state: the start and the players, or after the end the winner."""
    tournament = snapshot.tournament
    if tournament.status is Status.CANCELLED:
        return [say("tournament.state.cancelled")]
    if tournament.status is Status.OVER:
        placed = sum(player.first_place is not None for player in snapshot.players)
        number = say("tournament.players", n=placed) if placed else _count(snapshot, say)
        return [number, *winners(snapshot.players, say)]
    lines = []
    if tournament.status is Status.RUNNING:
        paused = tournament.paused is not None
        key = "tournament.state.halted" if paused else "tournament.state.live"
        lines.append(say(key, line=live_line(snapshot, say)))
        if (until := break_end(snapshot)) is not None:
            lines.append(say("tournament.rounds.break", when=stamp(until, "t"), relative=stamp(until, "R")))
        lines += words.late_entries(tournament.plan, say) if enters_late(tournament) else []
    else:
        lines += _before_start(tournament.plan, say, now)
    if tournament.status is Status.CHECK_IN:
        people = expected(snapshot.players)
        done = sum(player.checked_in for player in people)
        lines.append(say("tournament.state.check_in", done=done, total=len(people)))
    if tournament.paused is not None and tournament.status is not Status.RUNNING:
        lines.append(say("tournament.state.paused"))
    return [*lines, _count(snapshot, say)]


def _before_start(plan: Plan, say: Language, now: int) -> list[str]:
    """Returns the lines about the start, about the time for joining, and about what has to be done for it."""
    least = [say("tournament.state.least", n=plan.least)] if plan.least > FEWEST else []
    conditions = [*least, *words.check_in(plan, say), *words.late_entries(plan, say)]
    lines = [start_words.start(plan, say), *words.registration(plan, say, now)]
    return [*lines, " ".join(conditions)] if conditions else lines


def winners(players: Sequence[Player], say: Language) -> list[str]:
    """Returns the line that names all players in the first place; [] if there are none."""
    found = [mention(player.user_id, say) for player in players if player.first_place == 1]
    return [say("tournament.state.winner", n=len(found), names=say.listed(found))] if found else []


def _count(snapshot: TournamentSnapshot, say: Language) -> str:
    """Returns the numbers of players, of places and, until the start, of waiting players in words."""
    inside, status = len(players_in(snapshot.players)), snapshot.tournament.status
    if not status.is_active:
        return say("tournament.players", n=inside)
    waiting = len(waiting_list(snapshot.players)) if status.is_open else 0
    line = say("tournament.players_of", n=inside, capacity=snapshot.tournament.plan.capacity)
    return f"{line} {say('tournament.players_waiting', n=waiting)}" if waiting else line


def buttons(
    tournament: Tournament, say: Language, reader: Player | None = None, *, public: bool = True
) -> list[discord.ui.Item[Any]]:
    """Returns the buttons that fit the state. Unless ``public``, they are for one reader.

    ``reader``: the reader as a player of the tournament; None if they do not play.
    """
    status = tournament.status
    shown: list[tuple[str, str]] = []
    if status in {Status.DRAFT, Status.CANCELLED}:
        return []
    if status is Status.CHECK_IN:
        shown.append(("tournament_check_in", "good"))
    elif _may_join(tournament, reader):
        shown.append(("tournament_join", "good"))
    if status in {Status.RUNNING, Status.OVER}:
        has_bracket = any(stage.format in KNOCKOUTS for stage in tournament.plan.stages)
        shown += [(verb, "plain") for verb in RESULTS if verb != BRACKET or has_bracket]
    if status.is_active and (public or _is_in(reader)):
        shown.append(("tournament_leave", "plain"))
    shown.append((PLAYERS, "plain"))
    return [PressButton(Press(verb, tournament.id, 0), say(f"button.{verb}"), style) for verb, style in shown]


def _may_join(tournament: Tournament, reader: Player | None) -> bool:
    """Returns whether the button to join fits. Whoever has left may come back before the start; who still waits after
    it may enter late.
    """
    registers, is_late = tournament.status is Status.REGISTRATION, enters_late(tournament)
    if reader is None:
        return registers or is_late
    return (registers and reader.status is PlayerStatus.WITHDRAWN) or (
        is_late and reader.status is PlayerStatus.WAITING
    )


def _is_in(player: Player | None) -> bool:
    return player is not None and player.status in {PlayerStatus.IN, PlayerStatus.WAITING}


def view(tournament: Tournament, say: Language) -> discord.ui.View:
    return view_of(*buttons(tournament, say))
