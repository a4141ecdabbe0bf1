"""The levels of machine players: the same numbers in every game, from the weakest to the strongest.

A player may have fewer levels (``Player.temperatures``). Each level above its highest then plays like its highest.
"""

from typing import Final

LEVELS: Final = range(1, 9)
DEFAULT: Final = 3
