"""Makes the pictures of the documentation: every board in every theme, large and as on a phone, on both of Discord's
grounds; result cards likewise.

    python scripts/contact_sheet.py

writes docs/pictures/contact-sheet.png, docs/pictures/tournaments.png with the pictures of tournaments in every theme as
on a phone, and the pictures of the pages beside them. ``--findings`` writes those of docs/findings.md alone.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from engine.registry import find
from render.canvas.board import played
from render.canvas.sheet import palette_of
from render.registry import BOARDS, card, fresh
from render.theme import THEMES
from render.tournaments.samples.every import SAMPLES
from render.view import Card, View

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SHOWN = "middle"
MORE = {
    "abak": ("choice", "draft", "doubled"),
    "backgammon": ("race", "cube", "other-side"),
    "abalone": ("choice", "draft", "broadside"),
    "apb": ("choice", "draft", "whole-turn"),
}
"""Further samples as on a phone: ringed stones and lettered targets, the cube owned, in the middle and offered."""
CHATS = ("#313338", "#ffffff")
"""The grounds of Discord's dark and light chats."""
PAGES = {
    "backgammon-start.png": ("backgammon", "start"),
    "abak-draft.png": ("abak", "draft"),
    "abalone-push.png": ("abalone", "middle"),
}
"""The pictures of the pages: a game and one of its samples."""
OPENINGS = {"3-1": "8/5 6/5", "4-3": "23/20 24/20", "5-1": "6/11 6/5", "6-1": "13/7 6/7"}
"""Rolls and the turns that are shown, as docs/findings.md has them."""
SHELTERED = (
    "4s4/4s4/3s5/4ps3/4S4/4s4/2S2P3/5s3/9/3S1SS2/3S1s3/9 b -",
    "9/4s4/6s2/2s1s4/4Ps3/3S1s3/2S1Sp3/4S4/6S2/4S4/4s4/9 b -",
    "9/9/4sss2/2s6/3s5/4ss3/4S2S1/3pS1S2/3SsP3/3S5/5S3/9 b -",
)
"""APB: White is behind by one, and has no secondary beside its principal, one, and two."""
CARDS = {
    "abak": Card(
        1, "Abak Evolution Backgammon", "+2", "Bea has borne off every stone", ("52 turns", "21 November 2026")
    ),
    "backgammon": Card(0, "Backgammon", "12 points", "Backgammon with the cube at 4", ("61 turns",)),
    "abalone": Card(0, "Abalone", "1 point", "The other's time ran out", ("23 turns",)),
    "apb": Card(None, "APB", "", "Drawn: the same position came for the third time", ("88 turns", "21 November 2026")),
}
TOURNAMENTS = ("standings", "crosstable", "bracket-16", "double-8", "ladder", "calendar", "podium")
START = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed"
LARGE, PHONE, GAP = 1000, 360, 16
SMALL = 480


def board(game: str, theme: str, sample: str = SHOWN) -> bytes:
    state, view = BOARDS[game].samples()[sample]
    return fresh(game, state, replace(view, theme=theme))


def result(game: str, theme: str) -> bytes:
    state, view = BOARDS[game].samples()[SHOWN]
    return card(game, state, replace(view, theme=theme), CARDS[game])


def reduced(data: bytes, width: int) -> Image.Image:
    image = Image.open(BytesIO(data)).convert("RGB")
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def row(make: Callable[[str, str], bytes], game: str) -> Image.Image:
    """Draws a game in every theme: side by side large, each half on either ground; then as on a phone, on each."""
    made = [make(game, theme) for theme in THEMES]
    large, small = ([reduced(data, width) for data in made] for width in (LARGE, PHONE))
    height = max(large[0].height, sum(image.height + GAP for image in small) - GAP) + 2 * GAP
    wide = len(made) * (LARGE + GAP) + GAP
    sheet = Image.new("RGB", (wide + len(CHATS) * (PHONE + 2 * GAP), height), CHATS[0])
    sheet.paste(CHATS[1], (0, height // 2, wide, height))
    for place, image in enumerate(large):
        sheet.paste(image, (GAP + place * (LARGE + GAP), (height - image.height) // 2))
    for column, chat in enumerate(CHATS):
        left = wide + column * (PHONE + 2 * GAP)
        sheet.paste(chat, (left, 0, left + PHONE + 2 * GAP, height))
        for place, image in enumerate(small):
            sheet.paste(image, (left + GAP, GAP + place * (image.height + GAP)))
    return sheet


def besides(game: str, wide: int) -> Image.Image:
    """Draws other positions of a game as on a phone: in every theme, on both grounds."""
    made = [reduced(board(game, theme, sample), PHONE) for theme in THEMES for sample in MORE[game]]
    high, step = made[0].height + 2 * GAP, PHONE + GAP
    sheet = Image.new("RGB", (wide, high), CHATS[0])
    sheet.paste(CHATS[1], (0, high // 2, wide, high))
    for place, image in enumerate(made):
        sheet.paste(image, (GAP + place * step, GAP))
    return sheet


def tournaments() -> Image.Image:
    """Draws the pictures of tournaments as on a phone: a row for each theme, each half on either ground."""
    rows = [[reduced(SAMPLES[name](theme), PHONE) for name in TOURNAMENTS] for theme in THEMES]
    high = max(image.height for image in rows[0]) + 2 * GAP
    sheet = Image.new("RGB", (len(TOURNAMENTS) * (PHONE + GAP) + GAP, len(rows) * high), CHATS[0])
    for number, images in enumerate(rows):
        sheet.paste(CHATS[1], (0, round((number + 0.5) * high), sheet.width, (number + 1) * high))
        for place, image in enumerate(images):
            sheet.paste(image, (GAP + place * (PHONE + GAP), number * high + GAP))
    return sheet


def openings() -> Image.Image:
    """Draws Abak after some openings, two in a row."""
    game, made = find("abak"), []
    for roll, turn in OPENINGS.items():
        high, low = map(int, roll.split("-"))
        start = game.decode(f"{START}:-:0:0:1:{high}{low}:0:0:0:0:10")
        state, last = played(game, start, turn)
        made.append(reduced(fresh("abak", state, View(last=last)), SMALL))
    return together(made, 2)


def sheltered() -> Image.Image:
    """Draws APB's principals with more and more secondaries beside them, in a row."""
    states = map(find("apb").decode, SHELTERED)
    return together([reduced(fresh("apb", state, View()), PHONE) for state in states], len(SHELTERED))


def together(made: Sequence[Image.Image], columns: int) -> Image.Image:
    """Puts pictures of one size on a white ground, so many in a row."""
    wide, high = made[0].width + GAP, made[0].height + GAP
    sheet = Image.new("RGB", (columns * wide - GAP, -(-len(made) // columns) * high - GAP), CHATS[1])
    for place, image in enumerate(made):
        sheet.paste(image, (place % columns * wide, place // columns * high))
    return sheet


def save(sheet: Image.Image, name: str) -> None:
    colours = dict.fromkeys((*CHATS, *(colour for theme in THEMES.values() for colour in theme.colours())))
    few = sheet.quantize(palette=palette_of([sheet], colours, 256), dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    save(openings(), "abak-openings.png")
    save(sheltered(), "apb-shelter.png")
    if "--findings" in sys.argv:
        return
    rows = [row(board, game) for game in BOARDS]
    rows += [besides(game, rows[0].width) for game in MORE]
    rows += [row(result, game) for game in CARDS]
    sheet = Image.new("RGB", (rows[0].width, sum(each.height for each in rows)))
    y = 0
    for each in rows:
        sheet.paste(each, (0, y))
        y += each.height
    save(sheet, "contact-sheet.png")
    save(tournaments(), "tournaments.png")
    for name, (game, sample) in PAGES.items():
        (PICTURES / name).write_bytes(fresh(game, *BOARDS[game].samples()[sample]))
    for path in sorted(PICTURES.glob("*.png")):
        with Image.open(path) as image:
            print(f"{path.name}: {image.width} x {image.height}, {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
