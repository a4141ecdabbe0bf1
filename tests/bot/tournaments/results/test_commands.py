"""The pages of results as players see them, over the socket."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.snapshots import SWISS, Made, a_ladder, an_arena
from fakes.stored_snapshots import store
from harness.bot import Room, private, told, wired
from harness.discord import Seat, alt, buttons, is_ephemeral, menus, options

from bot.core.translations import language
from bot.tournaments.tournament import Status
from engine.tournament.model import Format, Stage

if TYPE_CHECKING:
    from collections.abc import Callable

EN, ES = language("en"), language("es")


def seated(room: Room, made: Made) -> Made:
    """Puts the tournament into the room's server and channel; Ana is its first player, Ben the second."""
    made.set(guild_id=room.server.world.guild_id, channel_id=room.channel_id, owner=room.ana.user_id)
    made.player(1, user_id=room.ana.user_id)
    made.player(2, user_id=room.ben.user_id)
    return made


def swiss(players: int = 19, rounds: int = 4) -> Made:
    """Plays a Swiss up to its last round but one: one player has left, some games go on."""
    made = Made(SWISS, players).rounds_of(rounds - 2)
    made.withdraw(7)
    return made.rounds_of(2, leave=3)


async def stored(room: Room, made: Made) -> Made:
    assert room.bot is not None
    await store(room.bot.services, seated(room, made))
    return made


def label(message: dict[str, Any], text: str) -> str:
    custom_id: str = buttons(message)[text]["custom_id"]
    return custom_id


async def test_standings_as_a_picture_with_the_words_as_alt_text(room: Room) -> None:
    await stored(room, swiss())
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    assert message["content"].splitlines()[0] == "**Spring Cup** · Swiss · Round 4: 6 of 9 finished"
    (words,) = alt(message)
    lines = words.splitlines()
    assert lines[0] == "Spring Cup · Swiss · Round 4: 6 of 9 finished"
    assert len(lines) == 1 + 7  # the second page: the reader's own
    assert "You are number 16 with 1 point." in message["content"]
    assert "16. Ana · 1 point · Buchholz " in words
    assert "Greta (left)" in words


async def test_in_its_own_channel_a_finished_tournament_is_meant(room: Room) -> None:
    assert room.bot is not None
    await stored(room, Made(SWISS, 6).finish())
    elsewhere = seated(room, Made(SWISS, 6, name="Autumn Cup", id="t2").rounds_of(1))
    elsewhere.set(channel_id=room.channel_id + 1)
    await store(room.bot.services, elsewhere)
    await room.ana.slash("tournament standings")
    assert told(room.ana).startswith("**Spring Cup** · ")


@pytest.mark.parametrize("command", ["standings", "pairings", "crosstable"])
async def test_results_are_those_of_the_finished_one_although_the_next_of_the_series_is_announced_in_its_channel(
    room: Room, command: str
) -> None:
    assert room.bot is not None
    await stored(room, Made(SWISS, 6).finish())
    following = seated(room, Made(SWISS, 2, name="Spring Cup 2", id="t2"))
    following.set(status=Status.REGISTRATION, started=None)
    await store(room.bot.services, following)
    await room.ana.slash(f"tournament {command}")
    assert told(room.ana).startswith("**Spring Cup** · ")
    await room.ana.slash("tournament calendar")
    assert told(room.ana).startswith("**Spring Cup 2** · ")


async def test_what_needs_a_running_tournament_says_that_the_one_of_the_channel_is_over(room: Room) -> None:
    await stored(room, Made(SWISS, 6).finish())
    await room.ana.slash("tournament leave")
    assert told(room.ana) == EN("tournament.join.over")
    other = room.ana.at(room.server.world.add_channel("other"))
    await other.slash("tournament leave")
    assert told(other) == EN("tournament.none_here")


async def test_pages_sections_and_words_alone(room: Room) -> None:
    await stored(room, swiss())
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    await room.ana.press("b:results:t1:0:standings.1.1.p|back", message)
    first = room.ana.fresh(message)
    assert alt(first)[0].splitlines()[1].startswith("1. Greta 2 · 3½ points")
    await room.ana.press(EN("tournament.results.button.words"), first)
    text = room.ana.fresh(message)
    assert not text["attachments"]
    assert "1. Greta 2 · 3½ points · Buchholz 10 · Sonneborn-Berger 8¼ · Direct encounter " in text["content"]
    assert len(text["content"].splitlines()) == 1 + 1 + 12
    await room.ana.press(EN("tournament.results.button.picture"), text)
    assert room.ana.fresh(message)["attachments"]


async def test_everybody_sees_a_page_that_is_shown(room: Room) -> None:
    await stored(room, swiss())
    room.server.world.guilds[room.server.world.guild_id]["preferred_locale"] = "es-ES"
    await room.ben.slash("tournament standings")
    await room.ben.press("b:results_share:", private(room.ben))
    shown = room.boards[-1]
    assert not is_ephemeral(shown)
    assert shown["content"] == "**Spring Cup** · Suizo · Ronda 4: 6 de 9 terminadas"
    assert not wired(shown)
    assert not shown["mentions"]


async def test_why_by_the_option_and_by_the_menu(room: Room) -> None:
    await stored(room, swiss())
    await room.ben.slash("tournament standings", why=room.ana)
    said = told(room.ben)
    assert said.startswith("**Ana: place 16** · Swiss")
    assert "**Buchholz 5½** = round 1 " in said
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    menu = next(one for one in menus(message) if one["custom_id"].startswith("m:results_why"))
    assert len(menu["options"]) == 7
    await room.ana.choose("16. Ana", menu="m:results_why", message=message)
    assert told(room.ana) == said
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await room.ana.slash("tournament standings", why=eve)
    assert told(room.ana) == EN("tournament.results.not_playing", player="Eve")


async def test_pairings_show_my_game_first(room: Room) -> None:
    made = await stored(room, swiss())
    await room.ana.slash("tournament pairings")
    said = told(room.ana)
    lines = said.splitlines()
    assert lines[0] == "**Spring Cup** · Round 4: 6 of 9 finished"
    assert lines[2] == "**Your game against Elena 2 (1881)**"
    assert "You play White. Your game is in progress." in lines
    own = next(one for one in made.running if 1 in one.pairing.players)
    assert f"[Go to the game](https://discord.com/channels/{room.server.world.guild_id}/{own.channel_id})" in lines
    assert "Why: You both had 1 point." in lines
    assert sum(" \u2013 " in line for line in lines) == 8  # all others
    await room.ana.slash("tournament pairings", round=1)
    assert told(room.ana).splitlines()[0] == "**Spring Cup** · Round 1: 9 of 9 finished"
    await room.ana.slash("tournament pairings", round=9)
    assert told(room.ana) == EN("tournament.results.no_round", round=9, last=4)


async def test_who_has_no_game_is_told_why(room: Room) -> None:
    made = Made(SWISS, 6)
    made.player(2, first_round=3)
    await stored(room, made.rounds_of(2, leave=2))
    await room.ben.slash("tournament pairings")
    assert "**You do not play this round**" in told(room.ben).splitlines()
    own = next(one for one in made.snapshot.pairings if one.pairing.round == 1 and one.pairing.second is None)
    assert own.pairing.first != 1
    arena = an_arena()
    arena.player(1, free_since=1)
    arena.id = "t2"
    arena.set(id="t2", name="Arena")
    arena.snapshot = replace(
        arena.snapshot, pairings=tuple(replace(one, contest_id=None) for one in arena.snapshot.pairings[:9])
    )
    await stored(room, arena)
    await room.ana.slash("tournament pairings", tournament="Arena")
    assert told(room.ana).count(EN("tournament.results.own.free")) == 1


async def test_pairings_have_pages_and_rounds(room: Room) -> None:
    await stored(room, Made(SWISS, 40).rounds_of(2))
    await room.ana.slash("tournament pairings")
    message = private(room.ana)
    await room.ana.press("b:results_pairings:t1:1", message)
    second = room.ana.fresh(message)
    assert second["content"].splitlines()[2].startswith("**Your game")
    assert options(second) == ["Round 1", "Round 2"]
    await room.ana.choose("Round 1", message=second)
    assert "Round 1: 20 of 20" in room.ana.fresh(message)["content"]


async def test_a_knockout_shows_its_bracket(room: Room) -> None:
    await stored(room, Made((Stage(Format.SINGLE_ELIMINATION, third_place=True),), 13).rounds_of(1))
    for command in ("standings", "bracket"):
        await room.ana.slash(f"tournament {command}")
        message = private(room.ana)
        assert message["attachments"][0]["filename"] == "bracket.png"
        assert "Ana goes on with a bye." in alt(message)[0]
    await room.ana.slash("tournament crosstable")
    assert told(room.ana) == EN("tournament.results.no_crosstable")


async def test_stages_by_a_menu_and_the_final_ranking(room: Room) -> None:
    stages = (Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2), Stage(Format.SINGLE_ELIMINATION))
    await stored(room, Made(stages, 10).finish())
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    assert "Final ranking" in message["content"]
    labels = ["Stage 1: round robin · Group 1", "Stage 1: round robin · Group 2", "Stage 2: knockout", "Final ranking"]
    assert options(message) == labels
    await room.ana.choose(labels[1], menu="m:results:", message=message)
    assert labels[1] in room.ana.fresh(message)["content"]
    await room.ana.choose(labels[2], menu="m:results:", message=message)
    assert room.ana.fresh(message)["attachments"][0]["filename"] == "bracket.png"


async def test_of_many_groups_the_menu_has_those_around_the_present_one(room: Room) -> None:
    stages = (Stage(Format.ROUND_ROBIN, sections=30, qualifiers=1), Stage(Format.SINGLE_ELIMINATION))
    await stored(room, Made(stages, 60).rounds_of(1))
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    groups = [f"Stage 1: round robin · Group {number}" for number in range(1, 31)]
    assert options(message) == groups[:25]
    for chosen, first in ((14, 2), (26, 5)):
        await room.ana.choose(groups[chosen], menu="m:results:", message=room.ana.fresh(message))
        assert options(room.ana.fresh(message)) == groups[first : first + 25]


@pytest.mark.parametrize(("make", "name"), [(an_arena, "standings"), (a_ladder, "ladder")])
async def test_arenas_and_ladders(room: Room, make: Callable[[], Made], name: str) -> None:
    await stored(room, make())
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    assert message["attachments"][0]["filename"] == f"{name}.png"
    await room.ben.slash("tournament pairings")
    assert "Your game against" in told(room.ben)


async def test_the_crosstable_and_the_calendar(room: Room) -> None:
    await stored(room, swiss())
    await room.ana.slash("tournament crosstable")
    assert "16. Ana, 1 point: beat 19" in alt(private(room.ana))[0]
    message = private(room.ana)
    await room.ana.press(EN("tournament.results.button.calendar"), message)
    calendar = room.ana.fresh(message)
    assert calendar["attachments"][0]["filename"] == "calendar.png"
    assert "<t:" not in alt(calendar)[0]
    assert "Round 4: 5 Feb 12:00 \u2013 12 Feb 12:00, 6 of 9 finished" in alt(calendar)[0]
    await room.ana.slash("tournament calendar")
    await room.ana.press(EN("tournament.results.button.words"), private(room.ana))
    assert "**Round 5** · <t:" in told(room.ana)


async def test_exports_are_files(room: Room) -> None:
    await stored(room, swiss())
    for form, names in (
        ("trf", ["spring-cup.trf"]),
        ("csv", ["spring-cup-standings.csv", "spring-cup-pairings.csv"]),
        ("", ["spring-cup-standings.csv", "spring-cup-pairings.csv", "spring-cup.trf", "spring-cup.json"]),
        ("json", ["spring-cup.json"]),
    ):
        await room.ana.slash("tournament export", **({"format": form} if form else {}))
        files = private(room.ana)["attachments"]
        assert [file["filename"] for file in files] == names
    assert json.loads(room.server.world.attachment(int(files[0]["id"]))[0])["name"] == "Spring Cup"


async def test_exports_of_what_has_no_report_or_has_not_begun(room: Room) -> None:
    await stored(room, an_arena())
    await room.ana.slash("tournament export", format="trf")
    assert told(room.ana) == EN("tournament.results.no_report")


async def test_a_tournament_that_has_not_begun(room: Room) -> None:
    made = Made(SWISS, 4)
    made.set(status=Status.REGISTRATION, started=None)
    for number in range(1, 5):
        made.player(number, seed=0, section=0)
    await stored(room, made)
    await room.ana.slash("tournament standings")
    assert alt(private(room.ana))[0].splitlines()[1] == EN("tournament.results.empty")
    for command, key in (("pairings", "no_pairings"), ("export", "not_begun"), ("bracket", "no_bracket")):
        await room.ana.slash(f"tournament {command}")
        assert told(room.ana) == EN(f"tournament.results.{key}")
    await room.ana.slash("tournament calendar")
    assert "Round 5" in alt(private(room.ana))[0]


async def test_the_hall_of_fame(room: Room) -> None:
    await room.ana.slash("tournament history")
    assert EN("tournament.results.hall.empty") in told(room.ana)
    for number in range(12):
        made = Made((Stage(Format.ROUND_ROBIN),), 3, name=f"Cup {number}", id=f"cup{number}", seed=number).finish()
        winner = next(player.number for player in made.snapshot.players if player.first_place == 1)
        users = {winner: room.ben.user_id} if number else {winner: -5}
        for player in made.snapshot.players:
            made.player(player.number, user_id=users.get(player.number, 100 + player.number))
        made.set(guild_id=room.server.world.guild_id, created=number)
        assert room.bot is not None
        await store(room.bot.services, made)
    await room.ana.slash("tournament history")
    message = private(room.ana)
    assert "**Cup 11** · Abalone · " in message["content"]
    assert f"{room.ben.mention}: 11 titles" in message["content"]
    assert "Cup 1**" not in message["content"]
    await room.ana.press("b:results_history:me:1:forward", message)
    last = room.ana.fresh(message)["content"]
    assert "**Cup 0**" in last
    assert "🏆 a former player" in last


async def test_former_players_are_called_so_in_the_readers_language(spanish_room: Room) -> None:
    made = swiss()
    made.player(16, user_id=-3)
    await stored(spanish_room, made)
    await spanish_room.ana.slash("tournament standings")
    message = private(spanish_room.ana)
    await spanish_room.ana.press(label(message, ES("button.back")), message)
    assert f"{ES('player.former')} 3, BH" in alt(spanish_room.ana.fresh(message))[0]
    await spanish_room.ana.slash("tournament pairings")
    assert "Por qué: Ambos tenían 1 punto." in told(spanish_room.ana)


async def test_another_servers_tournament_is_unknown_here(room: Room) -> None:
    await stored(room, swiss())
    assert room.bot is not None
    await room.ana.slash("tournament standings")
    message = private(room.ana)
    await store(room.bot.services, Made(SWISS, 4, id="t2", guild_id=77).rounds_of(1))
    held = room.server.world.messages.find(int(message["id"]))
    assert held is not None
    for forged in ("b:results:t2:0:standings.1.1.p|x", "b:results_pairings:t2:0:1|x", "b:results_why:t2:0:1.1"):
        held["components"] = [
            {"type": 1, "id": 1, "components": [{"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": forged}]}
        ]
        await room.ana.press(forged, held)
        assert told(room.ana) == EN("tournament.unknown")


FORGED: Final = {
    "results:t1:0:": "error.press",
    "results:t1:0:standings.x.1.p|back": "error.press",
    "results:t1:0:nothing.1.1.p|back": "error.press",
    "results:t1:0:bracket.1.1.p|back": "",
    "results:t1:999999:standings.1.1.p|back": "",
    "results:t1:0:crosstable.7.7.t|back": "",
    "results:t1:7:calendar.0.0.t|back": "",
    "results:t1:0:calendar.9.9.t|back": "",
    "results:t1:0:standings.0.0.t|back": "",
    "results_share:t1:0:": "error.press",
    "results_why:t1:0:1.1": "error.press",
    "results_pairings:t1:99:4|x": "",
    "results_pairings:t1:0:x": "error.press",
    "results_pairings:t1:0:-1": "error.press",
}
"""Presses that no message of ours offers, and their answers; no answer: a page is shown."""


async def test_forged_presses_are_answered(room: Room) -> None:
    await stored(room, swiss())
    await room.ana.slash("tournament standings")
    shown = int(private(room.ana)["id"])
    for carried, key in FORGED.items():
        forged, message = f"b:{carried}", room.server.world.messages.find(shown)
        assert message is not None
        message["components"] = [
            {"type": 1, "id": 1, "components": [{"type": 2, "id": 2, "style": 2, "label": "x", "custom_id": forged}]}
        ]
        await room.ana.press(forged, message)
        if key:
            assert told(room.ana) == EN(key, round=-1, last=4), carried
        else:
            assert "Spring Cup" in room.ana.fresh(message)["content"], carried
