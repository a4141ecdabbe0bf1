"""The words for a picture say the whole position, in every language, and are short enough."""

import random
import re
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from bot.core.translations import CODES, language
from engine.core.search import walk
from engine.games import apb, backgammon
from engine.registry import GAMES
from render.registry import BOARDS, alt, text_lines
from render.view import View

SAMPLES = [(game, name) for game, board in BOARDS.items() for name in board.samples()]
ALT_LENGTH = 1024
"""Discord's limit."""
TEXT_LENGTH = 1500
"""Leaves room for the rest of a message."""

samples = pytest.mark.parametrize(("game", "name"), SAMPLES, ids=["-".join(case) for case in SAMPLES])


FULLEST = {
    "backgammon": f"XGID=c{'Aa' * 12}C:3:1:-1:66:0:0:0:0:10",
    "abak": "ABAKID=GS/gs/GS/gs/KS/ks/S/s/S/s/S/s/S/s/S/s/S/s/D/d/E/e/O/o:-:3:1:-1:66:0:0:0:0:10",
    "abalone": "bwbwb/wbwbwb/wbwbwbw/bwbwbwbw/2w6/8/7/6/4b b 5 5",
    "apb": "s1s1s1s1s/1s1s1s1p1/9/9/9/9/9/9/9/9/1S1S1S1P1/S1S1S1S1S b b11,d11,f11,a12,c12,e12,g12,i12",
}
"""Positions of which there is most to say, where no game at random comes to them."""


def states_of(game: str) -> list[Any]:
    """Returns the samples, a game at random, and the fullest board."""
    rules, luck = GAMES[game], random.Random(1)
    start = rules.start(rules.settle_options({}))
    played = walk(rules, start, lambda steps, weights: luck.choices(steps, weights)[0], limit=60)
    full = [rules.decode(FULLEST[game])] if game in FULLEST else []
    return [*full, *(state for state, _ in BOARDS[game].samples().values()), *(state for state, _ in played)]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", BOARDS)
def test_the_words_fit_even_for_the_fullest_board(game: str, code: str) -> None:
    say = language(code)
    for state in states_of(game):
        words = " ".join(say.note(note) for note in alt(game, state, View(below=1)))
        assert 0 < len(words) <= ALT_LENGTH


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", BOARDS)
def test_the_words_are_sentences(game: str, code: str) -> None:
    """Each begins after a stop and ends with one; no mark stands alone, and nothing is left unnamed."""
    say = language(code)
    board = BOARDS[game]
    lost = [("apb", "9/9/9/9/4P4/9/5p3/9/9/9/9/9 w -"), ("apb", "9/9/9/9/4P4/9/9/9/9/9/9/S8 w -")]
    states = [*board.samples().values(), *((state, View(below=1)) for state in states_of(game))]
    states += [(apb.GAME.decode(position), View()) for key, position in lost if key == game]
    for state, view in states:
        told = " ".join(say.note(note) for note in alt(game, state, view))
        assert SENTENCES.fullmatch(told), told


SENTENCES = re.compile(
    r"""(?: (?:^|\ ) \w                      # a sentence begins with a letter or a number,
        [^.;:,]*                             # goes on
        (?: [;:,] \  [^.;:,\ ] [^.;:,]* )*   # with something after each mark within
        (?<![\ -]) \. )+                     # and ends with its stop""",
    re.VERBOSE,
)


def words(game: str, name: str) -> str:
    say = language("en")
    return " ".join(say.note(note) for note in alt(game, *BOARDS[game].samples()[name]))


def test_the_words_say_the_whole_position() -> None:
    said = words("backgammon", "middle")
    assert "White, 141 pips to go: 1 on 24, 1 on 15, 3 on 13, 1 on 9, 3 on 8, 4 on 6, 2 on 3. Black" in said
    assert "On the bar: 1." in said
    assert said.endswith("Black to play. Dice: 5-2.")


def test_the_words_number_points_as_the_lower_seat_does() -> None:
    assert "24: even wounded, druid. 23: odd wounded, soldier. 13: 2 soldiers, guard, soldier." in words(
        "abak", "start"
    )
    state, view = BOARDS["backgammon"].samples()["start"]
    say = language("en")
    mirrored = " ".join(say.note(note) for note in alt("backgammon", state, replace(view, below=1)))
    assert "White, 167 pips to go: 5 on 19, 3 on 17, 5 on 12, 2 on 1. Black" in mirrored
    assert "Black, 167 pips to go: 2 on 24, 5 on 13, 3 on 8, 5 on 6." in mirrored


@pytest.mark.parametrize(("code", "words"), [("en", "White, 1 pip to go:"), ("es", "Blancas, 1 punto por recorrer:")])
def test_the_words_count_a_single_pip(code: str, words: str) -> None:
    state = backgammon.GAME.decode("XGID=-A----------------------b-:0:0:1:00:0:0:0:0:10")
    assert words in " ".join(language(code).note(note) for note in alt("backgammon", state, View()))


def test_the_words_name_prisoners_with_their_colour() -> None:
    said = words("abak", "draft")
    assert "Points with prisoners. 18: black soldier; white druid. 10: white soldier; black druid." in said
    assert "Still to play: 3." in said


@pytest.mark.parametrize("game", BOARDS)
def test_the_words_of_a_whole_drafted_turn_name_who_drafts_it(game: str) -> None:
    """The turn is not played before it is confirmed."""
    rules, say = GAMES[game], language("en")
    before = next(state for state in states_of(game) if rules.to_act(state) in {0, 1} and len(rules.legal(state)) > 1)
    after = before
    while after.turn == before.turn:
        after = rules.apply(after, rules.legal(after)[0])
    view = View(before=before)
    for said in (" ".join(say.note(note) for note in alt(game, after, view)), "\n".join(listened(game, after, view))):
        assert f"{rules.seats[before.turn].capitalize()} to play." in said
        assert "Nothing is left to play." in said


@pytest.mark.parametrize(
    ("game", "position", "mover"),
    [
        ("backgammon", f"XGID=-A{'-' * 22}b-:0:0:1:61:0:0:0:0:10", "White"),
        ("abalone", "5/6/7/8/6bbw/8/7/6/5 b 5 5", "Black"),
    ],
)
def test_a_draft_that_wins_does_not_say_that_the_game_is_over(game: str, position: str, mover: str) -> None:
    rules, say = GAMES[game], language("en")
    before = rules.decode(position)
    won = next(after for step in rules.legal(before) if rules.to_act(after := rules.apply(before, step)) is None)
    assert f"{mover} to play." in " ".join(say.note(note) for note in alt(game, won, View(before=before)))
    assert f"{mover} to play." not in " ".join(say.note(note) for note in alt(game, won, View()))


def test_the_words_tell_ejected_marbles_and_steps() -> None:
    assert "has ejected 3 of 6" in words("abalone", "middle")
    assert "Already moved: f6." in words("apb", "draft")


def test_the_words_come_in_the_order_of_the_board() -> None:
    state, view = BOARDS["abak"].samples()["start"]
    numbers = [int(note.params["point"]) for note in alt("abak", state, view) if "point" in note.params]
    falls = [first > second for first, second in pairwise(numbers)]
    assert falls.count(False) == 1  # down White's points, then down Black's


# --- line by line -----------------------------------------------------------------------------------------------------


def listened(game: str, state: object, view: View, code: str = "en") -> list[str]:
    say = language(code)
    return [" ".join(say.note(note) for note in line) for line in text_lines(game, state, view)]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", BOARDS)
def test_the_lines_fit_even_for_the_fullest_board(game: str, code: str) -> None:
    for state in states_of(game):
        for below in (0, 1):
            assert 0 < len("\n".join(listened(game, state, View(below=below), code))) <= TEXT_LENGTH


def test_a_line_tells_one_point_from_the_highest_down() -> None:
    lines = listened("backgammon", *BOARDS["backgammon"].samples()["middle"])
    assert lines[1:5] == ["24: 1 white", "20: 2 black", "19: 4 black", "17: 3 black"]
    assert lines[-3:] == ["Bar: 1 black", "Pips: White 141, Black 159.", "Black to play. Dice: 5-2."]
    lines = listened("abak", *BOARDS["abak"].samples()["draft"])
    assert "18: black soldier; white druid." in lines
    assert "13: white 2 soldiers, guard." in lines


def test_a_line_tells_one_row_as_it_is_seen() -> None:
    state, view = BOARDS["abalone"].samples()["middle"]
    assert "h: white 4, 5; black 6, 7; white 8, 9;" in listened("abalone", state, view)
    assert "h: white 9, 8; black 7, 6; white 5, 4;" in listened("abalone", state, replace(view, below=1))
    lines = listened("apb", *BOARDS["apb"].samples()["draft"])
    assert lines[1] == "11: black d, e, f;"
    assert "3: white d; white principal e; white f;" in lines
    assert not any(line.startswith("12:") for line in lines)
