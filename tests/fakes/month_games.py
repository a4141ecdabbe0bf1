"""The games of a month of correspondence, and what their players do in them and when."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fakes.month_outages import DATABASE, LANES

from bot.games.service import Place, Seated, once
from engine.core.clock import LAG, SECOND
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import TURNS
from engine.core.timekeeping import ABANDONED, NOTED
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
    """What the players of a game mean to do."""

    lane: int
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
        lane = self.random.choice(LANES)
        if self.month.later(lane, self.start):
            return
        choose = self.random.choice
        game = choose(list(GAMES))
        players = tuple(self.random.sample(self.month.people.ids, 2))
        guild = None if lane == 0 and self.random.random() < 0.2 else (4 * number + lane) << 22
        control = choose(CONTROLS)
        policy = choose(("loss", "claim")) if control else ""
        turns = self.random.randrange(2, 11)
        gone = {user: self.random.randrange(12) for user in players if self.random.random() < 0.15}
        options = {"cube": "on"} if game in {"backgammon", "abak"} and self.random.random() < 0.3 else {}
        await self._open(Plan(lane, turns, gone), guild, game, players, options, (control, policy))
        if number % TWINS == 0:  # somebody leaves two games at once, and loses both within a day: one is not to count
            for _ in range(2):
                plan = Plan(lane, MANY, {players[0]: FEW})
                guild = (4 * len(self.plans) + lane) << 22
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
        await self.month.services.tables.open(game, options, players, place, "en", clock=time[0], policy=time[1])

    def heard(self, seated: Seated) -> None:
        """Something was added to a game: what its players make of it."""
        plan, table, now = self.plans[seated.id], seated.table, self.clock.at
        plan.due = None
        if table.outcome is not None:
            return
        started = table.record.header.started
        if table.deadline is not None:
            plan.due = started + table.deadline + LAG
            self.month.at(plan.due + self.random.randrange(5 * SECOND), self.time_up, seated.id)
        key = sum(entry.kind not in NOTED for entry in table.record.entries) + (table.overdue is not None)
        if key == plan.key:
            return
        plan.key = key
        turns = sum(entry.kind in TURNS for entry in table.record.entries)
        if table.paused:
            moment = now + self.random.randrange(MINUTE, 3 * DAY)
            self.month.at(moment, self.resume, seated.id, key, self.random.choice(seated.players))
            return
        actor = table.to_act or 0
        if table.overdue is not None or table.clock is None:
            wait = 0 if table.overdue is not None else ABANDONED
            self.month.at(now + wait + self.random.randrange(MINUTE, 2 * DAY), self.claim, seated.id, key)
        acting = [seated.players[1 - table.offer.seat]] if table.offer is not None else []
        acting.append(seated.players[actor])
        vanish = self.month.people.vanish
        here = [user for user in acting if plan.gone.get(user, 99) > turns and vanish.get(user, now + 1) > now]
        if here and not (table.overdue is not None and self.random.random() < 0.6):
            self.month.at(now + self._delay(seated), self.act, seated.id, key, here[0])

    def _delay(self, seated: Seated) -> int:
        """How long somebody takes to answer."""
        table, now, choose = seated.table, self.clock.at, self.random
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
        if plan.due is None or plan.due > self.clock.at or self.month.outages.hit(plan.lane) is not None:
            return
        await self.month.outages.tick()

    async def _try(self, game_id: str, key: int, act: Callable[[Seated], Any], again: Sequence[Any]) -> None:
        """Does something if nothing has come between; later, if the bot is away."""
        plan = self.plans[game_id]
        away = self.month.outages.hit(plan.lane)
        if away is not None:
            if away.what == DATABASE:
                with contextlib.suppress(ConnectionError, Refused):  # whoever tries gets nowhere
                    await self.month.services.tables.resign(game_id, 0, 1)
            self.month.at(away.until + self.random.randrange(1, 3 * HOUR), *again)
            return
        if plan.key != key:
            return
        seated = await self.month.services.tables.get(game_id)
        try:
            await act(seated)
        except Refused as refusal:
            if refusal.key not in {"table.time_up", "table.over"}:
                raise

    async def resume(self, game_id: str, key: int, user: int) -> None:
        again = (self.resume, game_id, key, user)
        await self._try(game_id, key, lambda _: self.month.services.tables.resume(game_id, user), again)

    async def claim(self, game_id: str, key: int) -> None:
        async def act(seated: Seated) -> None:
            actor = seated.table.to_act or 0
            if seated.table.clock is None and seated.table.outcome is None:
                seated = await self.month.services.tables.tick(game_id)
                if not seated.table.may_claim(1 - actor, self.clock.at - seated.table.record.header.started):
                    self.month.at(self.clock.at + DAY, self.claim, game_id, key)
                    return
            if seated.table.clock is None or seated.table.overdue is not None:
                what = self.random.choice(("win", "win", "draw"))
                await self.month.services.tables.claim(game_id, seated.players[1 - actor], what, seq=seated.seq)

        await self._try(game_id, key, act, (self.claim, game_id, key))

    async def act(self, game_id: str, key: int, user: int) -> None:
        async def act(seated: Seated) -> None:
            await self._act(seated, user)

        await self._try(game_id, key, act, (self.act, game_id, key, user))

    async def _act(self, seated: Seated, user: int) -> None:
        tables, table, plan = self.month.services.tables, seated.table, self.plans[seated.id]
        seat = seated.players.index(user)
        turns = sum(entry.kind in TURNS for entry in table.record.entries)
        if table.offer is not None and table.offer.seat != seat:
            accept = self.random.random() < 0.7
            plan.turns += 0 if accept else 4
            await tables.answer(seated.id, user, accept=accept, seq=seated.seq)
            return
        fate = self.random.random()
        if table.offer is None and turns >= plan.turns:
            if fate < 0.5:
                await tables.resign(seated.id, user, table.game.resign_values(table.state, seat)[-1])
            elif fate < 0.8 and not declined(seated, "draw"):
                await tables.offer(seated.id, user, "draw", seq=seated.seq)
            else:
                plan.gone |= dict.fromkeys(seated.players, 0)  # nobody plays on
                await self._turn(seated, user)
            return
        if table.offer is None and table.clock is not None and fate < 0.05:
            control = str(table.clock.spec)
            others = [one for one in CALM if one != control]
            what = "pause" if fate < 0.025 else f"adjourn {self.random.choice(others)}"
            if not declined(seated, what):
                await tables.offer(seated.id, user, what, seq=seated.seq)
                return
        await self._turn(seated, user)

    async def _turn(self, seated: Seated, user: int) -> None:
        game, state = seated.table.game, seated.table.state
        seat, steps = game.to_act(state), []
        while game.to_act(state) == seat:
            steps.append(self.random.choice(game.legal(state)))
            state = game.apply(state, steps[-1])
        text = game.format(seated.table.state, tuple(steps))
        try:
            await self.month.services.tables.play(seated.id, user, seated.seq, text)
        except Refused:
            raise
        except RuleError as error:
            raise AssertionError(f"{game.key}: {text} at {game.encode(seated.table.state)}") from error


def declined(seated: Seated, what: str) -> bool:
    """Whether who is to act has been refused this since their last turn: then they do not ask again."""
    try:
        once(seated.table, seated.table.to_act or 0, what)
    except Refused:
        return True
    return False
