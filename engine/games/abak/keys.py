"""Every message key of Abak and the names of its parameters, for the locales.

Points have the mover's numbers; ``stone`` is the key of a class's name (in refusals of a position text its letter).
"""

from typing import Final

from engine.core.errors import Translated
from engine.games.abak.board import CLASSES
from engine.kits import cube, dice, scoring, xgid

NAMES: Final = {letter: f"abak.stone.{letter}" for letter in CLASSES}
"""The key of each class's name."""


def named(letter: str) -> str:
    """The message parameter for a class, given its letter in either colour."""
    return Translated(f"@{NAMES[letter.upper()]}") if letter.upper() in NAMES else letter


KEYS: Final[dict[str, tuple[str, ...]]] = {
    # A position text.
    "abak.position_columns": ("found",),
    "abak.position_column": ("column",),
    "abak.position_tall": ("column", "most"),
    "abak.position_bar": ("bar",),
    "abak.position_stones": ("stone", "most"),
    "abak.position_empty": (),
    # A turn's text.
    "abak.unreadable": ("text",),
    "abak.no_point": ("point",),
    "abak.ambiguous": ("text", "readings"),
    # A step that a rule forbids: the moment.
    "abak.over": (),
    "abak.roll_first": (),
    "abak.rolled_already": ("roll",),
    "abak.no_such_roll": ("roll",),
    "abak.may_not_pass": ("play",),
    "abak.too_many_moves": ("roll",),
    # The stone or the die.
    "abak.bar_first": ("cell",),
    "abak.bar_empty": (),
    "abak.not_on_bar": ("stone",),
    "abak.no_stone": ("point",),
    "abak.covered": ("point",),
    "abak.other_stone": ("point", "stone"),
    "abak.no_die": ("step", "dice"),
    "abak.more_dice": ("dice", "play"),
    "abak.higher_die": ("die", "play"),
    "abak.lower_die": ("die",),
    # The stone's class.
    "abak.only_general_back": ("stone",),
    "abak.general_past": (),
    "abak.general_went_forward": (),
    "abak.general_went_back": (),
    "abak.general_comrades_home": (),
    "abak.even_die": ("die",),
    "abak.odd_die": ("die",),
    # The landing.
    "abak.blocked": ("point",),
    "abak.guard_blocks": ("point",),
    "abak.five_stones": ("point",),
    # A pair capture.
    "abak.pair_no_guard": ("point",),
    "abak.pair_full": ("point",),
    "abak.pair_guard": ("point",),
    "abak.pair_druid": ("point",),
    "abak.pair_dice": ("point",),
    "abak.pair_points": ("first", "second"),
    # Bearing off.
    "abak.not_home": ("point",),
    "abak.prisoner_out": ("point",),
    "abak.higher_stone": ("point", "higher"),
    # The effects of a step.
    "abak.does.hits": ("stone", "point"),
    "abak.does.traps": ("stone", "point"),
    "abak.does.captures": ("point",),
    "abak.does.frees": ("stone", "point"),
    "abak.does.rescues": ("stone", "point"),
    "abak.does.secures": ("point",),
    "abak.does.retreats": ("point",),
    "abak.does.enters": ("stone", "point"),
    "abak.does.bears_off": ("stone",),
    "abak.does.wins": (),
    "abak.does.passes": (),
    **dict.fromkeys(NAMES.values(), ()),
    **dice.KEYS,
    **cube.KEYS,
    **xgid.KEYS,
    **scoring.KEYS,
}
