"""Chooses the process that gets an interaction: exactly one, as on Discord, with and without shards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.sandbox.gateway import Session, Socket
    from bot.sandbox.server import Server
    from bot.sandbox.state.events import Dispatch
    from soak.journal import Journal

Json = dict[str, Any]


class Delivery:
    """Stands before the gateway of the stand-in. Each process has a token of its own, which names it."""

    def __init__(self, server: Server, journal: Journal) -> None:
        self.gateway = server.gateway
        self.journal = journal
        self.owners: dict[str, str] = {}
        """The token of each session."""
        self.doubles = 0
        """How many of the next interactions are delivered twice."""
        listeners = server.world.events.dispatch_listeners
        listeners[listeners.index(self.gateway.event)] = self._event
        self._identify = self.gateway._identify
        setattr(self.gateway, "_identify", self._tagged)  # noqa: B010  mypy takes no assignment to a method

    def _tagged(self, socket: Socket, data: Json) -> Session | None:
        session = self._identify(socket, data)
        if session is not None:
            self.owners[session.id] = str(data.get("token", "")).removeprefix("Bot ")
        return session

    def sessions(self, owner: str) -> list[Session]:
        """Returns the sessions of a process, connected or not."""
        return [one for one in self.gateway.sessions.values() if self.owners.get(one.id) == owner]

    def connected(self, owner: str) -> bool:
        """Returns whether a process is connected and receives events."""
        return any(_open(one) and not one.silent for one in self.sessions(owner))

    def served(self) -> bool:
        """Returns whether every shard has a connection that receives events."""
        hearing = [one for one in self.gateway.sessions.values() if one.socket is not None and not one.silent]
        return bool(hearing) and len({one.shard for one in hearing}) == hearing[-1].shards

    def _event(self, event: Dispatch) -> None:
        if event.name != "INTERACTION_CREATE":
            self.gateway.event(event)
            return
        call = self.journal.calls[int(event.data["id"])]
        session = self._choose(event)
        if session is None:
            call.fault = "no process is connected"
            return
        call.owner = self.owners.get(session.id, "")
        if not _open(session):
            call.fault = "no process is connected"
        elif session.silent or (session.socket is not None and session.socket.stalled):
            call.fault = "the connection is dead"
        session.send(event.name, event.data)
        if self.doubles:
            self.doubles -= 1
            call.doubled = True
            session.send(event.name, event.data)

    def _choose(self, event: Dispatch) -> Session | None:
        """Returns the newest session of the shard; where all have the same shard, by server."""
        hearing = [one for one in self.gateway.sessions.values() if one.receives(event)]
        among = [one for one in hearing if one.socket is not None] or hearing
        if not among:
            return None
        if among[0].shards > 1:
            return among[-1]
        newest = {self.owners.get(one.id, ""): one for one in among}
        place = event.guild_id or int(event.data["channel_id"])
        return newest[sorted(newest)[(place >> 22) % len(newest)]]


def _open(session: Session) -> bool:
    """Returns whether something can still be sent: a process that stops says goodbye, and has not done so."""
    return session.socket is not None and not session.socket.ws.closed
