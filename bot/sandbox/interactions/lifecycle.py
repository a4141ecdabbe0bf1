"""The lifecycle of interactions: they are sent to the bot, answered, followed up, and forgotten after a while."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.errors import InvalidFormError, Problem, Timeout, WireError, unknown_channel, unknown_message
from bot.sandbox.interactions import payloads
from bot.sandbox.interactions.interaction import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFERRED_MESSAGE,
    DEFERRED_UPDATE,
    MESSAGE,
    MODAL,
    OPEN_MODAL,
    UPDATE,
    Interaction,
)
from bot.sandbox.validation import messages as message_rules
from bot.sandbox.validation.modals import check_choices, check_modal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.state.attachments import Upload
    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.events import Events
    from bot.sandbox.state.messages import Messages

Json = dict[str, Any]

_ALLOWED: Final[Mapping[int, frozenset[int]]] = {
    COMMAND: frozenset({MESSAGE, DEFERRED_MESSAGE, OPEN_MODAL}),
    COMPONENT: frozenset({MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, OPEN_MODAL}),
    AUTOCOMPLETE: frozenset({CHOICES}),
    MODAL: frozenset({MESSAGE, DEFERRED_MESSAGE}),
}

AFTERWARDS: Final = 0.5
"""Seconds after which a deferred update is complete if its message changed before the deferral."""


class Interactions:
    """All interactions whose tokens are valid."""

    def __init__(self, data: WorldData, messages: Messages, events: Events) -> None:
        self._data = data
        self._messages = messages
        self._events = events
        self.live: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        self._updating: dict[int, list[Interaction]] = {}
        """Deferred updates that are incomplete, by their message."""
        self._changed: dict[int, float] = {}
        """The moment at which the bot last edited each message without an answer, by the monotonic clock."""

    # from a person

    async def send(self, sent: Interaction) -> Interaction:
        """Sends an interaction to the bot and waits for its first answer.

        Raises:
            Timeout: "The application did not respond."
        """
        sent.sent = time.monotonic()
        self._forget()
        self.live[sent.id] = self._by_token[sent.token] = sent
        self._tell(sent)
        guild_id = sent.payload.get("guild_id")
        guild = int(guild_id) if guild_id and int(guild_id) not in self._data.without_bot else None
        self._events.dispatch("INTERACTION_CREATE", lambda: sent.payload, guild_id=guild, intent=0)
        try:
            await asyncio.wait_for(sent.answered.wait(), self._data.answer_limit)
        except TimeoutError:
            self._tell(sent, "failed")
            raise Timeout("The application did not respond") from None
        return sent

    def _forget(self) -> None:
        """Forgets interactions with expired tokens. They are in the order in which they were sent."""
        dead = time.monotonic() - self._data.token_life
        while self.live and (first := next(iter(self.live.values()))).sent < dead:
            del self.live[first.id], self._by_token[first.token]

    def _tell(self, sent: Interaction, state: str = "sent") -> None:
        sent.state = state
        event = {
            "type": "interaction",
            "only": sent.user_id,
            "interaction_id": sent.id,
            "channel_id": sent.channel_id,
            "message_id": sent.source,
            "custom_id": sent.payload["data"].get("custom_id"),
            "kind": sent.kind,
            "state": state,
        }
        self._events.publish(event)

    # from the bot: the first answer

    def answer(self, interaction_id: int, token: str, body: Json, uploads: Mapping[int, Upload]) -> Json:
        """Takes the first answer, and returns what `with_response` asks for.

        Raises:
            WireError: Unknown interaction (10062), answered already (40060), or a body Discord would refuse.
        """
        sent = self.live.get(interaction_id)
        if sent is None or sent.token != token:
            raise WireError(404, 10062, "Unknown interaction")
        if sent.responded:
            raise WireError(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - sent.sent > self._data.answer_limit:
            raise WireError(404, 10062, "Unknown interaction")
        kind = body.get("type")
        allowed = _ALLOWED[sent.type]
        if sent.type == MODAL and sent.source is not None:
            allowed |= {DEFERRED_UPDATE, UPDATE}
        if kind not in allowed:
            text = f"An interaction of type {sent.type} is answered with one of {sorted(allowed)}."
            raise InvalidFormError([Problem(("type",), "BASE_TYPE_CHOICES", text)])
        data = body.get("data") or {}
        _within("data", self._answer, sent, int(kind), data, uploads)
        sent.responded = True
        sent.deferred = kind in {DEFERRED_MESSAGE, DEFERRED_UPDATE}
        sent.answered.set()
        if not sent.deferred:
            sent.complete.set()
        elif kind == DEFERRED_UPDATE and sent.source is not None:
            self._updating.setdefault(sent.source, []).append(sent)
            if self._messages.find(sent.source) is None or self._changed.get(sent.source, 0.0) > sent.sent:
                # it changed while the answer was on its way, so nothing more may come
                asyncio.get_running_loop().call_later(AFTERWARDS, self._complete, sent)
        self._tell(sent, "answered" if sent.complete.is_set() or not sent.deferred else "deferred")
        if sent.modal is not None:
            modal = {"type": "modal", "only": sent.user_id, "interaction_id": sent.id, "modal": sent.modal}
            self._events.publish(modal | {"channel_id": sent.channel_id})
        return payloads.callback_response(sent, int(kind))

    def _answer(self, sent: Interaction, kind: int, data: Json, uploads: Mapping[int, Upload]) -> None:
        messages = self._messages
        if kind == MESSAGE:
            sent.message = self._create(sent, data, uploads, "answer")
            sent.original = int(sent.message["id"])
        elif kind == DEFERRED_MESSAGE:
            if problems := message_rules.check_message(data, message_rules.MessageContext("answer")):
                raise InvalidFormError(problems)
            flags = int(data.get("flags") or 0) & message_rules.EPHEMERAL
            waiting = {"content": "\u200b", "flags": flags}
            sent.message = self._create(
                sent, waiting, {}, "answer", {"content": "", "flags": flags | message_rules.LOADING}
            )
            sent.original = int(sent.message["id"])
        elif kind in {UPDATE, DEFERRED_UPDATE}:
            source = messages.find(sent.source or 0)
            if source is None and kind == UPDATE:
                raise unknown_message()
            if source is not None and kind == UPDATE:
                sent.message = messages.edit(source, data, uploads, kind="update")
            sent.original = sent.source
        elif kind == CHOICES:
            if problems := check_choices(data, sent.focused):
                raise InvalidFormError(problems)
            sent.choices = list(data.get("choices") or ())
        else:
            if problems := check_modal(data):
                raise InvalidFormError(problems)
            sent.modal = data

    # from the bot: the token's webhook

    def by_token(self, application_id: int, token: str) -> Interaction:
        """Returns the interaction of a token.

        Raises:
            WireError: The token is unknown or has died (50027), or was not used to answer yet (10015).
        """
        self._forget()
        found = self._by_token.get(token)
        if found is None or application_id != self._data.application_id:
            raise WireError(401, 50027, "Invalid Webhook Token")
        if not found.responded:
            raise WireError(404, 10015, "Unknown Webhook")
        return found

    def follow_up(self, sent: Interaction, body: Json, uploads: Mapping[int, Upload]) -> Json:
        """Creates a further message. The first one after a deferral becomes the deferred answer."""
        waiting = self._messages.find(sent.original or 0)
        if waiting is not None and waiting["flags"] & message_rules.LOADING:
            return self.edit(sent, int(waiting["id"]), body, uploads, kind="followup")
        message = self._create(sent, body, uploads, "followup")
        sent.followups.append(message)
        self._complete(sent)
        return message

    def find(self, sent: Interaction, message_id: int | None) -> Json:
        """Returns a message of the token: the original (None) or a follow-up.

        Raises:
            WireError: Unknown Message.
        """
        mine = {sent.original, *(int(m["id"]) for m in sent.followups)}
        wanted = sent.original if message_id is None else message_id
        found = self._messages.find(wanted or 0)
        if found is None or wanted not in mine:
            raise unknown_message()
        return found

    def edit(
        self,
        sent: Interaction,
        message_id: int | None,
        body: Json,
        uploads: Mapping[int, Upload],
        *,
        kind: str = "followup edit",
    ) -> Json:
        """Edits the original (None) or a follow-up; completes a deferred answer."""
        message = self.find(sent, message_id)
        fill = bool(message["flags"] & message_rules.LOADING)
        edited = self._messages.edit(message, body, uploads, kind=kind, fill=fill)
        if int(edited["id"]) == sent.original:
            sent.message = edited
            self._complete(sent)
        else:
            sent.followups = [edited if m["id"] == edited["id"] else m for m in sent.followups]
        self.message_changed(int(edited["id"]))
        return edited

    def delete(self, sent: Interaction, message_id: int | None) -> None:
        message = self.find(sent, message_id)
        self._messages.delete(int(message["id"]))
        if int(message["id"]) == sent.original:
            sent.message = None
            self._complete(sent)
        self.message_changed(int(message["id"]))

    def message_changed(self, message_id: int) -> None:
        """Completes deferred updates whose message the bot edited in another way, or deleted."""
        self._changed[message_id] = time.monotonic()
        for sent in self._updating.pop(message_id, ()):
            self._complete(sent)

    def _complete(self, sent: Interaction) -> None:
        if not sent.complete.is_set():
            sent.complete.set()
            self._tell(sent, "answered")

    def _create(
        self,
        sent: Interaction,
        data: Json,
        uploads: Mapping[int, Upload],
        kind: str,
        extra: Mapping[str, Any] | None = None,
    ) -> Json:
        if sent.channel_id not in self._data.channels:
            raise unknown_channel()
        hidden = int(data.get("flags") or 0) & message_rules.EPHEMERAL
        more = payloads.answer_message_fields(sent, self._data) | dict(extra or {})
        owner = sent.user_id if hidden else None
        author = self._data.bot_user
        return self._messages.create(sent.channel_id, author, data, uploads, kind=kind, extra=more, owner=owner)


def _within(key: str, act: Any, *args: Any) -> None:
    """Runs `act`, and puts `key` before the path of every problem that it finds."""
    try:
        act(*args)
    except InvalidFormError as error:
        problems = [Problem((key, *p.path), p.code, p.message) for p in error.problems]
        raise InvalidFormError(problems) from None
