"""Settings of a person and of a server: private panels, kept at once, and what they change."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import pytest
from harness import malformed
from harness.bot import SPANISH, Room, bot_running, private, told
from harness.discord import Seat, menus, text, until
from harness.discord import components as parts
from PIL import Image

from bot.clocks import panels as clock_panels
from bot.core.interactions import answer
from bot.core.interactions import components as interaction_components
from bot.core.interactions.forms import HINT_LENGTH, TITLE_LENGTH
from bot.core.translations import Language, language
from bot.players.panel_hooks import PanelHooks
from bot.players.preferences import DEFAULTS, SCOPES, SERVER, USER
from bot.players.service import PreferenceService
from bot.players.views import ROWS, Panel, components, pages
from bot.sandbox.state import permissions
from engine.core.errors import RuleError, Translated
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")
Json = dict[str, Any]
PHONE = 36
"""Characters of a closed menu that are seen on a narrow phone."""


def hooks() -> PanelHooks:
    """Returns the hooks as the app connects them."""
    found = PanelHooks()
    clock_panels.add_to(found)
    return found


async def open_page(who: Seat, page: str, scope: str = "user") -> Json:
    """Opens the panel at a page."""
    await who.slash("abak settings" if scope == "user" else "abak server")
    await who.press(f"b:page_{scope}:me:0:{page}", private(who))
    return who.fresh(private(who))


async def choose(who: Seat, key: str, choice: str) -> None:
    """Opens the panel and makes one choice in it."""
    panel = await open_page(who, SCOPES["user"][key].page)
    await who.choose(choice, menu=f"m:set_user:me:0:{key}", message=panel)


async def write(who: Seat, page: str, values: dict[str, str], scope: str = "user") -> str:
    """Fills in a page's form, and gives the panel's text after it."""
    panel = await open_page(who, page, scope)
    opened = await who.press(f"b:ask_{scope}:", panel)
    await who.submit(opened, values)
    return text(who.fresh(panel))


@pytest.mark.parametrize("page", pages("user"))
async def test_the_panel_shows_and_keeps_every_choice(room: Room, page: str) -> None:
    panel = await open_page(room.ana, page)
    shown_here = [p for p in USER if p.page == page]
    assert len(menus(panel)) == len([p for p in shown_here if p.choices])
    for preference in shown_here:
        for choice in [c for c in preference.choices[::-1] if preference.key != "language"]:
            await room.ana.choose(choice, menu=f"m:set_user:me:0:{preference.key}", message=panel)
            title = f"preference.user.{preference.key}"
            chosen = EN("panel.chosen", title=EN(title), choice=EN(f"{title}.{choice}"))
            now = room.ana.fresh(panel)
            assert chosen in [o["label"] for menu in menus(now) for o in menu["options"] if o.get("default")]
            assert EN(title) not in text(now)  # the menu says it, and nothing else does


@pytest.mark.parametrize("say", [EN, ES], ids=["en", "es"])
def test_a_closed_menu_says_on_a_phone_what_is_chosen(say: Language) -> None:
    for scope, preferences in SCOPES.items():
        for preference in preferences.values():
            title = f"preference.{scope}.{preference.key}"
            for choice in preference.choices if preference.page else ():
                assert len(say("panel.chosen", title=say(title), choice=say(f"{title}.{choice}"))) <= PHONE
            if preference.most > 1:
                assert len(say(f"panel.hint.{preference.key}", n=preference.most)) <= PHONE


@pytest.mark.parametrize("scope", ["user", "server"])
@pytest.mark.parametrize("say", [EN, ES], ids=["en", "es"])
async def test_every_page_fits_discord(scope: str, say: Language) -> None:
    for page in pages(scope):
        panel = Panel(scope, page, {**DEFAULTS[scope], "notification_channel": "1"}, 0, hooks())
        rows = interaction_components.view_of(*components(panel, say)).to_components()
        assert len(rows) <= ROWS
        assert all(len(row["components"]) == 1 for row in rows[1:])
        form = [(panel.title(p.key, say), say(f"panel.hint.{p.key}")) for p in panel.typed]
        assert all(len(label) <= TITLE_LENGTH and len(hint) <= HINT_LENGTH for label, hint in form)


async def test_a_chosen_language_goes_before_discords(room: Room) -> None:
    await choose(room.ana, "language", "es")
    assert ES("settings.user") in told(room.ana)
    await room.ana.slash("abak games")
    assert told(room.ana) == ES("games.none")
    await choose(room.ana, "language", "auto")
    await room.ana.slash("abak games")
    assert told(room.ana) == EN("games.none")


async def test_another_theme_is_another_picture(room: Room) -> None:
    await room.begin("apb")
    pictures = set()
    for theme in ("wood", "slate", "contrast"):
        await choose(room.ana, "theme", theme)
        await room.ana.slash("abak board")
        attachment = private(room.ana)["attachments"][0]
        pictures.add(room.server.world.attachment(int(attachment["id"]))[0])
    assert len(pictures) == 3


async def test_boards_for_all_are_in_the_servers_colours(room: Room) -> None:
    """The preferences of players apply only to what they alone see."""

    def ground(message: Json) -> Any:
        data = room.server.world.attachment(int(message["attachments"][0]["id"]))[0]
        with Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB").getpixel((0, 0))

    for who, theme in ((room.ana, "slate"), (room.ben, "contrast")):
        await choose(who, "theme", theme)
    await room.type(await room.begin("abalone"), "a1b1")
    await room.shown()
    public = {ground(board) for board in room.boards}
    assert len(public) == 1
    own = {ground(private(who)) for who in (room.ana, room.ben) if await who.slash("abak board")}
    assert len(own | public) == 3
    boss = manager(room)
    panel = await open_page(boss, "language", "server")
    await boss.choose("slate", menu="m:set_server:me:0:theme", message=panel)
    await room.type(await room.present(), "i9h9")
    await room.shown()
    await room.ana.slash("abak board")
    assert ground(room.board) == ground(private(room.ana)) not in public


async def test_a_turn_of_one_step_is_asked_about_by_choice(room: Room) -> None:
    live = await room.begin("abalone")
    await choose(room.to_move(live), "confirm", "always")
    step = GAMES["abalone"].legal(live.table.state)[0]
    await room.tap(live, (step,))
    assert room.taps == 4
    live = await room.shown()
    step = GAMES["abalone"].legal(live.table.state)[0]
    await room.tap(live, (step,))
    assert room.taps == 7


async def test_only_managers_see_the_servers_panel(room: Room) -> None:
    await room.ana.slash("abak server")
    assert told(room.ana) == EN("settings.not_manager")
    boss = manager(room)
    await boss.slash("abak server")
    assert len(menus(private(boss))) == len([p for p in SERVER if p.page == "board"])
    panel = private(boss)
    await boss.press("b:page_server:me:0:time", panel)
    world = room.server.world
    world.members[world.guild_id][boss.user_id]["roles"] = []
    for button in ("b:page_server:me:0:board", "b:ask_server:"):
        await boss.press(button, panel)
        assert told(boss) == EN("settings.not_manager")


def manager(room: Room) -> Seat:
    """Returns somebody who may change the server's settings."""
    rights = permissions.MEMBER | permissions.MANAGE_GUILD
    return Seat.join(room.server.world, "Boss", room.channel_id, permissions=rights)


# --- what is written -------------------------------------------------------------------------------------------------

NOON = 1_763_726_400_000  # 2025-11-21 12:00 UTC


async def test_the_time_page_is_filled_in_and_can_be_checked(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, now=lambda: NOON) as bot:
        room = Room.of(stand_in, bot)
        panel = await write(room.ana, "time", {"zone": "madrid", "rest": "23-7:30"})
        assert f"**{EN('preference.user.zone')}**: Europe/Madrid" in panel
        assert EN("panel.there", city="Madrid", moment="Friday, 13:00", device=f"<t:{NOON // 1000}:t>") in panel
        assert EN("off.rest", begin="23:00", end="07:30") in panel
        await choose(room.ana, "weekend", "sat_sun")
        assert EN("off.both", begin="23:00", end="07:30", days=EN("off.days.sat_sun")) in told(room.ana)
        panel = await write(room.ana, "time", {"rest": ""})
        assert EN("off.weekend", days=EN("off.days.sat_sun")) in panel
        room.speak(SPANISH)
        assert "viernes, 13:00" in text(await open_page(room.ana, "time"))


async def test_the_zone_of_a_country_is_that_of_its_largest_city_and_says_so(room: Room) -> None:
    room.speak(SPANISH)
    panel = await write(room.ana, "time", {"zone": "Estados Unidos"})
    assert room.say("panel.largest_city", text="Estados Unidos", city="Nueva York") in panel
    assert "America/New_York" in panel
    panel = await write(room.ana, "time", {"zone": "Perú"})
    assert "America/Lima" in panel
    assert "varias zonas" not in panel
    panel = await write(room.ana, "time", {"zone": "UTC-5"})
    assert f"**{room.say('preference.user.zone')}**: UTC-5" in panel
    panel = await write(room.ana, "time", {"zone": "Valencia"})
    assert "Madrid (España) · Caracas (Venezuela)" in panel
    assert f"**{room.say('preference.user.zone')}**: UTC-5" in panel


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_wrong_line_takes_no_other_with_it(room: Room, locale: str) -> None:
    room.speak(locale)
    say = room.say
    panel = await write(room.ana, "time", {"zone": "Nowhere", "rest": "01:00-08:00"})
    problem = say("zone.unknown", text="Nowhere")
    assert say("panel.wrong", title=say("preference.user.zone"), problem=problem) in panel
    assert f"**{say('preference.user.zone')}**: {say('panel.empty.zone')}" in panel
    assert f"**{say('preference.user.rest')}**: 01:00 \u2013 08:00 UTC\n" in panel
    assert say("off.rest", begin="01:00", end="08:00 UTC") in panel
    assert say("panel.no_zone_here") in panel
    assert say("panel.no_zone") not in panel
    panel = await write(room.ana, "notifications", {"digest_hour": "25", "quiet": "22-8"})
    assert say("preference.not_an_hour", value="25") in panel
    assert f"**{say('preference.user.quiet')}**: 22:00 \u2013 08:00 UTC" in panel
    assert f"**{say('preference.user.digest_hour')}**: 09:00 UTC\n" in panel
    assert say("panel.no_zone") in panel
    assert say("zone.long_hours", hours="6-23", most=12) in await write(room.ana, "time", {"rest": "6-23"})


def timeless(panel: str) -> str:
    """Returns a panel without the present moment, which it shows."""
    return re.sub(r"<t:\d+", "<t:", panel)


async def test_of_a_form_only_what_was_changed_is_stored(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = await write(room.ana, "time", {"zone": "madrid", "rest": "23-7"})
    assert room.bot is not None
    preferences, stored = room.bot.service(PreferenceService), []
    choose = preferences.store.choose

    async def note(scope: str, of: int, key: str, value: str) -> None:
        stored.append((key, value))
        await choose(scope, of, key, value)

    monkeypatch.setattr(preferences.store, "choose", note)
    same = {"zone": " Europe/Madrid ", "rest": "23:00-07:00"}
    assert timeless(await write(room.ana, "time", same)) == timeless(panel)
    quiet = {"type": 18, "component": {"custom_id": "quiet", "value": "1-2"}}  # of another page
    await malformed.submit(room.ana, private(room.ana), "f:fill_user:me:0:time", [quiet])
    assert timeless(text(room.ana.fresh(private(room.ana)))) == timeless(panel)
    assert stored == []
    await write(room.ana, "time", {"zone": "Europe/Madrid", "rest": "22:00-07:00"})
    assert stored == [("rest", "22:00-07:00")]


async def test_a_form_outlives_a_restart(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        opened = await room.ana.press("b:ask_user:", await open_page(room.ana, "notifications"))
        assert not bot._connection._view_store._modals
    async with bot_running(stand_in, sqlite_url):
        await room.ana.submit(opened, {"digest_hour": "21:00"})
        assert f"**{EN('preference.user.digest_hour')}**: 21:00" in told(room.ana)


def slow(bot: AbakBot, work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Wraps the work so that it goes on only when every running answer has been deferred."""

    async def slowly(*given: Any) -> Any:
        await until(lambda: all(one.interaction.response.is_done() for one in bot.context.under_way.values()))
        return await work(*given)

    return slowly


async def test_a_form_that_comes_too_late_is_asked_for_again(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = await open_page(room.ana, "time")
    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    assert room.bot is not None
    preferences = room.bot.service(PreferenceService)
    monkeypatch.setattr(type(preferences), "of_user", staticmethod(slow(room.bot, preferences.of_user)))
    await room.ana.press("b:ask_user:", panel)
    assert told(room.ana) == EN("error.slow")


async def test_a_form_that_is_slow_to_be_kept_is_kept_all_the_same(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = await open_page(room.ana, "time")
    opened = await room.ana.press("b:ask_user:", panel)
    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    assert room.bot is not None
    store = room.bot.service(PreferenceService).store
    monkeypatch.setattr(store, "choose", slow(room.bot, store.choose))
    await room.ana.submit(opened, {"zone": "Nowhere", "rest": "23-7"})
    after = text(room.ana.fresh(panel))
    assert EN("zone.unknown", text="Nowhere") in after
    assert EN("off.rest", begin="23:00", end="07:00 UTC") in after
    assert private(room.ana)["id"] == panel["id"]


async def test_a_form_of_another_release_is_called_stale(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = await room.ana.press("b:ask_user:", await open_page(room.ana, "time"))
    monkeypatch.delitem(room.bot.context.handlers, "fill_user")
    await room.ana.submit(opened, {"rest": "23-7"})
    assert told(room.ana) == EN("error.press")


async def test_a_server_has_a_usual_time_within_its_limit(room: Room) -> None:
    boss = manager(room)
    panel = await write(boss, "time", {"clock": "3 days"}, "server")
    assert f"**{EN('preference.server.clock')}**: 3 days per move" in panel
    panel = await open_page(boss, "time", "server")
    await boss.choose("1", menu="m:set_server:me:0:longest", message=panel)
    assert told(boss) == EN("control.too_long", asked="3 days", n=1)
    panel = await write(boss, "time", {"clock": "soon"}, "server")
    problem = EN("clock.text", text="soon")
    assert EN("panel.wrong", title=EN("preference.server.clock"), problem=problem) in panel
    panel = await write(boss, "time", {"clock": ""}, "server")
    assert f"**{EN('preference.server.clock')}**: no clock" in panel
    await boss.choose("1", menu="m:set_server:me:0:longest", message=private(boss))
    assert EN("panel.limited", control="1 day per move") in told(boss)


async def test_a_channel_for_notices_is_chosen_where_the_bot_can_write(room: Room) -> None:
    boss, world = manager(room), room.server.world
    quiet, closed = world.add_channel("notifications"), world.add_channel("closed")
    world.deny(closed, permissions.SEND_MESSAGES)
    panel = await open_page(boss, "notifications", "server")
    await boss.choose(str(quiet), menu="c:set_server:me:0:notification_channel", message=panel)
    assert f"<#{quiet}>" in text(boss.fresh(panel))
    menu, _ = menus(boss.fresh(panel))
    assert [one["id"] for one in menu["default_values"]] == [str(quiet)]
    await boss.choose(str(closed), menu="c:set_server:", message=panel)
    said = EN("panel.no_permission", channel=f"<#{closed}>", permission=Translated("@permission.send_messages"))
    assert told(boss) == said
    assert f"<#{quiet}>" in text(boss.fresh(panel))
    await boss.press("b:set_server:me:0:notification_channel", panel)
    assert f"**{EN('preference.server.notification_channel')}**: {EN('panel.empty.notification_channel')}" in text(
        boss.fresh(panel)
    )
    assert not [one for one in parts(boss.fresh(panel)) if one.get("custom_id", "").startswith("b:set_server:")]


async def test_a_choice_that_does_not_exist_is_refused(room: Room) -> None:
    assert room.bot is not None
    preferences = room.bot.service(PreferenceService)
    with pytest.raises(RuleError, match=r"preference\.unknown"):
        await preferences.set_user(1, "colour", "red")
    with pytest.raises(RuleError, match=r"preference\.choice"):
        await preferences.set_user(1, "theme", "red")


async def test_a_button_of_an_earlier_release_is_called_stale(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.begin("apb")
    monkeypatch.delitem(room.bot.context.handlers, "more")
    await room.ana.press("b:more:", room.board)
    assert told(room.ana) == EN("error.press")
