"""The rules one by one, and every refusal by the key that names it."""

import pytest

from engine.core.errors import IllegalMove
from engine.core.game import CHANCE, Mark
from engine.core.search import menu
from engine.games.backgammon import GAME, PASS, Move, State
from engine.games.backgammon.moves import die_of
from engine.kits.dice import OPENINGS, ROLLS, Roll

START = "XGID=-b----E-C---eE---c-e----B-"


def at(board: str, dice: str = "00", turn: int = 1, match: str = "0:0:0:0:10", cube: str = "0:0") -> State:
    return GAME.decode(f"{board}:{cube}:{turn}:{dice}:{match}")


def play(state: State, text: str) -> State:
    for step in GAME.parse(state, text):
        state = GAME.apply(state, step)
    return state


def refused(state: State, step: Move | Roll) -> tuple[str, dict[str, object]]:
    with pytest.raises(IllegalMove) as caught:
        GAME.apply(state, step)
    assert step not in GAME.legal(state)
    return caught.value.key, dict(caught.value.params)


# --- opening and luck -------------------------------------------------------------------------------------------------


def test_opening() -> None:
    state = GAME.start({"layout": "standard"})
    assert GAME.to_act(state) == CHANCE
    assert GAME.legal(state) == OPENINGS
    assert {GAME.weight(state, roll) for roll in OPENINGS} == {1}
    assert GAME.apply(state, Roll(4, 4)) == state
    white = GAME.apply(state, Roll(6, 2))
    assert (white.turn, white.roll, white.dice, white.opening) == (0, Roll(6, 2), (6, 2), False)
    black = GAME.apply(state, Roll(2, 6))
    assert (black.turn, black.roll, black.dice) == (1, Roll(6, 2), (6, 2))
    assert GAME.path(state, Roll(2, 6)) == ("2", "6")


def test_rolls_in_play() -> None:
    state = at(START)
    assert GAME.legal(state) == ROLLS
    assert sum(GAME.weight(state, roll) for roll in ROLLS) == 36
    assert GAME.apply(state, Roll(3, 3)).dice == (3, 3, 3, 3)
    assert refused(state, Roll(1, 3)) == ("backgammon.no_such_roll", {"roll": "1-3"})
    assert refused(state, Roll(7, 1)) == ("backgammon.no_such_roll", {"roll": "7-1"})
    assert refused(state, Move(8, 5)) == ("backgammon.roll_first", {})
    assert refused(at(START, "31"), Roll(3, 1)) == ("backgammon.rolled_already", {"roll": "3-1"})


# --- a turn -----------------------------------------------------------------------------------------------------------


def test_a_turn_step_by_step() -> None:
    state = at(START, "31")
    assert Move(8, 5) in GAME.legal(state)
    state = GAME.apply(state, Move(8, 5))
    assert (state.turn, state.dice, state.roll) == (0, (1,), Roll(3, 1))
    state = GAME.apply(state, Move(6, 5))
    assert (state.turn, state.dice, state.roll) == (1, (), None)
    assert GAME.encode(state) == "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:0:0:10"


def test_black_plays_from_its_own_side() -> None:
    state = at(START, "31", turn=-1)
    after = play(state, "8/5 6/5")
    assert GAME.encode(after) == "XGID=-b----E-C---eE---b-db---B-:0:0:1:00:0:0:0:0:10"


def test_a_double_is_played_four_times() -> None:
    state = at(START, "11")
    for move in (Move(8, 7), Move(8, 7), Move(6, 5)):
        state = GAME.apply(state, move)
    assert state.dice == (1,)
    assert GAME.apply(state, Move(6, 5)).turn == 1


def test_a_hit_checker_goes_to_the_bar_and_enters_first() -> None:
    state = at("XGID=-b---aE-C---eE---c-d----B-", "31")
    step = Move(8, 5)
    assert [note.key for note in GAME.notes(state, step)] == ["backgammon.does.hits"]
    assert GAME.marks(state, step) == (Mark("from", "8", "5"), Mark("to", "5"), Mark("hit", "5", "bar1"))
    after = play(state, "8/5* 6/5")
    assert after.points[0] == -1
    rolled = GAME.apply(after, Roll(6, 2))
    assert GAME.legal(rolled) == [Move(25, 23)]  # the six-point, own 19, is White's
    assert GAME.path(rolled, Move(25, 23)) == ("bar", "23")
    assert [note.key for note in GAME.notes(rolled, Move(25, 23))] == ["backgammon.does.enters"]
    assert GAME.marks(rolled, Move(25, 23)) == (Mark("from", "bar1", "2"), Mark("to", "2"))
    assert refused(rolled, Move(8, 6)) == ("backgammon.bar_first", {"cell": "bar"})


def test_two_on_the_bar_use_both_dice() -> None:
    state = at("XGID=-----bD-C---cE---c-e---a-B", "52")
    assert {move.source for move in GAME.legal(state)} == {25}
    assert len(GAME.turns(state)) == 1


def test_a_pass_is_a_step_of_its_own() -> None:
    state = at("XGID=----------------A--bbbbbbB", "63")
    assert list(GAME.legal(state)) == [PASS]
    assert GAME.path(state, PASS) == ("pass",)
    assert [note.key for note in GAME.notes(state, PASS)] == ["backgammon.does.passes"]
    assert GAME.marks(state, PASS) == ()
    after = GAME.apply(state, PASS)
    assert GAME.turns(state) == [((PASS,), after)]
    assert (after.turn, after.roll, after.points) == (1, None, state.points)
    assert refused(state, Move(25, 22)) == ("backgammon.blocked", {"point": 22})


def test_no_pass_while_a_die_can_be_played() -> None:
    key, params = refused(at(START, "31"), PASS)
    assert key == "backgammon.may_not_pass"
    assert len(GAME.parse(at(START, "31"), str(params["play"]))) == 2


def test_the_turn_ends_when_no_more_can_be_played() -> None:
    state = at("XGID=-----------------bb-----A-", "61")
    state = GAME.apply(state, Move(24, 23))
    assert (state.turn, state.roll, state.dice) == (1, None, ())


# --- as many dice as possible (Turn 4) --------------------------------------------------------------------------------


def test_a_move_that_would_waste_the_other_die() -> None:
    state = at("XGID=--B-bA---B---bb-----------", "51")
    assert GAME.legal(state) == [Move(9, 8)]
    assert refused(state, Move(2, 1)) == ("backgammon.more_dice", {"dice": 2, "play": "9/3"})
    with pytest.raises(IllegalMove) as caught:
        GAME.parse(state, "2/1")
    assert caught.value.key == "backgammon.more_dice"


def test_the_last_checker_plays_both_dice_rather_than_leave_at_once() -> None:
    state = at("XGID=-b---A--b-b---------------", "52")
    assert GAME.legal(state) == [Move(5, 3)]
    assert refused(state, Move(5, 0)) == ("backgammon.more_dice", {"dice": 2, "play": "5/3/off"})
    assert GAME.parse(state, "5/off") == (Move(5, 3), Move(3, 0))
    hitting = at("XGID=-b--aA--b-----------------", "51")
    assert GAME.legal(hitting) == [Move(5, 4)]
    assert play(hitting, "5/off").points[0] == -1


def test_the_higher_die_if_only_one_can_be_played() -> None:
    state = at("XGID=-----b-----b----------A---", "65")
    assert GAME.legal(state) == [Move(22, 16)]
    assert refused(state, Move(22, 17)) == ("backgammon.higher_die", {"die": 6, "play": "22/16"})
    assert GAME.apply(state, Move(22, 16)).turn == 1


def test_the_lower_die_if_the_higher_cannot_be_played() -> None:
    assert GAME.legal(at("XGID=-----------b----b-----A---", "65")) == [Move(22, 17)]


def test_doubles_as_far_as_they_go() -> None:
    state = at("XGID=-----------b-----------A--", "33")
    turns = GAME.turns(state)
    assert [len(steps) for steps, _ in turns] == [3]
    assert turns[0][1].points[14] == 1


def test_one_die_on_either_of_two_bar_points() -> None:
    state = at("XGID=-C----a-a---------b------A", "43")
    assert GAME.legal(state) == [Move(25, 21)]


# --- bearing off (Turn 5) ---------------------------------------------------------------------------------------------


def test_bearing_off() -> None:
    state = at("XGID=-AB--AA----------------b--", "62")
    assert GAME.legal(state) == [Move(6, 4), Move(6, 0), Move(5, 3), Move(2, 0)]
    assert [note.key for note in GAME.notes(state, Move(6, 0))] == ["backgammon.does.bears_off"]
    assert GAME.marks(state, Move(6, 0)) == (Mark("from", "6", "off0"), Mark("to", "off0"))
    after = GAME.apply(state, Move(6, 0))
    assert after.off == (11, 13)
    assert GAME.apply(after, Move(2, 0)).off == (12, 13)


def test_a_larger_die_bears_off_the_highest_only() -> None:
    state = at("XGID=-ABA-------------------b--", "65")
    assert GAME.legal(state) == [Move(3, 0)]
    assert refused(state, Move(2, 0)) == ("backgammon.higher_checker", {"point": 2, "higher": 3})
    inside = at("XGID=-A---A-----------------b--", "43")
    assert refused(inside, Move(1, 0)) == ("backgammon.higher_checker", {"point": 1, "higher": 5})
    assert Move(5, 1) in GAME.legal(inside)


def test_two_dice_that_bear_off_the_same_checker_are_one_move() -> None:
    state = at("XGID=-A--A------------------b--", "65")
    assert GAME.legal(state) == [Move(4, 0)]
    assert die_of(Move(4, 0), state.dice) == 5
    assert GAME.apply(state, Move(4, 0)).dice == (6,)
    assert die_of(Move(4, 0), (6, 4)) == 4


def test_bearing_off_is_not_compulsory() -> None:
    state = at("XGID=----A-A----------------b--", "41")
    assert GAME.legal(state) == [Move(6, 5), Move(6, 2), Move(4, 3), Move(4, 0)]


def test_not_before_all_are_home() -> None:
    state = at("XGID=-A-A--A-A--------------b--", "31")
    assert refused(state, Move(3, 0)) == ("backgammon.not_home", {"point": 8})
    hit = at("XGID=-A-A--A----------------b-A", "31")
    assert refused(hit, Move(3, 0)) == ("backgammon.bar_first", {"cell": "bar"})
    assert Move(3, 0) in GAME.legal(GAME.apply(at("XGID=-A-A---A---------------b--", "31"), Move(7, 6)))


# --- other refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "key", "params"),
    [
        (Move(7, 4), "backgammon.no_checker", {"point": 7}),
        (Move(0, -3), "backgammon.no_checker", {"point": 0}),
        (Move(26, 23), "backgammon.no_checker", {"point": 26}),
        (Move(12, 9), "backgammon.no_checker", {"point": 12}),
        (Move(25, 22), "backgammon.bar_empty", {}),
        (Move(13, 8), "backgammon.no_die", {"step": "13/8", "dice": "6 1"}),
        (Move(13, 13), "backgammon.wrong_way", {"step": "13/13"}),
        (Move(6, 8), "backgammon.wrong_way", {"step": "6/8"}),
        (Move(6, -1), "backgammon.wrong_way", {"step": "6/-1"}),
        (Move(13, 12), "backgammon.blocked", {"point": 12}),
        (Move(6, 0), "backgammon.not_home", {"point": 24}),
    ],
)
def test_refused_steps(step: Move, key: str, params: dict[str, object]) -> None:
    assert refused(at(START, "61"), step) == (key, params)


# --- the end and the score --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "match", "cube", "points", "reason"),
    [
        ("XGID=-A---------------------b--", "0:0:0:0:10", "0:0", 1, "end.single"),
        ("XGID=-A-----------------bbbccc-", "0:0:0:0:10", "0:0", 2, "end.gammon"),
        ("XGID=-A-----a-----------bbbccb-", "0:0:0:0:10", "0:0", 2, "end.gammon"),
        ("XGID=-A--a--------------bbbccb-", "0:0:0:0:10", "0:0", 3, "end.backgammon"),
        ("XGID=aA-----------------bbbccb-", "0:0:0:0:10", "0:0", 3, "end.backgammon"),
        ("XGID=aA--------------------b---", "0:0:0:0:10", "0:0", 1, "end.single"),
        ("XGID=-A-----------------bbbccc-", "0:0:0:0:10", "2:1", 8, "end.gammon"),
        ("XGID=-A-----------------bbbccc-", "0:0:1:0:10", "0:0", 1, "end.single"),
        ("XGID=-A-----------------bbbccc-", "0:0:3:0:10", "1:1", 4, "end.gammon"),
        ("XGID=-A-----------------bbbccc-", "0:0:2:0:10", "0:0", 2, "end.gammon"),
        ("XGID=-A-----------------bbbccc-", "2:4:1:5:10", "0:0", 2, "end.gammon"),
    ],
)
def test_score(board: str, match: str, cube: str, points: int, reason: str) -> None:
    state = at(board, "21", match=match, cube=cube)
    assert [note.key for note in GAME.notes(state, Move(1, 0))] == ["backgammon.does.wins"]
    over = GAME.apply(state, Move(1, 0))
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert outcome.points == (points, -points)
    assert outcome.reason == reason
    assert GAME.to_act(over) is None
    assert list(GAME.legal(over)) == []
    assert GAME.turns(over) == []
    assert refused(over, Move(1, 0)) == ("backgammon.over", {})
    assert max(GAME.resign_values(state, 1)) >= points


def test_black_wins() -> None:
    over = GAME.apply(at("XGID=-EEE--------------------a-", "21", turn=-1), Move(1, 0))
    outcome = GAME.outcome(over)
    assert outcome is not None
    assert outcome.points == (-2, 2)
    assert outcome.winner == 1


def test_hypergammon_counts_three_checkers() -> None:
    state = GAME.decode("XGID=-A-------------------aaa--:0:0:1:21:0:0:0:0:10", {"layout": "hyper"})
    outcome = GAME.outcome(GAME.apply(state, Move(1, 0)))
    assert outcome is not None
    assert outcome.points == (2, -2)


@pytest.mark.parametrize(
    ("board", "match", "expected"),
    [
        (START, "0:0:0:0:10", (1, 2, 3)),
        (START, "0:0:1:0:10", (1,)),
        ("XGID=-EEE-------------------b--", "0:0:0:0:10", (1,)),
        ("XGID=-EEE---------------eee----", "0:0:0:0:10", (1, 2)),
        ("XGID=-EEE------ee---------e----", "0:0:0:0:10", (1, 2)),
        ("XGID=-EEE-a----de---------e----", "0:0:0:0:10", (1, 2, 3)),
        ("XGID=-EED-e-----e---------e---A", "0:0:0:0:10", (1, 2, 3)),
    ],
)
def test_concessions_of_black(board: str, match: str, expected: tuple[int, ...]) -> None:
    assert GAME.resign_values(at(board, match=match), 1) == expected
    doubled = at(board, match=match.replace("0:0:1", "0:0:0"), cube="1:1")
    assert GAME.resign_values(doubled, 1)[0] == 2


# --- what a player is shown -------------------------------------------------------------------------------------------


def test_the_menu_groups_by_the_point_left() -> None:
    state = at(START, "31")
    assert [choice.word for choice in menu(GAME, state)] == ["24", "13", "8", "6"]
    assert [choice.word for choice in menu(GAME, state, ("8",))] == ["7", "5"]


def test_a_point_is_made() -> None:
    state = GAME.apply(at(START, "31"), Move(8, 5))
    (note,) = GAME.notes(state, Move(6, 5))
    assert (note.key, dict(note.params)) == ("backgammon.does.makes_point", {"point": 5})
    assert GAME.notes(state, Move(8, 7)) == ()


def test_a_roll_is_told() -> None:
    assert [note.key for note in GAME.notes(at(START), Roll(3, 1))] == ["dice.rolled"]
    assert [note.key for note in GAME.notes(GAME.start({"layout": "hyper"}), Roll(3, 1))] == ["dice.opening"]
    assert GAME.marks(at(START), Roll(3, 1)) == ()
