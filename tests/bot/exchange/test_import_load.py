"""Imports that take long are a burden for nobody else: one at a time, beside the event loop, and only so many.

The same holds for what is done with a long game on the analysis board.
"""

from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from harness.analysis import MAT, XGID, load, open_position, step
from harness.bot import Room, bot_running, told, told_all
from harness.discord import until

from bot.core.limits.rates import WORK
from bot.exchange import repository, service, views
from bot.exchange.service import MOST_ENTRIES, ExchangeService
from engine.core.record import Entry, Header, Kind, Record
from engine.exchange import Content, read
from engine.registry import GAMES

if TYPE_CHECKING:
    import pytest

    from bot.exchange.analysis import Analysis
    from bot.sandbox.server import Server


async def test_files_are_read_one_at_a_time_and_each_user_waits_for_their_own(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who sends many files holds up nobody else, not even others who import."""
    assert room.bot is not None
    exchange, under_way = room.bot.service(ExchangeService), [0]
    order: list[str] = []

    def slow(text: str) -> Content:
        under_way[0] += 1
        assert under_way == [1]
        time.sleep(0.02)
        under_way[0] -= 1
        order.append(text)
        return read(XGID)

    monkeypatch.setattr("bot.exchange.service.checked", slow)
    sent = [(room.ana, "a1"), (room.ana, "a2"), (room.ana, "a3"), (room.ben, "b1")]
    await asyncio.gather(*(exchange.open(who.user_id, text) for who, text in sent))
    assert order == ["a1", "b1", "a2", "a3"]


async def test_a_long_board_is_read_beside_the_event_loop(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await load(room.ana, MAT)
    threads: list[threading.Thread] = []
    read = repository._analysis

    def noted(row: Any) -> Analysis:
        threads.append(threading.current_thread())
        return read(row)

    monkeypatch.setattr(repository, "_analysis", noted)
    await room.ana.press(step(room.ana, message, 2), message)
    assert threads
    assert threading.main_thread() not in threads


async def test_who_sends_file_after_file_has_to_wait(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot)
        for _ in range(WORK.burst):
            await open_position(room.ana, XGID)
            assert "too fast" not in told(room.ana)
        await open_position(room.ana, XGID)
        assert told(room.ana).startswith("That was too fast for me.")
        await open_position(room.ben, XGID)
        assert "too fast" not in told(room.ben)


def wandering(plies: int) -> Record:
    """Returns a game of Abalone in which nobody pushes, and no position comes twice."""
    game, rng = GAMES["abalone"], random.Random(2)
    state, entries = game.start(game.settle_options({})), list[Entry]()
    been = {state}
    while len(entries) < plies:
        steps = list(game.legal(state))
        rng.shuffle(steps)
        found = ((one, game.apply(state, one)) for one in steps)
        step, after = next((one, after) for one, after in found if after not in been and sum(after.ejected) == 0)
        entries.append(Entry(0, Kind.PLAY, game.to_act(state) or 0, game.format(state, (step,))))
        been.add(after)
        state = after
    return Record(Header("abalone", game.version, "long", 0), tuple(entries))


async def test_a_game_that_is_too_long_is_refused(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MOST_ENTRIES", 50)
    text = room.say("analysis.too_many_entries", most=50)
    assert (await load(room.ana, str(wandering(51)), "game.record"))["content"] == text
    assert (await load(room.ana, str(wandering(50)), "game.record"))["attachments"]


async def test_the_longest_game_holds_nobody_up(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever its owner presses: its turns are followed beside the event loop."""
    text, game = str(wandering(MOST_ENTRIES)), type(GAMES["abalone"])
    followed, replay_turn = Counter[bool](), game.replay_turn

    def counted(self: Any, *given: Any) -> Any:
        followed[threading.current_thread() is threading.main_thread()] += 1
        return replay_turn(self, *given)

    monkeypatch.setattr(game, "replay_turn", counted)
    message = await load(room.ana, text, "game.record")
    await room.ana.press(step(room.ana, message, 3), message)
    assert f"{MOST_ENTRIES} of {MOST_ENTRIES}" in room.ana.fresh(message)["content"]
    await room.ana.press("b:analysis_type:", message)
    await room.ana.press(step(room.ana, message, 1), message)
    assert followed[False] > MOST_ENTRIES
    assert followed[True] == 0


async def test_of_each_users_presses_one_is_carried_out_at_a_time(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    boards = [(who, await load(who, MAT)) for who in (room.ana, room.ben)]
    await told_all(room.bot)
    presses = [who.press(step(who, message, 2), message) for who, message in boards for _ in range(3)]
    under_way, all_came, busy = room.bot.context.under_way, asyncio.Event(), {who.user_id: 0 for who, _ in boards}
    show = views.show

    def one_of_each() -> bool:
        return len(under_way) == len(presses) and set(busy.values()) == {1}

    async def noted(answer: Any, *given: Any, **more: Any) -> None:
        busy[answer.user_id] += 1
        assert busy[answer.user_id] == 1
        await until(lambda: all_came.is_set() or one_of_each(), "one of each is carried out, and the others wait")
        all_came.set()
        await show(answer, *given, **more)
        busy[answer.user_id] -= 1

    monkeypatch.setattr(views, "show", noted)
    await asyncio.gather(*presses)
    assert all_came.is_set()
