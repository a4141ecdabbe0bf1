"""Whole games at random: every message of a position is one that Discord takes, and every button leads on."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from harness.thinning import one_of
from harness.walks import LUCKLESS, drafts, walk

from bot.actions import cube_actions as cube
from bot.app import FEATURES
from bot.board import message as board
from bot.board.buttons import board_buttons
from bot.board.cube_actions import cube_actions, needs_confirmation
from bot.conditional import picker as conditional_picker
from bot.conditional import views as conditional_views
from bot.conditional.logic.move import ConditionalMove
from bot.conditional.service import LIMIT, RESIGN, Tree
from bot.core.interactions import components
from bot.core.interactions.components import view_of
from bot.core.translations import CODES, Language, language
from bot.games.live import LiveGame
from bot.games.stored import Place
from bot.moves import labels as picker_labels
from bot.moves import picker
from bot.moves.draft import Draft, follow
from bot.players.service import PlayerNames
from bot.sandbox.validation.validator import check_message
from engine.core.record import Header, Record
from engine.core.table import Table
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    import discord

    from engine.core.game import Game

VERBS = {verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb}

WALKS = {"abak": 1, "backgammon": 1, "abalone": 1}
"""Games at random for each; of the others, which are short, USUALLY, and more until there are ENOUGH messages."""
USUALLY, ENOUGH = 4, 300
TREES_EVERY = 40
"""A full tree of conditional moves is looked through at one position in so many."""
LATEST = 2**31
"""The id of the first conditional move: as long as ids will ever be."""
ID, BIG = "0123456789", 2**63 - 1


def seated_at(game: Game[Any, Any], state: Any) -> LiveGame:
    """Returns a game at a position, with numbers as long as they can be."""
    record = Record(Header(game.key, game.version, ID, 0, commitment="f" * 64))
    return LiveGame(ID, Table(game, record, state), (BIG, BIG - 1), Place(BIG, BIG), "en", 0, None, "f" * 64, "")


@dataclass
class Checked:
    """An answer that checks what it would send. It draws nothing: no picture has a menu."""

    say: Language
    user_id: int = BIG
    theme: str = "wood"
    shown: list[str] = field(default_factory=list)
    """The custom_ids of the last message."""
    verbs: set[str] = field(default_factory=set)
    count: int = 0
    prefs = {"below": "own"}  # noqa: RUF012  # nobody writes it

    async def private(self, content: str, *, view: discord.ui.View) -> None:
        self.check(content, view)

    def service(self, kind: type) -> Any:
        """Names as long as they may be; the rest is not asked for."""
        assert kind is PlayerNames
        return self

    async def names(self, players: tuple[int, int], say: Language | None = None) -> dict[int, str]:
        del say
        return dict(zip(players, ("A" * 32, "B" * 32), strict=True))

    def check(self, content: str, view: discord.ui.View) -> None:
        """Checks a message by the project's rules and by Discord's own document."""
        rows = view.to_components()
        assert check_message({"content": content, "components": rows}) == []
        self.shown = [component["custom_id"] for row in rows for component in row["components"]]
        for row in rows:
            for component in row["components"]:
                kind, verb, *_ = component["custom_id"].split(":")
                assert kind == ("m" if "options" in component else "b")
                assert verb in VERBS
                self.verbs.add(verb)
        self.count += 1


@pytest.fixture
def checked_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The panel of conditional moves is checked instead of drawn."""

    async def show_position(
        answer: Checked, spot: Any, content: str, view: Any, buttons: discord.ui.View, **_: Any
    ) -> None:
        del spot, view
        answer.check(content, buttons)

    for module in (conditional_views, conditional_picker):
        monkeypatch.setattr(module, "show_position", show_position)


@pytest.fixture
def uncut(monkeypatch: pytest.MonkeyPatch) -> None:
    """No label may be so long that it is cut."""

    def whole(text: str, most: int) -> str:
        assert len(text) <= most, text
        return text

    monkeypatch.setattr(components, "cut", whole)


@pytest.mark.usefixtures("uncut")
@one_of("code", CODES)
@pytest.mark.parametrize("key", GAMES)
async def test_every_message_of_a_whole_game_is_one_that_discord_takes(key: str, code: str) -> None:
    game, say = GAMES[key], language(code)
    verbs, answer, said = picker.Verbs(ID, 9999), Checked(say), set()
    for seed in range(1000):
        if seed >= WALKS.get(key, USUALLY) and answer.count > ENOUGH:
            break
        rng = random.Random(seed)
        for state in walk(game, rng):
            live = seated_at(game, state)
            lines = [board.heading(live, say), board.status(live, say)]
            answer.check("\n".join(lines), view_of(*board_buttons(live, say)))
            for word, step in cube_actions(game, state).items():
                said.add(word)
                if needs_confirmation(game, state, (step,)):
                    await cube.ask(answer, live, word, step)
            for drafted in drafts(follow(game, state, Draft()), rng):
                answer.check(picker_labels.prompt(drafted, say), picker.components(verbs, drafted, say, 0))
            played = follow(game, state, Draft.of(game, state, game.parse(state, drafted.text)))
            assert played.complete
            assert played.state == drafted.state  # what is confirmed is what was previewed
    assert answer.count > ENOUGH
    assert said - {"beaver"} == (set() if key in LUCKLESS else {"roll", "double", "take", "pass"})
    assert answer.verbs >= {"move", "pick", "confirm", "cancel_pick", "more"}


@pytest.mark.usefixtures("checked_panels")
@one_of("code", CODES)
@pytest.mark.parametrize("key", LUCKLESS)
async def test_every_panel_of_conditional_moves_of_a_whole_game_is_one_that_discord_takes(key: str, code: str) -> None:
    game, answer, number = GAMES[key], Checked(language(code)), 0
    for seed in range(WALKS.get(key, USUALLY)):
        rng = random.Random(seed)
        for state in walk(game, rng):
            live = seated_at(game, state)
            alone = Tree(game, state, 1 - (game.to_act(state) or 0), ())
            await look_through(answer, conditional_views.Spot(live, alone), rng)
            if number % TREES_EVERY == 0:
                tree = full(game, state, rng)
                for spot in (conditional_views.Spot(live, tree, move) for move in (None, *tree.moves)):
                    await look_through(answer, spot, rng)
            number += 1
    assert answer.count > ENOUGH
    wanted = {
        "conditional_at",
        "conditional_if",
        "conditional_reply",
        "conditional_resign",
        "conditional_delete",
        "conditional_clear",
        "conditional_done",
    }
    assert answer.verbs == wanted


async def look_through(answer: Any, spot: conditional_views.Spot, rng: random.Random) -> None:
    """Opens the panel there with all its pages, the question before giving up, and a way through its picker."""
    for page in range(2):
        await conditional_views.show(answer, spot, page=page, notice=answer.say("conditional.moved_on"))
    if spot.needs_reply:
        for again in (False, True):
            await conditional_picker.ask_to_resign(answer, spot, again=again, fresh=False)
    if not spot.over:
        for drafted in drafts(follow(spot.tree.game, spot.state, Draft()), rng):
            await conditional_picker.pick(answer, spot, drafted)


def full(game: Game[Any, Any], state: Any, rng: random.Random) -> Tree:
    """Returns a tree of as many conditional moves as allowed: wide and deep, some without a reply, some that resign."""
    seat, found, after = 1 - (game.to_act(state) or 0), [], {None: state}
    for number, (parent_id, condition, asked) in enumerate(cases(game, after, rng)):
        if game.to_act(asked) is not None:
            *_, reply = drafts(follow(game, asked, Draft()), rng)
            said = rng.choice([reply.text] * 6 + [RESIGN, None])
            found.append(
                ConditionalMove(LATEST + number, seat, parent_id, condition, said, persistent=False, created=0)
            )
            if said == reply.text and game.to_act(reply.state) is not None:
                after[LATEST + number] = reply.state
        if len(found) == LIMIT:
            break
    return Tree(game, state, seat, tuple(found))


def cases(game: Game[Any, Any], after: dict[int | None, Any], rng: random.Random) -> Iterator[tuple[Any, str, Any]]:
    """Turns of the other side at the places there are by then: the place, the turn, the position after it."""
    for _ in range(10 * LIMIT):
        place = rng.choice([None, *after])
        *_, drafted = drafts(follow(game, after[place], Draft()), rng)
        yield place, drafted.text, drafted.state
