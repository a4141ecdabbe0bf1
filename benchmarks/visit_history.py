"""The acts with finished games: the list of them, a shared replay from it, and the plays from a position."""

from harness.bot import private
from harness.discord import components, options
from visit import Visit, has


async def listed(visit: Visit) -> None:
    """Opens the list, its second page and back if there is one; then the replay of its first game, and shares it."""
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
    """Opens the first move or roll that was played from the start, and goes back."""
    ben = visit.room.ben
    await visit.slash(ben, "abak explore", game=visit.game)
    if has(private(ben), "m:explore_step:"):
        await visit.choose(ben, "explore_step", options(private(ben))[0], r"\|0")
        await visit.press(ben, "explore_back")
