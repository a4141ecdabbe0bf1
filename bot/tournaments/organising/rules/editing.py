"""Changes of the settings of an announced tournament, and their effects."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from bot.tournaments.organising.rules.effect import Act, Effect, people
from bot.tournaments.registration import checks
from bot.tournaments.series.dates import repeats_at
from bot.tournaments.tournament import (
    LateRule,
    Plan,
    Player,
    Repeat,
    Status,
    Tournament,
    TournamentSnapshot,
)
from engine.core.errors import Refused

LATE: Final = "late"
NAME: Final = "name"
REPEAT: Final = "repeat"
START: Final = frozenset({"starts", "check_in"})
"""The settings of the time at which players must be present. The players are told of changes."""
DATES: Final = frozenset({*START, "registration_opens", "registration_closes"})
PLANNED: Final = (
    "starts",
    "check_in",
    "registration_opens",
    "registration_closes",
    "capacity",
    "least",
    "round_length",
    "season",
)
BEGUN: Final = frozenset({"tournament.problem.check_in_past"})
"""The problems that are allowed when an edit is undone, as the check-in of the former start may have begun."""
EDITED: Final = (NAME, *PLANNED, LATE, REPEAT)
"""The settings, in the order in which changes are shown. Those in PLANNED are numbers or None, the others texts."""
RUNNING: Final = frozenset({REPEAT, "season"})
"""Settings that may also change in a running tournament, as they are about the next ones."""


def values(tournament: Tournament) -> dict[str, Any]:
    """Returns the settings in the form of the log."""
    plan = tournament.plan
    planned = {key: getattr(plan, key) for key in PLANNED}
    return {NAME: tournament.name, **planned, LATE: late_text(plan), REPEAT: plan.repeat.value}


def late_text(plan: Plan) -> str:
    """Returns the rule for late games and its extension as one text."""
    return f"{plan.late_rule},{plan.extension}" if plan.late_rule is LateRule.EXTEND else plan.late_rule.value


def with_values(tournament: Tournament, given: Mapping[str, Any]) -> Tournament:
    """Returns the tournament with settings from the log."""
    planned = {key: value for key, value in given.items() if key in PLANNED}
    if LATE in given:
        rule, _, extension = str(given[LATE]).partition(",")
        planned |= {"late_rule": LateRule(rule)} | ({"extension": int(extension)} if extension else {})
    if REPEAT in given:
        planned[REPEAT] = Repeat(given[REPEAT])
    plan = replace(tournament.plan, **planned)
    return replace(tournament, name=given.get(NAME, tournament.name), plan=plan)


def edit(snapshot: TournamentSnapshot, edited: Tournament, now: int, *, again: bool = False) -> Effect:
    """Gives a tournament other settings. Its players all stay. Raises Refused.

    ``again``: the settings are former ones, so their check-in may have begun already.
    """
    require_editable(snapshot)
    old, new = values(snapshot.tournament), values(edited)
    changed = [key for key in EDITED if old[key] != new[key]]
    if not changed:
        raise Refused("tournament.organising.edit_nothing")
    is_running = snapshot.tournament.status is Status.RUNNING
    if is_running and not RUNNING.issuperset(changed):
        raise Refused("tournament.organising.edit_started")
    if snapshot.tournament.paused is not None and DATES.intersection(changed):
        raise Refused("tournament.organising.edit_paused")
    after = with_values(snapshot.tournament, {key: new[key] for key in changed})
    _require_fits(snapshot, after.plan, now, BEGUN if again else frozenset())
    if is_running:
        after = replace(after, repeat_at=repeats_at(after.plan))
    players: tuple[Player, ...] = ()
    if snapshot.tournament.status is Status.CHECK_IN and not _is_check_in(after.plan, now):
        after = replace(after, status=Status.REGISTRATION)
        players = tuple(replace(one, checked_in=False) for one in snapshot.players if one.checked_in)
    return Effect(
        Act.EDIT,
        {"before": {key: old[key] for key in changed}, "after": {key: new[key] for key in changed}},
        tournament=after,
        players=players,
        told=people(snapshot) if START.intersection(changed) else (),
    )


def require_editable(snapshot: TournamentSnapshot) -> None:
    """Raises Refused if the tournament is over, so that no setting may change."""
    if not (snapshot.tournament.status.is_open or snapshot.tournament.status is Status.RUNNING):
        raise Refused("tournament.organising.edit_started")


def edited_back(snapshot: TournamentSnapshot, detail: Mapping[str, object], now: int) -> Effect:
    """Restores the settings from before an edit, unless they were changed again. Raises Refused."""
    before, after = (cast("dict[str, Any]", detail[key]) for key in ("before", "after"))
    present = values(snapshot.tournament)
    if any(present[key] != value for key, value in after.items()):
        raise Refused("tournament.organising.edit_nothing")
    return edit(snapshot, with_values(snapshot.tournament, before), now, again=True)


def _require_fits(snapshot: TournamentSnapshot, plan: Plan, now: int, allowed: frozenset[str]) -> None:
    """Raises Refused for the first problem that is new and not ``allowed``."""
    inside = sum(player.is_in for player in snapshot.players)
    if plan.capacity < inside and plan.capacity < snapshot.tournament.plan.capacity:
        raise Refused("tournament.organising.edit_capacity", count=inside)
    known = {note.key for note in checks.problems_of_edit(snapshot.tournament.plan, now)}
    for note in checks.problems_of_edit(plan, now):
        if note.key not in known | allowed:
            raise Refused(note.key, **note.params)


def _is_check_in(plan: Plan, now: int) -> bool:
    return bool(plan.check_in) and plan.starts is not None and plan.starts - plan.check_in <= now
