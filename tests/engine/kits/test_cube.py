"""The doubling cube by itself and in the two games that have it (backgammon.md, Turn 1, Cube and matches)."""

from typing import Any

import pytest
from harness.catalogue import keys_in
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import BadNotation, IllegalMove, Refused, RuleError
from engine.core.game import CHANCE, Game
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.games import backgammon
from engine.games.backgammon import gnubg
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll
from engine.kits.xgid import Doubling
from engine.registry import GAMES

BOARDS = {
    "backgammon": "XGID=-b----E-C---eE---c-e----B-",
    "abak": "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-",
}
MOVE = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
CUBED = {"cube": "on"}
both = pytest.mark.parametrize("game", [GAMES[key] for key in BOARDS], ids=list(BOARDS))


def at(game: Game[Any, Any], fields: str, board: dict[str, str] = BOARDS) -> Any:
    """Returns the position with ``cube:owner:turn:dice:white:black:flag:length:maximum``, the cube in play."""
    return game.decode(f"{board[game.key]}:{fields}", game.settle_options(CUBED))


def after(game: Game[Any, Any], state: Any, *texts: str) -> Any:
    for text in texts:
        for step in game.parse(state, text):
            state = game.apply(state, step)
    return state


def fields(game: Game[Any, Any], state: Any) -> str:
    return ":".join(game.encode(state).split(":")[-9:])


# --- the rules -------------------------------------------------------------------------------------------------------


@both
def test_without_the_option_dice_fall_by_themselves(game: Game[Any, Any]) -> None:
    state = game.decode(f"{BOARDS[game.key]}:0:0:1:00:0:0:0:0:10")
    assert game.settle_options({})["cube"] == "off"
    assert game.to_act(state) == CHANCE
    assert game.automatic_action(state) is None
    for word, key in (("double", "cube.not_in_play"), ("roll", "cube.falls"), ("take", "cube.no_offer")):
        with pytest.raises(IllegalMove) as refused:
            game.parse(state, word)
        assert refused.value.key == key


@both
def test_the_opening_roll_is_not_doubled_and_the_second_may_be(game: Game[Any, Any]) -> None:
    state = game.start(game.settle_options(CUBED))
    assert game.to_act(state) == CHANCE
    with pytest.raises(IllegalMove, match=r"cube\.opening"):
        game.apply(state, CubeAction.DOUBLE)
    state = game.apply(state, Roll(3, 1))
    assert game.to_act(state) == 0
    assert CubeAction.DOUBLE not in game.legal(state)
    second = after(game, state, MOVE[game.key])
    assert game.to_act(second) == 1
    assert list(game.legal(second)) == [CubeAction.ROLL, CubeAction.DOUBLE]
    assert fields(game, second) == "0:0:-1:00:0:0:1:0:10"


@both
def test_a_double_is_taken(game: Game[Any, Any]) -> None:
    doubled = after(game, at(game, "0:0:1:00:0:0:0:0:10"), "double")
    assert game.to_act(doubled) == 1
    assert list(game.legal(doubled)) == [CubeAction.TAKE, CubeAction.PASS]
    assert fields(game, doubled) == "0:0:1:D:0:0:0:0:10"
    taken = after(game, doubled, "take")
    assert game.to_act(taken) == CHANCE
    assert fields(game, taken) == "1:-1:1:00:0:0:0:0:10"
    rolled = game.apply(taken, Roll(3, 1))
    assert game.to_act(rolled) == 0
    redouble = after(game, rolled, MOVE[game.key])
    assert game.to_act(redouble) == 1
    assert fields(game, after(game, redouble, "double", "take")) == "2:1:-1:00:0:0:0:0:10"


@both
def test_a_double_is_passed_for_the_former_value(game: Game[Any, Any]) -> None:
    for cube_and_owner, points in (("0:0", 1), ("1:1", 2), ("3:1", 8)):
        passed = after(game, at(game, f"{cube_and_owner}:1:00:0:0:0:0:10"), "double", "pass")
        outcome = game.outcome(passed)
        assert outcome is not None
        assert (outcome.points, outcome.reason) == ((points, -points), "end.passed")
        assert game.to_act(passed) is None
        assert not game.legal(passed)
        assert game.automatic_action(passed) is None
        with pytest.raises(IllegalMove, match=rf"{game.key}\.over"):
            game.parse(passed, "roll")
        with pytest.raises(IllegalMove, match=rf"{game.key}\.over"):
            game.apply(passed, CubeAction.ROLL)


@both
def test_after_roll_the_dice_fall_and_the_next_turn_may_double_again(game: Game[Any, Any]) -> None:
    rolling = after(game, at(game, "0:0:1:00:0:0:0:0:10"), "roll")
    assert game.to_act(rolling) == CHANCE
    rolled = game.apply(rolling, Roll(3, 1))
    assert rolled.fields.doubling is Doubling.FREE
    assert list(game.legal(after(game, rolled, MOVE[game.key]))) == [CubeAction.ROLL, CubeAction.DOUBLE]


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("0:0:1:00:0:0:0:0:10", None),
        ("1:1:1:00:0:0:0:0:10", None),
        ("1:-1:1:00:0:0:0:0:10", "cube.not_yours"),
        ("1:1:-1:00:0:0:0:0:10", "cube.not_yours"),
        ("0:0:1:00:0:0:0:0:0", "cube.highest"),
        ("10:1:1:00:0:0:0:0:10", "cube.highest"),
        ("30:1:1:00:0:0:0:0:99", "cube.highest"),
        ("0:0:1:00:0:0:1:0:10", None),  # Jacoby, not Crawford
        ("0:0:1:00:2:4:1:5:10", "cube.crawford"),
        ("0:0:-1:00:2:4:1:5:10", "cube.crawford"),
        ("0:0:1:00:2:4:0:5:10", None),  # after the Crawford game
        ("0:0:-1:00:2:4:0:5:10", "cube.dead"),
        ("1:1:1:00:3:0:0:5:10", "cube.dead"),
        ("1:1:1:00:2:0:0:5:10", None),
        ("0:0:1:00:0:0:0:1:10", "cube.dead"),
    ],
)
@both
def test_who_may_double(game: Game[Any, Any], given: str, key: str | None) -> None:
    state = at(game, given)
    if key is None:
        assert list(game.legal(state)) == [CubeAction.ROLL, CubeAction.DOUBLE]
        assert game.to_act(state) == state.turn
        assert game.automatic_action(state) is CubeAction.ROLL
        return
    assert game.to_act(state) == CHANCE
    assert game.automatic_action(state) is None
    for refuse in (lambda: game.apply(state, CubeAction.DOUBLE), lambda: game.parse(state, "double")):
        with pytest.raises(IllegalMove) as refused:
            refuse()
        assert refused.value.key == key


@pytest.mark.parametrize(
    ("given", "text", "key"),
    [
        ("0:0:1:00:0:0:0:0:10", "take", "cube.no_offer"),
        ("0:0:1:00:0:0:0:0:10", "pass", "cube.no_offer"),
        ("0:0:1:00:0:0:0:0:10", "31", "cube.roll_first"),
        ("0:0:1:00:0:0:0:0:10", "8/5 6/5", "cube.roll_first"),
        ("0:0:1:00:0:0:0:0:10", "what", "cube.unreadable"),
        ("0:0:1:D:0:0:0:0:10", "roll", "cube.answer_first"),
        ("0:0:1:D:0:0:0:0:10", "double", "cube.answer_first"),
        ("0:0:1:D:0:0:0:0:10", "31", "cube.answer_first"),
        ("0:0:1:D:0:0:0:0:10", "8/5 6/5", "cube.answer_first"),
        ("0:0:1:D:0:0:0:0:10", "", "cube.unreadable"),
        ("0:0:1:31:0:0:0:0:10", "double", "cube.after_roll"),
        ("0:0:1:31:0:0:0:0:10", "roll", "cube.rolled"),
        ("0:0:1:31:0:0:0:0:10", "take", "cube.no_offer"),
    ],
)
@both
def test_what_may_not_be_said_is_refused_by_its_rule(game: Game[Any, Any], given: str, text: str, key: str) -> None:
    with pytest.raises((IllegalMove, BadNotation)) as refused:
        game.parse(at(game, given), text)
    assert refused.value.key == key


@both
def test_steps_are_refused_as_texts_are(game: Game[Any, Any]) -> None:
    deciding, doubled = at(game, "0:0:1:00:0:0:0:0:10"), at(game, "0:0:1:D:0:0:0:0:10")
    rolling = after(game, deciding, "roll")
    move = game.legal(at(game, "0:0:1:31:0:0:0:0:10"))[0]
    for state, step, key in (
        (deciding, Roll(3, 1), "cube.roll_first"),
        (deciding, move, "cube.roll_first"),
        (doubled, Roll(3, 1), "cube.answer_first"),
        (doubled, move, "cube.answer_first"),
        (rolling, CubeAction.DOUBLE, "cube.after_roll"),
        (rolling, CubeAction.ROLL, "cube.falls"),
        (rolling, CubeAction.PASS, "cube.no_offer"),
    ):
        with pytest.raises(IllegalMove) as refused:
            game.apply(state, step)
        assert refused.value.key == key


@pytest.mark.parametrize(
    ("given", "points"),
    [
        ("0:0:1:66:0:0:1:0:10", 1),  # Jacoby: the cube has not been turned
        ("0:0:1:66:0:0:0:0:10", 3),
        ("1:-1:1:66:0:0:1:0:10", 6),
        ("2:1:1:66:0:0:0:0:10", 12),
    ],
)
def test_a_backgammon_counts_by_the_cube_and_jacoby(given: str, points: int) -> None:
    game = GAMES["backgammon"]
    won = after(game, game.decode(f"XGID=-Aa-----------------dee---:{given}", CUBED), "1/off")
    outcome = game.outcome(won)
    assert outcome is not None
    assert outcome.points == (points, -points)


@pytest.mark.parametrize(("jacoby", "flag"), [("on", "1"), ("off", "0")])
@both
def test_jacoby_is_an_option_of_the_cube(game: Game[Any, Any], jacoby: str, flag: str) -> None:
    start = game.start(game.settle_options({"cube": "on", "jacoby": jacoby}))
    assert start.fields.rules == flag
    assert game.start(game.settle_options({"jacoby": jacoby})).fields.rules == "0"


# --- beavers ---------------------------------------------------------------------------------------------------------

BEAVERS = {"cube": "on", "beavers": "on"}


@pytest.mark.parametrize(
    ("options", "flag"),
    [
        ({"cube": "on"}, "1"),
        ({"cube": "on", "jacoby": "off"}, "0"),
        (BEAVERS, "3"),
        (BEAVERS | {"jacoby": "off"}, "2"),
        (BEAVERS | {"cube": "off"}, "0"),
        (BEAVERS | {"points": 5}, "0"),
        (BEAVERS | {"points": 5, "score0": 4, "crawford": "on"}, "1"),
    ],
)
@both
def test_the_rules_field_says_whether_there_are_beavers(game: Game[Any, Any], options: Any, flag: str) -> None:
    assert game.start(game.settle_options(options)).fields.rules == flag


@both
def test_a_beaver_redoubles_at_once_and_keeps_the_cube(game: Game[Any, Any]) -> None:
    for flag in ("2", "3"):
        doubled = after(game, at(game, f"0:0:1:00:0:0:{flag}:0:10"), "double")
        assert list(game.legal(doubled)) == [CubeAction.TAKE, CubeAction.PASS, CubeAction.BEAVER]
        assert fields(game, doubled) == f"0:0:1:D:0:0:{flag}:0:10"
        assert list(game.legal(game.decode(game.encode(doubled)))) == list(game.legal(doubled))
        (note,) = game.notes(doubled, CubeAction.BEAVER)
        assert (note.key, dict(note.params)) == ("cube.does.beavers", {"value": 4})
        beavered = after(game, doubled, "Beaver!")
        assert game.to_act(beavered) == CHANCE  # the doubler just rolls: it can neither pass nor redouble
        assert fields(game, beavered) == f"2:-1:1:00:0:0:{flag}:0:10"
        with pytest.raises(IllegalMove, match=r"cube\.not_yours|cube\.after_roll"):
            game.apply(beavered, CubeAction.DOUBLE)
        rolled = after(game, game.apply(beavered, Roll(3, 1)), MOVE[game.key])
        assert list(game.legal(rolled)) == [CubeAction.ROLL, CubeAction.DOUBLE]
        assert fields(game, after(game, rolled, "double", "take")) == f"3:1:-1:00:0:0:{flag}:0:10"


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ("0:0:1:D:0:0:0:0:10", "cube.no_beavers"),
        ("0:0:1:D:0:0:1:0:10", "cube.no_beavers"),
        ("0:0:1:D:0:0:3:5:10", "cube.no_beavers"),  # a match
        ("0:0:1:D:0:0:2:0:1", "cube.highest"),
        ("9:1:1:D:0:0:2:0:10", "cube.highest"),
        ("0:0:1:00:0:0:2:0:10", "cube.no_offer"),
        ("0:0:1:31:0:0:2:0:10", "cube.no_offer"),
    ],
)
@both
def test_where_a_beaver_is_not_allowed(game: Game[Any, Any], given: str, key: str) -> None:
    state = at(game, given)
    assert CubeAction.BEAVER not in game.legal(state)
    for refuse in (lambda: game.apply(state, CubeAction.BEAVER), lambda: game.parse(state, "beaver")):
        with pytest.raises(IllegalMove) as refused:
            refuse()
        assert refused.value.key == key


def test_gnu_backgammons_ids_do_not_hold_beavers() -> None:
    game = backgammon.GAME
    for flag, kept in (("2", "0"), ("3", "1")):
        state = game.decode(f"{BOARDS['backgammon']}:0:0:1:00:0:0:{flag}:0:10")
        assert fields(game, game.decode(gnubg.write(state))) == f"0:0:1:00:0:0:{kept}:0:10"


# --- resignations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "own", "other"),
    [
        ("0:0:1:00:0:0:1:0:10", (1,), (1,)),  # Jacoby
        ("0:0:1:00:0:0:0:0:10", (1, 2, 3), (1, 2, 3)),
        ("1:1:1:00:0:0:1:0:10", (2, 4, 6), (2, 4, 6)),
        ("0:0:1:00:2:4:1:5:10", (1, 2, 3), (1, 2, 3)),  # Crawford, not Jacoby: gammons count in a match
        ("2:-1:1:00:0:0:0:7:10", (4, 8, 12), (4, 8, 12)),
        # a double is open: the one may pass, the other's may be taken, which also ends Jacoby's rule
        ("0:0:1:D:0:0:1:0:10", (2, 4, 6), (1,)),
        ("1:1:1:D:0:0:0:7:10", (4, 8, 12), (2,)),
        ("0:0:1:D:0:0:3:0:10", (2, 4, 6, 8, 12), (1,)),
    ],
)
@both
def test_what_a_resignation_costs(
    game: Game[Any, Any], given: str, own: tuple[int, ...], other: tuple[int, ...]
) -> None:
    state = at(game, given)
    assert (game.resign_values(state, 0), game.resign_values(state, 1)) == (own, other)


@both
def test_only_the_most_that_can_be_lost_is_resigned_at_once(game: Game[Any, Any]) -> None:
    options = (("cube", "on"), ("points", 5), ("score0", 1))
    table = Table.open(game, Header(game.key, game.version, "resign", 0, options)).settle(0, lambda _: "31")
    assert table.resign(1, 3, 1).outcome is not None
    for points in (1, 2):
        asked = table.resign(1, points, 1)
        assert asked.outcome is None
        assert asked.answer(0, 2, accept=False).outcome is None
        accepted = asked.answer(0, 2, accept=True).outcome
        assert accepted is not None
        assert accepted.points == (points, -points)
    for kind, body in ((Kind.RESIGN, "1"), (Kind.RESIGN, "4"), (Kind.OFFER, "resign 3"), (Kind.OFFER, "resign 4")):
        with pytest.raises(Refused, match=r"table\.bad_entry"):
            table.append(Entry(1, kind, 1, body))


# --- texts -----------------------------------------------------------------------------------------------------------


@both
def test_an_offered_double_is_in_the_text_whatever_the_options(game: Game[Any, Any]) -> None:
    text = f"{BOARDS[game.key]}:1:-1:-1:D:0:0:1:0:10"
    state = game.decode(text)
    assert state == game.decode(text, CUBED) == game.decode(text.replace(":D:", ":d:"))
    assert game.encode(state) == text
    assert game.to_act(state) == 0


def test_gnu_backgammons_ids_tell_of_an_offered_double() -> None:
    game = backgammon.GAME
    for text in ("0:0:1:D:0:0:1:0:10", "1:-1:-1:D:2:3:0:7:10", "0:0:1:00:0:0:1:0:10"):
        state = game.decode(f"{BOARDS['backgammon']}:{text}")
        assert game.decode(gnubg.write(state)) == state


@pytest.mark.parametrize(
    ("typed", "call"),
    [
        ("Roll", CubeAction.ROLL),
        (" roll dice ", CubeAction.ROLL),
        ("DOUBLE", CubeAction.DOUBLE),
        ("doubles", CubeAction.DOUBLE),
        ("redouble!", CubeAction.DOUBLE),
    ],
)
@both
def test_calls_are_read_leniently_and_written_canonically(game: Game[Any, Any], typed: str, call: CubeAction) -> None:
    state = at(game, "0:0:1:00:0:0:0:0:10")
    assert game.parse(state, typed) == (call,)
    assert game.format(state, (call,)) == game.path(state, call)[0] == str(call)
    assert game.marks(state, call) == ()


@both
def test_what_calls_do_is_said(game: Game[Any, Any]) -> None:
    deciding = at(game, "1:1:1:00:0:0:0:0:10")
    doubled = after(game, deciding, "double")
    rolls, doubles = (game.notes(deciding, call) for call in (CubeAction.ROLL, CubeAction.DOUBLE))
    takes, passes = (game.notes(doubled, call) for call in (CubeAction.TAKE, CubeAction.PASS))
    assert [(note.key, dict(note.params)) for (note,) in (rolls, doubles, takes, passes)] == [
        ("cube.does.rolls", {}),
        ("cube.does.doubles", {"value": 4, "n": 2}),
        ("cube.does.takes", {"value": 4}),
        ("cube.does.passes", {"n": 2}),
    ]


@both
@given(text=st.text(max_size=12))
def test_nonsense_before_a_roll_is_refused_not_misread(game: Game[Any, Any], text: str) -> None:
    for dice in ("00", "D"):
        state = at(game, f"0:0:1:{dice}:0:0:0:0:10")
        try:
            (call,) = game.parse(state, text)
        except RuleError as error:
            assert error.key in keys_in("engine.kits.cube")  # noqa: PT017  # an error is one of the two right answers
        else:
            assert call in game.legal(state)
