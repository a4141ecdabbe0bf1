"""Tests an organiser's acts before the start: players from a list or a menu, seeds by hand; and who is one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.alone import machine
from harness.bot import Room, bot_running, private, told
from harness.discord import Seat, menus, text

from bot.core.translations import language
from bot.players.machines import HIGHEST, LEVELS, USUAL, Machines, machine_name
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions
from bot.sandbox.state.attachments import Upload
from bot.tournaments.registration.entering import players_in
from bot.tournaments.registration.organiser import read_rows
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.service import TournamentService

if TYPE_CHECKING:
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Tournament

EN = language("en")
Json = dict[str, Any]
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


@pytest.fixture
def now() -> Clock:
    return Clock(1_800_014_400_000)


@pytest.fixture
def boss(room: Room) -> Seat:
    return Seat.join(room.server.world, "Max", room.channel_id, permissions=MANAGER)


@pytest.fixture
async def cup(room: Room, boss: Seat) -> Tournament:
    """A tournament for six whose registration is open."""
    assert room.bot is not None
    service = room.bot.service(RegistrationService)
    where = (room.server.world.guild_id, room.channel_id, boss.user_id)
    draft = await service.draft(*where, "Cup", "en", TEMPLATES["double_elimination"])
    return await service.open(draft.id, boss.user_id)


async def inside(room: Room, cup: Tournament) -> set[int]:
    assert room.bot is not None
    snapshot = await room.bot.service(TournamentService).snapshot(cup.id)
    return {player.user_id for player in players_in(snapshot.players)}


def csv(text: str) -> Upload:
    return Upload("players.csv", text.encode(), "text/csv")


def test_a_list_is_read_line_by_line() -> None:
    first, second = 100000000000000001, 100000000000000002
    rows = read_rows(f"id,name\n{first},Ana\n\n<@{second}>\nBen,{first}\nnobody\n")
    assert [(row.number, row.user_id) for row in rows] == [(2, first), (4, second), (5, first), (6, None)]
    assert read_rows("") == []
    assert [row.user_id for row in read_rows(f"{first}")] == [first]


@pytest.mark.usefixtures("cup")
async def test_players_are_added_from_a_file_with_a_reason_for_each_refusal(
    room: Room, boss: Seat, cup: Tournament
) -> None:
    world = room.server.world
    robot = world.add_user("Robot")
    world.users[robot]["bot"] = True
    lines = ["id", str(room.ana.user_id), "nobody", str(room.ben.user_id), "123456789012345678"]
    lines += [str(room.ana.user_id), str(robot)]
    await boss.slash("tournament import", players=csv("\n".join(lines)))
    report = told(boss)
    assert EN("tournament.import.done", n=2, name="Cup") in report
    for line, (number, key) in zip(
        report.splitlines()[1:],
        [
            (3, "tournament.import.not_an_id"),
            (5, "tournament.import.no_member"),
            (6, "tournament.import.twice"),
            (7, "tournament.import.bot"),
        ],
        strict=True,
    ):
        assert line.startswith(f"Line {number} (")
        assert line.endswith(EN(key))
    assert await inside(room, cup) == {room.ana.user_id, room.ben.user_id}
    await boss.slash("tournament import", players=csv(f"{room.ana.user_id}"))
    assert EN("tournament.join.already") in told(boss)
    await boss.slash("tournament import", players=csv(f"{boss.user_id}"))
    assert told(boss) == "Added 1 player to **Cup**."  # not that one is in now: it is three
    await boss.slash("tournament import", players=csv(""))
    assert told(boss) == EN("tournament.import.empty")
    await boss.slash("tournament import", players=csv("\n".join(f"{10**17 + n}" for n in range(201))))
    assert told(boss) == EN("tournament.import.too_long", most=200)


async def test_players_are_added_from_a_menu(room: Room, boss: Seat, cup: Tournament) -> None:
    await boss.slash("tournament import")
    menu = private(boss)
    await boss.choose(str(room.ana.user_id), str(boss.user_id), menu="u:tournament_add:", message=menu)
    assert EN("tournament.import.done", n=2, name="Cup") in text(boss.fresh(menu))
    assert await inside(room, cup) == {room.ana.user_id, boss.user_id}


async def test_machines_are_added_from_a_menu_by_the_command_and_as_the_bot_itself(
    room: Room, boss: Seat, cup: Tournament
) -> None:
    await boss.slash("tournament organise panel")
    await boss.press(EN("button.organise_players"), private(boss))
    menu = private(boss)
    assert EN("tournament.machine.about") in text(menu)
    await boss.choose("5", menu="m:tournament_machine:", message=menu)
    added = EN("tournament.machine.added", player=machine_name(5, EN), name="Cup")
    assert told(boss) == f"{added} {EN('machine.casual')}"
    await boss.slash("tournament import", level=1)
    assert await inside(room, cup) == {1, 5}
    await boss.choose(str(machine(room).user_id), str(room.ana.user_id), menu="u:tournament_add:", message=menu)
    assert EN("tournament.import.done", n=2, name="Cup") in text(boss.fresh(menu))
    assert await inside(room, cup) == {1, USUAL, 5, room.ana.user_id}
    await boss.slash("tournament import", level=1)
    assert told(boss) == EN("tournament.machine.already")


async def test_machines_are_entered_at_the_levels_of_the_tournaments_game(
    room: Room, boss: Seat, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert room.bot is not None
    monkeypatch.setitem(HIGHEST, "apb", 5)
    room.bot.services._by_class[Machines] = Machines(LEVELS[-1])
    for game, highest in (("abak", 8), ("apb", 5)):
        async with room.bot.service(TournamentService).changing(cup.id) as change:
            await change.set(replace(change.tournament, plan=replace(cup.plan, game=game)))
        await boss.slash("tournament import")
        _, offered = menus(private(boss))
        assert [one["value"] for one in offered["options"]] == [str(n) for n in range(1, highest + 1)]
    await boss.slash("tournament import", level=6)
    assert told(boss) == EN("challenge.game_level", game="APB", n=5)
    room.bot.services._by_class[Machines] = Machines(4)  # the host offers fewer than there are
    await boss.slash("tournament import", level=5)
    assert told(boss) == EN("challenge.machine_level", n=4)
    assert await inside(room, cup) == set()


@pytest.mark.parametrize(
    ("preference", "value", "threads", "why"),
    [
        ("machine", "nowhere", True, "machine.nowhere"),
        ("machine", "threads", False, "tournament.machine.threads"),
        ("machine", "threads", True, None),
        ("machine_rated", "yes", True, None),
    ],
)
async def test_the_server_says_where_a_machine_may_play_and_whether_rated(
    room: Room, boss: Seat, cup: Tournament, preference: str, value: str, why: str | None, *, threads: bool
) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(cup.guild_id, preference, value)
    async with room.bot.service(TournamentService).changing(cup.id) as change:
        await change.set(replace(change.tournament, plan=replace(cup.plan, threads=threads)))
    await boss.slash("tournament import", level=2)
    if why is not None:
        assert (told(boss), await inside(room, cup)) == (EN(why), set())
        return
    added = EN("tournament.machine.added", player=machine_name(2, EN), name="Cup")
    casual = "" if preference == "machine_rated" else f" {EN('machine.casual')}"
    assert told(boss) == added + casual


async def test_without_workers_no_machine_is_entered(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, machine_workers=0) as bot:
        room = Room.of(stand_in, bot)
        boss = Seat.join(room.server.world, "Max", room.channel_id, permissions=MANAGER)
        service = bot.service(RegistrationService)
        where = (room.server.world.guild_id, room.channel_id, boss.user_id)
        draft = await service.draft(*where, "Cup", "en", TEMPLATES["double_elimination"])
        cup = await service.open(draft.id, boss.user_id)
        await boss.slash("tournament import")
        assert [one["custom_id"].split(":")[1] for one in menus(private(boss))] == ["tournament_add"]
        for options in ({"level": 2}, {"players": csv(str(room.server.world.application_id))}):
            await boss.slash("tournament import", **options)
            assert EN("machine.off") in told(boss)
        assert await inside(room, cup) == set()


async def test_the_bot_as_a_player_means_the_machine_that_plays(room: Room, boss: Seat, cup: Tournament) -> None:
    await boss.slash("tournament seed", player=machine(room), seed=1)
    assert told(boss) == EN("tournament.machine.none")
    await boss.slash("tournament import", level=4)
    await boss.slash("tournament seed", player=machine(room), seed=1)
    assert EN("tournament.seed", n=1, player=machine_name(4, EN), rating=1500) in told(boss)
    await boss.slash("tournament import", level=2)
    await boss.slash("tournament seed", player=machine(room), seed=1)
    assert told(boss) == EN("tournament.machine.which", names=f"{machine_name(4, EN)} and {machine_name(2, EN)}")
    await boss.slash("tournament seed", player=machine(room), level=2, seed=1)
    assert EN("tournament.seed", n=1, player=machine_name(2, EN), rating=1500) in told(boss)
    await boss.slash("tournament seed", player=room.ana, level=2, seed=1)
    assert told(boss) == EN("tournament.machine.level")
    await boss.slash("tournament organise expel", user=machine(room), level=2, reason="It is too weak.")
    assert await inside(room, cup) == {4}
    await boss.slash("tournament import", level=2)
    assert await inside(room, cup) == {2, 4}


async def test_seeds_are_set_and_shown(room: Room, boss: Seat, cup: Tournament) -> None:
    assert room.bot is not None
    for user in (room.ana.user_id, room.ben.user_id):
        await room.bot.service(RegistrationService).join(cup.id, user, ())
    await boss.slash("tournament seed")
    assert EN("tournament.seeds", name="Cup", n=0) in told(boss)
    await boss.slash("tournament seed", player=room.ben, seed=1)
    assert EN("tournament.seed", n=1, player=room.ben.mention, rating=1500) in told(boss)
    assert EN("tournament.seed_by_rating", n=2, player=room.ana.mention, rating=1500) in told(boss)
    await boss.slash("tournament seed", player=room.ben)
    assert told(boss) == EN("tournament.seed.both")
    await boss.slash("tournament seed", player=boss, seed=1)
    assert told(boss) == EN("tournament.seed.unknown", player=boss.user_id)


@pytest.mark.usefixtures("cup")
async def test_only_organisers_add_and_order_players(room: Room) -> None:
    for command in ("tournament seed", "tournament import"):
        await room.ana.slash(command)
        assert told(room.ana) == EN("tournament.not_organiser")


async def test_a_role_may_create_tournaments_if_the_server_says_so(room: Room, boss: Seat, cup: Tournament) -> None:
    assert room.bot is not None
    world = room.server.world
    await room.ana.slash("tournament create")
    assert told(room.ana) == EN("tournament.not_creator")
    world.grant(world.guild_id, room.ana.user_id, permissions.MEMBER)  # a role of her own
    (role,) = world.members[world.guild_id][room.ana.user_id]["roles"]
    await boss.slash("abak server")
    panel = private(boss)
    await boss.press("b:page_server:me:0:notifications", panel)
    await boss.choose(role, menu="r:set_server:me:0:tournament_role", message=panel)
    assert f"<@&{role}>" in text(boss.fresh(panel))
    await room.ben.slash("tournament create")
    assert told(room.ben) == EN("tournament.not_creator_role", role=f"<@&{role}>")
    await room.ana.slash("tournament create")
    assert EN("tournament.page.start") in told(room.ana)
    await room.ana.slash("tournament seed", tournament=cup.id)
    assert EN("tournament.seeds", name="Cup", n=0) in told(room.ana)
    await boss.press("b:set_server:me:0:tournament_role", panel)
    found = await room.bot.service(PreferenceService).of_server(world.guild_id)
    assert found["tournament_role"] == ""
