"""The pairings of a round: the reader's own first, then all others, page by page."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from bot.clocks.words import stamp
from bot.core.translations import Language
from bot.tournaments.results import round_names
from bot.tournaments.results.standing import Section, has_sections, in_rounds, left_out, progress, stage_of
from bot.tournaments.results.why import reason_text
from bot.tournaments.results.words import DASH, live_line, section_name
from bot.tournaments.schedule import RESTING
from bot.tournaments.tournament import PairingState, Player, Status, StoredPairing, TournamentSnapshot
from engine.registry import find
from engine.tournament.model import Format, Result
from engine.tournament.tie_breaks import NOTES

PER_PAGE: Final = 10
SCORES: Final = {
    Result.FIRST_WINS: f"1{DASH}0",
    Result.SECOND_WINS: f"0{DASH}1",
    Result.DRAW: f"½{DASH}½",
    Result.FIRST_WINS_BY_FORFEIT: f"+ {DASH}",
    Result.SECOND_WINS_BY_FORFEIT: f"{DASH} +",
    Result.BOTH_FORFEIT: f"{DASH} {DASH}",
}
BYES: Final[dict[Result | None, str]] = {Result.PAIRING_BYE: "bye", Result.HALF_BYE: "half_bye"}


def of_round(snapshot: TournamentSnapshot, number: int) -> tuple[StoredPairing, ...]:
    """Returns the pairings of a round by section and board; in a format without rounds all, the latest first."""
    found = [one for one in snapshot.pairings if one.pairing.round == number]
    if number == 0:
        return tuple(sorted(found, key=lambda one: (one.result is not None, -one.pairing.board)))
    return tuple(sorted(found, key=lambda one: (one.pairing.section, one.pairing.second is None, one.pairing.board)))


def rounds_of(snapshot: TournamentSnapshot) -> tuple[int, ...]:
    """Returns the paired rounds; 0 alone in a format without rounds."""
    return tuple(sorted({one.pairing.round for one in snapshot.pairings}))


def present_round(snapshot: TournamentSnapshot) -> int:
    return snapshot.tournament.round if in_rounds(snapshot) else 0


def own_pairing(found: Sequence[StoredPairing], number: int | None) -> StoredPairing | None:
    """Returns the pairing of an entrant among these: running ones come before finished ones, later before
    earlier ones.
    """
    theirs = [one for one in found if number in one.pairing.players] if number is not None else []
    return max(theirs, key=lambda one: (one.result is None, one.pairing.board, one.id), default=None)


def own_table(
    snapshot: TournamentSnapshot, found: Sequence[StoredPairing], number: int | None
) -> tuple[StoredPairing, ...]:
    """Returns the games of an entrant that all began at once, unfinished ones first; none in other rounds."""
    theirs = (one for one in found if number in one.pairing.players)
    at_once = (one for one in theirs if snapshot.tournament.plan.begins_at_once(one.pairing))
    return tuple(sorted(at_once, key=lambda one: one.result is not None))


def others(found: Sequence[StoredPairing], own: Collection[StoredPairing]) -> tuple[StoredPairing, ...]:
    ids = {one.id for one in own}
    return tuple(one for one in found if one.id not in ids)


def pages_of(rest: Sequence[StoredPairing]) -> int:
    return max(1, -(-len(rest) // PER_PAGE))


def head(snapshot: TournamentSnapshot, number: int, say: Language) -> str:
    """Returns the heading: ``**Spring Swiss** · Round 3: 14 of 20 finished``."""
    if number in {0, snapshot.tournament.round}:
        about = live_line(snapshot, say)
    else:
        done, total = progress(snapshot, number)
        about = say("tournament.results.live", round=round_names.of_round(snapshot, number, say), done=done, n=total)
    return f"**{snapshot.tournament.name}** · {about}"


def own_lines(
    snapshot: TournamentSnapshot, stored: StoredPairing, number: int, names: Mapping[int, str], now: int, say: Language
) -> list[str]:
    """Returns lines about the reader's pairing: the opponent, the place, the seat, the deadline and the reason."""
    pairing, plan = stored.pairing, snapshot.tournament.plan
    found = []
    if pairing.second is None:
        note = BYES.get(pairing.result, "absent")
        found.append(f"**{say(f'tournament.results.own.{note}')}**")
    else:
        seat = pairing.players.index(number)
        opponent = names[pairing.players[1 - seat]]
        rating = next(one.rating for one in snapshot.players if one.number == pairing.players[1 - seat])
        found.append(f"**{say('tournament.results.own.game', opponent=opponent, rating=rating)}**")
        seats = find(plan.game).seats
        side = say(f"side.{seats[seat]}")
        if pairing.result is not None:
            note = NOTES[pairing.result][seat]
            result = say(f"tournament.results.own.{note}", opponent=opponent)
            by = f" ({say('tournament.results.by_organiser')})" if stored.decided_by == "organiser" else ""
            void = "" if left_out(snapshot).isdisjoint(pairing.players) else say("tournament.results.state.uncounted")
            found.append(f"{result}{by}" + (f" · {void}" if void else ""))
        else:
            said = [say("tournament.results.own.side", side=side)]
            said.append(say(f"tournament.results.state.{unfinished(stored)}.own"))
            found.append(" ".join(said))
            if stored.deadline is not None and snapshot.tournament.paused is None:
                usual = "answer" if plan.format is Format.LADDER else "deadline"
                key = "late" if stored.deadline <= now else usual
                relative, date = stamp(stored.deadline, "R"), stamp(stored.deadline, "f")
                found.append(say(f"tournament.results.own.{key}", relative=relative, date=date))
        if address := link(snapshot, stored):
            found.append(say("tournament.results.own.link", address=address))
    if why := reason_text(pairing, stage_of(snapshot, pairing.stage).format, names, say):
        found.append(say("tournament.results.own.why", reason=why))
    return found


def without_game(snapshot: TournamentSnapshot, number: int, player: Player, say: Language) -> list[str]:
    """Returns the line for a player without a pairing, who does not play or waits for an opponent."""
    if snapshot.tournament.status is not Status.RUNNING or not player.is_in:
        return []
    if number:
        return ["", f"**{say('tournament.results.own.absent')}**"]
    if player.free_since is None:
        return []
    is_ladder = snapshot.tournament.plan.format is Format.LADDER
    if is_ladder and player.ladder_place == 1:  # there is nobody to challenge
        return []
    state = "challenge" if is_ladder else "resting" if player.free_since == RESTING else "free"
    return ["", f"**{say(f'tournament.results.own.{state}')}**"]


def link(snapshot: TournamentSnapshot, stored: StoredPairing) -> str:
    """Returns the address of the channel or thread of the game; empty before it is opened, or while it has none."""
    place = None if stored.lacks_channel else stored.channel_id
    return f"https://discord.com/channels/{snapshot.tournament.guild_id}/{place}" if place else ""


def unfinished(stored: StoredPairing) -> str:
    """Returns the state of a pairing without a result; ``uncounted`` if the tournament ended before its game."""
    return "uncounted" if stored.state is PairingState.DONE else stored.state.value


def result_text(stored: StoredPairing, names: Mapping[int, str], say: Language) -> str:
    """Writes the result: ``1-0``, ``+ - (Ben did not play)``; before the end, the state of the game."""
    pairing = stored.pairing
    if pairing.result is None:
        return say(f"tournament.results.state.{unfinished(stored)}")
    if pairing.second is None:
        note = BYES.get(pairing.result, "absent")
        return say(f"tournament.results.term.{note}", player="")
    text = SCORES[pairing.result]
    absent = {
        Result.FIRST_WINS_BY_FORFEIT: [pairing.second],
        Result.SECOND_WINS_BY_FORFEIT: [pairing.first],
        Result.BOTH_FORFEIT: [pairing.first, pairing.second],
    }.get(pairing.result)
    if absent:
        who = say.listed(names[one] for one in absent)
        text = f"{text} ({say('tournament.results.forfeited', player=who)})"
    elif stored.decided_by == "organiser":
        text = f"{text} ({say('tournament.results.by_organiser')})"
    return text


def line(
    snapshot: TournamentSnapshot,
    stored: StoredPairing,
    names: Mapping[int, str],
    say: Language,
    gone: frozenset[int],
    *,
    linked: bool,
) -> str:
    """Returns a line such as ``3. Ana - Ben · 1-0``, with a link to the game.

    ``gone``: the players whose results do not count.
    """
    pairing = stored.pairing
    number = f"{pairing.board}. " if pairing.round else ""
    if pairing.second is None:
        return f"{number}{names[pairing.first]} · {result_text(stored, names, say)}"
    players = f"{names[pairing.first]} {DASH} {names[pairing.second]}"
    address = link(snapshot, stored)
    players = f"[{players}]({address})" if linked and address else players
    again = f" · {say('tournament.results.again')}" if pairing.attempt > 1 else ""
    void = "" if gone.isdisjoint(pairing.players) else f" · {say('tournament.results.state.uncounted')}"
    return f"{number}{players} · {result_text(stored, names, say)}{again}{void}"


def listed(
    snapshot: TournamentSnapshot,
    shown: Sequence[StoredPairing],
    names: Mapping[int, str],
    say: Language,
    *,
    linked: bool,
) -> list[str]:
    """Returns the lines of a page. A heading names each new section."""
    found = []
    section: Section | None = None
    gone = left_out(snapshot)
    many = bool(shown) and has_sections(snapshot, shown[0].pairing.stage)
    for stored in shown:
        here = Section(stored.pairing.stage, stored.pairing.section)
        if many and here != section:
            section = here
            found.append(f"__{section_name(snapshot, here, say)}__")
        found.append(line(snapshot, stored, names, say, gone, linked=linked))
    return found
