"""``/abak data``, as its users meet it: the panel, the export, the deletion."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, bot_running, private, told, told_all, verbs
from harness.discord import Seat, components, text, until

from bot.conditional.service import ConditionalMoveService
from bot.core.translations import language
from bot.privacy.export.archive import Archive
from bot.privacy.export.service import PAUSE_MS, ExportService
from engine.core.record import Kind, load

if TYPE_CHECKING:
    from bot.sandbox.interactions.interaction import Interaction
    from bot.sandbox.server import Server

Json = dict[str, Any]
EN: Final = language("en")
ES: Final = language("es")


@pytest.fixture
def now() -> Clock:
    return Clock()


async def play(room: Room, turns: int) -> None:
    for _ in range(turns):
        live = await room.shown()
        await room.type(live, live.game.format(live.state, [live.game.legal(live.state)[0]]))
    await room.shown()


async def panel(who: Seat) -> Json:
    await who.slash("abak data")
    return private(who)


async def delete_me(who: Seat, word: str) -> Interaction:
    """Goes the whole way: the panel, the explanation, the form."""
    shown = await panel(who)
    await who.press("b:data_delete:", shown)
    opened = await who.press("b:data_ask:", shown)
    return await who.submit(opened, {"word": word})


def unpacked(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def exported(room: Room, who: Seat) -> dict[str, str]:
    """Returns the files of all zip files that they are sent."""
    await who.press("b:data_export:", await panel(who))
    assert room.bot is not None
    await told_all(room.bot)
    files: dict[str, str] = {}
    for message in who.messages:
        for attachment in message["attachments"]:
            if attachment["filename"].endswith(".zip"):
                data = room.server.world.attachment(int(attachment["id"]))[0]
                files |= unpacked(data)
    return files


# --- the panel -------------------------------------------------------------------------------------------------------


async def test_the_panel_says_in_words_what_is_stored(room: Room) -> None:
    await room.begin("abalone", time="1d/move")
    await room.challenge("apb")
    shown = await panel(room.ben)
    for line in (EN("data.kind.games", n=1), EN("data.kind.challenges", n=2), EN("data.kind.player_names", n=1)):
        assert f"- {line}" in text(shown)
    assert verbs(shown) == ["data_export", "data_delete"]


async def test_the_pages_of_the_host_are_linked(stand_in: Server, sqlite_url: str) -> None:
    pages = {"privacy_url": "https://example.org/privacy", "terms_url": "https://example.org/terms"}
    async with bot_running(stand_in, sqlite_url, contact="data@example.org", **pages) as bot:
        room = Room.of(stand_in, bot)
        shown = await panel(room.ana)
        assert [x["url"] for x in components(shown) if "url" in x] == list(pages.values())
        assert EN("data.contact", markup="data@example.org") in text(shown)
        await room.ana.slash("abak help")
        assert [x["url"] for x in components(private(room.ana)) if "url" in x] == list(pages.values())


# --- the export ------------------------------------------------------------------------------------------------------


async def test_an_export_holds_every_game_and_names_instead_of_ids(room: Room) -> None:
    assert room.bot is not None
    await room.begin("abalone", time="1d/move")
    await play(room, 2)
    live = await room.shown()
    waiting = room.other(live)
    condition = live.game.format(live.state, [live.game.legal(live.state)[0]])
    await room.bot.service(ConditionalMoveService).add_condition(live, waiting.user_id, None, condition)
    files = await exported(room, waiting)
    assert files["README.txt"].startswith(EN("data.readme.title"))
    assert EN("data.kind.games", n=1) in files["README.txt"]
    (game,) = json.loads(files["games.json"])
    opponent = "Ana" if waiting is room.ben else "Ben"
    assert {game["seat0"], game["seat1"]} == {"you", opponent}
    assert game["channel_id"] == str(room.channel_id)
    assert "secret" not in game
    assert live.secret not in "".join(files.values())
    name = f"games/abalone-{live.id}"
    assert load(files[f"{name}.record"]).header.id == live.id
    assert [move["condition"] for move in json.loads(files[f"{name}-conditional.json"])] == [condition]
    assert str(room.to_move(live).user_id) not in "".join(files.values())
    for file, written in files.items():
        assert not file.endswith(".json") or json.loads(written)


async def test_an_export_of_somebody_new_and_in_spanish(room: Room, now: Clock) -> None:
    eva = Seat.join(room.server.world, "Eva", room.channel_id, locale=SPANISH)
    files = await exported(room, eva)
    assert set(files) == {"README.txt", "player_names.json", "preferences.json"}
    assert files["README.txt"].startswith(ES("data.readme.title"))
    (name,) = json.loads(files["player_names.json"])
    assert (name["name"], name["user_id"]) == ("Eva", "you")
    await eva.press("b:data_export:", await panel(eva))
    assert told(eva) == ES("data.export_later")
    now.at += PAUSE_MS
    assert len(await exported(room, eva)) == 3


async def test_a_large_export_comes_in_parts(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    await room.begin("abalone", time="1d/move")
    await play(room, 2)
    monkeypatch.setattr(room.bot.service(ExportService), "_limit", 1500)
    await room.ana.press("b:data_export:", await panel(room.ana))
    await told_all(room.bot)
    sent = [a for m in room.ana.messages for a in m["attachments"] if a["filename"].endswith(".zip")]
    assert len(sent) > 1
    assert [a["filename"] for a in sent] == [f"abakbot-data-{number}.zip" for number in range(1, len(sent) + 1)]
    assert all(a["size"] <= 2000 for a in sent)


def test_an_archive_keeps_to_its_limit() -> None:
    archive, parts = Archive(5000), []
    for number in range(300):
        full = archive.add(f"{number}.txt", f"{number} " * 40)
        parts += [full] if full else []
    parts.append(archive.close())
    assert len(parts) > 5
    assert max(map(len, parts)) <= 5000
    assert sorted(name for part in parts for name in unpacked(part)) == sorted(f"{n}.txt" for n in range(300))


# --- the deletion ----------------------------------------------------------------------------------------------------


async def test_the_way_to_a_deletion_says_first_what_it_does(room: Room) -> None:
    await room.begin("abalone", time="1d/move")
    await room.challenge("apb")
    shown = await panel(room.ben)
    await room.ben.press("b:data_delete:", shown)
    explained = text(room.ben.fresh(shown))
    assert EN("data.delete.running", n=1) in explained
    assert EN("data.delete.challenges", n=1) in explained
    await room.ben.press("b:data_keep:", shown)
    assert text(room.ben.fresh(shown)) == EN("data.kept")
    assert not (await room.present()).is_over


@pytest.mark.parametrize("word", ["", "DEL", "yes", "Ben"])
async def test_nothing_is_deleted_without_the_word(room: Room, word: str) -> None:
    await room.begin("abalone", time="1d/move")
    await delete_me(room.ben, word)
    assert told(room.ben) == EN("data.not_confirmed", word="DELETE")
    assert not (await room.present()).is_over


@pytest.mark.parametrize("word", ["DELETE", "  delete ", "borrar"])
async def test_the_opponent_wins_and_sees_a_former_player(room: Room, word: str) -> None:
    await room.begin("abalone", time="1d/move")
    await play(room, 4)
    await delete_me(room.ben, word)
    assert told(room.ben) == EN("data.deleted")
    over = await room.shown()
    assert over.record.entries[-1].kind is Kind.LEAVE
    assert over.outcome is not None
    assert over.players[over.outcome.winner or 0] == room.ana.user_id
    for line in (text(room.board), room.board["attachments"][0]["description"]):
        assert room.ben.mention not in line
        assert str(room.ben.user_id) not in line
    assert EN("player.former") in text(room.board)
    await room.ana.press("b:rematch:", room.board)
    assert told(room.ana) == EN("rematch.former")


async def test_a_challenge_of_theirs_says_that_it_is_off(room: Room) -> None:
    assert room.bot is not None
    message = await room.challenge("apb")
    await delete_me(room.ana, "DELETE")
    await until(lambda: not verbs(room.ben.fresh(message)), "the message says that it is closed")
    closed = text(room.ben.fresh(message))
    assert closed.startswith("A former player challenges")
    assert "A former player cancelled the challenge." in closed
    assert room.ana.mention not in closed
