"""Settings of a person and of a server: private panels, kept at once, and what they change."""

from __future__ import annotations

import pytest
from harness.bot import Room, private, told
from harness.discord import Seat, alt, menus

from bot.i18n import language
from bot.sandbox import permissions
from bot.services.preferences import SERVER, USER
from bot.ui import routing
from engine.core.errors import RuleError
from engine.registry import GAMES

EN, ES = language("en"), language("es")


async def choose(who: Seat, key: str, choice: str) -> None:
    """Opens the panel and makes one choice in it."""
    await who.slash("abak settings")
    await who.choose(choice, menu=f"m:set_user:me:0:{key}", message=private(who))


async def test_the_panel_shows_and_keeps_every_choice(room: Room) -> None:
    await room.ana.slash("abak settings")
    panel = private(room.ana)
    shown_here = [p for p in USER if p.page == "board"]
    assert len(menus(panel)) == len(shown_here)
    for preference in shown_here[1:]:
        for choice in preference.choices[::-1]:
            await room.ana.choose(choice, menu=f"m:set_user:me:0:{preference.key}", message=panel)
            shown = f"**{EN(f'preference.user.{preference.key}')}**: {EN(f'preference.user.{preference.key}.{choice}')}"
            assert shown in told(room.ana)


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


async def test_a_turn_of_one_step_is_asked_about_by_choice(room: Room) -> None:
    seated = await room.begin("abalone")
    await choose(room.to_move(seated), "confirm", "always")
    step = GAMES["abalone"].legal(seated.table.state)[0]
    await room.tap(seated, (step,))
    assert room.taps == 4
    seated = await room.shown()
    step = GAMES["abalone"].legal(seated.table.state)[0]
    await room.tap(seated, (step,))
    assert room.taps == 7


async def test_only_managers_see_the_servers_panel(room: Room) -> None:
    await room.ana.slash("abak server")
    assert told(room.ana) == EN("settings.not_manager")
    boss = Seat.join(
        room.server.world, "Boss", room.channel_id, permissions=permissions.MEMBER | permissions.MANAGE_GUILD
    )
    await boss.slash("abak server")
    assert len(menus(private(boss))) == len([p for p in SERVER if p.page == "board"])


async def manage(room: Room, key: str, choice: str) -> None:
    assert room.bot is not None
    await room.bot.services.preferences.set_server(room.server.world.guild_id, key, choice)


async def test_a_server_may_have_every_game_in_a_thread(room: Room) -> None:
    await manage(room, "threads", "always")
    message = await room.challenge("apb")
    await room.ben.press("b:take_up:", message)
    assert room.bot is not None
    (seated,) = await room.bot.services.tables.of(room.ana.user_id)
    assert seated.place.channel_id != room.channel_id
    await room.bot.presenter.idle()
    assert len(room.elsewhere(seated.place.channel_id).boards) == 1


@pytest.mark.parametrize(("choice", "boards"), [("strip", 2), ("delete", 1), ("edit", 1)])
async def test_the_previous_board_goes_as_the_server_wants(room: Room, choice: str, boards: int) -> None:
    await manage(room, "old_board", choice)
    seated = await room.begin("abalone")
    await room.tap(seated, (GAMES["abalone"].legal(seated.table.state)[0],))
    after = await room.shown()
    assert len(room.boards) == boards
    assert len(alt(room.board)) == 1
    assert [user_id for user_id, _ in room.calls[-1:]] == [after.awaited]


async def test_the_servers_language_goes_before_discords(room: Room) -> None:
    await manage(room, "language", "es")
    await room.begin("apb")
    assert ES("board.turn", player=room.to_move(await room.shown()).mention) in room.board["content"]


async def test_a_choice_that_does_not_exist_is_refused(room: Room) -> None:
    assert room.bot is not None
    preferences = room.bot.services.preferences
    with pytest.raises(RuleError, match=r"preference\.unknown"):
        await preferences.set_user(1, "colour", "red")
    with pytest.raises(RuleError, match=r"preference\.choice"):
        await preferences.set_user(1, "theme", "red")


async def test_a_button_of_an_earlier_release_is_called_stale(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.begin("apb")
    monkeypatch.delitem(routing.HANDLERS, "more")
    await room.ana.press("b:more:", room.board)
    assert told(room.ana) == EN("table.stale")
