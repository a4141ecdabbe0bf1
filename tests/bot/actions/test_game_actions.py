"""Tests actions on a whole game: offers and their answers, resigning, looking at it from either side."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, is_gone, private, told, verbs, wired
from harness.discord import Seat, alt, text, until
from harness.pixels import pixels

from bot.board import message as board
from bot.board.delivery.channel_history import unrecorded_messages
from bot.clocks.words import stamp
from bot.core.translations import language
from engine.core.errors import Translated
from engine.core.progress import Offer
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.games.live import LiveGame

EN = language("en")


def pictures(room: Room, message: dict[str, Any]) -> list[bytes]:
    return [pixels(room.server.world.attachment(int(a["id"]))[0]) for a in message["attachments"]]


async def offer_draw(room: Room, who: Seat) -> LiveGame:
    await who.slash("abak draw")
    assert told(who) == EN("draw.sure")
    assert verbs(private(who)) == ["keep", "draw"]
    await who.press("b:draw:", private(who))
    assert told(who).startswith(EN("draw.offered"))
    return await room.shown()


# --- draws -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_a_draw_is_offered_and_accepted(room: Room, game: str) -> None:
    live = await room.begin(game)
    offered = await offer_draw(room, room.ana)
    assert offered.table.offer == Offer(live.players.index(room.ana.user_id), "draw")
    assert verbs(room.board)[:2] == ["accept", "decline"]
    assert EN("board.answer", player=room.ben.mention) in text(room.board)
    assert verbs(room.board) == ["accept", "decline", *(["move"] if live.to_act == room.ben.user_id else []), "more"]
    assert [x["label"] for x in wired(room.board)][:2] == ["Accept the draw", "Decline"]
    assert [user_id for user_id, _ in room.pings[-1:]] == [room.ben.user_id]
    await room.ben.press("b:accept:", room.board)
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert ended.table.outcome.winner is None
    assert EN("board.drawn", reason=EN("end.agreed_draw")) in text(room.board)
    assert verbs(room.board) == ["rematch", "replay", "flip"]
    assert [wired(board) for board in room.boards[:-1]] == [[]]
    assert len(room.boards) == 2  # the offer is told in one line


async def test_a_draw_is_declined_and_the_game_goes_on(room: Room) -> None:
    live = await room.begin("apb")
    offered = await offer_draw(room, room.ana)
    asked = room.ben.last["content"]
    assert asked == board.status(offered, EN)  # the board tells the offer, the message beside it only pings
    await room.ben.press("b:decline:", room.board)
    after = await room.shown()
    assert after.table.offer is None
    assert after.to_act == live.to_act
    assert "accept" not in verbs(room.board)
    assert [user_id for user_id, _ in room.pings[-2:]] == [
        room.ana.user_id,
        room.ben.user_id,
    ]  # by turn and offer alone
    assert len(room.boards) == 1
    assert EN("story.decline_draw", seat=Translated("@side.black")) in text(room.board)
    await until(
        lambda: asked not in [message["content"] for message in room.ana.messages if message["id"] != room.board["id"]],
        "the ping is gone with its offer",
    )
    assert [message["content"] for message in room.ana.messages if "offers a draw" in message["content"]] == [
        text(room.board)
    ]


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_nobody_is_pinged_again_for_what_they_have_declined(room: Room, locale: str) -> None:
    room.speak(locale)
    await room.begin("apb")
    await room.ana.slash("abak draw")
    sure = private(room.ana)
    await room.ana.press("b:draw:", sure)
    await room.shown()
    await room.ben.press("b:decline:", room.board)
    await room.shown()
    calls = len(room.pings)
    await room.ana.slash("abak draw")
    assert told(room.ana) == room.say("table.declined")
    await room.ana.press("b:more:", room.board)
    assert "sure_draw" not in verbs(private(room.ana))
    assert told(room.ana).endswith(room.say("table.declined"))  # where the button is missing, the menu says why
    await room.ana.press("b:more:", room.board)
    assert "sure_draw" not in verbs(private(room.ana))
    await room.shown()
    assert len(room.pings) == calls


async def test_nobody_answers_their_own_offer_and_no_stranger_answers_any(room: Room) -> None:
    await room.begin("apb")
    offered = await offer_draw(room, room.ana)
    for verb in ("accept", "decline"):
        await room.ana.press(f"b:{verb}:", room.board)
        assert told(room.ana) == EN("table.own_offer")
        stranger = Seat.join(room.server.world, "Carla", room.channel_id)
        await stranger.press(f"b:{verb}:", room.board)
        assert told(stranger) == EN("table.not_a_player")
    assert await room.present() == offered


async def test_only_the_newest_offer_is_told(room: Room) -> None:
    await room.begin("apb")
    await offer_draw(room, room.ana)
    await room.ben.press("b:decline:", room.board)
    await room.shown()
    first = EN("story.offer_draw", seat=Translated("@side.white"))
    declined = EN("story.decline_draw", seat=Translated("@side.black"))
    assert first in text(room.board)
    assert declined in text(room.board)
    await offer_draw(room, room.ben)
    assert EN("story.offer_draw", seat=Translated("@side.black")) in text(room.board)
    assert first not in text(room.board)
    assert declined not in text(room.board)


async def test_the_more_menu_becomes_the_question_but_for_resigning(room: Room) -> None:
    await room.begin("apb")
    for verb, sure in (("sure_draw", "draw.sure"), ("resign", "resign.sure")):
        await room.ana.press("b:more:", room.board)
        menu = private(room.ana)
        await room.ana.press(f"b:{verb}:", menu)
        asked = private(room.ana)
        assert (asked["id"] == menu["id"]) == (verb == "sure_draw")  # a second tap must not resign
        assert told(room.ana) == EN(sure)
        await room.ana.press("b:keep:", asked)
        assert verbs(room.ana.fresh(asked)) == []


async def test_an_offer_stands_once(room: Room) -> None:
    await room.begin("apb")
    await room.ana.slash("abak draw")
    first = private(room.ana)
    await room.ana.slash("abak draw")
    second = private(room.ana)
    await room.ana.press("b:draw:", first)
    await room.shown()
    await room.ana.slash("abak draw")
    assert told(room.ana) == EN("table.offer_stands")
    await room.ana.press("b:draw:", second)
    assert EN("table.offer_stands") in [m["content"] for m in room.ana.messages]
    await room.ben.slash("abak draw")
    assert told(room.ben) == EN("table.answer_first")
    assert (await room.present()).table.seq == 1


async def test_a_double_click_on_accept_ends_the_game_once(room: Room) -> None:
    await room.begin("apb")
    await offer_draw(room, room.ana)
    board = room.board
    await asyncio.gather(*(room.ben.press("b:accept:", board) for _ in range(3)))
    assert (await room.shown()).table.seq == 2
    assert len(room.boards) == 2


async def test_thinking_better_of_a_draw_offers_none(room: Room) -> None:
    live = await room.begin("apb")
    await room.ben.slash("abak draw")
    await room.ben.press("b:keep:", private(room.ben))
    assert wired(private(room.ben)) == []
    assert await room.present() == live


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_who_has_offered_moves_on_or_withdraws_without_the_board(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await room.begin("apb")
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))
    offered = private(room.ana)
    assert told(room.ana) == "\n".join(map(room.say, ("draw.offered", "offer.your_turn")))
    assert verbs(offered) == ["withdraw", "move"]
    await room.shown()
    for who, mine, theirs in ((room.ana, {"withdraw", "move"}, {"accept"}), (room.ben, {"resign", "flip"}, {"move"})):
        await who.press("b:more:", room.board)
        assert set(verbs(private(who))) >= mine
        assert not {*theirs, "sure_draw", "sure_back"} & set(verbs(private(who)))
        await who.slash("abak board")
        assert verbs(private(who)) == (["withdraw", "move"] if who is room.ana else ["accept", "decline"])
    await room.ana.press("b:move:", offered)
    await room.ana.press("b:withdraw:", offered)
    assert is_gone(room.ana, offered)
    after = await room.shown()
    assert (after.table.offer, after.to_act) == (None, live.to_act)
    assert room.say("story.withdraw_draw", seat=Translated("@side.white")) in text(room.board)
    assert verbs(room.board) == ["move", "flip", "more"]
    await room.ana.press("b:more:", room.board)
    assert "sure_draw" not in verbs(private(room.ana))
    await room.ana.slash("abak draw")
    assert told(room.ana) == room.say("table.withdrawn")


async def test_a_board_is_known_again_also_while_an_answer_is_wanted_and_after_the_end(room: Room) -> None:
    await room.begin("apb")
    assert room.bot is not None
    await offer_draw(room, room.ana)
    assert "flip" not in verbs(room.board)
    found = await unrecorded_messages(room.bot, replace(await room.shown(), message_id=None))
    assert str(found.board) == room.board["id"]
    await room.ben.press("b:accept:", room.board)
    found = await unrecorded_messages(room.bot, replace(await room.shown(), message_id=None))
    assert str(found.board) == room.board["id"]


async def test_only_ones_own_offer_is_withdrawn_and_only_while_it_stands(room: Room) -> None:
    await room.begin("apb")
    await offer_draw(room, room.ana)
    await room.ana.press("b:more:", room.board)
    more = private(room.ana)
    await room.ana.press("b:more:", room.board)
    stale = private(room.ana)
    await room.ben.press("b:decline:", room.board)
    after = await room.shown()
    await room.ana.press("b:withdraw:", stale)
    assert told(room.ana) == EN("table.no_offer")
    assert verbs(room.ana.fresh(stale)) == []  # the button that leads nowhere is gone
    assert await room.present() == after
    theirs = await offer_draw(room, room.ben)
    await room.ana.press("b:withdraw:", more)
    assert told(room.ana) == EN("table.others_offer")
    assert await room.present() == theirs


async def test_who_is_asked_on_their_own_turn_may_just_play_on(room: Room) -> None:
    live = await room.begin("abalone")
    await offer_draw(room, room.ben)
    assert EN("board.answer_or_play", player=room.ana.mention) in text(room.board)
    assert verbs(room.board) == ["accept", "decline", "move", "more"]
    await room.tap(live, [live.table.game.legal(live.table.state)[0]])
    assert (await room.shown()).table.offer is None


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_whose_clock_runs_is_said_of_whoever_is_on_turn(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await room.begin("abalone", time="3d/move")
    assert live.table.clock is not None
    started, deadline = live.table.clock.started, live.table.deadline
    assert deadline is not None
    due = {"relative": stamp(started + deadline, "R"), "date": stamp(started + deadline, "f")}
    assert room.say("time.until", **due) in text(room.board)
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))
    await room.shown()
    assert room.say("time.theirs", player=room.ana.mention, **due) in text(room.board)
    await room.ben.slash("abak board")
    assert room.say("time.theirs", player=room.ana.mention, **due) in told(room.ben)
    await room.ben.press("b:decline:", room.board)
    await room.shown()
    assert room.say("time.until", **due) in text(room.board)


@pytest.mark.parametrize("what", ["pause", "adjourn", "resign", "takeback"])
async def test_what_is_accepted_stands_on_the_button(room: Room, what: str) -> None:
    match = {"points": 3} if what == "resign" else {}
    live = await room.begin("backgammon" if what == "resign" else "abalone", time="3d/move", **match)
    asker = room.ana
    if what == "takeback":
        await room.tap(live, [live.table.game.legal(live.table.state)[0]])
        await room.shown()
    await (asker.slash("abak resign") if what == "resign" else asker.press("b:more:", room.board))
    menu = private(asker)
    if what == "adjourn":
        await asker.press("b:ask_adjourn:", menu)
        await asker.choose("7d/move", message=private(asker))
        await asker.press("b:offer_time:", private(asker))
    elif what == "pause":
        await asker.press("b:ask_pause:", menu)
        await asker.press("b:offer_time:", private(asker))
    elif what == "takeback":
        await asker.press("b:sure_back:", menu)
        await asker.press("b:ask_back:", private(asker))
    else:
        await asker.press(f"b:resign_for:{live.id}:{live.table.seq}:1", menu)
    offered = private(asker)
    assert verbs(offered)[0] == "withdraw"
    await room.shown()
    assert wired(room.board)[0]["label"] == EN(f"button.accept.{what}")
    await asker.press("b:withdraw:", offered)
    after = await room.shown()
    assert after.table.offer is None
    seat = Translated(f"@side.{live.table.game.seats[live.players.index(asker.user_id)]}")
    assert EN(f"story.withdraw_{what}", seat=seat) in text(room.board)


# --- resigning -------------------------------------------------------------------------------------------------------


# --- looking ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
async def test_flipping_shows_the_other_side_to_one_alone_and_back(room: Room, game: str) -> None:
    await room.begin(game)
    await room.ben.press("b:flip:", room.board)
    flipped = private(room.ben)
    first = pictures(room, flipped)
    assert first != pictures(room, room.board)
    await room.ben.press("b:flip:", flipped)
    second = pictures(room, room.ben.fresh(flipped))
    assert second == pictures(room, room.board)
    await room.ben.press("b:flip:", room.ben.fresh(flipped))
    assert pictures(room, room.ben.fresh(flipped)) == first
    assert flipped not in room.ana.messages


@pytest.mark.parametrize("game", GAMES)
async def test_the_board_can_be_seen_again_by_anybody_from_their_side(room: Room, game: str) -> None:
    await room.begin(game)
    seen = {}
    for who in (room.ana, room.ben, Seat.join(room.server.world, "Carla", room.channel_id)):
        for flip in (False, True):
            await who.slash("abak board", flip=flip)
            message = private(who)
            assert 40 < len(alt(message)[0]) <= 1024
            assert f"/{room.board['id']}" in text(message)
            seen[who.user_id, flip] = pictures(room, message)
    ana, ben = room.ana.user_id, room.ben.user_id
    assert seen[ana, False] == seen[ben, True]
    assert seen[ana, True] == seen[ben, False]
    assert seen[ana, True] != seen[ana, False]


async def test_a_finished_game_can_still_be_looked_at(room: Room) -> None:
    await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    await room.ben.slash("abak board")
    assert f"{room.ana.mention} resigned" in told(room.ben)
    await room.ben.press("b:flip:", room.board)
    assert len(alt(private(room.ben))) == 1


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_help_and_rules_are_told_in_ones_own_language(room: Room, locale: str) -> None:
    room.speak(locale)
    await room.ana.slash("abak help")
    assert all(game.name in told(room.ana) for game in GAMES.values())
    for game in GAMES:
        await room.ana.slash("abak rules", game=game)
        assert room.say(f"{game}.rules") in told(room.ana)
        assert len(alt(private(room.ana))) == 1
    await room.begin("apb")
    await room.ben.slash("abak rules")
    assert room.say("apb.rules") in told(room.ben)


async def test_public_words_are_the_servers_and_private_ones_the_readers(room: Room) -> None:
    room.server.world.users[room.ben.user_id]["locale"] = "es-419"
    live = await room.begin("apb")
    assert EN("board.turn", player=room.ana.mention) in text(room.board)
    await room.ben.press("b:move:", room.board)
    assert told(room.ben).startswith(language("es")("table.not_your_turn"))
    await room.ana.press("b:move:", room.board)
    assert EN("picker.what") in told(room.ana)
    assert live.locale == "en"
