"""What is left of the games: the list of them, a replay from it that is shared, and what was played from a position."""

from harness.bot import private
from harness.discord import components, options
from visit import Visit, has


async def listed(visit: Visit) -> None:
    """The list, to its second page and back where there is one; the replay of its first game, which is shared."""
    ana = visit.room.ana
    await visit.slash(ana, "abak history")
    for direction in ("o", "n"):
        turns = [x for x in components(private(ana)) if f":{direction}|" in x.get("custom_id", "")]
        for button in turns:
            if button["custom_id"].startswith("b:history:") and not button.get("disabled"):
                await visit.press(ana, "history", at=button["custom_id"])
    page = private(ana)
    if has(page, "m:history_open:"):
        await visit.choose(ana, "history_open", options(page)[0])
        await visit.press(ana, "share")


async def explored(visit: Visit) -> None:
    """The first move or roll that was played from the start, and back."""
    ben = visit.room.ben
    await visit.slash(ben, "abak explore", game=visit.game)
    if has(private(ben), "m:explore_step:"):
        await visit.choose(ben, "explore_step", options(private(ben))[0], r"\|0")
        await visit.press(ben, "explore_back")
