"""Deleting a user: at once, again, interrupted, beside other presses, and with other processes about."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlalchemy import inspect, literal_column, select, table

from bot.board.match import outcome
from bot.challenges.service import ChallengeService
from bot.challenges.tables import challenges
from bot.conditional.service import ConditionalMoveService
from bot.core.translations import language
from bot.games.new_game import NewGame
from bot.games.repository import GameRepository
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import games
from bot.matches.service import MatchService
from bot.notifications.model import GONE, TURN
from bot.notifications.service import Notification, NotificationService
from bot.notifications.tables import notifications
from bot.players.service import PlayerNames, PreferenceService
from bot.privacy.deletion import repository
from bot.privacy.deletion.service import DeletionService
from bot.ratings.rebuild import rebuild_ratings
from bot.ratings.service import RatingService
from engine.core.errors import Refused
from engine.match.match import Terms

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fakes.clock import Clock
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.core.services import Services
    from bot.games.live import LiveGame

pytestmark = pytest.mark.both_databases

ZED, ANA, BEN = 1573951852234407937, 1573951852234407938, 1573951852234407939
GUILD: Final = 1573951852234407000
EN: Final = language("en")


def place(number: int) -> Place:
    return Place(GUILD, GUILD + number)


async def begin(services: Services, number: int, players: tuple[int, int] = (ZED, ANA), **more: Any) -> LiveGame:
    given = {"clock": "1d/move", "timeout_policy": "loss"} | more
    return await services[GameService].open(NewGame("abalone", {}, place(number), "en", **given), players)


async def play(services: Services, live: LiveGame, turns: int) -> LiveGame:
    for _ in range(turns):
        steps = [live.game.legal(live.state)[0]]
        live = await services[GameService].play(live.id, live.to_act or 0, None, steps)
    return live


async def found_in(services: Services, user_id: int) -> list[str]:
    """Returns the tables in which the user is found."""
    async with services.database.reading() as connection:
        names = await connection.run_sync(lambda synchronous: inspect(synchronous).get_table_names())
        rows = {
            name: str((await connection.execute(select(literal_column("*")).select_from(table(name)))).all())
            for name in names
        }
    return [name for name, values in rows.items() if str(user_id) in values]


async def seats(services: Services, game_id: str) -> tuple[int, int]:
    async with services.database.reading() as connection:
        row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
    return row.seat0, row.seat1


# --- what becomes of games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turns", "winner", "counts"), [(3, None, False), (4, 1, True)])
async def test_a_running_game_is_won_by_the_opponent_if_it_had_enough_turns(
    services: Services, turns: int, winner: int | None, *, counts: bool
) -> None:
    live = await play(services, await begin(services, 1), turns)
    await services[DeletionService].delete(ZED)
    over = await services[GameService].newest(live.id)
    assert over.outcome is not None
    assert (over.outcome.winner, over.table.counts) == (winner, counts)
    assert over.players[0] < 0
    assert over.players[1] == ANA
    assert await found_in(services, ZED) == []


async def test_a_match_is_lost_as_a_whole(services: Services) -> None:
    matches = services[MatchService]
    first = await matches.open(Terms(best_of=3), NewGame("abalone", {}, place(1), "en", "1d/move", "loss"), (ZED, ANA))
    await play(services, first, 4)
    await services[GameService].resign(first.id, ANA, 1)
    (second,) = await services[GameService].of(ZED)
    await services[DeletionService].delete(ZED)
    match = await matches.of(await services[GameService].newest(second.id))
    assert match is not None
    assert match.result is not None
    assert match.players[match.result.winner or 0] == ANA
    assert match.result.reason == "match.forfeited"
    assert await services[GameService].of(ANA) == []
    assert set(await seats(services, first.id)) == set(await seats(services, second.id)) == set(match.players)
    assert await found_in(services, ZED) == []


@pytest.mark.parametrize("turns", [0, 4])
async def test_a_match_that_is_left_in_a_later_game_says_so(services: Services, turns: int) -> None:
    matches = services[MatchService]
    first = await matches.open(Terms(best_of=3), NewGame("abalone", {}, place(1), "en", "1d/move", "loss"), (ZED, ANA))
    await play(services, first, 4)
    await services[GameService].resign(first.id, ANA, 1)
    (running,) = await services[GameService].of(ZED)
    second = await play(services, await services[GameService].newest(running.id), turns)
    await services[DeletionService].delete(ZED)
    match = await matches.of(await services[GameService].newest(second.id))
    assert match is not None
    assert outcome(match, EN).startswith(f"a former player left for good, so <@{ANA}> wins the match.")


async def test_games_have_one_pseudonym_and_each_deletion_another(services: Services) -> None:
    first, second = [await play(services, await begin(services, number), 4) for number in (1, 2)]
    await services[DeletionService].delete(ZED)
    again = await play(services, await begin(services, 3), 4)  # who comes back is somebody new
    await services[DeletionService].delete(ZED)
    one, two, three = [(await seats(services, live.id))[0] for live in (first, second, again)]
    assert one == two
    assert one != three
    assert max(one, three) < 0


async def test_ratings_of_others_stay_and_can_be_recomputed(services: Services) -> None:
    for number in (1, 2):
        live = await play(services, await begin(services, number, rated=True), 4)
        await services[GameService].resign(live.id, ANA if number == 1 else ZED, 1)
    ratings = services[RatingService]
    before = await ratings.of(ANA, "abalone", "correspondence")
    changes = await ratings.changes_of(live.id)
    await services[DeletionService].delete(ZED)
    assert await ratings.of(ANA, "abalone", "correspondence") == before
    after = await ratings.changes_of(live.id)
    assert [change.user_id for change in after if change.user_id > 0] == [ANA]
    assert [(change.before, change.after) for change in after] == [(change.before, change.after) for change in changes]
    checked = await rebuild_ratings(services.database, ratings.daily_limit)
    assert (checked.contests, checked.differences) == (2, [])


async def test_a_running_rated_match_changes_ratings_as_it_is_left(services: Services) -> None:
    matches, ratings = services[MatchService], services[RatingService]
    first = await matches.open(
        Terms(best_of=3), NewGame("abalone", {}, place(1), "en", "1d/move", "loss", rated=True), (ZED, ANA)
    )
    await play(services, first, 4)
    await services[GameService].resign(first.id, ANA, 1)
    single = await play(services, await begin(services, 2, rated=True), 4)
    await services[DeletionService].delete(ZED)
    for contest in (first.record.header.match, single.id):
        changes = await ratings.changes_of(contest)
        assert {change.user_id: change.score for change in changes if change.user_id > 0} == {ANA: 1}
        assert len(changes) == 2
    assert (await ratings.of(ANA, "abalone", "correspondence")).rating > 1500
    checked = await rebuild_ratings(services.database, ratings.daily_limit)
    assert (checked.contests, checked.ratings, checked.differences) == (2, 2, [])
    assert await found_in(services, ZED) == []


async def test_open_challenges_are_closed(services: Services) -> None:
    service = services[ChallengeService]
    own = await service.post(ZED, ANA, NewGame("abalone", {}, place(1), "en"))
    to_any = await service.post(ZED, None, NewGame("abalone", {}, place(1), "en"))
    to_them = await service.post(ANA, ZED, NewGame("abalone", {}, place(1), "en"))
    reserved = await service.post(ANA, None, NewGame("abalone", {}, place(1), "en"))
    await service.reserve(reserved.id, ZED)
    await services[DeletionService].delete(ZED)
    found = [(await service.get(challenge.id)).status for challenge in (own, to_any, to_them, reserved)]
    assert found == ["cancelled", "cancelled", "declined", "open"]
    await service.check_acceptable(reserved.id, BEN)
    assert await found_in(services, ZED) == []


async def test_the_opponents_conditional_moves_go_with_the_game(services: Services) -> None:
    live = await play(services, await begin(services, 1), 4)
    moves = services[ConditionalMoveService]
    await moves.add_condition(live, ANA, None, live.game.format(live.state, [live.game.legal(live.state)[0]]))
    await services[DeletionService].delete(ZED)
    assert await moves.store.of(live.id) == []


# --- again, interrupted, at once -------------------------------------------------------------------------------------


async def test_two_deletes_at_once_and_one_after(services: Services) -> None:
    await play(services, await begin(services, 1), 4)
    deletions = services[DeletionService]
    results = await asyncio.gather(deletions.delete(ZED), deletions.delete(ZED), return_exceptions=True)
    assert [isinstance(result, Refused) for result in results] == [False, True]
    await deletions.delete(ZED)
    assert await found_in(services, ZED) == []


async def test_two_processes_delete_at_once(services: Services, another: Callable[[], Services]) -> None:
    lives = [await play(services, await begin(services, number), 4) for number in range(3)]
    other = another()
    await asyncio.gather(services[DeletionService].delete(ZED), other[DeletionService].delete(ZED))
    assert len({(await seats(services, live.id))[0] for live in lives}) == 1
    assert await found_in(services, ZED) == []


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", range(5))
async def test_a_kill_in_the_middle_is_continued_at_the_next_start(
    services: Services, another: Callable[[], Services], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Before the challenges are closed, before the first, the second and the third game is left, before the end."""
    await services[PlayerNames].seen(ZED, "Zed")
    lives = [await play(services, await begin(services, number), 4) for number in range(3)]
    await services[ChallengeService].post(ZED, None, NewGame("abalone", {}, place(9), "en"))
    deletions, left = services[DeletionService], 0

    async def killed(*_: object) -> None:
        raise Killed

    if step == 0:
        monkeypatch.setattr(services[ChallengeService], "close_all_of", killed)
    elif step == 4:
        monkeypatch.setattr(deletions.store, "finish", killed)
    else:
        leave = services[GameService].leave

        async def some(*given: Any) -> LiveGame:
            nonlocal left
            left += 1
            if left == step:
                raise Killed
            return await leave(*given)

        monkeypatch.setattr(services[GameService], "leave", some)
    with pytest.raises(Killed):
        await deletions.delete(ZED)
    assert "deletions" in await found_in(services, ZED)
    started = another()
    assert await started[DeletionService].resume() == 1
    assert await found_in(started, ZED) == []
    assert len({(await seats(started, live.id))[0] for live in lives}) == 1
    assert await started[DeletionService].resume() == 0


@pytest.mark.parametrize("turn", range(4))
async def test_an_opponent_who_acts_at_the_same_time(services: Services, turn: int) -> None:
    live = await play(services, await begin(services, 1), 5)
    offered = await services[ChallengeService].post(ZED, None, NewGame("abalone", {}, place(2), "en"))
    to_them = await services[ChallengeService].post(ANA, ZED, NewGame("abalone", {}, place(3), "en"))
    steps = [live.game.legal(live.state)[0]]

    async def late(work: Awaitable[Any]) -> Any:
        for _ in range(turn * 7):
            await asyncio.sleep(0)
        return await work

    results = await asyncio.gather(
        services[DeletionService].delete(ZED),
        late(services[GameService].play(live.id, ANA, live.seq, steps)),
        late(services[ChallengeService].accept(offered.id, BEN, place(2))),
        late(services[ChallengeService].accept(to_them.id, BEN, place(3))),
        return_exceptions=True,
    )
    assert results[0] is None
    assert all(result is None or isinstance(result, Refused) or hasattr(result, "players") for result in results)
    assert await services[GameService].of(ZED) == []
    assert (await services[GameService].newest(live.id)).is_over
    assert await found_in(services, ZED) == []


# --- other processes -------------------------------------------------------------------------------------------------


async def test_other_processes_write_nothing_stale_back(
    services: Services, another: Callable[[], Services], clock: Clock
) -> None:
    other = another()
    live = await play(services, await begin(services, 1), 4)
    finished = await play(services, await begin(services, 2), 4)
    await services[GameService].resign(finished.id, ANA, 1)
    await services[PlayerNames].seen(ZED, "Zed")
    await services[PreferenceService].set_user(ZED, "pings", "digest")
    digest = Notification("digest", ZED, "digest", clock.at)
    async with services.database.writing() as connection:
        await services[NotificationService].write(connection, digest)
    stale = await other[GameService].newest(live.id)
    await other[GameService].newest(finished.id)
    await other[PreferenceService].of_user(ZED)
    await other[PlayerNames].names([ZED])
    await other[DeletionService].follow_others()
    await services[DeletionService].delete(ZED)
    # whatever the other process still remembers
    mails = other[NotificationService]
    with pytest.raises(Refused, match=r"table\.over|table\.stale"):
        await other[GameService].offer(live.id, ANA, "draw", seq=stale.seq)
    await mails.undeliverable(stale)
    await mails.notify_channel_gone(stale)
    assert await mails.outbox.digest_wanted(digest, waiting=True) is False
    with pytest.raises(Refused, match=r"rematch\.former"):
        await other[ChallengeService].rematch(finished.id, ANA, place(5), "en")
    assert await found_in(other, ZED) == []
    async with other.database.reading() as connection:
        kinds = {row.kind for row in await connection.execute(select(notifications)) if row.user_id == ANA}
    assert GONE in kinds
    assert TURN not in kinds
    # and soon it remembers nothing
    assert (await other[PreferenceService].of_user(ZED))["pings"] == "digest"
    await other[DeletionService].follow_others()
    assert (await other[PreferenceService].of_user(ZED))["pings"] == "turn"
    assert await other[PlayerNames].names([ZED], EN) == {ZED: ""}
    assert ZED not in (await other[GameService].get(finished.id)).players


async def test_a_game_read_while_its_player_is_deleted_is_not_kept(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await play(services, await begin(services, 1), 4)
    await services[GameService].resign(live.id, ANA, 1)
    service = services[GameService]
    service.forget_player(None)
    load = GameRepository.load

    async def slow(self: GameRepository, game_id: str) -> Any:
        found = await load(self, game_id)
        monkeypatch.setattr(GameRepository, "load", load)
        await services[DeletionService].delete(ZED)
        return found

    monkeypatch.setattr(GameRepository, "load", slow)
    await service.get(live.id)
    assert ZED not in (await service.get(live.id)).players


async def test_there_is_no_rematch_with_a_former_player(services: Services) -> None:
    live = await play(services, await begin(services, 1), 4)
    await services[GameService].resign(live.id, ANA, 1)
    await services[DeletionService].delete(ZED)
    with pytest.raises(Refused, match=r"rematch\.former"):
        await services[ChallengeService].rematch(live.id, ANA, place(2), "en")
    async with services.database.reading() as connection:
        assert (await connection.execute(select(challenges))).all() == []


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_a_game_that_begins_while_the_user_is_deleted_is_ended_too(
    another: Callable[[], Services], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process has taken the acceptance before it heard of the deletion. SQLite has one writer at a time."""
    services, other = another(), another()
    begun: list[LiveGame] = []
    check = repository._check_over

    async def just_before(connection: AsyncConnection, player: int) -> None:
        await check(connection, player)
        if not begun:
            begun.append(await begin(other, 1))

    monkeypatch.setattr(repository, "_check_over", just_before)
    await services[DeletionService].delete(ZED)
    over = await another()[GameService].newest(begun[0].id)
    assert over.outcome is not None
    assert over.players[0] < 0
    assert await found_in(services, ZED) == []
