"""A run of pictures as one moving picture: WebP, which every Discord client plays, small enough to be sent anywhere."""

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any, Final, NamedTuple

from PIL import Image

Painter = Callable[[int, int], Image.Image]
"""Paints the frame of a number in a width."""

ROOM: Final = 1_000_000
"""Bytes that a film may have."""


PIECE: Final = 20
"""Frames that stand for a long film."""


class Rung(NamedTuple):
    """One way to save a film; each is smaller than the one before."""

    width: int
    how: dict[str, Any]
    frames: int
    """More frames than this are not tried: it would be work in vain."""


_FLAT: Final = {"lossless": True, "quality": 20, "method": 1, "kmin": 1000, "kmax": 2000}
"""Every frame but the first holds only what differs from the one before."""
_BLURRED: Final = {"quality": 45, "method": 2, "kmin": 1000, "kmax": 2000}
LADDER: Final = (Rung(720, _FLAT, 200), Rung(540, _FLAT, 400), Rung(360, _FLAT, 1000), Rung(360, _BLURRED, 2000))


def film(paint: Painter, durations: Sequence[int], room: int = ROOM) -> bytes:
    """The film, played once, of as many frames as there are ``durations`` (milliseconds), in the best way that fits.

    Where nothing fits, every second frame is left out, and its time given to the one before; the first stays, and the
    last, which of two alone outlasts the other. Frames are painted one by one as they are needed, so that a long film
    takes no more memory than a short one. Raises ValueError without frames.
    """
    if not durations:
        raise ValueError("a film needs a frame")
    frames, made = list(range(len(durations))), b""
    while True:
        ends = [*frames[1:], len(durations)]
        times = [sum(durations[first:last]) for first, last in zip([0, *ends], ends, strict=False)]
        for rung in LADDER:
            if len(frames) <= rung.frames and not _vain(paint, frames, times, rung, room):
                made = _saved(paint, frames, times, rung)
                if len(made) <= room:
                    return made
        if len(frames) == 1:
            return made
        frames = [*frames[:-1:2], frames[-1]] if len(frames) > 2 else frames[-1:]


def _vain(paint: Painter, frames: Sequence[int], times: list[int], rung: Rung, room: int) -> bool:
    """Whether a piece out of the middle of a long film says that the whole would be too large."""
    if len(frames) < 4 * PIECE:
        return False
    middle = slice((len(frames) - PIECE) // 2, (len(frames) + PIECE) // 2)
    return len(_saved(paint, frames[middle], times[middle], rung)) * len(frames) / PIECE > 1.3 * room


def _saved(paint: Painter, frames: Sequence[int], times: list[int], rung: Rung) -> bytes:
    screen = paint(frames[0], rung.width).convert("RGB")

    def seek(number: int) -> None:
        screen.paste(paint(frames[number], rung.width))

    # the writer of animations asks an image of several frames for one after the other
    screen.n_frames = len(frames)  # type: ignore[attr-defined]
    screen.seek = seek  # type: ignore[method-assign, assignment]
    file = BytesIO()
    screen.save(file, "WEBP", save_all=True, duration=times, loop=1, **rung.how)
    return file.getvalue()
