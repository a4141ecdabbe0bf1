"""The log in words: the act, the organiser and the reason. The log and the channel show the same line."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from bot.clocks.words import stamp
from bot.core.texts.quoting import escaped
from bot.core.translations import Language
from bot.players.mentions import capitalized, mention
from bot.tournaments.organising.rules.editing import DATES, EDITED, LATE, REPEAT
from bot.tournaments.organising.rules.effect import RESULT_KEYS, Act, Ruling
from bot.tournaments.results.round_names import of_round
from bot.tournaments.results.standing import left_out
from bot.tournaments.tournament import LogEntry, Status, TournamentSnapshot
from engine.tournament.model import Result

NOBODY: Final = 0
MOST_NAMED: Final = 10
"""The most players who are named, of those who were entered together."""


@dataclass(frozen=True, slots=True)
class Users:
    """What stands behind the numbers in the log."""

    players: Mapping[int, int]
    """The user of each player, by the player's number."""
    pairings: Mapping[int, tuple[int, ...]]
    """The numbers of the players of each pairing, by its id."""
    round_name: Callable[[int, Language], str]
    """Names a round by its number."""
    left_out: frozenset[int] = frozenset()
    """The numbers of the players whose results do not count, as they left too early."""


def users_of(snapshot: TournamentSnapshot) -> Users:
    players = {player.number: player.user_id for player in snapshot.players}
    pairings = {stored.id: stored.pairing.players for stored in snapshot.pairings}
    return Users(players, pairings, partial(of_round, snapshot), left_out(snapshot))


def score(result: str, say: Language) -> str:
    """Formats a result, such as ``1-0``."""
    return say(f"tournament.score.{RESULT_KEYS[Result(result)]}")


def line(entry: LogEntry, users: Users, say: Language) -> str:
    """Writes the act and the reason."""
    written = LINES.get(entry.act)
    done = capitalized(written(entry, users, say) if written else say("tournament.act.other"))
    return say("tournament.act.because", line=done, markup=escaped(entry.reason)) if entry.reason else done


def numbered(entry: LogEntry, users: Users, say: Language) -> str:
    """Writes a line of the log: number, time, act, and whether it was undone."""
    done = line(entry, users, say)
    shown = say("tournament.log.line", seq=entry.seq, when=stamp(entry.at, "f"), line=done)
    return shown if entry.undone is None else say("tournament.log.undone", line=shown, seq=entry.undone)


def name_of(act: str, say: Language) -> str:
    return say(f"tournament.act.name.{act}")


def _player(users: Users, number: Any, say: Language) -> str:
    user_id = users.players.get(number, NOBODY)
    return mention(user_id, say) if user_id else "?"


def _actor(entry: LogEntry, say: Language) -> str:
    return "" if entry.actor is None else mention(entry.actor, say)


def _subject(entry: LogEntry, say: Language) -> str:
    return "?" if entry.subject is None else mention(entry.subject, say)


def _pair(entry: LogEntry, users: Users, say: Language) -> tuple[str, str]:
    named = entry.detail.get("players") or users.pairings.get(cast("int", entry.detail.get("pairing", 0)), ())
    first, second = (*cast("Sequence[int]", named), NOBODY, NOBODY)[:2]
    return _player(users, first, say), _player(users, second, say)


def _adjudicated(entry: LogEntry, users: Users, say: Language) -> str:
    actor, (first, second) = _actor(entry, say), _pair(entry, users, say)
    if entry.detail["ruling"] == Ruling.REPLAY:
        return say("tournament.act.replay", actor=actor, first=first, second=second)
    result = score(str(entry.detail["result"]), say)
    return say("tournament.act.adjudicate", actor=actor, first=first, second=second, result=result)


def _corrected(entry: LogEntry, users: Users, say: Language) -> str:
    actor, (first, second) = _actor(entry, say), _pair(entry, users, say)
    before, result = (score(str(entry.detail[key]), say) for key in ("was", "result"))
    key = "tournament.act.correct_later" if entry.detail["later"] else "tournament.act.correct"
    return say(key, actor=actor, first=first, second=second, before=before, result=result)


def _resumed(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    shift, to_open = (cast("int", entry.detail.get(key, 0)) for key in ("shift", "reopened"))
    done = say("tournament.act.resume", actor=_actor(entry, say), time=say.length(shift, parts=1))
    return f"{done} {say('tournament.act.reopens', n=to_open)}" if to_open else done


def _away(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    return say("tournament.act.away", time=say.length(cast("int", entry.detail["milliseconds"]), parts=1))


def _break(entry: LogEntry, users: Users, say: Language) -> str:
    until = cast("int", entry.detail["until"])
    when, relative = stamp(until, "f"), stamp(until, "R")
    key = "tournament.act.break_last" if entry.detail["last"] else "tournament.act.break"
    return say(key, round=users.round_name(entry.round, say), when=when, relative=relative)


def _undone(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    key = f"tournament.act.undo.{entry.detail['act']}"
    done = say(key, actor=_actor(entry, say), seq=cast("int", entry.detail["seq"]), player=_subject(entry, say))
    again = cast("int", entry.detail.get("again", 0))  # formerly not noted
    if entry.detail["act"] == Act.EXPEL and again:
        done = f"{done} {say('tournament.act.undo.again', n=again)}"
    counts = say("tournament.act.undo.counts", player=_subject(entry, say))
    return f"{done} {counts}" if entry.detail.get("counts") else done


def _cancelled(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    done = say("tournament.act.cancel", actor=_actor(entry, say))
    if entry.detail.get("status") == Status.RUNNING:  # before the start, there are no games
        done = f"{done} {say('tournament.act.cancel_games')}"
    ends_series = entry.detail.get("ends_series")  # None: there was no series
    if ends_series is None:
        return done
    return f"{done} {say('tournament.act.series_ends' if ends_series else 'tournament.act.series_goes_on')}"


def _edited(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    before, after = (cast("dict[str, Any]", entry.detail[key]) for key in ("before", "after"))
    changes = (
        say(
            "tournament.act.change",
            title=title(key, say),
            before=value(key, before[key], say),
            after=value(key, after[key], say),
        )
        for key in EDITED
        if key in after
    )
    return say("tournament.act.edit", actor=_actor(entry, say), changes="; ".join(changes))


def title(key: str, say: Language) -> str:
    """Returns the name of a setting that may change after the announcement."""
    is_menu = key in {"check_in", "round_length", "season", LATE, REPEAT}
    return say(f"tournament.plan.{key}" if is_menu else f"tournament.field.{key}.label")


def value(key: str, given: Any, say: Language) -> str:
    """Writes the value of a setting in the log."""
    if key == LATE:
        rule, _, extension = str(given).partition(",")
        return say(f"tournament.plan.late.{rule}", length=say.length(int(extension or 0)))
    if key == REPEAT:
        return say(f"tournament.plan.repeat.{given}")
    if key == "season":
        return say("tournament.plan.season.n", n=given) if given else say("tournament.plan.season.zero")
    if key in {"check_in", "round_length"}:
        return say.length(given) if given else say(f"tournament.plan.{key}.zero")
    if key in DATES:
        return say(f"tournament.edit.{key}_none") if given is None else stamp(given, "f")
    return str(given)


def _said(key: str) -> Callable[[LogEntry, Users, Language], str]:
    """Makes the function that writes lines with the actor and the user whom it concerns."""

    def written(entry: LogEntry, users: Users, say: Language) -> str:
        del users
        return say(key, actor=_actor(entry, say), player=_subject(entry, say))

    return written


def _of_round(key: str) -> Callable[[LogEntry, Users, Language], str]:
    """Makes the function that writes lines with the actor and the round."""

    def written(entry: LogEntry, users: Users, say: Language) -> str:
        return say(key, actor=_actor(entry, say), round=users.round_name(entry.round, say))

    return written


def _of_pairing(key: str) -> Callable[[LogEntry, Users, Language], str]:
    """Makes the function that writes lines with the players of a pairing."""

    def written(entry: LogEntry, users: Users, say: Language) -> str:
        first, second = _pair(entry, users, say)
        return say(key, first=first, second=second)

    return written


def _withdrew(entry: LogEntry, users: Users, say: Language) -> str:
    number = entry.detail.get("player")
    done = say(f"tournament.act.withdrew.{entry.detail.get('why', 'withdrew')}", player=_player(users, number, say))
    return _with_results(done, number, users, say)


def _expelled(entry: LogEntry, users: Users, say: Language) -> str:
    done = say("tournament.act.expel", actor=_actor(entry, say), player=_subject(entry, say))
    return _with_results(done, entry.detail.get("number"), users, say)


def _with_results(done: str, number: Any, users: Users, say: Language) -> str:
    """Adds that the results of a player who is out do not count, if that is so."""
    left_out = say("tournament.act.left_out", player=_player(users, number, say))
    return f"{done} {left_out}" if number in users.left_out else done


def _late_entry(entry: LogEntry, users: Users, say: Language) -> str:
    del users
    number = cast("int", entry.detail.get("first_round", 1))  # 1 in an arena or a ladder
    key = "tournament.act.late_entry_round" if number > 1 else "tournament.act.late_entry"
    return say(key, actor=_actor(entry, say), round=number)


def _entered(entry: LogEntry, users: Users, say: Language) -> str:
    number = cast("int", entry.detail.get("first_round", 1))
    key = "tournament.act.entered_round" if number > 1 else "tournament.act.entered"
    together = cast("list[int]", entry.detail.get("players", []))
    if len(together) < 2:
        return say(key, actor=_actor(entry, say), player=_subject(entry, say), round=number)
    named = [_player(users, one, say) for one in together[:MOST_NAMED]]
    more = ["…"] if len(together) > MOST_NAMED else []
    players = ", ".join([*named, *more])
    return say(f"{key}_many", actor=_actor(entry, say), players=players, n=len(together), round=number)


def _bye(entry: LogEntry, users: Users, say: Language) -> str:
    player = _player(users, entry.detail.get("player"), say)
    return say(f"tournament.act.{entry.act}", player=player, round=cast("int", entry.detail["round"]))


def _counted(key: str) -> Callable[[LogEntry, Users, Language], str]:
    """Makes the function that writes lines with a number of players."""

    def written(entry: LogEntry, users: Users, say: Language) -> str:
        del users
        found = entry.detail["players"]
        return say(key, n=len(found) if isinstance(found, list) else cast("int", found))

    return written


LINES: Final[dict[str, Callable[[LogEntry, Users, Language], str]]] = {
    Act.ADJUDICATE: _adjudicated,
    Act.CORRECT: _corrected,
    Act.REPAIR: _of_round("tournament.act.repair"),
    Act.PAUSE: _said("tournament.act.pause"),
    Act.RESUME: _resumed,
    Act.ADD_ASSISTANT: _said("tournament.act.assistant_add"),
    Act.REMOVE_ASSISTANT: _said("tournament.act.assistant_remove"),
    Act.EXPEL: _expelled,
    Act.CANCEL: _cancelled,
    Act.FINISH: _said("tournament.act.finish"),
    Act.EDIT: _edited,
    Act.END_BREAK: _said("tournament.act.begin"),
    Act.UNDO: _undone,
    Act.SERVER_GONE: _said("tournament.act.server_gone"),
    Act.OWNER_GONE: _said("tournament.act.owner_gone"),
    # acts of the bot itself
    "paused": _said("tournament.act.channel_gone"),
    "extended": _of_pairing("tournament.act.extended"),
    "away": _away,
    "late": _of_pairing("tournament.act.late"),
    "bye": _bye,
    "bye_withdrawn": _bye,
    "challenged": _of_pairing("tournament.act.challenged"),
    "sank": _counted("tournament.act.sank"),
    "check_in": _said("tournament.act.check_in"),
    "announced": _said("tournament.act.announced"),
    "repeated": _said("tournament.act.repeated"),
    "series_stopped": _said("tournament.act.series_stopped"),
    "late_entry": _late_entry,
    "entered": _entered,
    "started": _counted("tournament.act.started"),
    "break": _break,
    "paired": _of_round("tournament.act.paired"),
    "finished": _said("tournament.act.finished"),
    "finished_early": _said("tournament.act.finished_early"),
    "cancelled": _said("tournament.act.cancelled"),
    "withdrew": _withdrew,
    "no_show": _counted("tournament.act.no_show"),
    "moved_up": _counted("tournament.act.moved_up"),
}
"""The functions that write lines, by act of organisers or of the bot."""
