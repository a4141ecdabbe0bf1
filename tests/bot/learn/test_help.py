"""The help: a few lines, with ways on."""

from __future__ import annotations

import pytest
from harness.bot import SPANISH, Room, private, told, verbs
from harness.discord import text

from bot.core.translations import language
from engine.registry import GAMES

EN = language("en")


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_help_is_a_few_lines_with_ways_on(room: Room, locale: str) -> None:
    room.speak(locale)
    say = room.say
    await room.ana.slash("abak help")
    shown = private(room.ana)
    assert len(text(shown).splitlines()) <= 4
    assert verbs(shown) == ["tour", "help_rules", "help_games", "help_settings", "help_all", "machine"]
    await room.ana.choose("apb", menu="m:tour:", message=shown)
    assert say(f"apb.lesson.{GAMES['apb'].lessons[0].key}") in told(room.ana)
    await room.ana.choose("apb", menu="m:help_rules:", message=shown)
    assert told(room.ana) == say("apb.rules")
    await room.ana.press(say("button.machine"), shown)
    assert "machine_play" in verbs(private(room.ana))
    for verb, key in (("games", "games.none"), ("settings", "settings.user"), ("all", "help.commands")):
        await room.ana.press(f"b:help_{verb}:", shown)
        assert say(key) in told(room.ana)
    assert text(room.ana.fresh(shown)) == text(shown)


async def test_a_plain_message_stays_plain(room: Room) -> None:
    """Else another press on it, made at the same time, would be answered with a text that Discord refuses there."""
    await room.ana.slash("abak help")
    shown = private(room.ana)
    forged = {"custom_id": "b:lesson:apb:0:", "type": 2, "id": 1}
    world = room.server.world
    await world.interactions.send(world.user_client._used(room.ana.user_id, shown, forged, {}, "button"))
    assert EN(f"apb.lesson.{GAMES['apb'].lessons[0].key}") in told(room.ana)
    assert private(room.ana)["id"] != shown["id"]
    assert room.ana.fresh(shown)["flags"] == shown["flags"]
