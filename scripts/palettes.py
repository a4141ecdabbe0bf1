"""Searches for the palettes of all boards and writes them: ``python scripts/palettes.py``.

Run it after a change of a board, of its samples, of a theme, or of the imaging library; a test fails when it is due.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from render import palettes
from render.registry import BOARDS
from render.theme import THEMES


def main() -> None:
    lines = [palettes.line(key, board, theme) for key, board in BOARDS.items() for theme in THEMES.values()]
    palettes.FILE.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
