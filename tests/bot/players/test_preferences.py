"""Every choice there is can be made, is remembered, and no other."""

import asyncio
from collections.abc import Mapping

import pytest
from harness.catalogue import messages, placeholders
from sqlalchemy import insert

from bot.core.cache import Cache
from bot.core.storage.database import Database
from bot.players.preferences import DEFAULTS, MOST, SCOPES, SERVER, USER, read_ids
from bot.players.service import PreferenceService
from bot.players.tables import preferences as rows
from engine.core.clock import SECOND, TimeControl
from engine.core.errors import RuleError
from engine.core.hours import DAY
from render.theme import THEMES

pytestmark = pytest.mark.both_databases

ANN, BOB = 11, 22
CHOICES = [(scope, key, choice) for scope in SCOPES for key, p in SCOPES[scope].items() for choice in p.choices]


async def of(preferences: PreferenceService, scope: str, whose: int) -> Mapping[str, str]:
    return await (preferences.of_user if scope == "user" else preferences.of_server)(whose)


async def put(preferences: PreferenceService, scope: str, whose: int, key: str, value: str) -> None:
    await (preferences.set_user if scope == "user" else preferences.set_server)(whose, key, value)


def test_every_default_is_a_choice_and_every_choice_is_named_once() -> None:
    for preference in (*USER, *SERVER):
        assert preference.offers(preference.default)
        assert bool(preference.choices) != bool(preference.read)
        assert len(set(preference.choices)) == len(preference.choices) != 1
    assert [len(SCOPES["user"]), len(SCOPES["server"])] == [len(USER), len(SERVER)]
    shown = [(scope, key, choice) for scope, key, choice in CHOICES if SCOPES[scope][key].page]
    assert {f"preference.{scope}.{key}.{choice}" for scope, key, choice in shown} <= set(messages("en"))


def test_every_theme_can_be_chosen() -> None:
    for scope in SCOPES.values():
        assert set(scope["theme"].choices) == set(THEMES)


async def test_who_has_chosen_nothing_has_the_defaults(preferences: PreferenceService) -> None:
    assert await preferences.of_user(ANN) == DEFAULTS["user"] == {p.key: p.default for p in USER}
    assert await preferences.of_server(1) == DEFAULTS["server"] == {p.key: p.default for p in SERVER}
    assert await preferences.of_server(None) == DEFAULTS["server"]


async def test_every_choice_is_remembered(preferences: PreferenceService) -> None:
    for scope, key, choice in CHOICES:
        await put(preferences, scope, ANN, key, choice)
        for reader in (preferences, PreferenceService(preferences.store)):  # at once, and after a restart
            assert (await of(reader, scope, ANN))[key] == choice
    assert await preferences.of_user(BOB) == DEFAULTS["user"]


async def test_users_and_servers_of_one_number_are_two(preferences: PreferenceService) -> None:
    await preferences.set_user(7, "language", "es")
    await preferences.set_server(7, "language", "en")
    assert (await preferences.of_user(7))["language"] == "es"
    assert (await preferences.of_server(7))["language"] == "en"


@pytest.mark.parametrize(
    ("scope", "key", "value", "refusal"),
    [
        ("user", "threads", "taken", "preference.unknown"),  # a server's
        ("server", "confirm", "never", "preference.unknown"),  # a user's
        ("user", "", "", "preference.unknown"),
        ("user", "theme", "plaid", "preference.choice"),
        ("server", "old_board", "Strip", "preference.choice"),
    ],
)
async def test_what_there_is_not_cannot_be_chosen(
    preferences: PreferenceService, scope: str, key: str, value: str, refusal: str
) -> None:
    with pytest.raises(RuleError) as error:
        await put(preferences, scope, ANN, key, value)
    assert error.value.key == refusal
    assert set(error.value.params) == placeholders(messages("en")[refusal])
    assert await preferences.store.chosen(scope, ANN) == {}


async def test_a_choice_that_is_no_longer_offered_falls_back(
    preferences: PreferenceService, database: Database
) -> None:
    old = {"theme": "plaid", "sound": "loud", "confirm": "never"}
    async with database.writing() as connection:
        await connection.execute(
            insert(rows), [{"scope": "user", "id": ANN, "key": key, "value": value} for key, value in old.items()]
        )
    assert await preferences.of_user(ANN) == {**DEFAULTS["user"], "confirm": "never"}


async def test_the_database_is_asked_once(preferences: PreferenceService, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    chosen = preferences.store.chosen

    async def count(scope: str, whose: int, within: None) -> dict[str, str]:
        asked.append((scope, whose))
        return await chosen(scope, whose, within)

    monkeypatch.setattr(preferences.store, "chosen", count)
    for _ in range(3):
        await preferences.of_user(ANN)
        await preferences.of_server(1)
    assert asked == [("user", ANN), ("server", 1)]
    await preferences.set_user(ANN, "theme", "slate")
    await preferences.of_user(ANN)
    assert asked == [("user", ANN), ("server", 1), ("user", ANN)]


async def test_what_was_read_while_it_changed_is_not_believed(
    preferences: PreferenceService, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, go_on = asyncio.Event(), asyncio.Event()
    chosen = preferences.store.chosen

    async def slow(scope: str, whose: int, within: None) -> dict[str, str]:
        found = await chosen(scope, whose, within)
        read.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(preferences.store, "chosen", slow)
    reading = asyncio.create_task(preferences.of_user(ANN))
    await read.wait()
    await preferences.set_user(ANN, "theme", "slate")
    go_on.set()
    await reading
    assert (await preferences.of_user(ANN))["theme"] == "slate"


async def test_a_write_of_unknown_fate_is_looked_up(
    preferences: PreferenceService, monkeypatch: pytest.MonkeyPatch
) -> None:
    await preferences.of_user(ANN)
    choose = preferences.store.choose

    async def fall_silent(*given: str) -> None:
        await choose(*given)
        raise ConnectionError("the answer is lost")

    monkeypatch.setattr(preferences.store, "choose", fall_silent)
    with pytest.raises(ConnectionError):
        await preferences.set_user(ANN, "theme", "slate")
    assert (await preferences.of_user(ANN))["theme"] == "slate"


async def test_another_process_knows_after_a_while(preferences: PreferenceService) -> None:
    seconds = [0.0]
    there = PreferenceService(preferences.store, Cache(clock=lambda: seconds[0]))
    assert await there.of_user(ANN) == DEFAULTS["user"]
    await preferences.set_user(ANN, "confirm", "never")
    seconds[0] = 60.0
    assert (await there.of_user(ANN))["confirm"] == "never"


async def test_what_is_read_cannot_be_changed_in_place(preferences: PreferenceService) -> None:
    with pytest.raises(TypeError):
        (await preferences.of_user(ANN))["theme"] = "slate"  # type: ignore[index]


async def test_the_longest_time_control_can_be_chosen(preferences: PreferenceService) -> None:
    parts = {"bank": 89 * DAY, "per_turn": 29 * DAY, "increment": 29 * DAY}
    longest = str(TimeControl(**{part: days + DAY - SECOND for part, days in parts.items()}))
    assert len(longest) > 40
    await preferences.set_server(1, "clock", longest)
    preferences._cache.drop(("server", 1))
    assert (await preferences.of_server(1))["clock"] == longest


async def test_several_roles_are_kept_once_each_and_no_more_than_the_column_holds(
    preferences: PreferenceService,
) -> None:
    longest = [str(10**19 - number) for number in range(1, MOST + 2)]
    await preferences.set_server(1, "machine_roles", ",".join([*longest[:MOST], longest[0]]))
    kept = (await PreferenceService(preferences.store).of_server(1))["machine_roles"]
    assert read_ids(kept) == set(map(int, longest[:MOST]))
    assert len(kept) <= rows.c.value.type.length
    for value, key in ((",".join(longest), "preference.too_many"), ("1,,2", "preference.not_a_channel")):
        with pytest.raises(RuleError) as refusal:
            await preferences.set_server(1, "machine_roles", value)
        assert refusal.value.key == key
