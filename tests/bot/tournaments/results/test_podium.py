"""The final announcement: the podium as a picture, and the places in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.snapshots import SWISS, Made, an_arena, names_of
from fakes.stored_snapshots import store
from harness.discord import until
from PIL import Image

from bot.core.translations import CODES, language
from bot.players.service import PreferenceService
from bot.tournaments.results.podium import NAMED, in_words, picture, podium, shown
from bot.tournaments.results.words import ALT_LENGTH, CONTENT, day
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PlayerStatus, Status
from engine.tournament.model import Format, Stage
from render.tournaments import pictures

if TYPE_CHECKING:
    from harness.bot import Room

EN = language("en")


@pytest.mark.parametrize("code", CODES)
async def test_the_announcement_names_the_winners(room: Room, code: str) -> None:
    made = Made(SWISS, 19).finish()
    made.player(shown(made.snapshot)[1].player.number, user_id=-4)
    assert room.bot is not None
    await store(room.bot.services, made)
    say = language(code)
    found = await podium(room.bot.services, made.snapshot, say)
    first, second, third, *others = found.places
    order = [line.player for line in shown(made.snapshot)]
    assert first.startswith(f"1. <@{order[0].user_id}> · ")
    assert second.startswith(f"2. {say('player.former')} · ")
    assert third.startswith(f"3. <@{order[2].user_id}> · ")
    assert len(others) == NAMED - 3
    assert found.file.description is not None
    assert f"1. {names_of(made.snapshot)[order[0].number]} · " in found.file.description
    assert "<@" not in found.file.description
    assert len(found.file.description) <= ALT_LENGTH
    assert found.file.filename == "podium.png"
    assert Image.open(found.file.fp).width == 1080


@pytest.mark.parametrize("code", CODES)
def test_the_words_mark_who_left_and_who_was_expelled(code: str) -> None:
    """They stand last, perhaps with more points than those above them."""
    made, say = Made((Stage(Format.SWISS, rounds=2),), 5).rounds_of(1), language(code)
    made.withdraw(1)
    made.player(2, status=PlayerStatus.EXPELLED, reason="expelled", last_round=1)
    made.rounds_of(1).finish()
    names = names_of(made.snapshot)
    said = "\n".join(in_words(made.snapshot, shown(made.snapshot), names, say))
    assert f". {say('tournament.results.withdrawn', name='Ana')} · " in said
    assert f". {say('tournament.results.expelled', name='Bruno')} · " in said
    assert ". Carla · " in said


def test_shared_places_of_a_knockout_and_of_sections() -> None:
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 16).finish()
    places = [(1, 1), (2, 2), (3, 4), (3, 4)] + [(5, 8)] * 4 + [(9, 16)] * 2
    assert [(line.rank, line.last) for line in shown(made.snapshot)] == places
    many = Made((Stage(Format.SWISS, rounds=1),), 800).finish()
    lines = shown(many.snapshot)
    assert [(line.rank, line.last) for line in lines] == [(1, 13)] * 13
    view = picture(many.snapshot, lines, names_of(many.snapshot), EN, "wood")
    assert len(view.places) == NAMED
    assert pictures.podium(view)
    mentions = "\n".join(f"1-13. <@{10**18}> · 1 point" for _ in lines)
    assert len(mentions) < CONTENT


@pytest.mark.parametrize("players", [2, 3])
def test_the_smallest_fields(players: int) -> None:
    made = Made((Stage(Format.ROUND_ROBIN),), players).finish()
    view = picture(made.snapshot, shown(made.snapshot), names_of(made.snapshot), EN, "slate")
    assert len(view.places) == players
    ended = made.snapshot.tournament.ended
    assert ended is not None
    assert view.facts == (f"{players} players", "1 game" if players == 2 else "3 games", day(ended, EN))
    assert [day(1_795_305_600_000, language(code)) for code in ("en", "es")] == [
        "November 22, 2026",
        "22 de noviembre de 2026",
    ]
    assert pictures.podium(view)


def test_an_arena_has_its_points() -> None:
    made = an_arena()
    made.set(status=Status.OVER)
    view = picture(made.snapshot, shown(made.snapshot), names_of(made.snapshot), EN, "wood")
    assert [place.place for place in view.places] == [1, 1, 3, 4, 5, 5]
    assert view.places[0].points.endswith(" points")


@pytest.mark.parametrize("theme", ["wood", "slate"])
async def test_the_last_message_of_a_tournament_shows_the_podium(room: Room, theme: str) -> None:
    assert room.bot is not None
    services, guild_id = room.bot.services, room.server.world.guild_id
    await services[PreferenceService].set_server(guild_id, "theme", theme)
    made = Made(SWISS, 6, guild_id=guild_id, channel_id=room.channel_id).finish()
    made.set(closing_at=services.now(), ended=services.now())
    await store(services, made)
    services[TournamentService].changed(made.snapshot.tournament.id)
    await until(lambda: room.boards, "the podium is shown")
    (shown_last,) = room.boards
    lines = shown_last["content"].splitlines()
    assert lines[0] == EN("tournament.rounds.finished", name="Spring Cup")
    assert len(lines) == 1 + 6
    assert shown_last["attachments"][0]["filename"] == "podium.png"
    assert not room.server.world.events.notifications
