"""/abak import over the socket: what is read and refused, and the analysis board: stepping, playing on, whose it is."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.analysis import MAT, XGID, load, open_position, step
from harness.bot import Room, private, told
from harness.discord import Seat, alt, buttons, components, is_ephemeral, menus, options
from harness.matches import random_game, random_match

from bot.exchange import service
from bot.exchange.analysis import NAME_LENGTH, names_of, table_of
from bot.exchange.service import ExchangeService
from bot.exchange.worker import PAUSE, AnalysisCleaner
from bot.games.service import GameService
from engine.exchange import Games, write

if TYPE_CHECKING:
    from collections.abc import Callable


Json = dict[str, Any]
TO_ROLL = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"
GNUBG = "4HPwATDgc/ABMA:cIllAAAAAAAE"
ABAKID = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10"
ABALONE = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0"
APB = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"
POSITIONS = {
    XGID: ("Backgammon", XGID),
    f"`{XGID}`": ("Backgammon", XGID),
    f"```{XGID}```": ("Backgammon", XGID),
    GNUBG: ("Backgammon", GNUBG),
    ABAKID: ("Abak Evolution Backgammon", ABAKID),
    ABALONE: ("Abalone", ABALONE),
    APB: ("APB", APB),
}
HEADING = "**Analysis** · Backgammon · Ana \u2013 Ben\\_\\*"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def now(clock: Clock) -> Callable[[], int]:
    return clock


def lines(who: Seat, message: Json) -> list[str]:
    return who.fresh(message)["content"].split("\n")  # type: ignore[no-any-return]


def offered(who: Seat, message: Json) -> set[str]:
    """Returns the turns that the menu offers."""
    return {option["value"] for option in menus(who.fresh(message))[0]["options"]}


def enabled(who: Seat, message: Json) -> list[str]:
    return [label for label, button in buttons(who.fresh(message)).items() if not button.get("disabled")]


# --- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("typed", POSITIONS)
async def test_a_position_of_any_kind_opens_a_board(room: Room, typed: str) -> None:
    game, shown = POSITIONS[typed]
    message = await open_position(room.ana, typed)
    assert is_ephemeral(message)
    assert lines(room.ana, message)[0] == f"**Analysis** · {game}"
    assert "0 of 0" not in message["content"]
    assert f"`{shown}`" in lines(room.ana, message)
    assert len(message["attachments"]) == 1
    assert alt(message)[0]
    assert enabled(room.ana, message) == ["Flip", "Type"]


async def test_a_match_is_stepped_through(room: Room) -> None:
    message = await load(room.ana, MAT)
    assert lines(room.ana, message)[:2] == [
        HEADING,
        "Game 1 of 2 · position 0 of 7",
    ]
    assert enabled(room.ana, message)[-3:] == ["Flip", "Type", "Roll"]
    first, back, forward, last = [b["custom_id"] for b in list(buttons(message).values())[:4]]
    before = alt(message)
    await room.ana.press(forward, message)
    assert lines(room.ana, message)[1:3] == ["Game 1 of 2 · position 1 of 7", "The roll is 3-1."]
    await room.ana.press(step(room.ana, message, 2), message)
    assert lines(room.ana, message)[2:4] == ["White played `8/5 6/5`.", "Black to play."]
    assert alt(room.ana.fresh(message)) != before
    await room.ana.press(last, message)
    assert lines(room.ana, message)[1] == "Game 1 of 2 · position 7 of 7"
    assert lines(room.ana, message)[3] == "White wins 1 point: the double was passed."
    assert "Type" not in enabled(room.ana, message)
    await room.ana.press(step(room.ana, message, 1), message)
    assert lines(room.ana, message)[1] == "Game 1 of 2 · position 6 of 7"
    await room.ana.press(first, message)
    assert (first, lines(room.ana, message)[1]) == (back.replace("back", "first"), "Game 1 of 2 · position 0 of 7")
    below = room.ana.fresh(message)["attachments"][0]["id"]
    await room.ana.press("Flip", message)
    assert room.ana.fresh(message)["attachments"][0]["id"] != below
    assert lines(room.ana, message)[1] == "Game 1 of 2 · position 0 of 7"
    assert options(room.ana.fresh(message)) == ["Game 1", "Game 2"]
    await room.ana.choose("Game 2", menu="Choose a game", message=message)
    assert lines(room.ana, message)[1].startswith("Game 2 of 2 · position 0 of ")


@pytest.mark.parametrize("form", ["record", "json", "mat"])
async def test_a_match_of_ours_comes_back(room: Room, form: str) -> None:
    match = random_match(random.Random(5), 3)
    message = await load(room.ana, write(match, form), f"a.{'match' if form == 'record' else form}")
    assert lines(room.ana, message)[0] == HEADING.replace(r"Ben\_\*", "Ben Núñez")
    assert lines(room.ana, message)[1].startswith(f"Game 1 of {len(match.games)} · position 0 of ")


def test_names_in_a_file_are_cleaned() -> None:
    """They stand on the picture, too."""
    game = random_game("abalone", random.Random(1), {"target": 1})
    assert names_of(Games((game,), ("Ana\u202e\x07 \n B", "x" * 40))) == ("Ana B", "x" * NAME_LENGTH)


async def test_players_of_a_series_swap_seats(room: Room) -> None:
    match = random_match(random.Random(2), key="abalone", best_of=3, options={"target": 1})
    message = await load(room.ana, write(match, "json"), "a.json")
    assert lines(room.ana, message)[0] == "**Analysis** · Abalone · Ana \u2013 Ben Núñez"
    await room.ana.choose("Game 2", menu="Choose a game", message=message)
    assert lines(room.ana, message)[0] == "**Analysis** · Abalone · Ben Núñez \u2013 Ana"


async def test_a_record_keeps_its_moves(room: Room) -> None:
    record = random_game("abalone", random.Random(1), {"target": 1})
    message = await load(room.ana, write(record, "record"), "a.record")
    await room.ana.press(step(room.ana, message, 3), message)
    played = [entry.body for entry in record.entries if entry.kind == "play"]
    assert f"`{played[-1]}`" in room.ana.fresh(message)["content"]


@pytest.mark.parametrize(
    ("content", "told_so"),
    [
        ("nonsense", "I cannot read this."),
        ("", "I cannot read this."),
        ("{" * 5000, "I cannot read"),
        ("format: 1\n" + "x" * 20_000, "I cannot read"),
        (MAT.replace("8/5 6/5", "8/4 6/5", 1), "Line 8 does not fit: “"),
        (MAT + "y" * 3000, "Line"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This is not a text file."),
        (b"\x81\x8d", "This is not a text file."),
        ("x" * 400_001, "This is too long. 400000 characters fit."),
    ],
)
async def test_what_cannot_be_read_is_said(room: Room, content: str | bytes, told_so: str) -> None:
    message = await load(room.ana, content)
    assert told_so in message["content"]
    assert not message["attachments"]
    assert len(message["content"]) <= 2000


async def test_nothing_to_import_and_a_file_that_is_gone(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.ana.slash("abak import")
    assert told(room.ana).startswith("Give a position or a file")
    messages = room.server.world.messages
    store = messages.store_upload
    gone = {"url": f"{room.server.url}/attachments/1/gone.mat"}
    monkeypatch.setattr(messages, "store_upload", lambda upload: store(upload) | gone)
    assert (await load(room.ana, MAT))["content"] == "The file could not be loaded from Discord. Try again."


async def test_a_bad_play_is_named_with_its_rule(room: Room) -> None:
    message = await load(room.ana, MAT.replace("8/5 6/5", "8/4 6/5", 1))
    first, rest = message["content"].split("”. ")
    assert first.startswith("Line 8 does not fit: “1\\) 31: 8/4 6/5")
    assert len(rest) > 10


# --- playing on ------------------------------------------------------------------------------------------------------


async def test_one_plays_on_from_a_position(room: Room) -> None:
    message = await open_position(room.ana, XGID)
    menu = menus(message)[0]
    assert len(menu["options"]) == 16
    await room.ana.choose("8/5 6/5", message=message)
    assert lines(room.ana, message)[1:4] == [
        "Your own line · position 1 of 1",
        "White played `8/5 6/5`.",
        "Black to play.",
    ]
    # dice that are given, then a typed turn
    await room.ana.submit(await room.ana.press("Type", message), {"move": "64"})
    assert lines(room.ana, message)[1:4] == ["Your own line · position 3 of 3", "The roll is 6-4.", "Black to play."]
    await room.ana.submit(await room.ana.press("Type", message), {"move": "24/14"})
    assert lines(room.ana, message)[2] == "Black played `24/14`."
    # dice that fall
    await room.ana.press("Roll", message)
    assert re.fullmatch(r"The roll is [1-6]-[1-6]\.", lines(room.ana, message)[2])
    assert lines(room.ana, message)[3] == "White to play."
    await room.ana.press("Undo", message)
    assert lines(room.ana, message)[1:3] == ["Your own line · position 4 of 4", "Black played `24/14`."]
    # back in the line, another turn replaces what came after
    await room.ana.press(step(room.ana, message, 0), message)
    await room.ana.choose("24/23 24/21", message=message)
    assert lines(room.ana, message)[1:3] == ["Your own line · position 1 of 1", "White played `24/23 24/21`."]
    await room.ana.press("Undo", message)
    assert lines(room.ana, message)[1] == "Your own line · position 0 of 0"
    assert "Undo" not in enabled(room.ana, message)
    await room.ana.press("Back to the game", message)
    assert "of 0" not in room.ana.fresh(message)["content"]
    assert "Your line" not in enabled(room.ana, message)


async def test_a_line_leaves_a_game_and_comes_back_to_it(room: Room) -> None:
    message = await load(room.ana, MAT)
    await room.ana.choose("Game 2", menu="Choose a game", message=message)
    for _ in range(4):
        await room.ana.press(step(room.ana, message, 2), message)
    assert lines(room.ana, message)[1].startswith("Game 2 of 2 · position 4 of ")
    await room.ana.choose("24/18 13/9", message=message)
    assert lines(room.ana, message)[1:3] == ["Your own line · position 5 of 5", "Black played `24/18 13/9`."]
    await room.ana.choose("Game 1", menu="Choose a game", message=message)
    assert "Your line" in enabled(room.ana, message)
    await room.ana.press("Your line", message)
    assert lines(room.ana, message)[1] == "Your own line · position 5 of 5"
    await room.ana.press("Back to the game", message)
    assert lines(room.ana, message)[1].startswith("Game 2 of 2 · position 4 of ")


async def test_the_cube_can_be_turned_in_a_line(room: Room) -> None:
    message = await open_position(room.ana, TO_ROLL)
    assert lines(room.ana, message)[1] == "White to play."
    assert offered(room.ana, message) == {"double", "roll"}
    await room.ana.submit(await room.ana.press("Type", message), {"move": "31"})  # White decides to roll, and rolls it
    await room.ana.choose("8/5 6/5", message=message)
    await room.ana.choose("double", message=message)
    assert lines(room.ana, message)[2] == "Black doubles to 2."
    assert offered(room.ana, message) == {"take", "pass"}
    await room.ana.choose("take", message=message)
    assert lines(room.ana, message)[2] == "White takes the double. The game counts 2, and White owns the cube."
    await room.ana.press("Undo", message)
    await room.ana.choose("pass", message=message)
    assert "Black wins 1 point" in lines(room.ana, message)[3]


@pytest.mark.parametrize("position", [ABALONE, APB])
async def test_other_games_are_played_on_by_typing(room: Room, position: str) -> None:
    assert room.bot is not None
    message = await open_position(room.ana, position)
    analysis = message_id(message)
    board = await room.bot.service(ExchangeService).get(analysis, room.ana.user_id)
    table = table_of(board.games[0])
    state, steps = table.state, []
    while table.game.to_act(state) == 0:
        steps.append(table.game.legal(state)[0])
        state = table.game.apply(state, steps[-1])
    text = table.game.format(table.state, steps)
    await room.ana.submit(await room.ana.press("Type", message), {"move": text})
    assert f"`{text}`" in lines(room.ana, message)[2]


def message_id(message: Json) -> str:
    """Returns the id of the analysis board in its buttons."""
    return str(next(x["custom_id"] for x in components(message) if "custom_id" in x).split(":")[2])


async def test_an_illegal_turn_is_refused_with_its_rule(room: Room) -> None:
    message = await open_position(room.ana, XGID)
    before = room.ana.fresh(message)["content"]
    for typed, why in (("8/4 6/5", "3-1"), ("what", "what"), ("double", ""), ("64", "")):
        await room.ana.submit(await room.ana.press("Type", message), {"move": typed})
        assert private(room.ana)["id"] != message["id"]
        assert why in told(room.ana)
        assert "went wrong" not in told(room.ana)
    assert room.ana.fresh(message)["content"] == before


# --- whose it is, and how long it stays -------------------------------------------------------------------------------


async def test_a_board_is_its_owners_alone(room: Room) -> None:
    assert room.bot is not None
    message = await load(room.ana, MAT)
    own = await open_position(room.ben, XGID)
    world = room.server.world
    theirs = step(room.ana, message, 2)
    component = next(x for x in components(room.ben.fresh(own)) if x.get("custom_id") == step(room.ben, own, 4))
    component["custom_id"] = theirs
    await room.ben.press(theirs, own)
    assert told(room.ben) == "This analysis board no longer exists. Open a new one with `/abak import`."
    assert world.visible_messages(room.ben.user_id, room.channel_id)[-1]["id"] != message["id"]


async def test_unused_boards_are_deleted(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    exchange = room.bot.service(ExchangeService)
    old, used = await open_position(room.ana, XGID), await open_position(room.ana, XGID)
    clock.at += service.KEPT_MS
    await room.ana.choose("8/5 6/5", message=used)
    clock.at += 1
    assert await AnalysisCleaner(exchange).run_once() == PAUSE
    await room.ana.press("Flip", used)
    assert "Your own line" in lines(room.ana, used)[1]
    await room.ana.press("Flip", old)
    assert told(room.ana).startswith("This analysis board no longer exists.")


# --- finished games ---------------------------------------------------------------------------------------------------


async def test_a_finished_game_opens_from_its_replay(room: Room) -> None:
    assert room.bot is not None
    games = room.bot.service(GameService)
    live = await room.begin("abalone")
    for _ in range(2):
        live = await games.play(live.id, live.to_act or 0, None, [live.game.legal(live.state)[0]])
    await room.ana.slash("abak replay", game=live.id)
    assert "Analyse" not in buttons(private(room.ana))
    await games.resign(live.id, room.ben.user_id, 1)
    await room.shown()
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await eve.slash("abak replay", game=live.id)
    replay = private(eve)
    await eve.press(step(eve, replay, 1), replay)
    await eve.press("Analyse", replay)
    board = private(eve)
    assert board["id"] != replay["id"]
    assert lines(eve, board)[:2] == ["**Analysis** · Abalone · Ana \u2013 Ben", "Position 2 of 3"]
    await eve.choose(options(board)[0], message=board)
    assert lines(eve, board)[1] == "Your own line · position 3 of 3"
    await eve.press("Back to the game", board)
    assert lines(eve, board)[1] == "Position 2 of 3"
    await eve.press(step(eve, board, 3), board)
    assert "Black wins: resignation." in lines(eve, board)  # there are no points in this game


async def test_in_spanish(spanish_room: Room) -> None:
    ana = spanish_room.ana
    message = await load(ana, MAT)
    assert lines(ana, message)[0] == HEADING.replace("Analysis", "Análisis")
    await ana.press(step(ana, message, 2), message)
    await ana.choose("8/5 6/5", message=message)
    assert lines(ana, message)[2].startswith("Las blancas han jugado")
    await load(ana, "nada")
    assert told(ana).startswith("No puedo leer esto")
