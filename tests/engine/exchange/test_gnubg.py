"""GNU Backgammon reads what we write, and we read what it writes: the same plays, positions and scores."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.gnubg import IDS, NEEDS_GNUBG, PLAYS, import_all, run
from harness.matches import NAMES, random_game, random_match
from harness.thinning import in_number, one_of

from engine import exchange
from engine.exchange import Games
from engine.exchange.decisions import replayed_game
from engine.games.backgammon import GAME, State, gnubg
from engine.kits.cube import OFF, ON, CubeAction
from engine.kits.xgid import Doubling
from engine.match.record import MatchRecord

if TYPE_CHECKING:
    from engine.core.game import OptionValue

pytestmark = NEEDS_GNUBG

SEATS = ("X", "O")
"""The left column, our first seat, is X to GNU Backgammon's Python."""


def told_of(content: MatchRecord | Games) -> list[tuple[list[tuple[Any, ...]], tuple[Any, ...]]]:
    """Returns each game's actions with the positions before them, its score before it, and its end."""
    score = [0, 0]
    games = []
    for record in content.games:
        replayed = replayed_game(record)
        actions: list[tuple[Any, ...]] = []
        for turn in replayed.decisions:
            step = turn.steps[0]
            where = gnubg.position_id(turn.before)
            if step is CubeAction.DOUBLE:
                actions.append(("double", turn.entry.seat, where, None))
            elif step is CubeAction.BEAVER:  # a second double, which the first doubler takes by playing on
                actions += [("double", turn.entry.seat, where, None), ("take", 1 - turn.entry.seat, None, None)]
            elif step in {CubeAction.TAKE, CubeAction.PASS}:
                actions.append(("take" if step is CubeAction.TAKE else "drop", turn.entry.seat, None, None))
            elif step is not CubeAction.ROLL:
                actions.append(("move", turn.entry.seat, where, turn.roll))
        outcome = replayed.table.outcome
        winner = None if outcome is None else outcome.winner
        points = 0 if outcome is None or winner is None else outcome.points[winner]
        games.append((actions, (*score, winner, points)))
        if winner is not None:
            score[winner] += points
    return games


def judged(match: dict[str, Any]) -> list[tuple[list[tuple[Any, ...]], tuple[Any, ...]]]:
    """Returns the same of a match in GNU Backgammon's account."""
    games = []
    for game in match["games"]:
        actions = []
        for each in game["game"]:
            what = each["action"]
            if what in {"resign", "set"}:
                continue
            roll = "".join(str(die) for die in sorted(each["dice"], reverse=True)) if "dice" in each else None
            actions.append((what, SEATS.index(each["player"]), each.get("board"), roll))
        info = game["info"]
        winner = SEATS.index(info["winner"]) if info.get("winner") else None
        games.append((actions, (info["score-X"], info["score-O"], winner, info.get("points-won", 0))))
    return games


@in_number("count", 10, 200)
def test_matches_are_imported_with_the_same_positions_and_scores(tmp_path: Path, count: int) -> None:
    rng = random.Random(20)
    contents: list[MatchRecord | Games] = []
    for number in range(count):
        length = number % 10
        if length:
            contents.append(random_match(rng, length))
        else:
            contents.append(Games((random_game("backgammon", rng, {"cube": ON}),), NAMES))
    told, complaints = import_all(tmp_path, [exchange.write(each, "mat") for each in contents])
    assert complaints == ""
    assert len(told) == count
    for ours, theirs in zip(contents, told, strict=True):
        assert judged(theirs) == told_of(ours)
    assert {len(each.games) > 1 for each in contents} == {True, False}


@one_of(
    ("options", "jacoby"),
    [
        ({"cube": ON, "layout": "nack"}, "on"),
        ({"cube": ON, "layout": "hyper"}, "on"),
        ({"cube": OFF}, "off"),
        ({"cube": ON, "jacoby": OFF}, "off"),
        ({"cube": ON, "beavers": ON}, "on"),
    ],
)
def test_other_layouts_and_play_without_jacoby_are_imported_too(
    tmp_path: Path, options: dict[str, OptionValue], jacoby: str
) -> None:
    rng = random.Random(4)
    games = [Games((random_game("backgammon", rng, options),), NAMES) for _ in range(8)]
    told, complaints = import_all(tmp_path, [exchange.write(each, "mat") for each in games], jacoby=jacoby)
    assert complaints == ""
    assert [judged(each) for each in told] == [told_of(each) for each in games]


def test_matches_that_it_played_and_exported_are_read_with_the_same_positions_and_scores(tmp_path: Path) -> None:
    wanted = [(str(tmp_path / f"played{number}.mat"), length) for number, length in enumerate((1, 3, 5, 0))]
    told, _ = run(tmp_path, PLAYS, matches=wanted)
    for (name, length), match in zip(wanted, told, strict=True):
        text = Path(name).read_text(encoding="utf-8")
        ours = exchange.read(text)
        assert isinstance(ours, MatchRecord if length else Games)
        assert told_of(ours) == judged(match), text
    assert any(len(match["games"]) > 2 for match in told)
    assert any(turn["action"] == "double" for match in told for game in match["games"] for turn in game["game"])


def test_the_ids_that_we_write_are_read_as_the_same_position(tmp_path: Path) -> None:
    """Checkers, dice, cube, score and turn, of a GNUBG id and of an XGID."""
    rng = random.Random(9)
    states = []
    for length in (0, 3, 5):
        content = random_match(rng, length) if length else random_game("backgammon", rng, {"cube": ON})
        for record in content.games if isinstance(content, MatchRecord) else [content]:
            states += [turn.before for turn in replayed_game(record).decisions]
    states = rng.sample(states, min(len(states), 150))
    commands = [f"set gnubgid {gnubg.write(state)}" for state in states]
    commands += [f"set xgid {GAME.encode(state)}" for state in states]
    told, complaints = run(tmp_path, IDS, commands=commands)
    due = [_undoubled(state) for state in states]
    due += [each if each.turn == 0 else _swapped(each) for each in due]  # an XGID's side to move is always its X
    assert [_plain(each) for each in told] == [_plain(gnubg.write(state)) for state in due], complaints
    assert len(states) > 100
    assert any(state.fields.doubling is Doubling.OFFERED for state in states)


def _plain(text: str) -> str:
    """Returns the position of a GNUBG id in our text."""
    return GAME.encode(gnubg.read(text))


def _undoubled(state: State) -> State:
    """Returns the position before the double: the program's commands step back from an offered one."""
    offered = state.fields.doubling is Doubling.OFFERED
    return state._replace(fields=replace(state.fields, doubling=Doubling.FREE)) if offered else state


def _swapped(state: State) -> State:
    """Returns the state with the players' sides exchanged."""
    fields = state.fields
    owner = {"1": "-1", "-1": "1"}.get(fields.owner, fields.owner)
    fields = replace(fields, owner=owner, white_score=fields.black_score, black_score=fields.white_score)
    return state._replace(white=state.black, black=state.white, turn=1 - state.turn, fields=fields)
