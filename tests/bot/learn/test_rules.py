"""The rules by topic, and the way from a refused move to its rule."""

from __future__ import annotations

from typing import Any

import pytest
from harness.bot import SPANISH, Room, private, told, verbs, wired
from harness.discord import alt, text

from bot.core.translations import language
from bot.learn import rules
from engine.core.errors import RuleError
from engine.core.learning import topic_for
from engine.registry import GAMES

EN, ES = language("en"), language("es")


@pytest.mark.parametrize("game", GAMES)
async def test_every_topic_is_shown_with_its_case(room: Room, game: str) -> None:
    await room.ana.slash("abak rules", game=game)
    shown = private(room.ana)
    assert text(shown) == EN(f"{game}.rules")
    for topic in GAMES[game].topics:
        await room.ana.choose(EN(f"{game}.topic.{topic.key}.title"), message=shown)
        now = room.ana.fresh(shown)
        assert EN(f"{game}.topic.{topic.key}") in text(now)
        assert len(alt(now)) == 1


async def test_a_topic_is_found_by_typing_in_the_askers_language(room: Room) -> None:
    room.speak(SPANISH)
    game = "abalone"
    offered = await room.ana.choices("abak rules", "topic", game=game, topic="")
    assert {choice["value"] for choice in offered} == {topic.key for topic in GAMES[game].topics}
    topic = GAMES[game].topics[2]
    await room.ana.slash("abak rules", game=game, topic=topic.key)
    assert ES(f"{game}.topic.{topic.key}") in told(room.ana)


async def test_a_topic_is_found_without_accents_and_by_its_beginning(room: Room) -> None:
    room.speak(SPANISH)
    offered = await room.ana.choices("abak rules", "topic", game="abalone", topic="repeticion")
    assert [choice["value"] for choice in offered] == ["repetition"]
    for typed, key in (("repeticion", "repetition"), ("Expul", "ejection")):
        await room.ana.slash("abak rules", game="abalone", topic=typed)
        assert ES(f"abalone.topic.{key}") in told(room.ana)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_topic_that_was_typed_and_not_chosen_is_found_by_its_title(game: Any) -> None:
    for topic in game.topics:
        assert rules.find_topic(game, topic.key) == topic.key
        for say in (EN, ES):
            title = rules.title(game, topic, say)
            assert {rules.find_topic(game, typed) for typed in (title, title.upper(), f" {title} ")} == {topic.key}
    assert {rules.find_topic(game, typed) for typed in ("", " ", "nonsense")} == {rules.SUMMARY}
    assert [rules.is_known(game, typed) for typed in ("", "En breve", game.topics[0].key, "nonsense")] == [True] * 3 + [
        False
    ]


@pytest.mark.parametrize(
    ("game", "typed", "key"),
    [
        ("abak", "gaurd", "guard"),
        ("abak", "druda", "druid"),
        ("abalone", "sumitos", "sumito"),
        ("apb", "chian", "chain"),
    ],
)
async def test_an_unknown_topic_is_said_to_be_unknown_and_the_nearest_is_offered(
    room: Room, game: str, typed: str, key: str
) -> None:
    await room.ana.slash("abak rules", game=game, topic=typed)
    assert told(room.ana) == EN("rules.unknown_near", text=typed, game=GAMES[game].name)
    await room.ana.press(EN(f"{game}.topic.{key}.title"), private(room.ana))
    assert EN(f"{game}.topic.{key}") in told(room.ana)
    await room.ana.slash("abak rules", game=game, topic="qqqqqqqq")
    assert told(room.ana) == EN("rules.unknown", text="qqqqqqqq", game=GAMES[game].name)


async def test_the_rules_are_read_one_after_the_other(room: Room) -> None:
    await room.ana.slash("abak rules", game="apb")
    shown = private(room.ana)
    for topic in GAMES["apb"].topics:
        await room.ana.press("b:topic:", shown)
        assert EN(f"apb.topic.{topic.key}") in text(room.ana.fresh(shown))
    assert verbs(room.ana.fresh(shown)) == ["topic", "machine"], "the last one is what to aim for: then one plays"


REFUSED = [(key, topic) for key, game in GAMES.items() for topic in game.topics if topic.refused]


@pytest.mark.parametrize(("key", "topic"), REFUSED, ids=[f"{key}-{topic.key}" for key, topic in REFUSED])
def test_a_refused_play_leads_to_its_topic(key: str, topic: Any) -> None:
    game = GAMES[key]
    with pytest.raises(RuleError) as refusal:
        game.parse(game.decode(topic.position), topic.refused)
    assert topic_for(game, refusal.value.key) == topic


async def test_a_refused_move_shows_the_board_and_the_way_to_the_rule(room: Room) -> None:
    await room.begin("abalone")
    await room.ana.slash("abak move play", notation="a1a2")
    shown = private(room.ana)
    assert len(alt(shown)) == 1
    assert verbs(shown) == ["rule"]
    await room.ana.press("b:rule:", shown)
    topic = next(topic for topic in GAMES["abalone"].topics if topic.key == wired(shown)[0]["custom_id"].split(":")[-1])
    assert EN(f"abalone.topic.{topic.key}") in told(room.ana)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("typed", ["hello", "?"])
async def test_what_cannot_be_read_leads_to_how_moves_are_written(
    room: Room, game: str, locale: str, typed: str
) -> None:
    room.speak(locale)
    live = await room.begin(game)
    await room.type(live, typed)
    (button,) = [x for x in wired(private(room.to_move(live))) if x["custom_id"].startswith("b:rule:")]
    assert button["label"] == room.say(f"{game}.topic.notation.title") != room.say("button.rule")
