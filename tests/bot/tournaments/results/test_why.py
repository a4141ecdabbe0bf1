"""Why a player stands where they stand, and why two were paired: what is written can be checked by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import pytest
from fakes.snapshots import SWISS, Made, a_ladder, an_arena, names_of

from bot.core.translations import CODES, language
from bot.tournaments.results import why
from bot.tournaments.results.pages import pairings
from bot.tournaments.results.standing import UNCOUNTED, Section, final_order, lines, sections
from bot.tournaments.results.words import halves
from bot.tournaments.tournament import PlayerStatus
from engine.tournament.director import REASONS
from engine.tournament.model import Format, Pairing, Reason, Result, Stage, TieBreak, Ties

EN, ES = language("en"), language("es")
ONE: Final = Section(1, 1)
ALL: Final = tuple(TieBreak)
HEAD: Final = re.compile(
    r"\*\*(?P<name>[^*]+) (?P<value>[0-9]*[¼½¾]?)\*\*"
    r"(?: = (?P<sum>[^\n]*?)(?:\. Left out: (?P<out>.*))?)?\n-#.*"
)
VALUE: Final = re.compile(r"\*\*([0-9]*[¼½¾]?)\*\*(?: × (?:\*\*)?([0-9]*[¼½¾]?))?")  # noqa: RUF001
PARTS: Final = {"¼": 0.25, "½": 0.5, "¾": 0.75}


def number(text: str) -> float:
    """Returns the number that ``halves`` has written."""
    return float(text.rstrip("¼½¾") or 0) + PARTS.get(text[-1:], 0.0)


def total(terms: str) -> float:
    """Returns the sum of the terms, as a reader adds them up."""
    found = 0.0
    for term in terms.split(" + "):
        values = VALUE.search(term)
        assert values, term
        found += number(values[1]) * (number(values[2]) if values[2] else 1)
    return found


def a_swiss(players: int = 9, rounds: int = 5, seed: int = 1) -> Made:
    """Plays a Swiss with all tie-breaks, a bye in each round, a forfeit, a half-point bye and one who leaves."""
    made = Made((Stage(Format.SWISS, rounds=rounds, tie_breaks=ALL),), players, seed=seed)
    made.player(3, byes=frozenset({2}))
    made.rounds_of(1, leave=1)
    made.settle(made.running[0], Result.FIRST_WINS_BY_FORFEIT, "forfeit")
    made.rounds_of(2)
    made.player(4, status=PlayerStatus.WITHDRAWN, last_round=3)
    return made.rounds_of(rounds - 3)


@pytest.mark.parametrize("seed", range(4))
def test_every_sum_comes_out_as_it_is_written(seed: int) -> None:
    made = a_swiss(seed=seed)
    names = names_of(made.snapshot)
    values = {line.player.number: line for line in lines(made.snapshot, ONE)}
    for who, line in values.items():
        head, *explained = why.paragraphs(made.snapshot, ONE, who, names, EN)
        assert head == f"**{names[who]}: place {line.rank}** · Swiss"
        assert len(explained) == 1 + len(ALL)
        expected = [line.points, *(value for _, value in line.tie_breaks)]
        for key, text, value in zip((None, *ALL), explained, expected, strict=True):
            assert value is not None
            if key is TieBreak.DIRECT_ENCOUNTER:
                assert text.startswith(f"**Direct encounter {halves(value) if value else '–'}**")  # noqa: RUF001
                continue
            found = HEAD.fullmatch(text)
            assert found, text
            assert number(found["value"]) == value
            assert (total(found["sum"]) if found["sum"] else 0.0) == value
            assert bool(found["out"]) == (key is TieBreak.MEDIAN_BUCHHOLZ)


def test_the_sum_of_the_brief() -> None:
    """The terms name each opponent and their points."""
    made = Made(SWISS, 4)
    made.pair()
    for stored in made.running:
        made.settle(stored, Result.FIRST_WINS if stored.pairing.first < 3 else Result.SECOND_WINS)
    made.pair()
    for stored in made.running:
        made.settle(stored, Result.DRAW)
    said = why.paragraphs(made.snapshot, ONE, 1, names_of(made.snapshot), EN)
    assert said[1].splitlines()[0] == "**Points 1½** = round 1 beat Carla **1** + round 2 drew with Bruno **½**"
    assert said[2].splitlines()[0] == "**Buchholz 2** = round 1 Carla **½** + round 2 Bruno **1½**"
    times = "\u00d7"
    sum_ = f"round 1 Carla **½** {times} **1** + round 2 Bruno **1½** {times} **½**"
    assert said[3].splitlines()[0] == f"**Sonneborn-Berger 1¼** = {sum_}"
    es = why.paragraphs(made.snapshot, ONE, 1, names_of(made.snapshot), ES)
    assert es[2].splitlines()[0] == "**Buchholz 2** = ronda 1 Carla **½** + ronda 2 Bruno **1½**"


def test_a_direct_encounter_names_the_games_among_the_tied() -> None:
    stage = Stage(Format.ROUND_ROBIN, tie_breaks=(TieBreak.DIRECT_ENCOUNTER,))
    played = [Made((stage,), 4, seed=seed).rounds_of(3) for seed in range(8)]
    said = [
        why.paragraphs(made.snapshot, ONE, line.player.number, names_of(made.snapshot), EN)[2]
        for made in played
        for line in lines(made.snapshot, ONE)
    ]
    decided = [text for text in said if "among the tied players" in text]
    assert decided
    for text in decided:
        assert re.search(r"(1|½|0) against \w+ \(round \d\)", text)


def test_an_arenas_points_with_the_streak() -> None:
    made = Made((Stage(Format.ARENA),), 3)
    for result in (Result.FIRST_WINS, Result.FIRST_WINS, Result.FIRST_WINS, Result.DRAW, Result.DRAW):
        made.meet(1, 2, result)
    text = why.paragraphs(made.snapshot, ONE, 1, names_of(made.snapshot), EN)[1]
    sum_ = text.splitlines()[0].partition(" = ")[2]
    assert sum_.startswith("beat Bruno **2** + beat Bruno **2** + ")
    assert sum_.count("× 2") == 2  # noqa: RUF001
    assert total(sum_) == 2 + 2 + 4 + 2 + 1
    assert lines(made.snapshot, ONE)[0].points == total(sum_)
    for place in an_arena(7, 20), an_arena(4, 12):
        for line in lines(place.snapshot, ONE):
            text = why.paragraphs(place.snapshot, ONE, line.player.number, names_of(place.snapshot), EN)[1]
            assert total(text.splitlines()[0].partition(" = ")[2]) == line.points


def test_equals_of_an_arena_share_their_place() -> None:
    made = Made((Stage(Format.ARENA),), 4)
    made.meet(1, 2, Result.FIRST_WINS)
    made.meet(3, 4, Result.FIRST_WINS)
    assert [(line.rank, line.last) for line in lines(made.snapshot, ONE)] == [(1, 2), (1, 2), (3, 4), (3, 4)]
    assert [(line.rank, line.last) for line in final_order(made.snapshot)] == [(1, 2), (1, 2), (3, 4), (3, 4)]
    said = why.paragraphs(made.snapshot, ONE, 3, names_of(made.snapshot), EN)
    assert said[0].startswith("**Carla: places 1–2** · ")  # noqa: RUF001
    assert said[-1] == "Carla and Ana are equal in all of this. They share their places."
    made.player(1, status=PlayerStatus.EXPELLED)
    assert "equal" not in why.paragraphs(made.snapshot, ONE, 3, names_of(made.snapshot), EN)[-1]


def test_formats_without_points_say_so() -> None:
    knockout = Made((Stage(Format.DOUBLE_ELIMINATION),), 4).rounds_of(1)
    for made, format_ in ((a_ladder(), Format.LADDER), (knockout, Format.DOUBLE_ELIMINATION)):
        head, text = why.paragraphs(made.snapshot, ONE, 1, names_of(made.snapshot), EN)
        assert head.startswith(("**Ana: place ", "**Ana: places "))
        assert text == EN(f"tournament.results.why.{format_}")
    groups = Made((Stage(Format.ROUND_ROBIN, sections=2),), 6).rounds_of(1)
    assert why.paragraphs(groups.snapshot, sections(groups.snapshot)[1], 1, names_of(groups.snapshot), EN) == [
        "Ana does not play in this stage."
    ]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("key", [*REASONS, "arena", "ladder"])
def test_every_reason_has_its_sentence(key: str, code: str) -> None:
    given = tuple((name, 8 if name in {"players", "round"} else 1.5) for name in sorted(REASONS.get(key, ())))
    given = tuple((name, "W1-1" if name == "slot" else value) for name, value in given)
    pairing = Pairing(1, 1, 1, 1, None if "bye" in key else 2, reason=Reason(key, given))
    text = why.reason_text(pairing, Format.SWISS, {1: "Ana", 2: "Bruno"}, language(code))
    assert text.endswith(".")
    assert "1.5" not in text
    assert len(text.split()) <= 24


def test_reasons_of_formats_without_any_and_unknown_ones() -> None:
    names = {1: "Ana", 2: "Bruno"}
    assert why.reason_text(Pairing(1, 0, 1, 1, 2), Format.ARENA, names, EN) == EN("tournament.reason.arena")
    assert why.reason_text(Pairing(1, 0, 1, 1, 2), Format.LADDER, names, EN) == EN("tournament.reason.ladder")
    assert why.reason_text(Pairing(1, 1, 1, 1, 2, reason=Reason("of_tomorrow")), Format.SWISS, names, EN) == ""
    floated = Reason("floated", (("first", 2.0), ("second", 1.5)))
    said = why.reason_text(Pairing(1, 3, 1, 1, 2, reason=floated), Format.SWISS, names, EN)
    assert said == "Ana had 2 points, Bruno had 1½ points. Nobody closer was free."


@pytest.mark.parametrize(
    ("ties", "decided"),
    [
        (Ties.SHARED, "They share their places."),
        (Ties.LOTS, "Lots decided, drawn at the start."),
        (Ties.SEED, "The initial order decided."),
        (Ties.PLAY_OFF, "The play-off decided."),
    ],
)
def test_what_decided_where_all_is_equal(ties: Ties, decided: str) -> None:
    made = Made((Stage(Format.ROUND_ROBIN, ties=ties),), 3)
    while made.pair():
        for stored in made.running:
            wins = stored.pairing.players in {(1, 2), (2, 3), (3, 1)}
            made.settle(stored, Result.FIRST_WINS if wins else Result.SECOND_WINS)
    here = lines(made.snapshot, ONE)
    assert {(line.rank, line.last) for line in here} == ({(1, 3)} if ties is Ties.SHARED else {(1, 1), (2, 2), (3, 3)})
    for line in here:
        number = line.player.number
        names = {
            one: name for one, name in names_of(made.snapshot).items() if one in why.wanted(made.snapshot, ONE, number)
        }
        said = why.paragraphs(made.snapshot, ONE, number, names, EN)[-1]
        others = [name for one, name in sorted(names.items()) if one != number]
        assert said == f"{names[number]}, {others[0]}, and {others[1]} are equal in all of this. {decided}"


def test_why_the_expelled_stand_last() -> None:
    made = Made(SWISS, 4).rounds_of(1)
    made.player(2, status=PlayerStatus.EXPELLED, last_round=1)
    assert (
        why.paragraphs(made.snapshot, ONE, 2, names_of(made.snapshot), EN)[-1]
        == "Whoever was expelled shares the last places."
    )


@pytest.mark.parametrize("code", CODES)
def test_results_of_a_player_who_left_too_early_are_shown_as_uncounted(code: str) -> None:
    """Six players: the one who left had played one of five games."""
    made, say = Made((Stage(Format.ROUND_ROBIN),), 6).rounds_of(1), language(code)
    (first,) = [one.pairing for one in made.snapshot.pairings if 1 in one.pairing.players]
    opponent = first.players[1 - first.players.index(1)]
    made.withdraw(1)
    made.rounds_of(4)
    names = names_of(made.snapshot)
    said = say("tournament.results.why.uncounted", player="Ana")
    for number in (1, opponent):
        assert said in why.paragraphs(made.snapshot, ONE, number, names, say)
    table = {line.player.number: line for line in lines(made.snapshot, ONE)}
    for line in table.values():
        won, drawn = line.count("won"), line.count("drawn")
        assert line.points == won + drawn / 2  # as they are counted beside the points
    assert {turn.note for turn in table[1].turns if turn.opponent} == {UNCOUNTED}
    shown = pairings.listed(made.snapshot, pairings.of_round(made.snapshot, 1), names, say, linked=False)
    uncounted = [one for one in shown if one.endswith(f" · {say('tournament.results.state.uncounted')}")]
    assert len(uncounted) == 1
    assert "Ana" in uncounted[0]
    (played,) = [one for one in made.snapshot.pairings if one.pairing == replace(first, result=one.pairing.result)]
    own = pairings.own_lines(made.snapshot, played, opponent, names, 0, say)
    assert own[1].endswith(f" · {say('tournament.results.state.uncounted')}")
