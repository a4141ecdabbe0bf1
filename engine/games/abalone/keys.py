"""Every message key of Abalone and its parameters."""

from typing import Final

KEYS: Final[dict[str, tuple[str, ...]]] = {
    # a position text
    "abalone.fields": ("text", "found"),
    "abalone.rows": ("found",),
    "abalone.row": ("row", "text", "cells"),
    "abalone.side": ("text",),
    "abalone.ejected": ("text", "most"),
    "abalone.marbles": ("side", "found", "most"),
    "abalone.both_won": ("target",),
    # a move that cannot be read
    "abalone.unreadable": ("text",),
    "abalone.no_such_cell": ("cell",),
    # a move that a rule forbids
    "abalone.over": (),
    "abalone.no_marble": ("cell",),
    "abalone.not_yours": ("cell",),
    "abalone.not_neighbours": ("cell", "to"),
    "abalone.not_in_line": ("cell", "to"),
    "abalone.too_many": ("found", "most"),
    "abalone.lower_first": ("cell",),
    "abalone.named_by_rear": ("cell",),
    "abalone.own_out": ("cell",),
    "abalone.off_board": ("cell",),
    "abalone.own_in_way": ("cell",),
    "abalone.broadside_pushes": ("cell",),
    "abalone.pac": ("own", "other"),
    "abalone.outnumbered": ("own", "other"),
    "abalone.own_behind": ("cell",),
    # the effects of a move
    "abalone.does.pushes": ("own", "other"),
    "abalone.does.ejects": ("ejected", "target"),
    "abalone.does.wins": (),
    # why a game ended
    "abalone.score": ("own", "other"),
    "abalone.end.ejected": (),
    "abalone.end.stuck": (),
    "abalone.end.ply_limit": (),
    "abalone.end.ply_limit_even": (),
}
