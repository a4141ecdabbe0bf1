"""Makes the two pictures at the top of the README: a row of the four boards, and a film of a turn on a phone.

    PYTHONPATH=tests python scripts/first_impression.py

plays a turn of backgammon in a sandbox of its own, in Chromium, and writes docs/pictures/boards.webp and turn.webp. The
dice are random, so no two films are alike. After a roll without a move the script stops: run it again. Signs need a
font with emoji, such as Debian's fonts-noto-color-emoji.
"""

import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from harness.page import PageSeat, SandboxPage, browser
from PIL import Image, ImageDraw
from playwright.async_api import Locator, expect

from render.registry import BOARDS, fresh

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ROOT / "docs" / "pictures"
ROW: Final = ("abak", "backgammon", "abalone", "apb")
HIGH: Final = 400
"""The height of the row, in pixels."""
GAP: Final = 16
WIDE, TALL = 390, 760
"""The size of the phone, in pixels."""
SCALE: Final = 2
"""Pixels of the film for a pixel of the phone."""
TAP: Final = 22
"""The radius of the mark of a tap, in pixels of the phone."""
LOOK, TAPPED, END = 1800, 500, 3000
"""Milliseconds for which a picture is shown: for reading, with a tap, and at the end."""


def row() -> Image.Image:
    """Draws the four boards beside each other, on no ground."""
    boards = []
    for key in ROW:
        state, view = BOARDS[key].samples()["middle"]
        drawn = Image.open(BytesIO(fresh(key, state, view))).convert("RGBA")
        boards.append(drawn.resize((round(drawn.width * HIGH / drawn.height), HIGH), Image.Resampling.LANCZOS))
    whole = Image.new("RGBA", (sum(board.width for board in boards) + GAP * (len(boards) - 1), HIGH))
    left = 0
    for board in boards:
        whole.paste(board, (left, 0))
        left += board.width + GAP
    return whole


class Film:
    """Pictures of a page, and the time of each."""

    def __init__(self, seat: PageSeat) -> None:
        self.seat = seat
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    async def look(self, milliseconds: int = LOOK) -> Image.Image:
        frame = Image.open(BytesIO(await self.seat.page.screenshot())).convert("RGB")
        self.add(frame, milliseconds)
        return frame

    def add(self, frame: Image.Image, milliseconds: int) -> None:
        self.frames.append(frame)
        self.times.append(milliseconds)

    async def tap(self, button: Locator) -> None:
        """Shows the page, then the finger on the button, and presses it."""
        await button.scroll_into_view_if_needed()
        frame = await self.look()
        box = await button.bounding_box()
        assert box is not None
        x, y = (box["x"] + box["width"] / 2) * SCALE, (box["y"] + box["height"] / 2) * SCALE
        finger = Image.new("RGBA", frame.size)
        reach = TAP * SCALE
        ImageDraw.Draw(finger).ellipse((x - reach, y - reach, x + reach, y + reach), fill=(255, 255, 255, 130))
        self.add(Image.alpha_composite(frame.convert("RGBA"), finger).convert("RGB"), TAPPED)
        await button.click()

    def save(self, file: Path) -> None:
        first, *others = self.frames
        first.save(file, save_all=True, append_images=others, duration=self.times, loop=0, quality=70, method=6)


@asynccontextmanager
async def sandbox() -> AsyncIterator[str]:
    """Yields the address of a new sandbox."""
    with TemporaryDirectory() as folder:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "sandbox", "--port", "0", "--data", folder),
            cwd=ROOT,
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert process.stdout is not None
            said = (await process.stdout.readuntil(b"(")).decode()  # it is open at ADDRESS (stop it with ...
            found = re.search(r"http://[\d.]+:\d+", said)
            assert found is not None, said
            yield found[0]
        finally:
            process.terminate()
            await process.wait()


async def played(seat: PageSeat) -> Film:
    """Plays the first turn against the machine: the tile of a game, the picker, the board, the machine's reply."""
    film = Film(seat)
    tiles = seat.column.get_by_test_id("welcome").get_by_role("button")
    for picture in await tiles.locator("img").all():
        await expect(picture).to_have_js_property("complete", True)
    await film.tap(tiles.filter(has_text=re.compile("^Backgammon$")))
    move = seat.messages().get_by_role("button", name="Move", exact=True)
    await expect(move).to_be_visible()
    await film.tap(move)
    steps = seat.messages().last.get_by_role("button", name=re.compile("→|^Confirm$"))
    await expect(steps.first).to_be_visible()
    while await steps.count():
        before = await seat.messages().last.inner_text()
        await film.tap(steps.first)
        await expect(seat.messages().last).not_to_have_text(before, use_inner_text=True)
    await expect(seat.messages().last).to_contain_text("is thinking")
    await film.look()
    await expect(move).to_be_visible()
    await film.look(END)
    return film


async def main() -> None:
    row().save(PICTURES / "boards.webp", quality=88, method=6)
    async with sandbox() as url, browser() as chromium:
        page = await SandboxPage.open(
            chromium, url, width=WIDE, height=TALL, device_scale_factor=SCALE, has_touch=True, locale="en-US"
        )
        (await played(await page.seat("Ana"))).save(PICTURES / "turn.webp")


if __name__ == "__main__":
    asyncio.run(main())
