"""Every message key of APB and the names of its parameters, for the locales."""

from typing import Final

KEYS: Final[dict[str, tuple[str, ...]]] = {
    # Refused steps.
    "apb.already_stepped": ("cell",),
    "apb.must_make_room": ("play",),
    "apb.no_piece": ("cell",),
    "apb.not_in_line": ("cell", "to"),
    "apb.not_neighbour": ("cell", "to"),
    "apb.not_yours": ("cell",),
    "apb.occupied": ("cell",),
    "apb.off_board": ("step",),
    "apb.otherwise": ("text", "step"),
    "apb.over": (),
    "apb.principal_must_step": ("play",),
    "apb.runs_off": ("cell", "to", "step"),
    "apb.stops_elsewhere": ("cell", "to", "stop"),
    "apb.turn_ended": ("step",),
    # Texts that cannot be read.
    "apb.position_fields": ("text", "found"),
    "apb.position_letter": ("letter", "row"),
    "apb.position_pieces": ("letter", "found", "most"),
    "apb.position_principals": (),
    "apb.position_row": ("row", "line"),
    "apb.position_rows": ("found",),
    "apb.position_side": ("side",),
    "apb.position_stepped": ("cell",),
    "apb.unreadable": ("text",),
    # The effects of a step.
    "apb.does.falls": ("cell", "piece"),
    "apb.does.loses": (),
    "apb.does.pushes": ("cells",),
    "apb.does.stops": ("cell",),
    "apb.does.wins": (),
    # How a game ends.
    "apb.score": ("own", "other"),
    "apb.end.quiet": (),
    "apb.end.ran_off": (),
    "apb.end.sent_off": (),
}
