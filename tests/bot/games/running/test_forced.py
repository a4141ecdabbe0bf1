"""Turns without a choice are played for those who want that."""

from collections.abc import Callable

import pytest
from fakes.luck import ScriptedLuck

from bot.challenges.repository import ChallengeRepository
from bot.challenges.service import ChallengeService
from bot.core.storage.database import Database
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.matches.repository import MatchRepository
from bot.matches.service import MatchService
from bot.players.service import PreferenceService

ANN, BOB = 11, 22
HERE = Place(1, 5)
MakeTables = Callable[..., GameService]


@pytest.fixture
def make(make_games: MakeTables, preferences: PreferenceService) -> Callable[..., GameService]:
    """A service whose dice are known, and which asks for the preferences."""

    def made(*rolls: str) -> GameService:
        return make_games(ScriptedLuck(rolls), plays_forced=preferences.plays_forced)

    return made


async def begin(games: GameService) -> LiveGame:
    return await games.open(NewGame("nim", {"heap": 9}, HERE, "en"), (ANN, BOB))


def course(live: LiveGame) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in live.table.record.entries]


async def test_by_default_they_are_played(make: Callable[..., GameService]) -> None:
    live = await begin(make("1", "1", "2"))
    assert course(live) == ["chance -1 1", "forced 0 1", "chance -1 1", "forced 1 1", "chance -1 2"]


async def test_who_wants_to_play_them_plays_them(
    make: Callable[..., GameService], preferences: PreferenceService
) -> None:
    await preferences.set_user(ANN, "forced", "ask")
    games = make("1", "1", "1", "2")
    live = await begin(games)
    assert (course(live), live.to_act) == (["chance -1 1"], ANN)
    live = await games.play(live.id, ANN, live.seq, "1")
    # the other's are still played
    assert course(live)[1:] == ["play 0 1", "chance -1 1", "forced 1 1", "chance -1 1"]
    assert live.to_act == ANN
    await preferences.set_user(ANN, "forced", "play")
    live = await games.play(live.id, ANN, live.seq, "1")
    assert (course(live)[-1], live.to_act) == ("chance -1 2", BOB)


async def test_a_challenge_accepted_begins_so_too(
    make: Callable[..., GameService], preferences: PreferenceService, database: Database
) -> None:
    await preferences.set_user(BOB, "forced", "ask")
    games = make("1", "1")
    matches = MatchService(MatchRepository(database), games)
    challenges = ChallengeService(ChallengeRepository(database), games, games._now, 60, lambda: 0, matches)
    posted = await challenges.post(ANN, BOB, NewGame("nim", {"heap": 9}, HERE, "en"))
    live = await challenges.accept(posted.id, BOB, HERE)
    assert course(live) == ["chance -1 1", "forced 0 1", "chance -1 1"]
    assert live.to_act == BOB


async def test_no_turn_is_played_for_one_who_has_an_offer_to_answer(
    make: Callable[..., GameService], preferences: PreferenceService
) -> None:
    """The offer would lapse unanswered."""
    await preferences.set_user(ANN, "forced", "ask")
    games = make("1", "2")
    live = await begin(games)
    await preferences.set_user(ANN, "forced", "play")
    offered = await games.offer(live.id, BOB, "draw")
    assert offered.table.offer is not None
    assert course(offered) == ["chance -1 1", "offer 1 draw"]
    declined = await games.answer(live.id, ANN, accept=False)
    assert course(declined)[2:] == ["decline 0 draw", "forced 0 1", "chance -1 2"]


async def test_an_offer_made_with_a_turn_waits_where_the_next_turn_is_forced(make: Callable[..., GameService]) -> None:
    games = make("2", "1", "3")
    live = await begin(games)
    await games.offer(live.id, ANN, "draw")
    played = await games.play(live.id, ANN, None, "1")
    assert (played.awaited, course(played)[-1]) == (BOB, "chance -1 1")
    declined = await games.answer(live.id, BOB, accept=False)
    assert course(declined)[-2:] == ["forced 1 1", "chance -1 3"]


async def test_a_preference_that_cannot_be_read_changes_nothing(make_games: MakeTables) -> None:
    broken = False

    async def ask(_: int) -> bool:
        if broken:
            raise ConnectionError("gone")
        return True

    games = make_games(ScriptedLuck(["3", "3"]), plays_forced=ask)
    live = await begin(games)
    broken = True
    with pytest.raises(ConnectionError):
        await games.play(live.id, ANN, live.seq, "1")
    assert await games.get(live.id) == live
    broken = False
    assert (await games.play(live.id, ANN, live.seq, "1")).to_act == BOB
