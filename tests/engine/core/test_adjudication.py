"""Games that are ended by a decision from outside."""

import subprocess
import sys
from pathlib import Path

import pytest
from fakes.timed import HEAP, NIM, opened, overdue, paused, played, refused

from engine.core.adjudication import RULINGS, Result
from engine.core.errors import CorruptRecord
from engine.core.hours import DAY, HOUR
from engine.core.record import Header, Record, dump, load, sealed
from engine.core.table import Table
from engine.registry import find


@pytest.mark.parametrize("body", RULINGS)
def test_a_decision_ends_the_game_with_its_result(body: str) -> None:
    result, _, why = body.partition(" ")
    over = played(3).adjudicate(result, why, 5 * HOUR)  # type: ignore[arg-type]
    assert str(over.record.entries[-1]) == f"{5 * HOUR} adjudicate * {body}"
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == RULINGS[body]
    assert over.outcome.has_result == over.counts == (body != "void")
    assert (over.to_act, over.deadline) == (None, None)
    assert Table.replay(NIM, load(dump(over.record))) == over
    assert refused(over.adjudicate, "draw", "decision", 6 * HOUR) == "table.over"
    assert refused(over.leave, 0, 6 * HOUR) == "table.over"


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_it_counts_once_both_have_made_a_turn_and_is_never_aborted(turns: int) -> None:
    over = played(turns).adjudicate("1", "forfeit", 5 * HOUR)
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason) == (1, "end.forfeited")
    assert over.counts == (turns == 2)


def test_a_turn_that_was_taken_back_is_none() -> None:
    table = Table.open(NIM, Header("nim", 1, "n1", 0, HEAP)).play(0, "1", 1).play(1, "1", 2)
    assert table.adjudicate("0", "decision", 5).counts
    table = table.offer_takeback(1, 3).answer(0, 4, accept=True)
    assert not table.adjudicate("0", "decision", 5).counts


def test_offers_pauses_and_claims_end_with_the_game() -> None:
    assert played(2).make_offer(0, "draw", 3 * HOUR).adjudicate("0", "decision", 4 * HOUR).offer is None
    assert paused().adjudicate("draw", "", 9 * DAY).outcome is not None
    claimed = overdue().adjudicate("1", "forfeit", 99 * DAY)
    assert claimed.overdue is None
    assert claimed.outcome is not None
    assert not claimed.may_claim(1, 99 * DAY)


def test_a_loss_on_time_comes_first() -> None:
    assert refused(played(4).adjudicate, "draw", "decision", 9 * DAY) == "table.time_up"


@pytest.mark.parametrize(("result", "why"), [("2", "decision"), ("0", "luck"), ("0", ""), ("won", "forfeit")])
def test_a_decision_that_says_nothing_is_refused(result: Result, why: str) -> None:
    assert refused(played(4).adjudicate, result, why, 5 * HOUR) == "table.bad_entry"


@pytest.mark.parametrize("line", ["0 0 decision", "* 0", "* draw", "* draw forfeit", "* void decision", "*", "1 void"])
def test_a_malformed_decision_makes_a_record_corrupt(line: str) -> None:
    text = f"{dump(Record(opened().record.header))}9000 adjudicate {line}\n"
    with pytest.raises(CorruptRecord, match=r"table\.bad_entry"):
        Table.replay(NIM, load(text))


def test_the_command_line_verifies_it_and_its_seal(tmp_path: Path) -> None:
    table = Table.open(find("abalone"), Header("abalone", 1, "a1", 0)).play(0, "c3d4", 1).adjudicate("void", "", 2)
    path = tmp_path / "game.record"
    for text, code in ((sealed(dump(table.record)), 0), (sealed(dump(table.record)).replace("void", "draw"), 2)):
        path.write_text(text, encoding="utf-8")
        asked = [sys.executable, "-m", "engine", "verify", str(path)]
        assert subprocess.run(asked, capture_output=True, check=False).returncode == code
