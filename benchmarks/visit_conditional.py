"""Conditional moves: set by taps and by the command, with a resignation, deleted; and the answer to the next double."""

import re

from harness.bot import private
from harness.discord import Seat, components
from visit import Visit, has
from visit_acts import opened_more

PICKERS = re.compile(r"[bm]:conditional_(if|reply):")


async def conditional_moves(visit: Visit) -> None:
    """Sets conditional moves in a game without dice. In any other game the command says that there are none."""
    who = visit.other
    if not has(await opened_more(visit, who), "b:conditional:"):
        await visit.slash(who, "abak move conditional", name="/abak move conditional (no)")
        return
    await visit.press(who, "conditional")
    await supposed(visit, who)
    await answered(visit, who)
    await visit.press(who, "conditional_at")  # a step back, to the menu of all conditional moves
    menu = next(x for x in components(private(who)) if x.get("custom_id", "").startswith("m:conditional_at:"))
    await visit.choose(who, "conditional_at", menu["options"][0]["value"])
    await visit.press(who, "conditional_delete")
    await given_up(visit, who)
    for _ in ("asked", "sure"):
        await visit.press(who, "conditional_clear")
    await visit.press(who, "conditional_done")
    await written(visit, who)


async def supposed(visit: Visit, who: Seat) -> None:
    """Chooses a turn for the other side; another one if the game would end with it."""
    while not has_picker(who, "reply"):
        await visit.press(who, "conditional_if")
        while has_picker(who, "if"):
            await pick(visit, who, "if")


async def answered(visit: Visit, who: Seat) -> None:
    """Chooses the reply to the other side's turn."""
    while has_picker(who, "reply"):
        await pick(visit, who, "reply")


def has_picker(who: Seat, side: str) -> bool:
    """Returns whether a turn is being chosen. The panel of a place has the same verb, which begins one there."""
    shown = private(who)
    open_ = any(
        x.get("custom_id", "").startswith((f"b:conditional_{side}:", f"m:conditional_{side}:"))
        for x in components(shown)
    )
    return open_ and not has(shown, "b:conditional_done:")


async def pick(visit: Visit, who: Seat, side: str) -> None:
    """Presses any of the choices except Undo."""
    usable = [x for x in components(private(who)) if x.get("label") != "Undo"]
    found = [x for x in usable if PICKERS.match(x.get("custom_id", ""))]
    menu = next((x for x in found if x["custom_id"].startswith("m:")), None)
    if menu is not None:
        await visit.choose(who, f"conditional_{side}", visit.luck.choice(menu["options"])["value"])
        return
    await visit.press(who, f"conditional_{side}", at=visit.luck.choice(found)["custom_id"])


async def given_up(visit: Visit, who: Seat) -> None:
    """Sets a resignation as the reply to one turn, which needs two confirmations."""
    await supposed(visit, who)
    for _ in ("wished", "asked", "asked again"):
        await visit.press(who, "conditional_resign")


async def written(visit: Visit, who: Seat) -> None:
    """Sets a conditional move by the command and deletes it, so that no notice comes when another turn is played."""
    condition = visit.luck.choice(await visit.typing(who, "abak move conditional", "condition", condition=""))["value"]
    replies = await visit.typing(who, "abak move conditional", "reply", condition=condition, reply="")
    if not replies:  # the other's turn is not complete with that
        await visit.slash(who, "abak move conditional", condition=condition)
        return
    await visit.slash(who, "abak move conditional", condition=condition, reply=visit.luck.choice(replies)["value"])
    await answered(visit, who)
    await visit.typing(who, "abak move conditional", "after", after="")
    if not has(private(who), "b:conditional_clear:"):  # the game would end with their turn
        return
    for _ in ("asked", "sure"):
        await visit.press(who, "conditional_clear")


async def double_awaited(visit: Visit) -> None:
    """Looks at the answer to the next double, sets it and removes it. In a game without a cube there is none."""
    who = next((one for one in (visit.room.ben, visit.room.ana) if one is not visit.awaited), visit.room.ben)
    for one in (who, visit.awaited):
        if has(await opened_more(visit, one), "b:conditional_double:"):
            await visit.press(one, "conditional_double")
            await visit.press(one, "conditional_double_set", at=laid(one, "take|persistent"))
            await visit.press(one, "conditional_double_set", at=laid(one, "|"))
            return


def laid(who: Seat, rest: str) -> str:
    """Returns the custom_id, ending in ``rest``, that sets the answer to the next double."""
    found = [x.get("custom_id", "") for x in components(private(who))]
    return next(x for x in found if x.startswith("b:conditional_double_set:") and x.endswith(f":{rest}"))
