"""Discord's gateway (documentation, "Gateway"): sessions over WebSockets, and their resumption."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiohttp import WSCloseCode, WSMsgType, web

from bot.sandbox.state import intents

if TYPE_CHECKING:
    from bot.sandbox.state.events import Dispatch
    from bot.sandbox.world import World

Json = dict[str, Any]
DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, MEMBERS, INVALID, HELLO, ACK = 0, 1, 2, 6, 7, 8, 9, 10, 11
RESUME_WINDOW = 120.0
"""Seconds in which a session without a connection can be resumed."""
HEARTBEAT_DELAY = 0.05
"""Seconds until a heartbeat is answered, as over a network. discord.py notes the time of its heartbeat only afterwards,
in another thread. It measures an earlier answer from the heartbeat before, and reports 41 s of delay.
"""


@dataclass(eq=False)
class Session:
    """A client's session: its shard and intents, and the events that it may have missed."""

    id: str
    shard: int
    shards: int
    intents: int
    socket: Socket | None = None
    sequence: int = 0
    sent: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=2000))
    silent: bool = False
    disconnected_at: float = 0.0

    def receives(self, event: Dispatch) -> bool:
        if event.intent and not self.intents & event.intent:
            return False
        shard = (event.guild_id >> 22) % self.shards if event.guild_id else 0
        return shard == self.shard

    def send(self, name: str, data: Any) -> None:
        self.sequence += 1
        text = json.dumps({"op": DISPATCH, "t": name, "s": self.sequence, "d": data}, separators=(",", ":"))
        self.sent.append((self.sequence, text))
        if self.socket is not None and not self.silent:
            self.socket.put(text)


class Socket:
    """A connection with a queue of messages, so that nothing in the world waits for a client."""

    def __init__(self, ws: web.WebSocketResponse, request: web.Request) -> None:
        self.ws = ws
        self._request = request
        self._queue: asyncio.Queue[str | int] = asyncio.Queue()
        self.stalled = False
        """Whether the connection carries nothing any more, as in a network that died silently."""

    def put(self, text: str) -> None:
        if not self.stalled:
            self._queue.put_nowait(text)

    def put_op(self, op: int, data: Any = None) -> None:
        self.put(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, code: int) -> None:
        """Closes the connection after all queued messages are sent."""
        self._queue.put_nowait(code)

    def abort(self) -> None:
        """Breaks the connection at once, like a lost network."""
        if self._request.transport is not None:
            self._request.transport.abort()

    async def send_queued(self) -> None:
        with contextlib.suppress(ConnectionError):
            while True:
                item = await self._queue.get()
                if isinstance(item, int):
                    await self.ws.close(code=item)
                    return
                await self.ws.send_str(item)


class Gateway:
    """All sessions over one world."""

    def __init__(self, world: World, url: str, *, heartbeat: float = 41.25) -> None:
        self._world = world
        self._url = url
        self._heartbeat = heartbeat
        self.sessions: dict[str, Session] = {}
        self.sockets: set[Socket] = set()
        self.identifies: list[tuple[int, int, bool]] = []
        """Every identify: the shard, the number of shards, and whether it came too early."""
        self._identified: dict[int, float] = {}
        """The moment at which a shard of each bucket last identified."""
        world.on_dispatch(self.event)
        world.faults.gateway = self

    def event(self, event: Dispatch) -> None:
        """Sends an event to every session that receives it. Forgets sessions without a connection for too long."""
        now = time.monotonic()
        for session in list(self.sessions.values()):
            if session.socket is None and now - session.disconnected_at > RESUME_WINDOW:
                del self.sessions[session.id]
            elif session.receives(event):
                session.send(event.name, self._readable(event, session.intents))

    def _readable(self, event: Dispatch, intents: int) -> Json:
        """Returns the data of an event as a session with these intents may read them."""
        hides = event.name in {"MESSAGE_CREATE", "MESSAGE_UPDATE"}
        return self._world.permissions.readable(event.data, intents) if hides else event.data

    async def handle(self, request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(max_msg_size=4096, compress=False)
        await ws.prepare(request)
        socket = Socket(ws, request)
        self.sockets.add(socket)
        sender = asyncio.create_task(socket.send_queued())
        session: Session | None = None
        socket.put_op(HELLO, {"heartbeat_interval": int(self._heartbeat * 1000)})
        try:
            async for message in ws:
                if message.type is not WSMsgType.TEXT:
                    break
                if not socket.stalled:
                    session = self._receive(socket, session, message.data)
        finally:
            self.sockets.discard(socket)
            sender.cancel()
            if session is not None and session.socket is socket:
                session.socket, session.disconnected_at = None, time.monotonic()
        return ws

    def _receive(self, socket: Socket, session: Session | None, text: str) -> Session | None:
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError):
            socket.close(4002)
            return session
        if op == HEARTBEAT:
            asyncio.get_running_loop().call_later(HEARTBEAT_DELAY, socket.put_op, ACK)
        elif op == IDENTIFY and session is None:
            return self._identify(socket, data)
        elif op == RESUME and session is None:
            return self._resume(socket, data)
        elif op in {IDENTIFY, RESUME}:
            socket.close(4005)
        elif session is None:
            socket.close(4003)
        elif op == MEMBERS:
            self._members(session, data)
        elif op not in {3, 4, 31}:
            socket.close(4001)
        return session

    def _identify(self, socket: Socket, data: Json) -> Session | None:
        world = self._world
        shard, shards = data.get("shard") or (0, 1)
        wanted = data["intents"] if isinstance(data.get("intents"), int) else -1
        token = str(data.get("token", "")).removeprefix("Bot ")
        code = None
        if world.token not in {None, token} or not token:
            code = 4004
        elif not 0 <= shard < shards:
            code = 4010
        elif not 0 <= wanted <= intents.ALL:
            code = 4013
        elif wanted & intents.PRIVILEGED & ~world.privileged_intents:
            code = 4014
        if code is not None:
            socket.close(code)
            return None
        bucket, now = shard % world.max_concurrency, time.monotonic()
        early = now - self._identified.get(bucket, -world.identify_pause) < world.identify_pause
        self.identifies.append((shard, shards, early))
        if early:
            socket.put_op(INVALID, data=False)
            return None
        self._identified[bucket] = now
        session = Session(secrets.token_hex(16), shard, shards, wanted, socket)
        self.sessions[session.id] = session
        guilds = [g for g in world.guilds if g not in world.without_bot and (g >> 22) % shards == shard]
        ready = {
            "v": 10,
            "user": world.bot_user | {"mfa_enabled": False, "verified": True, "email": None},
            "guilds": [{"id": str(g), "unavailable": True} for g in guilds],
            "private_channels": [],
            "session_id": session.id,
            "resume_gateway_url": self._url,
            "session_type": "normal",
            "shard": [shard, shards],
            "application": {"id": str(world.application_id), "flags": 0},
        }
        session.send("READY", ready)
        if wanted & intents.GUILDS:
            for guild_id in guilds:
                session.send("GUILD_CREATE", world.guild_create(guild_id))
        return session

    def _resume(self, socket: Socket, data: Json) -> Session | None:
        session = self.sessions.get(str(data.get("session_id")))
        sequence = data.get("seq")
        if session is None or not isinstance(sequence, int) or sequence > session.sequence:
            socket.put_op(INVALID, data=False)
            return None
        session.socket, session.silent = socket, False
        for number, text in session.sent:
            if number > sequence:
                socket.put(text)
        session.send("RESUMED", {"_trace": []})
        return session

    def _members(self, session: Session, data: Json) -> None:
        world, guild_id = self._world, int(data["guild_id"])
        wanted = data.get("user_ids")
        prefix = str(data.get("query") or "")
        ids = [*world.members[guild_id], world.application_id]
        if wanted is not None:
            asked = {int(i) for i in (wanted if isinstance(wanted, list) else [wanted])}
            ids = [i for i in ids if i in asked]
        members = [world.member(guild_id, i) for i in ids]
        members = [m for m in members if m["user"]["username"].startswith(prefix)][: data.get("limit") or None]
        chunk = {"guild_id": str(guild_id), "members": members, "chunk_index": 0, "chunk_count": 1, "not_found": []}
        session.send("GUILD_MEMBERS_CHUNK", chunk | ({"nonce": data["nonce"]} if "nonce" in data else {}))

    # faults

    def drop(self, *, resume: bool) -> None:
        if not resume:
            self.sessions.clear()
        for socket in list(self.sockets):
            socket.abort()

    def reconnect(self) -> None:
        for socket in self.sockets:
            socket.put_op(RECONNECT)

    def invalidate(self, *, resume: bool) -> None:
        if not resume:
            self.sessions.clear()
        for socket in self.sockets:
            socket.put_op(INVALID, resume)

    def silence(self, shard: int | None) -> None:
        for session in self.sessions.values():
            if shard is None or session.shard == shard:
                session.silent = True

    def stall(self, shard: int | None) -> None:
        for session in self.sessions.values():
            if session.socket is not None and shard in {None, session.shard}:
                session.socket.stalled = True

    async def close(self) -> None:
        for socket in list(self.sockets):
            await socket.ws.close(code=WSCloseCode.GOING_AWAY)
