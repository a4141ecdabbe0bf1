"""A person alone plays the machine, over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unittest.mock import AsyncMock

import pytest
from fakes.thinker import with_thinker
from harness.alone import ana_to_move, machine
from harness.bot import SPANISH, Room, bot_running, private, told, verbs
from harness.discord import components, is_ephemeral, text, until

from bot.board.delivery.publisher import BoardPublisher
from bot.challenges.service import ChallengeService
from bot.core.translations import language
from bot.games.service import GameService
from bot.opponents.worker import OpponentWorker
from bot.players.machines import Machines, machine_name, machine_title
from bot.players.service import PreferenceService
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingService
from bot.sandbox.state import permissions
from engine.core.errors import Refused
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")
LEVEL = 3
GREEN = 3


def first_turn(live: LiveGame) -> str:
    return str(live.game.format(live.state, live.game.legal(live.state)[:1]))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_three_taps_lead_from_no_games_to_a_game_and_each_pair_of_turns_is_one_message(
    alone: Room, locale: str
) -> None:
    room, say = alone, language(locale[:2])
    room.speak(locale)
    await room.ana.slash("abak games")
    await room.ana.press(say("button.machine"), private(room.ana))
    await room.ana.press("Abalone", private(room.ana))
    assert told(room.ana) == say("challenge_form.begins")
    live = await ana_to_move(room)
    header = live.record.header
    assert live.players == (room.ana.user_id, LEVEL)
    assert (header.clock, header.rated, header.match) == ("", False, "")
    begun, board = (message for message in room.ana.messages if not is_ephemeral(message))
    assert begun["attachments"] == []
    assert say(
        "challenge.against", challenger=room.ana.mention, opponent=machine_name(LEVEL, say), game="Abalone", layout=""
    ) in text(begun)
    assert say("challenge.accepted", player=machine_name(LEVEL, say)) not in text(begun)
    await until(lambda: any("url" in one for one in components(room.ana.fresh(begun))), "it leads to the board")
    assert machine_name(LEVEL, say) in text(board)
    for number in range(1, 3):
        await room.play(live, first_turn(live))
        live = await ana_to_move(room)
        assert len(room.boards) == 1 + number
        own, reply = (entry.body for entry in live.entries[-2:])
        assert f"`{own}`" in text(room.board)
        assert f"`{reply}`" in text(room.board)
    assert room.pings == []


async def test_the_bot_is_challenged_by_the_command_with_all_options(alone: Room) -> None:
    await alone.ana.slash("abak challenge", opponent=machine(alone), level=1, game="backgammon", points=3, side="black")
    live = await ana_to_move(alone)
    assert live.players == (1, alone.ana.user_id)
    assert live.record.header.match
    assert live.table.options["cube"] == "on"
    alone.bot.services._by_class[Machines] = Machines(5)  # the host offers fewer than there are
    refused = [{"opponent": alone.ben, "level": 2}, {"level": 8}]
    for options, key in zip(refused, ("challenge.level", "challenge.machine_level"), strict=True):
        await alone.ana.slash("abak challenge", **options)
        assert told(alone.ana) == EN(key, n=5)


async def test_where_a_game_runs_the_next_one_gets_a_thread(alone: Room) -> None:
    for _ in range(2):
        await alone.ana.slash("abak challenge", level=2, game="abalone")
        await ana_to_move(alone)
    assert alone.bot is not None
    games = alone.bot.service(GameService)
    await until(lambda: two_games(games, alone), "both games run")
    first, second = await games.of(alone.ana.user_id)
    assert first.place.channel_id == alone.channel_id
    thread = alone.server.world.channels[second.place.channel_id]
    assert machine_name(2, EN) in thread["name"]
    await alone.told_all()
    assert told(alone.ana) == EN("challenge.in_thread", thread=f"<#{second.place.channel_id}>")


async def test_a_challenge_whose_thread_is_not_allowed_is_refused_before_it_is_posted(alone: Room) -> None:
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    await ana_to_move(alone)
    alone.server.world.deny(alone.channel_id, permissions.CREATE_PUBLIC_THREADS)
    before = len(alone.server.world.messages.in_channel(alone.channel_id))
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    assert told(alone.ana) == EN("place.permission_for_thread", permission=EN("permission.create_public_threads"))
    assert len([one for one in alone.ana.messages if not is_ephemeral(one)]) == before


async def test_a_machine_whose_game_cannot_start_declines(alone: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert alone.bot is not None
    monkeypatch.setattr("bot.challenges.views.start", AsyncMock(side_effect=Refused("place.taken")))
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    await alone.told_all()
    assert told(alone.ana) == EN("place.taken")
    assert await alone.bot.service(ChallengeService).open_of(alone.ana.user_id) == 0
    (card,) = (one for one in alone.ana.messages if not is_ephemeral(one))
    declined = EN("challenge.declined", player=machine_name(2, EN))
    await until(lambda: declined in text(alone.ana.fresh(card)), "its message says so")


async def test_who_plays_the_machine_is_not_told_after_each_move_what_else_waits(alone: Room) -> None:
    """Nor is who plays a person told of a game against the machine: nobody waits there."""
    other = alone.elsewhere(alone.server.world.add_channel("hall"))
    with_ben = await other.begin("abalone", side="white")
    await alone.ana.slash("abak challenge", level=2, game="abalone", side="black")
    live = await ana_to_move(alone)
    await other.ben.slash("abak move play", notation=first_turn(with_ben))  # now two games wait for Ana
    with_ben = await other.shown()
    await alone.play(live, first_turn(live))
    live = await ana_to_move(alone)
    assert EN("next.waiting", n=1) not in [text(message) for message in alone.ana.messages]
    assert alone.bot is not None
    await alone.bot.service(GameService).resign(live.id, alone.ana.user_id, 1)
    await other.play(with_ben, first_turn(with_ben))
    await other.told_all()
    assert EN("next.waiting", n=1) not in [text(message) for message in other.ana.messages]


async def two_games(games: GameService, room: Room) -> bool:
    return len(await games.of(room.ana.user_id)) == 2


async def test_a_takeback_is_granted_and_a_rematch_begins_at_once(alone: Room) -> None:
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    live = await ana_to_move(alone)
    await alone.play(live, first_turn(live))
    live = await ana_to_move(alone)
    assert alone.bot is not None
    games = alone.bot.service(GameService)
    await alone.ana.slash("abak takeback")
    await alone.ana.press("b:ask_back:", private(alone.ana))
    assert (told(alone.ana), verbs(private(alone.ana))) == (EN("offer.to_machine"), [])
    live = await ana_to_move(alone)
    assert live.table.effective_entries == ()
    assert live.entries[-1].seat == 1
    assert len(alone.boards) == 2
    await games.resign(live.id, alone.ana.user_id, 1)
    await alone.shown()
    await alone.ana.press("b:rematch:", alone.board)
    again = await ana_to_move(alone)
    assert again.players == (2, alone.ana.user_id)
    assert again.id != live.id
    assert alone.pings == []


async def test_the_board_says_that_the_machine_cannot_play_until_it_has_moved(alone: Room) -> None:
    assert alone.bot is not None
    worker, thinker = alone.bot.service(OpponentWorker), with_thinker(alone.bot)
    thinker.is_away = True
    await alone.ana.slash("abak challenge", level=2, game="abalone", side="white")
    player = machine_name(2, EN)
    away, thinks = EN("board.machine_away", player=player), EN("board.machine", player=player)
    await until(lambda: alone.boards and away in text(alone.board), "the board says so")
    said = len(alone.ana.messages)
    for _ in range(2):
        await worker.run_once()
        await until(lambda: not worker._at_work, "the machine has tried")
    assert thinks not in text(alone.board)
    assert len(alone.ana.messages) == said
    assert len(thinker.asked) >= 2
    thinker.is_away = False
    await worker.run_once()
    live = await ana_to_move(alone)
    assert live.seq == 1
    assert away not in text(alone.board)
    assert len(alone.boards) == 1


async def test_where_the_board_cannot_be_changed_a_message_says_that_the_machine_cannot_play(
    alone: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alone.bot is not None
    with_thinker(alone.bot).is_away = True
    monkeypatch.setattr(BoardPublisher, "say_machine_away", AsyncMock(return_value=False))
    await alone.ana.slash("abak challenge", level=2, game="abalone", side="white")
    await until(lambda: EN("opponent.slow") in [text(message) for message in alone.ana.messages], "Ana is told")


async def test_who_waits_long_for_a_machine_that_thinks_is_told_too(
    alone: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alone.bot is not None
    monkeypatch.setattr(OpponentWorker, "patience", 0.0)
    thinker = with_thinker(alone.bot)
    thinker.free.clear()
    await alone.ana.slash("abak challenge", level=2, game="abalone", side="white")
    await until(lambda: EN("opponent.slow") in [text(message) for message in alone.ana.messages], "Ana is told")
    thinker.free.set()
    live = await ana_to_move(alone)
    assert (live.seq, len(thinker.asked)) == (1, 1)


@pytest.mark.usefixtures("at_once")
async def test_the_board_says_that_the_host_has_turned_the_machine_off(stand_in: Server, sqlite_url: str) -> None:
    """Also after the next start: nobody has told it what the board says."""
    async with bot_running(stand_in, sqlite_url) as bot:
        with_thinker(bot)
        room = Room.of(stand_in, bot)
        await room.ana.slash("abak challenge", level=2, game="abalone", side="black")
        live = await ana_to_move(room)
    away = EN("board.machine_away", player=machine_name(2, EN))
    async with bot_running(stand_in, sqlite_url, machine_workers=0) as bot:
        await bot.service(GameService).play(live.id, room.ana.user_id, live.seq, first_turn(live))
        await until(lambda: away in text(room.board), "the board says so")
    said = len(room.ana.messages)
    async with bot_running(stand_in, sqlite_url, machine_workers=0) as bot:
        worker = bot.service(OpponentWorker)
        await until(lambda: worker._told, "it has looked at the board")
        assert text(room.board).count(away) == 1
        assert len(room.ana.messages) == said
    async with bot_running(stand_in, sqlite_url) as bot:
        with_thinker(bot)
        await until(lambda: away not in text(room.board), "the machine has moved")


async def test_without_machines_nothing_offers_them(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        bot.services._by_class[Machines] = Machines(0)
        room = Room.of(stand_in, bot)
        await room.ana.slash("abak games")
        assert "machine" not in verbs(private(room.ana))
        await room.ana.slash("abak challenge")
        assert "form_machine" not in verbs(private(room.ana))
        await room.ana.slash("abak challenge", opponent=machine(room))
        assert told(room.ana) == EN("machine.off")
        await room.ana.slash("abak challenge", level=3)
        assert told(room.ana) == EN("machine.off")


async def test_a_server_says_where_the_machine_plays_and_for_what(alone: Room) -> None:
    assert alone.bot is not None
    guild, services = alone.server.world.guild_id, alone.bot.services
    preferences, games = services[PreferenceService], services[GameService]
    await alone.ana.slash("abak games")
    offer = private(alone.ana)
    await alone.ana.slash("abak challenge", level=2, game="abalone", rated=True)
    assert told(alone.ana) == EN("machine.casual")
    await preferences.set_server(guild, "machine_rated", "yes")
    await preferences.set_server(guild, "machine", "threads")
    await alone.ana.slash("abak challenge", level=2, game="abalone", rated=True)

    async def begun() -> bool:
        return bool(await games.of(alone.ana.user_id))

    await until(begun, "the game begins")
    (game,) = await games.of(alone.ana.user_id)
    assert game.place.channel_id != alone.channel_id
    live = await ana_to_move(alone.elsewhere(game.place.channel_id))
    assert live.record.header.rated
    for _ in range(2):  # a shorter game counts for nothing
        await games.play(live.id, alone.ana.user_id, live.seq, first_turn(live))
        live = await ana_to_move(alone.elsewhere(game.place.channel_id))
    await games.resign(live.id, alone.ana.user_id, 1)
    first, second = await services[RatingService].of_all([2, alone.ana.user_id], "abalone", pace_of(""))
    assert first.rating > 1500 > second.rating
    await alone.ana.slash("abak history")
    assert machine_name(2, EN) in text(private(alone.ana))
    await preferences.set_server(guild, "machine", "nowhere")
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    assert told(alone.ana) == EN("machine.nowhere")
    await alone.ana.press("b:machine:", offer)
    assert told(alone.ana) == EN("machine.nowhere")
    await alone.ana.slash("abak games")
    assert "machine" not in verbs(private(alone.ana))
    await alone.ana.slash("abak challenge")
    assert "form_machine" not in verbs(private(alone.ana))
    thread = alone.elsewhere(game.place.channel_id)
    await thread.shown()
    await thread.ana.press("b:rematch:", thread.board)
    assert told(thread.ana) == EN("machine.nowhere")
    await preferences.set_server(guild, "machine", "threads")
    services._by_class[Machines], machines = Machines(0), services[Machines]
    await thread.ana.press("b:rematch:", thread.board)
    assert told(thread.ana) == EN("machine.off")
    assert await games.of(alone.ana.user_id) == []
    services._by_class[Machines] = machines
    await preferences.set_server(guild, "machine_rated", "no")
    await thread.ana.press("b:rematch:", thread.board)
    await until(begun, "the rematch begins")
    (again,) = await games.of(alone.ana.user_id)
    assert not (await games.get(again.id)).record.header.rated


async def test_a_game_against_the_machine_moves_only_where_the_server_wants_it(alone: Room) -> None:
    assert alone.bot is not None
    world, preferences = alone.server.world, alone.bot.service(PreferenceService)
    await alone.ana.slash("abak challenge", level=2, game="abalone", side="black")
    live = await ana_to_move(alone)
    hall = alone.elsewhere(world.add_channel("hall"))
    thread = alone.elsewhere(int(world.add_thread(hall.channel_id, "table", alone.ana.user_id)["id"]))
    for choice, key in (("nowhere", "machine.nowhere"), ("threads", "here.machine_threads")):
        await preferences.set_server(world.guild_id, "machine", choice)
        await hall.ana.slash("abak move here", game=live.id)
        assert told(hall.ana) == EN(key)
    await thread.ana.slash("abak move here", game=live.id)
    assert told(thread.ana) == EN("here.moved", game="Abalone")


async def test_who_has_just_learnt_a_game_is_offered_it_at_the_lowest_level(alone: Room) -> None:
    def marked() -> set[str]:
        games = [x for x in components(private(alone.ana)) if ":machine_play:" in x.get("custom_id", "")]
        return {x["label"] for x in games if x["style"] == GREEN}

    await alone.ana.slash("abak rules", game="apb", topic="plan")
    await alone.ana.press(EN("button.machine"), private(alone.ana))
    offer = private(alone.ana)
    assert EN("machine.choose", opponent=machine_title(1, EN)) == text(offer)
    assert marked() == {"APB"}
    await alone.ana.choose("2", menu="m:machine_level:", message=offer)
    assert EN("machine.choose", opponent=machine_title(2, EN)) == text(alone.ana.fresh(offer))
    assert marked() == {"APB"}
    await alone.ana.press("APB", offer)
    live = await ana_to_move(alone)
    assert (live.game.key, 2 in live.players) == ("apb", True)


async def test_the_game_and_the_level_played_last_are_offered_first(alone: Room) -> None:
    async def offered() -> tuple[set[str], str]:
        await alone.ana.slash("abak games")
        await alone.ana.press(EN("button.machine"), private(alone.ana))
        offer = private(alone.ana)
        games = [x for x in components(offer) if ":machine_play:" in x.get("custom_id", "")]
        return {x["label"] for x in games if x["style"] == GREEN}, text(offer)

    marked, _ = await offered()
    assert len(marked) == len(GAMES)
    await alone.ana.slash("abak challenge", level=2, game="abalone")
    live = await ana_to_move(alone)
    assert alone.bot is not None
    await alone.bot.service(GameService).resign(live.id, alone.ana.user_id, 1)
    marked, said = await offered()
    assert marked == {"Abalone"}
    assert machine_title(2, EN) in said
