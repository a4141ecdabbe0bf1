"""The menus of the panel as data: each setting with its choices, by page."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from bot.challenges import proposal as challenge_proposal
from bot.challenges import words as challenge_words
from bot.clocks import limits as time_limits
from bot.clocks import typed as typed_time
from bot.clocks.words import control, length
from bot.core.interactions.command_texts import CHOICES
from bot.core.translations import Language
from bot.tournaments.registration.checks import least_field
from bot.tournaments.registration.panel.setting import Rows, Server, Setting, numbers
from bot.tournaments.registration.templates import FORMATS, format_of, with_clock, with_game
from bot.tournaments.tournament import ARENAS, LateRule, Plan, Repeat, Seeding
from engine.core.hours import DAY, HOUR, MINUTE
from engine.registry import find
from engine.tournament.model import IN_ROUNDS, MOST_AT_ONCE, USUAL_TIE_BREAKS, Format, TieBreak, Ties

YES, NO, NONE = "yes", "no", "none"
LIVE_CLOCKS: Final = ("5m+3s", "10m+5s", "15m+10s", "25m+10s")
ROUNDS: Final = (0, 3, 4, 5, 6, 7, 8, 9, 11)
GROUPS: Final = (2, 4, 8, 16)
THROUGH: Final = {Format.SWISS: (2, 4, 8, 16, 32), Format.ROUND_ROBIN: (1, 2, 3, 4)}
LENGTHS: Final = {
    "arena": ARENAS,
    "again": (0, DAY, 3 * DAY, 7 * DAY, 14 * DAY),
    "answer": (DAY, 2 * DAY, 3 * DAY, 7 * DAY),
    "idle": (7 * DAY, 14 * DAY, 30 * DAY, 60 * DAY),
    "round_break": (0, 5 * MINUTE, 15 * MINUTE, HOUR, 12 * HOUR, DAY),
    "check_in": (0, 15 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, DAY),
    "round_length": (0, HOUR, 2 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 21 * DAY, 30 * DAY, 60 * DAY, 90 * DAY),
}
EXTENSIONS: Final = (DAY, 2 * DAY, 3 * DAY, 7 * DAY)
SEASONS: Final = (0, 4, 6, 8, 10, 12, 26, 52)
HOURS_MORE: Final = (30 * MINUTE, HOUR)
"""Extensions of short rounds."""
LADDER_LENGTHS: Final = ("again", "answer", "idle")
TIE_BREAKS: Final = ("tie_break_1", "tie_break_2", "tie_break_3", "tie_break_4")


def _stage(plan: Plan, **changes: object) -> Plan:
    first, *others = plan.stages
    return replace(plan, stages=(replace(first, **changes), *others))  # type: ignore[arg-type]


def _last(plan: Plan, **changes: object) -> Plan:
    *others, last = plan.stages
    return replace(plan, stages=(*others, replace(last, **changes)))  # type: ignore[arg-type]


def _is(*formats: Format) -> Callable[[Plan], bool]:
    return lambda plan: plan.format in formats


def _yes_no(key: str) -> Callable[[Plan, Language, Server], Rows]:
    return lambda _plan, say, _server: [(value, say(f"tournament.plan.{key}.{value}")) for value in (YES, NO)]


def _lengths(key: str) -> Callable[[Plan, Language, Server], Rows]:
    """Returns lengths of time as choices, with the current one; 0 has a name of its own."""

    def rows(plan: Plan, say: Language, _server: Server) -> Rows:
        values = sorted({*LENGTHS[key], _length_of(plan, key)})
        return [(str(ms), length(ms, say) if ms else say(f"tournament.plan.{key}.zero")) for ms in values]

    return rows


def _length_of(plan: Plan, key: str) -> int:
    found: int = getattr(plan.ladder if key in LADDER_LENGTHS else plan, key)
    return found


def _set_length(key: str) -> Callable[[Plan, str], Plan]:
    def change(plan: Plan, value: str) -> Plan:
        if key in LADDER_LENGTHS:
            return replace(plan, ladder=replace(plan.ladder, **{key: int(value)}))
        return replace(plan, **{key: int(value)})  # type: ignore[arg-type]

    return change


def _length(key: str, page: str, fits: Callable[[Plan], bool] = lambda _: True) -> Setting:
    return Setting(key, page, _lengths(key), lambda plan: str(_length_of(plan, key)), _set_length(key), fits)


def _switch(key: str, page: str) -> Setting:
    return Setting(
        key,
        page,
        _yes_no(key),
        lambda plan: YES if getattr(plan, key) else NO,
        lambda plan, value: replace(plan, **{key: value == YES}),  # type: ignore[arg-type]
    )


# --- format ------------------------------------------------------------------------------------------------------


def set_format(plan: Plan, value: str) -> Plan:
    """Changes the kind of tournament. Settings that only a Swiss has are reset in others."""
    after = replace(plan, stages=FORMATS[value])
    if after.format is Format.LADDER:  # a ladder does not end by itself
        after = replace(after, repeat=Repeat.NONE, season=0)
    return after if after.format is Format.SWISS else replace(after, byes=0, late_entries=0)


def _set_rounds(plan: Plan, value: str) -> Plan:
    after = _stage(plan, rounds=int(value))
    return replace(after, late_entries=min(after.late_entries, int(value) - 1 if int(value) else after.late_entries))


# --- game --------------------------------------------------------------------------------------------------------


def _boards(_plan: Plan, say: Language, _server: Server) -> Rows:
    return [
        (f"{key},{layout}", f"{game.name}{challenge_words.layout_text(key, {'layout': layout}, say)}")
        for key, layout, game in challenge_proposal.boards()
    ]


def _board_of(plan: Plan) -> str:
    return f"{plan.game},{plan.options.get('layout', 'standard')}"


def _set_board(plan: Plan, value: str) -> Plan:
    game, _, layout = value.partition(",")
    after = plan if game == plan.game else with_game(plan, find(game).key)
    others = {key: chosen for key, chosen in after.options.items() if key != "layout"}
    return replace(after, options=others | ({} if layout == "standard" else {"layout": layout}))


def kind_of(plan: Plan) -> str:
    """Returns the kind of match, by the letters of a challenge's form."""
    cube = "c" if plan.options.get("cube") == "on" else ""
    if plan.terms.points:
        return f"p{plan.terms.points}{cube}"
    return f"b{plan.terms.best_of}" if plan.terms.best_of > 1 else f"s{cube}"


def _kinds(plan: Plan, say: Language, _server: Server) -> Rows:
    found = challenge_proposal.kinds(plan.game)
    return [(kind, _in_words(_set_kind(plan, kind), say)) for kind in dict.fromkeys([*found, kind_of(plan)])]


def _in_words(plan: Plan, say: Language) -> str:
    return challenge_words.played_for(plan.game, find(plan.game).settle_options(plan.options), plan.terms, say)


def _set_kind(plan: Plan, value: str) -> Plan:
    if value == kind_of(plan):
        return plan
    draft = challenge_proposal.Draft(plan.game, "", value, challenge_proposal.USUAL, rated=True, ratings="")
    made = challenge_proposal.propose(replace(draft.wishes, ratings=None), plan.clock, None, in_server=True)
    beside = {"layout", *(option.key for option in challenge_proposal.own_options(plan.game))}
    kept = {key: chosen for key, chosen in plan.options.items() if key in beside}
    return replace(plan, options=made.options | kept, terms=made.terms)


def _clocks(plan: Plan, say: Language, server: Server) -> Rows:
    known = dict.fromkeys([plan.clock, *LIVE_CLOCKS, *typed_time.PRESETS])
    allowed = [clock for clock in known if clock == plan.clock or time_limits.allows(server, clock)]
    return [(typed_time.value(clock), control(clock, say)) for clock in allowed[:CHOICES]]


# --- tie-breaks --------------------------------------------------------------------------------------------------


def _tie_break(key: str, place: int) -> Setting:
    def get(plan: Plan) -> str:
        chosen = plan.stages[0].tie_breaks
        return chosen[place].value if place < len(chosen) else NONE

    def change(plan: Plan, value: str) -> Plan:
        chosen: list[TieBreak | None] = [*plan.stages[0].tie_breaks, *[None] * len(TIE_BREAKS)][: len(TIE_BREAKS)]
        wanted = None if value == NONE else TieBreak(value)
        if wanted in chosen and wanted is not None:  # the two exchange places
            chosen[chosen.index(wanted)] = chosen[place]
        chosen[place] = wanted
        return _stage(plan, tie_breaks=tuple(one for one in chosen if one is not None))

    def rows(_plan: Plan, say: Language, _server: Server) -> Rows:
        names = [(one.value, say(f"tournament.tie_break.{one.value}")) for one in TieBreak]
        return [*names, (NONE, say("tournament.plan.tie_break.none"))]

    return Setting(key, "tie_breaks", rows, get, change, lambda plan: plan.format in USUAL_TIE_BREAKS)


# --- rounds ------------------------------------------------------------------------------------------------------


def _late_rules(plan: Plan, say: Language, _server: Server) -> Rows:
    lengths = sorted({*(EXTENSIONS if plan.round_length >= DAY else HOURS_MORE), plan.extension})
    more = [(f"extend,{ms}", say("tournament.plan.late.extend", length=length(ms, say))) for ms in lengths]
    others = [
        (rule, say(f"tournament.plan.late.{rule}")) for rule in (LateRule.FORFEIT.value, LateRule.ORGANISER.value)
    ]
    return [*others, *more]


def _late_rule_of(plan: Plan) -> str:
    return f"extend,{plan.extension}" if plan.late_rule is LateRule.EXTEND else plan.late_rule.value


def _set_late_rule(plan: Plan, value: str) -> Plan:
    rule, _, extension = value.partition(",")
    return replace(plan, late_rule=LateRule(rule), extension=int(extension or plan.extension))


def _late_rounds(plan: Plan) -> tuple[int, ...]:
    most = plan.stages[0].rounds or 6
    return tuple(range(min(most, 10)))


def _of_swiss(key: str, values: Callable[[Plan], tuple[int, ...]]) -> Setting:
    """Makes a setting of a number that only a Swiss has."""
    return Setting(
        key,
        "rounds",
        numbers(key, values),
        lambda plan: str(getattr(plan, key)),
        lambda plan, value: replace(plan, **{key: int(value)}),  # type: ignore[arg-type]
        _is(Format.SWISS),
    )


SETTINGS: Final = (
    Setting(
        "format",
        "format",
        lambda _plan, say, _server: [(key, say(f"tournament.plan.format.{key}")) for key in FORMATS],
        format_of,
        set_format,
    ),
    Setting(
        "rounds",
        "format",
        numbers("rounds", lambda plan: tuple(sorted({*ROUNDS, plan.stages[0].rounds}))),
        lambda plan: str(plan.stages[0].rounds),
        _set_rounds,
        _is(Format.SWISS),
    ),
    Setting(
        "legs",
        "format",
        numbers("legs", lambda _: (1, 2)),
        lambda plan: str(plan.stages[0].legs),
        lambda plan, value: _stage(plan, legs=int(value)),
        lambda plan: format_of(plan) == "round_robin",
    ),
    Setting(
        "sections",
        "format",
        numbers("sections", lambda _: GROUPS),
        lambda plan: str(plan.stages[0].sections),
        lambda plan, value: _stage(plan, sections=int(value)),
        lambda plan: format_of(plan) == "groups_knockout",
    ),
    Setting(
        "qualifiers",
        "format",
        numbers("qualifiers", lambda plan: THROUGH[plan.format]),
        lambda plan: str(plan.stages[0].qualifiers),
        lambda plan, value: _stage(plan, qualifiers=int(value)),
        lambda plan: len(plan.stages) > 1,
    ),
    Setting(
        "third_place",
        "format",
        _yes_no("third_place"),
        lambda plan: YES if plan.stages[-1].third_place else NO,
        lambda plan, value: _last(plan, third_place=value == YES),
        lambda plan: plan.stages[-1].format is Format.SINGLE_ELIMINATION,
    ),
    Setting(
        "reset",
        "format",
        _yes_no("reset"),
        lambda plan: YES if plan.stages[-1].reset else NO,
        lambda plan, value: _last(plan, reset=value == YES),
        _is(Format.DOUBLE_ELIMINATION),
    ),
    _length("arena", "format", _is(Format.ARENA)),
    Setting(
        "reach",
        "format",
        numbers("reach", lambda _: (1, 2, 3, 4, 5, 10)),
        lambda plan: str(plan.ladder.reach),
        lambda plan, value: replace(plan, ladder=replace(plan.ladder, reach=int(value))),
        _is(Format.LADDER),
    ),
    _length("again", "format", _is(Format.LADDER)),
    _length("idle", "format", _is(Format.LADDER)),
    Setting("game", "game", _boards, _board_of, _set_board),
    Setting("kind", "game", _kinds, kind_of, _set_kind),
    Setting(
        "clock",
        "game",
        _clocks,
        lambda plan: typed_time.value(plan.clock),
        lambda plan, value: with_clock(plan, typed_time.readings(value)[0]),
    ),
    _switch("rated", "game"),
    _length("check_in", "dates"),
    _length("round_break", "dates", _is(*IN_ROUNDS)),
    Setting(
        "repeat",
        "dates",
        lambda _plan, say, _server: [(one.value, say(f"tournament.plan.repeat.{one.value}")) for one in Repeat],
        lambda plan: plan.repeat.value,
        lambda plan, value: replace(plan, repeat=Repeat(value)),
        lambda plan: plan.format is not Format.LADDER,
    ),
    Setting(
        "season",
        "dates",
        numbers("season", lambda plan: tuple(sorted({*SEASONS, plan.season}))),
        lambda plan: str(plan.season),
        lambda plan, value: replace(plan, season=int(value)),
        lambda plan: plan.repeat is not Repeat.NONE,
    ),
    Setting(
        "games",
        "players",
        numbers("games", lambda plan: tuple(sorted({0, 5, 10, 20, 50, plan.eligibility.games}))),
        lambda plan: str(plan.eligibility.games),
        lambda plan, value: replace(plan, eligibility=replace(plan.eligibility, games=int(value))),
    ),
    Setting(
        "seeding",
        "players",
        lambda _plan, say, _server: [(one.value, say(f"tournament.plan.seeding.{one.value}")) for one in Seeding],
        lambda plan: plan.seeding.value,
        lambda plan, value: replace(plan, seeding=Seeding(value)),
    ),
    Setting(
        "ties",
        "players",
        lambda _plan, say, _server: [(one.value, say(f"tournament.plan.ties.{one.value}")) for one in Ties],
        lambda plan: plan.stages[0].ties.value,
        lambda plan, value: _stage(plan, ties=Ties(value)),
        lambda plan: plan.format in USUAL_TIE_BREAKS,
    ),
    Setting(
        "at_once",
        "rounds",
        lambda _plan, say, _server: [
            (NO, say("tournament.plan.at_once.no")),
            (YES, say("tournament.plan.at_once.yes", most=MOST_AT_ONCE)),
        ],
        lambda plan: YES if plan.stages[0].at_once else NO,
        lambda plan, value: _stage(plan, at_once=value == YES),
        _is(Format.ROUND_ROBIN),
    ),
    _length("round_length", "rounds", _is(*IN_ROUNDS)),
    Setting(
        "late",
        "rounds",
        _late_rules,
        _late_rule_of,
        _set_late_rule,
        lambda plan: bool(plan.round_length) and plan.format in IN_ROUNDS,
    ),
    _of_swiss("byes", lambda _: (0, 1, 2, 3)),
    _of_swiss("late_entries", _late_rounds),
    _length("answer", "rounds", _is(Format.LADDER)),
    *(_tie_break(key, place) for place, key in enumerate(TIE_BREAKS)),
    _switch("threads", "extras"),
)
BY_KEY: Final = {setting.key: setting for setting in SETTINGS}
START: Final = "start"
"""The page with the templates."""
PAGES: Final = (START, "format", "game", "dates", "players", "rounds", "tie_breaks", "extras")
"""The pages of the panel, in order. A page without settings that fit is left out."""
PREVIEW: Final = "preview"
ALWAYS: Final = (START, "dates", "players", "extras")
"""The pages with more than menus of choices."""


def pages_of(plan: Plan) -> list[str]:
    return [page for page in PAGES if page in ALWAYS or settings_of(plan, page)]


def settings_of(plan: Plan, page: str) -> list[Setting]:
    return [setting for setting in SETTINGS if setting.page == page and setting.fits(plan)]


def choose(plan: Plan, key: str, value: str, server: Server, say: Language) -> Plan:
    """Returns the plan with another choice. Raises ValueError for an unknown setting or choice."""
    setting = BY_KEY.get(key)
    if setting is None or not setting.fits(plan) or value not in dict(setting.rows(plan, say, server)):
        raise ValueError(f"no such choice: {key}, {value}")
    after = setting.set(plan, value)
    least = max(after.least, least_field(after)) if setting.page == "format" else after.least
    return replace(after, least=least, capacity=max(after.capacity, least))
