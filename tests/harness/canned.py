"""A bot of canned answers inside the world itself: what the sandbox's page needs to be tested without a client."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from bot.sandbox.state.attachments import Upload

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bot.sandbox.state.events import Dispatch
    from bot.sandbox.world import World

Json = dict[str, Any]
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9


class CannedBot:
    """Answers interactions by what stands in `answers`, under the command's path or the component's custom id.

    An answer is a body of the interaction callback, or a function of the interaction that makes one; what has none is
    left without an answer. `seen` holds the interactions as they came.
    """

    def __init__(self, world: World, answers: Mapping[str, Json | Callable[[Json], Json | None]]) -> None:
        self.world = world
        self.answers = dict(answers)
        self.seen: list[Json] = []
        self.files: dict[int, Upload] = {}
        world.on_dispatch(self._hear)

    def register(self, *commands: Json) -> None:
        """Registers these commands, in place of all others."""
        self.world.registered.replace(list(commands))

    def post(self, channel_id: int, body: Json, *uploads: Upload, reply: Json | None = None) -> Json:
        """Writes a message as the bot, perhaps in reply to another."""
        extra: Json = {}
        if reply is not None:
            place = {"type": 0, "channel_id": reply["channel_id"], "message_id": reply["id"]}
            extra = {"type": 19, "message_reference": place, "referenced_message": reply}
        files = dict(enumerate(uploads))
        return self.world.messages.create(channel_id, self.world.bot_user, body, files, extra=extra)

    def edit(self, message: Json, body: Json, *uploads: Upload) -> Json:
        return self.world.messages.edit(message, body, dict(enumerate(uploads)), kind="edit")

    def follow(self, payload: Json, body: Json) -> Json:
        """Fills in the answer that was deferred."""
        sent = self.world.interactions.live[int(payload["id"])]
        return self.world.interactions.edit(sent, None, body, {})

    def _hear(self, event: Dispatch) -> None:
        if event.name == "INTERACTION_CREATE":
            self.seen.append(event.data)
            asyncio.get_running_loop().call_soon(self._answer, event.data)

    def answer(self, payload: Json, body: Json) -> None:
        """Answers an interaction; `files` in the body are its uploads."""
        uploads = dict(enumerate(body.get("files", ())))
        rest = {name: part for name, part in body.items() if name != "files"}
        self.world.interactions.answer(int(payload["id"]), payload["token"], rest, uploads)

    def _answer(self, payload: Json) -> None:
        answer = self.answers.get(_key(payload))
        body = answer(payload) if callable(answer) else answer
        if body is not None:
            self.answer(payload, body)


def _key(payload: Json) -> str:
    data = payload["data"]
    if "custom_id" in data:
        return str(data["custom_id"])
    parts, options = [data["name"]], data.get("options") or []
    while options and options[0]["type"] in {1, 2}:
        parts.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(parts)
