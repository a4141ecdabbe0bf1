"""The material from which the generated parts of interactions are made."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from harness.analysis import MAT, XGID

RECORDS: Final = Path(__file__).parents[1] / "golden" / "records"
RESTS: Final = ("", "0", "1|2|3", "0~0~0", "cancel", "first", "page|1|", "o|||2|", "0.6.0|0", "play", "3d/move")
"""Ends of custom_ids."""
TYPED: Final = (
    "a1b2",
    "8/5 6/5",
    "e4-e5",
    "roll",
    "24/18",
    "3d",
    "10m+5s",
    "Madrid",
    "2027-02-01",
    "22-7",
    "1400-",
    "x",
)
FILES: Final = (
    MAT,
    XGID,
    "id,name\n123456789012345678,Ana\n<@223456789012345678>,Ben\n",
    *(path.read_text(encoding="utf-8") for path in sorted(RECORDS.glob("*.record"))[:4]),
)
"""The content of uploaded files."""
