"""The pages of results of tournaments made by hand, as the bot builds them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final
from zoneinfo import ZoneInfo

from fakes.snapshots import START, Made, names_of

from bot.core.translations import Language, language
from bot.tournaments.results.pages.build import Built, PageRequest, Reader, build, settled
from engine.core.hours import DAY

if TYPE_CHECKING:
    from collections.abc import Mapping

EN: Final = language("en")
UTC: Final = ZoneInfo("UTC")


async def page(
    made: Made,
    kind: str,
    reader: int | None = None,
    say: Language = EN,
    names: Mapping[int, str] | None = None,
    stage: int | None = None,
    section: int | None = None,
    number: int | None = None,
    *,
    text: bool = False,
) -> Built:
    """Builds the page that a reader asks for, three days after the start."""
    called = names_of(made.snapshot) if names is None else names
    request = settled(made.snapshot, PageRequest(kind, stage, section, number, text), reader)

    async def known(numbers: set[int] | None) -> Mapping[int, str]:
        return called if numbers is None else {one: called[one] for one in numbers}

    who = Reader(reader, say, "wood", UTC)
    return await build(made.snapshot, request, who, known, made.rounds, START + 3 * DAY, {})


def drawn(built: Built) -> Any:
    """Returns the view that a page's picture shows."""
    draw = built.page.draw
    assert isinstance(draw, partial)
    return draw.args[0]
