"""The preferences of users and servers, and the names of users."""

import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.cache import Cache
from bot.core.translations import Language
from bot.players.machines import is_machine
from bot.players.mentions import is_former, unmentioned
from bot.players.preferences import DEFAULTS, SCOPES, offers
from bot.players.repository import PlayerNameRepository, PreferenceRepository
from bot.players.tables import SERVER as OF_SERVER
from bot.players.tables import USER as OF_USER
from engine.core.errors import RuleError

LENGTH: Final = 100
MET_SECONDS: Final = 6 * 3600.0
"""How long this process remembers that a user's last meeting is stored."""
HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode's categories of characters that break a line, change the text's direction, or are invisible."""
JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
"""Hidden characters that names may need: in some scripts, and in emoji made of several."""


class PreferenceService:
    """Reads and sets preferences. Changes are announced to the other processes."""

    def __init__(
        self, store: PreferenceRepository, memory: Cache[tuple[str, int], Mapping[str, str]] | None = None
    ) -> None:
        self.store = store
        self._cache = Cache() if memory is None else memory
        self._listeners: list[Callable[[int, str], Awaitable[None]]] = []

    def subscribe(self, listener: Callable[[int, str], Awaitable[None]]) -> None:
        """Calls ``listener`` with the user's id and the key after a user's preference was set."""
        self._listeners.append(listener)

    async def of_user(self, user_id: int, within: AsyncConnection | None = None) -> Mapping[str, str]:
        """Returns a value for every key of USER.

        A caller in a transaction must pass its connection as ``within``. If each transaction took a second connection
        from PostgreSQL's pool, all could hold one and wait for another: a deadlock.
        """
        return await self._of(OF_USER, user_id, within)

    async def of_server(self, guild_id: int | None) -> Mapping[str, str]:
        """Returns a value for every key of SERVER; the defaults in direct messages."""
        return DEFAULTS[OF_SERVER] if guild_id is None else await self._of(OF_SERVER, guild_id)

    async def set_user(self, user_id: int, key: str, value: str) -> None:
        """Sets a preference of a user. Raises RuleError if the key or the value is not valid."""
        await self._set(OF_USER, user_id, key, value)
        for listener in self._listeners:
            await listener(user_id, key)

    async def set_server(self, guild_id: int, key: str, value: str) -> None:
        """Sets a preference of a server. Raises RuleError if the key or the value is not valid."""
        await self._set(OF_SERVER, guild_id, key, value)

    async def plays_forced(self, user_id: int) -> bool:
        """Returns whether forced turns are played for the user. Called by ``GameService``."""
        return (await self.of_user(user_id))["forced"] == "play"

    async def rolls(self, user_id: int) -> bool:
        """Returns whether dice are rolled for the user even when they could double. Called by ``GameService``."""
        return (await self.of_user(user_id))["roll"] == "auto"

    def forget_changed(self, scope: str, of: str | None) -> None:
        """Drops the preferences of a user or server that another process has changed; all of the scope for None."""
        if of is None:
            self._cache.clear()
        else:
            self._cache.drop((scope, int(of)))

    def forget(self, user_id: int | None) -> None:
        """Drops a user's preferences from the cache, as they were deleted; everything for None."""
        if user_id is None:
            self._cache.clear()
        else:
            self._cache.drop((OF_USER, user_id))

    async def _of(self, scope: str, of: int, within: AsyncConnection | None = None) -> Mapping[str, str]:
        known = self._cache.get((scope, of))
        if known is None:
            generation = self._cache.generation
            chosen = await self.store.chosen(scope, of, within)
            # only an earlier release may have offered the stored value
            valid = {key: value for key, value in chosen.items() if offers(scope, key, value)}
            known = MappingProxyType({**DEFAULTS[scope], **valid})
            self._cache.keep((scope, of), known, generation)
        return known

    async def _set(self, scope: str, of: int, key: str, value: str) -> None:
        preference = SCOPES[scope].get(key)
        if preference is None:
            raise RuleError("preference.unknown", preference=key, preferences=", ".join(SCOPES[scope]))
        if preference.read is not None:
            value = preference.read(value)
        elif value not in preference.choices:
            raise RuleError("preference.choice", preference=key, value=value, choices=", ".join(preference.choices))
        try:
            await self.store.choose(scope, of, key, value)
        finally:  # also after a cancellation: only the database knows whether the value was committed
            self._cache.drop((scope, of))


class PlayerNames:
    """The names of users. ``now`` returns milliseconds since 1970.

    A user has one name for all servers: their global Discord name, not a nickname.
    """

    def __init__(
        self, store: PlayerNameRepository, now: Callable[[], int], memory: Cache[int, str] | None = None
    ) -> None:
        self.store = store
        self._now = now
        self._cache = Cache() if memory is None else memory
        self._met: Cache[int, int] = Cache(seconds=MET_SECONDS)
        """The users whose last meeting was stored a short time ago."""

    async def seen(self, user_id: int, name: str) -> None:
        """Stores a user's name if it has changed, and once a day the time of their meeting.

        A name without visible characters is ignored.
        """
        seen = "".join(sign for sign in name if sign in JOINERS or unicodedata.category(sign) not in HIDDEN)
        shown = seen.strip()[:LENGTH].strip()
        if not shown.strip(JOINERS) or (self._met.get(user_id) and (await self.names([user_id]))[user_id] == shown):
            return
        try:
            await self.store.name(user_id, shown, self._now())
        finally:
            self._cache.drop(user_id)
        self._cache.keep(user_id, shown, self._cache.generation)
        self._met.keep(user_id, 1, self._met.generation)

    def forget(self, user_id: int | None) -> None:
        """Drops a user's name from the cache, as it was deleted; every name for None."""
        for cache in (self._cache, self._met):
            if user_id is None:
                cache.clear()
            else:
                cache.drop(user_id)

    async def names(self, user_ids: Iterable[int], say: Language | None = None) -> dict[int, str]:
        """Returns the name of each user; "" if it is unknown. In ``say``, machines and former players are called so."""
        unique_ids = dict.fromkeys(user_ids)
        others = {
            user_id: unmentioned(user_id, say) if say else ""
            for user_id in unique_ids
            if is_machine(user_id) or is_former(user_id)
        }
        return others | await self._known([user_id for user_id in unique_ids if user_id not in others])

    async def _known(self, unique_ids: Sequence[int]) -> dict[int, str]:
        known = {user_id: name for user_id in unique_ids if (name := self._cache.get(user_id)) is not None}
        missing = [user_id for user_id in unique_ids if user_id not in known]
        if missing:
            generation = self._cache.generation
            found = await self.store.names(missing)
            for user_id in missing:
                known[user_id] = found.get(user_id, "")
                self._cache.keep(user_id, known[user_id], generation)
        return {user_id: known[user_id] for user_id in unique_ids}
