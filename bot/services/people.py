"""What people are called, for the boards' frames and lists; and what they have learnt."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

from bot.store.people import PeopleStore

CACHED: Final = 10_000
LENGTH: Final = 64


class People:
    """Names as Discord showed them last; written only when they change."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store
        self._names: OrderedDict[int, str] = OrderedDict()

    async def seen(self, user_id: int, name: str) -> None:
        """Notes what a person is called."""
        name = name[:LENGTH]
        if self._names.get(user_id) != name:
            await self._store.call(user_id, name)
            self._keep(user_id, name)

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The name of each; empty for who was never seen."""
        wanted = set(user_ids)
        unknown = wanted - self._names.keys()
        if unknown:
            for user_id, name in (await self._store.names(unknown)).items():
                self._keep(user_id, name)
        return {user_id: self._names.get(user_id, "") for user_id in wanted}

    async def pair(self, players: tuple[int, int]) -> tuple[str, str]:
        """The names of a game's two players, by seat."""
        names = await self.names(players)
        return names[players[0]], names[players[1]]

    def _keep(self, user_id: int, name: str) -> None:
        self._names[user_id] = name
        self._names.move_to_end(user_id)
        if len(self._names) > CACHED:
            self._names.popitem(last=False)


class Learning:
    """Which lessons of the guided tours a person has done."""

    def __init__(self, store: PeopleStore) -> None:
        self._store = store

    async def done(self, user_id: int, game: str) -> set[str]:
        return await self._store.lessons(user_id, game)

    async def complete(self, user_id: int, game: str, lesson: str) -> None:
        await self._store.done(user_id, game, lesson)
