"""Matches over the real socket, from their first board to their card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import Room, bot_running, private, told, verbs
from harness.cube import AnyRolls, insist
from harness.discord import text, until
from harness.match import begin_match, first_turn, match_of, pass_double, resign, take_double
from harness.match_service import Ends
from harness.origins import shows

from bot.core.translations import language
from bot.games.service import GameService
from bot.matches.service import MatchService
from engine.core.chance import promise
from engine.core.record import Kind
from engine.match.match import Terms

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.matches.contests import FinishedContest
    from bot.sandbox.server import Server

EN = language("en")
TO_SEVEN: Final = Terms(points=7)


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, luck=AnyRolls(["31"] * 200)) as bot:
        yield Room.of(stand_in, bot)


@pytest.fixture
def ends(room: Room) -> list[FinishedContest]:
    hook = Ends()
    assert room.bot is not None
    room.bot.service(MatchService).hooks.append(hook)
    return hook.found


def alt(message: dict[str, Any]) -> str:
    """Returns the words of a picture, with plain dashes."""
    return str(message["attachments"][0]["description"]).replace("\N{EN DASH}", "-")


def score(room: Room, first: str, second: str) -> str:
    return EN(
        "board.match.to_points",
        points=7,
        first=room.ana.mention,
        first_score=first,
        second=room.ben.mention,
        second_score=second,
    )


async def test_a_match_to_seven_points_plays_through_to_its_card(room: Room, ends: list[FinishedContest]) -> None:
    live = await begin_match(room, TO_SEVEN, "backgammon", cube="on")
    assert score(room, "0", "0") in text(room.board)
    assert "Match to 7: Ana 0 - Ben 0" in alt(room.board)
    # Ben doubles, Ana takes, and gives up a gammon for 4
    await take_double(room)
    live = await resign(room, room.ana, 4, offer=True)
    assert (live.record.header.match_game, live.table.options["score1"]) == (2, 4)
    card, board = room.boards[-2:]
    assert verbs(card) == ["replay", "flip"]
    assert score(room, "0", "4") in text(card)
    how = f"{room.ana.mention} resigned"
    assert EN("board.match.game_won", number=1, player=room.ben.mention, how=how, n=4) in text(board)
    assert "0/7" not in text(board)
    assert score(room, "0", "4") in text(board)
    assert [user for user, message in room.pings if message["id"] == board["id"]] == [live.to_act]
    assert not [user for user, message in room.pings if message["id"] == card["id"]]
    # Ben gives up 2, then Ana passes twice
    await take_double(room)
    await resign(room, room.ben, 2, offer=True)
    assert score(room, "2", "4") in text(room.board)
    await pass_double(room)
    live = await pass_double(room)
    crawford = EN("board.match.crawford", line=score(room, "2", "6"))
    assert crawford in text(room.board)
    assert crawford not in text(room.boards[-2])  # the game before it has just ended
    assert (live.table.options["crawford"], live.record.header.match_game) == ("on", 5)
    # in the Crawford game nobody may double, and the dice fall by themselves
    await first_turn(room)
    assert verbs(room.board)[0] == "move"
    await room.ben.slash("abak double")
    assert told(room.ben) == EN("cube.crawford")
    live = await resign(room, room.ben, 3)
    assert crawford not in text(room.board)
    assert score(room, "5", "6") in text(room.board)
    # after it Ana may double again; Ben, who needs one point, may not
    live = await first_turn(room)
    assert verbs(room.board)[0] == "move"
    await room.type(live, "8/5 6/5")
    await room.shown()
    await insist(room, room.ana, "double")
    live = await insist(room, room.ben, "pass")
    assert score(room, "6", "6") in text(room.board)
    assert ends == []
    live = await resign(room, room.ben, 3)  # less would lose the match, too, so nothing else is offered
    # the card of the match
    assert live.is_over
    assert verbs(room.board) == ["rematch", "replay"]
    end = EN("board.match.won", player=room.ana.mention, other="", score="9 \N{EN DASH} 6")
    assert end in text(room.board)
    assert "Ana wins the match 9 - 6." in alt(room.board)
    for number in range(1, 8):
        assert f"Game {number}: " in text(room.board)
        assert f"Game {number}: " in alt(room.board)
    match = await match_of(room)
    assert (match.score, match.result and match.result.counts) == ((9, 6), True)
    assert [(game.points[0], game.cube) for game in match.match.results] == [
        (-4, 2),
        (2, 2),
        (-1, 1),
        (-1, 1),
        (3, 1),
        (1, 1),
        (3, 1),
    ]
    (contest,) = ends
    assert (contest.id, contest.is_match, contest.winner, contest.points) == (match.id, True, 0, 7)
    assert contest.players == (room.ana.user_id, room.ben.user_id)


async def test_the_first_roll_of_a_game_was_promised_in_the_game_before(room: Room) -> None:
    await begin_match(room, TO_SEVEN, "backgammon", cube="on")
    first = await first_turn(room)
    before = await room.present()
    second = await resign(room, room.ben, 3)
    assert room.bot is not None
    ended = await room.bot.service(GameService).get(first.id)
    assert second.record.header.commitment == promise(ended.secret) == before.commitment
    rolls = [entry for entry in ended.entries if entry.kind is Kind.CHANCE]
    assert rolls[-1].body.split(" ")[2] == second.record.header.commitment
    assert second.entries[0].body.split(" ")[1] == ended.secret
    assert [board for board in room.boards if second.record.header.commitment[:8] in text(board)]


async def test_a_series_alternates_the_seats(room: Room, ends: list[FinishedContest]) -> None:
    live = await begin_match(room, Terms(best_of=3), "abalone")
    assert live.players == (room.ana.user_id, room.ben.user_id)
    assert "Game 1 of 3: Ana 0 - Ben 0" in alt(room.board)
    live = await resign(room, room.ana, 1)
    assert live.players == (room.ben.user_id, room.ana.user_id)
    assert room.to_move(live) == room.ben
    assert "Game 2 of 3: Ana 0 - Ben 1" in alt(room.board)
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))
    await room.shown()
    await room.ben.press("b:accept:", room.board)
    live = await room.shown()
    assert live.players == (room.ana.user_id, room.ben.user_id)
    assert "Game 3 of 3: Ana ½ - Ben 1½" in alt(room.board)
    await resign(room, room.ana, 1)
    assert "Ben wins the match 2½ - ½." in alt(room.board)
    assert [(contest.winner, contest.points) for contest in ends] == [(1, 1)]


async def test_a_whole_match_is_resigned_after_a_question(room: Room, ends: list[FinishedContest]) -> None:
    await begin_match(room, TO_SEVEN, "backgammon")
    await room.ben.slash("abak resign")
    await room.ben.press("b:sure_resign_match:", private(room.ben))
    assert EN("resign.sure_match") in told(room.ben)
    assert ends == []
    await room.ben.press("b:resign_match:", private(room.ben))
    live = await room.shown()
    assert live.is_over
    assert "Ben resigns the match, so Ana wins it. The score was 3 - 0." in alt(room.board)
    assert verbs(room.board) == ["rematch", "replay"]
    assert [contest.winner for contest in ends] == [0]


async def test_a_single_game_offers_no_match_to_resign(room: Room) -> None:
    await room.begin("abalone")
    await room.ben.slash("abak resign")
    assert not [x for x in verbs(private(room.ben)) if "match" in x]


async def test_a_rematch_repeats_the_terms(room: Room) -> None:
    await begin_match(room, Terms(points=3), "backgammon", cube="on")
    await resign(room, room.ana, 3)
    await room.ana.press("b:rematch:", room.board)
    await room.ben.press("b:accept_challenge:")
    live = await room.shown()
    assert live.players == (room.ben.user_id, room.ana.user_id)
    match = await match_of(room)
    assert (match.terms, match.match.header.options[0]) == (Terms(points=3), ("layout", "standard"))
    assert live.table.options["cube"] == "on"
    await until(lambda: "b:rematch:" not in str(room.boards[-2]["components"]), "the button leads to the rematch")


async def test_a_rematch_waits_for_the_end_of_the_match(room: Room) -> None:
    live = await begin_match(room, Terms(points=7), "backgammon")
    await resign(room, room.ana, 3)
    flip = next(x for x in room.boards[-2]["components"][0]["components"] if ":flip:" in x["custom_id"])
    flip["custom_id"] = flip["custom_id"].replace(":flip:", ":rematch:")
    await room.ana.press("b:rematch:", room.boards[-2])
    assert told(room.ana) == EN("rematch.match_running")
    assert live.id != (await room.present()).id


async def test_the_lists_name_the_score(room: Room) -> None:
    await begin_match(room, TO_SEVEN, "backgammon")
    await resign(room, room.ana, 3)
    await room.ben.slash("abak games")
    assert EN("games.match_points", points=7, score="3 \N{EN DASH} 0") in told(room.ben)
    await room.ana.slash("abak next")
    assert score(room, "0", "3") in told(room.ana)
    await room.ana.slash("abak board")
    assert score(room, "0", "3") in told(room.ana)


async def test_a_match_moves_with_its_game(room: Room) -> None:
    await begin_match(room, TO_SEVEN, "backgammon")
    elsewhere = room.elsewhere(room.server.world.add_channel("elsewhere"))
    await elsewhere.ana.slash("abak move here")
    await elsewhere.shown()
    live = await resign(elsewhere, elsewhere.ana, 3)
    assert live.record.header.match_game == 2
    assert (await match_of(elsewhere)).place.channel_id == elsewhere.channel_id


async def test_each_game_begins_below_the_card_of_the_one_before(room: Room) -> None:
    await begin_match(room, TO_SEVEN, "abak", cube="on")
    await resign(room, room.ana, 3)
    live = await resign(room, room.ben, 3)
    assert live.record.header.match_game == 3
    games = [shows(board)[0] for board in room.boards]
    assert [games.index(game) for game in dict.fromkeys(games)] == [0, 2, 4]
    assert len(games) == 5


async def test_a_challenge_to_points_begins_a_match(room: Room) -> None:
    live = await room.begin("backgammon", points=5, cube="on", rated=False)
    assert (live.record.header.match_game, live.table.options["points"], live.table.options["cube"]) == (1, 5, "on")
    assert (await match_of(room)).terms == Terms(points=5)
    await resign(room, room.ana, 3)
    assert "Match to 5: Ana 0 - Ben 3" in alt(room.board)
