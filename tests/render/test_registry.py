"""Pictures are PNGs of one width, the same every time, kept within bounds."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from io import BytesIO

import pytest
from harness.thinning import one_of
from PIL import Image, ImageChops

from engine.core.sized_cache import SizedCache
from engine.registry import GAMES
from render import palettes, registry
from render.canvas.cache_budgets import BUDGET
from render.canvas.pen import ink
from render.canvas.sheet import WIDTH
from render.registry import BOARDS, fresh, picture
from render.theme import THEMES, Theme
from render.view import View

SAMPLES = [(game, name) for game, board in BOARDS.items() for name in board.samples()]
UPLOAD = 100_000

NAMES = ["-".join(case) for case in SAMPLES]
samples = pytest.mark.parametrize(("game", "name"), SAMPLES, ids=NAMES)
a_sample = one_of(("game", "name"), SAMPLES, ids=NAMES)


def test_every_game_has_a_board() -> None:
    assert set(GAMES) <= set(BOARDS)


@samples
def test_pictures_are_small_pngs_of_one_width(game: str, name: str) -> None:
    data = picture(game, *BOARDS[game].samples()[name])
    image = Image.open(BytesIO(data))
    assert (image.format, image.mode, image.width) == ("PNG", "P", WIDTH)
    assert image.height <= WIDTH * 4 / 3
    assert len(data) < UPLOAD


def anew() -> None:
    """Empties the caches that pictures share."""
    for made in (registry._ground, registry._packed, registry._palette):
        made.cache_clear()


@a_sample
def test_pictures_are_the_same_every_time(game: str, name: str) -> None:
    state, view = BOARDS[game].samples()[name]
    before = fresh(game, state, view)
    anew()
    assert fresh(game, state, view) == before


def test_what_many_pictures_share_is_made_once_however_many_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    board = BOARDS["apb"]
    ground = board.ground

    def counted(theme: Theme, below: int) -> Image.Image:
        made.append(below)
        return ground(theme, below)

    monkeypatch.setattr(board, "ground", counted)
    anew()
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: fresh("apb", *board.samples()["start"]), range(4)))
    assert made == [0]
    anew()


@pytest.mark.parametrize("game", BOARDS)
def test_what_a_view_says_shows(game: str) -> None:
    state, middle = BOARDS[game].samples()["middle"]
    view, cell = replace(middle, last=(), names=("", ""), clocks=("", "")), middle.last[0].cell
    views = [
        view,
        replace(view, below=1),
        replace(view, last=middle.last),
        replace(view, chosen=middle.last),
        replace(view, targets=((cell, "A"),)),
        replace(view, targets=((cell, "B"),)),
        replace(view, names=("Ana", "Bea")),
        replace(view, clocks=("1:00", "")),
        *(replace(view, theme=theme) for theme in THEMES if theme != view.theme),
    ]
    assert len({fresh(game, state, each) for each in views}) == len(views)


def test_an_unknown_theme_looks_like_the_default_one() -> None:
    state, view = BOARDS["apb"].samples()["start"]
    assert fresh("apb", state, replace(view, theme="plaid")) == fresh("apb", state, view)


def test_an_unknown_game_has_no_picture() -> None:
    with pytest.raises(KeyError):
        picture("chess", None, View())


def test_pictures_can_be_made_on_several_threads() -> None:
    anew()
    asked = [(game, *BOARDS[game].samples()[name]) for game, name in SAMPLES[:6] * 2]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda one: fresh(*one), asked))
    assert made == [fresh(*one) for one in asked]


def test_the_same_question_is_answered_from_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    state, view = BOARDS["abalone"].samples()["start"]
    first = picture("abalone", state, view)
    monkeypatch.setattr(registry, "fresh", lambda *_, **__: b"made anew")
    assert picture("abalone", state, view) is first
    assert picture("abalone", state, replace(view, names=("never", "seen"))) == b"made anew"


def test_warming_makes_what_all_pictures_share(monkeypatch: pytest.MonkeyPatch) -> None:
    anew()
    monkeypatch.setattr(registry, "_cache", SizedCache[object, bytes](BUDGET["pictures"], len))
    registry.warm()
    made = registry._packed.cache_info().misses
    state, view = BOARDS["apb"].samples()["start"]
    picture("apb", state, replace(view, names=("Ana", "Bea")))
    assert registry._packed.cache_info().misses == made == 2 * len(BOARDS)


@pytest.mark.parametrize("game", BOARDS)
@one_of("theme", THEMES.values(), ids=THEMES.keys())
def test_a_packed_ground_is_the_empty_board(game: str, theme: Theme) -> None:
    for below in (0, 1):
        whole = BOARDS[game].ground(theme, below)
        found = registry._ground(game, theme, below)
        most = max(high for _, high in ImageChops.difference(found.convert("RGB"), whole).getextrema())
        assert most <= 32  # at the edges of shapes, of which the palette has not every shade
        assert len(registry._packed(game, theme, below)) * 50 < found.width * found.height


@pytest.mark.thorough
def test_the_palettes_on_file_are_those_that_the_script_finds() -> None:
    """If this fails, run ``python scripts/palettes.py``, and look at the pictures."""
    lines = [palettes.line(key, board, theme) for key, board in BOARDS.items() for theme in THEMES.values()]
    assert palettes.FILE.read_text(encoding="ascii").splitlines() == lines


def test_a_board_that_the_file_lacks_gets_a_palette_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    board, theme = BOARDS["abak"], THEMES["wood"]
    ready = palettes.palette("abak", board, theme)
    monkeypatch.setattr(palettes, "_ready", dict)
    assert palettes.palette("abak", board, theme).getpalette() == ready.getpalette()


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


@one_of("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("game", BOARDS)
def test_rows_begin_with_the_frame_in_the_colour_that_is_number_0(game: str, theme: Theme) -> None:
    state, view = BOARDS[game].samples()["start"]
    image = Image.open(BytesIO(fresh(game, state, replace(view, theme=theme.name))))
    assert (image.getpalette() or ())[:3] == list(ink(theme.frame)[:3])
    assert set(image.crop((0, 0, 1, image.height)).tobytes()) == {0}
