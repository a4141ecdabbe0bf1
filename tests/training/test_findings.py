"""Findings are gathered job by job, and told in tables with error bars."""

import json
import shutil
from functools import partial
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

import engine.ai.apb
from engine.ai.apb import ApbPlayer
from training.found import apb, games, store, tables, turns
from training.found.every import JOBS


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


def test_players_of_apb_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By a number anywhere in the code, and by what the level differs in; not by comments, nor by other levels."""
    before = apb.digest(apb.LEVEL)
    assert {job.weights for job in JOBS["apb"](1, quick=True)} == {before}
    copy = tmp_path / "apb"
    shutil.copytree(Path(engine.ai.apb.__file__).parent, copy)
    evaluation = (copy / "evaluation.py").read_text(encoding="utf-8")
    for old, new, alike in (("SHELTER: Final = 12", "SHELTER: Final = 13", False), ("For each", "For every", True)):
        (copy / "evaluation.py").write_text(evaluation.replace(old, new), encoding="utf-8")
        assert (apb.digest(apb.LEVEL, copy) == before) is alike, new
    for name, changed in (
        ("temperatures", lambda each: each + 0.01),
        ("skills", lambda each: each._replace(width=each.width + 1)),
        ("skills", lambda each: each._replace(evaluate=engine.ai.apb.evaluation.evaluate)),
    ):
        for level in (1, apb.LEVEL):
            table = [*getattr(ApbPlayer, name)]
            table[level - 1] = changed(table[level - 1])
            with monkeypatch.context() as patched:
                patched.setattr(ApbPlayer, name, tuple(table))
                assert (apb.digest(apb.LEVEL) != before) is (level == apb.LEVEL), name


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
