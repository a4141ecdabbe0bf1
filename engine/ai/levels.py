"""The levels of machine players: numbers, the same in every game, from the weakest to the strongest.

A player may fill only the lower ones (``Player.temperatures``); a higher level then plays like its highest.
"""

from typing import Final

LEVELS: Final = range(1, 9)
DEFAULT: Final = 3
