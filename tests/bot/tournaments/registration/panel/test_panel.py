"""Setting up a tournament: the panel, its forms, the preview, and the announcement that follows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, private, told, verbs
from harness.discord import Seat, is_ephemeral, options, text, until

from bot.core.translations import language, language_for_locale
from bot.sandbox.state import objects, permissions
from bot.tournaments.registration.templates import TEMPLATES, began_from, begun_anew
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import LateRule, Status
from engine.core.errors import Translated
from engine.core.hours import DAY

if TYPE_CHECKING:
    from bot.tournaments.tournament import Tournament

EN = language("en")
Json = dict[str, Any]
STARTED = 1_800_014_400_000
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


@pytest.fixture
def now() -> Clock:
    return Clock(STARTED)


@pytest.fixture
def boss(room: Room) -> Seat:
    return Seat.join(room.server.world, "Max", room.channel_id, permissions=MANAGER)


async def the_only(room: Room) -> Tournament:
    assert room.bot is not None
    (found,) = await room.bot.service(TournamentService).of_server(room.server.world.guild_id, list(Status))
    return found


async def go_to(who: Seat, panel: Json, title: str) -> Json:
    """Presses Next until the page is shown."""
    while EN(f"tournament.page.{title}") not in text(who.fresh(panel)):
        await who.press(EN("button.plan_next"), panel)
    return who.fresh(panel)


def announcements(room: Room) -> list[Json]:
    world = room.server.world
    found = [m for m in world.messages.in_channel(room.channel_id) if not is_ephemeral(m)]
    return [m for m in found if "tournament_players" in verbs(m) or "##" in m["content"]]


async def announced(room: Room, boss: Seat, template: str = "long_swiss", **more: str) -> Json:
    """Announces a tournament from a template; returns its public message."""
    await boss.slash("tournament create", template=template, **more)
    panel = private(boss)
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")
    return announcements(room)[-1]


async def test_a_tournament_is_set_up_by_taps_and_announced(room: Room, boss: Seat) -> None:
    await boss.slash("tournament create", template="long_swiss", name="Winter Cup")
    panel = private(boss)
    assert is_ephemeral(panel)
    assert "Winter Cup" in text(panel)
    await boss.choose("7 rounds", menu=EN("tournament.plan.rounds"), message=panel)
    await go_to(boss, panel, "game")
    await boss.choose("backgammon,standard", menu=EN("tournament.plan.game"), message=panel)
    await go_to(boss, panel, "rounds")
    await boss.choose("604800000", menu=EN("tournament.plan.round_length"), message=panel)
    await boss.choose("organiser", menu=EN("tournament.plan.late"), message=panel)
    plan = (await the_only(room)).plan
    assert (plan.game, plan.stages[0].rounds, plan.round_length) == ("backgammon", 7, 7 * DAY)
    assert plan.late_rule is LateRule.ORGANISER
    await go_to(boss, panel, "tie_breaks")
    last = f"{EN('tournament.more.ties.shared')} Change this on the page *Who may join*."
    assert last in text(boss.fresh(panel))
    await boss.press(EN("button.plan_preview"), panel)
    preview = text(boss.fresh(panel))
    assert "Swiss, 7 rounds" in preview
    assert "At most 7 rounds of 7 days with 64 players" in preview
    assert not announcements(room)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")
    (message,) = announcements(room)
    assert "Winter Cup" in text(message)
    assert "0 players of 64" in text(message)
    assert verbs(message) == ["tournament_join", "tournament_leave", "tournament_players"]
    assert not room.server.world.events.notifications


async def shows(room: Room, now: Clock, wanted: str) -> None:
    """Waits until the announcement, edited a while later, says this."""
    assert room.bot is not None
    now.pass_seconds(10)
    room.bot.service(AnnouncementWorker).wake()
    await until(lambda: wanted in text(announcements(room)[-1]), f"the announcement says {wanted}")


async def test_join_and_leave_by_buttons_and_commands(room: Room, boss: Seat, now: Clock) -> None:
    message = await announced(room, boss)
    await room.ana.press(EN("button.tournament_join"), message)
    assert "You are in" in told(room.ana)
    await room.ana.press(EN("button.tournament_join"), message)
    assert told(room.ana) == EN("tournament.join.already")
    await room.ben.slash("tournament join")
    assert "You are in" in told(room.ben)
    await room.ana.slash("tournament leave")
    assert "You have left" in told(room.ana)
    await room.ana.slash("tournament leave")
    assert told(room.ana) == EN("tournament.leave.not_in")
    await room.ben.slash("tournament show")
    assert EN("tournament.own.in") in told(room.ben)
    await room.ben.slash("tournament list")
    assert "Long Abak Swiss" in told(room.ben)
    assert "0 players of 64" in text(announcements(room)[0])  # edits wait for each other
    await shows(room, now, "1 player of 64")
    assert len(announcements(room)) == 1


async def test_wrong_input_is_said_and_nothing_else_is_lost(room: Room, boss: Seat) -> None:
    await boss.slash("tournament create", template="long_swiss")
    panel = private(boss)
    await go_to(boss, panel, "players")
    opened = await boss.press("b:plan_ask:", panel)
    await boss.submit(opened, {"capacity": "many", "least": "4", "range": "1800-1400"})
    shown = text(boss.fresh(panel))
    assert EN("tournament.field.number", text="many", least=2, most=1024) in shown
    assert EN("challenge.rating_order", low=1800, high=1400) in shown
    plan = (await the_only(room)).plan
    assert (plan.capacity, plan.least, plan.eligibility.lowest) == (64, 4, None)
    opened = await boss.press(EN("button.form_again"), boss.fresh(panel))
    fields = [one.get("component", one) for one in opened.modal["components"]]
    assert {"many", "4", "1800-1400"} <= {field.get("value") for field in fields}  # 4 is stored
    await boss.press("b:plan_page:", panel)  # back
    opened = await boss.press("b:plan_ask:", panel)
    await boss.submit(
        opened, {"name": "**@everyone\u200b\u200f**", "starts": "yesterday", "registration_closes": "in 1 day"}
    )
    found = await the_only(room)
    assert found.name == "everyone"
    assert found.plan.registration_closes == STARTED + DAY
    assert EN("moment.unread", text="yesterday") in text(boss.fresh(panel))
    opened = await boss.press("b:plan_ask:", panel)
    await boss.submit(opened, {"name": " \u200b\u2066"})
    assert EN("tournament.field.bad_name", most=64) in text(boss.fresh(panel))


async def test_a_draft_goes_on_later_and_can_be_deleted(boss: Seat) -> None:
    await boss.slash("tournament create", template="ladder", name="My ladder")
    await boss.slash("tournament create")
    panel = private(boss)
    assert EN("tournament.draft.goes_on") in text(panel)
    assert "My ladder" in text(panel)
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_discard"), panel)
    assert text(boss.fresh(panel)) == EN("tournament.draft.discarded", name="My ladder")
    await boss.slash("tournament create")
    assert EN("tournament.draft.goes_on") not in told(boss)


async def test_what_does_not_fit_cannot_be_announced(room: Room, boss: Seat) -> None:
    await boss.slash("tournament create", template="arena")
    panel = private(boss)
    await go_to(boss, panel, "game")
    await boss.choose("3d/move", menu=EN("tournament.plan.clock"), message=panel)
    assert EN("tournament.problem.arena_clock") in text(boss.fresh(panel))
    await boss.press(EN("button.plan_preview"), panel)
    assert EN("tournament.problem.arena_clock") in text(boss.fresh(panel))
    assert "plan_announce" not in verbs(boss.fresh(panel))
    await boss.choose("game", menu="m:plan_open:", message=panel)
    opened = await boss.press("b:plan_ask:", panel)
    await boss.submit(opened, {"time": "3m+2s"})
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")


async def test_roles_are_chosen_for_who_may_join_and_as_prizes(room: Room, boss: Seat) -> None:
    world = room.server.world
    world.grant(world.guild_id, room.ana.user_id, permissions.MEMBER)
    (role,) = world.members[world.guild_id][room.ana.user_id]["roles"]
    await boss.slash("tournament create", template="ladder")
    panel = private(boss)
    await go_to(boss, panel, "players")
    await boss.choose(role, menu="r:plan_role:", message=panel)
    assert EN("tournament.who.role", role=f"<@&{role}>") in text(boss.fresh(panel))
    await go_to(boss, panel, "extras")
    await boss.choose(role, menu=EN("tournament.plan.prize", place=1), message=panel)
    plan = (await the_only(room)).plan
    assert (plan.eligibility.role_id, plan.prizes) == (int(role), ((1, int(role)),))
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    assert "role" in told(boss).lower()  # the bot may not give roles
    await boss.choose("extras", menu="m:plan_open:", message=panel)
    await boss.choose(menu=EN("tournament.plan.prize", place=1), message=panel)
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    await until(lambda: announcements(room), "it is announced")
    await room.ben.press(EN("button.tournament_join"), announcements(room)[-1])
    assert told(room.ben) == EN("tournament.join.role", role=f"<@&{role}>")
    await room.ana.press(EN("button.tournament_join"), announcements(room)[-1])
    assert "You are in" in told(room.ana)


async def test_the_bot_says_which_permission_is_missing(room: Room, boss: Seat) -> None:
    world = room.server.world
    await boss.slash("tournament create", template="ladder")
    panel = private(boss)
    await boss.press(EN("button.plan_preview"), panel)
    world.deny(room.channel_id, permissions.CREATE_PUBLIC_THREADS)
    await boss.press(EN("button.plan_announce"), panel)
    said = EN(
        "tournament.thread_permission",
        permission=Translated("@permission.create_public_threads"),
        channel=f"<#{room.channel_id}>",
    )
    await until(lambda: told(boss) == said, "it says so")
    assert (await the_only(room)).is_draft
    world.allow(room.channel_id, permissions.CREATE_PUBLIC_THREADS)


async def test_commands_find_the_tournament_that_is_meant(room: Room, boss: Seat) -> None:
    await room.ana.slash("tournament join")
    assert told(room.ana) == EN("tournament.none_here")
    await announced(room, boss, "ladder", name="One")
    await announced(room, boss, "arena", name="Two")
    await room.ana.slash("tournament join")
    assert told(room.ana) == EN("tournament.which", names="**Two** and **One**")
    offered = await room.ana.choices("tournament join", "tournament", tournament="tw")
    assert [one["name"] for one in offered] == [EN("tournament.suggested", name="Two", status="registration")]
    await room.ana.slash("tournament join", tournament=offered[0]["value"])
    assert "Two" in told(room.ana)
    await room.ana.slash("tournament join", tournament="one")
    assert "One" in told(room.ana)
    await room.ana.slash("tournament join", tournament="Three")
    assert told(room.ana) == EN("tournament.not_found", text="Three")
    await room.ana.slash("tournament list")
    listed = private(room.ana)
    await room.ana.choose("One", menu="m:tournament_open:", message=listed)
    assert EN("tournament.own.in") in told(room.ana)
    await room.ben.slash("tournament list")
    await room.ben.press(EN("button.tournament_list.mine"), private(room.ben))
    assert EN("tournament.list.mine_none") in text(room.ben.fresh(private(room.ben)))


async def test_the_help_fits_in_both_languages(room: Room) -> None:
    for locale in ("en-US", SPANISH):
        room.speak(locale)
        await room.ana.slash("tournament help")
        assert room.say("tournament.help") in told(room.ana)
        assert len(told(room.ana)) < 1990


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_without_options_a_menu_offers_the_templates(room: Room, boss: Seat, locale: str) -> None:
    """A name that was typed stays, and so do the dates; a name of a template follows the template."""
    say = language_for_locale(locale)
    room.server.world.users[boss.user_id]["locale"] = locale
    room.server.world.guilds[room.server.world.guild_id]["preferred_locale"] = locale
    await boss.slash("tournament create")
    panel = private(boss)
    assert say("tournament.start_from.about") in text(panel)
    assert verbs(panel)[0] == "plan_template"
    assert len(options(panel)) == len(TEMPLATES)
    for key in TEMPLATES:
        await boss.choose(key, menu="m:plan_template:", message=panel)
        found = await the_only(room)
        assert (found.plan, found.name) == (TEMPLATES[key], say(f"tournament.template.{key}"))
    while say("tournament.page.dates") not in text(boss.fresh(panel)):
        await boss.press(say("button.plan_next"), panel)
    await boss.submit(
        await boss.press(say("button.plan_ask.dates"), panel), {"name": "Mine", "starts": "2027-06-01 12:00"}
    )
    starts = (await the_only(room)).plan.starts
    assert starts is not None
    while say("tournament.start_from.about") not in text(boss.fresh(panel)):
        await boss.press(say("button.plan_back"), panel)
    await boss.choose("arena", menu="m:plan_template:", message=panel)
    found = await the_only(room)
    assert (found.name, found.plan) == ("Mine", replace(TEMPLATES["arena"], starts=starts))
    await boss.slash("tournament create")  # the draft again, and the way to begin anew
    assert say("tournament.draft.goes_on") in told(boss)
    assert verbs(private(boss))[0] == "plan_template"


async def test_the_preview_warns_of_a_template_name_that_is_no_longer_true(boss: Seat) -> None:
    await boss.slash("tournament create", template="weekend_swiss")
    panel, warning = private(boss), EN("tournament.warning.name", page=EN("tournament.page.dates"))
    await boss.press(EN("button.plan_preview"), panel)
    assert warning not in text(boss.fresh(panel))
    await boss.choose(EN("tournament.page.format"), menu=EN("tournament.panel.change"), message=panel)
    await boss.choose("3 rounds", menu=EN("tournament.plan.rounds"), message=panel)
    await boss.press(EN("button.plan_preview"), panel)
    assert warning in text(boss.fresh(panel))


@pytest.mark.parametrize("key", TEMPLATES)
def test_a_draft_knows_its_template_whatever_its_dates(key: str) -> None:
    dated = replace(TEMPLATES[key], starts=1, registration_opens=2, registration_closes=3, check_in=4)
    assert began_from(dated) == key
    assert began_from(replace(dated, capacity=77)) is None
    assert begun_anew(dated, "arena") == replace(
        TEMPLATES["arena"], starts=1, registration_opens=2, registration_closes=3, check_in=4
    )


@pytest.mark.parametrize("may", [True, False])
async def test_only_who_may_give_a_role_makes_it_a_prize(room: Room, *, may: bool) -> None:
    world = room.server.world
    guild = world.guilds[world.guild_id]
    role_id = world.ids()
    guild["roles"].append(objects.role(role_id, "Champion", 0))
    own = next(role for role in guild["roles"] if "tags" in role)
    own |= {"position": 9, "permissions": str(permissions.BOT | permissions.MANAGE_ROLES)}
    rights = MANAGER | (permissions.MANAGE_ROLES if may else 0)
    boss = Seat.join(world, "Max", room.channel_id, permissions=rights)
    for role in guild["roles"]:
        if str(role["id"]) in world.members[world.guild_id][boss.user_id]["roles"]:
            role["position"] = 5
        changed = {"guild_id": str(world.guild_id), "role": role}
        world.events.dispatch("GUILD_ROLE_CREATE", lambda changed=changed: changed, guild_id=world.guild_id, intent=1)
    await boss.slash("tournament create", template="ladder")
    panel = private(boss)
    await go_to(boss, panel, "extras")
    await boss.choose(str(role_id), menu=EN("tournament.plan.prize", place=1), message=panel)
    await boss.press(EN("button.plan_preview"), panel)
    await boss.press(EN("button.plan_announce"), panel)
    if may:
        await until(lambda: announcements(room), "it is announced")
    else:
        refused = EN("tournament.prize_giver", role=f"<@&{role_id}>", permission=EN("permission.manage_roles"))
        assert told(boss) == refused
        assert not announcements(room)


async def test_the_preview_says_that_the_tournament_repeats(boss: Seat) -> None:
    await boss.slash("tournament create", template="long_swiss")
    panel = private(boss)
    await go_to(boss, panel, "dates")
    await boss.choose("weekly", menu=EN("tournament.plan.repeat"), message=panel)
    await boss.press(EN("button.plan_preview"), panel)
    assert EN("tournament.more.repeat.weekly") in text(boss.fresh(panel))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_all_games_at_once_say_what_they_need(room: Room, locale: str) -> None:
    say = language_for_locale(locale)
    boss = Seat.join(room.server.world, "Max", room.channel_id, permissions=MANAGER, locale=locale)
    await boss.slash("tournament create", template="apb_groups")
    panel = private(boss)
    while say("tournament.page.rounds") not in text(boss.fresh(panel)):
        await boss.press(say("button.plan_next"), panel)
    menu = say("tournament.plan.at_once")
    assert say("tournament.plan.at_once.yes", most=12) in options(boss.fresh(panel), 0)
    await boss.choose("yes", menu=menu, message=panel)
    assert (await the_only(room)).plan.is_at_once
    assert "\u26d4" not in text(boss.fresh(panel))  # 32 players in four groups
    while say("tournament.page.game") not in text(boss.fresh(panel)):
        await boss.press(say("button.plan_back"), panel)
    await boss.choose("15m+10s", menu=say("tournament.plan.clock"), message=panel)
    assert f"\u26d4 {say('tournament.problem.at_once_clock')}" in text(boss.fresh(panel))
    await boss.press(say("button.plan_preview"), panel)
    assert say("tournament.problem.at_once_clock") in text(boss.fresh(panel))


async def test_a_draft_moves_to_the_channel_in_which_it_is_gone_on_with(room: Room, boss: Seat) -> None:
    await boss.slash("tournament create", template="long_swiss")
    await boss.slash("tournament create")
    assert EN("tournament.draft.goes_on") in told(boss)
    assert "moves" not in told(boss)
    other = boss.at(room.server.world.add_channel("other"))
    await other.slash("tournament create")
    assert EN("tournament.draft.moved", before=f"<#{room.channel_id}>") in told(other)
    assert (await the_only(room)).channel_id == other.channel_id
