"""A game as one moving picture: every frame there, each as long as asked, within its capacity."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image, ImageChops

from engine.games.abalone import GAME
from render import registry
from render.canvas.encoding import film as films
from render.canvas.encoding.film import LADDER, PIECE, film
from render.view import View

COLOURS = ("#c02020", "#20a020", "#2020c0", "#a0a020", "#20a0a0")


def flat(number: int, width: int) -> Image.Image:
    return Image.new("RGB", (width, width // 2), COLOURS[number % len(COLOURS)])


def noise(number: int, width: int) -> Image.Image:
    """Returns a picture that no compression makes small."""
    return Image.frombytes("L", (width, width), Random(number).randbytes(width * width)).convert("RGB")


def frames_of(data: bytes) -> tuple[list[Image.Image], list[int]]:
    image = Image.open(BytesIO(data))
    assert image.format == "WEBP"
    shown, times = [], []
    for number in range(getattr(image, "n_frames", 1)):
        image.seek(number)
        shown.append(image.convert("RGB"))
        times.append(image.info["duration"])
    return shown, times


def test_every_frame_is_shown_as_it_is_painted_and_for_its_time() -> None:
    shown, times = frames_of(film(flat, [100, 200, 300]))
    assert times == [100, 200, 300]
    assert [image.size for image in shown] == [(LADDER[0].width, LADDER[0].width // 2)] * 3
    for number, image in enumerate(shown):
        assert ImageChops.difference(image, flat(number, LADDER[0].width)).getbbox() is None


def test_a_film_that_is_too_large_is_made_smaller() -> None:
    large = film(noise, [100, 100], capacity=10_000_000)
    assert Image.open(BytesIO(large)).width == LADDER[0].width
    for capacity in (len(large) - 1, len(large) // 2, len(large) // 6):
        small = film(noise, [100, 100], capacity=capacity)
        assert len(small) <= capacity
        assert Image.open(BytesIO(small)).width < LADDER[0].width


def test_where_nothing_helps_every_second_frame_goes_and_the_time_stays() -> None:
    def still(number: int, width: int) -> Image.Image:
        return noise(number, width) if number % 2 else flat(number, width)

    _, times = frames_of(film(still, [100, 200, 300, 400, 500], capacity=8_000))
    assert times == [300, 700, 500]


@pytest.mark.parametrize("count", range(1, 9))
def test_a_film_of_which_nothing_fits_ends_as_its_last_frame(count: int) -> None:
    painted: list[int] = []

    def paint(number: int, width: int) -> Image.Image:
        painted.append(number)
        return noise(number, width // 4)

    shown, _ = frames_of(film(paint, [100] * count, capacity=1))
    assert len(shown) == 1
    assert painted[-1] == count - 1
    firsts = [number for before, number in zip([-1, *painted], painted, strict=False) if number <= before]
    assert set(firsts) <= {0, count - 1}  # every try begins with the first, but that of the last alone


@pytest.mark.parametrize(("count", "kept"), [(3, [0, 2]), (4, [0, 2, 3]), (5, [0, 2, 4]), (6, [0, 2, 4, 5])])
def test_a_film_that_is_thinned_once_keeps_its_first_and_its_last_frame(count: int, kept: list[int]) -> None:
    def paint(number: int, width: int) -> Image.Image:
        return flat(number, width) if number in kept else noise(number, width)

    shown, times = frames_of(film(paint, [100] * (count - 1) + [3000], capacity=8_000))
    assert len(shown) == len(kept)
    assert (sum(times), times[-1]) == (100 * (count - 1) + 3000, 3000)
    for image, number in zip(shown, kept, strict=True):
        assert ImageChops.difference(image, flat(number, image.width)).getbbox() is None


def test_a_long_film_that_will_not_fit_is_found_out_by_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(films, "LADDER", [rung._replace(width=rung.width // 20) for rung in LADDER])
    painted: list[int] = []

    def paint(number: int, width: int) -> Image.Image:
        painted.append(width)
        return noise(number, width)

    frames = 6 * PIECE
    whole = len(film(paint, [10] * frames))
    assert painted.count(36) > frames
    painted.clear()
    assert len(film(paint, [10] * frames, capacity=whole // 2)) <= whole // 2
    assert PIECE <= painted.count(36) <= PIECE + 2


def test_one_frame_is_a_still_whatever_its_size() -> None:
    assert Image.open(BytesIO(film(noise, [900], capacity=10))).size == (LADDER[-1].width, LADDER[-1].width)


def test_no_frames_are_no_film() -> None:
    with pytest.raises(ValueError, match="frame"):
        registry.animation("abalone", [])


def test_a_game_plays_once_in_its_theme_and_the_last_position_stays() -> None:
    state, frames = GAME.start(GAME.settle_options({})), []
    for _ in range(4):
        step = GAME.legal(state)[0]
        last = GAME.marks(state, step)
        state = GAME.apply(state, step)
        frames.append((state, View(last=last, theme="slate")))
    data = registry.animation("abalone", frames, milliseconds=500, last=2000)
    shown, times = frames_of(data)
    assert times == [500, 500, 500, 2000]
    assert Image.open(BytesIO(data)).info["loop"] == 1
    assert len({image.tobytes() for image in shown}) == 4
    still = Image.open(BytesIO(registry.picture("abalone", *frames[-1]))).convert("RGB")
    difference = ImageChops.difference(shown[-1], still.resize(shown[-1].size, Image.Resampling.HAMMING))
    assert sum(difference.convert("L").histogram()[48:]) < 0.002 * shown[-1].width * shown[-1].height


def test_a_long_game_stays_within_a_megabyte() -> None:
    frames = list(registry.BOARDS["apb"].samples().values()) * 8
    data = registry.animation("apb", frames)
    assert len(data) < 1_000_000
    assert sum(frames_of(data)[1]) == 900 * (len(frames) - 1) + 3000
