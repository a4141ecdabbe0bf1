"""A tournament in words: its rules, its calendar, its conditions for joining."""

from collections.abc import Iterator
from typing import Final

from bot.challenges import words as challenge_words
from bot.clocks.words import length, stamp
from bot.core.translations import Language
from bot.tournaments.registration.templates import format_of
from bot.tournaments.tournament import LateRule, Plan, Repeat, Tournament
from engine.registry import find
from engine.tournament.director import rounds_expected
from engine.tournament.model import KNOCKOUTS, USUAL_TIE_BREAKS, Format, Ties
from engine.tournament.season import POINTS

SHOWN_ROUNDS: Final = 8
"""The most rounds of a calendar that are shown one by one."""


def format_text(plan: Plan, say: Language) -> str:
    """Writes ``Swiss, 5 rounds``, ``4 groups, then a knockout``, and so on."""
    first = plan.stages[0]
    key = format_of(plan)
    if first.format is Format.SWISS and first.rounds:
        return say(f"tournament.format.{key}_rounds", n=first.rounds, through=first.qualifiers)
    if key == "round_robin" and first.legs > 1:
        return say("tournament.format.round_robin_twice")
    if key == "groups_knockout":
        return say("tournament.format.groups", n=first.sections, through=first.qualifiers)
    if key == "arena":
        return say("tournament.format.arena_length", length=length(plan.arena, say))
    return say(f"tournament.format.{key}", through=first.qualifiers)


def rules(plan: Plan, say: Language) -> list[str]:
    """Returns the rules in lines: the game, the clock, the length of a round, and in a knockout what a draw means."""
    game = find(plan.game)
    options = game.settle_options(plan.options)
    return [
        say(
            "tournament.rules.game",
            format=format_text(plan, say),
            game=game.name,
            layout=challenge_words.layout_text(plan.game, options, say),
            what=_lower(challenge_words.played_for(plan.game, options, plan.terms, say)),
            how=say("challenge.rated" if plan.rated else "challenge.casual"),
        ),
        challenge_words.clock_line(plan.clock, plan.timeout_policy, plan.terms, say),
        _pace_line(plan, say),
        *_knockout(plan, say),
    ]


def _knockout(plan: Plan, say: Language) -> list[str]:
    """Returns the line about draws and third place in a knockout; [] without one."""
    knockouts = [stage for stage in plan.stages if stage.format in KNOCKOUTS]
    if not knockouts:
        return []
    third = any(stage.third_place and stage.format is Format.SINGLE_ELIMINATION for stage in knockouts)
    return [" ".join([say("tournament.rules.knockout"), *([say("tournament.rules.third_place")] if third else [])])]


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


def _pace_line(plan: Plan, say: Language) -> str:
    """Returns the line about the length of a round and the rule at its end; for an arena or a ladder, its course."""
    if plan.format is Format.ARENA:
        return say("tournament.rules.arena")
    if plan.format is Format.LADDER:
        ladder = plan.ladder
        return say("tournament.rules.ladder", n=ladder.reach, again=length(ladder.again, say))
    if plan.round_length:
        late = say(f"tournament.late.{plan.late_rule.value}", extension=length(plan.extension, say))
        line = say("tournament.rules.round", length=length(plan.round_length, say), late=late)
    else:
        line = say("tournament.rules.no_deadline")
    if plan.is_at_once:
        in_groups = plan.stages[0].sections > 1
        line = f"{line} {say('tournament.rules.at_once_groups' if in_groups else 'tournament.rules.at_once')}"
    if not plan.round_break or _is_one_round(plan):
        return line
    return f"{line} {say('tournament.rules.break', length=length(plan.round_break, say))}"


def _is_one_round(plan: Plan) -> bool:
    """Returns whether no round can follow the first one."""
    return plan.is_at_once and len(plan.stages) == 1 and plan.stages[0].ties is not Ties.PLAY_OFF


def who(plan: Plan, say: Language) -> list[str]:
    """Returns the line about the conditions for joining; [] if anybody may join."""
    wanted = plan.eligibility
    parts = [say("tournament.who.role", role=f"<@&{wanted.role_id}>")] if wanted.role_id is not None else []
    if wanted.lowest is not None and wanted.highest is not None:
        parts.append(say("tournament.who.range", low=wanted.lowest, high=wanted.highest))
    elif wanted.lowest is not None:
        parts.append(say("tournament.who.from", low=wanted.lowest))
    elif wanted.highest is not None:
        parts.append(say("tournament.who.to", high=wanted.highest))
    if wanted.games:
        parts.append(say("tournament.who.games", n=wanted.games))
    return [say("tournament.who", parts=say.listed(parts))] if parts else []


def more(plan: Plan, say: Language) -> list[str]:
    """Returns further rules: byes, threads, prizes, tie-breaks."""
    lines = []
    if plan.byes:
        lines.append(say("tournament.more.byes", n=plan.byes))
    if plan.stages[0].tie_breaks:
        names = say.listed(say(f"tournament.tie_break.{one.value}") for one in plan.stages[0].tie_breaks)
        lines.append(say("tournament.more.tie_breaks", names=names))
    if plan.format in USUAL_TIE_BREAKS:
        lines.append(say(f"tournament.more.ties.{plan.stages[0].ties}"))
    lines.append(say("tournament.more.threads" if plan.threads else "tournament.more.no_threads"))
    if plan.season and plan.repeat is not Repeat.NONE:
        lines.append(say("tournament.more.season", n=plan.season, points=", ".join(map(str, POINTS))))
    lines += [say("tournament.more.prize", place=place, role=f"<@&{role}>") for place, role in plan.prizes]
    return lines


def check_in(plan: Plan, say: Language) -> list[str]:
    """Returns the line about the check-in; none without one."""
    return [say("tournament.more.check_in", length=length(plan.check_in, say))] if plan.check_in else []


def late_entries(plan: Plan, say: Language) -> list[str]:
    """Returns the line about entering after the start; none if nobody may."""
    return [say("tournament.more.late_entries", n=plan.late_entries)] if plan.late_entries else []


def repeats(plan: Plan, say: Language) -> list[str]:
    """Returns the line about the following tournaments; [] without any."""
    return [] if plan.repeat is Repeat.NONE else [say(f"tournament.more.repeat.{plan.repeat}")]


def registration(plan: Plan, say: Language, now: int) -> list[str]:
    """Returns the line about the time for joining, if it is limited."""
    lines = []
    if plan.registration_opens is not None and plan.registration_opens > now:
        lines.append(say("tournament.registration.opens", when=stamp(plan.registration_opens, "f")))
    if plan.registration_closes is not None:
        lines.append(say("tournament.registration.closes", when=stamp(plan.registration_closes, "f")))
    return lines


def calendar(tournament: Tournament, players: int, say: Language, now: int) -> list[str]:
    """Returns the dates of the rounds and the latest end of the tournament with so many players."""
    plan = tournament.plan
    begin = plan.starts
    if plan.format is Format.ARENA:
        if begin is None:
            return [say("tournament.calendar.arena_lasts", length=length(plan.arena, say))]
        return [say("tournament.calendar.arena", end=stamp(begin + plan.arena, "f"))]
    if plan.format is Format.LADDER:
        return [say("tournament.calendar.ladder")]
    rounds = rounds_expected(plan.stages, max(2, players))
    if not plan.round_length:
        return [say("tournament.calendar.by_clock", n=rounds, players=players)]
    lasts = plan.round_length + (plan.extension if plan.late_rule is LateRule.EXTEND else 0)
    lines = list(_dates(begin, rounds, plan, say)) if begin is not None else []
    since = now if begin is None else begin
    key = "tournament.calendar.at_most" if begin is not None else "tournament.calendar.if_now"
    lasting = length(plan.round_length, say)
    end = since + rounds * lasts + (rounds - 1) * plan.round_break
    lines.append(say(key, n=rounds, end=stamp(end, "D"), length=lasting, players=players))
    if plan.late_rule is LateRule.EXTEND:
        lines.append(say("tournament.calendar.extended", extension=length(plan.extension, say)))
    elif plan.late_rule is LateRule.ORGANISER:
        lines.append(say("tournament.calendar.organiser"))
    if plan.stages[-1].format not in {Format.SWISS, Format.ROUND_ROBIN}:
        lines.append(say("tournament.calendar.draws"))
    return lines


def _dates(begin: int, rounds: int, plan: Plan, say: Language) -> Iterator[str]:
    """Yields the latest dates of each round; of many, those of the first ones and the last."""
    lasts = plan.round_length
    shown = range(1, rounds + 1)
    short = [*shown] if rounds <= SHOWN_ROUNDS else [*shown[: SHOWN_ROUNDS - 1], rounds]
    style = "d" if lasts >= 86_400_000 else "t"
    for number in short:
        if number == rounds and rounds > SHOWN_ROUNDS:
            yield "…"
        since = begin + (number - 1) * (lasts + plan.round_break)
        yield say("tournament.calendar.round", n=number, begin=stamp(since, style), end=stamp(since + lasts, style))
