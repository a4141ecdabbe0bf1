"""Two months of a correspondence tournament end by themselves, whatever happens meanwhile.

What the bot did is judged from the records of the games and from what arrived, by code of its own. For the whole size,
set TOURNAMENT_MONTHS=40,6,2.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from fakes.referee import Referee
from harness.months import EXTENSION, ROUND, Months

from bot.core.workers import Worker
from bot.notifications import views as notification_views
from bot.tournaments.tournament import PairingState, Status
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.timekeeping import ABORT_TURNS
from engine.tournament.model import Result

if TYPE_CHECKING:
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import StoredPairing, TournamentSnapshot

PLAYERS, ROUNDS, LATE = map(int, os.environ.get("TOURNAMENT_MONTHS", "12,3,1").split(","))
"""How many players from the start on, rounds, and late entries."""


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers run when they are told to; notifications are without the picture of a board."""

    async def nothing(*_: Any) -> list[Any]:
        return []

    monkeypatch.setattr(notification_views, "picture", nothing)
    monkeypatch.setattr(Worker, "start", lambda _: None)


@pytest.mark.thorough
@pytest.mark.timeout(3000)
async def test_two_months_of_correspondence(stand_in: Server, sqlite_url: str) -> None:
    months = Months(stand_in, sqlite_url, 2026, players=PLAYERS, rounds=ROUNDS, late=LATE)
    snapshot = await months.run()
    if os.environ.get("TOURNAMENT_MONTHS"):
        report(months, snapshot)
    check_end(months, snapshot)
    check_pairings(snapshot)
    check_results(months, snapshot)
    check_deadlines(months, snapshot)
    check_warnings(months, snapshot)
    check_pings(months)
    check_clocks(months)
    check_variety(months, snapshot)


def check_end(months: Months, snapshot: TournamentSnapshot) -> None:
    """Checks that it has ended with a podium, and that everybody who played has a place."""
    assert snapshot.tournament.status is Status.OVER
    assert snapshot.tournament.round == ROUNDS
    assert all(stored.state is PairingState.DONE for stored in snapshot.pairings)
    places = sorted(player.first_place or 0 for player in snapshot.players)
    assert places == list(range(1, PLAYERS + LATE + 1))
    (last,) = months.event.said("🏆")
    winner = next(player for player in snapshot.players if player.first_place == 1)
    assert f"<@{winner.user_id}>" in last


def check_pairings(snapshot: TournamentSnapshot) -> None:
    """Nobody plays the same opponent twice, and nobody has two byes or two pairings in a round.

    A game that was lost by forfeit was not played: the two may be paired again, as FIDE has it.
    """
    met = Counter(frozenset(one.pairing.players) for one in snapshot.pairings if one.result and one.result.played)
    assert [pair for pair, times in met.items() if times > 1] == []
    byes = Counter(one.pairing.first for one in snapshot.pairings if one.result is Result.PAIRING_BYE)
    assert [player for player, times in byes.items() if times > 1] == []
    played = Counter((one.pairing.round, number) for one in snapshot.pairings for number in one.pairing.players)
    assert [key for key, times in played.items() if times > 1] == []
    for player in snapshot.players:
        rounds = {number for number, who in played if who == player.number}
        assert rounds == set(range(player.first_round, (player.last_round or ROUNDS) + 1)), player


def check_results(months: Months, snapshot: TournamentSnapshot) -> None:
    """Each result is that of the record; who is absent from the beginning forfeits, and nobody else.

    A game that is lost on time, or left, within its first turns is aborted: it counts as not played.
    """
    for stored in snapshot.pairings:
        if stored.game_id is None:
            assert stored.result is not None
            assert stored.result.is_bye, stored
            continue
        entries = Referee(months.records[stored.game_id]).entries
        turns = Counter(int(seat) for _, kind, seat, _ in entries if kind == "play")
        loser = lost_by(entries)
        if loser is None:
            assert stored.result is Result.DRAW, stored
            continue
        ended = entries[-1][1]
        aborted = turns.total() < ABORT_TURNS and ended in {"timeout", "leave"}
        forfeit = aborted or (not turns[loser] and ended == "adjudicate")
        expected = {
            (0, False): Result.SECOND_WINS,
            (1, False): Result.FIRST_WINS,
            (0, True): Result.SECOND_WINS_BY_FORFEIT,
            (1, True): Result.FIRST_WINS_BY_FORFEIT,
        }[loser, forfeit]
        assert stored.result is expected, f"{stored.pairing}: {entries}"


def lost_by(entries: list[tuple[int, str, str, str]]) -> int | None:
    """Returns the seat that has lost a game, by how its record ends; None: a draw."""
    _, kind, seat, rest = entries[-1]
    if kind in {"resign", "timeout", "leave"}:
        return int(seat)
    if kind == "accept":
        return None
    assert (kind, rest.split()[1:]) == ("adjudicate", ["forfeit"]), entries[-1]
    return 1 - int(rest[0])


def last_deadline(months: Months, stored: StoredPairing) -> tuple[int, int]:
    """The deadline of a game by what was announced, and without its extension; outages of an hour or more move it."""
    started = months.rounds_began[stored.pairing.round]
    deadlines = []
    for length in (ROUND, ROUND + EXTENSION):
        deadline = started + length
        for down in months.downs:
            counts = started <= down.since < min(deadline, stored.ended or 0)
            if counts and down.until - down.since >= HOUR:
                deadline += down.until - down.since
        deadlines.append(deadline)
    return deadlines[0], deadlines[1]


def check_deadlines(months: Months, snapshot: TournamentSnapshot) -> None:
    """No game goes on after its last deadline; who is on move then forfeits, and nobody before."""
    for stored in snapshot.pairings:
        if stored.game_id is None:
            continue
        first, last = last_deadline(months, stored)
        assert stored.ended is not None
        assert stored.extended == (stored.ended > first), stored
        assert stored.deadline == (last if stored.extended else first), stored
        assert stored.ended <= last + MINUTE, stored
        entries = Referee(months.records[stored.game_id]).entries
        loser = lost_by(entries)
        if entries[-1][1] == "adjudicate" and loser is not None:
            player = snapshot.player(stored.pairing.players[loser])
            left = player.reason in {"withdrew", "deleted"} and player.last_round == stored.pairing.round
            turns = sum(kind == "play" for _, kind, *_ in entries)
            assert left or (stored.ended >= last and loser == turns % 2), stored


def check_warnings(months: Months, snapshot: TournamentSnapshot) -> None:
    """Both were told a day before each deadline at which their game still went on, and of none of them twice.

    A deadline that moves within its last day is not told again, and one that moves further away is.
    """
    notices = [one for one in months.outbox if one.kind == "round_deadline"]
    assert max(Counter((one.n, one.user_id, one.seq) for one in notices).values()) == 1
    moved = sum(down.until - down.since for down in months.downs)
    for stored in snapshot.pairings:
        if stored.game_id is None:
            continue
        assert stored.ended is not None
        expected = [at for at in last_deadline(months, stored) if stored.ended > at - DAY]
        for number in stored.pairing.players:
            user = snapshot.player(number).user_id
            dues = [one.due for one in notices if (one.n, one.user_id) == (stored.id, user)]
            for at in expected if user > 0 else []:
                assert [due for due in dues if at - DAY - moved <= due <= at - DAY + MINUTE], (stored, at, dues)


def check_pings(months: Months) -> None:
    """Checks that everybody was told of a round once."""
    assert [told for told in months.pinged if told[2] > 1] == []


def check_clocks(months: Months) -> None:
    """Checks that no time-out is wrong, and that nobody was charged for an outage."""
    for game_id, text in months.records.items():
        referee = Referee(text)
        assert referee.findings == [], game_id
        for down in months.downs:
            window = (down.since - referee.started, down.until - referee.started)
            assert referee.uncovered(window) == [], (game_id, down)


def check_variety(months: Months, snapshot: TournamentSnapshot) -> None:
    """All that was to happen has happened."""
    reasons = Counter(player.reason for player in snapshot.players)
    assert (reasons["withdrew"] > 0, reasons["left_server"], reasons["deleted"]) == (True, 1, 1)
    late = [player for player in snapshot.players if player.number > PLAYERS]
    assert [player.first_round > 1 for player in late] == [True] * LATE
    endings = Counter(Referee(text).entries[-1][1] for text in months.records.values())
    assert endings["resign"] > 0
    assert endings["timeout"] > 0
    assert len(months.downs) == 3
    assert "away 0 " in "".join(months.records.values()) or "away 1 " in "".join(months.records.values())
    shut = months.left["shut"].user_id
    told = {one.via for one in months.outbox if one.user_id == shut and one.state == "sent"}
    assert told == {"place"}


def report(months: Months, snapshot: TournamentSnapshot) -> None:
    """Prints figures of the whole size."""
    days = ((snapshot.tournament.ended or 0) - (snapshot.tournament.started or 0)) / DAY
    print(f"\n{len(snapshot.players)} players, {snapshot.tournament.round} rounds, {days:.1f} days")  # noqa: T201
    print(Counter(stored.result for stored in snapshot.pairings))  # noqa: T201
    print("extended", sum(stored.extended for stored in snapshot.pairings))  # noqa: T201
    print(Counter((one.kind, one.state) for one in months.outbox))  # noqa: T201
    print(Counter(told for _, _, told in months.pinged))  # noqa: T201
    kept = [(player.number, player.reason) for player in snapshot.players if player.reason]
    print(f"{len(months.records)} games, gone: {kept}")  # noqa: T201
