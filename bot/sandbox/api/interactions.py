"""Answers to interactions, and the webhook that an interaction's token opens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.sandbox.api.call import Answer, Call, Route

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction


def callback(call: Call) -> Answer:
    token = call.params["interaction_token"]
    found = call.world.interactions.answer(call.id("interaction_id"), token, call.fields, call.files)
    return (200, found) if call.query_flag("with_response") else (204, None)


def _sent(call: Call) -> Interaction:
    return call.world.interactions.by_token(call.id("webhook_id"), call.params["webhook_token"])


def _message(call: Call) -> int | None:
    return call.id("message_id") if "message_id" in call.params else None


def follow_up(call: Call) -> Answer:
    return 200, call.world.interactions.follow_up(_sent(call), call.fields, call.files)


def read(call: Call) -> Answer:
    return 200, call.world.interactions.find(_sent(call), _message(call))


def edit(call: Call) -> Answer:
    return 200, call.world.interactions.edit(_sent(call), _message(call), call.fields, call.files)


def delete(call: Call) -> Answer:
    call.world.interactions.delete(_sent(call), _message(call))
    return 204, None


_HOOK = "/webhooks/{webhook_id}/{webhook_token}"
ROUTES = (
    Route("POST", "/interactions/{interaction_id}/{interaction_token}/callback", callback, public=True),
    Route("POST", _HOOK, follow_up, public=True),
    *(
        Route(method, f"{_HOOK}/messages/{which}", answer, public=True)
        for which in ("@original", "{message_id}")
        for method, answer in (("GET", read), ("PATCH", edit), ("DELETE", delete))
    ),
)
