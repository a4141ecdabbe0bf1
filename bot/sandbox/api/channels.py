"""Channels, threads and the messages in them."""

from __future__ import annotations

from typing import Any

from bot.sandbox.api.call import Answer, Call, Route
from bot.sandbox.errors import (
    InvalidFormError,
    Problem,
    WireError,
    missing_permission,
)
from bot.sandbox.state import permissions as p
from bot.sandbox.validation.checker import Checker
from bot.sandbox.validation.messages import EPHEMERAL

Json = dict[str, Any]
ARCHIVE_AFTER = (60, 1440, 4320, 10080)


def _channel(call: Call, *needed: int) -> Json:
    return call.world.permissions.require(call.id("channel_id"), *needed)


def _is_thread(channel: Json) -> bool:
    return "thread_metadata" in channel


def _unarchive(call: Call, channel: Json) -> None:
    """Unarchives a thread before the bot writes in it. A locked one requires the permission to manage threads."""
    if not _is_thread(channel):
        return
    archived = channel["thread_metadata"]["archived"]
    rights = call.world.permissions.in_channel(call.world.application_id, int(channel["id"]))
    if channel["thread_metadata"]["locked"] and not rights & p.MANAGE_THREADS:
        raise (
            WireError(400, 50083, "Thread is archived") if archived else WireError(403, 160005, "This thread is locked")
        )
    if archived:
        call.world.change_thread(int(channel["id"]), archived=False)


def channel(call: Call) -> Answer:
    found = _channel(call)
    joined = call.world.thread_members.get(int(found["id"]), {}).get(call.world.application_id)
    return 200, found | ({"member": joined} if joined else {})


def change(call: Call) -> Answer:
    found, fields = _channel(call), call.fields
    channel_id = int(found["id"])
    rights = call.world.permissions.in_channel(call.world.application_id, channel_id)
    check = Checker()
    check.text(fields, "name", (), 1, 100, required=False)
    if not _is_thread(found):
        if not rights & p.MANAGE_CHANNELS:
            raise missing_permission()
        _raise(check)
        found.update({k: v for k, v in fields.items() if k in {"name", "topic"} and v is not None})
        call.world.events.channel("update", found)
        return 200, found
    if fields.get("auto_archive_duration") is not None:
        check.one_of(fields, "auto_archive_duration", (), ARCHIVE_AFTER)
    _raise(check)
    mine = found["owner_id"] == str(call.world.application_id)
    metadata = {k: v for k, v in fields.items() if k in found["thread_metadata"] and v is not None}
    if not rights & p.MANAGE_THREADS and not (mine and "locked" not in metadata):
        waking = metadata == {"archived": False} and "name" not in fields
        if not waking or found["thread_metadata"]["locked"]:
            raise missing_permission()
    if found["thread_metadata"]["archived"] and metadata.get("archived") is not False:
        raise WireError(400, 50083, "Thread is archived")
    return 200, call.world.change_thread(channel_id, name=fields.get("name"), **metadata)


def delete(call: Call) -> Answer:
    found = _channel(call)
    if "guild_id" in found:
        _channel(call, p.MANAGE_THREADS if _is_thread(found) else p.MANAGE_CHANNELS)
        call.world.delete_channel(int(found["id"]))
    return 200, found


def _raise(check: Checker) -> None:
    if check.problems:
        raise InvalidFormError(check.problems)


# messages


def send(call: Call) -> Answer:
    found = _channel(call)
    _channel(call, p.SEND_MESSAGES_IN_THREADS if _is_thread(found) else p.SEND_MESSAGES)
    if call.files:
        _channel(call, p.ATTACH_FILES)
    if any(int(u["id"]) in call.world.dms_closed for u in found.get("recipients", ())):
        raise WireError(403, 50007, "Cannot send messages to this user")
    fields, channel_id = dict(call.fields), call.id("channel_id")
    if not call.world.permissions.in_channel(call.world.application_id, channel_id) & p.EMBED_LINKS:
        fields.pop("embeds", None)
    extra = _reply(call, fields) if fields.get("message_reference") else {}
    _unarchive(call, found)
    made = call.world.messages.create(channel_id, call.world.bot_user, fields, call.files, extra=extra)
    if _is_thread(found):
        call.world.join_thread(channel_id, call.world.application_id)
    return 200, made


def _reply(call: Call, fields: Json) -> Json:
    reference = fields["message_reference"]
    channel_id = call.id("channel_id")
    rights = call.world.permissions.in_channel(call.world.application_id, channel_id)
    if not rights & p.READ_MESSAGE_HISTORY:
        raise WireError(403, 160002, "You cannot reply without permission to read message history")
    target = call.world.messages.by_channel.get(channel_id, {}).get(int(reference["message_id"]))
    if target is None or target["flags"] & EPHEMERAL:
        if reference.get("fail_if_not_exists", True):
            problem = Problem(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
            raise InvalidFormError([problem])
        return {}
    place = {"type": 0, "channel_id": str(channel_id), "message_id": target["id"]}
    guild = call.world.channels[channel_id].get("guild_id")
    basic = {k: v for k, v in target.items() if k not in {"referenced_message", "reactions"}}
    return {
        "type": 19,
        "message_reference": place | ({"guild_id": guild} if guild else {}),
        "referenced_message": basic,
    }


def history(call: Call) -> Answer:
    found = _channel(call)
    limit = call.query_number("limit") if "limit" in call.query else 50
    if limit is None or not 1 <= limit <= 100:
        raise InvalidFormError([Problem(("limit",), "NUMBER_TYPE_MAX", "limit should be from 1 to 100.")])
    rights = call.world.permissions.in_channel(call.world.application_id, int(found["id"]))
    if not rights & p.READ_MESSAGE_HISTORY:
        return 200, []
    marks = {key: call.query_number(key) for key in ("before", "after", "around")}
    page = call.world.messages.page(int(found["id"]), limit, **marks)
    return 200, [call.world.permissions.readable(m) for m in page]


def _message(call: Call) -> Json:
    return call.world.messages.public(call.id("channel_id"), call.id("message_id"))


def _is_mine(call: Call, message: Json) -> bool:
    return bool(message["author"]["id"] == str(call.world.application_id))


def read(call: Call) -> Answer:
    _channel(call, p.READ_MESSAGE_HISTORY)
    return 200, call.world.permissions.readable(_message(call))


def edit(call: Call) -> Answer:
    found = _channel(call)
    message = _message(call)
    if not _is_mine(call, message):
        raise WireError(403, 50005, "Cannot edit a message authored by another user")
    if _is_thread(found) and found["thread_metadata"]["archived"]:
        raise WireError(400, 50083, "Thread is archived")
    if call.files:
        _channel(call, p.ATTACH_FILES)
    edited = call.world.messages.edit(message, call.fields, call.files)
    call.world.interactions.message_changed(int(message["id"]))
    return 200, edited


def remove(call: Call) -> Answer:
    _channel(call)
    message = _message(call)
    if not _is_mine(call, message):
        _channel(call, p.MANAGE_MESSAGES)
    call.world.delete_message(int(message["id"]))
    call.world.interactions.message_changed(int(message["id"]))
    return 204, None


def typing(call: Call) -> Answer:
    found = _channel(call, p.SEND_MESSAGES)
    call.world.events.typing(int(found["id"]))
    return 204, None


# threads


def thread_on_message(call: Call) -> Answer:
    _require_thread_parent(call, p.CREATE_PUBLIC_THREADS)
    message = _message(call)
    if call.id("message_id") in call.world.channels:
        raise WireError(400, 160004, "A thread has already been created for this message")
    thread = _create_thread(call, message_id=int(message["id"]))
    call.world.messages.replace(message | {"thread": thread, "flags": message["flags"] | 1 << 5})
    return 201, thread


def thread_alone(call: Call) -> Answer:
    private = (call.fields.get("type") or 12) == 12
    _require_thread_parent(call, p.CREATE_PRIVATE_THREADS if private else p.CREATE_PUBLIC_THREADS)
    thread = _create_thread(call, private=private)
    if not private:
        call.world.announce_thread(thread)
    return 201, thread


def _require_thread_parent(call: Call, needed: int) -> None:
    found = _channel(call, needed)
    if found["type"] != 0:
        raise WireError(400, 50024, "Cannot execute action on this channel type")


def _create_thread(call: Call, *, private: bool = False, message_id: int | None = None) -> Json:
    fields, check = call.fields, Checker()
    name = check.text(fields, "name", (), 1, 100)
    archive = 4320
    if fields.get("auto_archive_duration") is not None:
        archive = check.one_of(fields, "auto_archive_duration", (), ARCHIVE_AFTER)
    _raise(check)
    world, parent = call.world, call.id("channel_id")
    return world.add_thread(parent, name, world.application_id, private=private, message_id=message_id, archive=archive)


def _thread(call: Call) -> Json:
    found = _channel(call)
    if not _is_thread(found):
        raise WireError(400, 50024, "Cannot execute action on this channel type")
    return found


def thread_members(call: Call) -> Answer:
    return 200, list(call.world.thread_members[int(_thread(call)["id"])].values())


def thread_member(call: Call) -> Answer:
    member = call.world.thread_members[int(_thread(call)["id"])].get(call.id("user_id"))
    if member is None:
        raise WireError(404, 10013, "Unknown User")
    return 200, member


def _user_id(call: Call) -> int:
    return call.id("user_id") if "user_id" in call.params else call.world.application_id


def join(call: Call) -> Answer:
    found = _thread(call)
    if found["thread_metadata"]["archived"]:
        raise WireError(400, 50083, "Thread is archived")
    if _user_id(call) not in call.world.people():
        raise WireError(404, 10013, "Unknown User")
    call.world.join_thread(int(found["id"]), _user_id(call))
    return 204, None


def leave(call: Call) -> Answer:
    found = _thread(call)
    call.world.leave_thread(int(found["id"]), _user_id(call))
    return 204, None


def archived_threads(call: Call) -> Answer:
    parent = _channel(call, p.READ_MESSAGE_HISTORY)["id"]
    mine = [c for c in call.world.channels.values() if c.get("parent_id") == parent and c["type"] == 11]
    threads = [t for t in mine if t["thread_metadata"]["archived"]]
    return 200, {"threads": threads, "members": [], "has_more": False}


def direct(call: Call) -> Answer:
    recipient = int(call.fields.get("recipient_id") or 0)
    if recipient not in call.world.users:
        raise InvalidFormError([Problem(("recipient_id",), "USER_NOT_FOUND", "Unknown user")])
    return 200, call.world.channels[call.world.direct_channel(recipient)]


_CHANNEL = "/channels/{channel_id}"
ROUTES = (
    Route("GET", _CHANNEL, channel),
    Route("PATCH", _CHANNEL, change),
    Route("DELETE", _CHANNEL, delete),
    Route("GET", f"{_CHANNEL}/messages", history),
    Route("POST", f"{_CHANNEL}/messages", send),
    Route("GET", f"{_CHANNEL}/messages/{{message_id}}", read),
    Route("PATCH", f"{_CHANNEL}/messages/{{message_id}}", edit),
    Route("DELETE", f"{_CHANNEL}/messages/{{message_id}}", remove),
    Route("POST", f"{_CHANNEL}/messages/{{message_id}}/threads", thread_on_message),
    Route("POST", f"{_CHANNEL}/threads", thread_alone),
    Route("GET", f"{_CHANNEL}/threads/archived/public", archived_threads),
    Route("GET", f"{_CHANNEL}/thread-members", thread_members),
    Route("PUT", f"{_CHANNEL}/thread-members/@me", join),
    Route("DELETE", f"{_CHANNEL}/thread-members/@me", leave),
    Route("GET", f"{_CHANNEL}/thread-members/{{user_id}}", thread_member),
    Route("PUT", f"{_CHANNEL}/thread-members/{{user_id}}", join),
    Route("DELETE", f"{_CHANNEL}/thread-members/{{user_id}}", leave),
    Route("POST", f"{_CHANNEL}/typing", typing),
    Route("POST", "/users/@me/channels", direct),
)
