"""The picker's picture marks every choice, by the signs of its menu or by rings around the stones."""

from __future__ import annotations

import random
import re
from itertools import count, islice
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.toy import Heap, Nim
from harness.bot import LETTER, Room, private
from harness.discord import components
from harness.pixels import pixels
from harness.positions import placed
from harness.thinning import one_of
from harness.walks import LONG, drafts, walk

from bot.board import pictures
from bot.core.translations import language
from bot.games.notation import to_notation
from bot.moves import labels as picker_labels
from bot.moves import picker
from bot.moves.draft import Draft, follow
from bot.moves.targets import DOT, chosen_stones, rows_of, signs_by_draft, targets
from engine.core.game import Mark
from engine.core.search import menu
from engine.registry import GAMES
from render import registry
from render.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.moves.draft import Drafted
    from engine.core.game import Game

EN = language("en")
OPENING: Final = "XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:61:0:0:0:0:10"

RUNS_OFF: Final = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/4PS3/2S6/2SSS4 w c1,c2,d1,e1"
"""White's principal runs off by two ways: signs stand on the cells chosen, not where it is last seen."""


def rings(cells: str) -> dict[str, str]:
    return dict.fromkeys(cells.split(), "")


def dots(cells: str) -> dict[str, str]:
    return dict.fromkeys(cells.split(), DOT)


def at(key: str, position: str, *words: str) -> Drafted:
    """Returns the picker at a position after these choices."""
    game = GAMES[key]
    state = game.decode(position) if position else game.start(game.settle_options({}))
    drafted = follow(game, state, Draft())
    for word in words:
        words_there = [choice.word for choice in menu(game, state, drafted.words)]
        drafted = follow(game, state, Draft(words=(*drafted.draft.words, words_there.index(word))))
    return drafted


@pytest.mark.parametrize(
    ("key", "position", "words", "wanted"),
    [
        ("backgammon", OPENING.format(turn=1), (), rings("24 13 8 6")),
        ("backgammon", OPENING.format(turn=-1), (), rings("1 12 17 19")),
        ("backgammon", "XGID=-b----------------------A-:0:0:1:61:0:0:0:0:10", (), dots("18 23")),
        ("backgammon", "XGID=-A----A-----------------b-:0:0:1:65:0:0:0:0:10", (), dots("off0 1")),
        ("backgammon", "XGID=-A----A-----------------b-:0:0:1:61:0:0:0:0:10", (), rings("1 6")),
        ("abak", "ABAKID=16/S/6/ss:GK:0:0:1:31:0:0:0:0:10", (), rings("bar0")),
        ("abak", "ABAKID=16/S/6/ss:G:0:0:1:31:0:0:0:0:10", (), dots("22 24")),
        ("abalone", "", (), rings("a1 a2 a3 a4 a5 b1 b2 b3 b4 b5 b6 c3 c4 c5")),
        ("abalone", "", ("c3",), dots("d3 d4 c2 c4 c5") | {"c6": "1"}),
        ("abalone", "", ("c3", "c3-c4"), dots("d3 d4")),
        ("apb", "", (), rings("d2 e2 f2 d3 f3 d4 e4 f4")),
        ("apb", RUNS_OFF, ("e3",), dots("d3 d2 e2 f2")),
    ],
)
def test_what_is_marked(key: str, position: str, words: tuple[str, ...], wanted: dict[str, str]) -> None:
    assert dict(targets(at(key, position, *words), 0)) == wanted


@pytest.mark.parametrize(
    ("key", "position", "words", "wanted"),
    [
        ("abalone", "", (), set()),
        ("abalone", "", ("c3",), {"c3"}),
        ("abalone", "", ("c3", "c3-c5"), {"c3", "c4", "c5"}),
        ("backgammon", "XGID=-b----------------------A-:0:0:1:61:0:0:0:0:10", (), {"24"}),
        ("abak", "ABAKID=16/S/6/ss:G:0:0:1:31:0:0:0:0:10", (), {"bar0"}),
        ("abak", "ABAKID=16/S/6/ss:GK:0:0:1:31:0:0:0:0:10", (), set()),
    ],
)
def test_what_is_chosen_is_marked_where_it_stands_the_only_stone_without_being_asked_for(
    key: str, position: str, words: tuple[str, ...], wanted: set[str]
) -> None:
    assert {mark.cell for mark in chosen_stones(at(key, position, *words))} == wanted


class Put(Nim):
    """A game in which stones are put down and none moves: a number is a column and a row, or a cell at once."""

    key = "apb"  # of that board

    def __init__(self, *, words: int) -> None:
        self.words = words

    def path(self, state: Heap, action: int) -> tuple[str, ...]:
        return ("c", str(action)) if self.words == 2 else super().path(state, action)

    def marks(self, state: Heap, action: int) -> tuple[Mark, ...]:
        del state
        return (Mark("to", f"c{action}"),)


@pytest.mark.parametrize("words", [1, 2])
def test_where_a_stone_is_put_down_has_a_sign_and_no_stone_is_held(words: int) -> None:
    game, state, signed = Put(words=words), Heap(21, dice=False), (("c3", "1"), ("c2", "2"), ("c1", "3"))
    drafted = follow(game, state, Draft())
    if words == 2:
        drafted = follow(game, state, Draft(words=(0,)))
    assert targets(drafted, 0) == signed
    assert chosen_stones(drafted) == ()


def pickers(game: Game[Any, Any], *, turns: int) -> Iterator[Drafted]:
    """Yields the states of the picker along a random way through each turn of random games.

    It ends after so many turns that took more than one choice, or ten times as many in all.
    """
    rngs = map(random.Random, count())
    states = ((state, rng) for rng in rngs for state in walk(game, rng, turns=LONG))
    for state, rng in islice(states, 10 * turns):
        shown = [*drafts(follow(game, state, Draft()), rng)]
        yield from shown
        turns -= len(shown) > 2
        if not turns:
            return


@pytest.mark.parametrize("key", GAMES)
def test_in_games_at_random_every_sign_is_in_the_menu_and_on_the_board(key: str) -> None:
    game, seen = GAMES[key], {"rings": 0, "signs": 0}
    verbs = picker.Verbs("0123456789", 1)
    for number, drafted in enumerate(pickers(game, turns=180)):
        below = number % 2
        marked = targets(drafted, below)
        signs = [text for _, text in marked if text not in {"", DOT}]
        lettered_board = any(re.fullmatch("[a-z][0-9]+", cell) for cell, text in marked if text)
        drawn = [cell for cell, text in marked if text]
        said = labels(picker.components(verbs, drafted, EN, below))
        named = [label.partition(":")[0] for label in said if LETTER.match(label)]
        assert sorted(signs) == sorted(named)
        assert all(sign.isdigit() == lettered_board for sign in signs)
        assert len({*signs}) == len(signs)
        assert len({*drawn}) == len(drawn)  # a cell never has two
        assert all(len(text) <= len("20") for _, text in marked)
        if drawn:
            assert all(text for _, text in marked)
            touching = [steps for _, choice in drafted.offered if game.marks(drafted.state, (steps := choice.steps)[0])]
            assert len(drawn) == len(touching)
        seen["signs" if drawn else "rings"] += bool(marked)
    assert max(seen.values()) > 10


@one_of("below", [0, 1])
@pytest.mark.parametrize("key", GAMES)
def test_choices_follow_the_board_as_it_is_seen(key: str, below: int) -> None:
    game, seen = GAMES[key], 0
    for drafted in pickers(game, turns=60):
        placed = rows_of(drafted, below)
        assert sorted(map(str, (draft for row in placed for draft, _ in row))) == sorted(
            str(draft) for draft, _ in drafted.offered
        )
        cells = [cell for cell, text in targets(drafted, below) if text]
        spots = [registry.spot(key, cell, below) for cell in cells]
        order = [(round(down), round(across)) for across, down in spots]
        assert order == sorted(order)
        seen += len(order) > 1
    assert seen > 2


@pytest.mark.parametrize(
    ("below", "wanted"),
    [
        (0, ["c3 c4 c5", "b1 b2 b3", "b4 b5 b6", "a1 a2 a3 a4 a5"]),
        (1, ["a5 a4 a3 a2 a1", "b6 b5 b4", "b3 b2 b1", "c5 c4 c3"]),
    ],
)
def test_rows_of_buttons_are_the_rows_of_the_board(below: int, wanted: list[str]) -> None:
    shown = picker.components(picker.Verbs("0123456789", 1), at("abalone", ""), EN, below).to_components()
    assert [" ".join(x["label"] for x in row["components"]) for row in shown[:-1]] == wanted


@pytest.mark.parametrize("key", GAMES)
@one_of("code", ["en", "es"])
def test_in_games_at_random_a_label_names_its_cell_or_has_a_sign_for_it(key: str, code: str) -> None:
    game, say, seen = GAMES[key], language(code), 0
    for drafted in pickers(game, turns=90):
        actor = game.to_act(drafted.before)
        said = {draft: picker_labels.label(drafted, choice, say) for draft, choice in drafted.offered}
        for draft, (sign, cell) in signs_by_draft(drafted, actor).items():
            if sign == DOT:
                assert cell in game.cells_in(actor, to_notation(key, said[draft])), said[draft]
            assert len(f"{sign}: {said[draft]}") <= 80 + len(f"{DOT}: ")  # it fits a button whole
            seen += 1
    assert seen > 30


def test_letters_stand_where_the_board_is_numbered_from_the_other_side() -> None:
    drafted = at("backgammon", "XGID=-b----------------------A-:0:0:1:61:0:0:0:0:10")
    assert dict(targets(drafted, 0)) == dots("18 23")
    assert dict(targets(drafted, 1)) == {"18": "B", "23": "A"} or dict(targets(drafted, 1)) == {"18": "A", "23": "B"}
    assert [label[:3] for label in labels(picker.components(picker.Verbs("0123456789", 1), drafted, EN, 1))[:2]] == [
        "A: ",
        "B: ",
    ]


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
                    said = re.findall(r"[0-9]+", picker_labels.label(drafted, choice, language(code)))
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
    live = await room.begin(key)
    who = room.to_move(live)
    await who.press("b:move:", room.board)
    drafted = follow(live.table.game, live.table.state, Draft())
    view = View(below=live.table.to_act or 0, names=("Ana", "Ben"), targets=targets(drafted, live.table.to_act or 0))
    assert view.targets
    view = pictures.with_words(live.table.game, drafted.state, view, language("en"))
    assert await pictured(room, private(who)) == pixels(registry.fresh(key, drafted.state, view))


async def test_a_stale_picker_shows_the_players_too(room: Room) -> None:
    live = await room.begin("apb")
    await room.ben.press("b:move:", room.board)
    view = View(below=1, names=("Ana", "Ben"), ratings=("(1500?)", "(1500?)"))
    assert await pictured(room, private(room.ben)) == pixels(registry.fresh("apb", live.table.state, view))


async def test_signs_on_buttons_are_those_on_the_picture(room: Room) -> None:
    live = await placed(room, "abalone", GAMES["abalone"].encode(at("abalone", "").before))
    await room.ana.press("b:move:", room.board)
    picked = private(room.ana)
    await room.ana.press("c3", picked)
    shown = [x["label"] for x in components(room.ana.fresh(picked)) if x.get("custom_id", "").startswith("b:pick:")]
    assert shown[:6] == [
        "c3d3",
        "c3d4",
        "c3c2",
        "c3\u2013c4 sideways, 2 marbles…",
        "c3\u2013c5 sideways, 3 marbles…",
        "1: c3c4, 3 marbles",
    ]
    drafted = at("abalone", "", "c3")
    view = picker.preview(drafted, 0, (), "wood", ("Ana", "Ben"))
    assert await pictured(room, room.ana.fresh(picked)) == pixels(registry.fresh("abalone", live.table.state, view))
