"""Importing positions and files, and stepping through what opens."""

from __future__ import annotations

from typing import Any, Final

from bot.sandbox.state.attachments import Upload
from harness.bot import private
from harness.discord import Seat, buttons

Json = dict[str, Any]
XGID: Final = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10"
MAT: Final = """; [Player 1 "Ana"]
; [Player 2 "Ben_*"]

 3 point match

 Game 1
 Ana : 0                        Ben_* : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ana : 1                        Ben_* : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)                             Wins 2 points
"""


async def load(who: Seat, text: str | bytes, name: str = "game.mat") -> Json:
    """Imports a file; the message with the board, or with the refusal."""
    data = text.encode() if isinstance(text, str) else text
    await who.slash("abak import", file=Upload(name, data, "application/octet-stream"))
    return private(who)


async def open_position(who: Seat, position: str) -> Json:
    await who.slash("abak import", position=position)
    return private(who)


def step(who: Seat, message: Json, number: int) -> str:
    """Returns the custom_id of first (0), back (1), forward (2) or last (3) in the present message."""
    return str(list(buttons(who.fresh(message)).values())[number]["custom_id"])
