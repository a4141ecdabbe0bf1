"""Suggestions for a typed text show nothing private of other people.

Ana and Ben play in a channel that nobody else sees, and Ana plans there. A tournament is open to everybody in its
server, and to nobody elsewhere. Eve types everything that she may know of all that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import Room, private
from harness.conditional import stored
from harness.discord import Seat
from harness.tournaments import Event, plan_of

from bot.sandbox.state.permissions import VIEW_CHANNEL
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.tournaments.tournament import StoredPairing

Json = dict[str, Any]
Option = tuple[str, str]
"""A command by its whole path, and the option that is typed."""
CUP: Final = "Cup"
DRAFT: Final = "Surprise"
TURN, CONDITION, REPLY = "a1b2", "i5h5", "b2c3"
FINISHED: Final = (("abak replay", "game"), ("abak export", "game"), ("abak dice", "game"))
RUNNING: Final = (("abak move here", "game"),)
TURNS: Final = (("abak move play", "notation"),)
PLANS: Final = tuple(("abak move conditional", option) for option in ("condition", "reply", "after"))
PAIRINGS: Final = (("tournament adjudicate", "game"), ("tournament organise correct", "game"))
OF_CUPS: Final = (
    *("show", "leave", "seed", "import", "start", "bye", "challenge"),
    *("standings", "pairings", "bracket", "crosstable", "calendar", "export", "log"),
    *("adjudicate", "pause", "resume", "cancel"),
    *(f"organise {name}" for name in ("panel", "edit", "correct", "repair", "begin")),
    *(f"organise {name}" for name in ("assistant", "expel", "undo", "finish")),
)
CUPS: Final = (*((f"tournament {name}", "tournament") for name in OF_CUPS), ("tournament create", "like"))
JOIN: Final = ("tournament join", "tournament")
"""It offers what can still be joined."""
ALIKE: Final = (
    ("abak challenge", "level"),
    ("abak challenge", "time"),
    ("abak challenge", "layout"),
    ("abak rules", "topic"),
)
"""These name nothing that belongs to anybody."""


def autocompleted(options: Sequence[Json], path: str = "") -> Iterator[Option]:
    """Yields every option with suggestions, below these commands or options."""
    for one in options:
        if one.get("autocomplete"):
            yield path, one["name"]
        yield from autocompleted(one.get("options") or (), f"{path} {one['name']}".strip())


async def test_every_option_with_suggestions_is_looked_at(room: Room) -> None:
    """So that a new one fails until it is listed here, where it is tried by a stranger."""
    listed = [*FINISHED, *RUNNING, *TURNS, *PLANS, *PAIRINGS, *CUPS, JOIN, *ALIKE]
    assert sorted(autocompleted(room.server.world.commands)) == sorted(listed)


@dataclass
class Scene:
    """Ana and Ben in their channel, and Eve, in a hall of the same server and in another server."""

    room: Room
    eve: Seat
    outside: Seat

    @classmethod
    def of(cls, room: Room) -> Scene:
        world = room.server.world
        channel, view = world.channels[room.channel_id], str(VIEW_CHANNEL)
        may = [room.ana.user_id, room.ben.user_id, world.application_id]
        channel["permission_overwrites"] = [
            {"id": str(world.guild_id), "type": 0, "allow": "0", "deny": view},
            *({"id": str(one), "type": 1, "allow": view, "deny": "0"} for one in may),
        ]
        world.events.channel("update", channel)
        abroad = world.add_channel("abroad", world.add_guild("Elsewhere"))
        eve = Seat.join(world, "Eve", world.add_channel("hall"))
        return cls(room, eve, eve.at(abroad))

    async def nothing(self, who: Seat, option: Option, *typed: str, **given: str) -> None:
        """Checks that whatever they type there, nothing is offered to them."""
        _, name = option
        for text in ("", *typed):
            assert await values(who, option, **given | {name: text}) == [], (option, text)


async def values(who: Seat, option: Option, **given: str) -> list[str]:
    """Returns the suggestions for an empty text, or for the given one."""
    command, name = option
    return [one["value"] for one in await who.choices(command, name, **{name: ""} | given)]


@pytest.fixture
def scene(room: Room) -> Scene:
    return Scene.of(room)


async def test_finished_games_are_offered_to_their_players_alone(scene: Scene) -> None:
    room, eve = scene.room, scene.eve
    live = await room.begin("abalone")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    for option in FINISHED:
        for player in (room.ana, room.ben, room.ana.at(eve.channel_id), room.ben.at(scene.outside.channel_id)):
            assert await values(player, option) == [live.id], option
        for stranger in (eve, scene.outside):
            await scene.nothing(stranger, option, live.id, "Abalone", "Ana", "Ben")


async def test_running_games_are_offered_to_their_players_alone(scene: Scene) -> None:
    room, eve = scene.room, scene.eve
    live = await room.begin("abalone")
    for option in RUNNING:
        for player in (room.ana.at(eve.channel_id), room.ben.at(scene.outside.channel_id)):
            assert await values(player, option) == [live.id], option
        for stranger in (eve, scene.outside):
            await scene.nothing(stranger, option, live.id, "Abalone", "Ana", "games")


async def test_turns_are_offered_to_who_is_to_move_alone(scene: Scene) -> None:
    room = scene.room
    live = await room.begin("abalone")
    for option in TURNS:
        assert TURN in await values(room.to_move(live), option, notation="a1")
        await scene.nothing(room.other(live), option, TURN)
        for stranger in (scene.eve, scene.outside, scene.eve.at(room.channel_id)):
            await scene.nothing(stranger, option, TURN)


async def test_conditional_moves_are_offered_to_who_has_set_them_alone(scene: Scene) -> None:
    """Also what the opponent may play is offered as if nothing were planned."""
    room = scene.room
    await room.begin("abalone")
    await room.ana.slash("abak move play", notation=TURN)
    await room.shown()
    unplanned = [await room.ben.choices("abak move play", "notation", notation=text) for text in ("", CONDITION)]
    await room.ana.slash("abak move conditional", condition=CONDITION, reply=REPLY)
    (move,) = await stored(room)
    found = [await room.ben.choices("abak move play", "notation", notation=text) for text in ("", CONDITION)]
    assert found == unplanned
    forms = {"condition": {}, "reply": {"condition": CONDITION}, "after": {}}
    for option in PLANS:
        given: dict[str, str] = forms[option[1]]
        assert await values(room.ana, option, **given), option
        later = {"after": str(move.id)} | given
        for other in (room.ben, scene.eve, scene.outside, scene.eve.at(room.channel_id)):
            await scene.nothing(other, option, CONDITION, REPLY, str(move.id), **given)
            await scene.nothing(other, option, CONDITION, REPLY, str(move.id), **later)
    assert await values(room.ana, PLANS[-1]) == [str(move.id)]


@pytest.fixture
async def cup(scene: Scene) -> Event:
    """A round robin that runs in Ana's server, with one game finished; and a tournament that is not announced."""
    assert scene.room.bot is not None
    event = Event.of(scene.room.server, scene.room.bot, 4)
    plan = plan_of(Format.ROUND_ROBIN)
    await event.create(plan, CUP)
    owner, guild = event.organiser, scene.room.server.world.guild_id
    service = scene.room.bot.service(TournamentService)
    await service.create(guild, owner.channel_id, owner.user_id, DRAFT, "en", plan, Status.DRAFT)
    await event.start()
    first, _ = await event.round(1)
    await event.win(first, first.pairing.players[0])
    return event


async def test_tournaments_are_offered_in_their_server_alone_and_drafts_nowhere(scene: Scene, cup: Event) -> None:
    for option in CUPS:
        for member in (scene.eve, scene.room.ana):
            assert await values(member, option) == [cup.tournament_id], option
            for typed in (DRAFT, DRAFT[:3]):
                assert await values(member, option, **{option[1]: typed}) == [], option
        await scene.nothing(scene.outside, option, CUP, DRAFT, cup.tournament_id)
    for anybody in (scene.eve, scene.room.ana, scene.outside):
        await scene.nothing(anybody, JOIN, CUP, DRAFT, cup.tournament_id)


async def test_pairings_are_offered_to_the_organisers_in_the_server_of_the_tournament_alone(
    scene: Scene, cup: Event
) -> None:
    def ids(found: Sequence[StoredPairing], *, over: bool) -> list[str]:
        return [str(one.id) for one in found if (one.result is not None) is over]

    pairings, organiser = await cup.of_round(1), cup.organiser
    for option in PAIRINGS:
        over = option[0].endswith("correct")
        for meant in (cup.tournament_id, CUP):
            assert await values(organiser, option, tournament=meant) == ids(pairings, over=over), option
            for other in (scene.eve, scene.outside, organiser.at(scene.outside.channel_id)):
                await scene.nothing(other, option, "Ana", tournament=meant)
        await scene.nothing(organiser.at(scene.outside.channel_id), option, "Ana")
        await scene.nothing(scene.eve, option, tournament=DRAFT)


@pytest.mark.parametrize("option", ALIKE)
async def test_what_is_nobodys_is_offered_alike_to_everybody(scene: Scene, option: Option) -> None:
    room = scene.room
    await room.begin("backgammon", time="7m+7s", layout="nack")
    given = {"game": "backgammon"} if option[1] != "time" else {}
    expected = await values(scene.eve, option, **given)
    assert expected
    for player in (room.ana, room.ben, room.ana.at(scene.eve.channel_id)):
        assert await values(player, option, **given) == expected
