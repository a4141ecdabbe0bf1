"""The list of finished games as it is shown: its lines, its length, its buttons; and the same over the socket."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, private, told, verbs
from harness.discord import Seat, buttons, menus, options
from harness.finished import STARTED, row, store

from bot.archive import views
from bot.archive.finished import Cursor, Filters, ListedGame
from bot.archive.history import line, packed, text
from bot.archive.service import PER_PAGE, Page, Score
from bot.board.message import CONTENT
from bot.core.interactions.components import PressButton
from bot.core.translations import CODES, language
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.machines import machine_name
from engine.core.errors import Translated
from engine.core.game import Outcome
from engine.registry import GAMES

if TYPE_CHECKING:
    from harness.bot import Room

ANA, BEN, HERE = 1, 2, 10
EN = language("en")


@pytest.mark.parametrize(("reason", "word"), [("end.aborted", "aborted"), ("end.voided", "void")])
def test_a_game_without_a_result_is_not_called_a_draw(reason: str, word: str) -> None:
    game = ListedGame(
        "g1", "abalone", (ANA, BEN), Place(HERE, 5), None, Outcome((0, 0), reason), 0, False, "", 0, False, False
    )
    assert f" · {word} · " in line(game, ANA, None, EN)
    assert views.summary(game, ANA, {BEN: "Ben"}, EN) == f"Abalone · Ben · {word}"


@pytest.mark.parametrize(("code", "day"), [("en", "24 Dec 2026"), ("es", "24 dic 2026")])
def test_a_date_names_its_month(code: str, day: str) -> None:
    """The day and the month as two numbers may be read either way round."""
    from bot.archive.history import _date

    assert _date(1798106400_000, language(code)) == day


def test_the_longest_state_of_a_page_fits_into_a_custom_id() -> None:
    from bot.archive.history import _press

    filters = Filters(2**63 - 1, 2**63 - 1, 2**63 - 1, max(GAMES, key=len), 2**63 - 2, "drawn")
    button = PressButton(_press(filters, "o", Cursor(9_999_999_999_999, "x" * 16)), "x")
    assert len(str(button.custom_id)) <= 100
    assert int(packed(2**63 - 1), 36) == 2**63 - 1


@pytest.mark.parametrize("code", CODES)
def test_the_longest_page_fits_into_a_message(code: str) -> None:
    user, opponent = 2**63 - 1, 2**63 - 2
    game = ListedGame(
        id="x" * 16,
        game=max(GAMES, key=lambda key: len(GAMES[key].name)),
        players=(user, opponent),
        place=Place(user, user),
        message_id=user,
        outcome=Outcome((-192, 192), "end.passed"),
        ended=9_999_999_999_999,
        rated=False,
        match_id="x" * 16,
        match_game=25,
        to_points=True,
        counts_points=True,
        turns=1000,
    )
    say = language(code)
    filters = Filters(user, user, user, game.game, opponent, "lost")
    scores = {game.id: Score(12.5, 12.5)}
    longest = text(filters, Page([game] * PER_PAGE, scores, has_newer=True, has_older=True), say)
    assert len(longest) <= CONTENT
    assert longest.count("\n") == PER_PAGE
    assert "https" not in longest
    shorter = text(filters, Page([game] * (PER_PAGE - 2), scores, has_newer=True, has_older=True), say)
    assert shorter.count("https") == PER_PAGE - 2


# --- over the socket -------------------------------------------------------------------------------------------------


async def played(room: Room, count: int) -> None:
    """Stores so many finished games of the two; all but the first are written without being played."""
    assert room.bot is not None
    world = room.server.world
    rows = [
        row(
            f"h{n:02}",
            (room.ana.user_id, room.ben.user_id)[:: 1 if n % 2 else -1],
            STARTED + n * 1000,
            guild_id=world.guild_id,
            channel_id=room.channel_id,
            rated=n % 2 == 0,
        )
        for n in range(count)
    ]
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)


@pytest.mark.parametrize(
    ("options", "told_points"), [({}, False), ({"cube": "on"}, True), ({"points": 5}, True), ({"cube": "off"}, False)]
)
async def test_points_are_listed_where_they_mean_something(
    room: Room, options: dict[str, str | int], told_points: bool
) -> None:
    assert room.bot is not None
    players, place = (room.ana.user_id, room.ben.user_id), {"guild_id": room.server.world.guild_id}
    stored = row(
        "h00", players, STARTED, game="backgammon", options=json.dumps(options), points0=2, points1=-2, **place
    )
    async with room.bot.services.database.writing() as connection:
        await store(connection, [stored])
    for who, result in ((room.ana, "won"), (room.ben, "lost")):
        await who.slash("abak history")
        key = f"history.{result}"
        assert f" · {room.say(f'{key}_points', n=2) if told_points else room.say(key)} · " in told(who)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_list_goes_forward_and_back_and_opens_replays(room: Room, locale: str) -> None:
    room.speak(locale)
    await played(room, 23)
    await room.ana.slash("abak history")
    page, say = private(room.ana), room.say
    shown = told(room.ana).splitlines()
    assert len(shown) == 1 + PER_PAGE
    link = f"https://discord.com/channels/{room.server.world.guild_id}/{room.channel_id}"
    assert shown[1] == " · ".join(
        [
            say("history.game", game=f"[Abalone]({link})", opponent=room.ben.mention),
            say("history.lost"),
            f"<t:{(STARTED + 22_000) // 1000}:d>",
            say("history.turns", n=2),
            say("history.rated"),
        ]
    )
    assert [b.get("disabled", False) for b in buttons(page).values()] == [True, False]
    await room.ana.press(say("button.forward"), page)
    await room.ana.press(say("button.forward"), page)
    assert len(told(room.ana).splitlines()) == 1 + 23 - 2 * PER_PAGE
    assert [b.get("disabled", False) for b in buttons(room.ana.fresh(page)).values()] == [False, True]
    await room.ana.press(say("button.back"), page)
    await room.ana.press(say("button.back"), page)
    assert told(room.ana).splitlines() == shown
    (menu,) = menus(room.ana.fresh(page))
    assert menu["placeholder"] == say("history.open")
    assert options(room.ana.fresh(page))[0] == say(
        "replay.summary", game="Abalone", opponent="Ben", state=Translated("@replay.lost")
    ).replace("Ben", options(room.ana.fresh(page))[0].split(" · ")[1])
    await room.ana.choose(menu["options"][0]["value"], message=page)
    assert "b:look:h22:" in str(private(room.ana)["components"])
    assert private(room.ana)["id"] != page["id"]


async def test_filters_combine_and_say_what_they_are(room: Room) -> None:
    await played(room, 6)
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await eve.slash("abak history", user=room.ana, game="abalone", opponent=room.ben, result="won")
    title, *found = told(eve).splitlines()
    assert title == (f"**Finished games of {room.ana.mention}** · Abalone · against {room.ben.mention} · won")
    assert len(found) == 3
    await eve.slash("abak history", user=room.ana, game="apb")
    assert told(eve).splitlines()[1:] == [room.say("history.none")]
    assert verbs(private(eve)) == []
    await eve.slash("abak history")
    assert told(eve).splitlines()[1:] == [room.say("history.none")]
    assert verbs(private(eve)) == ["machine", "welcome_challenge"]


@pytest.mark.parametrize("forged", ["me:1:o|x", "me:1:o|x||!|", "me:1:o|x|||abandoned"])
async def test_a_page_of_another_release_is_refused(room: Room, forged: str) -> None:
    await played(room, PER_PAGE + 1)
    await room.ana.slash("abak history")
    message = room.server.world.messages.find(int(private(room.ana)["id"]))
    assert message is not None
    button = {"type": 2, "id": 2, "style": 2, "label": "Forged", "custom_id": f"b:history:{forged}"}
    message["components"] = [{"type": 1, "id": 1, "components": [button]}]
    await room.ana.press(button["custom_id"], message)
    assert room.say("error.press") in told(room.ana)


async def test_strangers_see_only_what_was_played_in_their_server(room: Room) -> None:
    assert room.bot is not None
    world = room.server.world
    players = (room.ana.user_id, room.ben.user_id)
    elsewhere = [
        row("direct", players, STARTED, guild_id=None),
        row("server", players, STARTED + 1, guild_id=world.guild_id + 1),
        row("here", players, STARTED + 2, guild_id=world.guild_id, channel_id=room.channel_id),
    ]
    async with room.bot.services.database.writing() as connection:
        await store(connection, elsewhere)
    eve = Seat.join(world, "Eve", room.channel_id)
    await eve.slash("abak history", user=room.ana)
    assert len(told(eve).splitlines()) == 2
    await room.ben.slash("abak history", user=room.ana)
    assert len(told(room.ben).splitlines()) == 4
    assert (await room.bot.service(GameService).get("direct")).place.guild_id is None


@pytest.fixture
async def against_machines(room: Room) -> Room:
    """Ana has won against level 2 and lost against level 4, Ben against level 4, and the two have played each other."""
    assert room.bot is not None
    ana, ben = room.ana.user_id, room.ben.user_id
    place = {"guild_id": room.server.world.guild_id, "channel_id": room.channel_id}
    played = [("m1", (ana, 2), 1), ("m2", (4, ana), 1), ("m3", (ben, 4), -1), ("m4", (ana, ben), 1)]
    rows = [
        row(name, players, STARTED + number * 1000, points0=points, points1=-points, **place)
        for number, (name, players, points) in enumerate(played)
    ]
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)
    return room


@pytest.mark.parametrize(
    ("given", "games"),
    [
        ({"opponent": "bot"}, ["m2", "m1"]),
        ({"user": "bot"}, ["m2", "m1"]),
        ({"user": "bot", "opponent": "bot"}, ["m2", "m1"]),
        ({"user": "bot", "result": "won"}, ["m2"]),
        ({"opponent": "bot", "result": "won"}, ["m1"]),
        ({"opponent": "bot", "level": 2}, ["m1"]),
        ({"level": 4}, ["m2"]),
        ({"level": 1}, []),
        ({"user": "bot", "opponent": "ben"}, ["m3"]),
        ({"user": "ben", "level": 4}, ["m3"]),
        ({"user": "ben", "opponent": "bot"}, ["m3"]),
    ],
)
async def test_the_bot_stands_for_the_machine_in_the_list(
    against_machines: Room, given: dict[str, str | int], games: list[str]
) -> None:
    room = against_machines
    people = {"bot": Seat(room.server.world, room.server.world.application_id, room.channel_id), "ben": room.ben}
    options_given = {key: people.get(str(value), value) for key, value in given.items()}
    await room.ana.slash("abak history", **options_given)
    listed = [] if not games else [one["value"] for one in menus(private(room.ana))[0]["options"]]
    assert listed == games
    level = given.get("level")
    machine = EN("machine.any") if level is None else machine_name(int(level), EN)
    assert EN("history.against", player=machine) in told(room.ana).splitlines()[0]


async def test_only_the_machine_has_levels(against_machines: Room) -> None:
    await against_machines.ana.slash("abak history", opponent=against_machines.ben, level=2)
    assert told(against_machines.ana) == EN("history.level")


async def test_the_list_of_games_against_the_machine_has_pages(room: Room) -> None:
    assert room.bot is not None
    rows = [
        row(f"p{number:02}", (room.ana.user_id, 1 + number % 8), STARTED + number * 1000)
        for number in range(PER_PAGE + 1)
    ]
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)
    bot = Seat(room.server.world, room.server.world.application_id, room.channel_id)
    await room.ana.slash("abak history", opponent=bot)
    page = private(room.ana)
    await room.ana.press(EN("button.forward"), page)
    page = room.ana.fresh(page)
    assert [one["value"] for one in menus(page)[0]["options"]] == ["p00"]
    assert EN("machine.any") in told(room.ana).splitlines()[0]
