"""The table: commands, refusals, offers, taking back, and luck that can be checked."""

from dataclasses import replace

import pytest
from fakes.toy import Heap, Nim

from engine.core.chance import commitment, draw
from engine.core.errors import CorruptRecord, IllegalMove, RuleError
from engine.core.game import CHANCE
from engine.core.record import Entry, Header, Kind, Record, dump, load, load_entry
from engine.core.rolls import drawn, verify
from engine.core.table import Table, replay_tables
from engine.core.takeback import taken_back_entries
from engine.registry import find

ABALONE = find("abalone")
NIM = Nim()


def opened() -> Table:
    return Table.open(ABALONE, Header("abalone", 1, "t1", 1000))


def played(*moves: str) -> Table:
    table = opened()
    for number, move in enumerate(moves):
        table = table.play(number % 2, move, number)
    return table


def refusal(command: object, *arguments: object, **more: object) -> str:
    with pytest.raises(RuleError) as raised:
        command(*arguments, **more)  # type: ignore[operator]
    return raised.value.key


def test_a_play_is_appended_in_canonical_notation() -> None:
    table = played("C3 d4")
    assert str(table.record.entries[0]) == "0 play 0 c3d4"
    assert table.to_act == 1
    assert table.seq == 1


def test_only_the_seat_to_act_plays() -> None:
    assert refusal(opened().play, 1, "g5f5", 0) == "table.not_your_turn"


def test_a_finished_game_takes_nothing_more() -> None:
    over = opened().resign(0, 1, 0)
    assert over.outcome is not None
    assert over.outcome.winner == 1
    assert over.to_act is None
    commands = [
        (over.play, (0, "c3d4", 1)),
        (over.resign, (1, 1, 1)),
        (over.make_offer, (1, "draw", 1)),
        (over.offer_takeback, (0, 1)),
        (over.append, (Entry(1, Kind.RESIGN, 1, "1"),)),
    ]
    assert {refusal(command, *arguments) for command, arguments in commands} == {"table.over"}
    assert refusal(over.answer, 1, 1, accept=True) == "table.over"


def test_a_resignation_below_the_stake_is_refused_or_offered() -> None:
    assert refusal(opened().resign, 0, 2, 0) == "table.resign_points"
    table = Table.open(find("backgammon"), Header("backgammon", 1, "t2", 0))
    low, *_, most = table.game.resign_values(table.state, 0)
    offered = table.resign(0, low, 0)
    assert offered.offer is not None
    assert offered.outcome is None
    assert offered.answer(1, 1, accept=True).outcome.points == (-low, low)
    assert table.resign(0, most, 0).outcome.points == (-most, most)


def test_an_offer_stands_until_it_is_answered_or_the_other_plays() -> None:
    table = opened().make_offer(0, "draw", 0)
    assert refusal(table.make_offer, 0, "draw", 0) == "table.offer_stands"
    assert refusal(table.make_offer, 1, "draw", 0) == "table.answer_first"
    assert refusal(table.answer, 0, 0, accept=True) == "table.own_offer"
    after_own_play = table.play(0, "c3d4", 1)
    assert after_own_play.offer == table.offer
    assert after_own_play.play(1, "g5f5", 2).offer is None
    assert refusal(opened().answer, 1, 0, accept=False) == "table.no_offer"


def test_taking_back_restores_the_position_and_keeps_the_record() -> None:
    table = played("c3d4", "g5f5")
    asked = table.offer_takeback(0, 5)
    back = asked.answer(1, 6, accept=True)
    assert back.state == opened().state
    assert back.history == opened().history
    assert back.seq == 4
    assert back.to_act == 0
    assert Table.replay(ABALONE, load(dump(back.record))) == back
    again = back.play(0, "c4d4", 7)
    assert again.offer_takeback(0, 8).answer(1, 9, accept=True).state == opened().state
    assert asked.answer(1, 6, accept=False).state == table.state


def test_what_was_offered_is_withdrawn_by_whoever_offered_it() -> None:
    table = opened().make_offer(0, "draw", 0)
    withdrawn = table.withdraw(0, 1)
    assert withdrawn.offer is None
    assert withdrawn.outcome is None
    assert str(withdrawn.record.entries[-1]) == "1 withdraw 0 draw"
    assert Table.replay(ABALONE, load(dump(withdrawn.record))) == withdrawn
    assert refusal(withdrawn.answer, 1, 2, accept=True) == "table.no_offer"
    assert refusal(withdrawn.withdraw, 0, 2) == "table.no_offer"
    assert refusal(table.withdraw, 1, 1) == "table.others_offer"
    for entry in (Entry(1, Kind.WITHDRAW, 1, "draw"), Entry(1, Kind.WITHDRAW, 0, "pause")):
        assert refusal(table.append, entry) == "table.no_offer"


@pytest.mark.parametrize(
    ("moves", "seat", "gone"),
    [
        (("c3d4",), 0, ["c3d4"]),
        (("c3d4", "g5f5"), 0, ["c3d4", "g5f5"]),
        (("c3d4", "g5f5", "c4d5"), 1, ["g5f5", "c4d5"]),
        (("c3d4",), 1, []),
    ],
)
def test_what_a_takeback_undoes_is_known_before_it_is_agreed_to(moves: tuple[str, ...], seat: int, gone: list) -> None:
    table = played(*moves)
    assert [entry.body for entry in taken_back_entries(table.record.entries, seat)] == gone
    if gone:
        back = table.offer_takeback(seat, 5).answer(1 - seat, 6, accept=True)
        assert [entry.body for entry in back.effective_entries] == list(moves[: len(moves) - len(gone)])
        again = back.play(seat, moves[len(back.effective_entries)], 7)
        assert [entry.body for entry in taken_back_entries(again.record.entries, seat)] == gone[:1]


def test_only_the_last_turn_of_the_one_who_plays_next_to_last_is_taken_back() -> None:
    table = played("c3d4", "g5f5", "c4d5")
    assert table.offer_takeback(1, 5).answer(0, 6, accept=True).state == played("c3d4").state


def test_nothing_is_taken_back_past_luck_or_before_a_play() -> None:
    assert refusal(opened().offer_takeback, 0, 0) == "table.nothing_to_take_back"
    table = Table.open(NIM, Header("nim", 1, "t3", 0)).settle(0, lambda _: "3").play(0, "2", 1)
    assert table.offer_takeback(0, 2).offer is not None
    rolled = table.settle(2, lambda _: "3")
    assert refusal(rolled.offer_takeback, 0, 3) == "table.dice_fell"
    assert refusal(rolled.offer_takeback, 1, 3) == "table.nothing_to_take_back"
    assert refusal(rolled.append, Entry(3, Kind.ACCEPT, 1, "takeback")) == "table.no_offer"


def test_forced_turns_are_made_unless_the_seat_would_rather_make_them() -> None:
    start = Table.open(NIM, Header("nim", 1, "t4", 0))
    rolls = iter("113")
    settled = start.settle(7, lambda _: next(rolls))
    kinds = [(entry.kind, entry.seat, entry.at) for entry in settled.record.entries]
    assert kinds == [
        (Kind.CHANCE, -1, 7),
        (Kind.FORCED, 0, 7),
        (Kind.CHANCE, -1, 7),
        (Kind.FORCED, 1, 7),
        (Kind.CHANCE, -1, 7),
    ]
    kept = start.settle(0, lambda _: "1", plays_forced=(False, True))
    assert kept.to_act == 0
    assert kept.seq == 1


class IdleNim(Nim):
    """To take one changes nothing that could be seen."""

    def changes_board(self, state: Heap, action: int) -> bool:
        del state
        return action != 1


def test_a_forced_turn_that_changes_nothing_is_made_in_any_case() -> None:
    rolls = iter("13")
    header = Header("nim", 1, "t10", 0)
    settled = Table.open(IdleNim(), header).settle(0, lambda _: next(rolls), plays_forced=(False, False))
    assert [entry.kind for entry in settled.record.entries] == [Kind.CHANCE, Kind.FORCED, Kind.CHANCE]
    assert settled.last_move is None
    assert settled.last_turn is not None


def test_a_turn_is_forced_only_where_there_is_no_choice() -> None:
    rolled = Table.open(NIM, Header("nim", 1, "t9", 0)).append(Entry(0, Kind.CHANCE, -1, "2"))
    assert refusal(rolled.append, Entry(0, Kind.FORCED, 0, "2")) == "table.bad_entry"
    entries = (*rolled.record.entries, Entry(0, Kind.FORCED, 0, "2"))
    with pytest.raises(CorruptRecord):
        Table.replay(NIM, Record(rolled.record.header, entries))
    alone = Table.open(NIM, Header("nim", 1, "t9", 0)).append(Entry(0, Kind.CHANCE, -1, "1"))
    assert alone.append(Entry(0, Kind.FORCED, 0, "1")).to_act == CHANCE


def test_a_half_turn_is_refused() -> None:
    apb = find("apb")
    table = Table.open(apb, Header("apb", 1, "t5", 0))
    with pytest.raises(IllegalMove, match=r"table\.unfinished"):
        table.play(0, "d4-c5", 0)


def test_luck_is_not_taken_out_of_turn() -> None:
    assert refusal(opened().append, Entry(0, Kind.CHANCE, -1, "31")) == "table.no_roll_now"
    assert refusal(opened().append, Entry(0, Kind.FORCED, 1, "g5f5")) == "table.not_your_turn"
    assert refusal(opened().append, Entry(0, Kind.ACCEPT, 1, "draw")) == "table.no_offer"


def test_a_record_that_does_not_replay_is_corrupt() -> None:
    entries = (Entry(0, Kind.PLAY, 0, "c3d4"), Entry(0, Kind.PLAY, 0, "c4d4"))
    with pytest.raises(CorruptRecord, match="t1"):
        Table.replay(ABALONE, Record(opened().record.header, entries))


@pytest.mark.parametrize(
    "line", ["1 resign 0 all", "1 resign 0 0", "1 offer 0 wine", "1 offer 0 resign -1", "1 claim 0 x"]
)
def test_an_entry_that_means_nothing_is_corrupt(line: str) -> None:
    record = Record(opened().record.header, (load_entry(line),))
    with pytest.raises(CorruptRecord, match="t1"):
        Table.replay(ABALONE, record)
    with pytest.raises(CorruptRecord, match="entry 0"):
        verify(ABALONE, record)
    with pytest.raises(CorruptRecord, match="t1"):
        list(replay_tables(ABALONE, record))


def test_every_stage_of_a_record_is_the_table_that_it_was() -> None:
    tables = [opened()]
    for number, move in enumerate(("c3d4", "g5f5", "c4d5")):
        tables.append(tables[-1].play(number % 2, move, number))
    tables += [asked := tables[-1].offer_takeback(0, 4), asked.answer(1, 5, accept=True)]
    found = list(replay_tables(ABALONE, tables[-1].record))
    assert found == tables
    assert [table.notes for table in found] == [table.notes for table in tables]
    other = tables[1].play(1, "g6f5", 9)
    assert (len(tables[2].notes), tables[2], other.notes[:1]) == (2, found[2], tables[2].notes[:1])


def test_what_is_told_of_a_replayed_game_is_what_was_told_in_play() -> None:
    table = Table.open(NIM, Header("nim", 1, "t11", 0)).settle(0, lambda _: "3").play(0, "2", 1)
    back = table.offer_takeback(0, 2).answer(1, 2, accept=True)
    replayed = Table.replay(NIM, back.record)
    assert replayed == back
    assert replayed.notes == back.notes
    assert replayed.play(0, "1", 3).notes == back.play(0, "1", 3).notes


def test_a_game_may_begin_from_a_position() -> None:
    text = ABALONE.encode(played("c3d4", "g5f5").state)
    header = Header("abalone", 1, "t6", 0, position=text)
    assert Table.open(ABALONE, header).state == played("c3d4", "g5f5").state
    assert load(dump(Record(header))).header == header


# --- the record's text ------------------------------------------------------------------------------------------------


def test_a_record_reads_as_it_is_written() -> None:
    header = Header("abalone", 1, "t7", 99, (("layout", "star"), ("target", 3)), commitment="ab")
    record = Record(
        header, (Entry(5, Kind.PLAY, 0, "c3d4"), Entry(6, Kind.DECLINE, 1, "draw"), Entry(7, Kind.CHANCE, -1, "31"))
    )
    assert load(str(record)) == record
    assert "7 chance * 31" in str(record)


@pytest.mark.parametrize("line", ["", "x play 0 c3d4", "1 jump 0 c3d4", "1 play 2 c3d4", "1 play", "1 play -1 c3d4"])
def test_a_line_that_is_no_entry_is_refused(line: str) -> None:
    with pytest.raises(CorruptRecord):
        load_entry(line)


@pytest.mark.parametrize(
    "text",
    ["", "game abalone", "format: 2\ngame: abalone", "format: 1\ngame: abalone\nversion: one\nid: a\nstarted: 1"],
)
def test_a_header_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(CorruptRecord):
        load(text)


# --- luck that can be checked -----------------------------------------------------------------------------------------


def rolled(secrets: list[str]) -> Record:
    table = Table.open(NIM, Header("nim", 1, "t8", 0, commitment=commitment(secrets[0])))
    pending = iter([*secrets[1:], "last"])
    current = secrets[0]
    while table.seq < 2 * len(secrets) - 1:
        following = next(pending)
        body = f"{drawn(table, current)} {current} {commitment(following)}"
        table = table.append(Entry(0, Kind.CHANCE, -1, body))
        current = following
        if table.seq < 2 * len(secrets) - 1:
            table = table.play(table.to_act or 0, "1", 0)
    return table.record


def test_every_roll_of_a_record_can_be_verified() -> None:
    assert verify(NIM, rolled(["a", "b", "c"])) == 3
    assert verify(ABALONE, played("c3d4").record) == 0


def test_a_roll_that_its_secret_does_not_give_is_found() -> None:
    record = rolled(["a", "b", "c"])
    body = record.entries[2].body
    for forged in (str(int(body[0]) % 3 + 1) + body[1:], body.replace(" b ", " other ")):
        entry = replace(record.entries[2], body=forged)
        with pytest.raises(CorruptRecord, match="entry 2"):
            verify(NIM, Record(record.header, (*record.entries[:2], entry, *record.entries[3:])))


def test_a_roll_that_nothing_was_committed_to_is_found() -> None:
    record = rolled(["a", "b", "c"])
    outcome, secret, _ = record.entries[0].body.split(" ")
    for left in (f"{outcome} {secret}", f"{outcome} {secret} "):
        silent = replace(record.entries[0], body=left)
        with pytest.raises(CorruptRecord, match="entry 2: nothing"):
            verify(NIM, Record(record.header, (silent, *record.entries[1:])))


def test_a_turn_that_does_not_follow_is_found() -> None:
    record = rolled(["a", "b"])
    with pytest.raises(CorruptRecord, match="entry 1"):
        verify(NIM, Record(record.header, (record.entries[0], Entry(0, Kind.PLAY, 0, "9"))))


def test_draws_follow_their_weights_and_nothing_else() -> None:
    counts = [0, 0, 0]
    for number in range(6000):
        counts[draw((1, 2, 3), "secret", str(number))] += 1
    assert draw((1, 2, 3), "secret", "same") == draw((1, 2, 3), "secret", "same")
    assert [round(count / 1000) for count in counts] == [1, 2, 3]
