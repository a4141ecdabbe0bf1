"""What can be chosen is marked on the picker's picture, by the letters of its menu or by rings around the stones."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.toy import Heap, Nim
from harness.bot import LETTER, Room, private
from harness.discord import components
from harness.pixels import pixels
from harness.positions import placed
from harness.walks import drafts, walk

from bot.i18n import language
from bot.ui import picker
from bot.ui.draft import Draft, follow
from bot.ui.targets import held, lettered, targets
from engine.core.game import Mark
from engine.registry import GAMES
from render import registry
from render.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.ui.draft import Drafted
    from engine.core.game import Game

EN = language("en")
OPENING: Final = "XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:61:0:0:0:0:10"

RUNS_OFF: Final = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/4PS3/2S6/2SSS4 w c1,c2,d1,e1"
"""White's principal runs off by two ways: letters stand on the cells chosen, not where it is last seen."""


def rings(cells: str) -> dict[str, str]:
    return dict.fromkeys(cells.split(), "")


def at(key: str, position: str, *words: str) -> Drafted:
    """The picker at a position after choosing what begins so."""
    game = GAMES[key]
    state = game.decode(position) if position else game.start(game.settle_options({}))
    drafted = follow(game, state, Draft())
    for word in words:
        draft = next(draft for draft, choice in drafted.offered if choice.word == word)
        drafted = follow(game, state, draft)
    return drafted


@pytest.mark.parametrize(
    ("key", "position", "words", "wanted"),
    [
        ("backgammon", OPENING.format(turn=1), (), rings("24 13 8 6")),
        ("backgammon", OPENING.format(turn=-1), (), rings("1 12 17 19")),
        ("backgammon", "XGID=-b----------------------A-:0:0:1:61:0:0:0:0:10", (), {"23": "A", "18": "B"}),
        ("backgammon", "XGID=-A----A-----------------b-:0:0:1:65:0:0:0:0:10", (), {"1": "A", "off0": "B"}),
        ("backgammon", "XGID=-A----A-----------------b-:0:0:1:61:0:0:0:0:10", (), rings("1 6")),
        ("abak", "ABAKID=16/S/6/ss:GK:0:0:1:31:0:0:0:0:10", (), rings("bar0")),
        ("abak", "ABAKID=16/S/6/ss:G:0:0:1:31:0:0:0:0:10", (), {"22": "A", "24": "B"}),
        ("abalone", "", (), rings("a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c3 c4 c5")),
        ("abalone", "", ("c3",), {"c2": "A", "c6": "B", "d3": "C", "d4": "D", "c4": "E", "c5": "F"}),
        ("abalone", "", ("c3", "c3-c4"), {"d3": "A", "d4": "B"}),
        ("apb", "", (), rings("d2 e2 f2 d3 f3 d4 e4 f4")),
        ("apb", RUNS_OFF, ("e3",), {"d2": "A", "e2": "B", "f2": "C", "d3": "D"}),
        ("apb", "", ("d2",), {"c1": "A", "d1": "B", "e1": "C", "c2": "D", "c3": "E"}),
    ],
)
def test_what_is_marked(key: str, position: str, words: tuple[str, ...], wanted: dict[str, str]) -> None:
    assert dict(targets(at(key, position, *words))) == wanted


@pytest.mark.parametrize(
    ("key", "words", "wanted"),
    [
        ("abalone", (), set()),
        ("abalone", ("c3",), {"c3"}),
        ("abalone", ("c3", "c3-c5"), {"c3", "c4", "c5"}),
        ("apb", ("d2",), {"d2"}),
    ],
)
def test_what_is_chosen_is_marked_where_it_stands(key: str, words: tuple[str, ...], wanted: set[str]) -> None:
    assert {mark.cell for mark in held(at(key, "", *words))} == wanted


class Put(Nim):
    """A game in which stones are put down and none moves: a number is a column and a row, or a cell at once."""

    def __init__(self, *, words: int) -> None:
        self.words = words

    def path(self, state: Heap, action: int) -> tuple[str, ...]:
        return ("c", str(action)) if self.words == 2 else super().path(state, action)

    def marks(self, state: Heap, action: int) -> tuple[Mark, ...]:
        del state
        return (Mark("to", f"c{action}"),)


@pytest.mark.parametrize("words", [1, 2])
def test_where_a_stone_is_put_down_has_a_letter_and_no_stone_is_held(words: int) -> None:
    game, state, lettered_cells = Put(words=words), Heap(21, dice=False), (("c1", "A"), ("c2", "B"), ("c3", "C"))
    drafted = follow(game, state, Draft())
    assert targets(drafted) == lettered_cells
    if words == 2:
        drafted = follow(game, state, Draft(words=(0,)))
        assert targets(drafted) == lettered_cells
    assert held(drafted) == ()


def pickers(game: Game[Any, Any], *, games: int, turns: int) -> Iterator[Drafted]:
    """What the picker shows on a way at random through each turn of so many games at random."""
    for seed in range(games):
        rng = random.Random(seed)
        for state in walk(game, rng, turns=turns):
            yield from drafts(follow(game, state, Draft()), rng)


@pytest.mark.parametrize("key", GAMES)
def test_in_games_at_random_every_letter_is_in_the_menu_and_on_the_board(key: str) -> None:
    game, seen = GAMES[key], {"rings": 0, "letters": 0}
    verbs = picker.Verbs("0123456789", 1)
    for drafted in pickers(game, games=3, turns=60):
        marked = targets(drafted)
        letters = "".join(text for _, text in marked)
        named = [label[0] for label in labels(picker.components(verbs, drafted, EN)) if LETTER.match(label)]
        assert sorted(letters) == named
        assert max((len(text) for _, text in marked), default=0) <= 1  # a cell never has two
        if letters:
            assert all(text for _, text in marked)
            touching = [steps for _, choice in drafted.offered if game.marks(drafted.state, (steps := choice.steps)[0])]
            assert len(named) == len(touching)
        seen["letters" if letters else "rings"] += bool(marked)
    assert max(seen.values()) > 10


@pytest.mark.parametrize("key", ["abalone", "apb"])
@pytest.mark.parametrize("code", ["en", "es"])
def test_in_games_at_random_a_letter_stands_on_a_cell_that_its_label_names(key: str, code: str) -> None:
    game, seen = GAMES[key], 0
    for drafted in pickers(game, games=3, turns=30):
        said = {draft: picker.label(drafted, choice, language(code)) for draft, choice in drafted.offered}
        for draft, (_, cell) in lettered(drafted).items():
            assert cell in re.findall(r"[a-i][0-9]+", said[draft]), said[draft]
            assert len(said[draft]) + 3 <= 80  # with its letter it fits a button whole
            seen += 1
    assert seen > 30


@pytest.mark.parametrize("key", ["abak", "backgammon"])
@pytest.mark.parametrize("code", ["en", "es"])
def test_a_label_names_a_point_to_enter_or_to_retreat_to_but_once(key: str, code: str) -> None:
    game, seen = GAMES[key], 0
    for seed in range(6):
        for state in walk(game, random.Random(seed), turns=60):
            drafted = follow(game, state, Draft())
            for _, choice in drafted.offered:
                notes = game.notes(state, choice.step) if choice.step else ()
                if len(notes) == 1 and notes[0].key.endswith((".enters", ".retreats")):
                    said = re.findall(r"[0-9]+", picker.label(drafted, choice, language(code)))
                    assert len(said) == len(set(said))
                    seen += 1
    assert seen > 10


def labels(view: Any) -> list[str]:
    items = [item for row in view.to_components() for item in row["components"]]
    return [option["label"] for item in items for option in item.get("options", [item])]


async def pictured(room: Room, message: dict[str, Any]) -> bytes:
    [file] = message["attachments"]
    return pixels(room.server.world.attachment(int(file["id"]))[0])


@pytest.mark.parametrize("key", GAMES)
async def test_the_picker_shows_the_players_and_what_can_be_chosen(room: Room, key: str) -> None:
    seated = await room.begin(key)
    who = room.to_move(seated)
    await who.press("b:move:", room.board)
    drafted = follow(seated.table.game, seated.table.state, Draft())
    view = View(below=seated.table.to_act or 0, names=("Ana", "Ben"), targets=targets(drafted))
    assert view.targets
    assert await pictured(room, private(who)) == pixels(registry.fresh(key, drafted.state, view))


async def test_a_stale_picker_shows_the_players_too(room: Room) -> None:
    seated = await room.begin("apb")
    await room.ben.press("b:move:", room.board)
    view = View(below=1, names=("Ana", "Ben"))
    assert await pictured(room, private(room.ben)) == pixels(registry.fresh("apb", seated.table.state, view))


async def test_letters_on_buttons_are_those_on_the_picture(room: Room) -> None:
    seated = await placed(room, "abalone", GAMES["abalone"].encode(at("abalone", "").before))
    await room.ana.press("b:move:", room.board)
    picked = private(room.ana)
    await room.ana.press("c3", picked)
    shown = [x["label"] for x in components(room.ana.fresh(picked)) if x.get("custom_id", "").startswith("b:pick:")]
    assert shown[:6] == [
        "A: c2",
        "B: c4, 3 marbles up to c6",
        "C: d3",
        "D: d4",
        "E: c3\u2013c4 sideways, 2 marbles…",
        "F: c3\u2013c5 sideways, 3 marbles…",
    ]
    drafted = at("abalone", "", "c3")
    view = picker.preview(drafted, 0, (), "wood", ("Ana", "Ben"))
    assert await pictured(room, room.ana.fresh(picked)) == pixels(registry.fresh("abalone", seated.table.state, view))
