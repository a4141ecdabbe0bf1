"""The board of a game against a machine: for the person, and with both turns on one message."""

from dataclasses import replace
from unittest.mock import AsyncMock

import pytest

from bot.board import pictures
from bot.board.buttons import board_buttons
from bot.board.message import message, public_below, public_say, reader_of, side_below, status
from bot.board.story import edits_board, replies, story, story_start
from bot.core.translations import language
from bot.games.live import LiveGame
from bot.games.stored import Place
from bot.players.machines import machine_name
from engine.core.record import Header
from engine.core.table import Table
from engine.registry import GAMES, find

ANA, MACHINE = 11, 3
PREFERENCES = {"below": "own", "language": "auto", "client_language": "en"}
EN = language("en")


def opened(*, machine_first: bool = False, game: str = "abalone") -> LiveGame:
    """Returns a game whose start is shown."""
    players = (MACHINE, ANA) if machine_first else (ANA, MACHINE)
    rules = find(game)
    table = Table.open(rules, Header(game, rules.version, "s1", 0, tuple(rules.settle_options({}).items())))
    return LiveGame("s1", table, players, Place(3, 4), "en", 0, None, "", "")


def played(live: LiveGame, *texts: str) -> LiveGame:
    table = live.table
    for at, text in enumerate(texts):
        table = table.play(table.to_act, text, table.seq * 1000 + at)
    return replace(live, table=table)


def shown(live: LiveGame) -> LiveGame:
    return replace(live, shown_seq=live.seq)


def told(live: LiveGame) -> list[str]:
    return story(live, EN, story_start(live))


def test_a_reply_edits_the_board_that_tells_the_persons_turn_and_tells_both() -> None:
    own = played(opened(), "a1b2")
    assert not edits_board(own)
    reply = played(shown(own), "i9h8")
    assert edits_board(reply)
    assert told(reply) == ["Black played `a1b2`", "White played `i9h8`"]
    following = played(shown(reply), "a2b2")
    assert not edits_board(following)
    assert told(following) == ["Black played `a2b2`"]


def test_a_turn_that_is_told_with_its_reply_is_a_new_board() -> None:
    both = played(opened(), "a1b2", "i9h8")
    assert not edits_board(both)
    assert told(both) == ["Black played `a1b2`", "White played `i9h8`"]


def test_a_machine_that_begins_edits_the_first_board() -> None:
    first = played(opened(machine_first=True), "a1b2")
    assert replies(first)
    assert told(first) == ["Black played `a1b2`"]
    assert not replies(replace(first, shown_seq=-1))


def test_the_board_is_drawn_for_the_person_whoever_is_to_move() -> None:
    live = opened(machine_first=True)
    for now in (live, played(live, "a1b2")):
        assert reader_of(now) == ANA
        assert public_below(now, "own") == 1
        assert public_below(now, "first") == 0


def test_between_people_every_turn_is_a_new_board() -> None:
    live = replace(opened(), players=(ANA, 12))
    assert not edits_board(played(shown(played(live, "a1b2")), "i9h8"))


def test_while_the_machine_thinks_the_board_says_so_and_offers_no_moves() -> None:
    for first, awaited in ((False, ANA), (True, MACHINE)):
        live = opened(machine_first=first)
        assert live.awaited == awaited
        verbs = [button.custom_id.split(":")[1] for button in board_buttons(live, EN)]
        assert ("move" in verbs) is (awaited == ANA)
        assert "more" in verbs
        assert (status(live, EN) == EN("board.machine", player=machine_name(MACHINE, EN))) is (awaited == MACHINE)


@pytest.mark.parametrize(("machine_first", "side"), [(False, 0), (True, 1)])
@pytest.mark.parametrize("game", GAMES)
async def test_the_finished_board_is_seen_from_the_persons_side(
    monkeypatch: pytest.MonkeyPatch, game: str, side: int, *, machine_first: bool
) -> None:
    drawn = AsyncMock(side_effect=pictures.card)
    monkeypatch.setattr(pictures, "card", drawn)
    live = opened(machine_first=machine_first, game=game)
    live = replace(live, table=live.table.resign(side, live.game.resign_values(live.state, side)[-1], 0))
    await message(live, EN, PREFERENCES, "wood", ("", ""))
    assert drawn.await_args is not None
    assert drawn.await_args.args[1].below == side
    assert side_below(live, ANA, "mover") == side


def test_in_direct_messages_the_board_speaks_the_persons_language_now() -> None:
    live = opened()
    speaks = {"language": "auto", "client_language": "es"}
    assert public_say(live, speaks).code == "en"
    assert public_say(replace(live, place=Place(None, 4)), speaks).code == "es"
    assert public_say(replace(live, place=Place(None, 4)), {"language": "auto", "client_language": ""}).code == "en"
