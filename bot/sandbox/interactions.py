"""Interactions: sending them to the bot, and the answers and follow-ups it gives with their tokens."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.errors import InvalidFormError, Problem, Timeout, WireError, unknown_message
from bot.sandbox.form import messages as form
from bot.sandbox.form.modals import check_choices, check_modal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.attachments import Upload
    from bot.sandbox.world import World

Json = dict[str, Any]

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
"""Types of interactions."""
PONG, MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, CHOICES, OPEN_MODAL = 1, 4, 5, 6, 7, 8, 9
"""Types of answers."""

_ALLOWED: Final[Mapping[int, frozenset[int]]] = {
    COMMAND: frozenset({MESSAGE, DEFERRED_MESSAGE, OPEN_MODAL}),
    COMPONENT: frozenset({MESSAGE, DEFERRED_MESSAGE, DEFERRED_UPDATE, UPDATE, OPEN_MODAL}),
    AUTOCOMPLETE: frozenset({CHOICES}),
    MODAL: frozenset({MESSAGE, DEFERRED_MESSAGE}),
}


@dataclass(eq=False)
class Interaction:
    """What a person did, and all that came back. `kind`: slash, context, button, select, autocomplete or modal."""

    id: int
    type: int
    kind: str
    user_id: int
    channel_id: int
    payload: Json
    token: str
    source: int | None = None
    """The message whose component was used, also where a modal was opened by it."""
    opened_by: Interaction | None = None
    """What opened the modal that was sent off."""
    focused: int = 0
    """The type of the option being typed."""
    sent: float = field(default_factory=time.monotonic)
    state: str = "sent"
    """sent, deferred, answered or failed."""
    responded: bool = False
    deferred: bool = False
    message: Json | None = None
    original: int | None = None
    """The message that the token's @original means."""
    followups: list[Json] = field(default_factory=list)
    modal: Json | None = None
    choices: list[Json] | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    complete: asyncio.Event = field(default_factory=asyncio.Event)

    async def settled(self, timeout: float = 5) -> Interaction:  # noqa: ASYNC109 - the interface of a test, not of a task
        """Waits until a deferred answer has been filled in.

        Raises:
            Timeout: It was not, in `timeout` seconds.
        """
        try:
            await asyncio.wait_for(self.complete.wait(), timeout)
        except TimeoutError:
            raise Timeout(f"{self.kind} {self.id} was deferred and not completed in {timeout} s") from None
        return self


class Interactions:
    """All interactions whose tokens live."""

    def __init__(self, world: World) -> None:
        self._world = world
        self.live: dict[int, Interaction] = {}

    # from a person

    async def send(self, sent: Interaction) -> Interaction:
        """Sends an interaction to the bot and waits for its first answer.

        Raises:
            Timeout: "The application did not respond."
        """
        world = self._world
        sent.sent = time.monotonic()
        self._forget()
        self.live[sent.id] = sent
        self._tell(sent)
        guild_id = sent.payload.get("guild_id")
        guild = int(guild_id) if guild_id and int(guild_id) not in world.without_bot else None
        world.dispatch("INTERACTION_CREATE", lambda: sent.payload, guild_id=guild, intent=0)
        try:
            await asyncio.wait_for(sent.answered.wait(), world.answer_limit)
        except TimeoutError:
            self._tell(sent, "failed")
            raise Timeout("The application did not respond") from None
        return sent

    def _forget(self) -> None:
        """Lets go of interactions whose tokens have died; they stand in the order they were sent in."""
        dead = time.monotonic() - self._world.token_life
        while self.live and (first := next(iter(self.live.values()))).sent < dead:
            del self.live[first.id]

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
        self._world.tell(event)

    # from the bot: the first answer

    def answer(self, interaction_id: int, token: str, body: Json, uploads: Mapping[int, Upload]) -> Json:
        """The first answer; gives back what `with_response` asks for.

        Raises:
            WireError: Unknown interaction (10062), answered already (40060), or a body Discord would refuse.
        """
        sent = self.live.get(interaction_id)
        if sent is None or sent.token != token:
            raise WireError(404, 10062, "Unknown interaction")
        if sent.responded:
            raise WireError(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - sent.sent > self._world.answer_limit:
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
        self._tell(sent, "deferred" if sent.deferred else "answered")
        if sent.modal is not None:
            modal = {"type": "modal", "only": sent.user_id, "interaction_id": sent.id, "modal": sent.modal}
            self._world.tell(modal | {"channel_id": sent.channel_id})
        return _callback(sent, int(kind))

    def _answer(self, sent: Interaction, kind: int, data: Json, uploads: Mapping[int, Upload]) -> None:
        messages = self._world.messages
        if kind == MESSAGE:
            sent.message = self._create(sent, data, uploads, "answer")
            sent.original = int(sent.message["id"])
        elif kind == DEFERRED_MESSAGE:
            if problems := form.check_message(data, form.Occasion("answer")):
                raise InvalidFormError(problems)
            flags = int(data.get("flags") or 0) & form.EPHEMERAL
            waiting = {"content": "\u200b", "flags": flags}
            sent.message = self._create(sent, waiting, {}, "answer", {"content": "", "flags": flags | form.LOADING})
            sent.original = int(sent.message["id"])
        elif kind in {UPDATE, DEFERRED_UPDATE}:
            source = messages.find(sent.source or 0)
            if source is None:
                raise unknown_message()
            if kind == UPDATE:
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
        """The interaction of a token.

        Raises:
            WireError: The token is unknown or has died (50027), or was not used to answer yet (10015).
        """
        self._forget()
        found = next((i for i in self.live.values() if i.token == token), None)
        if found is None or application_id != self._world.application_id:
            raise WireError(401, 50027, "Invalid Webhook Token")
        if not found.responded:
            raise WireError(404, 10015, "Unknown Webhook")
        return found

    def follow_up(self, sent: Interaction, body: Json, uploads: Mapping[int, Upload]) -> Json:
        """A further message; the first after a deferral becomes the answer that was put off."""
        waiting = self._world.messages.find(sent.original or 0)
        if waiting is not None and waiting["flags"] & form.LOADING:
            return self.edit(sent, int(waiting["id"]), body, uploads, kind="followup")
        message = self._create(sent, body, uploads, "followup")
        sent.followups.append(message)
        self._complete(sent)
        return message

    def find(self, sent: Interaction, message_id: int | None) -> Json:
        """A message of the token: the original (None) or a follow-up.

        Raises:
            WireError: Unknown Message.
        """
        mine = {sent.original, *(int(m["id"]) for m in sent.followups)}
        wanted = sent.original if message_id is None else message_id
        found = self._world.messages.find(wanted or 0)
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
        fill = bool(message["flags"] & form.LOADING)
        edited = self._world.messages.edit(message, body, uploads, kind=kind, fill=fill)
        if int(edited["id"]) == sent.original:
            sent.message = edited
            self._complete(sent)
        else:
            sent.followups = [edited if m["id"] == edited["id"] else m for m in sent.followups]
        return edited

    def delete(self, sent: Interaction, message_id: int | None) -> None:
        message = self.find(sent, message_id)
        self._world.messages.delete(int(message["id"]))
        if int(message["id"]) == sent.original:
            sent.message = None
            self._complete(sent)

    def message_changed(self, message_id: int) -> None:
        """Completes deferred updates whose message the bot edited in another way."""
        for sent in self.live.values():
            if sent.source == message_id and sent.original == message_id:
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
        world = self._world
        hidden = int(data.get("flags") or 0) & form.EPHEMERAL
        more = _origin(sent, world) | dict(extra or {})
        owner = sent.user_id if hidden else None
        return world.messages.create(sent.channel_id, world.bot_user, data, uploads, kind=kind, extra=more, owner=owner)


def new(world: World, kind: str, interaction_type: int, user_id: int, channel_id: int, data: Json) -> Interaction:
    """An interaction with everything Discord sends beside its data (documentation, "Interaction Structure")."""
    identity, token = world.ids(), secrets.token_urlsafe(60)
    channel, person = world.channels[channel_id], world.users[user_id]
    payload: Json = {
        "id": str(identity),
        "application_id": str(world.application_id),
        "type": interaction_type,
        "data": data,
        "channel_id": str(channel_id),
        "channel": channel | {"permissions": str(world.rights(user_id, channel_id))},
        "token": token,
        "version": 1,
        "locale": person["locale"],
        "entitlements": [],
        "attachment_size_limit": form.UPLOAD_LIMIT,
        "app_permissions": str(world.rights(world.application_id, channel_id)),
    }
    if "guild_id" in channel:
        guild_id = int(channel["guild_id"])
        guild = world.guilds[guild_id]
        rights = str(world.rights(user_id, channel_id))
        away = guild_id in world.without_bot
        payload |= {
            "guild_id": channel["guild_id"],
            "guild": {"id": guild["id"], "locale": guild["preferred_locale"], "features": guild["features"]},
            "guild_locale": guild["preferred_locale"],
            "member": world.member(guild_id, user_id) | {"permissions": rights},
            "context": 0,
            "authorizing_integration_owners": {"1": str(user_id)} if away else {"0": guild["id"]},
        }
    else:
        away = channel_id in world.without_bot
        payload |= {
            "user": world.person(user_id),
            "context": 2 if away else 1,
            "authorizing_integration_owners": {"1": str(user_id)} if away else {"0": "0"},
        }
    return Interaction(identity, interaction_type, kind, user_id, channel_id, payload, token)


def _origin(sent: Interaction, world: World) -> Json:
    """What a message says of the interaction it answers."""
    found: Json = {
        "application_id": str(world.application_id),
        "webhook_id": str(world.application_id),
        "interaction_metadata": _metadata(sent, world),
    }
    if sent.type == COMMAND:
        found["type"] = 23 if sent.kind == "context" else 20
        name = command_path(sent.payload["data"])
        person = world.person(sent.user_id)
        found["interaction"] = {"id": str(sent.id), "type": COMMAND, "name": name, "user": person}
    elif sent.type == COMPONENT:
        found["type"] = 19
        found["message_reference"] = {"type": 0, "channel_id": str(sent.channel_id), "message_id": str(sent.source)}
    return found


def _metadata(sent: Interaction, world: World) -> Json:
    found: Json = {
        "id": str(sent.id),
        "type": sent.type,
        "user": world.person(sent.user_id),
        "authorizing_integration_owners": sent.payload["authorizing_integration_owners"],
    }
    if sent.kind == "context":
        found["target_user"] = world.person(int(sent.payload["data"]["target_id"]))
    if sent.type == COMPONENT:
        found["interacted_message_id"] = str(sent.source)
    if sent.opened_by is not None:
        found["triggering_interaction_metadata"] = _metadata(sent.opened_by, world)
    return found


def command_path(data: Mapping[str, Any]) -> str:
    """The whole path of the command in an interaction's data, "abak move play"."""
    parts, options = [data["name"]], data.get("options") or []
    while options and options[0]["type"] in {1, 2}:
        parts.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(parts)


def _callback(sent: Interaction, kind: int) -> Json:
    found: Json = {"id": str(sent.id), "type": sent.type, "channel_id": str(sent.channel_id)}
    if "guild_id" in sent.payload:
        found["guild_id"] = sent.payload["guild_id"]
    if sent.original is not None and kind != OPEN_MODAL:
        found["response_message_id"] = str(sent.original)
    if sent.message is None or kind not in {MESSAGE, DEFERRED_MESSAGE, UPDATE}:
        return {"interaction": found}
    found["response_message_loading"] = kind == DEFERRED_MESSAGE
    found["response_message_ephemeral"] = bool(sent.message["flags"] & form.EPHEMERAL)
    if kind == DEFERRED_MESSAGE:
        return {"interaction": found}
    return {"interaction": found, "resource": {"type": kind, "message": sent.message}}


def _within(key: str, act: Any, *args: Any) -> None:
    """Runs `act`, putting `key` before the path of every problem it finds."""
    try:
        act(*args)
    except InvalidFormError as error:
        problems = [Problem((key, *p.path), p.code, p.message) for p in error.problems]
        raise InvalidFormError(problems) from None
