"""Tells one process among several in which servers the bot is, and how many processes there are."""

from collections.abc import Callable, Collection, Iterator

import discord


def servers_of(client: discord.Client) -> "KnownServers":
    """Returns the servers of a client."""
    runner = getattr(client, "runner", None)
    return KnownServers(client, runner.serves if runner is not None else lambda _: True)


def sharers_of(client: discord.Client) -> int:
    """Returns how many processes serve shards, this one included."""
    runner = getattr(client, "runner", None)
    return 1 if runner is None else max(1, min(runner.membership.processes, runner.membership.shard_count))


class KnownServers(Collection[int]):
    """The servers in which the bot is. Contains every server of another process's shards."""

    def __init__(self, client: discord.Client, serves: Callable[[int], bool]) -> None:
        self._ids = {guild.id for guild in client.guilds}
        self._serves = serves

    def __contains__(self, guild_id: object) -> bool:
        return guild_id in self._ids or not (isinstance(guild_id, int) and self._serves(guild_id))

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)
