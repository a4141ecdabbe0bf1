"""The picture of a learning curve shows its points."""

from pathlib import Path

from PIL import Image

from training.curve import FAINT, HEIGHT, LINE, WIDTH, draw

RISING = [(10, 0.0, 0.0), (20, 0.3, 0.1), (30, 0.4, 0.1)]


def test_the_picture_shows_its_points(tmp_path: Path) -> None:
    for name, points in {"one": RISING, "same": RISING, "other": [*RISING[:2], (30, 0.1, 0.1)]}.items():
        draw(tmp_path / f"{name}.png", points, "points a game")
    one, same, other = ((tmp_path / f"{name}.png").read_bytes() for name in ("one", "same", "other"))
    assert one == same != other
    with Image.open(tmp_path / "one.png") as image:
        assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
        rows = {x: row for x in range(WIDTH) for row in range(HEIGHT) if image.getpixel((x, row)) == rgb(LINE)}
    ends = [rows[x] for x in (min(rows), (min(rows) + max(rows)) // 2, max(rows))]
    assert ends == sorted(ends, reverse=True)  # it rises
    assert ends[0] > ends[2]


def test_a_single_checkpoint_is_drawn(tmp_path: Path) -> None:
    draw(tmp_path / "curve.png", [(10, 0.0, 0.0)], "points a game")
    with Image.open(tmp_path / "curve.png") as image:
        colours = {colour for _, colour in image.getcolors(WIDTH * HEIGHT) or []}
    assert rgb(FAINT) in colours


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))
