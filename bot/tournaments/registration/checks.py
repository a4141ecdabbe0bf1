"""Contradictions in a plan. Problems forbid its announcement, warnings do not."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.challenges.proposal import check_bank
from bot.clocks.limits import check_limit
from bot.ratings.pace import LIVE, pace_of
from bot.tournaments.tournament import Plan, Repeat
from engine.core.clock import TimeControl
from engine.core.errors import RuleError, Translated
from engine.core.game import Note
from engine.core.hours import DAY
from engine.registry import find
from engine.tournament.director import rounds_expected
from engine.tournament.model import IN_ROUNDS, MOST_AT_ONCE, MOST_ENTRANTS, Format

LONG_GAME: Final = 40
"""The turns of one player in a long game."""
LARGE_GROUP: Final = 16
"""The most players of a round robin without a warning of its many rounds."""


def longest_game(clock: str) -> int:
    """Estimates the longest time of a game with LONG_GAME turns of each player, in ms; 0 without a clock."""
    if not clock:
        return 0
    spec = TimeControl.parse(clock)
    return 2 * (spec.bank + LONG_GAME * (spec.per_turn + spec.increment))


def least_field(plan: Plan) -> int:
    """Returns the fewest players with whom each stage of the plan can be played."""
    if len(plan.stages) == 1:
        return 2
    first = plan.stages[0]
    if first.format is Format.ROUND_ROBIN:
        return first.sections * (first.qualifiers + 1)
    return first.qualifiers + 1


def problems(plan: Plan, server: Mapping[str, str], now: int) -> list[Note]:
    """Returns the reasons against announcing this plan, each with a remedy. ``server``: the server's preferences."""
    return [*_of_game(plan, server), *problems_of_edit(plan, now)]


def problems_of_edit(plan: Plan, now: int) -> list[Note]:
    """Returns the reasons against these settings of an announced tournament, whose game and clock stay."""
    return [*_of_end(plan), *_of_dates(plan, now), *_of_players(plan)]


def _of_game(plan: Plan, server: Mapping[str, str]) -> Iterator[Note]:
    rules = find(plan.game)
    if plan.terms.points and "points" not in {option.key for option in rules.options}:
        yield Note("tournament.problem.points", {"game": rules.name})
    for check in (
        lambda: check_limit(server, plan.clock),
        lambda: check_bank(plan.terms, plan.clock),
        lambda: rules.settle_options(plan.options),
    ):
        try:
            check()
        except RuleError as error:
            yield Note(error.key, error.params)
    if plan.format is Format.ARENA and pace_of(plan.clock) != LIVE:
        yield Note("tournament.problem.arena_clock")
    if plan.is_at_once:
        yield from _of_table(plan)


def _of_table(plan: Plan) -> Iterator[Note]:
    """Yields what forbids that all games of a table begin at once."""
    if plan.format is not Format.ROUND_ROBIN:
        yield Note("tournament.problem.at_once_format")
    if pace_of(plan.clock) == LIVE:
        yield Note("tournament.problem.at_once_clock")
    if not plan.threads:
        yield Note("tournament.problem.at_once_threads")


def _of_end(plan: Plan) -> Iterator[Note]:
    if not plan.clock and not plan.round_length and plan.format is not Format.ARENA:
        yield Note("tournament.problem.no_end")


def _of_dates(plan: Plan, now: int) -> Iterator[Note]:
    opens, closes, starts = plan.registration_opens, plan.registration_closes, plan.starts
    if starts is not None and starts <= now:
        yield Note("tournament.problem.past")
    elif starts is not None and plan.check_in and starts - plan.check_in <= now:
        yield Note("tournament.problem.check_in_past")
    if starts is None and plan.check_in:
        yield Note("tournament.problem.check_in")
    if starts is None and plan.repeat is not Repeat.NONE:
        yield Note("tournament.problem.repeat")
    if opens is not None and starts is not None and opens >= starts:
        yield Note("tournament.problem.opens_late")
    if closes is not None and closes <= max(opens or 0, now):
        yield Note("tournament.problem.closes_early")
    if closes is not None and starts is not None and closes > starts:
        yield Note("tournament.problem.closes_late")


def _of_players(plan: Plan) -> Iterator[Note]:
    if plan.late_entries and plan.format is not Format.SWISS:
        yield Note("tournament.problem.late_entries")
    elif plan.late_entries and plan.stages[0].rounds and plan.late_entries >= plan.stages[0].rounds:
        yield Note("tournament.problem.late_rounds", {"rounds": plan.stages[0].rounds})
    if plan.byes and plan.format is not Format.SWISS:
        yield Note("tournament.problem.byes")
    if not 2 <= plan.least <= plan.capacity <= MOST_ENTRANTS:
        yield Note("tournament.problem.capacity", {"least": 2, "most": MOST_ENTRANTS})
    most = MOST_AT_ONCE * plan.stages[0].sections
    if plan.is_at_once and plan.capacity > most:
        yield Note("tournament.problem.at_once_players", {"n": MOST_AT_ONCE, "most": most})
    if plan.least < least_field(plan):
        yield Note("tournament.problem.field", {"least": least_field(plan)})


def warnings(plan: Plan) -> list[Note]:
    """Returns warnings for the organiser before the announcement."""
    return list(_warnings(plan))


def _warnings(plan: Plan) -> Iterator[Note]:
    if plan.format in IN_ROUNDS and 0 < plan.round_length < longest_game(plan.clock):
        yield Note("tournament.warning.short_round", {"length": Translated(f"~{_days(plan.round_length)}")})
    live = pace_of(plan.clock) == LIVE
    if live and plan.starts is not None and not plan.check_in and plan.format in IN_ROUNDS:
        yield Note("tournament.warning.check_in")
    group = -(-plan.capacity // max(1, plan.stages[0].sections))
    if plan.format is Format.ROUND_ROBIN and group > LARGE_GROUP:
        yield Note("tournament.warning.large_group", {"n": rounds_expected(plan.stages[:1], plan.capacity)})
    if plan.starts is None:
        yield Note("tournament.warning.by_hand")


def _days(length: int) -> str:
    """Writes a length in ms in days, or else in hours."""
    return f"{length // DAY}d" if length >= DAY and not length % DAY else f"{length // 3_600_000}h"
