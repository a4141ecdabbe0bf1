"""What is found out about a game is counted as the page of findings says."""

import json
import random
import re
import runpy
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.core.translations import language
from engine.ai.apb import experience
from engine.core.lesson import PLAN
from engine.games.abak import GAME, State
from engine.games.apb import GAME as APB
from training.found import apb, games, store, tables, turns
from training.found.every import JOBS, TABLES

DOCS = Path(__file__).parents[2] / "docs"


def placed(columns: dict[int, str], dice: str = "00", bar: str = "-", turn: int = 1) -> State:
    """Returns a position by White's points; ``turn`` -1: Black's."""
    text = "/".join(columns.get(point, "1") for point in range(24, 0, -1))
    return GAME.decode(f"ABAKID={text}:{bar}:0:0:{turn}:{dice}:0:0:0:0:10")


def seen(*states: State) -> Any:
    """Positions as the networks see them, a row each."""
    return turns.machine(7).positions(states).T


def test_a_run_goes_on_where_another_was_stopped(tmp_path: Path) -> None:
    done: list[int] = []

    def do(number: int) -> store.Result:
        done.append(number)
        return {"found": number}

    jobs = [store.Job("part", f"job {number}", partial(do, number), "made") for number in range(3)]
    path = tmp_path / "new" / "found.jsonl"
    assert store.run(jobs[:2], path, 100)
    assert not store.run(jobs, path, -1)
    assert store.run(jobs, path, 100)
    assert done == [0, 1, 2]
    assert store.lines(path) == [
        {"part": "part", "name": f"job {number}", "weights": "made", "found": number} for number in range(3)
    ]


def test_findings_of_other_weights_are_not_mixed(tmp_path: Path) -> None:
    def jobs(weights: str) -> list[store.Job]:
        return [store.Job(part, f"{part} 1", dict, weights + part) for part in ("abak", "backgammon")]

    path = tmp_path / "found.jsonl"
    assert store.run(jobs("old "), path, 100, ["backgammon"])
    before = path.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="holds what other weights have found"):
        store.run(jobs("new "), path, 100, ["abak"])
    assert path.read_text(encoding="utf-8") == before
    assert store.run(jobs("old "), path, 100)
    assert [line["name"] for line in store.lines(path)] == ["backgammon 1", "abak 1"]
    path.write_text('{"part":"abak","name":"abak 1"}\n', encoding="utf-8")  # of weights that it does not tell
    with pytest.raises(SystemExit):
        store.run(jobs("new "), path, 100)


def test_jobs_tell_their_weights() -> None:
    """Networks by the digests beside them."""
    told = {
        key: json.loads((resources.files(f"engine.ai.{key}") / "networks.json").read_text(encoding="utf-8"))["sha256"]
        for key in ("abak", "backgammon")
    }
    for job in JOBS["abak"](1, quick=True):
        assert job.weights == told["backgammon" if job.part == "backgammon" else "abak"], job.name


def test_the_weights_of_apb_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {job.weights for job in JOBS["apb"](1, quick=True)}
    assert before == {job.weights for job in JOBS["apb"](1, quick=True)}
    monkeypatch.setattr(experience, "TEMPO", experience.TEMPO + 1)
    after = {job.weights for job in JOBS["apb"](1, quick=True)}
    assert len(before) == len(after) == 1
    assert before != after


def test_the_error_of_a_mean_is_that_of_the_textbook() -> None:
    values = np.array([1.0, 2.0, 4.0, 7.0])
    found = tables.mean_of(values)
    assert found.value == pytest.approx(3.5)
    assert found.error == pytest.approx(3.182 * values.std(ddof=1) / 2, rel=0.05)
    assert [store.student(count) for count in (6, 11, 31, 1001)] == pytest.approx(
        [2.571, 2.228, 2.042, 1.962], rel=0.01
    )
    single = tables.mean_of(values[:1])
    assert single.value == 1
    assert np.isnan(single.error)
    assert store.Figure(0.126, 0.031).told(2, sign=True) == "+0.13 ± 0.03"


@pytest.mark.parametrize("game", JOBS)
def test_each_job_has_a_name_of_its_own_and_the_same_in_each_run(game: str) -> None:
    names = [job.name for job in JOBS[game](1, quick=False)]
    assert len(set(names)) == len(names)
    assert names == [job.name for job in JOBS[game](1, quick=False)]


# --- Abak ---------------------------------------------------------------------------------------------------------


def test_the_moves_of_a_turn_are_alike_whatever_their_order() -> None:
    state = placed({12: "D", 11: "E", 9: "s"}, "32")
    both = [steps for steps, _ in GAME.turns(state) if turns.moves_of(steps) == ((11, 9), (12, 9))]
    assert {GAME.format(state, steps) for steps in both} == {"11/9* 12/9", "12/9^ 11/9"}
    pair = placed({14: "S", 12: "S", 10: "g"}, "42")
    assert ((12, 10), (14, 10)) in [turns.moves_of(steps) for steps, _ in GAME.turns(pair)]


def test_what_is_counted_after_a_turn() -> None:
    """Black has moved: its druid holds a soldier, a soldier covers a wounded, and a full column stands at the back."""
    found = turns.kinds(seen(placed({22: "os", 12: "Sd", 5: "sssss", 4: "s"}, bar="S")))[:, 0]
    assert dict(zip(turns.KINDS, found.tolist(), strict=True)) == {
        "enemy stones sent back": 1,
        "prisoners": 1,
        "blots": 2,
        "own stones with a class under own stones": 1,
        "stones on 19-24": 6,
        "blocking points": 2,
        "full points": 1,
    }


def test_two_stones_change_places() -> None:
    state = placed({24: "D", 18: "S", 17: "G", 6: "SE", 4: "s"}, turn=-1)
    states, keys = turns.swaps(state, 0, random.Random(1))
    assert states == [
        placed({24: "D", 18: "E", 17: "G", 6: "SS", 4: "s"}, turn=-1),
        placed({24: "S", 18: "D", 17: "G", 6: "SE", 4: "s"}, turn=-1),
    ]
    assert keys == [(3, 0, 2), (2, 3, 2)]


def test_decisions_are_the_same_in_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST", 6)
    found = turns.decisions(3, 1)
    assert found["decisions"] >= 5
    for level, sums in found["levels"].items():
        assert sums[0] == found["decisions"], level
        assert sums[1] >= sums[3] >= 0
        assert sums[0] >= sums[2]
    assert found == turns.decisions(3, 1)
    assert found != turns.decisions(4, 1)


def test_prisoners_are_counted_by_class_and_by_what_lies_on_them() -> None:
    """White is to roll. It holds an even wounded covered; of its own a guard is held by a lone druid."""
    position = seen(placed({16: "eDS", 8: "SGd"}))
    by_class, lone, whole = games.held(position, 1)
    assert (by_class[:, 0].tolist(), lone.tolist(), whole.tolist()) == ([0, 0, 0, 0, 1, 0], [0], [1])
    by_class, lone, whole = games.held(position, 0)
    assert (by_class[:, 0].tolist(), lone.tolist(), whole.tolist()) == ([1, 1, 0, 0, 0, 0], [2], [2])
    assert games.pips(position, 0).tolist() == [16 * 2 + 8 * 2]
    assert games.pips(position, 1).tolist() == [9 + 17]


@pytest.mark.parametrize(
    ("columns", "bar", "wanted"),
    [
        ({16: "S", 9: "s"}, "-", [0]),
        ({16: "eD", 9: "s"}, "-", [1, 9]),
        ({16: "eDS", 9: "s"}, "-", [2, 9]),
        ({16: "S", 9: "Gd"}, "-", [3, 12]),
        ({16: "S", 9: "Gds"}, "-", [4, 12]),
        ({16: "eD", 9: "Gd"}, "-", []),
        ({16: "eD", 9: "s"}, "s", []),
    ],
    ids=("none", "holds one", "covered", "is held", "covered, held", "both", "bar"),
)
def test_positions_are_told_apart_by_their_one_prisoner(columns: dict[int, str], bar: str, wanted: list[int]) -> None:
    whole = seen(placed(columns, bar=bar))
    whole[:, 36:] = 0  # as if nobody had borne off
    assert np.flatnonzero(games.categories(whole)[:, 0]).tolist() == wanted


def test_hits_and_traps_are_seen_between_two_positions() -> None:
    """White hits, Black enters, White leaves with its druid, Black traps."""
    course = seen(
        placed({16: "S", 14: "s", 9: "D", 7: "d"}),
        placed({14: "S", 9: "D", 7: "d"}, bar="s", turn=-1),
        placed({14: "S", 9: "D", 7: "d", 3: "s"}),
        placed({14: "S", 8: "D", 7: "d", 3: "s"}, turn=-1),
        placed({14: "S", 8: "Dd", 3: "s"}),
    )
    assert games.changes(course) == (1, 1)
    assert games.changes(course[:2]) == (1, 0)
    assert games.changes(course[1:4]) == (0, 0)
    waiting = {14: "S", 9: "D", 7: "d"}
    assert games.changes(seen(placed(waiting, bar="s"), placed(waiting, bar="s", turn=-1))) == (0, 0)


# --- APB ----------------------------------------------------------------------------------------------------------


def test_what_protects_a_principal_is_counted() -> None:
    """Black has moved nothing: at the start its principal is in a full ring, seven cells from White's."""
    start = APB.decode("9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -")
    assert dict(zip(apb.COUNTED, apb.counts(start), strict=True)) == {
        "lines": 8,
        "ways": 0,
        "own beside": 8,
        "others beside": 0,
        "secondaries": 8,
        "lead": 4,
        "distance": 7,
    }
    freed = APB.decode("9/9/4p4/9/4s4/9/9/4S4/4P4/4S4/9/9 w -")
    assert dict(zip(apb.COUNTED, apb.counts(freed), strict=True)) == {
        "lines": 1,
        "ways": 1,
        "own beside": 0,
        "others beside": 0,
        "secondaries": 1,
        "lead": 3,
        "distance": 6,
    }


def test_games_of_apb_are_the_same_in_each_run() -> None:
    found = apb.games(1, 5, 1)
    assert sum(found["wins"]) + found["drawn"] == 1
    assert found == apb.games(1, 5, 1)
    lead = apb.COUNTED.index("lead")
    behind = sum(cell[0] for cell in found["counted"][lead][: apb.EVEN])
    assert 0 < behind < found["turns"]
    assert {sum(cell[0] for cell in sort) for sort in found["behind"]} == {behind}
    for sort in found["counted"]:
        assert sum(cell[0] for cell in sort) in {0, found["turns"] - 1}
        assert all(cell[1] + cell[2] <= cell[0] for cell in sort)


# --- the tables ---------------------------------------------------------------------------------------------------


def test_the_best_opening_comes_first_and_the_second_is_compared_with_the_same_dice() -> None:
    points = {"13/9 6/4": [0.1, 0.3], "8/4 6/4": [0.3, 0.5], "13/7": [-0.1, 0.0]}
    found = [
        {"part": "opening", "roll": [4, 2], "count": 72, "points": points},
        {"part": "opening", "roll": [6, 6], "count": 72, "points": {"13/7 13/7": [0.4, 0.4]}},
    ]
    those = tables.openings(found)
    assert those[0].turns == ["8/4 6/4", "13/9 6/4", "13/7"]
    error = store.student(2) * 0.1
    assert tables.opening_rows(those) == [
        ["4-2", "`8/4 6/4`", f"+0.400 ± {error:.3f}", "`13/9 6/4`", "0.200 ± 0.000"],
        ["6-6", "`13/7 13/7`", "+0.400 ± 0.000", "-", "-"],
    ]
    assert tables.first_move(those[:1]) == those[0].worth()


def test_results_are_told_from_the_side_that_begins() -> None:
    """Of ten games it loses four, a gammon and a backgammon among them, and wins six, two of them gammons."""
    found = [{"part": "abak", "results": [1, 1, 2, 0, 4, 2, 0], "turns": 300, "count": 10}] * 2
    [[*told]] = tables.result_rows(found)
    assert [cell.partition(" ±")[0] for cell in told] == ["abak", "20", "30.0", "60.0", "+0.100", "40.0", "10.0"]
    games_won = 100 * np.repeat([0.0, 1.0], [8, 12])
    assert told[3] == f"60.0 ± {1.96 * games_won.std() / 20**0.5:.1f} %"
    [[name, *cells]] = tables.lacking_rows([{"part": "lacking", "stone": "K", "results": [1, 1, 2, 0, 4, 2, 0]}] * 2)
    assert (name, cells) == ("general", ["20", *told[3:5]])


def test_a_prisoner_is_compared_with_positions_in_which_the_race_stands_alike() -> None:
    """Positions without prisoners bring 1 and -1 by the lead, those with one half a point more."""
    sums = np.zeros((2, games.CATEGORIES, games.LEADS), int)
    sums[0, 0, 2], sums[1, 0, 2] = 100, 100
    sums[0, 0, 5], sums[1, 0, 5] = 300, -300
    sums[0, 1, 2], sums[1, 1, 2] = 40, 60
    sums[0, 1, 5], sums[1, 1, 5] = 20, -10
    rows = tables.prisoner_rows([{"part": "abak", "prisoners": sums.tolist()}] * 2)
    assert rows == [[games.PRISONERS[1], "120", "+0.50 ± 0.00"]]


def test_what_a_place_is_worth_is_found_from_exchanges_between_any_two() -> None:
    worth, zones = np.array([0.0, 0.1, -0.2, 0.4]), len(turns.ZONES)
    count = np.tile((1 - np.eye(zones)).ravel(), (len(turns.SPECIAL), 1))
    gain = count * (worth[None, :] - worth[:, None]).ravel()
    rows = tables.place_rows([{"part": "turns", "swaps": [count.tolist(), gain.tolist()]}] * 2)
    assert rows[0] == ["guard", "24", "+0.100 ± 0.000", "-0.200 ± 0.000", "+0.400 ± 0.000"]


def test_a_share_of_nothing_is_told_as_unknown() -> None:
    """In a small run no trap may have been best."""
    line = {
        "part": "turns",
        "decisions": 10,
        "orders": [1] * 5,
        "general_back": 1,
        "pair_captures": 0,
        "traps": [0, 0.0],
    }
    assert tables.order_rows([line] * 2)[-1][1] == "nan ± nan"


def test_few_positions_are_not_told() -> None:
    counted = np.zeros((2, apb.ROOM, 3))
    counted[:, 3] = [60, 6, 30]
    counted[:, 4] = [20, 4, 10]
    assert tables.counted_table("lead", counted).rows == [["-1", "120", "10.0 ± 0.0 %", "50.0 ± 0.0 %"]]
    assert tables.counted_table("lines", counted).rows == [["3", "120", "10.0 ± 0.0 %", "50.0 ± 0.0 %"]]


# --- the texts of the bot -----------------------------------------------------------------------------------------


def value(rows: list[list[str]], name: str, at: int = 1) -> float:
    """Returns the figure in the row with this name."""
    return float(next(row for row in rows if row[0].endswith(name))[at].split(" ")[0])


def from_the_rear(opening: tables.Opening) -> bool:
    """Whether a turn that moves a stone from 24 or 23 is best, beyond the error bar, of those played out."""
    rear = [number for number, turn in enumerate(opening.turns) if re.search(r"\b2[34]/", turn)]
    others = [number for number in range(len(opening.turns)) if number not in rear]
    if 0 not in rear:
        return False
    return not others or opening.behind(others[0]).value > opening.behind(others[0]).error


def test_the_aims_of_abak_are_what_was_found() -> None:
    found = store.lines(DOCS / "findings" / "abak.jsonl")
    openings = {each.roll: each for each in tables.openings(found)}
    rear = [roll for roll, each in openings.items() if roll[0] != roll[1] and from_the_rear(each)]
    for code, last in (("en", " and "), ("es", " y ")):
        said = language(code)("abak.topic.plan")
        *first, end = (f"{high}-{low}" for high, low in rear)
        assert f"{', '.join(first)}{last}{end}" in said
        assert " 0.05 " in said
        shown = next(topic for topic in GAME.topics if topic.key == PLAN)
        assert f"`{shown.steps}`" in said
    opening = openings[4, 3]
    assert opening.turns[0] == shown.steps
    worse = opening.behind(opening.turns.index("24/20 23/20"))
    assert worse.value > worse.error
    assert worse.value == pytest.approx(0.05, abs=0.01)
    orders = tables.order_rows(found)
    assert value(orders, "loses 0.05 points or more") == pytest.approx(9.5, abs=1)
    assert value(orders, "general goes back") == pytest.approx(100 / 6, abs=2)
    lacking = tables.lacking_rows(found)
    points = {row[0]: float(row[3].split(" ")[0]) for row in lacking}
    assert min(points, key=lambda name: points[name]) == "general"
    places = {row[0]: [float(cell.split(" ")[0]) for cell in row[2:]] for row in tables.place_rows(found)}
    assert min(places, key=lambda name: places[name][-1]) == "odd wounded"


def test_the_aims_of_apb_are_what_was_found() -> None:
    """Most, beyond the error bars."""
    found = {table.title: table for table in tables.apb(store.lines(DOCS / "findings" / "apb.jsonl"))}

    def told(title: str, name: str, at: int) -> tuple[float, float]:
        cell = next(row for row in found[title].rows if row[0] == name)[at].removesuffix(" %")
        one, error = map(float, cell.split(" ± "))
        return one - error, one + error

    assert told("Results", "level 7", 6)[0] > 50
    assert told("lead, counted", "2", 3)[0] > 50
    assert told("own beside, behind", "0", 2)[0] > told("own beside, behind", "1", 2)[1]


def test_the_first_steps_of_apb_that_open_a_safe_line_are_counted_by_the_engine() -> None:
    start = APB.start({})
    first = {str(step): APB.apply(start, step) for step in APB.legal(start)}
    lines = [(step, after, last) for step, after in first.items() for last in APB.legal(after)]
    safe = {
        step: f"`{step} {last}`"
        for step, after, last in lines
        if str(last).startswith("e3-") and APB.outcome(APB.apply(after, last)) is None
    }
    for code in ("en", "es"):
        told = next(each for each in language(code)("apb.topic.plan").split(". ") if f" {len(first)} " in each)
        assert f" {len(safe)} " in told
        assert any(turn in told for turn in safe.values())


# --- the page -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["findings.md", "findings.es.md"])
@pytest.mark.parametrize("game", TABLES)
def test_every_figure_of_the_tables_is_what_was_found(game: str, page: str) -> None:
    """Each row of the page's tables is one of the command's, with the same figures in the same order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = sorted((DOCS / "findings").glob(f"{game}*.jsonl"))
    rows = {
        " | ".join(row[1:]).strip("| ")
        for path in found
        for table in TABLES[game](store.lines(path))
        for row in table.rows
    }
    chapter = text[text.index(f"<!-- {game} -->") :].partition("<!-- end -->")[0]
    told = [line.strip("| ").partition(" | ")[2] for line in chapter.splitlines() if "±" in line and line[0] == "|"]
    assert len(told) > 10
    assert [row for row in told if row not in rows] == []


def test_the_openings_of_the_picture_are_the_best_ones() -> None:
    shown = runpy.run_path(str(DOCS.parent / "scripts" / "contact_sheet.py"))["OPENINGS"]
    best = {
        f"{high}-{low}": turns[0]
        for (high, low), turns, _ in tables.openings(store.lines(DOCS / "findings" / "abak.jsonl"))
    }
    assert shown == {roll: best[roll] for roll in shown}
    for page in ("findings.md", "findings.es.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert ", ".join(f"{roll} `{turn}`" for roll, turn in shown.items()) in text
    assert (DOCS / "pictures" / "abak-openings.png").stat().st_size <= 300_000


def test_the_principals_of_the_picture_are_behind_and_sheltered_as_it_says() -> None:
    for beside, text in enumerate(runpy.run_path(str(DOCS.parent / "scripts" / "contact_sheet.py"))["SHELTERED"]):
        found = dict(zip(apb.COUNTED, apb.counts(APB.decode(text)), strict=True))
        assert (found["lead"], found["own beside"]) == (apb.EVEN - 1, beside)
