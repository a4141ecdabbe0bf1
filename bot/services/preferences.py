"""What a person or a server prefers: a table of choices, each with its default."""

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.store.people import PeopleStore
from engine.core.errors import Refused

KEYS: Final[dict[str, tuple[str, ...]]] = {
    "preference.unknown": ("key",),
    "preference.choice": ("key", "value"),
}
"""The messages of this module, with their parameters."""
CACHED: Final = 10_000


@dataclass(frozen=True, slots=True)
class Preference:
    """One choice; the texts are ``preference.<key>`` and ``preference.<key>.<choice>``."""

    key: str
    choices: tuple[str, ...]
    default: str


LANGUAGE: Final = Preference("language", ("auto", "en", "es"), "auto")
THEME: Final = Preference("theme", ("wood", "slate", "contrast"), "wood")
USER: Final = (
    LANGUAGE,
    THEME,
    Preference("below", ("own", "mover", "first"), "own"),
    Preference("confirm", ("always", "long", "never"), "long"),
    Preference("forced", ("play", "ask"), "play"),
)
"""A person's. ``confirm`` long: only a turn of several steps is asked about before it is played."""
SERVER: Final = (
    LANGUAGE,
    THEME,
    Preference("threads", ("taken", "always"), "taken"),
    Preference("old_board", ("strip", "delete", "edit"), "strip"),
)
"""A server's: how its channels look."""
SCOPES: Final = {"user": USER, "server": SERVER}


class Preferences:
    """Looks choices up and keeps them; what was looked up lately stays in memory."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store
        self._cache: OrderedDict[tuple[str, int], Mapping[str, str]] = OrderedDict()

    async def of_user(self, user_id: int) -> Mapping[str, str]:
        """Every choice of a person, the defaults filled in."""
        return await self._of("user", user_id)

    async def of_server(self, guild_id: int | None) -> Mapping[str, str]:
        """Every choice of a server; the defaults in direct messages."""
        if guild_id is None:
            return {preference.key: preference.default for preference in SERVER}
        return await self._of("server", guild_id)

    async def set_user(self, user_id: int, key: str, value: str) -> None:
        """Raises Refused for a choice that there is not."""
        await self._set("user", user_id, key, value)

    async def set_server(self, guild_id: int, key: str, value: str) -> None:
        """Raises Refused for a choice that there is not."""
        await self._set("server", guild_id, key, value)

    async def _of(self, scope: str, id_: int) -> Mapping[str, str]:
        cached = self._cache.get((scope, id_))
        if cached is None:
            stored = await self._store.preferences(scope, id_)
            cached = {
                preference.key: value
                if (value := stored.get(preference.key, "")) in preference.choices
                else preference.default
                for preference in SCOPES[scope]
            }
            self._cache[scope, id_] = cached
            if len(self._cache) > CACHED:
                self._cache.popitem(last=False)
        return cached

    async def _set(self, scope: str, id_: int, key: str, value: str) -> None:
        preference = next((preference for preference in SCOPES[scope] if preference.key == key), None)
        if preference is None:
            raise Refused("preference.unknown", key=key)
        if value not in preference.choices:
            raise Refused("preference.choice", key=key, value=value)
        await self._store.prefer(scope, id_, key, value)
        self._cache.pop((scope, id_), None)
