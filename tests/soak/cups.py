"""Tournaments: an organiser announces one after the other by the commands; whoever is in it joins and plays."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from harness.bot import wired
from harness.discord import is_ephemeral, text

from bot.sandbox.errors import Refused, Timeout

if TYPE_CHECKING:
    from soak.players import Player

Json = dict[str, Any]
KINDS: Final = (
    ("abalone_round_robin", "apb"),
    ("long_swiss", "abalone"),
    ("weekend_swiss", "apb"),
    ("abalone_round_robin", "abak"),
    ("backgammon_knockout", "backgammon"),
    ("arena", "abalone"),
)
"""Templates and games."""
STEP: Final = 0.5
PATIENT: Final = 90.0
"""Seconds until an organiser starts with whoever is in it."""


@dataclass
class Cup:
    """A channel with an organiser and the players of its tournaments."""

    organiser: Player
    people: list[Player]
    channel_id: int
    first: int
    rng: random.Random
    announced: int = 0
    started: list[str] = field(default_factory=list)

    async def live(self) -> None:
        """Organises one tournament after the other, until it is cancelled."""
        number = self.first
        while True:
            try:
                if await self._hold(number):
                    number += 1
            except (Refused, Timeout):
                pass
            await asyncio.sleep(STEP)

    async def _hold(self, number: int) -> bool:
        """A tournament from its announcement to its end; False if it came to nothing."""
        name = f"Cup {self.channel_id % 1000}-{number}"
        template, game = KINDS[number % len(KINDS)]
        given = {"template": template, "game": game, "name": name}
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
        await asyncio.gather(*(self._join(player, announcement) for player in self.people))
        return await self._play(announcement, known)

    async def _announcement(self, name: str) -> Json | None:
        """The message that people join by."""
        for _ in range(int(PATIENT / STEP)):
            for message in self.organiser.world.messages.in_channel(self.channel_id)[::-1]:
                joins = any("tournament_join" in x["custom_id"] for x in wired(message))
                if joins and not is_ephemeral(message) and name in text(message):
                    return message
            await asyncio.sleep(STEP)
        return None

    async def _join(self, player: Player, announcement: Json) -> None:
        """Presses until the player is told that they are in."""
        await asyncio.sleep(self.rng.uniform(0, 4))
        button = next(x["custom_id"] for x in wired(announcement) if "tournament_join" in x["custom_id"])
        for _ in range(8):
            try:
                sent = await player.did(player.world.press(player.user_id, int(announcement["id"]), button))
            except Refused:
                return
            if sent is not None and sent.message is not None:
                return
            await asyncio.sleep(1)

    async def _play(self, announcement: Json, known: set[str]) -> bool:
        """Starts it, and waits until it is over."""
        button = next(x["custom_id"] for x in wired(announcement) if "tournament_join" in x["custom_id"])
        cup_id = button.split(":")[2]
        statuses = self.organiser.snapshots
        while statuses.cups.get(cup_id) in {"registration", "announced", None} or cup_id in known:
            await self.organiser.slash(self.channel_id, "tournament start", {"tournament": cup_id})
            for _ in range(6):
                await asyncio.sleep(STEP)
                if statuses.cups.get(cup_id) not in {"registration", "announced", None}:
                    break
        self.started.append(cup_id)
        while statuses.cups.get(cup_id) not in {"over", "cancelled"}:  # noqa: ASYNC110  it is read every second
            await asyncio.sleep(STEP)
        return True
