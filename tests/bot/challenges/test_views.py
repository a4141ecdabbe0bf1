"""Challenges over the socket: to one, to anybody; accepted, declined, taken back, expired; where there is no room."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.bot import SPANISH, Room, bot_running, milliseconds, told, verbs, wired
from harness.discord import Seat, buttons, is_ephemeral, text, until

from bot.board.delivery.publisher import BoardPublisher
from bot.challenges import worker
from bot.challenges.service import ChallengeService
from bot.challenges.worker import ChallengeExpiry
from bot.core.translations import language
from bot.core.workers import FIRST_PAUSE
from bot.games.service import GameService
from bot.sandbox.state import permissions
from engine.registry import GAMES
from render.registry import THUMBNAIL_WIDTH

if TYPE_CHECKING:
    from bot.sandbox.server import Server

THUMBNAIL_BYTES = 20_000
EN, ES = language("en"), language("es")
FIRST = next(iter(GAMES))


def another_bot(room: Room) -> int:
    """Returns the id of a bot that is not ours."""
    user_id = Seat.join(room.server.world, "Robot", room.channel_id).user_id
    room.server.world.users[user_id]["bot"] = True
    return user_id


def carla(room: Room) -> Seat:
    return Seat.join(room.server.world, "Carla", room.channel_id)


@pytest.mark.parametrize("game", GAMES)
async def test_a_challenge_to_one_pings_that_one_and_no_other(room: Room, game: str) -> None:
    message = await room.challenge(game)
    assert not is_ephemeral(message)
    said = EN("challenge.to", challenger=room.ana.mention, opponent=room.ben.mention, game=GAMES[game].name, layout="")
    assert said in text(message)
    promised = ["promise"] if GAMES[game].begins_with_luck(GAMES[game].settle_options({})) else []
    answers = ["accept_challenge", "decline_challenge", "cancel_challenge"]
    assert verbs(message) == [*answers, "rule", "learn", "change_challenge", *promised]
    assert [user_id for user_id, _ in room.pings] == [room.ben.user_id]


async def test_a_challenge_shows_its_layout_and_leads_to_the_rules_and_the_tour(room: Room) -> None:
    usual, other = [await room.challenge("abalone", **given) for given in ({}, {"layout": "the-wall"})]
    (first,), (second,) = usual["attachments"], other["attachments"]
    assert first["description"] != second["description"]
    for file in (first, second):
        content, _ = room.server.world.attachment(int(file["id"]))
        assert len(content) < THUMBNAIL_BYTES
        assert file["width"] == THUMBNAIL_WIDTH >= 480
    other_person = carla(room)
    await other_person.press("b:rule:", usual)
    assert told(other_person) == EN("abalone.rules")
    await other_person.press("b:learn:", usual)
    assert told(other_person).startswith(
        EN("learn.heading", game="Abalone", number=1, last=len(GAMES["abalone"].lessons))
    )


async def test_an_accepted_challenge_leads_to_the_board(room: Room) -> None:
    message = await room.challenge(FIRST)
    await room.ben.press("b:accept_challenge:", message)
    live, now = await room.shown(), room.ana.fresh(message)
    assert now["attachments"] == []
    (to_board,) = buttons(now).values()
    assert to_board["label"] == EN("button.to_board")
    assert to_board["url"].split("/")[-2:] == [str(room.channel_id), str(live.message_id)]
    assert "https://" not in text(now)


async def test_an_open_challenge_pings_nobody_and_anybody_may_accept(room: Room) -> None:
    message = await room.challenge(FIRST, opponent=None)
    assert verbs(message)[:2] == ["accept_challenge", "cancel_challenge"]
    assert room.pings == []
    other = carla(room)
    await other.press("b:accept_challenge:", message)
    live = await room.shown()
    assert live.players == (room.ana.user_id, other.user_id)
    assert EN("challenge.accepted", player=other.mention) in text(room.ana.fresh(message))


async def test_by_the_coin_who_is_challenged_takes_the_first_seat(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, coin=lambda: 1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
    assert live.players == (room.ben.user_id, room.ana.user_id)


async def test_nobody_accepts_their_own_challenge(room: Room) -> None:
    message = await room.challenge(FIRST)
    await room.ana.press("b:accept_challenge:", message)
    assert told(room.ana) == EN("challenge.own")
    assert verbs(room.ana.fresh(message))[:3] == ["accept_challenge", "decline_challenge", "cancel_challenge"]
    assert room.boards == []


async def test_a_challenge_to_one_is_not_for_another(room: Room) -> None:
    message = await room.challenge(FIRST)
    other = carla(room)
    for verb in ("accept_challenge", "decline_challenge"):
        await other.press(f"b:{verb}:", message)
        assert told(other) == EN("challenge.not_for_you")
    await other.press("b:cancel_challenge:", message)
    assert told(other) == EN("challenge.not_yours")
    await room.ben.press("b:cancel_challenge:", message)
    assert told(room.ben) == EN("challenge.not_yours")
    assert room.boards == []


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_declining_and_taking_back_say_so_and_spend_the_buttons(
    stand_in: Server, sqlite_url: str, locale: str
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        declined, cancelled = await room.challenge(FIRST), await room.challenge(FIRST)
        await room.ben.press("b:decline_challenge:", declined)
        await room.ana.press("b:cancel_challenge:", cancelled)
    for message, key, who in ((declined, "declined", room.ben), (cancelled, "cancelled", room.ana)):
        now = room.ana.fresh(message)
        assert room.say(f"challenge.{key}", player=who.mention) in text(now)
        assert wired(now) == []


async def test_neither_oneself_nor_another_bot_is_challenged(room: Room) -> None:
    await room.ana.slash("abak challenge", opponent=room.ana)
    assert told(room.ana) == EN("challenge.self")
    await room.ana.slash("abak challenge", opponent=str(another_bot(room)))
    assert told(room.ana) == EN("challenge.bot")


async def test_a_challenge_without_a_game_is_to_the_first_one(room: Room) -> None:
    await room.ana.slash("abak challenge", opponent=room.ben, time="3d")
    assert GAMES[FIRST].name in text(room.ben.messages[-1])


async def test_a_challenge_expires_by_itself(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker, "LONGEST_SLEEP", 0.05)
    later = 0
    async with bot_running(stand_in, sqlite_url, now=lambda: milliseconds() + later, challenge_expiry=60) as bot:
        room = Room.of(stand_in, bot)
        message = await room.challenge(FIRST)
        assert str(bot.user.id) == message["author"]["id"]
        later = 61_000
        await until(lambda: wired(room.ana.fresh(message)) == [], "the buttons are gone")
        assert EN("challenge.expired") in text(room.ana.fresh(message))
        await bot.service(ChallengeExpiry).turn()
        assert await bot.service(ChallengeService).unshown() == []


async def test_the_next_expiry_is_waited_for_by_the_bots_own_clock(stand_in: Server, sqlite_url: str) -> None:
    ahead = milliseconds() + 3_600_000
    async with bot_running(stand_in, sqlite_url, now=lambda: ahead, challenge_expiry=60) as bot:
        await Room.of(stand_in, bot).challenge(FIRST)
        assert await bot.service(ChallengeExpiry).run_once() == 60


async def test_one_that_has_just_expired_is_not_accepted(stand_in: Server, sqlite_url: str) -> None:
    later = 0
    async with bot_running(stand_in, sqlite_url, now=lambda: milliseconds() + later, challenge_expiry=60) as bot:
        room = Room.of(stand_in, bot)
        message = await room.challenge(FIRST)
        later = 61_000
        await room.ben.press("b:accept_challenge:", message)
        assert told(room.ben) == EN("challenge.expired")
        assert room.boards == []


async def test_an_expiry_that_could_not_be_shown_is_shown_later(stand_in: Server, sqlite_url: str) -> None:
    later = 0
    async with bot_running(stand_in, sqlite_url, now=lambda: milliseconds() + later, challenge_expiry=60) as bot:
        room = Room.of(stand_in, bot)
        message = await room.challenge(FIRST)
        later = 61_000
        stand_in.world.faults.fail_next("PATCH /channels", status=403, code=50013)
        await bot.service(ChallengeExpiry).turn()
        assert wired(room.ana.fresh(message)) != []
        later += FIRST_PAUSE - 1000
        await bot.service(ChallengeExpiry).turn()
        assert wired(room.ana.fresh(message)) != []
        later += 1000
        await bot.service(ChallengeExpiry).turn()
        assert wired(room.ana.fresh(message)) == []


async def test_of_two_who_accept_at_once_one_plays(room: Room) -> None:
    message = await room.challenge(FIRST, opponent=None)
    other = carla(room)
    await asyncio.gather(room.ben.press("b:accept_challenge:", message), other.press("b:accept_challenge:", message))
    live = await room.shown()
    assert len(room.boards) == 1
    late = other if room.ben.user_id in live.players else room.ben
    assert told(late) == EN("challenge.closed")


async def test_a_double_click_on_accept_starts_one_game(room: Room) -> None:
    await room.begin(FIRST)
    message = await room.challenge("apb")
    await asyncio.gather(*(room.ben.press("b:accept_challenge:", message) for _ in range(2)))
    assert room.bot is not None
    await room.bot.service(BoardPublisher).idle()
    assert len(await room.bot.service(GameService).of(room.ana.user_id)) == 2
    assert len(room.elsewhere(int(message["id"])).boards) == 1


async def test_where_a_game_is_under_way_the_next_opens_in_a_thread(room: Room) -> None:
    await room.begin(FIRST)
    message = await room.challenge("apb")
    await room.ben.press("b:accept_challenge:", message)
    thread = room.elsewhere(int(message["id"]))
    live = await thread.shown()
    assert live.place.channel_id == thread.channel_id
    assert room.server.world.channels[thread.channel_id]["parent_id"] == str(room.channel_id)
    assert room.server.world.channels[thread.channel_id]["name"] == "Ana \u2013 Ben, APB"
    assert [user_id for user_id, _ in thread.pings] == [live.awaited]
    (to_board,) = buttons(room.ana.fresh(message)).values()
    assert to_board["url"].split("/")[-2:] == [str(thread.channel_id), str(live.message_id)]
    await thread.type(live, "e4-e5 e3-e4")
    assert (await thread.shown()).table.seq > live.table.seq
    assert not is_ephemeral(thread.board)
    assert len(room.boards) == 1


async def test_a_thread_that_opens_gets_its_game_whoever_cancels_meanwhile(room: Room) -> None:
    await room.begin(FIRST)
    message = await room.challenge("apb")
    room.server.world.faults.delay("/threads", 0.3)
    accepting = asyncio.create_task(room.ben.press("b:accept_challenge:", message))
    await until(lambda: any("/threads" in entry.path for entry in room.server.world.log), "the thread is asked for")
    await room.ana.press("b:cancel_challenge:", message)
    assert told(room.ana) == EN("challenge.closed")
    await accepting
    thread = room.elsewhere(int(message["id"]))
    assert (await thread.shown()).place.channel_id == thread.channel_id


async def test_where_no_thread_can_be_opened_the_challenge_is_free_at_once(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has to wait until the reservation ends, whatever the failure is."""

    async def unreachable(*_: Any, **__: Any) -> None:
        raise TimeoutError

    monkeypatch.setattr(discord.Message, "create_thread", unreachable)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        await room.begin(FIRST)
        message = await room.challenge("apb")
        await room.ben.press("b:accept_challenge:", message)
        await room.ana.press("b:cancel_challenge:", message)
        assert verbs(room.ana.fresh(message)) == []


async def test_two_challenges_accepted_at_once_in_a_free_channel_both_become_games(room: Room) -> None:
    messages = [await room.challenge("apb"), await room.challenge("apb")]
    await asyncio.gather(*(room.ben.press("b:accept_challenge:", message) for message in messages))
    assert room.bot is not None
    assert len(await room.bot.service(GameService).of(room.ana.user_id)) == 2


async def test_a_thread_has_room_for_one_game_only(room: Room) -> None:
    await room.begin(FIRST)
    message = await room.challenge(FIRST)
    await room.ben.press("b:accept_challenge:", message)
    thread = room.elsewhere(int(message["id"]))
    await thread.shown()
    inside = await thread.challenge("apb")
    await thread.ben.press("b:accept_challenge:", inside)
    assert told(thread.ben) == EN("place.taken")
    assert verbs(thread.ben.fresh(inside))[:3] == ["accept_challenge", "decline_challenge", "cancel_challenge"]


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        (permissions.VIEW_CHANNEL, "view_channel"),
        (permissions.SEND_MESSAGES, "send_messages"),
        (permissions.ATTACH_FILES, "attach_files"),
    ],
)
@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_missing_permission_is_named(
    stand_in: Server, sqlite_url: str, permission: int, name: str, locale: str
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        stand_in.world.deny(room.channel_id, permission)
        sent = await room.ana.slash("abak challenge", opponent=room.ben, game=FIRST)
        assert sent.message is not None
        assert is_ephemeral(sent.message)
        assert text(sent.message) == room.say("place.permission", permission=room.say(f"permission.{name}"))


@pytest.mark.parametrize(
    ("permission", "name"),
    [
        (permissions.CREATE_PUBLIC_THREADS, "create_public_threads"),
        (permissions.SEND_MESSAGES_IN_THREADS, "send_messages_in_threads"),
    ],
)
async def test_a_permission_missing_for_a_thread_is_named_and_the_challenge_stands(
    room: Room, permission: int, name: str
) -> None:
    await room.begin(FIRST)
    message = await room.challenge("apb")
    room.server.world.deny(room.channel_id, permission)
    await room.ben.press("b:accept_challenge:", message)
    assert told(room.ben) == EN("place.permission_for_thread", permission=EN(f"permission.{name}"))
    room.server.world.allow(room.channel_id, permission)
    await room.ben.press("b:accept_challenge:", message)
    await room.elsewhere(int(message["id"])).shown()


async def test_a_permission_lost_before_accepting_is_named(room: Room) -> None:
    message = await room.challenge(FIRST)
    room.server.world.deny(room.channel_id, permissions.ATTACH_FILES)
    await room.ben.press("b:accept_challenge:", message)
    assert told(room.ben) == EN("place.permission", permission=EN("permission.attach_files"))
    assert room.boards == []


async def test_the_layout_is_offered_by_its_name_and_said(spanish_room: Room) -> None:
    ana = spanish_room.ana
    offered = await ana.choices("abak challenge", "layout", game="abalone", layout="belg")
    assert offered == [{"name": ES("abalone.layout.belgian-daisy"), "value": "belgian-daisy"}]
    offered = await ana.choices("abak challenge", "layout", game="abalone", layout="piram")
    assert offered == [{"name": ES("abalone.layout.pyramid"), "value": "pyramid"}]
    message = await spanish_room.challenge("abalone", layout="belgian-daisy")
    assert ES("abalone.layout.belgian-daisy") in text(message)
    await spanish_room.ben.press("b:accept_challenge:", message)
    live = await spanish_room.shown()
    assert dict(live.table.record.header.options)["layout"] == "belgian-daisy"


async def test_every_layout_can_be_found(room: Room) -> None:
    for game in GAMES:
        known = {choice for option in GAMES[game].options if option.key == "layout" for choice in option.choices}
        if not known:
            continue  # a line says so
        offered = await room.ana.choices("abak challenge", "layout", game=game, layout="")
        assert {choice["value"] for choice in offered} == known


async def test_a_layout_that_there_is_not_is_refused_with_those_there_are(spanish_room: Room) -> None:
    sent = await spanish_room.ana.slash("abak challenge", game="abalone", layout="nothing")
    assert sent.message is not None
    assert is_ephemeral(sent.message)
    assert "belgian-daisy" in text(sent.message)
    assert "nothing" in text(sent.message)
    await spanish_room.ana.slash("abak challenge", game="apb", layout="nothing")
    assert is_ephemeral(spanish_room.ana.last)


async def test_a_layout_may_be_typed_as_it_is_called_in_any_language(room: Room) -> None:
    for typed, layout in (
        ("margarita belga", "belgian-daisy"),
        ("Piramide", "pyramid"),
        ("  INFILTRACIÓN", "infiltration"),
    ):
        await room.challenge("abalone", layout=typed)
        assert EN(f"abalone.layout.{layout}") in text(room.ana.last)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_where_no_layout_can_be_chosen_it_is_said_why(room: Room, locale: str) -> None:
    room.speak(locale)
    given = {"game": "apb"}
    [offered] = await room.ana.choices("abak challenge", "layout", layout="", **given)
    assert offered["name"] == room.say("option.layout.none", game="APB")
    sent = await room.ana.slash("abak challenge", layout=offered["value"], **given)
    assert sent.message is None or is_ephemeral(sent.message)
    assert room.ben.messages == []


@pytest.mark.parametrize("typed", ["Margarita belga", "belgian daisy", "Belgian_Daisy"])
async def test_a_layout_by_its_shown_name_says_which_game_is_meant(room: Room, typed: str) -> None:
    [offered] = await room.ana.choices("abak challenge", "layout", layout="belgian d")
    assert offered == {"name": EN("abalone.layout.belgian-daisy"), "value": "belgian-daisy"}
    await room.ana.slash("abak challenge", opponent=room.ben, layout=typed)
    assert "**Abalone**" in text(room.ana.last)
    assert EN("abalone.layout.belgian-daisy") in text(room.ana.last)
