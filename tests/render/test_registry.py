"""Pictures are PNGs of one width, the same every time, kept within bounds; their words are whole and short enough."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from bot.i18n import CODES, language
from engine.core.errors import RuleError
from engine.core.game import Mark
from engine.games import abak, abalone, apb, backgammon
from engine.registry import GAMES
from render import registry
from render.canvas.pen import ink
from render.canvas.sheet import WIDTH
from render.registry import BOARDS, Kept, alt, fresh, picture
from render.theme import THEMES, Theme
from render.view import View

SAMPLES = [(game, name) for game, board in BOARDS.items() for name in board.samples()]
ALT_LENGTH = 1024
"""Discord's limit."""
UPLOAD = 100_000

samples = pytest.mark.parametrize(("game", "name"), SAMPLES, ids=["-".join(case) for case in SAMPLES])


def test_every_game_has_a_board() -> None:
    assert set(GAMES) <= set(BOARDS)


@samples
def test_pictures_are_small_pngs_of_one_width(game: str, name: str) -> None:
    data = picture(game, *BOARDS[game].samples()[name])
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
    assert image.height <= WIDTH
    assert len(data) < UPLOAD


@samples
def test_pictures_are_the_same_every_time(game: str, name: str) -> None:
    state, view = BOARDS[game].samples()[name]
    before = fresh(game, state, view)
    registry._ground.cache_clear()
    registry._palette.cache_clear()
    assert fresh(game, state, view) == before


@pytest.mark.parametrize("game", BOARDS)
def test_what_a_view_says_shows(game: str) -> None:
    state, view = BOARDS[game].samples()["start"]
    cell = "e5" if game in {"abalone", "apb"} else "9"
    mark = Mark("to", cell)
    views = [
        view,
        replace(view, below=1),
        replace(view, last=(mark,)),
        replace(view, chosen=(mark,)),
        replace(view, targets=((cell, "A"),)),
        replace(view, targets=((cell, "B"),)),
        replace(view, names=("Ana", "Bea")),
        replace(view, clocks=("1:00", "")),
        *(replace(view, theme=theme) for theme in THEMES if theme != view.theme),
    ]
    if game in {"abak", "backgammon"}:  # a mark on an empty point shows only where a stone has left it
        views[2:4] = [replace(view, last=(Mark("from", cell),)), replace(view, chosen=(Mark("from", cell),))]
    assert len({fresh(game, state, each) for each in views}) == len(views)


def test_an_unknown_theme_looks_like_the_default_one() -> None:
    state, view = BOARDS["apb"].samples()["start"]
    assert fresh("apb", state, replace(view, theme="plaid")) == fresh("apb", state, view)


def test_an_unknown_game_has_no_picture() -> None:
    with pytest.raises(KeyError):
        picture("chess", None, View())


def test_pictures_can_be_made_on_several_threads() -> None:
    for cache in (registry._ground, registry._palette):
        cache.cache_clear()
    asked = [(game, *BOARDS[game].samples()[name]) for game, name in SAMPLES[:6] * 2]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda one: fresh(*one), asked))
    assert made == [fresh(*one) for one in asked]


def test_the_same_question_is_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    state, view = BOARDS["abalone"].samples()["start"]
    first = picture("abalone", state, view)
    monkeypatch.setattr(registry, "fresh", lambda *_: b"made anew")
    assert picture("abalone", state, view) is first
    assert picture("abalone", state, replace(view, names=("never", "seen"))) == b"made anew"


def test_warming_makes_what_all_pictures_share() -> None:
    for cache in (registry._ground, registry._palette):
        cache.cache_clear()
    registry._kept = Kept(registry.KEPT_BYTES)
    registry.warm()
    made = registry._palette.cache_info().misses
    state, view = BOARDS["apb"].samples()["start"]
    picture("apb", state, replace(view, names=("Ana", "Bea")))
    assert registry._palette.cache_info().misses == made == len(BOARDS)


def test_what_is_kept_is_bounded_and_the_oldest_goes_first() -> None:
    kept = Kept(100)
    for key in "abc":
        kept.put(key, bytes(40))
    assert [kept.get(key) is not None for key in "abc"] == [False, True, True]
    kept.get("b")
    kept.put("d", bytes(40))
    assert [kept.get(key) is not None for key in "bcd"] == [True, False, True]
    kept.put("d", bytes(10))
    kept.put("e", bytes(40))
    assert len(kept) == 3
    kept.put("whole", bytes(101))
    assert len(kept) == 0


# --- words ------------------------------------------------------------------------------------------------------------

WORST = {
    "backgammon": (backgammon.GAME, f"XGID=c{'Aa' * 12}C:3:1:-1:66:0:0:0:0:10"),
    "abak": (
        abak.GAME,
        "ABAKID=GS/gs/GS/gs/KS/ks/S/s/S/s/S/s/S/s/S/s/S/s/D/d/E/e/O/o:-:3:1:-1:66:0:0:0:0:10",
    ),
    "abalone": (abalone.GAME, "bwbwb/wbwbwb/wbwbwbw/bwbwbwbw/2w6/8/7/6/4b b 5 5"),
    "apb": (apb.GAME, "s1s1s1s1s/1s1s1s1p1/9/9/9/9/9/9/9/9/1S1S1S1P1/S1S1S1S1S b b11,d11,f11,a12,c12,e12,g12,i12"),
}


@samples
def test_the_words_use_the_keys_that_are_declared(game: str, name: str) -> None:
    declared = import_module(f"render.games.{game}").KEYS
    for note in alt(game, *BOARDS[game].samples()[name]):
        assert set(note.params) == set(declared[note.key])


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("game", BOARDS)
def test_the_words_fit_even_for_the_fullest_board(game: str, code: str) -> None:
    say = language(code)
    rules, text = WORST[game]
    try:
        fullest = rules.decode(text)
    except RuleError as error:
        raise AssertionError(f"{game}: {error}") from error
    states = [fullest, *(state for state, _ in BOARDS[game].samples().values())]
    for state in states:
        words = " ".join(say.note(note) for note in alt(game, state, View(below=1)))
        assert 40 < len(words) <= ALT_LENGTH


def words(game: str, name: str) -> str:
    say = language("en")
    return " ".join(say.note(note) for note in alt(game, *BOARDS[game].samples()[name]))


def test_the_words_say_the_whole_position() -> None:
    said = words("backgammon", "middle")
    assert "24: 1, 15: 1, 13: 3, 9: 1, 8: 3, 6: 4, 3: 2; 141 pips" in said
    assert "On the bar: 1." in said
    assert said.endswith("Black to play. Dice: 5-2.")


def test_the_words_number_points_as_the_lower_seat_does() -> None:
    assert "24: even wounded druid · 23: odd wounded soldier · 13: 2 soldiers guard soldier" in words("abak", "start")
    state, view = BOARDS["backgammon"].samples()["start"]
    mirrored = [note.params for note in alt("backgammon", state, replace(view, below=1)) if "points" in note.params]
    assert [params["points"] for params in mirrored] == ["19: 5, 17: 3, 12: 5, 1: 2", "24: 2, 13: 5, 8: 3, 6: 5"]


def test_the_words_name_prisoners_with_their_colour() -> None:
    said = words("abak", "draft")
    assert "Prisoners · 18: black soldier white druid · 10: white soldier black druid" in said
    assert "Still to play: 3." in said


def test_the_words_tell_ejected_marbles_and_steps() -> None:
    assert "has pushed off 3 of 6" in words("abalone", "middle")
    assert "Already stepped: f6." in words("apb", "draft")


def test_the_words_come_in_the_order_of_the_board() -> None:
    state, view = BOARDS["abak"].samples()["start"]
    numbers = [int(note.params["point"]) for note in alt("abak", state, view) if "point" in note.params]
    falls = [first > second for first, second in pairwise(numbers)]
    assert falls.count(False) == 1  # down White's points, then down Black's


# --- colours ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("game", BOARDS)
def test_the_themes_own_colours_come_out_exactly(game: str, theme: Theme) -> None:
    palette = registry._palette(game, theme)
    held = list(palette.getpalette() or ())
    colours = {tuple(held[place : place + 3]) for place in range(0, len(held), 3)}
    own = {ink(colour)[:3] for colour in theme.colours(BOARDS[game].classes)}
    assert own <= colours
    shown = {
        colour: Image.new("RGB", (1, 1), colour).quantize(palette=palette).convert("RGB").getpixel((0, 0))
        for colour in own
    }
    assert shown == {colour: colour for colour in own}
