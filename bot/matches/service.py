"""The use cases of contests: how a single game or a match ends, and what follows from it."""

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.games.hooks import GameHook
from bot.games.live import LiveGame
from bot.matches.contests import ContestHook, FinishedContest


class MatchService(GameHook):
    """Tells the hooks when a contest ends, in the transaction of its last game."""

    def __init__(self) -> None:
        self.hooks: list[ContestHook] = []

    async def on_commit(self, connection: AsyncConnection, before: LiveGame | None, after: LiveGame) -> None:
        if not after.is_over or (before is not None and before.is_over):
            return
        contest = single_game(after)
        for hook in self.hooks:
            await hook.on_end(connection, contest)


def single_game(live: LiveGame) -> FinishedContest:
    """A finished game that is a contest of its own. Raises ValueError if it goes on."""
    header, outcome = live.record.header, live.outcome
    if outcome is None:
        raise ValueError("the game goes on")
    return FinishedContest(
        id=live.id,
        is_match=False,
        game=header.game,
        players=live.players,
        winner=outcome.winner,
        rated=header.rated,
        counts=live.table.counts,
        clock=header.clock,
        points=1,
        started=live.started,
        ended=live.started + live.entries[-1].at,
        guild_id=live.place.guild_id,
    )
