"""Tests the rule that refuses each illegal play (abak.md, backgammon.md), typed or made by hand."""

from __future__ import annotations

import pytest
from harness.abak import FAR, Place

from engine.core.errors import IllegalMove
from engine.games.abak import GAME, PASS, Step
from engine.kits.dice import Roll

# name: columns, bar, roll, what is tried; the rule that refuses it and its parameters
REFUSED = {
    # --- which stone
    "nothing there": (FAR | {8: "S"}, "-", 32, "9/6", "no_stone", {"point": 9}),
    "only the other side's": (FAR | {8: "S", 9: "ss"}, "-", 32, "9/6", "no_stone", {"point": 9}),
    "a prisoner": (FAR | {8: "S", 10: "Sd"}, "-", 32, "10/7", "covered", {"point": 10}),
    "bar first": (FAR | {8: "S"}, "S", 32, "8/5", "bar_first", {"cell": "bar"}),
    "the order counts, bar first": (FAR | {8: "S"}, "S", 32, "8/5 bar:S/23", "bar_first", {"cell": "bar"}),
    "nothing on the bar": (FAR | {8: "S"}, "-", 32, "bar:S/22", "bar_empty", {}),
    "not that class on the bar": (FAR | {8: "S"}, "G", 32, "bar:S/22", "not_on_bar", {"stone": "@abak.stone.S"}),
    "two on the bar, one entered": (FAR | {8: "S"}, "SG", 32, "bar:S/22 8/6", "bar_first", {"cell": "bar"}),
    # --- which die
    "not such a die": (FAR | {8: "S"}, "-", 32, "8/4", "no_die", {"step": "8/4", "dice": "3 2"}),
    "not standing still": (FAR | {8: "S"}, "-", 32, "8/8", "no_die", {"step": "8/8", "dice": "3 2"}),
    "a die only once": (FAR | {8: "SS"}, "-", 32, "8/5 8/5", "no_die", {"step": "8/5", "dice": "2"}),
    "a fifth move": (FAR | {24: "SSSSS"}, "-", 11, "24/23(4) 24/23", "too_many_moves", {"roll": "1-1"}),
    # --- landing
    "two stones block": (FAR | {8: "S", 5: "ss"}, "-", 32, "8/5", "blocked", {"point": 5}),
    "two stones over others block": (FAR | {8: "S", 5: "Sss"}, "-", 32, "8/5", "blocked", {"point": 5}),
    "two stones block on entering": (FAR | {22: "ss"}, "S", 32, "bar:S/22", "blocked", {"point": 22}),
    "two stones block the general going back": (
        FAR | {8: "S", 6: "K", 9: "ss"},
        "-",
        32,
        "6/9",
        "blocked",
        {"point": 9},
    ),
    "two stones block the druid": (FAR | {13: "D", 10: "ss"}, "-", 32, "13/10", "blocked", {"point": 10}),
    "a sixth stone": (FAR | {8: "S", 5: "SSSSS"}, "-", 32, "8/5", "five_stones", {"point": 5}),
    "a sixth stone on entering": (FAR | {22: "SSSSS"}, "G", 32, "bar:G/22", "five_stones", {"point": 22}),
    "a sixth stone, prisoners counted": (FAR | {8: "S", 7: "sDSSS"}, "-", 21, "8/7", "five_stones", {"point": 7}),
    "a sixth stone, the general's": (FAR | {8: "K", 10: "SSSSS"}, "-", 21, "8/10", "five_stones", {"point": 10}),
    "no trap on a full column": (FAR | {13: "D", 10: "SSSSs"}, "-", 32, "13/10", "five_stones", {"point": 10}),
    "a stop on the way is blocked": (FAR | {8: "S", 5: "ss", 6: "ss"}, "-", 32, "8/3", "blocked", {"point": 5}),
    "the end of the way is blocked": (FAR | {8: "SS", 3: "ss"}, "-", 32, "8/3", "blocked", {"point": 3}),
    # --- guard
    "a lone guard blocks": (FAR | {14: "S", 10: "g"}, "-", 42, "14/10", "guard_blocks", {"point": 10}),
    "a lone guard blocks the general": (
        FAR | {8: "K", 14: "S", 10: "g"},
        "-",
        21,
        "8/10",
        "guard_blocks",
        {"point": 10},
    ),
    "a lone guard over a stone of the mover blocks": (
        FAR | {14: "S", 10: "Sg"},
        "-",
        42,
        "14/10",
        "guard_blocks",
        {"point": 10},
    ),
    "a lone guard blocks the druid in a home": (FAR | {6: "D", 4: "g"}, "-", 42, "6/4", "guard_blocks", {"point": 4}),
    "a guard blocks on entering": (FAR | {22: "g"}, "S", 32, "bar:S/22", "guard_blocks", {"point": 22}),
    "a guard uncovered blocks again": (FAR | {12: "S", 10: "gD"}, "-", 32, "10/7 12/10", "guard_blocks", {"point": 10}),
    "a guard on another stone is no lone guard": (
        FAR | {14: "S", 12: "S", 10: "sg"},
        "-",
        42,
        "14/10+12/10",
        "pair_no_guard",
        {"point": 10},
    ),
    # --- pair capture
    "no guard there": (FAR | {14: "S", 12: "S", 10: "s"}, "-", 42, "14/10+12/10", "pair_no_guard", {"point": 10}),
    "a full column has no room for two": (
        FAR | {14: "S", 12: "S", 10: "SSSSg"},
        "-",
        42,
        "14/10+12/10",
        "pair_full",
        {"point": 10},
    ),
    "one stone would not do there either": (
        FAR | {14: "S", 10: "SSSSg"},
        "-",
        42,
        "14/10",
        "pair_full",
        {"point": 10},
    ),
    "a guard is no half": (FAR | {14: "G", 12: "S", 10: "g"}, "-", 42, "14/10+12/10", "pair_guard", {"point": 10}),
    "nor the second half": (FAR | {14: "S", 12: "G", 10: "g"}, "-", 42, "14/10+12/10", "pair_guard", {"point": 10}),
    "a druid is no half in the midfield": (
        FAR | {14: "D", 12: "S", 10: "g"},
        "-",
        42,
        "14/10+12/10",
        "pair_druid",
        {"point": 10},
    ),
    "nor the second half there": (
        FAR | {14: "S", 12: "D", 10: "g"},
        "-",
        42,
        "14/10+12/10",
        "pair_druid",
        {"point": 10},
    ),
    "parity binds a half": (FAR | {14: "S", 12: "O", 10: "g"}, "-", 42, "14/10+12/10", "odd_die", {"die": 2}),
    "the bar binds a half": (FAR | {14: "S", 12: "S", 10: "g"}, "S", 42, "14/10+12/10", "bar_first", {"cell": "bar"}),
    "the bar binds the second half": (
        FAR | {24: "K", 22: "g"},
        "SS",
        32,
        "bar:S/22+24/22",
        "bar_first",
        {"cell": "bar"},
    ),
    "a half needs its stone": (FAR | {14: "S", 10: "g"}, "-", 42, "14/10+12/10", "no_stone", {"point": 12}),
    "a half needs its die": (
        FAR | {14: "S", 13: "S", 10: "g"},
        "-",
        42,
        "14/10+13/10",
        "no_die",
        {"step": "13/10", "dice": "4 2"},
    ),
    "a die serves one half only": (
        FAR | {14: "SS", 10: "g", 24: "S"},
        "-",
        42,
        "14/10+14/10",
        "pair_dice",
        {"point": 10},
    ),
    "two points": (FAR | {14: "S", 12: "S", 10: "g"}, "-", 42, "14/10+12/8", "pair_points", {"first": 10, "second": 8}),
    "the last die alone makes no pair": (
        FAR | {14: "S", 13: "S", 12: "S", 10: "g"},
        "-",
        42,
        "13/9 12/10",
        "guard_blocks",
        {"point": 10},
    ),
    "nothing comes between": (
        FAR | {12: "SS", 10: "g", 6: "S"},
        "-",
        22,
        "12/10 6/4 12/10",
        "guard_blocks",
        {"point": 10},
    ),
    "the general not back after its last comrade came home": (
        FAR | {8: "S", 2: "K", 4: "g"},
        "-",
        42,
        "8/4+2/4",
        "general_comrades_home",
        {},
    ),
    # --- general
    "only the general goes back": (
        FAR | {8: "S", 6: "K"},
        "-",
        32,
        "8/11",
        "only_general_back",
        {"stone": "@abak.stone.S"},
    ),
    "no point beyond the 24-point": (FAR | {24: "S", 23: "K"}, "-", 32, "24/25", "no_point", {"point": 25}),
    "no stone from beyond it": (FAR | {24: "S", 23: "K"}, "-", 32, "27/24", "no_point", {"point": 27}),
    "not beyond its own 24-point": (FAR | {8: "S", 23: "K"}, "-", 32, "23/26", "general_past", {}),
    "not onto the bar": (FAR | {8: "S", 23: "K"}, "-", 32, "23/25", "general_past", {}),
    "not back after forward": (FAR | {8: "S", 13: "K"}, "-", 32, "13/10 10/12", "general_went_forward", {}),
    "not even later in the turn": (FAR | {8: "SSS", 13: "K"}, "-", 11, "13/12 8/7 12/13", "general_went_forward", {}),
    "not forward after back": (FAR | {8: "S", 13: "K"}, "-", 32, "13/16/14", "general_went_back", {}),
    "not back twice": (FAR | {8: "S", 13: "K"}, "-", 11, "13/14 14/15", "general_went_back", {}),
    "not off after back": ({24: "s", 8: "SS", 1: "K"}, "-", 22, "1/3 8/6 8/6 3/off", "general_went_back", {}),
    "not back with its comrades home": (FAR | {5: "S", 8: "K"}, "-", 32, "8/10", "general_comrades_home", {}),
    "not back without comrades": (FAR | {8: "K"}, "-", 32, "8/10", "general_comrades_home", {}),
    "judged at the moment": (FAR | {8: "S", 5: "K"}, "-", 32, "8/6 5/8", "general_comrades_home", {}),
    # --- wounded
    "the even wounded by an odd die": (FAR | {13: "E", 8: "S"}, "-", 32, "13/10", "even_die", {"die": 3}),
    "the odd wounded by an even die": (FAR | {13: "O", 8: "S"}, "-", 32, "13/11", "odd_die", {"die": 2}),
    "tested per die, not on the sum": (FAR | {13: "E"}, "-", 31, "13/9", "even_die", {"die": 3}),
    "parity inside the home": ({24: "s", 6: "E", 2: "S"}, "-", 52, "6/1", "even_die", {"die": 5}),
    # --- bearing off
    "not while a stone is out": ({24: "s", 7: "S", 4: "S"}, "-", 43, "4/off", "not_home", {"point": 7}),
    "not while a stone is a prisoner": ({24: "s", 10: "Sd", 4: "S"}, "-", 43, "4/off", "prisoner_out", {"point": 10}),
    "not past a higher stone": ({24: "s", 6: "S", 3: "S"}, "-", 54, "3/off", "higher_stone", {"point": 3, "higher": 6}),
    "not even past one that cannot move": (
        {24: "s", 6: "E", 3: "S"},
        "-",
        51,
        "3/off",
        "higher_stone",
        {"point": 3, "higher": 6},
    ),
    # --- as many dice as possible
    "the higher one if only one can be": (
        FAR | {20: "S", 18: "ss", 14: "ss", 8: "S"},
        "-",
        62,
        "8/6",
        "higher_die",
        {"die": 6, "play": "8/2"},
    ),
    "a pass with something to play": (FAR | {8: "S"}, "-", 32, "pass", "may_not_pass", {"play": "8/5/3"}),
}

# name: columns, roll, what is tried; how many dice can be played, and by which turn
MORE_DICE = {
    "both dice if they can be": (FAR | {14: "S", 12: "ss", 8: "S"}, 62, "8/2", 2, "14/8/6"),
    "a pair capture counts as two": (FAR | {14: "S", 12: "S", 10: "g", 8: "ss"}, 42, "14/12", 2, "12/10+14/10*"),
    "the general's way back counts": (
        {24: "S", 21: "ss", 19: "ss", 6: "K", 4: "ss", 3: "ss"},
        32,
        "6/8",
        2,
        "24/22 6/9",
    ),
    "a pair capture in the order that wastes dice": (
        FAR | {12: "S", 10: "g", 8: "K"},
        22,
        "12/10+8/10",
        4,
        "8/10+12/10* 10/8/6",
    ),
}
REFUSED |= {
    name: (board, "-", roll, text, "more_dice", {"dice": dice, "play": play})
    for name, (board, roll, text, dice, play) in MORE_DICE.items()
}


@pytest.mark.parametrize(("board", "bar", "roll", "text", "key", "params"), REFUSED.values(), ids=list(REFUSED))
def test_may_not_be_played(
    place: Place, board: dict[int, str], bar: str, roll: int, text: str, key: str, params: dict[str, object] | None
) -> None:
    state = place(board, roll, bar=bar)
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(state, text)
    assert refused.value.key == f"abak.{key}"
    if params is not None:
        assert refused.value.params == params


# --- steps made by hand ----------------------------------------------------------------------------------------------

BY_HAND = {
    "a die that is not there": (Step("S", 8, 2, 6), "no_die"),
    "a die that does not fit": (Step("S", 8, 6, 3), "no_die"),
    "a die too small to bear off": (Step("S", 4, 0, 3), "no_die"),
    "another class": (Step("G", 8, 5, 3), "other_stone"),
    "no class at all": (Step("X", 8, 5, 3), "other_stone"),
    "beyond the board": (Step("S", 30, 27, 3), "no_point"),
    "below the board": (Step("S", 8, -1, 3), "no_die"),
    "onto the bar": (Step("S", 25, 25, 3), "bar_empty"),
    "a pair beyond the board": (Step("S", 40, 37, 3, "S", 39, 2), "pair_no_guard"),
    "a roll": (Roll(3, 2), "rolled_already"),
    "a pass": (PASS, "may_not_pass"),
}


@pytest.mark.parametrize(("step", "key"), BY_HAND.values(), ids=list(BY_HAND))
def test_a_step_made_by_hand_is_refused_by_name(place: Place, step: Step | Roll, key: str) -> None:
    state = place(FAR | {8: "S", 4: "S"}, 32)
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, step)
    assert refused.value.key == f"abak.{key}"


def test_no_such_class_on_the_bar(place: Place) -> None:
    with pytest.raises(IllegalMove, match=r"abak\.not_on_bar"):
        GAME.apply(place(FAR | {8: "S"}, 32, bar="S"), Step("X", 25, 22, 3))


def test_every_step_that_is_not_legal_is_refused(place: Place) -> None:
    """Each single step there could be, in a few positions: refused if and only if it is not listed."""
    states = [
        place(FAR | {14: "S", 12: "E", 10: "g", 6: "K", 16: "sD"}, 42),
        place(FAR | {24: "O", 22: "g", 10: "Sd"}, 33, bar="KE"),
        place({24: "s", 6: "E", 3: "K", 2: "SG"}, 53),
    ]
    for state in states:
        legal = set(GAME.legal(state))
        for stone in "SGKDEO":
            for source in range(26):
                for point in range(26):
                    for die in range(1, 7):
                        step = Step(stone, source, point, die)
                        if step in legal:
                            GAME.apply(state, step)
                            continue
                        with pytest.raises(IllegalMove, match=r"abak\."):
                            GAME.apply(state, step)
