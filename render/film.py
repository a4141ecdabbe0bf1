"""A game as one moving picture: a frame for each position, small enough to be posted."""

import io
from collections.abc import Hashable, Sequence
from typing import Final

from PIL import Image

from render.registry import picture
from render.view import View

WIDTHS: Final = (540, 432, 360)
"""Tried one after the other until the film is small enough; at 540 a phone shows every second pixel of a board."""
MOST_BYTES: Final = 1_000_000


def film(game_key: str, frames: Sequence[tuple[Hashable, View]], *, milliseconds: int = 900, last: int = 3000) -> bytes:
    """An animated WebP under 1 MB; each position stands for ``milliseconds``, the last one for ``last``.

    Some seconds of work for a long game: not for an event loop.
    """
    boards = [Image.open(io.BytesIO(picture(game_key, state, view))).convert("RGB") for state, view in frames]
    stands = [milliseconds] * (len(boards) - 1) + [last]
    made = b""
    for width in WIDTHS:
        sized = [board.resize((width, board.height * width // board.width), Image.Resampling.BOX) for board in boards]
        for options in ({"lossless": True, "method": 2}, {"quality": 70, "method": 2}):
            buffer = io.BytesIO()
            first, *rest = sized
            first.save(buffer, "WEBP", save_all=True, append_images=rest, duration=stands, loop=0, **options)
            made = buffer.getvalue()
            if len(made) < MOST_BYTES:
                return made
    return made
