"""The sizes of the caches of pictures, in bytes."""

from typing import Final

from PIL import Image

BUDGET: Final = {
    "pictures": 1_000_000,  # finished PNGs: the same board for the next viewer
    "arrows": 1_000_000,
    "labels": 1_000_000,
}
"""The most bytes that each cache of pictures may take. Sprites are not among them, as they are few and small."""
BESIDES: Final = 2_000
"""The bytes of a cached thing besides its content: its key, and Python's objects around it."""


def size_of(image: Image.Image) -> int:
    """Counts the bytes of a picture's pixels. Pillow keeps those of several channels in four bytes."""
    return image.width * image.height * (1 if len(image.getbands()) == 1 else 4)
