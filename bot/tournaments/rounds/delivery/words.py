"""The texts of rounds, without Discord."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from bot.core.texts.quoting import with_own_numbers
from bot.core.translations import Language
from bot.tournaments.results import round_names
from bot.tournaments.results.standing import Section, early, fields, left_out
from bot.tournaments.results.words import section_name, stage_name
from bot.tournaments.rounds.replays import better, first_attempt, is_drawn, is_played_again, is_replay, waiting
from bot.tournaments.schedule import RESTING, arena_end, break_end
from bot.tournaments.tournament import PairingState, Status, StoredPairing, StoredRound, Tournament, TournamentSnapshot
from engine.core.hours import MINUTE
from engine.tournament.model import Format, Result

LONGEST: Final = 2000
"""The most characters of a message."""
ENDED: Final = 10
"""The number of finished games of an arena or a ladder that are shown."""
WAITING: Final = 20
"""The most players who are named as waiting for replays, or as pausing in an arena."""
SCORES: Final = {
    Result.FIRST_WINS: "1–0",  # noqa: RUF001  a dash between the two
    Result.SECOND_WINS: "0–1",  # noqa: RUF001  a dash between the two
    Result.DRAW: "½–½",  # noqa: RUF001  a dash between the two
}
FORFEITS: Final = {
    Result.FIRST_WINS_BY_FORFEIT: "1–0",  # noqa: RUF001  a dash between the two
    Result.SECOND_WINS_BY_FORFEIT: "0–1",  # noqa: RUF001  a dash between the two
    Result.BOTH_FORFEIT: "0–0",  # noqa: RUF001  a dash between the two
}
BYES: Final = {
    Result.PAIRING_BYE: "tournament.rounds.bye",
    Result.HALF_BYE: "tournament.rounds.half_bye",
    Result.ZERO_BYE: "tournament.rounds.zero_bye",
}
DECISIVE: Final = {
    "final": "tournament.results.column.final",
    "grand_final": "tournament.results.column.f1",
    "second_final": "tournament.results.column.f2",
    "third_place": "tournament.results.column.t1",
}
"""The names of games about the first places, by the reason for their pairing."""
IN_BRACKET: Final = "tournament.rounds.bye_in_bracket"
"""In a knockout or a play-off there are no points: whoever has the bye goes on."""


def title(snapshot: TournamentSnapshot, number: int, say: Language) -> str:
    """Returns the beginning of the message of a round. No other message begins so."""
    name = snapshot.tournament.name
    if number == 0:
        return say("tournament.rounds.title_games", name=name)
    return say("tournament.rounds.title", name=name, round=round_names.of_round(snapshot, number, say))


def round_message(
    snapshot: TournamentSnapshot, stored: StoredRound, names: Mapping[int, str], say: Language
) -> list[str]:
    """Writes the messages of a round, of at most LONGEST characters each. ``names``: by the player's number."""
    tournament = snapshot.tournament
    pairings = [one for one in snapshot.pairings if one.pairing.round == stored.number]
    pairings.sort(key=lambda one: (one.pairing.section, one.pairing.board, one.pairing.attempt))
    shown = pairings if stored.number else _latest(pairings)
    games = [one for one in pairings if one.pairing.second is not None]
    done = sum(one.state is PairingState.DONE for one in games)
    first = [title(snapshot, stored.number, say)]
    is_paused = tournament.paused is not None and stored.number == tournament.round
    if tournament.plan.format is Format.ARENA and tournament.status is Status.RUNNING and not is_paused:
        first.append(say("tournament.rounds.arena_ends", at=f"<t:{arena_end(snapshot) // 1000}:R>"))
    if any(tournament.plan.begins_at_once(one.pairing) for one in games):
        first.append(say("tournament.rounds.at_once"))
    if games:
        first.append(say("tournament.rounds.progress", done=done, n=len(games)))
    elif tournament.plan.format is Format.LADDER and tournament.status is Status.RUNNING and not is_paused:
        first.append(say("tournament.rounds.no_challenges"))
    if is_paused:
        first.append(say("tournament.rounds.paused"))
    elif stored.deadline is not None and done < len(games):
        first.append(say("tournament.rounds.deadline", at=f"<t:{stored.deadline // 1000}:f>"))
    until = break_end(snapshot)
    if until is not None and stored.number == tournament.round:
        first.append(say("tournament.rounds.break", when=f"<t:{until // 1000}:t>", relative=f"<t:{until // 1000}:R>"))
    if done < len(games) and any(one.channel_id == tournament.channel_id for one in games):
        first.append(say("tournament.rounds.in_channel"))
    about = (
        first[0],
        " ".join(first[1:]),
        _play_off(tournament, pairings, say),
        *_more_qualified(snapshot, pairings, say),
    )
    lines = [line for line in about if line]
    sections = {one.pairing.section for one in pairings}
    last, gone = None, left_out(snapshot)
    for one in shown:
        if len(sections) > 1 and one.pairing.section != last:
            last = one.pairing.section
            lines.append(say("tournament.rounds.section", section=last))
        more = [] if is_paused else _own_deadline(one, stored, say)
        more += _after_draw(snapshot, one, names, say)
        is_void = one.result is not None and one.pairing.second is not None and not gone.isdisjoint(one.pairing.players)
        more += [say("tournament.rounds.uncounted")] if is_void else []
        lines.append(" · ".join([pairing_line(one, snapshot, names, say), *more]))
    if stored.number == tournament.round and (there := waiting(snapshot)):
        lines.append(_named("tournament.rounds.waits", there, names, say))
    resting = [one.number for one in snapshot.players if one.is_in and one.free_since == RESTING]
    if resting and tournament.status is Status.RUNNING:
        lines.append(_named("tournament.rounds.paused_players", resting, names, say))
    return in_messages(with_own_numbers(lines))


def _own_deadline(one: StoredPairing, stored: StoredRound, say: Language) -> list[str]:
    """Returns the deadline of a game that was opened anew or extended, if it reads otherwise than that of its round."""
    is_open = one.state in {PairingState.WAITING, PairingState.RUNNING}
    if not is_open or one.deadline is None or stored.deadline is None:
        return []
    if abs(one.deadline - stored.deadline) < MINUTE:  # opened anew some moments after the others
        return []
    return [say("tournament.rounds.own_deadline", at=f"<t:{one.deadline // 1000}:f>")]


def _named(key: str, players: Sequence[int], names: Mapping[int, str], say: Language) -> str:
    """Returns a line about players. Of many, it names the first ones."""
    more = ["…"] if len(players) > WAITING else []
    shown = ", ".join([*(names[player] for player in players[:WAITING]), *more])
    return say(key, players=shown)


def _play_off(tournament: Tournament, pairings: Sequence[StoredPairing], say: Language) -> str:
    """Returns what the play-offs of a round are for; empty without one."""
    stages = [one.pairing.stage for one in pairings if tournament.plan.is_play_off(one.pairing)]
    if not stages:
        return ""
    is_last = stages[0] == len(tournament.plan.stages)
    return say("tournament.rounds.play_off_first" if is_last else "tournament.rounds.play_off_on")


def _more_qualified(snapshot: TournamentSnapshot, pairings: Sequence[StoredPairing], say: Language) -> list[str]:
    """Returns a line for each section of which more than usual go on; only in the first round of the next stage."""
    number, stage = min((one.pairing.round, one.pairing.stage) for one in pairings) if pairings else (0, 1)
    most = snapshot.tournament.plan.stages[stage - 2].qualifiers if stage > 1 else 0
    earlier = [one.pairing for one in snapshot.pairings if one.pairing.round < number]
    if not most or any(one.stage == stage for one in earlier):
        return []
    sections = {player: one.section for one in earlier if one.stage == stage - 1 for player in one.players}
    on = Counter(sections[one.id] for one in fields(snapshot, stage) if one.id in sections)
    name = stage_name(snapshot, stage - 1, say)
    return [
        say("tournament.rounds.more_go_on", where=section_name(snapshot, Section(stage - 1, section), say) or name, n=n)
        for section, n in sorted(on.items())
        if n > most
    ]


def _after_draw(
    snapshot: TournamentSnapshot, stored: StoredPairing, names: Mapping[int, str], say: Language
) -> list[str]:
    """Returns what follows from a draw in a knockout; [] for other results."""
    if not is_drawn(stored):
        return []
    if is_replay(stored):
        return [say("tournament.rounds.drawn_twice", player=names[better(snapshot, stored)])]
    return [say("tournament.rounds.drawn")] if is_played_again(snapshot, stored) else []


def _latest(pairings: Sequence[StoredPairing]) -> list[StoredPairing]:
    """Returns the games of an arena or a ladder to show: all running ones, and the last finished ones."""
    running = [one for one in pairings if one.state is not PairingState.DONE]
    ended = [one for one in pairings if one.state is PairingState.DONE]
    return [*running, *sorted(ended, key=lambda one: -(one.ended or 0))[:ENDED]]


def pairing_line(stored: StoredPairing, snapshot: TournamentSnapshot, names: Mapping[int, str], say: Language) -> str:
    pairing = stored.pairing
    first = names[pairing.first]
    if pairing.second is None:
        goes_on = pairing.slot and pairing.result is Result.PAIRING_BYE
        return say(IN_BRACKET if goes_on else BYES[pairing.result or Result.ZERO_BYE], player=first)
    reason = first_attempt(snapshot, stored).pairing.reason
    kind = [say(DECISIVE[reason.key])] if reason is not None and reason.key in DECISIVE else []
    if is_replay(stored):
        kind.append(say("tournament.results.again"))
    return say(
        "tournament.rounds.line",
        board=pairing.board,
        first=first,
        second=names[pairing.second],
        state=" · ".join([*kind, _state(stored, snapshot.tournament, say)]),
    )


def _state(stored: StoredPairing, tournament: Tournament, say: Language) -> str:
    if stored.state is PairingState.DONE:
        result = stored.result
        if result is None:  # the tournament ended before the game, or before the game was opened
            key = "not_played" if stored.game_id is None else "uncounted"
            return f"{say(f'tournament.rounds.{key}')} {_thread(stored, tournament)}".rstrip()
        if result in FORFEITS:
            return say("tournament.rounds.forfeit", score=FORFEITS[result])
        return f"**{SCORES[result]}** {_thread(stored, tournament)}".rstrip()
    if stored.state is PairingState.WAITING:
        return say("tournament.rounds.waiting")
    if stored.lacks_channel:
        running = say("tournament.rounds.reopening")
    else:
        running = _thread(stored, tournament) or say("tournament.rounds.running")
    return say("tournament.rounds.late", game=running) if stored.state is PairingState.LATE else running


def _thread(stored: StoredPairing, tournament: Tournament) -> str:
    apart = stored.channel_id is not None and stored.channel_id != tournament.channel_id
    return f"<#{stored.channel_id}>" if apart else ""


def in_messages(lines: Sequence[str]) -> list[str]:
    """Joins lines into as few messages as possible."""
    found = [""]
    for one in lines:
        added = f"{found[-1]}\n{one}" if found[-1] else one
        if len(added) > LONGEST:
            found.append(one[:LONGEST])
        else:
            found[-1] = added
    return found


def closing(snapshot: TournamentSnapshot, say: Language) -> str:
    """Writes the first line of the last message: the tournament is over, or does not take place."""
    key = (
        "finished" if has_places(snapshot) else "unplayed" if snapshot.tournament.status is Status.OVER else "cancelled"
    )
    return say(f"tournament.rounds.{key}", name=snapshot.tournament.name)


def ended_early(snapshot: TournamentSnapshot, say: Language) -> list[str]:
    """Returns the line about a Swiss that had fewer rounds than planned; [] for others."""
    found = early(snapshot) if has_places(snapshot) else None
    return [say("tournament.rounds.ended_early", round=found.done, n=found.total)] if found else []


def corrected(tournament: Tournament, say: Language) -> str:
    """Returns the line that says that places have changed."""
    prizes = tournament.plan.prizes
    return say("tournament.rounds.corrected_prizes" if prizes else "tournament.rounds.corrected")


def has_places(snapshot: TournamentSnapshot) -> bool:
    """Returns whether the tournament has ended with a ranking."""
    return any(player.first_place for player in snapshot.players)
