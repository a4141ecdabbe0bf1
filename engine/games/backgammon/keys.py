"""Every message key of backgammon and the names of its parameters, for the locales."""

from typing import Final

from engine.kits import cube, dice, scoring, xgid

KEYS: Final[dict[str, tuple[str, ...]]] = {
    # A position text.
    "backgammon.position": ("text",),
    "backgammon.position_bar": ("letter",),
    "backgammon.position_checkers": ("side", "found", "most"),
    "backgammon.position_length": ("found",),
    "backgammon.position_letter": ("letter",),
    "backgammon.position_over": (),
    "backgammon.gnubg_id": ("text",),
    # A turn's text.
    "backgammon.unreadable": ("text",),
    "backgammon.no_point": ("point",),
    "backgammon.ambiguous": ("text", "readings"),
    "backgammon.no_hit": ("point",),
    # A step that a rule forbids.
    "backgammon.over": (),
    "backgammon.roll_first": (),
    "backgammon.rolled_already": ("roll",),
    "backgammon.no_such_roll": ("roll",),
    "backgammon.may_not_pass": ("play",),
    "backgammon.wrong_way": ("step",),
    "backgammon.bar_first": ("cell",),
    "backgammon.bar_empty": (),
    "backgammon.no_checker": ("point",),
    "backgammon.no_die": ("step", "dice"),
    "backgammon.too_many_moves": ("roll",),
    "backgammon.blocked": ("point",),
    "backgammon.not_home": ("point",),
    "backgammon.higher_checker": ("point", "higher"),
    "backgammon.more_dice": ("dice", "play"),
    "backgammon.higher_die": ("die", "play"),
    # The effects of a step.
    "backgammon.does.hits": ("point",),
    "backgammon.does.enters": ("point",),
    "backgammon.does.makes_point": ("point",),
    "backgammon.does.bears_off": (),
    "backgammon.does.wins": (),
    "backgammon.does.passes": (),
    **dice.KEYS,
    **cube.KEYS,
    **xgid.KEYS,
    **scoring.KEYS,
}
