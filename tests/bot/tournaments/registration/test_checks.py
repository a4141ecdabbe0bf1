"""Templates can be announced as they are; what does not fit in a plan is said."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.interactions.command_texts import CHOICE_LENGTH, CHOICES
from bot.core.translations import CODES, language
from bot.players.preferences import DEFAULTS
from bot.tournaments.registration import announcement, words
from bot.tournaments.registration.checks import problems, warnings
from bot.tournaments.registration.panel.settings import BY_KEY, PAGES, choose, pages_of, settings_of
from bot.tournaments.registration.templates import FORMATS, TEMPLATES, format_of, with_game
from bot.tournaments.rows import plan_text, read_plan
from bot.tournaments.tournament import Status, Tournament, TournamentSnapshot
from engine.core.hours import DAY, HOUR, MINUTE
from engine.match.match import Terms
from engine.registry import GAMES, find
from engine.tournament.model import KNOCKOUTS, Format, Stage, TieBreak, Ties

if TYPE_CHECKING:
    from bot.tournaments.tournament import Plan

NOW = 1_800_014_400_000
SERVER = DEFAULTS["server"]
FINAL = FORMATS["groups_knockout"][1:]
SWISS, KNOCKOUT, ARENA = (TEMPLATES[key] for key in ("long_swiss", "backgammon_knockout", "arena"))
TABLE = replace(
    TEMPLATES["abalone_round_robin"], stages=(replace(FORMATS["round_robin"][0], at_once=True),), capacity=12
)
ROWS = 4


@pytest.mark.parametrize("key", TEMPLATES)
def test_a_template_is_a_complete_plan(key: str) -> None:
    plan = TEMPLATES[key]
    assert problems(plan, SERVER, NOW) == []
    assert read_plan(plan_text(plan)) == plan
    for game in GAMES:
        other = with_game(plan, game)
        assert problems(other, SERVER, NOW) == []
        assert format_of(other) == format_of(plan)
    find(plan.game).settle_options(plan.options)


@pytest.mark.parametrize(
    ("plan", "key"),
    [
        (replace(SWISS, game="abalone", terms=Terms(5), options={}), "tournament.problem.points"),
        (replace(SWISS, terms=Terms(5, bank="match")), "challenge.bank_none"),
        (replace(SWISS, options={"layout": "nonsense"}), "option.unknown"),
        (replace(SWISS, clock="25d 10d/move"), "control.too_long"),
        (replace(ARENA, clock="3d/move"), "tournament.problem.arena_clock"),
        (replace(SWISS, clock="", round_length=0), "tournament.problem.no_end"),
        (replace(SWISS, starts=NOW - 1), "tournament.problem.past"),
        (replace(SWISS, check_in=HOUR), "tournament.problem.check_in"),
        (replace(SWISS, check_in=DAY, starts=NOW + HOUR), "tournament.problem.check_in_past"),
        (replace(SWISS, registration_opens=NOW + DAY, starts=NOW + HOUR), "tournament.problem.opens_late"),
        (replace(SWISS, registration_closes=NOW), "tournament.problem.closes_early"),
        (replace(SWISS, registration_closes=NOW + DAY, starts=NOW + HOUR), "tournament.problem.closes_late"),
        (replace(KNOCKOUT, late_entries=2), "tournament.problem.late_entries"),
        (replace(SWISS, late_entries=5), "tournament.problem.late_rounds"),
        (replace(KNOCKOUT, byes=1), "tournament.problem.byes"),
        (replace(SWISS, capacity=5, least=6), "tournament.problem.capacity"),
        (replace(TEMPLATES["apb_groups"], least=4), "tournament.problem.field"),
        (replace(TABLE, clock="15m+10s"), "tournament.problem.at_once_clock"),
        (replace(TABLE, stages=(replace(SWISS.stages[0], at_once=True),)), "tournament.problem.at_once_format"),
        (replace(TABLE, threads=False), "tournament.problem.at_once_threads"),
        (replace(TABLE, capacity=13), "tournament.problem.at_once_players"),
    ],
)
def test_what_does_not_fit_is_said(plan: Plan, key: str) -> None:
    found = problems(plan, SERVER, NOW)
    assert key in {note.key for note in found}
    for code in CODES:
        assert all(language(code).note(note) for note in found)


def test_all_games_can_begin_at_once_where_nothing_speaks_against_it() -> None:
    groups = replace(TABLE, stages=(replace(FORMATS["groups_knockout"][0], at_once=True), *FINAL), capacity=48)
    for plan in (TABLE, replace(TABLE, clock="", round_length=60 * DAY), replace(groups, least=12)):
        assert problems(plan, SERVER, NOW) == []
    (note,) = problems(replace(groups, least=12, capacity=49), SERVER, NOW)
    assert note.params == {"n": 12, "most": 48}


@pytest.mark.parametrize("code", CODES)
def test_a_table_whose_games_all_begin_at_once_has_no_next_round(code: str) -> None:
    say = language(code)
    (stage,) = TABLE.stages
    later = say("tournament.rules.break", length=say.length(DAY))
    one = replace(TABLE, round_break=DAY)
    groups = replace(one, stages=(replace(stage, sections=4), *FINAL))
    play_off = replace(one, stages=(replace(stage, ties=Ties.PLAY_OFF),))
    by_round = replace(one, stages=(replace(stage, at_once=False),))
    lines = ["\n".join(words.rules(plan, say)) for plan in (one, groups, play_off, by_round)]
    assert [later in line for line in lines] == [False, True, True, True]
    assert [say("tournament.rules.at_once") in line for line in lines] == [True, False, True, False]
    assert [say("tournament.rules.at_once_groups") in line for line in lines] == [False, True, False, False]


def test_all_games_at_once_is_a_choice_of_round_robins_alone() -> None:
    say = language("en")
    chosen = choose(TEMPLATES["abalone_round_robin"], "at_once", "yes", SERVER, say)
    assert chosen.is_at_once
    assert "All games begin at once, as one round." in words.rules(chosen, say)[-1]
    assert not choose(chosen, "at_once", "no", SERVER, say).is_at_once
    with pytest.raises(ValueError, match="no such choice"):
        choose(SWISS, "at_once", "yes", SERVER, say)
    assert not choose(chosen, "format", "swiss", SERVER, say).is_at_once


def test_the_calendar_of_games_at_once_has_one_round() -> None:
    plan = replace(TABLE, round_length=60 * DAY, starts=NOW, late_rule=SWISS.late_rule.FORFEIT)
    lines = words.calendar(cup(plan), 12, language("en"), NOW)
    assert len(lines) == 2
    assert lines[-1].startswith("At most 1 round of 2 months with 12 players") or "1 round of 60 days" in lines[-1]
    assert f"<t:{(NOW + 60 * DAY) // 1000}:D>" in lines[-1]


def test_what_an_organiser_should_know_is_said() -> None:
    def said(plan: Plan) -> set[str]:
        return {note.key.rpartition(".")[2] for note in warnings(plan)}

    assert "short_round" in said(replace(SWISS, round_length=DAY))
    assert "short_round" not in said(replace(SWISS, clock="10m", round_length=DAY))
    assert said(replace(TEMPLATES["weekend_swiss"], starts=NOW + DAY)) == {"check_in"}
    assert "large_group" in said(replace(TEMPLATES["abalone_round_robin"], capacity=40))
    assert "by_hand" in said(KNOCKOUT)
    for code, key in product(CODES, TEMPLATES):
        assert all(language(code).note(note) for note in warnings(TEMPLATES[key]))


# --- the panel's menus -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", FORMATS)
@pytest.mark.parametrize("code", CODES)
def test_every_choice_of_every_menu_can_be_made(key: str, code: str) -> None:
    say = language(code)
    plan = choose(SWISS, "format", key, SERVER, say)
    assert format_of(plan) == key
    for page in pages_of(plan):
        assert page in PAGES
        assert len(settings_of(plan, page)) <= ROWS
        for setting in settings_of(plan, page):
            rows = setting.rows(plan, say, SERVER)
            assert 1 < len(rows) <= CHOICES
            assert setting.get(plan) in dict(rows)
            for value, label in rows:
                chosen = choose(plan, setting.key, value, SERVER, say)
                assert setting.get(chosen) == value or setting.key.startswith("tie_break")
                title = say(f"tournament.plan.{setting.key}")
                assert len(say("panel.chosen", title=title, choice=label)) <= CHOICE_LENGTH
                assert read_plan(plan_text(chosen)) == chosen


def test_tie_breaks_change_places_and_are_never_twice() -> None:
    say = language("en")
    chosen = choose(SWISS, "tie_break_1", "SB", SERVER, say)
    assert chosen.stages[0].tie_breaks[:2] == (TieBreak.SONNEBORN_BERGER, TieBreak.BUCHHOLZ)
    fewer = choose(chosen, "tie_break_2", "none", SERVER, say)
    assert len(fewer.stages[0].tie_breaks) == 3


def test_what_a_plan_does_not_have_cannot_be_chosen() -> None:
    for setting, value in (("arena", "1"), ("rounds", "99"), ("nonsense", "1"), ("format", "chess")):
        with pytest.raises(ValueError, match="no such choice"):
            choose(SWISS, setting, value, SERVER, language("en"))
    assert set(BY_KEY) >= {"format", "clock"}


# --- words -------------------------------------------------------------------------------------------------------


def cup(plan: Plan, **more: Any) -> Tournament:
    return Tournament("t", 7, 70, 900, "Cup", "en", plan, Status.REGISTRATION, NOW, **more)


@pytest.mark.parametrize("key", TEMPLATES)
@pytest.mark.parametrize("code", CODES)
def test_every_template_is_said_in_words(key: str, code: str) -> None:
    say = language(code)
    plan = replace(TEMPLATES[key], starts=NOW + DAY)
    knockout = any(stage.format in KNOCKOUTS for stage in plan.stages)
    assert len(words.rules(plan, say)) == 3 + knockout
    assert words.calendar(cup(plan), 64, say, NOW)
    text = "\n".join([*words.rules(plan, say), *words.more(plan, say), *words.calendar(cup(plan), 64, say, NOW)])
    assert len(text) < 1500
    assert "{" not in text


@pytest.mark.parametrize("code", CODES)
def test_the_rules_of_a_knockout_say_what_a_draw_means(code: str) -> None:
    say = language(code)
    draw, third = say("tournament.rules.knockout"), say("tournament.rules.third_place")

    def last(*stages: Stage) -> str:
        return words.rules(replace(SWISS, stages=stages), say)[-1]

    assert last(Stage(Format.SINGLE_ELIMINATION)) == draw
    assert last(Stage(Format.SINGLE_ELIMINATION, third_place=True)) == f"{draw} {third}"
    assert last(Stage(Format.DOUBLE_ELIMINATION, third_place=True)) == draw
    assert last(Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2), Stage(Format.SINGLE_ELIMINATION)) == draw
    assert draw not in last(Stage(Format.SWISS, rounds=3))


@pytest.mark.parametrize("key", TEMPLATES)
def test_there_is_a_calendar_before_anybody_knows_the_start(key: str) -> None:
    assert words.calendar(cup(replace(TEMPLATES[key], starts=None)), 64, language("en"), NOW)


@pytest.mark.parametrize("code", CODES)
def test_the_announcement_says_what_a_player_has_to_know_before_the_start(code: str) -> None:
    say = language(code)
    plan = replace(SWISS, starts=NOW + DAY, least=4, check_in=HOUR // 2, late_entries=2)
    open_now = announcement.content(TournamentSnapshot(cup(plan), (), ()), say, NOW)
    least, late = say("tournament.state.least", n=4), say("tournament.more.late_entries", n=2)
    check_in = say("tournament.more.check_in", length=say.length(HOUR // 2))
    assert f"{least} {check_in} {late}" in open_now.splitlines()
    running = replace(cup(plan), status=Status.RUNNING, round=1, started=NOW)
    begun = announcement.content(TournamentSnapshot(running, (), ()), say, NOW)
    assert late in begun
    assert check_in not in begun
    assert least not in begun
    assert late not in announcement.content(TournamentSnapshot(replace(running, round=2), (), ()), say, NOW)
    two = announcement.content(TournamentSnapshot(cup(replace(SWISS, starts=NOW + DAY, least=2)), (), ()), say, NOW)
    assert say("tournament.state.least", n=2) not in two


def test_the_calendar_says_until_when_at_the_latest() -> None:
    say = language("en")
    plan = replace(SWISS, round_length=7 * DAY, round_break=0, starts=NOW, late_rule=SWISS.late_rule.FORFEIT)
    lines = words.calendar(cup(plan), 20, say, NOW)
    assert len(lines) == 6
    assert f"<t:{(NOW + 35 * DAY) // 1000}:D>" in lines[-1]
    assert "At most 5 rounds of 7 days with 20 players" in lines[-1]
    extended = words.calendar(cup(replace(plan, late_rule=SWISS.late_rule.EXTEND)), 20, say, NOW)
    assert f"<t:{(NOW + 45 * DAY) // 1000}:D>" in extended[-2]
    open_end = words.calendar(cup(replace(plan, round_length=0)), 20, say, NOW)
    assert open_end == [say("tournament.calendar.by_clock", n=5, players=20)]


def test_the_calendar_counts_the_breaks() -> None:
    say = language("en")
    plan = replace(SWISS, round_length=7 * DAY, round_break=DAY, starts=NOW, late_rule=SWISS.late_rule.FORFEIT)
    lines = words.calendar(cup(plan), 20, say, NOW)
    second, end = (NOW + 8 * DAY) // 1000, (NOW + 39 * DAY) // 1000
    assert f"Round 2: <t:{second}:d>" in lines[1]
    assert f"<t:{end}:D>" in lines[-1]


def test_the_usual_break_follows_the_clock_until_another_is_chosen() -> None:
    say = language("en")
    assert {TEMPLATES[key].round_break for key in ("weekend_swiss", "arena")} == {5 * MINUTE}
    assert {plan.round_break for plan in TEMPLATES.values() if not plan.is_live} == {12 * HOUR}
    live = choose(TEMPLATES["backgammon_knockout"], "clock", "15m+10s", SERVER, say)
    assert live.round_break == 5 * MINUTE
    assert choose(live, "clock", "3d/move", SERVER, say).round_break == 12 * HOUR
    chosen = choose(live, "round_break", str(HOUR), SERVER, say)
    assert choose(chosen, "clock", "3d/move", SERVER, say).round_break == HOUR


def test_the_rules_name_the_break_where_there_are_rounds() -> None:
    say = language("en")
    assert "The next round begins 5 minutes after the last game of a round." in "\n".join(
        words.rules(TEMPLATES["weekend_swiss"], say)
    )
    assert "The next round" not in "\n".join(words.rules(replace(TEMPLATES["weekend_swiss"], round_break=0), say))
    for key in ("arena", "ladder"):
        assert "The next round" not in "\n".join(words.rules(TEMPLATES[key], say))
        assert "round_break" not in [one.key for one in settings_of(TEMPLATES[key], "dates")]


def test_a_plan_that_was_stored_before_there_were_breaks_has_none() -> None:
    stored = json.loads(plan_text(TEMPLATES["long_swiss"]))
    del stored["round_break"]
    assert read_plan(json.dumps(stored)).round_break == 0
