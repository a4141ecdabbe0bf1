"""Tests the message of a round."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.snapshots import Made, a_ladder, an_arena
from harness.tournaments import plan_of

from bot.core.translations import CODES, language
from bot.tournaments.rounds.delivery import words
from bot.tournaments.schedule import RESTING
from bot.tournaments.tournament import (
    PairingState,
    Player,
    PlayerStatus,
    Status,
    StoredPairing,
    StoredRound,
    Tournament,
    TournamentSnapshot,
)
from engine.tournament.model import Format, Pairing, Result, Stage, Ties


def snapshot(boards: int) -> TournamentSnapshot:
    tournament = Tournament("t", 1, 100, 9, "Cup", "en", plan_of(Format.SWISS), Status.RUNNING, 0, round=1)
    players = tuple(Player(number, number, PlayerStatus.IN, 1500, 0, number) for number in range(1, 2 * boards + 1))
    pairings = tuple(
        StoredPairing(
            board,
            Pairing(1, 1, board, 2 * board - 1, 2 * board),
            PairingState.RUNNING,
            channel_id=10**18 + board,
        )
        for board in range(1, boards + 1)
    )
    return TournamentSnapshot(tournament, players, pairings)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("boards", [1, 32, 500])
def test_a_large_round_is_continued_in_further_messages(boards: int, code: str) -> None:
    round_ = StoredRound(1, 1, 0, deadline=86_400_000)
    names = {number: f"Player with a name {number}" for number in range(1, 2 * boards + 1)}
    found = words.round_message(snapshot(boards), round_, names, language(code))
    assert all(len(one) <= words.LONGEST for one in found)
    assert found[0].startswith(words.title(snapshot(1), 1, language(code)))
    assert "<t:86400:f>" in found[0]
    lines = "\n".join(found).splitlines()
    assert [line for line in lines if line.endswith(f"<#{10**18 + boards}>")] != []
    assert len(lines) == boards + 2


def test_how_pairings_stand() -> None:
    say, names = language("en"), {1: "Ana", 2: "Ben"}
    (stored,) = snapshot(1).pairings

    def line(result: Result | None, state: PairingState = PairingState.DONE, **more: int | None) -> str:
        changed = replace(stored, pairing=replace(stored.pairing, result=result), state=state, **more)
        return words.pairing_line(changed, snapshot(1), names, say).partition(" · ")[2]

    thread = f"<#{10**18 + 1}>"
    assert line(None, PairingState.RUNNING) == thread
    assert line(None, PairingState.RUNNING, channel_id=100) == "being played"
    assert line(None, PairingState.LATE) == f"{thread} · late"
    assert line(None, PairingState.WAITING, channel_id=None) == "not begun"
    assert line(Result.DRAW) == f"**½–½** {thread}"  # noqa: RUF001  a dash between the two
    assert line(Result.BOTH_FORFEIT) == "**0–0** by forfeit"  # noqa: RUF001
    bye = replace(stored, pairing=replace(stored.pairing, second=None, result=Result.HALF_BYE))
    assert words.pairing_line(bye, snapshot(1), names, say) == "Ana has a bye: ½ point"


def test_a_game_that_a_cancelled_tournament_has_not_opened_has_no_score() -> None:
    say, names = language("en"), {1: "Ana", 2: "Ben"}
    (stored,) = snapshot(1).pairings
    unopened = replace(stored, state=PairingState.DONE, channel_id=None)
    found = words.pairing_line(unopened, snapshot(1), names, say)
    assert found.endswith(say("tournament.rounds.not_played"))


def test_of_many_who_wait_for_a_replay_the_first_ones_are_named() -> None:
    """Every second game is drawn, so no winner of the others has an opponent."""
    made = Made((Stage(Format.SINGLE_ELIMINATION),), 128).rounds_of(1)
    for stored in made.snapshot.pairings:
        odd = int(stored.pairing.slot.partition("-")[2]) % 2
        made.settle(stored, Result.DRAW if odd else Result.FIRST_WINS)
    made.rounds_of(1, leave=1)
    names = {player.number: "X" * 80 for player in made.snapshot.players}
    found = words.round_message(made.snapshot, StoredRound(2, 1, 0), names, language("en"))
    assert all(len(one) <= words.LONGEST for one in found)
    assert found[-1].splitlines()[-1].count("X" * 80) == words.WAITING
    assert found[-1].endswith(", ….")


def test_the_games_of_an_arena_keep_their_numbers() -> None:
    """Discord would show the items of a list as 3, 4, 5."""
    made = Made((Stage(Format.ARENA),), 4)
    made.meet(1, 2, Result.FIRST_WINS)
    made.meet(3, 4, Result.FIRST_WINS)
    made.meet(1, 3)
    names = {player.number: str(player.number) for player in made.snapshot.players}
    (message,) = words.round_message(made.snapshot, StoredRound(0, 1, 0), names, language("en"))
    begins = [line.partition(" ")[0] for line in message.splitlines() if line[0].isdigit()]
    assert begins[0] == "3\\."
    assert sorted(begins) == ["1\\.", "2\\.", "3\\."]


def test_a_ladder_says_how_its_first_game_begins() -> None:
    made = a_ladder()
    made.snapshot = replace(made.snapshot, pairings=())
    (message,) = words.round_message(made.snapshot, StoredRound(0, 1, 0), {}, language("en"))
    assert message.splitlines()[1:] == ["No games yet. Challenge somebody above you with `/tournament challenge`."]
    made.set(paused=1)
    (message,) = words.round_message(made.snapshot, StoredRound(0, 1, 0), {}, language("en"))
    assert message.splitlines()[1:] == [language("en")("tournament.rounds.paused")]  # nobody can challenge now


def test_a_round_says_if_more_of_a_group_go_on_than_usual() -> None:
    """All of the first group are equal in everything, and share their places."""
    groups = Stage(Format.ROUND_ROBIN, sections=2, qualifiers=2, ties=Ties.SHARED)
    made = Made((groups, Stage(Format.SINGLE_ELIMINATION)), 6)
    for _ in range(3):
        made.pair()
        for stored in made.running:
            first = stored.pairing.first < (stored.pairing.second or 0)
            won = Result.FIRST_WINS if first else Result.SECOND_WINS
            made.settle(stored, Result.DRAW if stored.pairing.section == 1 else won)
    made.rounds_of(1)
    names = {player.number: str(player.number) for player in made.snapshot.players}
    (message,) = words.round_message(made.snapshot, StoredRound(4, 2, 0), names, language("en"))
    assert message.splitlines()[2] == "Group 1: 3 players go on, as the last of them are equal in everything."
    made.rounds_of(1)
    for number in (3, 5):
        (message,) = words.round_message(made.snapshot, StoredRound(number, 2, 0), names, language("en"))
        assert "go on, as" not in message


@pytest.mark.parametrize("code", CODES)
def test_a_game_with_another_deadline_than_its_round_says_so(code: str) -> None:
    """It was opened anew, as after an expulsion that was undone, or it was extended. Some moments are no difference."""
    say, own = language(code), 2 * 86_400_000
    tournament, players, (first, second) = (found := snapshot(2)).tournament, found.players, found.pairings
    pairings = (replace(first, deadline=86_402_000), replace(second, deadline=own))
    names = {number: str(number) for number in range(1, 5)}
    shown = TournamentSnapshot(tournament, players, pairings)
    (message,) = words.round_message(shown, StoredRound(1, 1, 0, deadline=86_400_000), names, say)
    *_, usual, later = message.splitlines()
    assert "<t:" not in usual
    assert later.endswith(f" · {say('tournament.rounds.own_deadline', at='<t:172800:f>')}")


@pytest.mark.parametrize("code", CODES)
def test_nothing_ends_while_the_tournament_is_paused(code: str) -> None:
    say, found = language(code), snapshot(1)
    paused = replace(found, tournament=replace(found.tournament, paused=5))
    row, names = StoredRound(1, 1, 0, deadline=86_400_000), {1: "Ana", 2: "Ben"}
    (message,) = words.round_message(paused, row, names, say)
    assert say("tournament.rounds.paused") in message
    assert "<t:" not in message
    assert say("tournament.rounds.paused") not in words.round_message(found, row, names, say)[0]
    assert say("tournament.rounds.paused") not in words.round_message(paused, replace(row, number=2), names, say)[0]
    arena = replace(paused.tournament, plan=plan_of(Format.ARENA), started=5, round=0)
    (message,) = words.round_message(replace(paused, tournament=arena), replace(row, number=0), names, say)
    assert say("tournament.rounds.paused") in message
    assert "<t:" not in message


@pytest.mark.parametrize("code", CODES)
def test_an_arena_names_who_pauses(code: str) -> None:
    """After a forfeit nobody looks for an opponent until the player comes back."""
    made, say, names = an_arena(), language(code), {number: f"P{number}" for number in range(1, 7)}
    made.set(started=5)
    row, line = StoredRound(0, 1, 0), say("tournament.rounds.paused_players", players="P2, P3")
    assert "P2, P3" not in words.round_message(made.snapshot, row, names, say)[-1]
    made.player(2, free_since=RESTING)
    made.player(3, free_since=RESTING)
    made.player(4, free_since=RESTING, status=PlayerStatus.WITHDRAWN)
    assert words.round_message(made.snapshot, row, names, say)[-1].endswith(f"\n{line}")
