"""A double answered with a beaver, where the game allows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest
from harness.bot import private
from harness.cube import course, cube_game, insist, labels, press, verbs
from harness.discord import text
from harness.positions import placed

from bot.core.translations import language
from engine.core.errors import Translated
from engine.core.record import Kind

if TYPE_CHECKING:
    from harness.bot import Room

    from bot.games.live import LiveGame

EN = language("en")
BOARDS: Final = {
    "backgammon": "XGID=-b----E-C---eE---c-e----B-",
    "abak": "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-",
}


async def doubled(room: Room, game: str, flag: int) -> LiveGame:
    """Returns a game in unlimited play with this rules field: Ben (Black) has doubled, Ana is to answer."""
    options = {"cube": "on", "beavers": "on" if flag & 2 else "off"}
    await placed(room, game, f"{BOARDS[game]}:0:0:-1:00:0:0:{flag}:0:10", **options)
    return await insist(room, room.ben, "double")


@cube_game
async def test_a_beaver_is_offered_beside_take_and_pass(room: Room, game: str) -> None:
    await doubled(room, game, 3)
    assert verbs(room.board) == ["take", "pass", "beaver", "flip", "more"]
    assert labels(room.board)[2] == EN("cube_action.beaver", value=4)
    await press(room.ana, "beaver", room.board)
    asked = private(room.ana)
    assert text(asked) == EN("cube_action.beaver.confirm", value=4)
    assert labels(asked) == [EN("button.cube_cancel"), EN("cube_action.beaver.do", value=4)]
    await press(room.ana, "beaver", asked)
    live = await room.shown()
    assert course(live)[-2] == "play 0 beaver"
    assert live.table.record.entries[-1].kind is Kind.CHANCE  # the doubler's dice: there is nothing to answer
    assert EN("story.cube.does.beavers", seat=Translated("@seat.white"), value=4) in text(room.board)
    assert live.table.to_act == 1
    fields = live.table.state.fields
    assert (fields.cube_value, fields.owner) == (4, "1")


@cube_game
async def test_a_beaver_may_be_typed(room: Room, game: str) -> None:
    live = await doubled(room, game, 2)
    await room.type(live, "beaver")
    assert "beaver" in text(private(room.ana)).casefold()
    await press(room.ana, "beaver", private(room.ana))
    assert course(await room.shown())[-2] == "play 0 beaver"


@cube_game
async def test_without_beavers_there_is_no_such_button(room: Room, game: str) -> None:
    await doubled(room, game, 1)
    assert verbs(room.board) == ["take", "pass", "flip", "more"]


@pytest.mark.parametrize("accepting", [True, False])
@cube_game
async def test_single_gammon_and_backgammon_can_be_offered(room: Room, game: str, accepting: bool) -> None:
    """With the cube at 2 in a match: two and four points are an offer, six end the game."""
    position = f"{BOARDS[game]}:1:1:1:00:1:2:0:9:10"
    options = {"cube": "on", "points": "9", "score0": "1", "score1": "2"}
    await placed(room, game, position, **options)
    await room.ana.slash("abak resign")
    words = [
        f"Single: {EN('button.resign_offer', n=2)}",
        f"Gammon: {EN('button.resign_offer', n=4)}",
        f"Backgammon: {EN('button.resign_lose', n=6)}",
    ]
    assert labels(private(room.ana))[1:] == words
    await room.ana.press(words[1], private(room.ana))
    assert (await room.shown()).table.outcome is None
    await room.ben.press("b:accept:" if accepting else "b:decline:", room.board)
    outcome = (await room.shown()).table.outcome
    assert outcome is None or outcome.points == (-4, 4)
    assert bool(outcome) == accepting
