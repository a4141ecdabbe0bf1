"""Round trips of the record and of JSON, positions a line each, and the command line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pytest
from harness.matches import NAMES, STARTED, random_game, random_match

from engine import exchange
from engine.core.errors import RuleError
from engine.core.record import Entry, Header, Kind, Record, dump, sealed
from engine.core.table import Table
from engine.exchange import FORMATS, Games, Positions
from engine.exchange.dates import date_text, milliseconds, time_text
from engine.exchange.decisions import replayed_game
from engine.kits.cube import ON
from engine.match.record import MatchRecord, dump_match
from engine.registry import GAMES, find

if TYPE_CHECKING:
    from engine.core.game import OptionValue

TESTS = Path(__file__).parents[2]
MANY = "9" * 4300
"""As many digits as Python reads; the next number cannot be printed."""
SAMPLES = sorted([*TESTS.glob("engine/match/samples/*.match"), *TESTS.glob("golden/records/*.record")])
LINES = {"backgammon": ("xgid", "gnubgid"), "abak": ("abakid",)}


def options_of(key: str) -> dict[str, OptionValue]:
    return {"cube": ON} if key in LINES else {}


def some_game(key: str, seed: int = 3, most: int = 120) -> Record:
    return random_game(key, random.Random(seed), options_of(key), most=most)


def refusal(what: Any, form: str) -> str:
    with pytest.raises(RuleError) as caught:
        exchange.write(what, form)
    return caught.value.key


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("form", ["record", "json"])
def test_a_game_comes_back_to_the_last_sign(key: str, form: str) -> None:
    record = some_game(key)
    text = exchange.write(record, form)
    back = exchange.read(text)
    assert isinstance(back, Games)
    assert dump(back.games[0]) == dump(record)
    assert exchange.detect(text) == form


def test_matches_come_back_to_the_last_sign() -> None:
    rng = random.Random(6)
    matches = [random_match(rng, points) for points in range(1, 8)]
    matches += [random_match(rng, points, key="abak") for points in (1, 2)]
    matches.append(random_match(rng, key="apb", best_of=3, options={}))
    for match in matches:
        text = exchange.write(match, "json")
        assert exchange.read(text) == match
        assert exchange.write(exchange.read(text), "record") == dump_match(match)
        assert exchange.read(exchange.write(match, "record")) == match


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_the_samples_come_back_to_the_last_sign(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    content = exchange.read(text)
    assert exchange.write(exchange.read(exchange.write(content, "json")), "record") == text


def test_json_tells_each_turn() -> None:
    game = some_game("backgammon")
    told = json.loads(exchange.write(game, "json", ("Ana", "Ben")))
    assert told["players"] == ["Ana", "Ben"]
    replayed = replayed_game(game)
    turns = told["games"][0]["turns"]
    assert len(turns) == len(replayed.decisions)
    assert {*turns[0]} == {"at", "kind", "seat", "dice", "notation", "position"}
    for turn, decision in zip(turns, replayed.decisions, strict=True):
        state = find("backgammon").decode(turn["position"])
        assert state.points == decision.before.points
        assert turn["dice"] == ("".join(map(str, state.roll)) if state.roll else "")
        assert turn["notation"] == decision.entry.body
    match = random_match(random.Random(2), 5)
    told = json.loads(exchange.write(match, "json"))
    assert told["result"]["reason"] == "match.won"
    assert max(told["score"]) >= 5
    points = [game["outcome"]["points"] for game in told["games"]]
    assert [sum(max(each[seat], 0) for each in points) for seat in (0, 1)] == told["score"]


def test_a_turn_that_was_taken_back_is_only_in_the_record() -> None:
    table = Table.open(find("abalone"), Header("abalone", 1, "a1", STARTED)).play(0, "c3d4", 5)
    table = table.offer_takeback(0, 6).answer(1, 7, accept=True).play(0, "c4d4", 9)
    told = json.loads(exchange.write(table.record, "json"))
    assert [turn["notation"] for turn in told["games"][0]["turns"]] == ["c4d4"]
    assert exchange.read(json.dumps(told)) == Games((table.record,))
    assert "c3d4" not in exchange.write(table.record, "apgn")


@pytest.mark.parametrize(("key", "form"), [(key, form) for key, forms in LINES.items() for form in forms])
def test_lines_are_the_positions_of_the_decisions(key: str, form: str) -> None:
    record = some_game(key)
    game, replayed = find(key), replayed_game(record)
    text = exchange.write(record, form)
    read = [game.encode(game.decode(line)) for line in text.splitlines()]
    due = [game.encode(turn.before) for turn in replayed.decisions]
    assert read[: len(due)] == due
    assert len(read) in {len(due), len(due) + 1}
    assert exchange.detect(text) == form
    assert exchange.read(text) == Positions(key, tuple(read))
    assert exchange.write(exchange.read(text), form) == text


@pytest.mark.parametrize("key", GAMES)
def test_any_position_is_found_to_be_of_its_game(key: str) -> None:
    text = exchange.write(some_game(key, most=20), "position")
    found = exchange.read(text)
    assert isinstance(found, Positions)
    assert found.game == key
    assert exchange.write(found, "position") == text


def test_a_position_that_cannot_be_read_is_named_with_its_line() -> None:
    good = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
    with pytest.raises(RuleError) as caught:
        exchange.read(f"{good}\n\n{good.replace('b', 'z', 1)}\n")
    assert caught.value.params["line"] == 3
    assert str(caught.value).endswith("backgammon.position_letter (letter=z)")


def test_a_position_that_gnubg_ids_do_not_hold_is_refused() -> None:
    beavers = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
    assert refusal(exchange.read(beavers), "gnubgid") == "exchange.lossy_position"
    assert exchange.write(exchange.read(beavers), "xgid") == f"{beavers}\n"


@pytest.mark.parametrize(
    ("what", "form", "key"),
    [
        (some_game("abak", most=20), "mat", "exchange.game"),
        (some_game("abak", most=20), "xgid", "exchange.game"),
        (some_game("backgammon", most=20), "abakid", "exchange.game"),
        (some_game("apb", most=20), "apgn", "exchange.game"),
        (some_game("abalone", most=20), "gif", "exchange.format"),
        (Games(()), "json", "exchange.unknown"),
        (Games((some_game("apb"), some_game("apb"))), "record", "exchange.several_games"),
        (Record(Header("abak", 1, "g1", STARTED)), "abakid", "exchange.no_positions"),
        (Record(Header("abak", 1, "g1", STARTED), (Entry(0, Kind.PLAY, 0, "8/5"),)), "json", "exchange.record"),
        (Positions("apb", (find("apb").encode(find("apb").start({})),)), "json", "exchange.positions"),
        (Positions("abalone", ("nowhere",)), "position", "abalone.fields"),
    ],
)
def test_what_a_format_cannot_say_is_an_error(what: Any, form: str, key: str) -> None:
    assert refusal(what, form) == key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "hello",
        "{}",
        "[]",
        '{"format": "abakbot 1"}',
        '{"format": "abakbot 2", "record": ""}',
        '{"format": "abakbot 1", "players": ["Ana"], "records": []}',
        '{"format": "abakbot 1", "players": ["Ana", "Ben"], "records": []}',
        "format: 1\ngame: apb\n",
        "format: 1\nmatch: m\ngame: apb\n",
        "format: 1\ngame: chess\nversion: 1\nid: a\nstarted: 0\n\n",
        "format: 1\nmatch: m\ngame: backgammon\nversion: 1\nstarted: 0\npoints: --5\n",
        f"XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:0:{MANY}:10\nXGID",
        dump(Record(Header("apb", 1, "g1", STARTED), (Entry(0, Kind.PLAY, 0, "d4-c5"),))),
    ],
)
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(RuleError):
        exchange.read(text)


@pytest.mark.parametrize("number", ["--5", "-", MANY, f"{MANY}9", "\u00b2"])
@pytest.mark.parametrize("field", ["version", "started", "option points", "option layout", "match_game", "entry"])
def test_what_is_no_number_of_a_record_is_refused(field: str, number: str) -> None:
    head = {"format": "1", "game": "backgammon", "version": "1", "id": "a", "started": "0", field: number}
    entry = head.pop("entry", "0")
    text = "".join(f"{name}: {value}\n" for name, value in head.items()) + f"\n{entry} resign 0 1\n"
    with pytest.raises(RuleError):
        exchange.read(text)


@pytest.mark.parametrize("length", ["5", MANY, f"{MANY}9"])
def test_a_position_with_any_length_of_match_can_be_played(length: str) -> None:
    """The fields are texts: a number that no match has counts as none."""
    text = f"XGID=-b----E-C---eE---c-e----B-:0:0:1:65:0:0:{length}:{length}:{length}"
    found = exchange.read(text)
    assert isinstance(found, Positions)
    game = find("backgammon")
    state = game.decode(found.texts[0])
    assert game.legal(state)
    assert exchange.write(found, "xgid").strip() == text


@pytest.mark.parametrize("form", exchange.FORMATS)
def test_a_file_with_too_much_in_it_is_refused_before_it_is_followed(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = next(iter(exchange.FORMATS[form].games), "apb")
    text = exchange.write(some_game(key), form)
    exchange.read(text, form)
    for step in ("apply", "replay_turn"):
        monkeypatch.setattr(type(find(key)), step, Mock(side_effect=AssertionError))
    with pytest.raises(RuleError) as caught:
        exchange.read(text, form, most=0)
    assert caught.value.key == "exchange.too_many"
    assert caught.value.params == {"most": 0}


def test_a_seal_is_checked_and_given_again(tmp_path: Path) -> None:
    text = sealed(dump(some_game("abalone")))
    file, other = tmp_path / "a.record", tmp_path / "a.json"
    file.write_text(text, encoding="utf-8")
    other.write_text(convert(str(file), "--to", "json")[1], encoding="utf-8")
    assert convert(str(other), "--to", "record")[1] == text
    assert not exchange.has_seal(exchange.write(some_game("abalone"), "json"))
    for spoilt in (
        text.replace("1 play", "2 play", 1),
        other.read_text(encoding="utf-8").replace("1 play", "2 play", 1),
    ):
        with pytest.raises(RuleError) as caught:
            exchange.read(spoilt)
        assert "line" in str(caught.value.params["problem"])


def test_dates_are_those_of_the_calendar() -> None:
    from datetime import UTC, datetime, timedelta

    day = datetime(1970, 1, 1, tzinfo=UTC)
    while day.year < 2110:
        ms = int(day.timestamp()) * 1000
        assert (date_text(ms), time_text(ms)) == (day.strftime("%Y.%m.%d"), day.strftime("%H.%M"))
        assert milliseconds(date_text(ms), time_text(ms)) == ms
        day += timedelta(days=9, hours=7, minutes=13)


def test_every_format_has_its_own_key_and_known_games() -> None:
    assert {"record", "json", "mat", "xgid", "gnubgid", "abakid", "apgn", "apb"} <= set(FORMATS)
    assert all(key == each.key and set(each.games) <= set(GAMES) for key, each in FORMATS.items())
    assert exchange.extension(random_match(random.Random(1), 1), "record") == "match"
    assert exchange.extension(some_game("apb"), "record") == "record"


def convert(*asked: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "engine", "convert", *asked], capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_the_command_line_converts(tmp_path: Path) -> None:
    match = random_match(random.Random(8), 3)
    (tmp_path / "a.match").write_text(dump_match(match), encoding="utf-8")
    status, mat, _ = convert(str(tmp_path / "a.match"), "--to", "mat")
    assert status == 0
    assert mat == exchange.write(match, "mat")
    (tmp_path / "a.mat").write_text(mat, encoding="utf-8-sig")
    status, told, _ = convert(str(tmp_path / "a.mat"), "--to", "json", "--from", "mat")
    assert status == 0
    back = exchange.read(told)
    assert isinstance(back, MatchRecord)
    assert back.names == NAMES
    (tmp_path / "a.json").write_text(told, encoding="utf-8")
    assert convert(str(tmp_path / "a.json"), "--to", "record")[1] == dump_match(back)


SHORT = "xgid=-b----E-C---eE---c-e----B:0:0:1:31:0:0:0:0:10"


@pytest.mark.parametrize(
    ("text", "asked", "error"),
    [
        ("nothing", ("--to", "mat"), "exchange.unknown"),
        ("nothing", ("--to", "json", "--from", "mat"), "exchange.mat.no_match"),
        (SHORT, ("--to", "json"), f"exchange.line (line=1, text={SHORT}): backgammon.position_length (found=25)"),
        (
            "ABAKID=ED:-:0:0:1:31:0:0:0:0:10",
            ("--to", "json"),
            "exchange.line (line=1, text=ABAKID=ED:-:0:0:1:31:0:0:0:0:10): abak.",
        ),
        ("9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -", ("--to", "gif"), "exchange.format"),
        ("9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -", ("--to", "xgid"), "exchange.game"),
    ],
)
def test_the_command_line_refuses_with_status_2(tmp_path: Path, text: str, asked: tuple[str, ...], error: str) -> None:
    (tmp_path / "file").write_text(text, encoding="utf-8")
    status, out, errors = convert(str(tmp_path / "file"), *asked)
    assert (status, out) == (2, "")
    assert errors.startswith(error)
    assert convert(str(tmp_path / "none"), "--to", "json")[0] == 2
