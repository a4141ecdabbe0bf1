"""The deadline of a round: a warning a day before, then the rule that was announced.

| rule | what happens to a game that goes on at the deadline |
|---|---|
| extend | it gets the extension once; then the player on move forfeits |
| forfeit | the player on move forfeits |
| organiser | the organisers are told, and decide |

In a ladder the deadline is for the answer to a challenge: a player without a first turn by then forfeits.

A game that could not be opened in all that time is nobody's fault. The organisers decide it, under any rule.
"""

from dataclasses import dataclass, replace
from typing import Final

from bot.tournaments.schedule import WARNED_BEFORE
from bot.tournaments.service import Change
from bot.tournaments.tournament import LateRule, PairingState, StoredPairing, TournamentSnapshot
from engine.tournament.model import Format


@dataclass(frozen=True, slots=True)
class Due:
    """The due steps for the unfinished games of a tournament."""

    warnings: tuple[StoredPairing, ...] = ()
    extensions: tuple[StoredPairing, ...] = ()
    decisions: tuple[StoredPairing, ...] = ()
    """The games for the organisers to decide."""
    forfeits: tuple[StoredPairing, ...] = ()
    """The games whose player on move forfeits."""

    @property
    def changes(self) -> bool:
        return bool(self.warnings or self.extensions or self.decisions)


NOTHING: Final = Due()


def due(snapshot: TournamentSnapshot, now: int) -> Due:
    plan = snapshot.tournament.plan
    open_ones = [
        (stored, stored.deadline)
        for stored in snapshot.pairings
        if stored.deadline is not None
        and stored.displaced is None  # nobody can play, so the deadline moves
        and stored.state in {PairingState.WAITING, PairingState.RUNNING}
    ]
    overdue = [stored for stored, deadline in open_ones if now >= deadline]
    rule = LateRule.FORFEIT if plan.format is Format.LADDER else plan.late_rule
    extensions = [one for one in overdue if rule is LateRule.EXTEND and not one.extended]
    decisions = [
        one
        for one in overdue
        if one not in extensions and (rule is LateRule.ORGANISER or one.state is PairingState.WAITING)
    ]
    return Due(
        tuple(
            stored for stored, deadline in open_ones if not stored.warned and deadline - WARNED_BEFORE <= now < deadline
        ),
        tuple(extensions),
        tuple(decisions),
        tuple(one for one in overdue if one not in extensions and one not in decisions),
    )


async def apply(change: Change, found: Due) -> None:
    """Writes the due warnings, extensions and decisions. Forfeits, which end games, are left out."""
    plan = change.tournament.plan
    for stored in found.warnings:
        await change.set_pairing(replace(stored, warned=True))
    for stored in found.extensions:
        extended = replace(
            stored,
            deadline=(stored.deadline or change.now) + plan.extension,
            extended=True,
            warned=plan.extension <= WARNED_BEFORE,
        )
        await change.set_pairing(extended)
        await change.log("extended", pairing=stored.id)
    for stored in found.decisions:
        await change.set_pairing(replace(stored, state=PairingState.LATE))
        await change.log("late", pairing=stored.id)
