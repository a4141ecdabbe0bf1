"""Tests when the machine accepts a challenge to anyone, and that only one of several acceptors gets the game."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from fakes.outbox import rows

from bot.games.new_game import NewGame
from bot.games.stored import Place
from bot.opponents.seeks.service import LAST, NEVER, SETTING, TAKEN, SeekService, is_due
from bot.players.machines import Machines
from bot.players.preferences import DEFAULTS
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.challenges.service import Challenge, ChallengeService
    from bot.notifications.service import NotificationService
    from bot.players.service import PreferenceService

ANN, BOB, MACHINE = 11, 22, 3
SERVER = 1
HERE = Place(SERVER, 5)


@pytest.fixture
def seeks(
    challenges: ChallengeService, preferences: PreferenceService, notifications: NotificationService
) -> SeekService:
    return SeekService(challenges, preferences, notifications, Machines(5))


async def post(
    challenges: ChallengeService, opponent: int | None = None, place: Place = HERE, **more: Any
) -> Challenge:
    """Stores a challenge that a message shows."""
    posted = await challenges.post(ANN, opponent, NewGame("nim", {"heap": 9}, place, "en", **more))
    await challenges.posted(posted.id, 900)
    return posted


async def ids(seeks: SeekService) -> set[str]:
    return {challenge.id for challenge in await seeks.due()}


@pytest.mark.parametrize(
    ("chosen", "life", "due"),
    [
        ("10", DAY, 10 * MINUTE),
        ("360", DAY, 6 * HOUR),
        ("1440", DAY, DAY - LAST),  # before it expires
        ("60", HOUR, HOUR - LAST),
        ("60", 4 * MINUTE, 2 * MINUTE),
        ("1440", 7 * DAY, DAY),
    ],
)
async def test_it_waits_for_as_long_as_the_server_says_and_no_longer_than_the_challenge_lasts(
    challenges: ChallengeService, clock: Clock, chosen: str, life: int, due: int
) -> None:
    challenges._expiry_ms = life
    challenge, server = await post(challenges), {**DEFAULTS["server"], "machine_seeks": chosen}
    assert not is_due(challenge, server, clock() + due - 1)
    assert is_due(challenge, server, clock() + due)
    assert challenge.expires > clock() + due
    assert not is_due(challenge, DEFAULTS["server"], challenge.expires - 1)


@pytest.mark.parametrize(("control", "due"), [("", True), ("1d/move", True), ("5m+10s", False)])
async def test_it_leaves_a_live_game_alone(challenges: ChallengeService, control: str, *, due: bool) -> None:
    challenge = await post(challenges, clock=control, timeout_policy="loss")
    server = {**DEFAULTS["server"], "machine_seeks": "10"}
    assert is_due(challenge, server, challenge.expires - 1) == due


def test_a_server_that_has_chosen_nothing_has_none_accepted() -> None:
    """``seeks`` finds only servers with a stored choice."""
    assert DEFAULTS["server"][SETTING] == NEVER


@pytest.mark.both_databases
async def test_only_challenges_to_anyone_that_can_be_accepted_are_due(
    seeks: SeekService, challenges: ChallengeService, preferences: PreferenceService, clock: Clock
) -> None:
    waiting, reserved = await post(challenges), await post(challenges)
    await post(challenges, BOB)
    await post(challenges, place=Place(None, 6))
    await post(challenges, place=Place(2, 7))  # a server that has not chosen it
    await challenges.post(ANN, None, NewGame("nim", {}, HERE, "en"))  # no message shows it
    cancelled = await post(challenges)
    await challenges.cancel(cancelled.id, ANN)
    clock.at += 10 * MINUTE
    assert await ids(seeks) == set()
    await preferences.set_server(SERVER, "machine_seeks", "10")
    await challenges.reserve(reserved.id, BOB)
    assert await ids(seeks) == {waiting.id}
    await challenges.release(reserved.id, BOB)
    assert await ids(seeks) == {waiting.id, reserved.id}
    clock.at = waiting.expires
    assert await ids(seeks) == set()


async def test_without_a_machine_nothing_is_due(
    challenges: ChallengeService, preferences: PreferenceService, notifications: NotificationService, clock: Clock
) -> None:
    await post(challenges)
    await preferences.set_server(SERVER, "machine_seeks", "10")
    clock.at += 10 * MINUTE
    assert await SeekService(challenges, preferences, notifications, Machines(0)).due() == []


@pytest.mark.both_databases
@pytest.mark.parametrize("others", [(BOB,), (MACHINE,), (MACHINE, BOB)])
async def test_of_all_who_accept_at_once_one_has_the_game(
    seeks: SeekService,
    challenges: ChallengeService,
    notifications: NotificationService,
    others: tuple[int, ...],
) -> None:
    """The others are a person, or the machine in another process. Who is told of the machine has a game against it."""
    challenge = await post(challenges)
    tell = partial(seeks.tell, challenge)

    async def accept(user_id: int, channel: int) -> int:
        place, also = Place(SERVER, channel), tell if user_id == MACHINE else None
        await challenges.accept(challenge.id, user_id, place, also=also)
        return user_id

    accepting = [accept(user_id, number) for number, user_id in enumerate((MACHINE, *others), 50)]
    results = await asyncio.gather(*accepting, return_exceptions=True)
    (winner,) = (result for result in results if isinstance(result, int))
    refused = [result for result in results if isinstance(result, Refused)]
    assert [error.key for error in refused] == ["challenge.closed"] * len(others)
    closed = await challenges.get(challenge.id)
    assert (closed.status, closed.answered_by) == ("accepted", winner)
    assert [game.players for game in await challenges.games.of(ANN)] == [(ANN, winner)]
    told = [row.user_id for row in await rows(notifications, TAKEN)]
    assert told == ([ANN] if winner == MACHINE else [])


@pytest.mark.parametrize(
    ("asked", "allowed", "rated"), [(True, True, True), (True, False, False), (False, True, False)]
)
async def test_a_rated_challenge_is_played_casually_where_the_machine_plays_no_rated_games(
    challenges: ChallengeService, *, asked: bool, allowed: bool, rated: bool
) -> None:
    challenge = await post(challenges, rated=asked)
    live = await challenges.accept(challenge.id, MACHINE, HERE, rated=allowed)
    assert live.record.header.rated == rated
