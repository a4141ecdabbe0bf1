"""The templates of tournaments as data: each one is a complete plan."""

from dataclasses import replace
from typing import Final

from bot.challenges.proposal import Wishes, propose
from bot.tournaments.tournament import LateRule, Plan
from engine.core.clock import TimeControl
from engine.core.hours import DAY, HOUR, MINUTE
from engine.registry import find
from engine.tournament.model import USUAL_TIE_BREAKS, Format, Stage, Ties

SWISS: Final = Stage(Format.SWISS, tie_breaks=USUAL_TIE_BREAKS[Format.SWISS], ties=Ties.SHARED)
ROUND_ROBIN: Final = Stage(Format.ROUND_ROBIN, tie_breaks=USUAL_TIE_BREAKS[Format.ROUND_ROBIN], ties=Ties.SHARED)
KNOCKOUT: Final = Stage(Format.SINGLE_ELIMINATION, third_place=True)

FORMATS: Final[dict[str, tuple[Stage, ...]]] = {
    "swiss": (replace(SWISS, rounds=5),),
    "round_robin": (ROUND_ROBIN,),
    "single_elimination": (KNOCKOUT,),
    "double_elimination": (Stage(Format.DOUBLE_ELIMINATION),),
    "swiss_knockout": (replace(SWISS, rounds=5, qualifiers=8), KNOCKOUT),
    "groups_knockout": (replace(ROUND_ROBIN, sections=4, qualifiers=2), KNOCKOUT),
    "arena": (Stage(Format.ARENA),),
    "ladder": (Stage(Format.LADDER),),
}
"""The usual stages of each kind of tournament."""
BY_FORMATS: Final = {tuple(stage.format for stage in stages): key for key, stages in FORMATS.items()}


def usual_break(clock: str) -> int:
    """Returns the usual break between two rounds with a clock, in ms: short in live play."""
    return 5 * MINUTE if clock and TimeControl.parse(clock).live else 12 * HOUR


def with_clock(plan: Plan, clock: str) -> Plan:
    """Returns the plan with another clock. A usual break becomes that of the new clock."""
    is_usual = plan.round_break == usual_break(plan.clock)
    return replace(plan, clock=clock, round_break=usual_break(clock) if is_usual else plan.round_break)


def format_of(plan: Plan) -> str:
    """Returns the key in FORMATS of a plan's kind of tournament."""
    return BY_FORMATS[tuple(stage.format for stage in plan.stages)]


def plan_of(game: str, format_key: str, points: int = 0, clock: str = "3d/move") -> Plan:
    """Returns a plan for a match to ``points``, or for a single game, with the usual options of the game."""
    known = {option.key for option in find(game).options}
    points = points if "points" in known else 0
    made = propose(Wishes(game, points=points, rated=True), clock, None, in_server=True)
    breaks = usual_break(clock)
    return Plan(game, FORMATS[format_key], made.options, made.terms, clock, "loss", round_break=breaks)


TEMPLATES: Final[dict[str, Plan]] = {
    "weekend_swiss": replace(plan_of("abak", "swiss", 3, "15m+10s"), round_length=2 * HOUR, byes=1, late_entries=2),
    "backgammon_knockout": replace(plan_of("backgammon", "single_elimination", 7), capacity=32),
    "abalone_round_robin": replace(plan_of("abalone", "round_robin"), capacity=10),
    "apb_groups": replace(plan_of("apb", "groups_knockout"), capacity=32, least=12),
    "double_elimination": replace(plan_of("abak", "double_elimination", 5, "1d/move"), capacity=16, least=4),
    "long_swiss": replace(
        plan_of("abak", "swiss", 5, "1d/move"),
        round_length=14 * DAY,
        late_rule=LateRule.EXTEND,
        byes=1,
        late_entries=2,
    ),
    "swiss_final": replace(plan_of("backgammon", "swiss_knockout", 5, "1d/move"), least=10),
    "arena": replace(plan_of("abalone", "arena", clock="5m+3s"), arena=HOUR),
    "ladder": replace(plan_of("abak", "ladder", 3), capacity=128),
}
"""The templates by key. The name of each is the message ``tournament.template.<key>``."""


def begun_anew(plan: Plan, template: str) -> Plan:
    """Returns the settings of a template with the dates of a plan."""
    return replace(
        TEMPLATES[template],
        starts=plan.starts,
        registration_opens=plan.registration_opens,
        registration_closes=plan.registration_closes,
        check_in=plan.check_in,
    )


def began_from(plan: Plan) -> str | None:
    """Returns the template with the settings of a plan, apart from the dates; None if there is none."""
    return next((key for key in TEMPLATES if begun_anew(plan, key) == plan), None)


def with_game(plan: Plan, game: str) -> Plan:
    """Returns the plan for another game, with the same number of points if that game has points."""
    fresh = plan_of(game, format_of(plan), plan.terms.points or find(game).usual_match, plan.clock)
    return replace(plan, game=game, options=fresh.options, terms=fresh.terms)
