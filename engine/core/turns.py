"""The effects of turns and rolls on a game: a new position, perhaps a new turn or the end."""

from engine.core.errors import IllegalMove, Refused
from engine.core.game import CHANCE, A, Note, S
from engine.core.progress import Played, Progress
from engine.core.record import Entry, Kind
from engine.core.search import forced_turn


def chance(progress: Progress[S, A], entry: Entry) -> None:
    if progress.to_act != CHANCE:
        raise Refused("table.no_roll_now")
    steps, after = progress.game.replay_turn(progress.state, entry.body.partition(" ")[0])
    _advance(progress, entry, steps, after)
    update_outcome(progress, played=False)


def turn(progress: Progress[S, A], entry: Entry) -> None:
    if progress.to_act != entry.seat:
        raise Refused("table.not_your_turn")
    game, before = progress.game, progress.state
    steps, after = game.replay_turn(before, entry.body)
    if entry.kind is Kind.AUTOMATIC and steps != (game.automatic_action(before),):
        raise Refused("table.bad_entry", body=entry.body)
    if entry.kind is Kind.FORCED and forced_turn(game, before) is None:
        raise Refused("table.bad_entry", body=entry.body)
    _advance(progress, entry, steps, after)
    if progress.to_act == entry.seat:
        raise IllegalMove("table.unfinished", played=entry.body)
    progress.last_turn = Played(before, entry.seat, steps)
    if game.changes_board(before, steps[0]):
        progress.last_move = progress.last_turn
    if progress.offer is not None and progress.offer.seat != entry.seat:
        progress.offer = None
    update_outcome(progress, played=True)


def _advance(progress: Progress[S, A], entry: Entry, steps: tuple[A, ...], after: S) -> None:
    if progress.notes is not None:
        game, state = progress.game, progress.state
        notes: list[Note] = []
        for number, step in enumerate(steps, 1):
            notes += game.notes(state, step)
            if number < len(steps):
                state = game.apply(state, step)
        progress.notes = progress.notes.add(tuple(notes))
    progress.state, progress.to_act = after, progress.game.to_act(after)
    progress.effective_entries = progress.effective_entries.add(entry)


def update_outcome(progress: Progress[S, A], *, played: bool) -> None:
    """Adds the position to the history if a turn begins. Ends the game if the position or the history ends it."""
    game, state, actor = progress.game, progress.state, progress.to_act
    if game.keeps_history and actor not in {None, CHANCE}:
        progress.history = progress.history.add(state)
    outcome = game.outcome(state) if actor is None else None
    if outcome is None and played and game.keeps_history:
        outcome = game.outcome_by_history(progress.history, progress.options)
    if outcome is not None:
        progress.end(outcome)
