"""The acts of two people on a visit, from a challenge to the end of the last game."""

import time
from typing import Final

from harness.bot import choose_words, private, single, worded_path
from harness.discord import Seat, components, is_ephemeral
from visit import LONG, Json, Visit, has

from engine.core.lesson import Lesson
from engine.registry import find

# --- challenges ------------------------------------------------------------------------------------------------------


async def challenged(visit: Visit, **options: str) -> Json:
    room = visit.room
    await visit.slash(
        room.ana, "abak challenge", opponent=room.ben, game=visit.game, **single(visit.game, options), **options
    )
    return room.ana.last


async def turned_down(visit: Visit) -> None:
    await visit.press(visit.room.ben, "decline_challenge", await challenged(visit))


async def taken_back(visit: Visit) -> None:
    await visit.press(visit.room.ana, "cancel_challenge", await challenged(visit))


async def layouts(visit: Visit) -> None:
    await visit.typing(visit.room.ana, "abak challenge", "layout", game="abalone", layout="b")


async def begun(visit: Visit, **options: str) -> None:
    message = await challenged(visit, **options)
    await visit.moving_on(visit.press(visit.room.ben, "accept_challenge", message))


# --- turns -----------------------------------------------------------------------------------------------------------


def picks(message: Json) -> list[str]:
    """Lists the custom_ids or values that continue a turn, without Undo. Empty when it is complete, or played."""
    if has(message, "b:confirm:"):
        return []
    found = list(components(message))
    menus = [x for x in found if x.get("custom_id", "").startswith("m:pick:")]
    if menus:
        return [option["value"] for option in menus[0]["options"]]
    ways = [x["custom_id"] for x in found if x.get("custom_id", "").startswith("b:pick:")]
    return [way for way in ways if len(way) >= max(map(len, ways)) - 1]


def open_picker(who: Seat) -> Json:
    """Returns the newest private message, or one without buttons: a picker is deleted once its turn is played."""
    return next((message for message in who.messages[::-1] if is_ephemeral(message)), {"components": []})


async def pick(visit: Visit, who: Seat) -> None:
    """Presses any of the choices."""
    shown = private(who)
    chosen = visit.luck.choice(picks(shown))
    menu = None if chosen.startswith("b:") else "m:pick:"
    if menu is None:
        await visit.timed("choose", lambda: who.press(chosen, shown))
    else:
        await visit.timed("choose", lambda: who.choose(chosen, menu=menu, message=shown))


async def turn(visit: Visit) -> None:
    """Plays a whole turn by taps."""
    who, before = visit.awaited, visit.room.board["id"]
    await visit.press(who, "only" if has(visit.room.board, "b:only:") else "move", visit.room.board)
    while picks(open_picker(who)):
        await pick(visit, who)
    if has(open_picker(who), "b:confirm:"):
        await visit.press(who, "confirm")
    await visit.next_board(before, time.perf_counter())


async def changed_mind(visit: Visit) -> None:
    """Makes a choice, then presses Undo and Cancel."""
    if has(visit.room.board, "b:only:"):  # there is nothing to choose
        await turn(visit)
        return
    who = visit.awaited
    await visit.press(who, "move", visit.room.board)
    before = visit.room.board["id"]
    await pick(visit, who)
    if has(open_picker(who), "b:cancel_pick:"):
        await visit.timed("undo", lambda: who.press("Undo", private(who)))
        await visit.press(who, "cancel_pick")
    else:
        await visit.next_board(before)


async def typed(visit: Visit) -> None:
    """Plays a turn, or its beginning, by the command."""
    who, before = visit.awaited, visit.room.board["id"]
    offered = await visit.typing(who, "abak move play", "notation", notation="")
    await visit.slash(who, "abak move play", notation=visit.luck.choice(offered)["value"])
    while picks(open_picker(who)):
        await pick(visit, who)
    if has(open_picker(who), "b:confirm:"):
        await visit.press(who, "confirm")
    await visit.next_board(before)


async def broken_off(visit: Visit) -> None:
    """Types a turn without its last letter, and presses the turn's button if only one turn fits."""
    who, before = visit.awaited, visit.room.board["id"]
    offered = await visit.typing(who, "abak move play", "notation", notation="")
    texts = [choice["value"] for choice in offered]
    parts = [text[:-1] for text in texts if text[-1].isalnum() and len(text) > 1]
    for part in [part for part in parts if sum(text.startswith(part) for text in texts) == 1][:BROKEN_OFF]:
        await visit.slash(who, "abak move play", name="/abak move play (part)", notation=part)
        shown = open_picker(who)
        if has(shown, "b:reading:"):
            await visit.press(who, "reading", shown)
            if has(open_picker(who), "b:confirm:"):
                await visit.press(who, "confirm")
        elif has(shown, "b:confirm:"):
            await visit.press(who, "confirm", shown)
        elif has(shown, "b:rule:") or has(shown, "b:cancel_pick:"):
            continue
        await visit.next_board(before)
        return


BROKEN_OFF: Final = 5
"""The number of turns to try."""
REFUSED: Final = {"abak": "24/1", "backgammon": "24/1", "abalone": "a1i9", "apb": "a1-h8"}
UNREADABLE: Final = "a1a1"
"""The text that is typed in other games."""


async def refused(visit: Visit) -> None:
    """Types an illegal move."""
    who = visit.awaited
    await visit.slash(who, "abak move play", name="/abak move play (no)", notation=REFUSED.get(visit.game, UNREADABLE))
    if has(private(who), "b:rule:"):
        await visit.press(who, "rule")


# --- looking ---------------------------------------------------------------------------------------------------------


async def boards(visit: Visit) -> None:
    await visit.slash(visit.room.ana, "abak board")
    await visit.slash(visit.room.ben, "abak board", flip=True)
    await visit.slash(visit.room.ana, "abak board", name="/abak board text", text=True)


async def flips(visit: Visit) -> None:
    await visit.press(visit.room.ana, "flip", visit.room.board)
    await visit.press(visit.room.ana, "flip", name="button flip again")


async def texts(visit: Visit) -> None:
    await visit.slash(visit.room.ana, "abak games")
    await visit.slash(visit.awaited, "abak next")
    if has(open_picker(visit.awaited), "b:next:"):
        await visit.press(visit.awaited, "next")
    await visit.slash(visit.room.ana, "abak help")
    for verb in ("help_games", "help_settings", "help_all"):
        await visit.press(visit.room.ana, verb)
    await visit.choose(visit.room.ana, "help_rules", visit.game)


async def panels(visit: Visit) -> None:
    ana = visit.room.ana
    await visit.slash(ana, "abak settings")
    await visit.choose(ana, "set_user", "first", "below")
    await filled(visit, ana, "user")
    await visit.slash(ana, "abak server")
    await visit.choose(ana, "set_server", "strip", "old_board")
    await filled(visit, ana, "server")


async def filled(visit: Visit, who: Seat, scope: str) -> None:
    """Opens the panel's pages, and sends the first form on one of them unchanged."""
    pages = [x["custom_id"] for x in components(private(who)) if f":page_{scope}:" in x.get("custom_id", "")]
    for page in pages:
        await visit.press(who, page.removeprefix("b:").partition(":")[0], at=page)
        if has(private(who), f"b:ask_{scope}:"):
            opened = await visit.press(who, f"ask_{scope}")
            await visit.timed(f"form fill_{scope}", lambda: who.submit(opened, {}))  # noqa: B023  # awaited at once
            return


async def rules(visit: Visit) -> None:
    ben = visit.room.ben
    offered = await visit.typing(ben, "abak rules", "topic", game=visit.game, topic="")
    await visit.slash(ben, "abak rules", game=visit.game)
    await visit.choose(ben, "topic", visit.luck.choice(offered)["value"])


HINTED: Final = 0.5
"""The share of turns with a request for a hint."""


async def lessons(visit: Visit) -> None:
    ben = visit.room.ben
    await visit.slash(ben, "abak learn", game=visit.game)
    if visit.luck.random() < HINTED:
        await visit.press(ben, "lesson_hint")
    for _ in range(12):
        verb = "lesson_hinted" if has(private(ben), ("b:lesson_hinted:", "m:lesson_hinted:")) else "lesson_pick"
        ways = [x["custom_id"] for x in components(private(ben)) if f":{verb}:" in x.get("custom_id", "")]
        if not ways:
            break
        buttons = [way for way in ways if way.startswith("b:")]
        if len(buttons) < len(ways):
            menu = next(x for x in components(private(ben)) if x.get("custom_id", "").startswith(f"m:{verb}:"))
            await visit.choose(ben, verb, visit.luck.choice(menu["options"])["value"])
        else:
            deepest = [way for way in ways if len(way) >= max(map(len, ways)) - 1]
            chosen = visit.luck.choice(deepest)
            await visit.timed(f"button {verb}", lambda way=chosen: ben.press(way, private(ben)))
    if has(private(ben), "b:lesson:"):
        await visit.press(ben, "lesson")


async def toured(visit: Visit) -> None:
    """Takes the whole tour, for a few; then begins another and challenges anybody here. Lessons are not timed."""
    if not visit.busy:
        return
    ana, lessons = visit.room.ana, find(visit.game).lessons
    await ana.slash("abak learn", game=visit.game)
    tour = private(ana)
    for number, lesson in enumerate(lessons):
        if number:
            await ana.press("b:lesson:", tour)
        await done(visit, lesson, tour)
    other = next(x for x in components(ana.fresh(tour)) if x.get("custom_id", "").startswith("m:tour:"))
    await visit.choose(ana, "tour", other["options"][0]["value"])
    await visit.press(ana, "challenge_all", tour)
    await visit.press(ana, "cancel_challenge", ana.last)


async def done(visit: Visit, lesson: Lesson, tour: Json) -> None:
    """Makes the first turn that the lesson asks for, until it is done."""
    game, who = find(visit.game), visit.room.ana
    state = game.decode(lesson.position)
    for step in game.parse(state, lesson.turns[0]):
        words = worded_path(game, state, step, visit.room.say)
        while words:
            words = words[await choose_words(who, who.fresh(tour), words, of=("lesson_pick",)) :]
        state = game.apply(state, step)
        if has(who.fresh(tour), "b:lesson:") or has(who.fresh(tour), "m:tour:"):
            return


async def more(visit: Visit) -> None:
    ana = visit.room.ana
    for verb in ("words", "rule"):
        await visit.press(ana, "more", visit.room.board)
        await visit.press(ana, verb)


async def replayed(visit: Visit) -> None:
    """Opens the replay of the game so far, and its film."""
    ben = visit.room.ben
    await visit.typing(ben, "abak replay", "game", game="")
    await visit.slash(ben, "abak replay")
    await visit.press(ben, "replay", await opened_more(visit, ben))
    for name in ("first", "forward", "last", "back", "flip"):
        message = private(ben)
        looks = [x for x in components(message) if x.get("custom_id", "").startswith("b:look:")]
        button = next(x for x in looks if f":{name}|" in x["custom_id"])
        if not button.get("disabled"):
            await visit.timed("button look", lambda: ben.press(button["custom_id"], message))  # noqa: B023
    await visit.press(ben, "record")


async def opened_more(visit: Visit, who: Seat) -> Json:
    await visit.press(who, "more", visit.room.board)
    return private(who)


async def filmed(visit: Visit) -> None:
    """Asks for the film: first "thinking", then it is there."""
    ben = visit.room.ben
    await visit.slash(ben, "abak replay")
    message = private(ben)
    button = next(x for x in components(message) if x.get("custom_id", "").startswith("b:film:"))
    began = time.perf_counter()
    sent = await visit.timed(
        "button film", lambda: ben.world.press(ben.user_id, int(message["id"]), button["custom_id"])
    )
    await sent.settled(LONG)
    visit.times.found["(film shown)"].append((time.perf_counter() - began) * 1000)


# --- offers and ends -------------------------------------------------------------------------------------------------


async def kept(visit: Visit) -> None:
    """Begins to resign, and cancels."""
    ana = visit.room.ana
    await visit.press(ana, "resign", await opened_more(visit, ana))
    await visit.press(ana, "keep")
    await visit.slash(ana, "abak resign")
    await visit.slash(ana, "abak draw")
    await visit.slash(ana, "abak takeback")


async def declined(visit: Visit) -> None:
    """Offers a draw, which is declined."""
    await offered(visit)
    await visit.moving_on(visit.press(visit.awaited, "decline", visit.room.board))


async def offered(visit: Visit) -> None:
    who = visit.awaited
    await visit.press(who, "sure_draw", await opened_more(visit, who))
    await visit.moving_on(visit.press(who, "draw"))


async def withdrawn(visit: Visit) -> None:
    """Offers a draw and withdraws it; it can be offered again after the next turn."""
    who = visit.awaited
    await offered(visit)
    await visit.moving_on(visit.press(who, "withdraw"))
    await turn(visit)


async def back(visit: Visit) -> None:
    """Takes a turn back, if no dice have fallen since."""
    await turn(visit)
    if visit.over:
        return
    who = visit.other
    opened = await opened_more(visit, who)
    if not has(opened, "b:sure_back:"):  # dice have fallen
        return
    await visit.press(who, "sure_back", opened)
    if has(private(who), "b:ask_back:"):
        await visit.moving_on(visit.press(who, "ask_back"))
        await visit.moving_on(visit.press(visit.awaited, "accept", visit.room.board))


async def resigned(visit: Visit) -> None:
    who = visit.room.ana
    await visit.press(who, "resign", await opened_more(visit, who))
    costly = [x for x in components(private(who)) if x.get("custom_id", "").startswith("b:resign_for:")][-1]
    await visit.moving_on(visit.timed("button resign_for", lambda: who.press(costly["custom_id"], private(who))))


async def again(visit: Visit) -> None:
    """Plays a rematch."""
    await visit.press(visit.room.ana, "rematch", visit.room.board)
    before = visit.room.board["id"]
    await visit.press(visit.room.ben, "accept_challenge", visit.room.ana.last)
    await visit.next_board(before, time.perf_counter())


async def drawn(visit: Visit) -> None:
    """Offers a draw, which is accepted."""
    await offered(visit)
    await visit.moving_on(visit.press(visit.awaited, "accept", visit.room.board))


CUBES: Final = ("abak", "backgammon")


async def doubled(visit: Visit) -> None:
    """Plays a game with the cube: a double cancelled, offered, taken. Without one, the commands say so."""
    if not visit.over:
        await resigned(visit)
    if visit.game not in CUBES:
        await begun(visit)
        for word in ("roll", "double"):
            await visit.slash(visit.room.ana, f"abak {word}", name=f"/abak {word} (no)")
        return
    await begun(visit, cube="on")
    await turn(visit)
    who = visit.awaited
    if not has(visit.room.board, "b:cube:"):  # a forced turn has come in between
        return
    await visit.slash(who, "abak double")
    await visit.press(who, "cube_cancel")
    await visit.press(who, "cube", visit.room.board, at=called(visit, "double"))
    await visit.moving_on(visit.press(who, "cube_confirm"))
    taker, before = visit.awaited, visit.room.board["id"]
    await visit.press(taker, "cube", visit.room.board, at=called(visit, "take"))
    await visit.next_board(before)
    if has(visit.room.board, "b:cube:"):
        await visit.moving_on(visit.slash(visit.awaited, "abak roll"))


def called(visit: Visit, word: str) -> str:
    """Returns the custom_id of a call on the newest board."""
    found = [x.get("custom_id", "") for x in components(visit.room.board)]
    return next(x for x in found if x.startswith("b:cube:") and x.endswith(f":{word}"))
