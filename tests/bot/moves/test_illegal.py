"""A refused move is marked on its picture: what was tried, and the cell that the rule is about."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from harness.bot import private, told
from harness.discord import alt, buttons
from harness.pixels import pixels
from harness.positions import placed
from harness.refusals import TYPED, Case
from harness.thinning import one_of
from PIL import Image, ImageChops

from bot.board import pictures
from bot.core.translations import language
from bot.moves import illegal
from bot.moves.illegal import CROSS
from engine.core.errors import IllegalMove, RuleError
from engine.registry import GAMES
from render import registry
from render.games.points import place
from render.theme import THEMES
from render.view import View

if TYPE_CHECKING:
    from harness.bot import Room

EN = language("en")
BLOCKED = "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:0:10"
APB_MET = "9/3sss3/3sps3/3sss3/4S4/9/9/9/3SPS3/3S1S3/3SSS3/9 b -"
AMBIGUOUS = "XGID=-b----E-C---eE---c--a---B-:0:0:1:54:0:0:0:0:10"


def refused(game: str, case: Case) -> tuple[RuleError, tuple[tuple[str, str], ...]]:
    """Returns the refusal, and the marks for it."""
    rules = GAMES[game]
    state = rules.decode(case.position, rules.settle_options(case.options))
    with pytest.raises(RuleError) as caught:
        rules.parse(state, case.typed)
    marked = illegal.targets(rules, rules.to_act(state) or 0, case.typed, caught.value)
    assert registry.picture(game, state, View(targets=marked))  # every cell is one of the board
    return caught.value, marked


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_that_is_broken_is_marked_on_the_board(game: str) -> None:
    unmarked = {}
    for case in TYPED.get(game, ()):
        error, marked = refused(game, case)
        of_the_board = isinstance(error, IllegalMove) and error.key.startswith(f"{game}.")
        if bool(marked) != of_the_board:
            unmarked[case.key] = marked
    assert not unmarked


def cases() -> dict[str, Case]:
    return {case.key: case for found in TYPED.values() for case in found}


@pytest.mark.parametrize(
    ("key", "marked"),
    {
        "backgammon.blocked": {"24": "", "19": CROSS},
        "backgammon.bar_first": {"8": "", "7": "", "bar0": CROSS},
        "backgammon.more_dice": {"9": "", "3": ""},
        "backgammon.higher_checker": {"3": "", "off0": "", "5": CROSS},
        "abak.pair_points": {"14": "", "12": "", "10": CROSS, "8": CROSS},
        "abak.even_die": {"13": "", "10": CROSS},
        "abalone.pac": {"e3": "", "e4": CROSS},
        "abalone.broadside_pushes": {"c3": "", "c5": "", "d4": "", "d6": CROSS},
        "apb.occupied": {"d4": "", "d3": CROSS},
        "apb.must_make_room": {"d2": "", "c1": ""},
    }.items(),
)
def test_the_cross_stands_where_the_rule_forbids(key: str, marked: dict[str, str]) -> None:
    assert dict(refused(key.partition(".")[0], cases()[key])[1]) == marked


HELD = {
    "apb": (APB_MET, "e9-e8 e10-e9", "e8", 0),
    "abalone": ("5/6/4ww1/3ww3/2bbwb3/2b5/3b3/6/5 b 0 0", "e3e4", "e6", 0),
    "abak": ("ABAKID=16/S/sDSSS/5/ss:-:0:0:1:21:0:0:0:0:10", "8/7", "7", 4),
    "backgammon": ("XGID=-b----E-C---eE---c-d-a--AA:0:0:1:61:0:0:0:0:10", "8/7", "bar0", 0),
}
"""By game: a position, what is typed there, the cell that the refusal is about, and which of its pieces is on top.

A game whose plays are never refused because of a piece has none.
"""


@one_of("theme", THEMES)
@pytest.mark.parametrize("game", HELD)
def test_a_cross_leaves_the_piece_in_its_cell_visible(game: str, theme: str) -> None:
    position, typed, cell, index = HELD[game]
    rules = GAMES[game]
    assert (cell, CROSS) in refused(game, Case("", position, typed))[1]
    state = rules.decode(position)
    x, y = place(cell, 0).at(index) if index else registry.spot(game, cell, 0)
    core = (round(x) - 12, round(y) - 12, round(x) + 13, round(y) + 13)
    plain, crossed = (
        Image.open(BytesIO(registry.fresh(game, state, View(theme=theme, targets=targets)))).convert("RGB")
        for targets in ((), ((cell, CROSS),))
    )
    changed = [channel.point([0] * 25 + [255] * 231) for channel in ImageChops.difference(plain, crossed).split()]
    assert any(channel.getbbox() for channel in changed)  # the cross is there
    assert not any(channel.crop(core).getbbox() for channel in changed), "the piece is hidden"


def test_points_are_counted_from_the_side_that_moves() -> None:
    error = IllegalMove("backgammon.blocked", point=20)
    assert illegal.targets(GAMES["backgammon"], 1, "bar/20(2)", error) == (("bar1", ""), ("5", CROSS))


async def test_the_picture_of_a_refusal_is_the_marked_board(room: Room) -> None:
    live = await placed(room, "backgammon", BLOCKED)
    await room.type(live, "24/19")
    assert told(room.ana).startswith(EN("backgammon.blocked", point=19))
    [attachment] = private(room.ana)["attachments"]
    drawn = room.server.world.attachment(int(attachment["id"]))[0]
    plain = pictures.with_words(live.table.game, live.table.state, View(names=("Ana", "Ben")), EN)
    view = replace(plain, targets=(("24", ""), ("19", CROSS)))
    assert pixels(drawn) == pixels(registry.picture("backgammon", live.table.state, view))
    assert pixels(drawn) != pixels(registry.picture("backgammon", live.table.state, plain))


async def test_the_readings_of_an_ambiguous_move_can_be_pressed(room: Room) -> None:
    live = await placed(room, "backgammon", AMBIGUOUS)
    await room.type(live, "24/15")
    message = private(room.ana)
    labels = list(buttons(message))
    assert [label.split(",")[0] for label in labels[:2]] == ["24/19/15", "24/20*/15"]
    assert EN("backgammon.does.hits", point=20) in labels[1]
    assert len(alt(message)) == 1
    await room.ana.press(labels[1], message)  # which names the turn as if it was typed
    after = await room.shown()
    assert after.table.record.entries[0].body == "24/20*/15"
