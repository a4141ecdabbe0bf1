"""Explanations of standings, term by term, and of pairings, in sentences."""

from collections.abc import Mapping
from typing import Final

from bot.core.translations import Language
from bot.tournaments.results.standing import SCORED, Line, Section, explained, left_out, lines, stage_of
from bot.tournaments.results.words import DASH, TIMES, halves, place_name, points_text, rank_text
from bot.tournaments.tournament import PlayerStatus, TournamentSnapshot
from engine.tournament.formats.arena import STREAK
from engine.tournament.model import Format, Pairing, Reason, TieBreak, Ties
from engine.tournament.standings import Explanation
from engine.tournament.tie_breaks import Term

NAMED: Final = 8
"""The most equal players that are named."""


def paragraphs(
    snapshot: TournamentSnapshot, section: Section, number: int, names: Mapping[int, str], say: Language
) -> list[str]:
    """Explains an entrant's place. The first paragraph names the place, each other one explains a value."""
    format_ = stage_of(snapshot, section.stage).format
    here = lines(snapshot, section)
    line = next((line for line in here if line.player.number == number), None)
    if line is None:
        return [say("tournament.results.why.not_in", player=names[number])]
    rank = rank_text(line.rank, line.last)
    about = place_name(snapshot, section, say)
    key = "tournament.results.why.title" if line.rank == line.last else "tournament.results.why.title_shared"
    head = say(key, player=names[number], rank=rank, about=about)
    if format_ in SCORED:
        found = [head, *(_paragraph(one, line, names, say) for one in explained(snapshot, section, number))]
        return [*found, *_uncounted(snapshot, line, names, say), *_equals(snapshot, section, line, names, say)]
    if format_ is Format.ARENA:
        return [head, *_arena(line, names, say), *_equals(snapshot, section, line, names, say)]
    return [head, say(f"tournament.results.why.{format_}")]


def _paragraph(explanation: Explanation, line: Line, names: Mapping[int, str], say: Language) -> str:
    """Returns ``**Buchholz 7½** = round 1 Bruno 3 + …``, with a description of the tie-break below."""
    key = explanation.tie_break
    title = say("tournament.results.head.points") if key is None else say(f"tournament.results.tie_break.{key}")
    about = say(f"tournament.results.tie_break.about.{key or 'points'}")
    if key is TieBreak.DIRECT_ENCOUNTER:
        return "\n".join([_direct(explanation, title, names, say), f"-# {about}"])
    own = {turn.round: turn.points for turn in line.turns}
    counted = [_term(term, key, own, names, say) for term in explanation.terms if term.counts]
    cut = [_term(term, key, own, names, say) for term in explanation.terms if not term.counts]
    text = f"**{title} {halves(explanation.value)}**" + (f" = {' + '.join(counted)}" if counted else "")
    if cut:
        text = f"{text}. {say('tournament.results.why.left_out', terms=', '.join(cut))}"
    return f"{text}\n-# {about}"


def _uncounted(snapshot: TournamentSnapshot, line: Line, names: Mapping[int, str], say: Language) -> list[str]:
    """Returns a sentence for the reader, or each of their opponents, whose results do not count."""
    gone = left_out(snapshot)
    if line.player.number in gone:
        return [say("tournament.results.why.uncounted", player=names[line.player.number])]
    met = [turn.opponent for turn in line.turns if turn.opponent in gone and turn.opponent is not None]
    return [say("tournament.results.why.uncounted", player=names[one]) for one in dict.fromkeys(met)]


def _equals(
    snapshot: TournamentSnapshot, section: Section, line: Line, names: Mapping[int, str], say: Language
) -> list[str]:
    """Explains the order of players whom no tie-break separates, and the last place of expelled ones."""
    if line.player.status is PlayerStatus.EXPELLED:
        return [say("tournament.results.why.expelled")]
    if not line.equals:
        return []
    ties = stage_of(snapshot, section.stage).ties
    if line.last > line.rank:  # also after an undecided play-off; an arena has nothing else
        ties = Ties.SHARED
    equals = say.listed(names[other] for other in (line.player.number, *line.equals[:NAMED]))
    more = len(line.equals) - NAMED
    if more > 0:
        equals = say("tournament.results.why.and_more", names=equals, n=more)
    return [say(f"tournament.results.why.ties.{ties}", names=equals)]


def _direct(explanation: Explanation, title: str, names: Mapping[int, str], say: Language) -> str:
    """Returns the points against tied players, and the place among them."""
    if not explanation.value:
        return f"**{title} {DASH}**: {say('tournament.results.why.no_direct')}"
    met = [
        say("tournament.results.why.met", player=names[term.opponent], points=halves(term.value), round=term.round)
        for term in explanation.terms
        if term.note == "met" and term.opponent is not None
    ]
    place = say("tournament.results.why.place", place=halves(explanation.value))
    return f"**{title} {halves(explanation.value)}**: {place}" + (f" {', '.join(met)}" if met else "")


def _bold(text: str) -> str:
    """Makes a part bold, as names may end with a number, too."""
    return f"**{text}**"


def _term(term: Term, key: TieBreak | None, own: Mapping[int, float], names: Mapping[int, str], say: Language) -> str:
    """Writes ``round 1 Bruno 3``; for Sonneborn-Berger ``round 1 Bruno 3 x ½``, for points ``round 1 beat Bruno 1``."""
    value = halves(term.value)
    if key is TieBreak.PROGRESSIVE:
        return say("tournament.results.term.so_far", round=term.round, points=_bold(value))
    if key is TieBreak.SONNEBORN_BERGER and term.score is not None:
        value = f"{halves(term.score)}** {TIMES} **{halves(own.get(term.round, 0.0))}"
    who = "" if term.opponent is None else names[term.opponent]
    if key is None or key is TieBreak.WINS:
        who = say(f"tournament.results.term.{term.note}", player=who)
    elif not who or term.note == "virtual":
        who = say("tournament.results.term.virtual")
    return f"{say('tournament.results.in_round', round=term.round)} {who} {_bold(value)}"


def _arena(line: Line, names: Mapping[int, str], say: Language) -> list[str]:
    """Returns the points of each game; those of a streak are doubled."""
    terms, row = [], 0
    for turn in line.turns:
        half = int(2 * turn.points)
        if turn.note in {"won", "drawn", "lost", "forfeit_won", "forfeit_lost"}:
            who = names[turn.opponent] if turn.opponent is not None else ""
            what = say(f"tournament.results.term.{turn.note}", player=who)
            terms.append(f"{what} **{half}** {TIMES} 2" if row >= STREAK else f"{what} **{half}**")
            row = row + 1 if half == 2 else 0
    head = say("tournament.results.head.points")
    text = f"**{head} {halves(line.points or 0)}**" + (f" = {' + '.join(terms)}" if terms else "")
    return [f"{text}\n-# {say('tournament.results.tie_break.about.arena')}"]


# --- pairings ---------------------------------------------------------------------------------------------------------

POINTS: Final = frozenset({"points", "first", "second"})
"""The parameters of reasons that are points."""


def reason_text(pairing: Pairing, format_: Format, names: Mapping[int, str], say: Language) -> str:
    """Returns a sentence about the reason of a pairing or a bye; empty if it is unknown."""
    reason = pairing.reason or Reason(format_.value)
    key = f"tournament.reason.{reason.key}"
    if not say.has(key):
        return ""
    given: dict[str, str | int] = {"player": names[pairing.first]}
    if pairing.second is not None:
        given["opponent"] = names[pairing.second]
    for name, value in reason.parameters:
        shown = points_text(float(value), say) if name in POINTS and not isinstance(value, str) else value
        given[name] = shown if isinstance(shown, str | int) else halves(shown)
    return say(key, **given)


def wanted(snapshot: TournamentSnapshot, section: Section, number: int) -> set[int]:
    """Returns the numbers of the players named in the explanation of an entrant."""
    equals = [line.equals for line in lines(snapshot, section) if line.player.number == number]
    return {number, *(other for group in equals for other in group[:NAMED])} | {
        player
        for stored in snapshot.pairings
        if stored.pairing.stage == section.stage and number in stored.pairing.players
        for player in stored.pairing.players
    }
