"""A page of a bracket. Slots have short numbers, to which later slots refer: ``Winner of 5``."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from bot.core.translations import Language
from bot.tournaments.results.pages.page import Page
from bot.tournaments.results.round_names import column_name
from bot.tournaments.results.standing import fields, stage_of
from bot.tournaments.results.words import DASH, halves
from bot.tournaments.tournament import TournamentSnapshot
from engine.tournament.formats.bracket import Slot, Source, size_of, slots
from engine.tournament.model import Format, Pairing, Result
from render.tournaments import paging, pictures
from render.tournaments.views import BracketLine, BracketSlot, BracketView, State

SIGNS: Final = {
    Result.FIRST_WINS: ("1", "0"),
    Result.SECOND_WINS: ("0", "1"),
    Result.DRAW: ("½", "½"),
    Result.FIRST_WINS_BY_FORFEIT: ("+", DASH),
    Result.SECOND_WINS_BY_FORFEIT: (DASH, "+"),
    Result.BOTH_FORFEIT: (DASH, DASH),
}
"""The signs beside the players of a slot without a score, by seat."""
UNPLAYED: Final = frozenset({"+", DASH})


def bracket_of(snapshot: TournamentSnapshot, stage: int) -> tuple[Slot, ...]:
    """Returns the slots of a knockout stage with games or byes."""
    seeds = [entrant.id for entrant in fields(snapshot, stage)]
    found = slots(stage, stage_of(snapshot, stage), seeds, snapshot.engine_pairings)
    return tuple(slot for slot in found if slot.needed)


def view_of(
    snapshot: TournamentSnapshot,
    stage: int,
    names: Mapping[int, str],
    about: str,
    say: Language,
    theme: str,
    reader: int | None,
    scores: Mapping[str, tuple[float, float]],
) -> BracketView:
    """Returns the whole bracket, before a page is chosen. ``scores``: those of matches, by their ids."""
    found = bracket_of(snapshot, stage)
    seeds = {entrant.id: place for place, entrant in enumerate(fields(snapshot, stage), start=1)}
    games = [slot for slot in found if not slot.is_bye]
    tags = {slot.id: str(number) for number, slot in enumerate(games, start=1)}
    by_id = {slot.id: slot for slot in found}
    onward = {str(source.seed_or_slot): slot.id for slot in found for source in slot.sources if source.kind == "winner"}
    gone = {player.number for player in snapshot.players if not player.is_in}
    contests = {stored.pairing: stored.contest_id or "" for stored in snapshot.pairings}

    def line(slot: Slot, place: int) -> BracketLine:
        known = None if slot.pairing is None else scores.get(contests.get(slot.pairing, ""))
        score = _score(slot.pairing, slot.players[place], known)
        return _line(slot, place, score, by_id, tags, seeds, names, say, reader, gone)

    shown = tuple(
        BracketSlot(
            slot.id,
            (line(slot, 0), line(slot, 1)),
            tags.get(slot.id, ""),
            say("tournament.results.again") if slot.pairing is not None and slot.pairing.attempt > 1 else "",
            State.DONE if slot.decided else State.RUNNING if slot.pairing is not None else State.PLANNED,
            onward.get(slot.id, ""),
            is_tie=slot.pairing is not None and slot.pairing.result is Result.DRAW,
        )
        for slot in found
    )
    double = stage_of(snapshot, stage).format is Format.DOUBLE_ELIMINATION
    sides = tuple((side, say(f"tournament.results.side.{side.lower()}")) for side in ("W", "L")) if double else ()
    columns = sorted({(slot.side, slot.column) for slot in found})
    heads = tuple(
        (f"{side}{column}", column_name(side, column, size_of(len(seeds)), say, double=double))
        for side, column in columns
    )
    return BracketView(snapshot.tournament.name, about, shown, heads, sides, theme=theme)


def _score(pairing: Pairing | None, player: int | None, known: tuple[float, float] | None) -> str:
    """Returns a player's score in the match or game, or the sign of a forfeit if no game was played."""
    if pairing is None or pairing.second is None or player is None:
        return ""
    seat = pairing.players.index(player)
    signs = ("", "") if pairing.result is None else SIGNS.get(pairing.result, ("", ""))
    return signs[seat] if known is None or signs[seat] in UNPLAYED else halves(known[seat])


def _line(
    slot: Slot,
    place: int,
    score: str,
    by_id: Mapping[str, Slot],
    tags: Mapping[str, str],
    seeds: Mapping[int, int],
    names: Mapping[int, str],
    say: Language,
    reader: int | None,
    gone: Container[int],
) -> BracketLine:
    player = slot.players[place]
    if player is None:
        empty = slot.is_bye and (slot.players[1 - place] is not None or slot.decided)
        text = say("tournament.results.bye") if empty else _origin(slot.sources[place], by_id, tags, names, say)
        return BracketLine(text, known=False)
    return BracketLine(
        names[player],
        str(seeds.get(player, "")),
        score,
        won=slot.decided and slot.winner == player,
        is_reader=player == reader,
        withdrawn=player in gone,
    )


def _origin(
    source: Source, by_id: Mapping[str, Slot], tags: Mapping[str, str], names: Mapping[int, str], say: Language
) -> str:
    """Writes a player's origin, such as ``Winner of 5``. A bye is passed over for the slot before it."""
    slot = by_id.get(str(source.seed_or_slot))
    if source.kind == "seed" or slot is None:
        return ""
    if slot.is_bye:
        known = next((player for player in slot.players if player is not None), None)
        if source.kind == "loser":
            return say("tournament.results.bye")
        if known is not None:
            return names[known]
        inner = next((one for one in slot.sources if str(one.seed_or_slot) in by_id), None)
        return "" if inner is None else _origin(inner, by_id, tags, names, say)
    return say(f"tournament.results.{source.kind}_of", number=tags[slot.id])


def bracket_page(view: BracketView, number: int, say: Language, notes: Mapping[str, str]) -> Page:
    """Makes the page of this number, from 0. ``notes``: the names of players who have left, with a note of that."""
    page = replace(view, page=number + 1)
    found = paging.pages(view)
    here = found[min(number, len(found) - 1)].slots
    heads = dict(view.heads)
    words = []
    column = ""
    for slot in sorted(
        here, key=lambda slot: (slot.side == "T", slot.side == "F", slot.side == "L", slot.column, slot.row)
    ):
        if f"{slot.side}{slot.column}" != column:
            column = f"{slot.side}{slot.column}"
            side = dict(view.sides).get(slot.side, "")
            words.append(" · ".join(filter(None, (side, heads.get(column, "")))) + ":")
        words.append(slot_words(slot, say, notes))
    short = [slot_words(slot, say, notes) for slot in here if slot.tag]
    return Page(partial(pictures.bracket, page), "bracket", view.title, view.about, tuple(words), tuple(short))


def slot_words(slot: BracketSlot, say: Language, notes: Mapping[str, str]) -> str:
    """Returns a sentence such as ``5. Ana beat Ben.``."""
    first, second = (replace(line, name=notes.get(line.name, line.name)) for line in slot.lines)
    number = f"{slot.tag}. " if slot.tag else ""
    if not slot.tag:
        known = first if first.known else second
        return say("tournament.results.goes_on", player=known.name) if known.name else say("tournament.results.bye")
    if slot.state is State.DONE:
        winner, loser = (first, second) if first.won else (second, first)
        key = "drew_twice" if slot.is_tie else "forfeit" if winner.score in UNPLAYED else "beat"
        if not first.won and not second.won:
            key = "nobody"
        return number + say(f"tournament.results.slot.{key}", winner=winner.name, loser=loser.name)
    key = "drew" if slot.is_tie else "plays" if slot.state is State.RUNNING else "meets"
    unknown = say("tournament.results.somebody")
    return number + say(f"tournament.results.slot.{key}", first=first.name or unknown, second=second.name or unknown)


def page_of(view: BracketView, numbers: Sequence[str]) -> int:
    """Returns the page, from 0, with the last of these slots; without slots, the first page."""
    return paging.page_of(view, numbers[-1]) - 1 if numbers else 0
