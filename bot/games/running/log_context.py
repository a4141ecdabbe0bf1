"""The game of the log's lines: its id, and the number of its entries as ``seq``."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

import structlog

from bot.core.metrics.interactions import is_answering

_is_about_game: Final[ContextVar[bool]] = ContextVar("is_about_game", default=False)


@contextmanager
def about_game(game_id: str, seq: int | None = None) -> Iterator[None]:
    """Adds the game to every line that the block logs. ``seq`` is None until the game is read."""
    token = _is_about_game.set(True)
    try:
        with structlog.contextvars.bound_contextvars(game=game_id, seq=seq):
            yield
    finally:
        _is_about_game.reset(token)


def note_game(game_id: str, seq: int | None) -> None:
    """Notes the game that was just read, in a block of ``about_game`` or in the answer to an interaction.

    Elsewhere it does nothing, as a worker's loop goes on to other games.
    """
    if _is_about_game.get() or is_answering():
        structlog.contextvars.bind_contextvars(game=game_id, seq=seq)
