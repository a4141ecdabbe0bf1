"""The pages of the organisers' panel: texts, buttons and menus."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import discord

from bot.board import pictures
from bot.board.message import CONTENT, link
from bot.clocks.words import stamp
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import ChannelMenu, PressButton, PressMenu, UserMenu, view_of
from bot.core.interactions.press import Press
from bot.core.texts.quoting import escaped
from bot.players.mentions import mention
from bot.players.service import PlayerNames
from bot.tournaments.organising import editing, words
from bot.tournaments.organising.panel_data import MAIN, Items, PanelData, panel_data
from bot.tournaments.organising.rules import acts, decisions, effect
from bot.tournaments.organising.rules.effect import CORRECTIONS, Act
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.registration.entering import enters_late, expected
from bot.tournaments.results import round_names
from bot.tournaments.schedule import break_end
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import PairingState, PlayerStatus, Status, StoredPairing, Tournament, TournamentSnapshot
from engine.core.errors import Refused
from engine.tournament.model import IN_ROUNDS, KNOCKOUTS

__all__ = ["CONTENT"]

ASSISTANTS: Final = "assistants"
ADD, REMOVE = "add", "remove"
CHANNEL: Final = Act.RESUME
SERIES: Final = "series"
"""The target of a cancellation that ends the series, too."""
MENU: Final = 25
"""The most options of a menu."""
LABEL: Final = 100
ACTS_OF: Final = {ADD: Act.ADD_ASSISTANT, REMOVE: Act.REMOVE_ASSISTANT}


def act_of(what: str) -> str:
    """Returns the act at the beginning of a form's ``rest``."""
    name = what.partition("|")[0]
    return ACTS_OF.get(name, name)


async def page(
    answer: Answer, tournament: Tournament, name: str, part: int, again: Press | None = None
) -> tuple[str, discord.ui.View]:
    """Returns the text and the components of a page. Raises Refused for an unknown page.

    ``again`` opens a form of settings with what was typed.
    """
    if name not in PAGES:
        raise Refused("table.stale")
    now = await panel_data(answer, tournament.id)
    lines, items = await PAGES[name](answer, now, part)
    if name != MAIN:
        lines = [_title(now), *lines]
    if again:
        items.append(PressButton(again, now.say("button.form_again"), "good", row=items[-1].row))
    return "\n".join(lines)[:CONTENT], view_of(*items)


Page = Callable[[Answer, PanelData, int], Awaitable[tuple[list[str], Items]]]

# --- the first page --------------------------------------------------------------------------------------------------


def _title(now: PanelData) -> str:
    return now.say("tournament.organising.title", text=now.tournament.name)


async def _main(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    del answer, part
    say, snapshot, tournament = now.say, now.snapshot, now.tournament
    lines = [_title(now)]
    current = [one for one in snapshot.pairings if one.pairing.round == tournament.round and one.pairing.second]
    if tournament.round and current:
        done = sum(one.state is PairingState.DONE for one in current)
        name = round_names.of_round(snapshot, tournament.round, say)
        lines.append(say("tournament.organising.round", round=name, done=done, n=len(current)))
    if tournament.status is Status.CHECK_IN:
        lines.append(_check_in(now))
    late = sum(one.state is PairingState.LATE for one in snapshot.pairings)
    if late:
        lines.append(say("tournament.organising.late", n=late))
    if (until := break_end(snapshot)) is not None:
        lines.append(say("tournament.organising.break", when=stamp(until, "t"), relative=stamp(until, "R")))
    if tournament.paused is not None:
        lines.append(say("tournament.organising.since", when=stamp(tournament.paused, "f")))
    if not tournament.status.is_active:
        cancelled = tournament.status is Status.CANCELLED
        lines.append(say("tournament.organising.cancelled" if cancelled else "tournament.organising.over"))
    return lines, _main_buttons(now, urgent=bool(late))


def _check_in(now: PanelData) -> str:
    """Returns how many have checked in, and who has not."""
    people = expected(now.snapshot.players)
    missing = [escaped(now.names[one.number]) for one in people if not one.checked_in]
    done, total = len(people) - len(missing), len(people)
    if not missing:
        return now.say("tournament.organising.check_in_all", total=total)
    shown = ", ".join([*missing[:MENU], *(["…"] if len(missing) > MENU else [])])
    return now.say("tournament.organising.check_in", done=done, total=total, players=shown)


def _main_buttons(now: PanelData, *, urgent: bool) -> Items:
    tournament, snapshot = now.tournament, now.snapshot
    active = tournament.status.is_active
    pause = Act.PAUSE if tournament.paused is None else Act.RESUME
    offered: tuple[tuple[str, str, bool, int], ...] = (
        (Act.ADJUDICATE, "primary" if urgent else "plain", bool(acts.undecided(snapshot)), 0),
        (Act.CORRECT, "plain", bool(decisions.correctable(snapshot)), 0),
        (Act.REPAIR, "plain", acts.can_repair(snapshot), 0),
        (Act.EDIT, "plain", tournament.status.is_open or tournament.status is Status.RUNNING, 0),
        (Act.END_BREAK, "plain", break_end(snapshot) is not None, 0),
        (pause, "good" if pause is Act.RESUME else "plain", active, 1),
        (Act.EXPEL, "plain", active, 1),
        (ASSISTANTS, "plain", True, 1),
        (Act.UNDO, "plain", True, 2),
        (Act.FINISH, "plain", tournament.status is Status.RUNNING, 2),
        (Act.CANCEL, "danger", active, 2),
    )
    items: Items = [
        PressButton(
            now.press("organise_page", name), now.say(f"button.organise_{name}"), style, disabled=not possible, row=row
        )
        for name, style, possible, row in offered
    ]
    admits = active and (tournament.status is not Status.RUNNING or enters_late(tournament))
    add = PressButton(now.press("tournament_import"), now.say("button.organise_players"), disabled=not admits, row=1)
    log = PressButton(now.press("tournament_log"), now.say("button.organise_log"), row=2)
    copy = PressButton(now.press("tournament_copy"), now.say("button.organise_copy"), row=2)
    return [*items[:-2], add, log, copy, *items[-2:]]


# --- games -----------------------------------------------------------------------------------------------------------


def _games(name: Act, of: Callable[[TournamentSnapshot], Sequence[StoredPairing]]) -> Page:
    async def shown(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
        del answer
        say, found = now.say, of(now.snapshot)
        lines = [say(f"tournament.organising.page.{name}")]
        lines += _rules(name, now)
        if not found:
            return [*lines, say("tournament.organising.no_games")], [now.back()]
        options = [
            discord.SelectOption(
                label=now.pair(stored)[:LABEL], description=now.place(stored)[:LABEL], value=str(stored.id)
            )
            for stored in found[part * MENU : (part + 1) * MENU]
        ]
        menu = PressMenu(now.press("organise_pairing", name), say("tournament.organising.which_game"), options, row=0)
        return lines, [menu, *_turning(now, name, part, len(found)), now.back(1)]

    return shown


def _rules(name: Act, now: PanelData) -> list[str]:
    """Returns the line about the consequences of a correction here."""
    if name is not Act.CORRECT:
        return []
    if now.tournament.status is Status.OVER:
        return [now.say("tournament.organising.rule.correct_over")]
    knockout = any(stage.format in KNOCKOUTS for stage in now.tournament.plan.stages)
    return [
        now.say("tournament.organising.rule.correct_knockout" if knockout else "tournament.organising.rule.correct")
    ]


def _turning(now: PanelData, name: str, part: int, count: int) -> Items:
    if count <= MENU:
        return []
    last = (count - 1) // MENU
    return [
        PressButton(now.press("organise_page", f"{name}|{part - 1}"), "◀", disabled=part <= 0, row=1),
        PressButton(now.press("organise_page", f"{name}|{part + 1}"), "▶", disabled=part >= last, row=1),
    ]


async def pairing(
    answer: Answer, tournament: Tournament, name: str, pairing_id: int
) -> tuple[str, list[discord.File], discord.ui.View]:
    """Returns a game with its position, and the menu of possible decisions. Raises Refused."""
    if name not in {Act.ADJUDICATE, Act.CORRECT}:
        raise Refused("table.stale")
    now, say = await panel_data(answer, tournament.id), answer.say
    stored = acts.find_pairing(now.snapshot, pairing_id)
    first, second = (now.names[number] for number in stored.pairing.players)
    users = words.users_of(now.snapshot).players
    pair = " \u2013 ".join(mention(users[number], say) for number in stored.pairing.players)
    lines = [f"**{pair}**", now.place(stored)]
    files = []
    if stored.contest_id is not None:
        live = await answer.service(OrganiserService).running_game(stored.contest_id)
        found = await answer.service(PlayerNames).names(live.players, say)
        seated = (found[live.players[0]], found[live.players[1]])
        files.append(await pictures.board(live.table, 0, say, answer.theme, seated))
        lines.append(link(live))
    if name == Act.ADJUDICATE:
        options = [
            discord.SelectOption(
                label=say(f"tournament.ruling.{ruling}", first=first, second=second)[:LABEL], value=ruling.value
            )
            for ruling in decisions.rulings(stored)
        ]
        lines.append(say("tournament.organising.rule.replay"))
    else:
        options = [
            discord.SelectOption(
                label=say(f"tournament.correction.{effect.RESULT_KEYS[result]}", first=first, second=second)[:LABEL],
                value=result.value,
            )
            for result in CORRECTIONS
            if result is not stored.result
        ]
        lines += _rules(Act.CORRECT, now)
    rest = f"{name}|{stored.id}"
    menu = PressMenu(now.press("organise_choice", rest), say("tournament.organising.which_result"), options, row=0)
    again = PressButton(now.press("organise_page", name), say("button.organise_other_game"), row=1)
    return "\n".join(lines), files, view_of(menu, again, now.back(1))


# --- the other acts --------------------------------------------------------------------------------------------------


Rules = Callable[[PanelData], tuple[list[str], Items]]
"""Returns the rules that hold in this tournament, and buttons to alternatives."""


def _asks(name: Act, style: str, rules: Rules = lambda _: ([], [])) -> Page:
    """Makes a page that describes an act, with a button that asks for its reason."""

    async def shown(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
        del answer, part
        say = now.say
        button = PressButton(now.press("organise_reason", name), say(f"button.organise_sure_{name}"), style)
        lines = [say(f"tournament.organising.page.{name}"), say(f"tournament.organising.rule.{name}")]
        more, instead = rules(now)
        return [*lines, *more], [button, *instead, now.back()]

    return shown


def _finish_rules(now: PanelData) -> tuple[list[str], Items]:
    """Returns the line about running games, which will not count."""
    going = len(acts.undecided(now.snapshot))
    return ([now.say("tournament.organising.rule.finish_games", n=going)] if going else []), []


def _cancel_rules(now: PanelData) -> tuple[list[str], Items]:
    """Returns what becomes of its series, and the alternatives: ending that, too; or ending with standings."""
    lines, items = [], Items()
    if now.tournament.plan.repeats:
        lines.append(now.say("tournament.organising.rule.cancel_series"))
        ends = now.press("organise_reason", f"{Act.CANCEL}|{SERIES}")
        items.append(PressButton(ends, now.say("button.organise_cancel_series"), "danger"))
    if now.tournament.status is Status.RUNNING:
        if acts.undecided(now.snapshot):
            lines.append(now.say("tournament.organising.rule.cancel_games"))
        lines.append(now.say("tournament.organising.rule.cancel_running"))
        items.append(PressButton(now.press("organise_page", Act.FINISH), now.say("button.organise_finish")))
    return lines, items


async def _resume(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    lines, items = await _asks(Act.RESUME, "good")(answer, now, part)
    for item in items:
        item.row = 1
    menu = ChannelMenu(now.press("organise_choice", Act.RESUME), now.say("tournament.organising.other_channel"), row=0)
    return lines, [menu, *items]


async def _expel(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    del answer
    say = now.say
    lines = [say("tournament.organising.page.expel"), say("tournament.organising.rule.expel")]
    there = [one for one in now.snapshot.players if one.status in {PlayerStatus.IN, PlayerStatus.WAITING}]
    if not there:
        return [*lines, say("tournament.organising.no_players")], [now.back()]
    options = [
        discord.SelectOption(label=now.names[one.number][:LABEL], value=str(one.number))
        for one in sorted(there, key=lambda one: now.names[one.number].casefold())[part * MENU : (part + 1) * MENU]
    ]
    menu = PressMenu(now.press("organise_choice", Act.EXPEL), say("tournament.organising.which_player"), options, row=0)
    return lines, [menu, *_turning(now, Act.EXPEL, part, len(there)), now.back(1)]


async def _assistants(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    del part
    say = now.say
    known = await answer.service(TournamentService).organisers(now.tournament.id)
    names = await answer.service(PlayerNames).names(known, say)
    listed = say.listed(mention(user_id, say) for user_id in known) if known else say("tournament.organising.nobody")
    lines = [
        say("tournament.organising.page.assistants"),
        say("tournament.organising.owner", player=mention(now.tournament.owner, say)),
        say("tournament.organising.assistants", players=listed),
        say("tournament.organising.rule.assistants"),
    ]
    items: Items = [UserMenu(now.press("organise_choice", ADD), say("tournament.organising.add_assistant"), row=0)]
    if known:
        options = [discord.SelectOption(label=(names[one] or str(one))[:LABEL], value=str(one)) for one in known[:MENU]]
        remove = say("tournament.organising.remove_assistant")
        items.append(PressMenu(now.press("organise_choice", REMOVE), remove, options, row=1))
    return lines, [*items, now.back(2)]


async def _undo(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    del part
    say = now.say
    rule = "undo" if now.tournament.plan.format in IN_ROUNDS else "undo_open"
    lines = [say("tournament.organising.page.undo"), say(f"tournament.organising.rule.{rule}")]
    found = (await answer.service(OrganiserService).undoable(now.snapshot))[:MENU]
    if not found:
        earlier = [say("tournament.organising.undo_series")] if now.tournament.edition > 1 else []
        return [*lines, say("tournament.organising.undo_nothing"), *earlier], [now.back()]
    users = words.users_of(now.snapshot)
    lines += [words.numbered(entry, users, say) for entry in found[:3]]
    options = [
        discord.SelectOption(
            label=say("tournament.organising.undo_label", seq=entry.seq, what=words.name_of(entry.act, say))[:LABEL],
            description=entry.reason[:LABEL] or None,
            value=str(entry.seq),
        )
        for entry in found
    ]
    menu = PressMenu(now.press("organise_choice", Act.UNDO), say("tournament.organising.which_act"), options, row=0)
    return lines, [menu, now.back(1)]


PAGES: Final[dict[str, Page]] = {
    MAIN: _main,
    Act.ADJUDICATE: _games(Act.ADJUDICATE, acts.undecided),
    Act.CORRECT: _games(Act.CORRECT, decisions.correctable),
    Act.REPAIR: _asks(Act.REPAIR, "danger"),
    Act.END_BREAK: _asks(Act.END_BREAK, "good"),
    Act.PAUSE: _asks(Act.PAUSE, "primary"),
    Act.RESUME: _resume,
    Act.EXPEL: _expel,
    Act.EDIT: editing.page,
    ASSISTANTS: _assistants,
    Act.UNDO: _undo,
    Act.FINISH: _asks(Act.FINISH, "danger", _finish_rules),
    Act.CANCEL: _asks(Act.CANCEL, "danger", _cancel_rules),
}
