"""/abak export over the socket: which files come, and what they hold when they are read again."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import private, told
from harness.discord import Seat, is_ephemeral
from harness.match import begin_match, first_turn, resign

from bot.exchange import export, service
from bot.games.service import GameService
from engine.exchange import Content, Games, Positions, read
from engine.match.match import Terms
from engine.match.record import MatchRecord

if TYPE_CHECKING:
    from harness.bot import Room

    from bot.games.live import LiveGame

FILES = {
    "abalone": ["{}.record", "{}.json", "{}.apgn", "{}-position.txt"],
    "apb": ["{}.record", "{}.json", "{}.apb", "{}-position.txt"],
    "backgammon": ["{}.record", "{}.json", "{}.mat", "{}-gnubgid.txt", "{}-xgid.txt", "{}-position.txt"],
    "abak": ["{}.record", "{}.json", "{}-abakid.txt", "{}-position.txt"],
}


def files(who: Seat) -> dict[str, str]:
    """Returns the texts of the files that somebody was sent last, by name."""
    message = private(who)
    return {a["filename"]: who.world.attachment(int(a["id"]))[0].decode() for a in message["attachments"]}


async def finish(room: Room, game: str) -> LiveGame:
    """Plays a game of one turn, which Ben resigns."""
    assert room.bot is not None
    live, games = await room.begin(game), room.bot.service(GameService)
    await games.play(live.id, live.to_act or 0, None, whole_turn(live))
    live = await room.shown()
    await games.resign(live.id, room.ben.user_id, live.game.resign_values(live.state, 1)[-1])
    over = await room.shown()
    assert over.is_over
    return over


def whole_turn(live: LiveGame) -> list[Any]:
    """Returns the turn that always takes the first step."""
    state, steps, seat = live.state, [], live.seat_to_act
    while live.game.to_act(state) == seat:
        steps.append(live.game.legal(state)[0])
        state = live.game.apply(state, steps[-1])
    return steps


def length(content: Content) -> int:
    """Returns the number of entries or positions in a file."""
    return len(content.texts) if isinstance(content, Positions) else sum(len(game.entries) for game in content.games)


@pytest.mark.parametrize("game", FILES)
async def test_a_game_in_every_format_that_can_say_it(room: Room, game: str) -> None:
    live = await finish(room, game)
    await room.ana.slash("abak export")
    assert is_ephemeral(private(room.ana))
    found = files(room.ana)
    name = f"{game}-{live.id}"
    assert list(found) == [pattern.format(name) for pattern in FILES[game]]
    assert told(room.ana).startswith("Here it is, in every format")
    contents = {file: read(text) for file, text in found.items()}
    assert contents[f"{name}.record"] == Games((live.record,))
    assert contents[f"{name}.json"] == Games((live.record,), ("Ana", "Ben"))
    for file, content in contents.items():
        kind = Positions if file.endswith(".txt") else Games
        assert isinstance(content, kind), file
        assert length(content) > 0, file


async def test_one_format_and_what_it_cannot_say(room: Room) -> None:
    live = await finish(room, "backgammon")
    await room.ben.slash("abak export", game=live.id, format="mat")
    assert list(files(room.ben)) == [f"backgammon-{live.id}.mat"]
    assert told(room.ben).startswith("Here is the file:")
    content = read(files(room.ben)[f"backgammon-{live.id}.mat"])
    assert isinstance(content, Games)
    assert content.names == ("Ana", "Ben")
    await room.ben.slash("abak export", game=live.id, format="abakid")
    assert "abakid" in told(room.ben)
    assert files(room.ben) == {}
    await room.ben.slash("abak export", game="nothere")
    assert files(room.ben) == {}


async def test_a_match_of_several_games(room: Room) -> None:
    await begin_match(room, Terms(points=5), "backgammon", cube="on")
    first = await first_turn(room)
    await resign(room, room.ben, 2, offer=True)
    await first_turn(room)
    live = await resign(room, room.ben, 1, offer=True)
    assert live.record.header.match_game == 3
    match_id = live.record.header.match
    await room.ana.slash("abak export", game=first.id, what="match")
    found = files(room.ana)
    assert list(found)[:3] == [f"backgammon-{match_id}.{end}" for end in ("match", "json", "mat")]
    for end in ("match", "json", "mat"):
        content = read(found[f"backgammon-{match_id}.{end}"])
        assert isinstance(content, MatchRecord), end
        assert len(content.games) >= 2, end
        assert (content.header.terms.points, content.names) == (5, ("Ana", "Ben")), end
    await room.ana.slash("abak export", game=first.id, what="game")
    assert next(iter(files(room.ana))) == f"backgammon-{first.id}.record"
    single = read(files(room.ana)[f"backgammon-{first.id}.record"])
    assert isinstance(single, Games)
    assert len(single.games) == 1


async def test_all_my_games_in_one_file(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.ana.slash("abak export", what="all")
    assert told(room.ana) == "You have no finished games yet."
    apb = await finish(room, "apb")
    abalone = await finish(room.elsewhere(room.server.world.add_channel("two")), "abalone")
    matched = room.elsewhere(room.server.world.add_channel("three"))
    matched.bot = room.bot
    first = await begin_match(matched, Terms(points=3), "backgammon", cube="on")
    await first_turn(matched)
    await resign(matched, matched.ben, 1, offer=True)
    await room.ana.slash("abak export", what="all")
    assert told(room.ana) == "Your 3 finished games:"
    names = zipped(room.ana)
    folder = f"{first.record.header.match}/01-backgammon-{first.id}"
    assert set(names) == {
        f"apb-{apb.id}.record",
        f"apb-{apb.id}.apb",
        f"abalone-{abalone.id}.record",
        f"abalone-{abalone.id}.apgn",
        f"{folder}.record",
        f"{folder}.mat",
    }
    assert read(names[f"apb-{apb.id}.record"]) == Games((apb.record,))
    await room.ana.slash("abak export", what="all")
    assert told(room.ana) == "Your games were exported just now. Try again in a minute."
    monkeypatch.setattr(service, "PAUSE_MS", 0)
    await room.ana.slash("abak export", what="all", format="apgn")
    assert told(room.ana) == "Your 1 finished game:"
    assert set(zipped(room.ana)) == {f"abalone-{abalone.id}.apgn"}
    await room.ana.slash("abak export", what="all", format="abakid")
    assert told(room.ana) == "This format cannot hold any of your finished games."
    monkeypatch.setattr(export, "GAMES", 2)
    await room.ana.slash("abak export", what="all")
    assert told(room.ana) == "Your latest 2 finished games. More do not fit into one file."
    assert f"apb-{apb.id}.record" not in zipped(room.ana)


def zipped(who: Seat) -> dict[str, str]:
    """Returns the texts in the zip file that somebody was sent last."""
    (attachment,) = private(who)["attachments"]
    assert attachment["filename"] == "abakbot-games.zip"
    with zipfile.ZipFile(io.BytesIO(who.world.attachment(int(attachment["id"]))[0])) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


async def test_a_game_of_others_stays_closed(room: Room) -> None:
    live = await finish(room, "abalone")
    world = room.server.world
    guild = world.add_guild("Elsewhere")
    eve = Seat.join(world, "Eve", world.add_channel("there", guild))
    world.remove_member(world.guild_id, eve.user_id)
    await eve.slash("abak export", game=live.id)
    assert files(eve) == {}
    refusal = told(eve)
    await eve.slash("abak export", game=live.id, what="match")
    assert (files(eve), told(eve)) == ({}, refusal)


async def test_finished_games_are_offered_while_one_types(room: Room) -> None:
    live = await finish(room, "abalone")
    (offered,) = await room.ana.choices("abak export", "game", game="abal")
    assert offered["value"] == live.id
    assert await room.ana.choices("abak export", "game", game="chess") == []


async def test_in_spanish(spanish_room: Room) -> None:
    await spanish_room.ana.slash("abak export", what="all")
    assert told(spanish_room.ana) == "Aún no tienes partidas terminadas."
    live = await finish(spanish_room, "abalone")
    await spanish_room.ana.slash("abak export", game=live.id, format="apgn")
    assert told(spanish_room.ana) == "Aquí está el archivo:"  # Discord names it
