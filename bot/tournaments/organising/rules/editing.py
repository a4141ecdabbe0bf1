"""Other settings of a tournament that is announced and has not started: what may change, and what follows from it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, cast

from bot.tournaments.organising.rules.effect import Act, Effect
from bot.tournaments.registration import checks
from bot.tournaments.tournament import LateRule, Plan, Player, PlayerStatus, Status, Tournament, TournamentSnapshot
from engine.core.errors import Refused

LATE: Final = "late"
NAME: Final = "name"
START: Final = frozenset({"starts", "check_in"})
"""What decides when the players must be there: they are told of it."""
DATES: Final = frozenset({*START, "registration_opens", "registration_closes"})
PLANNED: Final = (
    "starts",
    "check_in",
    "registration_opens",
    "registration_closes",
    "capacity",
    "least",
    "round_length",
)
BEGUN: Final = frozenset({"tournament.problem.check_in_past"})
"""What may not fit when an edit is undone: the check-in of the former start may have begun."""
EDITED: Final = (NAME, *PLANNED, LATE)
"""The settings, in the order in which changes are told. The values of all but NAME and LATE are numbers, or None."""


def values(tournament: Tournament) -> dict[str, Any]:
    """The settings as the log keeps them."""
    plan = tournament.plan
    return {NAME: tournament.name, **{key: getattr(plan, key) for key in PLANNED}, LATE: late_text(plan)}


def late_text(plan: Plan) -> str:
    """The rule for late games as one text: what it is, and how much more time it gives."""
    return f"{plan.late_rule},{plan.extension}" if plan.late_rule is LateRule.EXTEND else plan.late_rule.value


def with_values(tournament: Tournament, given: Mapping[str, Any]) -> Tournament:
    """The tournament with settings that the log has kept."""
    planned = {key: value for key, value in given.items() if key in PLANNED}
    if LATE in given:
        rule, _, extension = str(given[LATE]).partition(",")
        planned |= {"late_rule": LateRule(rule)} | ({"extension": int(extension)} if extension else {})
    plan = replace(tournament.plan, **planned)
    return replace(tournament, name=given.get(NAME, tournament.name), plan=plan)


def edit(whole: TournamentSnapshot, edited: Tournament, now: int, *, again: bool = False) -> Effect:
    """Gives a tournament other settings. Nobody is moved out by them. Raises Refused.

    ``again``: they were its settings before, so that their check-in may have begun already.
    """
    require_open(whole)
    old, new = values(whole.tournament), values(edited)
    changed = [key for key in EDITED if old[key] != new[key]]
    if not changed:
        raise Refused("tournament.organising.edit_nothing")
    if whole.tournament.paused is not None and DATES.intersection(changed):
        raise Refused("tournament.organising.edit_paused")
    after = with_values(whole.tournament, {key: new[key] for key in changed})
    _require_fits(whole, after.plan, now, BEGUN if again else frozenset())
    players: tuple[Player, ...] = ()
    if whole.tournament.status is Status.CHECK_IN and not _is_check_in(after.plan, now):
        after = replace(after, status=Status.REGISTRATION)
        players = tuple(replace(one, checked_in=False) for one in whole.players if one.checked_in)
    there = [one for one in whole.players if one.status in {PlayerStatus.IN, PlayerStatus.WAITING}]
    return Effect(
        Act.EDIT,
        {"before": {key: old[key] for key in changed}, "after": {key: new[key] for key in changed}},
        tournament=after,
        players=players,
        told=tuple(one.number for one in there if not one.is_machine) if START.intersection(changed) else (),
    )


def require_open(whole: TournamentSnapshot) -> None:
    """Raises Refused if the tournament has started, or is over."""
    if not whole.tournament.status.is_open:
        raise Refused("tournament.organising.edit_started")


def edited_back(whole: TournamentSnapshot, detail: Mapping[str, object], now: int) -> Effect:
    """Gives a tournament the settings that it had before an edit, if they are still what that edit wrote.

    Raises Refused.
    """
    before, after = (cast("dict[str, Any]", detail[key]) for key in ("before", "after"))
    present = values(whole.tournament)
    if any(present[key] != value for key, value in after.items()):
        raise Refused("tournament.organising.edit_nothing")
    return edit(whole, with_values(whole.tournament, before), now, again=True)


def _require_fits(whole: TournamentSnapshot, plan: Plan, now: int, allowed: frozenset[str]) -> None:
    """Raises Refused for the first thing that does not fit, did fit before, and is not ``allowed``."""
    inside = sum(player.is_in for player in whole.players)
    if plan.capacity < inside and plan.capacity < whole.tournament.plan.capacity:
        raise Refused("tournament.organising.edit_capacity", count=inside)
    known = {note.key for note in checks.problems_of_edit(whole.tournament.plan, now)}
    for note in checks.problems_of_edit(plan, now):
        if note.key not in known | allowed:
            raise Refused(note.key, **note.params)


def _is_check_in(plan: Plan, now: int) -> bool:
    """Whether it is the time of the check-in."""
    return bool(plan.check_in) and plan.starts is not None and plan.starts - plan.check_in <= now
