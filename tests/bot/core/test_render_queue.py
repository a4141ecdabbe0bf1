"""Pictures that a user waits for come before boards of channels, and only a few are drawn at once."""

import asyncio
import threading

import pytest
from harness.discord import PATIENT, until

from bot.core.render_queue import RenderQueue, Urgency, urgency


class Studio:
    """Draws on an render_queue, and notes what; each picture takes until it is let go."""

    def __init__(self, places: int) -> None:
        self.render_queue = RenderQueue(places)
        self.begun: list[str] = []
        self.most = 0
        self._at_work = 0
        self._go = threading.Semaphore(0)
        self._lock = threading.Lock()

    def draw(self, name: str, of: Urgency = Urgency.ANSWER) -> asyncio.Task[str]:
        async def drawn() -> str:
            urgency.set(of)
            return await self.render_queue.draw(self._make, name)

        return asyncio.create_task(drawn())

    def _make(self, name: str) -> str:
        with self._lock:
            self.begun.append(name)
            self._at_work += 1
            self.most = max(self.most, self._at_work)
        self._go.acquire()
        with self._lock:
            self._at_work -= 1
        return name

    def let_go(self, pictures: int) -> None:
        self._go.release(pictures)


async def test_answers_go_before_boards_and_each_in_the_order_they_came() -> None:
    studio = Studio(1)
    names = {"first": Urgency.BOARD, "board 1": Urgency.BOARD, "answer 1": Urgency.ANSWER}
    names |= {"board 2": Urgency.BOARD, "answer 2": Urgency.ANSWER}
    tasks = [studio.draw(name, of) for name, of in names.items()]
    await until(lambda: studio.begun == ["first"])
    studio.let_go(len(tasks))
    assert await asyncio.gather(*tasks) == list(names)
    assert studio.begun == ["first", "answer 1", "answer 2", "board 1", "board 2"]
    assert studio.most == 1


async def test_as_many_are_drawn_at_once_as_there_are_places() -> None:
    studio = Studio(2)
    tasks = [studio.draw(str(number)) for number in range(5)]
    await until(lambda: len(studio.begun) == 2)
    studio.let_go(len(tasks))
    await asyncio.gather(*tasks)
    assert studio.most == 2


async def test_who_is_cancelled_in_the_line_takes_no_place_away() -> None:
    studio = Studio(1)
    first, waiting, last = (studio.draw(name) for name in ("first", "waiting", "last"))
    await until(lambda: studio.begun == ["first"])
    waiting.cancel()
    studio.let_go(2)
    assert await asyncio.gather(first, last) == ["first", "last"]
    assert waiting.cancelled()
    assert studio.begun == ["first", "last"]


async def test_who_is_cancelled_as_the_place_is_given_passes_it_on() -> None:
    render_queue = RenderQueue(1)
    await render_queue._acquire()
    waiting, last = asyncio.create_task(render_queue._acquire()), asyncio.create_task(render_queue._acquire())
    await asyncio.sleep(0)
    render_queue._release()
    waiting.cancel()
    await asyncio.wait_for(last, PATIENT)
    assert waiting.cancelled()


async def test_a_picture_that_fails_gives_its_place_back() -> None:
    render_queue = RenderQueue(1)

    def fail() -> None:
        raise ValueError("no such board")

    for _ in range(3):
        with pytest.raises(ValueError, match="no such board"):
            await render_queue.draw(fail)
