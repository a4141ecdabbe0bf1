"""Animations, as WebP: every Discord client plays it, and it is small enough to send on every server."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, Final, NamedTuple

from PIL import Image

Painter = Callable[[int, int], Image.Image]
"""A function that paints a frame, given its number and its width in pixels."""

CAPACITY: Final = 1_000_000
"""The most bytes that an animation may have."""


PIECE: Final = 20
"""The number of frames in the sample that estimates the size of a long animation."""


class Rung(NamedTuple):
    """A way to save an animation. Each rung of LADDER gives a smaller file than the one before."""

    width: int
    how: dict[str, Any]
    frames: int
    """The most frames to try this rung with; more would never fit."""


_FLAT: Final = {"lossless": True, "quality": 20, "method": 1, "kmin": 1000, "kmax": 2000}
"""Settings by which each frame after the first holds only the difference to the frame before."""
_BLURRED: Final = {"quality": 45, "method": 2, "kmin": 1000, "kmax": 2000}
LADDER: Final = (Rung(720, _FLAT, 200), Rung(540, _FLAT, 400), Rung(360, _FLAT, 1000), Rung(360, _BLURRED, 2000))


def film(paint: Painter, durations: Sequence[int], capacity: int = CAPACITY) -> bytes:
    """Encodes an animation, played once, at the first rung of LADDER that fits into ``capacity`` bytes.

    It has a frame for each of ``durations`` (milliseconds). If no rung fits, every second frame is left out, and the
    frame before it is shown longer; the first and the last frame stay. If even these two do not fit, only the last
    stays. Frames are painted one by one when they are needed, so that a long animation takes no more memory than a
    short one. Raises ValueError without frames.
    """
    if not durations:
        raise ValueError("a film needs a frame")
    frames, made = list(range(len(durations))), b""
    while True:
        ends = [*frames[1:], len(durations)]
        times = [sum(durations[first:last]) for first, last in zip([0, *ends], ends, strict=False)]
        for rung in LADDER:
            if len(frames) <= rung.frames and not _vain(paint, frames, times, rung, capacity):
                made = _saved(paint, frames, times, rung)
                if len(made) <= capacity:
                    return made
        if len(frames) == 1:
            return made
        frames = [*frames[:-1:2], frames[-1]] if len(frames) > 2 else frames[-1:]


def _vain(paint: Painter, frames: Sequence[int], times: list[int], rung: Rung, capacity: int) -> bool:
    """Returns whether a sample from the middle of a long animation shows that the whole would be too large."""
    if len(frames) < 4 * PIECE:
        return False
    middle = slice((len(frames) - PIECE) // 2, (len(frames) + PIECE) // 2)
    return len(_saved(paint, frames[middle], times[middle], rung)) * len(frames) / PIECE > 1.3 * capacity


def _saved(paint: Painter, frames: Sequence[int], times: list[int], rung: Rung) -> bytes:
    screen = paint(frames[0], rung.width).convert("RGB")

    def seek(number: int) -> None:
        screen.paste(paint(frames[number], rung.width))

    # Pillow's WebP writer seeks the frames of one image in order, so each can be painted when it is needed
    screen.n_frames = len(frames)  # type: ignore[attr-defined]
    screen.seek = seek  # type: ignore[method-assign, assignment]
    file = BytesIO()
    screen.save(file, "WEBP", save_all=True, duration=times, loop=1, **rung.how)
    return file.getvalue()
