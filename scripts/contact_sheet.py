"""Makes the pictures of the documentation: every board in every theme, full and as wide as on a phone.

    python scripts/contact_sheet.py

writes docs/pictures/contact-sheet.png and the pictures of the pages beside it.
"""

from dataclasses import replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from render.registry import BOARDS, fresh
from render.theme import THEMES

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
SHOWN = "middle"
CHATS = ("#313338", "#ffffff")
"""The grounds of Discord's dark and light chats."""
PAGES = {
    "backgammon-start.png": ("backgammon", "start"),
    "abak-draft.png": ("abak", "draft"),
    "abalone-push.png": ("abalone", "middle"),
}
"""The pictures of the pages: a game and one of its samples."""
PHONE, HALF, GAP = 360, 540, 12


def board(game: str, theme: str) -> bytes:
    state, view = BOARDS[game].samples()[SHOWN]
    return fresh(game, state, replace(view, theme=theme))


def reduced(data: bytes, width: int) -> Image.Image:
    image = Image.open(BytesIO(data)).convert("RGB")
    return image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)


def row(game: str) -> Image.Image:
    """A game in every theme: half size on dark ground, as on a phone on light ground."""
    pictures = [board(game, theme) for theme in THEMES]
    sizes = [[reduced(data, width) for data in pictures] for width in (HALF, PHONE)]
    width = len(pictures) * (HALF + GAP + PHONE + GAP) + 2 * GAP
    sheet = Image.new("RGB", (width, sizes[0][0].height + 2 * GAP), CHATS[0])
    sheet.paste(CHATS[1], (len(pictures) * (HALF + GAP) + GAP, 0, *sheet.size))
    x = GAP
    for images in sizes:
        for image in images:
            sheet.paste(image, (x, GAP))
            x += image.width + GAP
        x += GAP
    return sheet


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    rows = [row(game) for game in BOARDS]
    sheet = Image.new("RGB", (rows[0].width, sum(each.height for each in rows)))
    y = 0
    for each in rows:
        sheet.paste(each, (0, y))
        y += each.height
    few = sheet.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(PICTURES / "contact-sheet.png", optimize=True)
    for name, (game, sample) in PAGES.items():
        (PICTURES / name).write_bytes(fresh(game, *BOARDS[game].samples()[sample]))
    for path in sorted(PICTURES.glob("*.png")):
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
