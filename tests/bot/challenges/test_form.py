"""The form of a challenge: by the command without options and by a user's menu, chosen in, posted once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, Room, bot_running, private, told, told_all, verbs, wired
from harness.discord import Seat, buttons, is_ephemeral, menus, text

from bot.challenges.proposal import Draft, boards, kinds
from bot.challenges.service import ChallengeService
from bot.core.translations import language
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions
from engine.core.errors import Translated
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.server import Server

pytestmark = pytest.mark.usefixtures("experienced")

Json = dict[str, Any]
EN = language("en")
FIRST = next(iter(GAMES))


async def opened(room: Room, opponent: Seat | None = None) -> Json:
    """Lets Ana open the form, and returns it."""
    if opponent is None:
        await room.ana.slash("abak challenge")
    else:
        await room.ana.context(EN("menu.challenge"), opponent)
    form = private(room.ana)
    assert verbs(form)[:5] == ["form_game", "form_kind", "form_time", "form_opponent", "form_post"]
    return form


async def pick(room: Room, form: Json, verb: str, value: str, kind: str = "m") -> Json:
    await room.ana.choose(value, menu=f"{kind}:{verb}:", message=form)
    assert room.bot is not None
    await told_all(room.bot)
    return room.ana.fresh(form)


def chosen(form: Json) -> list[str]:
    """Returns the values that the menus show as chosen."""
    texts = [[one["value"] for one in menu["options"] if one.get("default")] for menu in menus(form)[:3]]
    return [value for values in texts for value in values]


async def post(room: Room, form: Json) -> Json:
    """Posts the form, and returns the public message of the challenge."""
    await room.ana.press("b:form_post:", form)
    assert room.bot is not None
    await told_all(room.bot)
    return room.ana.last


async def stored(room: Room, message: Json) -> Any:
    assert room.bot is not None
    (accept,) = [one for one in buttons(message).values() if ":accept_challenge:" in one["custom_id"]]
    return await room.bot.service(ChallengeService).get(accept["custom_id"].split(":")[2])


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_two_taps_challenge_somebody(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        await room.ana.context(EN("menu.challenge"), room.ben)
        form = private(room.ana)
        title = room.say("challenge_form.title", opponent=room.ben.mention, game=GAMES[FIRST].name, layout="")
        assert title in text(form)
        assert room.ben.messages == []
        message = await post(room, form)
        said = room.say(
            "challenge.to", challenger=room.ana.mention, opponent=room.ben.mention, game=GAMES[FIRST].name, layout=""
        )
        assert said in text(message)
        assert not is_ephemeral(message)
        assert [user_id for user_id, _ in room.pings] == [room.ben.user_id]
        assert text(room.ana.fresh(form)) == room.say("challenge_form.posted")
        assert verbs(room.ana.fresh(form)) == []
        await room.ben.press("b:accept_challenge:", message)
        await room.shown()


async def test_the_menu_of_a_user_has_a_name_in_both_languages(room: Room) -> None:
    [menu] = [command for command in room.server.world.commands if command["type"] == 2]
    assert menu["name"] == EN("menu.challenge")
    assert menu["name_localizations"]["es-ES"] == language("es")("menu.challenge")


async def test_the_command_alone_opens_the_form_for_anyone(room: Room) -> None:
    form = await opened(room)
    assert EN("challenge_form.anyone") in text(form)
    assert chosen(form) == [f"{FIRST},standard", "s", "0"]
    message = await post(room, form)
    assert verbs(message)[:2] == ["accept_challenge", "cancel_challenge"]
    assert room.pings == []


async def test_what_is_chosen_is_posted(room: Room) -> None:
    form = await opened(room)
    form = await pick(room, form, "form_game", "backgammon,nack")
    assert chosen(form) == ["backgammon,nack", "p3c", "0"]
    assert EN("challenge.match_cube", n=3) in text(form)
    form = await pick(room, form, "form_kind", "p7c")
    form = await pick(room, form, "form_time", "7")
    form = await pick(room, form, "form_opponent", str(room.ben.user_id), "u")
    await room.ana.press("b:form_casual:", form)
    form = room.ana.fresh(form)
    assert chosen(form) == ["backgammon,nack", "p7c", "7"]
    assert menus(form)[3]["default_values"] == [{"id": str(room.ben.user_id), "type": "user"}]
    message = await post(room, form)
    made = await stored(room, message)
    assert (made.game, made.opponent, made.points, made.best_of, made.clock) == (
        "backgammon",
        room.ben.user_id,
        7,
        1,
        "10m+5s",
    )
    assert (made.options["layout"], made.options["cube"], made.rated) == ("nack", "on", False)
    for said in ("challenge.casual", "challenge.bank.game"):
        assert EN(said) in text(message)


async def test_a_side_is_chosen_by_pressing_its_button(room: Room) -> None:
    form = await pick(room, await opened(room), "form_game", "abalone,standard")
    black, white = EN("seat.black"), EN("seat.white")
    for side in (black, white, EN("challenge_form.drawn"), black):
        await room.ana.press("b:form_side:", form)
        form = room.ana.fresh(form)
        assert EN("button.form_side", side=side) in [part.get("label") for part in wired(form)]
    message = await post(room, form)
    assert (await stored(room, message)).seat == 0
    assert EN("challenge.side", player=room.ana.mention, side=Translated("@seat.black")) in text(message)


async def test_what_is_usual_follows_the_time_until_something_else_is_chosen(room: Room) -> None:
    form = await pick(room, await opened(room), "form_game", "backgammon,standard")
    form = await pick(room, form, "form_time", "5")
    assert chosen(form) == ["backgammon,standard", "s", "5"]
    form = await pick(room, form, "form_time", "2")
    assert chosen(form) == ["backgammon,standard", "p3c", "2"]
    form = await pick(room, await pick(room, form, "form_kind", "b5"), "form_time", "5")
    assert chosen(form) == ["backgammon,standard", "b5", "5"]
    form = await pick(room, form, "form_game", "backgammon,hyper")
    assert chosen(form) == ["backgammon,hyper", "b5", "5"]
    form = await pick(room, form, "form_game", "apb,standard")
    assert chosen(form) == ["apb,standard", "s", "5"]


async def test_ratings_are_asked_of_anyone(room: Room) -> None:
    form = await opened(room)
    asked = await room.ana.press("b:form_ratings:", form)
    await room.ana.submit(asked, {"ratings": "1700-1400"})
    assert told(room.ana) == EN("challenge.rating_order", low=1700, high=1400)
    asked = await room.ana.press("b:form_ratings:", form)
    await room.ana.submit(asked, {"ratings": "1600+"})
    form = room.ana.fresh(form)
    assert EN("challenge.wanted_from", low=1600) in text(form)
    form = await pick(room, form, "form_opponent", str(room.ben.user_id), "u")
    assert EN("challenge.wanted_from", low=1600) not in text(form)
    assert "form_ratings" not in verbs(form)
    await room.ana.press("b:form_anyone:", form)
    message = await post(room, room.ana.fresh(form))
    assert EN("challenge.wanted_from", low=1600) in text(message)
    await room.ben.press("b:accept_challenge:", message)
    assert told(room.ben) == EN("challenge.rating_below", rating=1500, low=1600)
    assert room.boards == []


async def test_nobody_is_challenged_who_cannot_be(room: Room) -> None:
    world = room.server.world
    robot = Seat.join(world, "Robot", room.channel_id)
    world.users[robot.user_id]["bot"] = True
    refused = ((room.ana, "challenge.self"), (robot, "challenge.bot"))
    for who, key in refused:
        await room.ana.context(EN("menu.challenge"), who)
        assert text(room.ana.last) == EN(key)
        assert verbs(room.ana.last) == []
    form = await opened(room, room.ben)
    for who, key in refused:
        form = await pick(room, form, "form_opponent", str(who.user_id), "u")
        assert told(room.ana) == EN(key)
        assert room.ben.mention in text(form)


async def test_a_double_click_posts_once(room: Room) -> None:
    form = await opened(room, room.ben)
    await asyncio.gather(*(room.ana.press("b:form_post:", form) for _ in range(2)))
    assert room.bot is not None
    await told_all(room.bot)
    assert len([message for message in room.ben.messages if "accept_challenge" in verbs(message)]) == 1


async def test_where_nothing_can_be_posted_the_form_stays(room: Room) -> None:
    form = await opened(room, room.ben)
    room.server.world.deny(room.channel_id, permissions.ATTACH_FILES)
    await room.ana.press("b:form_post:", form)
    assert told(room.ana) == EN("place.permission", permission=EN("permission.attach_files"))
    room.server.world.allow(room.channel_id, permissions.ATTACH_FILES)
    assert "accept_challenge" in verbs(await post(room, form))


async def test_the_form_offers_what_the_server_allows(room: Room) -> None:
    assert room.bot is not None
    preferences, guild_id = room.bot.service(PreferenceService), room.server.world.guild_id
    await preferences.set_server(guild_id, "longest", "3")
    await preferences.set_server(guild_id, "clock", "2d/move")
    form = await opened(room)
    times = menus(form)[2]["options"]
    assert [one["value"] for one in times] == ["1", "2", "4", "5", "6", "7", "8", "u"]
    assert chosen(form)[-1] == "u"
    message = await post(room, form)
    assert (await stored(room, message)).clock == "2d/move"


async def test_the_form_needs_no_memory(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        form = await pick(room, await opened(room), "form_game", "abalone,belgian-daisy")
    async with bot_running(stand_in, sqlite_url) as bot:
        room.bot = bot
        message = await post(room, form)
        assert (await stored(room, message)).options["layout"] == "belgian-daisy"


def test_a_custom_id_has_room_for_every_form() -> None:
    """At most 100 characters."""
    assert len(boards()) == sum(
        len(next((one.choices for one in game.options if one.key == "layout"), ("standard",)))
        for game in GAMES.values()
    )
    for game, layout, _ in boards():
        for kind in kinds(game):
            draft = Draft(game, layout, kind, "u", rated=True, ratings="1000-2000")
            assert Draft.read(str(draft)) == draft
            assert len(f"m:form_opponent:{2**64}:0:{draft}") <= 100
            changing = replace(draft, time="3d+12h 12h/move", changes=f"{2**64 - 1:x}")
            assert Draft.read(str(changing)) == changing
            assert len(f"f:fill_ratings:anyone:0:{changing}") <= 100
            assert len(f"m:form_level:{2**64}:0:{replace(changing, ratings='')}") <= 100


@pytest.mark.parametrize("given", ["game", "opponent"])
async def test_a_game_or_an_opponent_alone_opens_the_form(room: Room, given: str) -> None:
    await room.ana.slash("abak challenge", **({"game": "apb"} if given == "game" else {"opponent": room.ben}))
    form = private(room.ana)
    assert GAMES["apb" if given == "game" else FIRST].name in text(form)
    assert (room.ben.mention in text(form)) is (given == "opponent")
    assert room.pings == []
