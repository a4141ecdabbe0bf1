"""Tournaments: an organiser announces one after the other by the commands; whoever is in it joins and plays.

An arena and a ladder go on until the soak ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from harness.bot import wired
from harness.discord import is_ephemeral, text

from bot.sandbox.errors import Refused, Timeout
from soak.snapshots import EVERY

if TYPE_CHECKING:
    from soak.players import Player

Json = dict[str, Any]
LADDER: Final = "ladder"


@dataclass(frozen=True, slots=True)
class Kind:
    """A tournament from a template: in which game, and for how many. It cannot begin with fewer."""

    template: str
    game: str
    size: int = 6

    def __str__(self) -> str:
        return f"{self.template}, {self.game}"


KINDS: Final = (
    Kind("abalone_round_robin", "apb", 4),  # is over soon
    Kind("long_swiss", "abalone"),
    Kind("weekend_swiss", "apb"),
    Kind("abalone_round_robin", "abak"),
    Kind("backgammon_knockout", "backgammon"),
    Kind("apb_groups", "apb", 12),
    Kind("swiss_final", "abalone", 10),
    Kind("double_elimination", "abak"),
    Kind(LADDER, "backgammon"),
    Kind("arena", "abalone"),
)
"""Every format. A small soak plays the first ones only."""
BEGUN: Final = frozenset({"running", "over"})
STEP: Final = 0.5
PATIENT: Final = 90.0
"""Seconds that an organiser waits for the announcement, and for everybody to be in."""
CHALLENGES: Final = 4.0
"""Seconds between two challenges in a ladder."""


@dataclass
class Cup:
    """A channel with an organiser and the players of its tournaments."""

    organiser: Player
    people: list[Player]
    channel_id: int
    first: int
    rng: random.Random
    announced: int = 0
    started: list[Kind] = field(default_factory=list)
    """The tournaments that have begun."""
    ended: list[Kind] = field(default_factory=list)
    """Of those, the ones that have come to their end."""

    async def live(self) -> None:
        """Organises one tournament after the other, until it is cancelled: all those for which there are enough."""
        number = self.first
        while True:
            kind = KINDS[number % len(KINDS)]
            try:
                if kind.size > len(self.people) or await self._hold(kind, number):
                    number += 1
            except (Refused, Timeout):
                pass
            await asyncio.sleep(STEP)

    async def _hold(self, kind: Kind, number: int) -> bool:
        """Holds a tournament from its announcement to its end; False if it came to nothing."""
        name = f"Cup {self.channel_id % 1000}-{number}"
        given = {"template": kind.template, "game": kind.game, "name": name}
        known = set(self.organiser.snapshots.cups)
        made = await self.organiser.slash(self.channel_id, "tournament create", given)
        if made is None or made.message is None:
            return False
        panel = made.message
        for _ in range(4):
            verbs = {x["custom_id"].split(":")[1]: x["custom_id"] for x in wired(panel)}
            following = next((verbs[one] for one in ("plan_announce", "plan_preview") if one in verbs), None)
            if following is None:
                break
            sent = await self.organiser.did(
                self.organiser.world.press(self.organiser.user_id, int(panel["id"]), following)
            )
            if sent is None or sent.message is None:
                return False
            panel = sent.message
        self.announced += 1
        announcement = await self._announcement(name)
        if announcement is None:
            return False
        entrants = self.people[: kind.size]
        await asyncio.gather(*(self._join(player, announcement) for player in entrants))
        return await self._play(kind, announcement, known, entrants)

    async def _announcement(self, name: str) -> Json | None:
        """Returns the message by which people join."""
        for _ in range(int(PATIENT / STEP)):
            for message in self.organiser.world.messages.in_channel(self.channel_id)[::-1]:
                joins = any("tournament_join" in x["custom_id"] for x in wired(message))
                if joins and not is_ephemeral(message) and name in text(message):
                    return message
            await asyncio.sleep(STEP)
        return None

    async def _join(self, player: Player, announcement: Json) -> None:
        """Presses until the player is in, for PATIENT seconds at most."""
        button = next(x["custom_id"] for x in wired(announcement) if "tournament_join" in x["custom_id"])
        cup_id, end = button.split(":")[2], asyncio.get_running_loop().time() + PATIENT
        await asyncio.sleep(self.rng.uniform(0, 4))
        while asyncio.get_running_loop().time() < end:
            with contextlib.suppress(Refused):
                await player.did(player.world.press(player.user_id, int(announcement["id"]), button))
            await asyncio.sleep(2 * EVERY)
            if (cup_id, player.user_id) in self.organiser.snapshots.entrants:
                return

    async def _play(self, kind: Kind, announcement: Json, known: set[str], entrants: list[Player]) -> bool:
        """Starts it, and waits until it is over; False if it never began."""
        button = next(x["custom_id"] for x in wired(announcement) if "tournament_join" in x["custom_id"])
        cup_id = button.split(":")[2]
        statuses = self.organiser.snapshots
        while statuses.cups.get(cup_id) not in BEGUN or cup_id in known:
            if statuses.cups.get(cup_id) == "cancelled":
                return False
            await self.organiser.slash(self.channel_id, "tournament start", {"tournament": cup_id})
            for _ in range(6):
                await asyncio.sleep(STEP)
                if statuses.cups.get(cup_id) in BEGUN:
                    break
        self.started.append(kind)
        while statuses.cups.get(cup_id) not in {"over", "cancelled"}:
            await asyncio.sleep(CHALLENGES if kind.template == LADDER else STEP)
            if kind.template == LADDER:
                await self._challenge(cup_id, entrants)
        self.ended.append(kind)
        return True

    async def _challenge(self, cup_id: str, entrants: list[Player]) -> None:
        """Lets one of them challenge another in the ladder; often that is refused."""
        challenger, opponent = self.rng.sample(entrants, 2)
        given = {"opponent": str(opponent.user_id), "tournament": cup_id}
        with contextlib.suppress(Refused):
            await challenger.slash(self.channel_id, "tournament challenge", given)
