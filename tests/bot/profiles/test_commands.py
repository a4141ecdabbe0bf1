"""Profiles and leaderboards as players see them, over the socket."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from harness.bot import Room, bot_running, private, told, wired
from harness.discord import text
from harness.finished import STARTED, row, store

from bot.core.texts.quoting import escaped
from bot.core.translations import language
from bot.matches.contests import FinishedContest
from bot.matches.service import MatchService
from bot.players.machines import machine_name

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN = language("en")


async def settle(room: Room, times: int = 16) -> None:
    """Gives Ana and Ben an established rating in Abalone; Ana won the last game."""
    assert room.bot is not None
    for seat in (room.ana, room.ben):
        await seat.slash("abak help")  # so that the bot knows their names
    guild_id, players = room.server.world.guild_id, (room.ana.user_id, room.ben.user_id)
    contest = FinishedContest("", False, "abalone", players, 0, True, True, "3d/move", 1, 0, 0, guild_id)
    for number in range(times):
        made = replace(contest, id=f"c{number}", winner=1 - number % 2, ended=number * 10**8)
        async with room.bot.services.database.writing() as connection:
            for hook in room.bot.service(MatchService).hooks:
                await hook.on_end(connection, made)


async def test_who_has_no_results_is_told_so(room: Room) -> None:
    await room.ana.slash("abak profile")
    message = private(room.ana)
    assert message["content"].endswith(EN("profile.empty"))
    assert message["attachments"][0]["description"] == message["content"].replace("**", "")


async def test_a_name_that_turns_the_text_is_cleaned(room: Room) -> None:
    """Of a user whom the bot does not know yet."""
    eve = room.server.world.add_user("Eve\u202etxet")
    await room.ana.slash("abak profile", user=eve)
    message = private(room.ana)
    assert message["attachments"][0]["description"].startswith("Evetxet ")
    assert message["content"].startswith("**Evetxet**")


async def test_a_profile_in_words_and_as_a_picture(room: Room) -> None:
    await settle(room)
    await room.ben.slash("abak profile", user=room.ana.user_id)
    said = told(room.ben)
    counts = EN("profile.counts", won=8, drawn=0, lost=8)
    assert "Abalone · correspondence: **" in said
    assert counts in said
    assert EN("profile.pairing_line", player="Ana", opponent="Ben", counts=counts) in said
    assert f"{EN('profile.streak')}: 1 won" in said
    attachment = private(room.ben)["attachments"][0]
    assert attachment["description"] == said.replace("**", "")


async def test_a_profile_can_be_shown_to_everybody(room: Room) -> None:
    await settle(room)
    await room.ana.slash("abak profile")
    message = private(room.ana)
    (share,) = wired(message)
    await room.ana.press(share["custom_id"], message)
    shown = room.boards[-1]
    assert shown["content"] == message["content"]
    assert shown["attachments"]
    assert not shown["components"]


async def test_a_leaderboard_of_this_server_and_of_all(room: Room) -> None:
    await settle(room)
    await room.ana.slash("abak top", game="abalone")
    message = private(room.ana)
    lines = message["content"].splitlines()
    assert "This server" in lines[0]
    assert "you are number 1" in lines[0]
    assert lines[1].startswith("1. Ana · ")
    assert lines[2].startswith("2. Ben · ")
    by_label = {button["label"]: button["custom_id"] for button in wired(message)}
    await room.ana.press(by_label["All servers"], message)
    assert "All servers" in text(private(room.ana)).splitlines()[0]
    await room.ana.press("b:top:abalone:0:live|all|pace", message)
    assert EN("top.empty") in text(private(room.ana))


async def test_forged_pages_are_answered(room: Room) -> None:
    for game, rest in product(("abalone", "chess"), ("", "live", "nothing|nowhere", "live|server", "live|all|x|y")):
        await room.ana.slash("abak top", game="abalone")
        message = room.server.world.messages.find(int(private(room.ana)["id"]))
        assert message is not None
        forged = f"b:top:{game}:999999:{rest}"
        button = {"type": 2, "id": 2, "style": 2, "label": "Forged", "custom_id": forged}
        message["components"] = [{"type": 1, "id": 1, "components": [button]}]
        await room.ana.press(forged, message)
        assert EN("top.empty") in text(private(room.ana)), forged


async def test_the_profile_of_the_bot_is_that_of_its_levels(room: Room) -> None:
    assert room.bot is not None
    guild_id = room.server.world.guild_id
    contest = FinishedContest(
        "c1", False, "abalone", (3, room.ana.user_id), 0, True, True, "3d/move", 1, 0, 0, guild_id
    )
    played = [("g1", (3, room.ana.user_id), 1), ("g2", (room.ana.user_id, 3), 1), ("g3", (7, room.ana.user_id), 0)]
    rows = [
        row(name, players, STARTED + at, points0=points, points1=-points)
        for at, (name, players, points) in enumerate(played)
    ]
    rows.append(row("g4", (8, room.ana.user_id), STARTED, points0=0, points1=0, reason="end.aborted"))
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)
        for hook in room.bot.service(MatchService).hooks:
            await hook.on_end(connection, contest)
    await room.ana.slash("abak profile", user=room.server.world.application_id)
    message = private(room.ana)
    levels = told(room.ana).splitlines()[1:]
    assert [line.split("**")[1] for line in levels] == [machine_name(level, EN) for level in range(1, 9)]
    assert "Abalone (correspondence) 1662?" in levels[2]
    assert levels[2].endswith(EN("profile.machine.against", counts=EN("profile.counts", won=1, drawn=0, lost=1)))
    assert levels[6].endswith(EN("profile.machine.against", counts=EN("profile.counts", won=0, drawn=1, lost=0)))
    await room.ana.choose("3", menu="m:machine_profile:", message=message)
    assert told(room.ana).startswith(f"**{escaped(machine_name(3, EN))}**")
    assert private(room.ana)["attachments"]


async def test_without_levels_the_bot_has_no_profile(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, machine_workers=0) as bot:
        room = Room.of(stand_in, bot)
        await room.ana.slash("abak profile", user=stand_in.world.application_id)
        assert told(room.ana) == EN("machine.off")
