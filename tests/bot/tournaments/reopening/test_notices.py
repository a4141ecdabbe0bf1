"""Who hears that a displaced game has a new place, and when."""

from __future__ import annotations

import pytest
from harness.displaced import CHANNEL, SWISS, due, reopen, reopening, resume, told
from harness.tournaments import Desk, plan_of

from bot.core.translations import language
from bot.notifications.service import NotificationService
from bot.tournaments.reopening.notices import REOPENED
from bot.tournaments.reopening.service import Step
from engine.tournament.model import Format

pytestmark = pytest.mark.both_databases

AT_ONCE = plan_of(Format.ROUND_ROBIN, at_once=True, clock="1d/move")
"""Of four players, each has three games."""


async def said(desk: Desk, user_id: int, language_key: str = "en") -> str:
    """Returns the notice of new places that a player would get now."""
    outbox = desk.services[NotificationService]
    notice = outbox.notice(user_id, REOPENED, desk.tournament_id, guild_id=1, channel_id=1, locale="en")
    assert await outbox.kinds[REOPENED].is_current(notice)
    return await outbox.kinds[REOPENED].text(notice, language(language_key))


async def test_each_player_hears_once_with_the_last_of_their_games(desk: Desk) -> None:
    await desk.begin(AT_ONCE, 4)
    await reopening(desk).channel_gone(CHANNEL)
    await resume(desk)
    found = await due(desk)
    assert len(found) == 6
    for number, one in enumerate(found, 1):
        await reopen(desk, one)
        waiting = {player for other in found[number:] if other.stored for player in other.stored.pairing.players}
        assert await told(desk) == [1000 + player for player in range(1, 5) if player not in waiting]
    games = [await desk.game(one) for one in await desk.running()]
    mine = [live for live in games if 1001 in live.players]
    line, other = await said(desk, 1001), await said(desk, 1001, "es")
    assert line.startswith("**Cup**: the channel of your games was deleted, so I have opened them anew: ")
    assert all(f"<#{live.place.channel_id}> against" in line for live in mine)
    assert all(f"<#{live.place.channel_id}> contra" in other for live in mine)
    assert line.count("(your turn)") == sum(live.awaited == 1001 for live in mine)
    assert other.count("(te toca)") == line.count("(your turn)")


async def test_the_last_game_to_wait_ends_before_it_is_opened(desk: Desk) -> None:
    await desk.begin(AT_ONCE, 4)
    await reopening(desk).channel_gone(CHANNEL)
    await resume(desk)
    *found, last = await due(desk)
    for one in found:
        await reopen(desk, one)
    assert last.stored is not None
    assert len(await told(desk)) == 2
    await desk.win(last.stored, last.stored.pairing.first)
    await desk.go_on(61)
    (ended,) = await due(desk)
    assert ended.step is Step.DROP
    await reopening(desk).drop(ended)
    assert await told(desk) == [1001, 1002, 1003, 1004]


async def test_who_has_no_other_game_hears_nothing_of_one_that_has_ended(desk: Desk) -> None:
    await desk.begin(SWISS, 4)
    one, _ = await desk.running()
    await reopening(desk).channel_gone(CHANNEL)
    await desk.win(one, one.pairing.first)
    await resume(desk)
    for found in await due(desk):
        if found.step is Step.DROP:
            await reopening(desk).drop(found)
        else:
            await reopen(desk, found)
    users = {(await desk.snapshot()).player(number).user_id for number in one.pairing.players}
    assert await told(desk) == sorted({1001, 1002, 1003, 1004} - users)
