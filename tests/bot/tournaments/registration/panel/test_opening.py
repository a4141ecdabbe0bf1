"""A draft that begins like another tournament of the server."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, private, told, verbs
from harness.discord import Seat, is_ephemeral
from harness.tournaments import Event, plan_of

from bot.core.translations import language, language_for_locale
from bot.sandbox.state import permissions
from bot.tournaments.registration.templates import TEMPLATES, format_of
from bot.tournaments.series.dates import copied
from bot.tournaments.tournament import Eligibility, LateRule, Status
from engine.core.hours import DAY, HOUR, MINUTE
from engine.tournament.model import Format, Ties

if TYPE_CHECKING:
    from bot.tournaments.tournament import Plan, Tournament

EN = language("en")
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


@pytest.fixture
def event(room: Room) -> Event:
    """Two players; not created yet."""
    assert room.bot is not None
    return Event.of(room.server, room.bot, 2)


def rich() -> Plan:
    """Returns a plan with settings that no template has, and dates."""
    plan = plan_of(Format.SWISS, rounds=1, ties=Ties.LOTS, game="abalone", capacity=12, least=2)
    return replace(
        plan,
        clock="1d/move",
        rated=False,
        eligibility=Eligibility(lowest=1200, games=5),
        starts=2**42,
        registration_opens=1,
        registration_closes=2**42 - 1,
        round_length=7 * DAY,
        late_rule=LateRule.EXTEND,
        extension=DAY,
        threads=False,
    )


async def drafts(event: Event) -> list[Tournament]:
    return [*await event.service.of_server(event.server.world.guild_id, [Status.DRAFT])]


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_finished_tournament_is_made_again_by_a_tap_without_its_dates(event: Event, locale: str) -> None:
    say, olga = language_for_locale(locale), event.organiser
    event.server.world.users[olga.user_id]["locale"] = locale
    await event.create(rich(), "Winter Cup")
    await event.start()
    await event.round(1)
    await event.play_to_the_end()
    await olga.slash("tournament organise panel")
    await olga.press(say("button.organise_copy"), private(olga))
    assert say("tournament.copy.done", name="Winter Cup") in told(olga)
    assert is_ephemeral(private(olga))
    (draft,) = await drafts(event)
    assert (draft.name, draft.owner, draft.channel_id) == ("Winter Cup", olga.user_id, olga.channel_id)
    assert draft.plan == replace(rich(), starts=None, registration_opens=None, registration_closes=None)
    assert (await event.snapshot()).players  # the old one stays as it was
    assert "plan_announce" in verbs(private(olga))


async def test_a_command_copies_with_another_name_and_game(event: Event) -> None:
    await event.create(rich(), "Winter Cup")
    olga = event.organiser
    offered = await olga.choices("tournament create", "like", like="wint")
    assert [one["value"] for one in offered] == [event.tournament_id]
    await olga.slash("tournament create", like=offered[0]["value"], name="Spring Cup", game="apb")
    (draft,) = await drafts(event)
    assert (draft.name, draft.plan.game, draft.plan.capacity) == ("Spring Cup", "apb", 12)
    assert draft.plan.starts is None
    await olga.slash("tournament create", like="winter cup")
    assert len(await drafts(event)) == 2
    await olga.slash("tournament create", like="No such cup")
    assert told(olga) == EN("tournament.not_found", text="No such cup")
    await olga.slash("tournament create", like="Winter Cup", template="arena")
    assert told(olga) == EN("tournament.copy.both")
    assert len(await drafts(event)) == 2


async def test_only_who_may_create_tournaments_copies_one(event: Event) -> None:
    await event.create(rich(), "Winter Cup")
    ana = event.people[0]
    await ana.slash("tournament create", like="Winter Cup")
    assert told(ana) == EN("tournament.not_creator")
    assert await drafts(event) == []


async def test_a_draft_of_somebody_else_is_not_copied(event: Event) -> None:
    await event.create(rich(), "Secret Cup", status=Status.DRAFT)
    other = Seat.join(event.server.world, "Max", event.organiser.channel_id, permissions=MANAGER)
    await other.slash("tournament create", like="Secret Cup")
    assert told(other) == EN("tournament.not_found", text="Secret Cup")


@pytest.mark.parametrize("key", TEMPLATES)
def test_a_copy_has_all_settings_and_no_dates(key: str) -> None:
    plan = replace(TEMPLATES[key], check_in=HOUR, capacity=77)
    dated = replace(plan, starts=1, registration_opens=2, registration_closes=3)
    assert copied(dated) == plan
    assert format_of(copied(dated)) == format_of(plan)


def test_a_pause_does_not_make_the_next_arena_longer() -> None:
    arena = replace(TEMPLATES["arena"], arena=HOUR + 7 * MINUTE)
    assert copied(arena).arena == HOUR
