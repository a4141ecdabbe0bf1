"""Rules by topic, the way from a refusal to its rule, and the guided tours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.bot import SPANISH, Room, choose_words, private, told, verbs, wired, worded_path
from harness.discord import alt, components, menus, text

from bot.board import pictures
from bot.board.effects import effects, loses
from bot.core.translations import language
from bot.learn import rules, tour
from bot.moves.draft import Draft
from bot.moves.layout import fits
from engine.core.errors import RuleError
from engine.core.learning import solves, topic_for
from engine.games.abak.board import CLASSES
from engine.registry import GAMES
from render import registry
from render.canvas.legend import ABOUT, NAME, ROOM
from render.canvas.text import BOLD, width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.moves.draft import Drafted
    from render.view import View

EN, ES = language("en"), language("es")
MOST_ROWS = 3
"""The most lines of buttons that leave a phone of 390 by 760 pixels room for the board and the task."""


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


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_first_lesson_of_abak_ends_with_what_its_signs_mean_and_so_do_the_rules_in_short(
    room: Room, locale: str
) -> None:
    room.speak(locale)
    await room.ana.slash("abak learn", game="abak")
    legend = room.say("abak.legend")
    await do_lesson(room, "abak", 0)
    assert legend in told(room.ana)
    for letter in CLASSES:
        name = room.say(f"abak.word.bar:{letter}").partition("(")[2].rstrip(")")
        assert f"{name} ({letter})" in legend
        assert re.search(rf"\*\*{name}\*\* \({letter}, ", room.say("abak.rules"), re.IGNORECASE)
    await room.ana.press(room.say("button.next_lesson"), private(room.ana))
    assert legend not in told(room.ana)
    await do_lesson(room, "abak", 1)
    assert legend not in told(room.ana)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_legend_of_abak_is_one_tap_from_its_board(room: Room, locale: str) -> None:
    room.speak(locale)
    await room.begin("abak")
    await room.ana.press(room.say("abak.legend.title"), room.board)
    shown = private(room.ana)
    assert room.say("abak.legend.title") in text(shown)
    assert alt(shown)[0].splitlines() == [room.say(f"abak.legend.{key}") for key in (*CLASSES, "prisoner")]


@pytest.mark.parametrize("game", ["abalone", "apb", "backgammon"])
async def test_pieces_without_signs_have_no_legend(room: Room, game: str) -> None:
    await room.begin(game)
    assert "legend" not in verbs(room.board)


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_line_of_a_legend_is_cut(code: str) -> None:
    for key in registry.legend_keys("abak"):
        name, colon, about = language(code)(f"abak.legend.{key}").partition(": ")
        assert colon
        assert width(name, NAME, BOLD) <= ROOM
        assert width(about, ABOUT) <= ROOM


@pytest.mark.parametrize("game", ["abalone", "apb", "backgammon"])
async def test_the_first_board_of_other_games_needs_no_legend(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    assert EN("abak.legend") not in told(room.ana)


async def test_a_topic_is_found_by_typing_in_the_askers_language(room: Room) -> None:
    room.speak(SPANISH)
    game = "abalone"
    offered = await room.ana.choices("abak rules", "topic", game=game, topic="")
    assert {choice["value"] for choice in offered} == {topic.key for topic in GAMES[game].topics}
    topic = GAMES[game].topics[2]
    await room.ana.slash("abak rules", game=game, topic=topic.key)
    assert ES(f"{game}.topic.{topic.key}") in told(room.ana)


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


async def test_a_topic_is_found_without_accents_and_by_its_beginning(room: Room) -> None:
    room.speak(SPANISH)
    offered = await room.ana.choices("abak rules", "topic", game="abalone", topic="repeticion")
    assert [choice["value"] for choice in offered] == ["repetition"]
    for typed, key in (("repeticion", "repetition"), ("Expul", "ejection")):
        await room.ana.slash("abak rules", game="abalone", topic=typed)
        assert ES(f"abalone.topic.{key}") in told(room.ana)


@pytest.mark.parametrize("verb", ["lesson", "lesson_pick", "lesson_hint"])
async def test_a_lesson_of_an_earlier_release_leads_to_the_tour_of_now(
    room: Room, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await room.ana.slash("abak learn", game="apb")
    tour, game = private(room.ana), GAMES["apb"]
    if verb == "lesson":
        await do_lesson(room, "apb", 0)
    monkeypatch.setattr(type(game), "lessons", game.lessons[: 1 if verb == "lesson" else 0])
    await room.ana.press(f"b:{verb}:", tour)
    assert told(room.ana) == EN("learn.gone")


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


async def do_lesson(room: Room, game: str, number: int) -> None:
    """Makes the first turn that the lesson names, by the picker of the tour, until that is what was asked for."""
    played, lesson, who = GAMES[game], GAMES[game].lessons[number], room.ana
    state, tour = played.decode(lesson.position), private(who)
    for step in played.parse(state, lesson.turns[0]):
        words = worded_path(played, state, step, room.say)
        while words:
            words = words[await choose_words(who, who.fresh(tour), words, of=("lesson_pick",)) :]
        state = played.apply(state, step)
        if room.say(f"{game}.lesson.{lesson.key}.done") in told(who):
            return


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("game", GAMES)
async def test_a_tour_is_taken_from_its_first_lesson_to_its_last(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    say, lessons = room.say, GAMES[game].lessons
    await room.ana.slash("abak learn", game=game)
    tour = private(room.ana)
    for number, lesson in enumerate(lessons):
        assert say(f"{game}.lesson.{lesson.key}") in told(room.ana)
        await do_lesson(room, game, number)
        assert say(f"{game}.lesson.{lesson.key}.done") in told(room.ana)
        assert len(alt(private(room.ana))) == 1
        if number + 1 < len(lessons):
            await room.ana.press("b:lesson:", tour)
    assert say("learn.complete") in told(room.ana)
    assert tour["id"] == private(room.ana)["id"], "the tour goes on in one message"
    assert room.ben.messages == []
    assert menus(room.ana.fresh(tour)) == [], "the board stays in view"
    others = [key for key in GAMES if key != game]
    await room.ana.press(say("button.another_tour"), tour)
    await room.ana.choose(others[0], menu="m:tour:", message=private(room.ana))
    assert say(f"{others[0]}.lesson.{GAMES[others[0]].lessons[0].key}") in told(room.ana)
    await room.ana.press(say(f"{game}.topic.plan.title"), tour)
    assert say(f"{game}.topic.plan") in told(room.ana)
    assert "machine" in verbs(private(room.ana))
    await room.ana.press(say("button.machine"), tour)
    assert "machine_play" in verbs(private(room.ana))
    await room.ana.press("b:challenge_all:", tour)
    said = say("challenge.open", challenger=room.ana.mention, game=GAMES[game].name, layout="")
    assert said in text(room.ben.messages[-1])
    await room.ben.press("b:accept_challenge:", room.ben.messages[-1])
    assert (await room.shown()).table.game.key == game
    await room.ana.slash("abak learn", game=game)
    assert say(f"{game}.lesson.{lessons[0].key}") in told(room.ana)


@pytest.mark.parametrize("game", ["backgammon"])
async def test_a_tour_is_taken_lesson_by_lesson_and_resumed(room: Room, game: str) -> None:
    lessons = GAMES[game].lessons
    await room.ana.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[0].key}") in told(room.ana)
    await do_lesson(room, game, 0)
    assert EN(f"{game}.lesson.{lessons[0].key}.done") in told(room.ana)
    assert EN("learn.stop") in told(room.ana)
    await room.ana.press(EN("button.next_lesson"), private(room.ana))
    assert EN(f"{game}.lesson.{lessons[1].key}") in told(room.ana)
    await room.ana.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[1].key}") in told(room.ana)
    await room.ben.slash("abak learn", game=game)
    assert EN(f"{game}.lesson.{lessons[0].key}") in told(room.ben)


async def test_without_a_game_the_command_asks_which_one(room: Room) -> None:
    await room.ana.slash("abak learn")
    assert told(room.ana) == EN("learn.which")
    await room.ana.choose("abalone", menu="m:tour:", message=private(room.ana))
    assert EN(f"abalone.lesson.{GAMES['abalone'].lessons[0].key}") in told(room.ana)


@pytest.mark.parametrize("game", GAMES)
async def test_a_hint_stays_with_what_was_chosen_until_the_lesson_is_done(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    lesson, tour = GAMES[game].lessons[0], private(room.ana)
    state = GAMES[game].decode(lesson.position)
    [first, *_] = GAMES[game].parse(state, lesson.turns[0])
    hint, done = (EN(f"{game}.lesson.{lesson.key}.{which}") for which in ("hint", "done"))
    words = worded_path(GAMES[game], state, first, EN)
    taken = await choose_words(room.ana, tour, words, of=("lesson_pick",))
    if done not in told(room.ana):
        await room.ana.press(EN("button.hint"), tour)
        assert hint in told(room.ana)
        assert "b:lesson_hint:" not in str(list(components(room.ana.fresh(tour))))
        assert EN("button.undo") in str(list(components(room.ana.fresh(tour)))), "what was chosen is kept"
        if words[taken:]:
            await choose_words(room.ana, room.ana.fresh(tour), words[taken:], of=("lesson_hinted",))
        assert (hint in told(room.ana)) != (done in told(room.ana))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
@pytest.mark.parametrize(("key", "told_key"), [("abalone", "learn.not_yet"), ("apb", "learn.you_lose")])
async def test_a_wrong_answer_leaves_the_task_in_view(room: Room, locale: str, key: str, told_key: str) -> None:
    room.speak(locale)
    game = GAMES[key]
    lesson, state = game.lessons[0], game.decode(game.lessons[0].position)
    await room.ana.slash("abak learn", game=key)
    shown = private(room.ana)
    wrong = next(
        step
        for step in game.legal(state)
        if not solves(game, lesson, (step,))
        and loses(game, state, game.apply(state, step)) == (told_key == "learn.you_lose")
    )
    words = worded_path(game, state, wrong, room.say)
    while words:
        words = words[await choose_words(room.ana, room.ana.fresh(shown), words, of=("lesson_pick",)) :]
    assert room.say(told_key, move=game.format(state, (wrong,))) in told(room.ana)
    done = effects(game.notes(state, wrong), room.say)
    assert not done or f"→ {'; '.join(done)}" in told(room.ana), "it says why"
    assert done or told_key != "learn.you_lose"
    assert room.say(f"{key}.lesson.{lesson.key}") in told(room.ana)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_lesson_leaves_a_choice_on_its_board(game: Any) -> None:
    """With a single legal play, the picker offers one button, and there is nothing to find or to undo. Where a rule
    leaves no choice, the tempting play that it forbids is the lesson.
    """
    for lesson in game.lessons:
        state = game.decode(lesson.position)
        forced = len(game.legal(state)) == 1
        assert not forced or lesson.refused, lesson.key


@pytest.mark.parametrize("game", GAMES)
async def test_the_choices_of_a_lesson_do_not_give_away_what_they_do(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    shown = [x for x in components(private(room.ana)) if ":lesson_pick:" in x.get("custom_id", "")]
    assert shown
    assert all("," not in x["label"] and x["style"] == 2 for x in shown)


async def test_a_lesson_asks_where_a_chosen_piece_goes(room: Room) -> None:
    await room.ana.slash("abak learn", game="apb")
    assert EN("picker.where", piece="e3") not in told(room.ana)
    await room.ana.press("e3", private(room.ana))
    assert EN("picker.where", piece="e3") in told(room.ana)


def test_a_lesson_names_the_cell_where_a_piece_ends_only_once_it_is_chosen() -> None:
    """Else one of the pieces to choose from would stand out, and give away what it does."""
    game = GAMES["apb"]
    lesson = next(each for each in game.lessons if each.key == "room")
    state = game.decode(lesson.position)
    first = tour.drafted_in(game, lesson, Draft.of(game, state, game.parse(state, lesson.turns[0])[:1]))
    labels = [str(button.label) for button in tour.buttons(game, 0, first, EN, hinted=False).children]
    assert "e3 → e4" in labels


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_shows_its_picture_then_the_task_then_the_choices(room: Room, game: str) -> None:
    await room.ana.slash("abak learn", game=game)
    shown = private(room.ana)
    picture, task, *choices = shown["components"]
    assert [picture["type"], task["type"], {row["type"] for row in choices}] == [12, 10, {1}]
    assert picture["items"][0]["description"] == alt(shown)[0]
    assert len(choices) <= tour.LINES + 1


def drafts_of(game: Any, lesson: Any) -> Iterator[Drafted]:
    """Yields what a learner may see of a lesson: after each step of each turn that it names, the choices of a piece,
    and where each one may go.
    """
    state = game.decode(lesson.position)
    for turn in lesson.turns:
        steps = game.parse(state, turn)
        for count in range(len(steps)):
            pieces = tour.drafted_in(game, lesson, Draft.of(game, state, steps[:count]))
            yield pieces
            yield from (tour.drafted_in(game, lesson, draft) for draft, choice in pieces.offered if choice.step is None)


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_buttons_of_every_lesson_leave_a_phone_room_for_its_board(game: Any, code: str) -> None:
    for number, lesson in enumerate(game.lessons):
        for drafted in drafts_of(game, lesson):
            for hinted in (False, True):
                rows = tour.buttons(game, number, drafted, language(code), hinted=hinted).to_components()
                labels = [[one.get("label", "") for one in row["components"]] for row in rows]
                assert len(rows) <= MOST_ROWS, (lesson.key, labels)
                assert all(map(fits, labels)), (lesson.key, labels)


@pytest.mark.parametrize("code", ["en", "es"])
def test_no_lesson_of_abak_hides_a_piece_in_a_menu(code: str) -> None:
    game = GAMES["abak"]
    for number, lesson in enumerate(game.lessons):
        for drafted in drafts_of(game, lesson):
            rows = tour.buttons(game, number, drafted, language(code), hinted=False).to_components()
            kinds = {one["type"] for row in rows for one in row["components"]}
            assert discord.ComponentType.select.value not in kinds, lesson.key


async def test_the_tour_of_a_game_that_presupposes_another_offers_that_one_first(room: Room) -> None:
    for key, game in GAMES.items():
        await room.ana.slash("abak learn", game=key)
        shown = private(room.ana)
        if not game.builds_on:
            assert verbs(shown).count("lesson") == 0
            continue
        await room.ana.press("b:lesson:", shown)
        basis = GAMES[game.builds_on]
        assert EN(f"{basis.key}.lesson.{basis.lessons[0].key}") in text(room.ana.fresh(shown))


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("game", GAMES)
def test_a_tour_begins_with_the_aim_and_the_rules_in_short_with_how_the_game_is_won(game: str, code: str) -> None:
    say = language(code)
    aim, won = {"en": ("**Aim:**", "**You win**"), "es": ("**Objetivo:**", "**Ganas**")}[code]
    assert say(f"{game}.lesson.{GAMES[game].lessons[0].key}").startswith(aim)
    assert say(f"{game}.topic.{GAMES[game].topics[0].key}").count(aim) == 1
    assert say(f"{game}.rules").splitlines()[1].startswith(won)


async def test_a_lesson_that_is_done_offers_no_more_pieces(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[View] = []
    paint = pictures.of_state

    async def recording(game: Any, state: Any, view: View, *rest: Any) -> discord.File:
        shown.append(view)
        return await paint(game, state, view, *rest)

    monkeypatch.setattr(pictures, "of_state", recording)
    await room.ana.slash("abak learn", game="apb")
    lessons = GAMES["apb"].lessons
    for number, lesson in enumerate(lessons):
        await do_lesson(room, "apb", number)
        if lesson.key == "strike":
            break
        await room.ana.press("b:lesson:", private(room.ana))
    assert EN("apb.lesson.strike.done") in told(room.ana)  # the turn could go on
    assert [bool(view.targets) for view in (shown[0], shown[-1])] == [True, False]
    assert shown[-1].chosen


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
