"""Tests the inputs and estimates of the networks, and the judgement of turns by the replies to them."""

import hashlib
import json
import random
import re
import zlib
from importlib import resources
from pathlib import Path

import numpy as np
import pytest
from fakes.xgid import xgid
from harness.chances import before_rolls, points_player
from harness.commits import strangers
from harness.thinning import in_number

from engine.ai.chances import WON_BACKGAMMON, WON_GAMMON, Chances
from engine.ai.networks import Networks, Sight, turned
from engine.ai.points import NETWORKS
from engine.registry import find

ROOT = Path(__file__).parents[3]
KEYS = ("abak", "backgammon")
every_game = pytest.mark.parametrize("key", KEYS)
MOST_BYTES = 3_000_000
INPUTS = {"abak": 1150576333, "backgammon": 1636834225}
"""Checksums of the inputs of some positions, in parts of 5040."""


@every_game
def test_the_weights_are_those_that_were_made(key: str) -> None:
    folder = resources.files(f"engine.ai.{key}")
    weights = folder.joinpath("networks.npz").read_bytes()
    made = json.loads(folder.joinpath("networks.json").read_text(encoding="utf-8"))
    assert made["sha256"] == hashlib.sha256(weights).hexdigest()
    assert made["command"].startswith((f"python training/networks.py {key} ", f"python training/supervised.py {key} "))
    assert len(weights) < MOST_BYTES


@every_game
def test_the_commits_that_made_the_weights_are_in_the_history(key: str) -> None:
    """Those of the trainings before them, too."""
    made = json.loads(resources.files(f"engine.ai.{key}").joinpath("networks.json").read_text(encoding="utf-8"))
    commits = []
    while made:
        commits.append(made["commit"])
        made = made.get("earlier")
    assert len(commits) > 1
    assert strangers(commits) == []


@every_game
def test_a_training_that_was_stopped_says_when(key: str) -> None:
    """So that its command leads to the same weights."""
    made = json.loads(resources.files(f"engine.ai.{key}").joinpath("networks.json").read_text(encoding="utf-8"))
    while made:
        if "games" in made:
            games, checkpoints = (
                int(re.findall(rf"--{name} (\d+)", made["command"])[0]) for name in ("games", "checkpoints")
            )
            done = made["games"] * checkpoints // games
            assert made.get("stopped") == (None if done == checkpoints else f"after checkpoint {done} of {checkpoints}")
        made = made.get("earlier")


@pytest.mark.parametrize("page", ["strength.md", "strength.es.md", "findings.md", "findings.es.md"])
def test_the_commits_that_pages_name_are_in_the_history(page: str) -> None:
    commits = re.findall(r"\b[0-9a-f]{8}\b", (ROOT / "docs" / page).read_text(encoding="utf-8"))
    assert len(commits) > 1
    assert strangers(commits) == []


@every_game
def test_the_inputs_are_those_that_the_weights_were_made_for(key: str) -> None:
    """A change of an input makes the weights wrong: train the networks anew, then put the new number here."""
    found = points_player(key, 7)
    sight: Sight = found.networks.sight
    positions = found.positions([state for seed in range(3) for state in before_rolls(find(key), seed)])
    inputs = np.empty((sight.inputs, positions.shape[1]), np.float32)
    sight.fill(positions, inputs)
    seen = zlib.crc32(np.rint(inputs * 5040).astype("<i4").tobytes())
    assert seen == INPUTS[key]


@every_game
def test_one_position_is_seen_like_many(key: str) -> None:
    found = points_player(key, 7)
    sight: Sight = found.networks.sight
    positions = found.positions(before_rolls(find(key), 1))
    many = np.full((sight.inputs, positions.shape[1]), np.nan, np.float32)
    sight.fill(positions, many)
    kinds = sight.kind(positions)
    assert len(set(kinds.tolist())) > 2
    for number in range(0, positions.shape[1], 5):
        one = np.full(sight.inputs, np.nan, np.float32)
        sight.fill(positions[:, number], one)
        assert np.array_equal(one, many[:, number])
        assert sight.kind(positions[:, number]) == kinds[number]


@every_game
def test_chances_are_probabilities_and_a_gammon_is_a_win(key: str) -> None:
    found = points_player(key, 7)
    win, gammon, gammoned, backgammon, backgammoned = found.networks.chances(
        found.positions(before_rolls(find(key), 2))
    )
    tiny = 1e-6
    for less, more in ((gammon, win), (gammoned, 1 - win), (backgammon, gammon), (backgammoned, gammoned)):
        assert (less >= 0).all()
        assert (less <= more + tiny).all()


def test_impossible_estimates_are_made_possible() -> None:
    """A network whose five outputs are all one half says that more games are gammons than can be lost or won."""

    class Halves(Networks):
        def __init__(self) -> None:
            self.sight = Sight(1, lambda _, out: out.fill(0), lambda positions: positions[0] * 0)
            self._layers = [(np.zeros((1, 1)), np.zeros(1), np.zeros((5, 1)), np.array([-1.0, 3, 3, 3, 3]))]

    win, gammon, gammoned, backgammon, backgammoned = Halves().chances(np.zeros((1, 1), np.int64))[:, 0]
    assert win == gammon == backgammon
    assert gammoned == backgammoned == pytest.approx(1 - win)


def test_an_estimate_far_from_even_is_no_overflow() -> None:
    class Sure(Networks):
        def __init__(self) -> None:
            self.sight = Sight(1, lambda _, out: out.fill(0), lambda positions: positions[0] * 0)
            self._layers = [
                (np.zeros((1, 1)), np.zeros(1), np.zeros((5, 1)), np.array([-999.0, -999, -999, 999, -999], np.float32))
            ]

    chances = Sure().chances(np.zeros((1, 1), np.int64))[:, 0].tolist()
    assert chances == pytest.approx(Chances(0.0, 0.0, 1.0))


def test_turned_twice_is_the_same() -> None:
    chances = Chances(0.6, 0.2, 0.1, 0.02, 0.01)
    table = np.array(chances)[:, None]
    assert turned(table)[:, 0].tolist() == pytest.approx(chances.turned())
    assert turned(turned(table))[:, 0].tolist() == pytest.approx(chances)


@every_game
def test_a_reply_is_judged_as_by_hand(key: str) -> None:
    """The chances after a turn are the mean over the rolls, the other side playing what it likes best."""
    game, found = find(key), points_player(key, 7)
    state = random.Random(1).choice(before_rolls(game, 3))
    mover = 1 - state.turn
    total = [0.0] * len(Chances._fields)
    for roll in game.legal(state):
        afters = [after for _, after in game.turns(game.apply(state, roll))]
        of_each = [Chances(*row) for row in found.ahead.judged(afters, state.turn).T.tolist()]
        best = max(
            of_each,
            key=lambda one: 2 * one.win + one.gammon - one.gammoned + one.backgammon - one.backgammoned,
        )
        weight = game.weight(state, roll) / 36
        total = [so_far + weight * chance for so_far, chance in zip(total, best.turned(), strict=True)]
    assert found.ahead.judged([state], mover, 1)[:, 0].tolist() == pytest.approx(total)


def test_a_look_at_the_replies_sees_what_is_sure() -> None:
    """Black has one checker left on its last point and bears it off with any roll, before White has borne off any."""
    game = find("backgammon")
    after = game.decode(xgid({1: 8, 7: 7}, {1: 1}, "0:0:-1:00:0:0:0:0:10"), {"cube": "off"})
    far = game.decode(xgid({1: 8, 23: 7}, {1: 1}, "0:0:-1:00:0:0:0:0:10"), {"cube": "off"})
    found = points_player("backgammon", 8)
    assert found.ahead.judged([after], 0, 2)[:, 0].tolist() == pytest.approx(WON_GAMMON.turned())
    assert found.ahead.judged([after, far], 0, 1)[:, 1].tolist() == pytest.approx(WON_BACKGAMMON.turned())


@every_game
@pytest.mark.parametrize("level", [NETWORKS, 7, 8])
def test_the_higher_levels_answer_in_time(key: str, level: int) -> None:
    """If time is up before a reply was looked at, a level plays as it would without looking at replies."""
    game, found = find(key), points_player(key, level)
    state = game.start(game.settle_options({}))
    state = game.apply(state, next(roll for roll in game.legal(state) if str(roll) == "31"))
    assert found.candidates(state, lambda: True) == points_player(key, 7).candidates(state)


@every_game
@in_number("every", 60, 20)
def test_a_turn_at_which_less_was_looked_passes_none(key: str, every: int) -> None:
    """So a turn is not played because it was not looked at."""
    game, found = find(key), points_player(key, 8)
    for state in before_rolls(game, 4)[::every]:
        rolled = game.apply(state, game.legal(state)[10])
        calls = iter(range(3))
        partly = found.candidates(rolled, lambda calls=calls: next(calls, None) is None)
        values = [one.value for one in partly]
        assert values == sorted(values, reverse=True)
        assert len(partly) == len(game.turns(rolled))


def test_replies_are_those_that_the_match_asks_for() -> None:
    """A player who needs one point plays only for the win, at each depth; for money gammons count, too.

    One turn ahead no other reply leaves fewer wins. Two turns ahead both sides play so, which may go either way.
    """
    game = find("backgammon")
    found = points_player("backgammon", 8)
    alone = {"cube": "off"}
    money = game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10", alone)
    last = game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:4:4:0:5:10", alone)
    wins = [[found.ahead.judged([one], 0, depth, one.fields)[0, 0] for one in (last, money)] for depth in (1, 2)]
    assert wins[0][0] < wins[0][1]
    assert wins[1][0] != wins[1][1]


def test_the_replies_to_several_turns_are_judged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The opening roll 21 has eight good turns. To judge few positions takes hardly less time than to judge many."""
    game, found = find("backgammon"), points_player("backgammon", 8)
    state = game.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:21:0:0:0:0:10", {"cube": "off"})
    asked: list[int] = []
    judge = found.networks.chances

    def chances(positions: np.ndarray) -> np.ndarray:
        asked.append(positions.shape[1])
        return judge(positions)

    monkeypatch.setattr(found.networks, "chances", chances)
    found.ahead.plays(state, lambda: False, 1)
    assert len(asked) <= 3
    assert sum(asked) > 3000
