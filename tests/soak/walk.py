"""Presses one button after the other, as a person who follows what a panel offers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from harness.bot import wired
from harness.discord import is_ephemeral

from bot.sandbox.validation import components as c
from soak.answers import goes_on, in_words, told
from soak.journal import ACKED, UNCERTAIN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.interactions.interaction import Interaction
    from soak.players import Player
    from soak.snapshots import Row

Json = dict[str, Any]
CUSTOM_ID: Final = re.compile(r"[bmcurf]:(?P<verb>[a-z_]+):(?P<subject>[0-9A-Za-z]+):(?P<seq>[0-9]+):")
TURNS: Final = frozenset({"pick", "confirm", "only", "cube", "cube_confirm", "reading"})
"""The verbs that may play a turn."""
NEVER: Final = frozenset(
    {"data_erase", "data_ask", "data_delete", "vacation_take", "vacation_from_now", "vacation_fill", "vacation_other",
     "set_server", "ask_server", "fill_server", "fill_user", "ask_user", "resign_match", "sure_resign_match",
     "resign_for", "resign", "tournament_leave", "tournament_leave_sure", "plan_discard", "organise_do",
     "organise_edit", "tournament_copy", "share", "results_share", "share_profile", "challenge_all",
     "conditional_resign"}
)  # fmt: skip
"""The verbs that nobody presses by chance: they would end the subject of the soak, or fill the channels."""
SELDOM: Final[Mapping[str, float]] = {"cancel_pick": 0.03, "flip": 0.2, "words": 0.2, "rule": 0.1, "look": 0.3}
TEXTS: Final = ("3", "10m+5s", "Ana", "e4", "tomorrow", "1,5", "-")


@dataclass
class Walk:
    """A player's way through what is offered, in a game or outside."""

    player: Player
    row: Row | None

    async def from_board(self, board: Json, wanted: Mapping[str, float], deep: int = 4) -> None:
        """Presses one of ``wanted`` on a public message, and goes on in what opens."""
        await self._go(board, wanted, deep, only_wanted=True)

    async def on(self, message: Json, wanted: Mapping[str, float], deep: int) -> None:
        """Goes on in a private message; ``wanted`` first, else whatever does no harm."""
        await self._go(message, wanted, deep, only_wanted=bool(wanted))

    async def _go(self, message: Json, wanted: Mapping[str, float], deep: int, *, only_wanted: bool) -> None:
        rng = self.player.rng
        for _ in range(deep):
            parts = [(x, self._weight(x, wanted, only_wanted)) for x in wired(message)]
            parts = [(x, weight) for x, weight in parts if weight > 0]
            if not parts:
                return
            component = rng.choices([x for x, _ in parts], [weight for _, weight in parts])[0]
            sent = await self._use(message, component)
            if sent is None:
                return
            shown = sent.message if sent.message is not None else next(iter(sent.followups), None)
            if shown is None or not is_ephemeral(shown):
                return
            message, only_wanted = shown, False

    def _weight(self, component: Json, wanted: Mapping[str, float], only_wanted: bool) -> float:
        found = CUSTOM_ID.match(component["custom_id"])
        if found is None or component["type"] in {c.CHANNEL_SELECT, c.ROLE_SELECT, c.USER_SELECT}:
            return 0.0
        verb = found["verb"]
        if verb in wanted:
            return wanted[verb]
        return 0.0 if only_wanted or verb in NEVER else SELDOM.get(verb, 1.0)

    async def _use(self, message: Json, component: Json) -> Interaction | None:
        """Presses a button or chooses in a menu, and notes it if it belongs to a game."""
        player, custom_id = self.player, component["custom_id"]
        found = CUSTOM_ID.match(custom_id)
        assert found is not None
        verb, game, world = found["verb"], found["subject"], player.world
        if verb.startswith("conditional"):
            player.journal.planned.add((game, player.user_id))
        attempt = player.journal.attempt(game, player.user_id, int(found["seq"]), verb, turn=verb in TURNS)
        message_id = int(message["id"])
        if component["type"] == c.BUTTON:
            sent = await player.did(world.press(player.user_id, message_id, custom_id), attempt)
        else:
            low, high = component.get("min_values", 1), component.get("max_values", 1)
            offered = [option["value"] for option in component["options"]]
            values = player.rng.sample(offered, min(len(offered), player.rng.randint(max(1, low), max(1, high))))
            sent = await player.did(world.choose(player.user_id, message_id, custom_id, values), attempt)
        if sent is not None and sent.modal is not None:
            sent = await self._fill(sent)
        if verb in TURNS:
            attempt.status = self._judged(sent, message_id, verb)
            if sent is not None and sent.deferred and not told(sent):
                attempt.sent = sent  # somebody else may have changed the board before anything was said
        return sent

    def _judged(self, sent: Interaction | None, message_id: int, verb: str) -> str:
        """Returns what a player can conclude after a tap: the turn is played, still being chosen, or refused."""
        if sent is None:
            return UNCERTAIN
        shown = self.player.world.messages.find(message_id)
        said = told(sent)
        if sent.message is None and not sent.followups and sent.modal is None:
            gone = shown is None
            return ACKED if gone or not is_ephemeral(shown or {"flags": 0}) else UNCERTAIN
        if sent.followups:
            return UNCERTAIN
        if verb in {"cube", "cube_confirm", "only"} and goes_on(sent):
            return UNCERTAIN
        return in_words(said) if said else ACKED

    async def _fill(self, opened: Interaction) -> Interaction | None:
        """Sends off a form with whatever fits its fields."""
        player = self.player
        values: dict[str, str | list[str]] = {}
        assert opened.modal is not None
        for _, item in c.walk(opened.modal["components"]):
            inner = item.get("component", item)
            if "custom_id" in inner and inner["type"] == c.TEXT_INPUT:
                typed = player.rng.choice(TEXTS)[: inner.get("max_length") or 4000]
                values[inner["custom_id"]] = typed.ljust(inner.get("min_length") or 0, "x")
        return await player.did(player.world.submit(player.user_id, opened.id, values))
