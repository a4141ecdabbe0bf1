"""Payloads of interactions: the data for the bot, and the fields of its answers that refer to the interaction."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any

from bot.sandbox.interactions.interaction import (
    COMMAND,
    COMPONENT,
    DEFERRED_MESSAGE,
    MESSAGE,
    OPEN_MODAL,
    UPDATE,
    Interaction,
)
from bot.sandbox.state.permissions import REPORTED_BETWEEN, REPORTED_DIRECT
from bot.sandbox.validation import messages as message_rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.sandbox.state.data import WorldData
    from bot.sandbox.state.effective_permissions import EffectivePermissions

Json = dict[str, Any]


def new_interaction(
    world: WorldData,
    permissions: EffectivePermissions,
    kind: str,
    interaction_type: int,
    user_id: int,
    channel_id: int,
    data: Json,
) -> Interaction:
    """Creates an interaction with everything that Discord sends besides its data (documentation, "Interaction
    Structure").
    """
    identity, token = world.ids(), secrets.token_urlsafe(60)
    channel, person = world.channels[channel_id], world.users[user_id]
    payload: Json = {
        "id": str(identity),
        "application_id": str(world.application_id),
        "type": interaction_type,
        "data": data,
        "channel_id": str(channel_id),
        "channel": channel | {"permissions": str(permissions.in_channel(user_id, channel_id))},
        "token": token,
        "version": 1,
        "locale": person["locale"],
        "entitlements": [],
        "attachment_size_limit": message_rules.UPLOAD_LIMIT,
    }
    if "guild_id" in channel:
        guild_id = int(channel["guild_id"])
        guild = world.guilds[guild_id]
        away = guild_id in world.without_bot
        payload |= {
            "guild_id": channel["guild_id"],
            "guild": {"id": guild["id"], "locale": guild["preferred_locale"], "features": guild["features"]},
            "guild_locale": guild["preferred_locale"],
            "member": world.member(guild_id, user_id)
            | {"permissions": str(permissions.in_channel(user_id, channel_id))},
            "app_permissions": str(permissions.in_channel(world.application_id, channel_id)),
            "context": 0,
            "authorizing_integration_owners": {"1": str(user_id)} if away else {"0": guild["id"]},
        }
    else:
        away = channel_id in world.without_bot
        payload |= {
            "user": world.person(user_id),
            "app_permissions": str(REPORTED_BETWEEN if away else REPORTED_DIRECT),
            "context": 2 if away else 1,
            "authorizing_integration_owners": {"1": str(user_id)} if away else {"0": "0"},
        }
    return Interaction(identity, interaction_type, kind, user_id, channel_id, payload, token)


def answer_message_fields(sent: Interaction, world: WorldData) -> Json:
    """Returns the fields of a message that refer to the interaction it answers."""
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


def _metadata(sent: Interaction, world: WorldData) -> Json:
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
    """Returns the full path of the command in an interaction's data, "abak move play"."""
    parts, options = [data["name"]], data.get("options") or []
    while options and options[0]["type"] in {1, 2}:
        parts.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(parts)


def callback_response(sent: Interaction, kind: int) -> Json:
    found: Json = {"id": str(sent.id), "type": sent.type, "channel_id": str(sent.channel_id)}
    if "guild_id" in sent.payload:
        found["guild_id"] = sent.payload["guild_id"]
    if sent.original is not None and kind != OPEN_MODAL:
        found["response_message_id"] = str(sent.original)
    if sent.message is None or kind not in {MESSAGE, DEFERRED_MESSAGE, UPDATE}:
        return {"interaction": found}
    found["response_message_loading"] = kind == DEFERRED_MESSAGE
    found["response_message_ephemeral"] = bool(sent.message["flags"] & message_rules.EPHEMERAL)
    if kind == DEFERRED_MESSAGE:
        return {"interaction": found}
    return {"interaction": found, "resource": {"type": kind, "message": sent.message}}
