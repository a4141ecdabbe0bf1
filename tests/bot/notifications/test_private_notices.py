"""Private notices: what does not fit into the message is not counted as shown."""

from bot.board.message import CONTENT
from bot.notifications.private_notices import first_that_fit


async def mark() -> None:
    """Records nothing."""


def test_notices_that_do_not_fit_wait_for_the_next_command() -> None:
    notices = [("x" * 600, mark) for _ in range(5)]
    shown = first_that_fit(notices)
    assert len(shown) == 3
    assert len("\n".join(text for text, _ in shown)) <= CONTENT
    assert first_that_fit(notices[3:]) == notices[3:]


def test_notices_that_fit_are_all_shown() -> None:
    notices = [("short", mark), ("", mark), ("short", mark)]
    assert first_that_fit(notices) == notices
    assert first_that_fit([]) == []
