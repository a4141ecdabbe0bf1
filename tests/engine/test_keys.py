"""Message keys that are put together or looked up have what they name."""

from engine.games.abak.board import CLASSES
from engine.games.abak.keys import NAMES


def test_every_class_has_a_name() -> None:
    assert set(NAMES) == set(CLASSES)
