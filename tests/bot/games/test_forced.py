"""Turns without a choice are played for those who want that."""

from collections.abc import Callable

import pytest
from fakes.luck import ScriptedLuck

from bot.challenges.repository import ChallengeStore
from bot.challenges.service import Challenges
from bot.core.database import Database
from bot.games.service import Place, Seated, Tables
from bot.players.preferences import Preferences

ANN, BOB = 11, 22
HERE = Place(1, 5)
MakeTables = Callable[..., Tables]


@pytest.fixture
def make(make_tables: MakeTables, preferences: Preferences) -> Callable[..., Tables]:
    """A service whose dice are known, and which asks for the preferences."""

    def made(*rolls: str) -> Tables:
        return make_tables(ScriptedLuck(rolls), plays_forced=preferences.plays_forced)

    return made


async def begin(tables: Tables) -> Seated:
    return await tables.open("nim", {"heap": 9}, (ANN, BOB), HERE, "en")


def course(seated: Seated) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in seated.table.record.entries]


async def test_by_default_they_are_played(make: Callable[..., Tables]) -> None:
    seated = await begin(make("1", "1", "2"))
    assert course(seated) == ["chance -1 1", "forced 0 1", "chance -1 1", "forced 1 1", "chance -1 2"]


async def test_who_wants_to_play_them_plays_them(make: Callable[..., Tables], preferences: Preferences) -> None:
    await preferences.set_user(ANN, "forced", "ask")
    tables = make("1", "1", "1", "2")
    seated = await begin(tables)
    assert (course(seated), seated.to_act) == (["chance -1 1"], ANN)
    seated = await tables.play(seated.id, ANN, seated.seq, "1")
    # the other's are still played
    assert course(seated)[1:] == ["play 0 1", "chance -1 1", "forced 1 1", "chance -1 1"]
    assert seated.to_act == ANN
    await preferences.set_user(ANN, "forced", "play")
    seated = await tables.play(seated.id, ANN, seated.seq, "1")
    assert (course(seated)[-1], seated.to_act) == ("chance -1 2", BOB)


async def test_a_challenge_accepted_begins_so_too(
    make: Callable[..., Tables], preferences: Preferences, database: Database
) -> None:
    await preferences.set_user(BOB, "forced", "ask")
    tables = make("1", "1")
    challenges = Challenges(ChallengeStore(database), tables, tables._now, 60, lambda: 0)
    posted = await challenges.post(ANN, BOB, "nim", {"heap": 9}, HERE, "en")
    seated = await challenges.accept(posted.id, BOB, HERE)
    assert course(seated) == ["chance -1 1", "forced 0 1", "chance -1 1"]
    assert seated.to_act == BOB


async def test_no_turn_is_played_for_one_who_has_an_offer_to_answer(
    make: Callable[..., Tables], preferences: Preferences
) -> None:
    """The offer would lapse unanswered."""
    await preferences.set_user(ANN, "forced", "ask")
    tables = make("1", "2")
    seated = await begin(tables)
    await preferences.set_user(ANN, "forced", "play")
    offered = await tables.offer(seated.id, BOB, "draw")
    assert offered.table.offer is not None
    assert course(offered) == ["chance -1 1", "offer 1 draw"]
    declined = await tables.answer(seated.id, ANN, accept=False)
    assert course(declined)[2:] == ["decline 0 draw", "forced 0 1", "chance -1 2"]


async def test_an_offer_made_with_a_turn_waits_where_the_next_turn_is_forced(make: Callable[..., Tables]) -> None:
    tables = make("2", "1", "3")
    seated = await begin(tables)
    await tables.offer(seated.id, ANN, "draw")
    played = await tables.play(seated.id, ANN, None, "1")
    assert (played.awaited, course(played)[-1]) == (BOB, "chance -1 1")
    declined = await tables.answer(seated.id, BOB, accept=False)
    assert course(declined)[-2:] == ["forced 1 1", "chance -1 3"]


async def test_a_preference_that_cannot_be_read_changes_nothing(make_tables: MakeTables) -> None:
    broken = False

    async def ask(_: int) -> bool:
        if broken:
            raise ConnectionError("gone")
        return True

    tables = make_tables(ScriptedLuck(["3", "3"]), plays_forced=ask)
    seated = await begin(tables)
    broken = True
    with pytest.raises(ConnectionError):
        await tables.play(seated.id, ANN, seated.seq, "1")
    assert await tables.get(seated.id) == seated
    broken = False
    assert (await tables.play(seated.id, ANN, seated.seq, "1")).to_act == BOB
