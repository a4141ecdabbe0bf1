"""The games of a month of correspondence, and what their players do in them and when."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes.month_outages import DATABASE, SHARDS

from bot.games.actions import why_not_repeat
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.clock import LAG, SECOND
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import TURN_KINDS
from engine.core.timekeeping import ABANDONED, SYSTEM_KINDS
from engine.registry import GAMES

if TYPE_CHECKING:
    from fakes.month import Month

CONTROLS = ("1d/move", "3d/move", "12h/move", "2d+12h", "3d+6h", "1d 12h/move", "10m+5s", "15m", "10m 5s/move", "")
CALM = ("1d/move", "3d/move", "7d/move", "3d+12h", "6h/move")
"""What a game is adjourned to."""
TWINS = 60
"""How many games there are for each pair of games that somebody leaves at once."""
FEW, MANY = 6, 30
"""Turns after which they leave, and before which nobody else ends such a game."""
BRINK = (-5 * SECOND, -1, 0, SECOND, LAG - 1, LAG, LAG + 1, MINUTE)
"""When a move comes that comes about when time is up, after the deadline."""


@dataclass
class Plan:
    """The intentions of the players of a game."""

    shard: int
    turns: int
    """After so many the game is brought to an end."""
    gone: dict[int, int]
    """From how many turns on a player acts no more."""
    key: int = -1
    """How many entries that players made their next act is planned for."""
    due: int | None = None


class Games:
    """By their ids, in `plans`."""

    def __init__(self, month: Month) -> None:
        self.month, self.random, self.clock = month, month.random, month.clock
        self.plans: dict[str, Plan] = {}

    async def start(self) -> None:
        number = len(self.plans)
        if number >= self.month.number:  # twins took its place
            return
        shard = self.random.choice(SHARDS)
        if self.month.later(shard, self.start):
            return
        choose = self.random.choice
        game = choose(list(GAMES))
        players = tuple(self.random.sample(self.month.people.ids, 2))
        guild = None if shard == 0 and self.random.random() < 0.2 else (4 * number + shard) << 22
        control = choose(CONTROLS)
        policy = choose(("loss", "claim")) if control else ""
        turns = self.random.randrange(2, 11)
        gone = {user: self.random.randrange(12) for user in players if self.random.random() < 0.15}
        options = {"cube": "on"} if game in {"backgammon", "abak"} and self.random.random() < 0.3 else {}
        await self._open(Plan(shard, turns, gone), guild, game, players, options, (control, policy))
        if number % TWINS == 0:  # somebody leaves two games at once, and loses both within a day: one is not to count
            for _ in range(2):
                plan = Plan(shard, MANY, {players[0]: FEW})
                guild = (4 * len(self.plans) + shard) << 22
                await self._open(plan, guild, "abalone", players, {}, ("1d/move", "loss"))

    async def _open(
        self,
        plan: Plan,
        guild: int | None,
        game: str,
        players: tuple[int, ...],
        options: dict[str, str],
        time: tuple[str, str],
    ) -> None:
        number = len(self.plans)
        self.plans[f"g{number + 1}"] = plan
        place = Place(guild, 20_000_000 + number)
        await self.month.services[GameService].open(
            NewGame(game, options, place, "en", clock=time[0], timeout_policy=time[1]), players
        )

    def heard(self, live: LiveGame) -> None:
        """Plans the acts of the players after an entry of a game."""
        plan, table, now = self.plans[live.id], live.table, self.clock.at
        plan.due = None
        if table.outcome is not None:
            return
        started = table.record.header.started
        if table.deadline is not None:
            plan.due = started + table.deadline + LAG
            self.month.at(plan.due + self.random.randrange(5 * SECOND), self.time_up, live.id)
        if table.resuming is not None:  # the other agrees, or the day passes
            plan.due = started + table.resuming.at
            self.month.at(plan.due + self.random.randrange(5 * SECOND), self.time_up, live.id)
            if self.random.random() < 0.5:
                other = live.players[1 - table.resuming.seat]
                self.month.at(now + self.random.randrange(MINUTE, 2 * DAY), self.resume, live.id, plan.key, other)
            return
        key = sum(entry.kind not in SYSTEM_KINDS for entry in table.record.entries) + (table.overdue is not None)
        if key == plan.key:
            return
        plan.key = key
        turns = sum(entry.kind in TURN_KINDS for entry in table.record.entries)
        if table.paused:
            moment = now + self.random.randrange(MINUTE, 3 * DAY)
            self.month.at(moment, self.resume, live.id, key, self.random.choice(live.players))
            return
        actor = table.to_act or 0
        if table.overdue is not None or table.clock is None:
            wait = 0 if table.overdue is not None else ABANDONED
            self.month.at(now + wait + self.random.randrange(MINUTE, 2 * DAY), self.claim, live.id, key)
        acting = [live.players[1 - table.offer.seat]] if table.offer is not None else []
        acting.append(live.players[actor])
        vanish = self.month.people.vanish
        here = [user for user in acting if plan.gone.get(user, 99) > turns and vanish.get(user, now + 1) > now]
        if here and not (table.overdue is not None and self.random.random() < 0.6):
            self.month.at(now + self._delay(live), self.act, live.id, key, here[0])

    def _delay(self, live: LiveGame) -> int:
        """Returns how long the player to act takes to answer, in ms."""
        table, now, choose = live.table, self.clock.at, self.random
        if table.clock is None or table.deadline is None:
            return int(choose.expovariate(1 / (5 * HOUR)))
        left = max(1, table.record.header.started + table.deadline - now)
        fate = choose.random()
        if fate < 0.03:
            return left + choose.choice(BRINK)
        if fate < 0.06:
            return int(left * choose.uniform(0.7, 1))
        allowance = table.clock.spec.bank + table.clock.spec.per_turn
        return int(choose.expovariate(20 / min(allowance, 4 * DAY)))

    async def time_up(self, game_id: str) -> None:
        plan = self.plans[game_id]
        if plan.due is None or plan.due > self.clock.at or self.month.outages.hit(plan.shard) is not None:
            return
        await self.month.outages.tick()

    async def _try(self, game_id: str, key: int, act: Callable[[LiveGame], Any], again: Sequence[Any]) -> None:
        """Does something if nothing has come between; later, if the bot is away."""
        plan = self.plans[game_id]
        away = self.month.outages.hit(plan.shard)
        if away is not None:
            if away.what == DATABASE:
                with contextlib.suppress(ConnectionError, Refused):  # whoever attempts gets nowhere
                    await self.month.services[GameService].resign(game_id, 0, 1)
            self.month.at(away.until + self.random.randrange(1, 3 * HOUR), *again)
            return
        if plan.key != key:
            return
        live = await self.month.services[GameService].get(game_id)
        try:
            await act(live)
        except Refused as refusal:
            if refusal.key not in {"table.time_up", "table.over", "table.not_paused"}:
                raise

    async def resume(self, game_id: str, key: int, user: int) -> None:
        again = (self.resume, game_id, key, user)

        async def act(live: LiveGame) -> None:
            if live.paused and (live.resuming is None or live.players[live.resuming.seat] != user):
                await self.month.services[GameService].resume(game_id, user)

        await self._try(game_id, key, act, again)

    async def claim(self, game_id: str, key: int) -> None:
        async def act(live: LiveGame) -> None:
            actor = live.table.to_act or 0
            if live.table.clock is None and live.table.outcome is None:
                live = await self.month.services[GameService].tick(game_id)
                if not live.table.may_claim(1 - actor, self.clock.at - live.table.record.header.started):
                    self.month.at(self.clock.at + DAY, self.claim, game_id, key)
                    return
            if live.table.clock is None or live.table.overdue is not None:
                what = self.random.choice(("win", "win", "draw"))
                await self.month.services[GameService].claim(game_id, live.players[1 - actor], what, seq=live.seq)

        await self._try(game_id, key, act, (self.claim, game_id, key))

    async def act(self, game_id: str, key: int, user: int) -> None:
        async def act(live: LiveGame) -> None:
            await self._act(live, user)

        await self._try(game_id, key, act, (self.act, game_id, key, user))

    async def _act(self, live: LiveGame, user: int) -> None:
        games, table, plan = self.month.services[GameService], live.table, self.plans[live.id]
        seat = live.players.index(user)
        turns = sum(entry.kind in TURN_KINDS for entry in table.record.entries)
        if table.offer is not None and table.offer.seat != seat:
            accept = self.random.random() < 0.7
            plan.turns += 0 if accept else 4
            await games.answer(live.id, user, accept=accept, seq=live.seq)
            return
        fate = self.random.random()
        if table.offer is None and turns >= plan.turns:
            if fate < 0.5:
                await games.resign(live.id, user, table.game.resign_values(table.state, seat)[-1])
            elif fate < 0.8 and not declined(live, "draw"):
                await games.offer(live.id, user, "draw", seq=live.seq)
            else:
                plan.gone |= dict.fromkeys(live.players, 0)  # nobody plays on
                await self._turn(live, user)
            return
        if table.offer is None and table.clock is not None and fate < 0.05:
            control = str(table.clock.spec)
            others = [one for one in CALM if one != control]
            what = "pause" if fate < 0.025 else f"adjourn {self.random.choice(others)}"
            if not declined(live, what):
                await games.offer(live.id, user, what, seq=live.seq)
                return
        await self._turn(live, user)

    async def _turn(self, live: LiveGame, user: int) -> None:
        game, state = live.table.game, live.table.state
        seat, steps = game.to_act(state), []
        while game.to_act(state) == seat:
            steps.append(self.random.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
        text = game.format(live.table.state, tuple(steps))
        try:
            await self.month.services[GameService].play(live.id, user, live.seq, text)
        except Refused:
            raise
        except RuleError as error:
            raise AssertionError(f"{game.key}: {text} at {game.encode(live.table.state)}") from error


def declined(live: LiveGame, what: str) -> bool:
    """Returns whether the player to act has been refused this since their last turn, and therefore may not
    ask again.
    """
    return why_not_repeat(live.table, live.table.to_act or 0, what) is not None
