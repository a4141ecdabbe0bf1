"""The messages of a world: creates, edits, lists and deletes them."""

from __future__ import annotations

import json
from collections import deque
from typing import TYPE_CHECKING, Any

from bot.sandbox.errors import InvalidFormError, WireError, unknown_message
from bot.sandbox.state import attachments, message_parts
from bot.sandbox.state.snowflake import timestamp
from bot.sandbox.validation import messages as message_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bot.sandbox.state.attachments import Upload
    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.events import Events

Json = dict[str, Any]
NONCE_MS = 300_000
"""The time for which nonces are remembered; Discord says some minutes."""
UPLOADS = 100
"""The most files given to commands that are kept; Discord keeps them for some hours."""


class Messages:
    """Every message, by channel, the oldest first. A message is replaced, never changed in place."""

    def __init__(self, data: WorldData, events: Events) -> None:
        self._data = data
        self._events = events
        self.by_channel: dict[int, dict[int, Json]] = {}
        self.channel_of: dict[int, int] = {}
        self.owners: dict[int, int] = {}
        """The one person who sees each ephemeral message."""
        self.attachments: dict[int, list[Json]] = {}
        """All files of a message, also those that only an embed shows."""
        self.files: dict[int, Upload] = {}
        self.nonces: dict[tuple[int, str], int] = {}
        self.uploads: deque[int] = deque()
        """The files that people gave to commands. They belong to no message."""

    def in_channel(self, channel_id: int) -> list[Json]:
        return list(self.by_channel.get(channel_id, {}).values())

    def find(self, message_id: int) -> Json | None:
        channel = self.channel_of.get(message_id)
        return None if channel is None else self.by_channel[channel].get(message_id)

    def public(self, channel_id: int, message_id: int) -> Json:
        """Returns a message as the bot may read it in its channel.

        Raises:
            WireError: Unknown Message, also for an ephemeral one.
        """
        found = self.by_channel.get(channel_id, {}).get(message_id)
        if found is None or message_id in self.owners:
            raise unknown_message()
        return found

    def create(
        self,
        channel_id: int,
        author: Json,
        payload: Mapping[str, Any],
        uploads: Mapping[int, Upload],
        *,
        kind: str = "create",
        extra: Mapping[str, Any] | None = None,
        owner: int | None = None,
    ) -> Json:
        """Creates a message from a payload. If its nonce was used before, returns that message instead.

        Raises:
            InvalidFormError: Discord would refuse the payload.
            WireError: The message is empty.
        """
        nonce = payload.get("nonce")
        if payload.get("enforce_nonce") and nonce is not None:
            earlier = self.find(self.nonces.get((channel_id, str(nonce)), 0))
            if earlier is not None:
                return earlier
        changes, held = self._render(payload, uploads, None, kind)
        if not message_rules.has_content(payload, held):
            raise WireError(400, 50006, "Cannot send an empty message", fault=True)
        message_id = self._data.ids()
        flags = int(payload.get("flags") or 0) | (message_rules.EPHEMERAL if owner is not None else 0)
        message: Json = {
            "id": str(message_id),
            "channel_id": str(channel_id),
            "type": 0,
            "content": "",
            "author": author,
            "timestamp": timestamp(),
            "edited_timestamp": None,
            "flags": flags,
            "tts": bool(payload.get("tts")),
            "pinned": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": [],
            **changes,
            **(extra or {}),
        }
        if nonce is not None:
            message["nonce"] = nonce
            self.nonces[channel_id, str(nonce)] = message_id
            while (message_id - self.nonces[oldest := next(iter(self.nonces))]) >> 22 > NONCE_MS:
                del self.nonces[oldest]
        self.attachments[message_id] = held
        if owner is not None:
            self.owners[message_id] = owner
        self.add(message)
        return message

    def add(self, message: Json) -> None:
        """Adds a finished message to its channel and reports it to everybody who may see it."""
        message_id, channel_id = int(message["id"]), int(message["channel_id"])
        self.by_channel.setdefault(channel_id, {})[message_id] = message
        self.channel_of[message_id] = channel_id
        self._data.record_message(channel_id, message_id)
        self._events.message("create", message, self.owners.get(message_id))

    def edit(
        self,
        message: Json,
        payload: Mapping[str, Any],
        uploads: Mapping[int, Upload],
        *,
        kind: str = "edit",
        fill: bool = False,
    ) -> Json:
        """Changes the fields that `payload` names. `fill` completes a deferred answer, which is then no longer loading,
        and not "edited".

        Raises:
            InvalidFormError: Discord would refuse the payload.
            WireError: The message would be empty.
        """
        message_id = int(message["id"])
        changes, held = self._render(payload, uploads, message, kind)
        flags = int(message["flags"])
        if payload.get("flags") is not None:
            settable = message_rules.SUPPRESS_EMBEDS | message_rules.COMPONENTS_V2
            flags = flags & ~message_rules.SUPPRESS_EMBEDS | int(payload["flags"]) & settable
        if fill:
            flags &= ~message_rules.LOADING
        else:
            changes["edited_timestamp"] = timestamp()
        edited = {**message, **changes, "flags": flags}
        if not message_rules.has_content(edited, held):
            raise WireError(400, 50006, "Cannot send an empty message", fault=True)
        for identity in {int(a["id"]) for a in self.attachments.get(message_id, ())} - {int(a["id"]) for a in held}:
            self.files.pop(identity, None)
        self.attachments[message_id] = held
        self.replace(edited)
        return edited

    def replace(self, message: Json) -> None:
        message_id = int(message["id"])
        self.by_channel[int(message["channel_id"])][message_id] = message
        self._events.message("update", message, self.owners.get(message_id))

    def delete(self, message_id: int) -> None:
        """Removes a message and its files; does nothing if there is none."""
        channel = self.channel_of.pop(message_id, None)
        message = None if channel is None else self.by_channel[channel].pop(message_id, None)
        owner = self.owners.pop(message_id, None)
        for attachment in self.attachments.pop(message_id, ()):
            self.files.pop(int(attachment["id"]), None)
        if message is not None:
            self._events.message("delete", message, owner)

    def delete_channel(self, channel_id: int) -> None:
        for message_id in list(self.by_channel.pop(channel_id, ())):
            self.channel_of.pop(message_id, None)
            self.owners.pop(message_id, None)
            for attachment in self.attachments.pop(message_id, ()):
                self.files.pop(int(attachment["id"]), None)

    def _render(
        self, payload: Mapping[str, Any], uploads: Mapping[int, Upload], before: Json | None, kind: str
    ) -> tuple[Json, list[Json]]:
        """Returns the wire fields that `payload` sets, and all files of the message after it."""
        held = self.attachments.get(int(before["id"]), []) if before else []
        v2 = bool(before and before["flags"] & message_rules.COMPONENTS_V2)
        legacy = frozenset(k for k in ("content", "embeds") if before and before[k])
        kept = {int(a["id"]): a["filename"] for a in held}
        sizes = {n: (u.name, len(u.content)) for n, u in uploads.items()}
        if problems := message_rules.check_message(
            dict(payload), message_rules.MessageContext(kind, v2, kept, sizes, legacy)
        ):
            raise InvalidFormError(problems)
        held = self._attach(payload, uploads, held)
        files = {a["filename"]: a for a in held}
        changes: Json = {}
        if "content" in payload:
            changes["content"] = payload["content"] or ""
        if "components" in payload:
            changes["components"] = message_parts.components(payload["components"] or [], files)
        hidden = kept.keys() - {int(a["id"]) for a in before["attachments"]} if before else set()
        shown = frozenset(map(str, hidden))
        if "embeds" in payload:
            changes["embeds"], shown = message_parts.embeds(payload["embeds"] or [], files)
        changes["attachments"] = [a for a in held if a["id"] not in shown]
        if {"content", "components", "allowed_mentions"} & payload.keys():
            changes |= self._mentions({**(before or {}), **changes}, payload.get("allowed_mentions"))
        return changes, held

    def _attach(self, payload: Mapping[str, Any], uploads: Mapping[int, Upload], held: list[Json]) -> list[Json]:
        """Returns the files after a payload: the kept ones (all if it names none), and the new ones."""
        entries: dict[int, Mapping[str, Any]] = {}
        for entry in payload.get("attachments") or ():
            key = message_rules.number(entry["id"])
            if key is not None:
                entries[key] = entry
        if "attachments" in payload:
            held = [_described(a, entries[int(a["id"])]) for a in held if int(a["id"]) in entries]
        base = self._data.base_url
        for index, upload in uploads.items():
            identity = self._data.ids()
            self.files[identity] = upload
            held = [*held, attachments.attachment_object(identity, upload, entries.get(index, {}), base)]
        return held

    def store_upload(self, upload: Upload) -> Json:
        """Stores a file that a person gave to a command. Returns the attachment as Discord describes it."""
        identity = self._data.ids()
        self.files[identity] = upload
        self.uploads.append(identity)
        if len(self.uploads) > UPLOADS:
            self.files.pop(self.uploads.popleft())
        return attachments.attachment_object(identity, upload, {}, self._data.base_url)

    def _mentions(self, message: Mapping[str, Any], allowed: Mapping[str, Any] | None) -> Json:
        text = message_parts.texts(message)
        people = self._data.people()
        return {
            "mentions": [people[i] for i in message_parts.mentions(text, allowed, people)],
            "mention_everyone": message_parts.mentions_everyone(text, allowed),
        }

    def replace_urls(self, old: str, new: str) -> None:
        """Replaces `old` by `new` in every address of a file in a message."""
        for messages in self.by_channel.values():
            for number, message in messages.items():
                if self.attachments.get(number):
                    messages[number] = json.loads(json.dumps(message).replace(old, new))
                    self.attachments[number] = json.loads(json.dumps(self.attachments[number]).replace(old, new))

    def page(
        self, channel_id: int, limit: int, *, before: int | None, after: int | None, around: int | None
    ) -> list[Json]:
        """Returns part of a channel's history, newest first, as GET /channels/{id}/messages does."""
        found: Iterable[Json] = (m for m in self.in_channel(channel_id) if int(m["id"]) not in self.owners)
        messages = sorted(found, key=lambda m: int(m["id"]))
        if around is not None:
            middle = sum(int(m["id"]) < around for m in messages)
            messages = messages[max(0, middle - limit // 2) : middle - limit // 2 + limit]
        elif after is not None:
            messages = [m for m in messages if int(m["id"]) > after][:limit]
        else:
            messages = [m for m in messages if before is None or int(m["id"]) < before][-limit:]
        return messages[::-1]


def _described(attachment: Json, entry: Mapping[str, Any]) -> Json:
    """Returns a kept attachment with the description of the edit, if it gives one."""
    return attachment | {"description": entry["description"]} if entry.get("description") else attachment
