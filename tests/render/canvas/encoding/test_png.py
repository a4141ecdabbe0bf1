"""A file has the picture to the last pixel, whoever reads it."""

from io import BytesIO
from random import Random

import pytest
from PIL import Image

from render.canvas.encoding.png import decoded, encoded


def noise(size: tuple[int, int], colours: int) -> Image.Image:
    luck = Random(sum(size))
    picture = Image.new("P", size)
    picture.putdata([luck.randrange(colours) for _ in range(size[0] * size[1])])
    picture.putpalette([luck.randrange(256) for _ in range(3 * colours)])
    return picture


@pytest.mark.parametrize(("size", "colours"), [((1, 1), 1), ((7, 1), 2), ((1, 9), 3), ((300, 40), 256)])
def test_a_picture_comes_back(size: tuple[int, int], colours: int) -> None:
    picture = noise(size, colours)
    file = encoded(picture)
    read = Image.open(BytesIO(file))
    read.verify()  # the checksums
    for found in (decoded(file), Image.open(BytesIO(file))):
        assert (found.format, found.mode, found.size) == ("PNG", "P", size)
        assert found.getpalette() == picture.getpalette()
        assert found.tobytes() == picture.tobytes()


def test_a_flat_picture_takes_few_bytes() -> None:
    assert len(encoded(noise((1080, 1000), 1))) < 1080 * 1000 / 300
