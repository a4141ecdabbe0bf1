"""Tests which levels are offered, and how they are chosen."""

import pytest
from fakes.toy import Nim
from harness.alone import ana_to_move, machine
from harness.bot import Room, private, told, verbs
from harness.discord import menus, text

from bot.core.translations import language
from bot.players.machines import HIGHEST, highest_of, machine_title
from engine.registry import GAMES

EN = language("en")
LEVEL = 3


@pytest.fixture
def fewer_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Abalone and APB have five levels, as a game may have whose machine plays no better."""
    for key in ("abalone", "apb"):
        monkeypatch.setitem(HIGHEST, key, 5)


async def test_every_game_offers_the_levels_of_its_machine(alone: Room) -> None:
    for key in GAMES:
        offered = await alone.ana.choices("abak challenge", "level", level="", game=key)
        assert [one["value"] for one in offered] == [*range(1, highest_of(key) + 1)]


async def test_the_form_offers_the_machine_and_its_levels(alone: Room) -> None:
    await alone.ana.slash("abak challenge")
    form = private(alone.ana)
    await alone.ana.press("b:form_machine:", form)
    form = alone.ana.fresh(form)
    assert machine_title(LEVEL, EN) in text(form)
    assert EN("challenge.no_clock") in text(form)
    assert "form_rated" not in verbs(form)  # the server has not allowed it
    assert len(menus(form)[3]["options"]) == 8
    await alone.ana.choose("5", menu="m:form_level:", message=form)
    await alone.ana.choose("apb,standard", menu="m:form_game:", message=form)
    await alone.ana.press("b:form_post:", alone.ana.fresh(form))
    live = await ana_to_move(alone)
    assert (live.game.key, live.players) == ("apb", (alone.ana.user_id, 5))
    await alone.ana.context(EN("menu.challenge"), machine(alone))
    form = private(alone.ana)
    assert machine_title(LEVEL, EN) in text(form)
    await alone.ana.press("b:form_anyone:", form)
    assert EN("challenge_form.anyone") in text(alone.ana.fresh(form))


async def test_who_chooses_the_bot_among_people_gets_what_is_usual_against_it(alone: Room) -> None:
    await alone.ana.slash("abak challenge")
    form = private(alone.ana)
    await alone.ana.choose(str(alone.server.world.application_id), menu="u:form_opponent:", message=form)
    form = alone.ana.fresh(form)
    assert machine_title(LEVEL, EN) in text(form)
    assert EN("challenge.no_clock") in text(form)
    await alone.ana.press("b:form_post:", form)
    live = await ana_to_move(alone)
    assert live.players == (alone.ana.user_id, LEVEL)


@pytest.mark.usefixtures("fewer_levels")
async def test_a_game_offers_the_levels_that_the_machine_has_in_it(alone: Room) -> None:
    await alone.ana.slash("abak challenge", level=8, game="abalone")
    assert told(alone.ana) == EN("challenge.game_level", game="Abalone", n=5)
    for game, highest in ({"game": "apb"}, 5), ({"game": "abak"}, 8), ({}, 8):
        offered = await alone.ana.choices("abak challenge", "level", level="", **game)
        assert offered == [{"name": machine_title(n, EN), "value": n} for n in range(1, highest + 1)]
    assert [one["value"] for one in await alone.ana.choices("abak challenge", "level", level="4", game="apb")] == [4]


@pytest.mark.usefixtures("fewer_levels")
async def test_the_form_has_the_highest_level_of_the_chosen_game(alone: Room) -> None:
    await alone.ana.slash("abak challenge")
    form = private(alone.ana)
    await alone.ana.press("b:form_machine:", form)
    await alone.ana.choose("8", menu="m:form_level:", message=alone.ana.fresh(form))
    assert machine_title(8, EN) in text(alone.ana.fresh(form))
    await alone.ana.choose("abalone,standard", menu="m:form_game:", message=alone.ana.fresh(form))
    form = alone.ana.fresh(form)
    assert machine_title(5, EN) in text(form)
    assert [one["value"] for one in menus(form)[3]["options"]] == ["1", "2", "3", "4", "5"]


@pytest.mark.usefixtures("fewer_levels")
async def test_a_game_without_the_chosen_level_begins_at_its_highest(
    alone: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("nim", "noughts"):
        monkeypatch.setitem(GAMES, key, Nim())
    await alone.ana.slash("abak games")
    await alone.ana.press(EN("button.machine"), private(alone.ana))
    offer = private(alone.ana)
    await alone.ana.choose("8", menu="m:machine_level:", message=offer)
    offer = alone.ana.fresh(offer)
    rows = [[one.get("label") for one in row["components"]] for row in offer["components"]]
    names = [
        EN("button.machine_play_level", game=game.name, n=5) if highest_of(key) == 5 else game.name
        for key, game in GAMES.items()
    ]
    assert {"Backgammon", "Abalone (level 5)", "APB (level 5)", "Nim (level 5)"} < {*names}
    assert rows == [
        names[:5],
        names[5:],
        [None],  # the menu of levels
        [EN("button.machine_options")],
    ]
    await alone.ana.press("Abalone (level 5)", offer)
    assert (await ana_to_move(alone)).players == (alone.ana.user_id, 5)
