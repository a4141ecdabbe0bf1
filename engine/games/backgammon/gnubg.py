"""GNU Backgammon's Position ID and Match ID, joined by a colon as that program shows them.

Both are bit strings, first bit lowest, in base 64. The Position ID lists the checkers of the side that is **not** to
move and then of the side that is, a run of ones for each own point 1 to 24 and the bar, each ended by a zero. The Match
ID holds numbers of fixed width. White is the program's player 1, Black its player 0.
"""

import base64
import re
from itertools import accumulate
from typing import Final

from engine.core.errors import BadNotation
from engine.games.backgammon.board import BAR, CHECKERS, State, over, placed, sides, unpack
from engine.kits.dice import Roll
from engine.kits.scoring import jacoby
from engine.kits.xgid import NO_MATCH, Doubling, MatchFields, number_of

_TEXT: Final = re.compile(r"([A-Za-z0-9+/]{14})(?:={0,2}:([A-Za-z0-9+/]{12}))?", re.ASCII)
_POSITION_BYTES: Final = 10
_MATCH_BYTES: Final = 9

_WIDTHS: Final = {
    "cube": 4,  # exponent
    "owner": 2,
    "roller": 1,
    "crawford": 1,
    "stage": 3,
    "decider": 1,
    "doubled": 1,
    "resigned": 2,
    "die": 3,
    "other_die": 3,
    "length": 15,
    "black_score": 15,
    "white_score": 15,
    "no_jacoby": 1,
}
_SHIFTS: Final = dict(zip(_WIDTHS, accumulate(_WIDTHS.values(), initial=0), strict=False))
_CENTRED: Final = 3
_PLAYING: Final = 1
_OVER: Final = 2
_OWNERS: Final = {"1": 1, "-1": 0}
"""The cube's owner in XGID and the same in GNU Backgammon; other values mean that it is in the middle."""


def looks_like(text: str) -> bool:
    """Returns whether a text has the form of a Position ID, alone or with a Match ID."""
    return _TEXT.fullmatch(text.strip()) is not None


def position_id(state: State) -> str:
    """Writes the 14 characters of the Position ID: the checkers as the side to move sees them."""
    own, other = sides(state)
    bits = "".join("1" * count + "0" for side in (other, own) for count in unpack(side)[1 : BAR + 1])
    return _encode(int(bits[::-1], 2), _POSITION_BYTES)


def match_id(state: State) -> str:
    """Writes the 12 characters of the Match ID. It cannot hold beavers and the maximum cube."""
    fields = state.fields
    roller = 1 - state.turn
    doubled = int(fields.doubling is Doubling.OFFERED)
    roll = state.roll or (0, 0)
    length = _number(fields.length, "length")
    values = {
        "cube": min(int(fields.cube), 15),
        "owner": _OWNERS.get(fields.owner, _CENTRED),
        "roller": roller,
        "crawford": int(length > 0 and fields.rules == "1"),
        "stage": _OVER if over(state) else _PLAYING,
        "decider": 1 - roller if doubled else roller,
        "doubled": doubled,
        "die": roll[0],
        "other_die": roll[1],
        "length": length,
        "black_score": _number(fields.black_score, "black_score"),
        "white_score": _number(fields.white_score, "white_score"),
        "no_jacoby": int(length > 0 or not jacoby(_uncubed(fields))),
    }
    return _encode(sum(value << _SHIFTS[name] for name, value in values.items()), _MATCH_BYTES)


def write(state: State) -> str:
    """Writes ``Position ID:Match ID``."""
    return f"{position_id(state)}:{match_id(state)}"


def read(text: str, size: int = CHECKERS) -> State:
    """Reads the state of a Position ID, with its Match ID or as White's to roll. Raises BadNotation.

    An open offer to resign is dropped.
    """
    parts = _TEXT.fullmatch(text.strip())
    if parts is None:
        raise BadNotation("backgammon.gnubg_id", text=text.strip())
    counts = [len(run) for run in f"{_decode(parts[1]):080b}"[::-1].split("0")]
    if len(counts) <= 2 * BAR or any(counts[2 * BAR :]) or max(counts) > CHECKERS:
        raise BadNotation("backgammon.gnubg_id", text=text.strip())
    other, own = [0, *counts[:BAR]], [0, *counts[BAR : 2 * BAR]]
    if any(own[point] and other[25 - point] for point in range(1, BAR)):
        raise BadNotation("backgammon.gnubg_id", text=text.strip())
    if parts[2] is None:
        return placed(own, other, size, 0, None, NO_MATCH)
    key = _decode(parts[2])
    value = {name: key >> _SHIFTS[name] & (1 << width) - 1 for name, width in _WIDTHS.items()}
    dice = (value["die"], value["other_die"])
    if max(dice) > 6 or (0 in dice and any(dice)):
        raise BadNotation("backgammon.gnubg_id", text=text.strip())
    length = value["length"]
    fields = MatchFields(
        cube=str(value["cube"]),
        owner={1: "1", 0: "-1"}.get(value["owner"], "0"),
        white_score=str(value["white_score"]),
        black_score=str(value["black_score"]),
        rules=str(value["crawford"] if length else 1 - value["no_jacoby"]),
        length=str(length),
        doubling=Doubling.OFFERED if value["doubled"] else Doubling.OUT,
    )
    roll = Roll(max(dice), min(dice)) if any(dice) and not value["doubled"] else None
    if value["roller"] == 1:
        return placed(own, other, size, 0, roll, fields)
    return placed(other, own, size, 1, roll, fields)


def _uncubed(fields: MatchFields) -> MatchFields:
    """Returns the fields before the cube was turned. They matter for the Jacoby rule alone."""
    return MatchFields(rules=fields.rules, length=fields.length)


def _number(text: str, field: str) -> int:
    """Reads a field of the match as a number that fits its width."""
    return min(number_of(text), (1 << _WIDTHS[field]) - 1)


def _encode(bits: int, size: int) -> str:
    return base64.b64encode(bits.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _decode(text: str) -> int:
    return int.from_bytes(base64.b64decode(text + "=" * (-len(text) % 4)), "little")
