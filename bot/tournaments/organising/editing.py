"""The page on which organisers change settings: its menus, its forms, and the reading of both."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import InvalidPress, Press
from bot.core.translations import Language, language
from bot.tournaments.organising import words
from bot.tournaments.organising.panel_data import Items, PanelData
from bot.tournaments.organising.rules import editing
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.registration.panel.fields import CHECK_IN, FIELDS, FormContext, TypedSetting
from bot.tournaments.registration.panel.setting import Setting
from bot.tournaments.registration.panel.settings import BY_KEY, choose
from bot.tournaments.tournament import REASON_LENGTH, Tournament
from engine.core.errors import Refused, RuleError
from engine.tournament.model import MOST_ENTRANTS

REASON: Final = "reason"
"""The field for the reason in every form of organisers."""
LABEL: Final = 100
MENUS: Final = ("round_length", editing.LATE, editing.REPEAT, "season")
"""The settings that are chosen in menus."""
_TYPED: Final = {field.key: field for field in (*FIELDS, CHECK_IN)}
FORMS: Final[dict[str, tuple[TypedSetting, ...]]] = {
    "players": tuple(_TYPED[key] for key in (editing.NAME, "capacity", "least")),
    "dates": tuple(_TYPED[key] for key in ("starts", "check_in", "registration_opens", "registration_closes")),
}
"""The forms with their settings. Discord allows five fields, one of which is the reason."""


async def page(answer: Answer, now: PanelData, part: int) -> tuple[list[str], Items]:
    """Returns the settings that may change, with their menus and buttons. Raises Refused if there are none."""
    del part
    say = now.say
    editing.require_editable(now.snapshot)
    known = editing.values(now.tournament)
    is_open = now.tournament.status.is_open
    editable = [key for key in editing.EDITED if is_open or key in editing.RUNNING]
    menus = [BY_KEY[key] for key in MENUS if key in editable and BY_KEY[key].fits(now.tournament.plan)]
    shown = [key for key in editable if key not in MENUS or BY_KEY[key] in menus]
    rule = "edit" if is_open else "edit_running"
    lines = [say("tournament.organising.page.edit"), say(f"tournament.organising.rule.{rule}")]
    lines += [f"- {words.title(key, say)}: {words.value(key, known[key], say)}" for key in shown]
    items: Items = [_menu(now, setting, row) for row, setting in enumerate(menus)]
    if not is_open:
        return lines, [*items, now.back(len(menus))]
    zone = answer.prefs["zone"]
    lines.append(say("tournament.value.zone", zone=zone) if zone else say("tournament.value.utc"))
    items += [
        PressButton(
            now.press("organise_settings", form), say(f"button.organise_edit.{form}"), "primary", row=len(menus)
        )
        for form in FORMS
    ]
    return lines, [*items, now.back(len(menus))]


def _menu(now: PanelData, setting: Setting, row: int) -> PressMenu:
    say, plan = now.say, now.tournament.plan
    title, chosen = words.title(setting.key, say), setting.get(plan)
    options = [
        discord.SelectOption(
            label=(say("panel.chosen", title=title, choice=name) if value == chosen else name)[:LABEL],
            value=value,
            default=value == chosen,
        )
        for value, name in setting.rows(plan, say, {})
    ]
    return PressMenu(now.press("organise_choice", f"{Act.EDIT}|{setting.key}"), title, options, row=row)


def form(answer: Answer, tournament: Tournament, seen: int, name: str, typed: Mapping[str, str]) -> discord.ui.Modal:
    """Returns one of FORMS with the present values, and the reason. Raises InvalidPress for any other.

    ``typed``: what was typed into it before, by the fields.
    """
    say = answer.say
    if name not in FORMS:
        raise InvalidPress
    fields = [
        Field(
            field.key,
            words.title(field.key, say),
            typed.get(field.key, field.write(tournament, answer.prefs["zone"])),
            say(f"tournament.field.{field.key}.hint", most=MOST_ENTRANTS),
            field.longest,
        )
        for field in FORMS[name]
    ]
    fields.append(reason_field(say, typed.get(REASON, "")))
    return form_of(Press("organise_edit", tournament.id, seen, name), say("tournament.act.name.edit"), fields)


def reason_field(say: Language, reason: str = "") -> Field:
    """Returns the field for the reason, which every act needs. ``reason`` stands in it already."""
    label, hint = say("tournament.form.reason"), say("tournament.form.hint")
    return Field(REASON, label, reason[:REASON_LENGTH], hint, REASON_LENGTH, required=True)


@dataclass(frozen=True, slots=True)
class Typed:
    """The content of a form."""

    changes: tuple[Callable[[Tournament], Tournament], ...]
    problems: tuple[str, ...]
    """A sentence for each unreadable field. If there is one, nothing is changed."""

    def __call__(self, tournament: Tournament) -> Tournament:
        for change in self.changes:
            tournament = change(tournament)
        return tournament


def typed(press: Press, tournament: Tournament, context: FormContext, say: Language) -> Typed:
    """Reads the changes of a form: the fields whose text differs from the present value.

    Raises InvalidPress for a form that is none of FORMS.
    """
    if press.rest not in FORMS:
        raise InvalidPress
    changes: list[Callable[[Tournament], Tournament]] = []
    problems = []
    for field in FORMS[press.rest]:
        text = press.field(field.key)
        if text.strip() == field.write(tournament, context.zone):
            continue
        try:
            field.read(tournament, text, context)
        except RuleError as error:
            problems.append(say("panel.wrong", title=words.title(field.key, say), problem=say.error(error)))
        changes.append(lambda one, field=field, text=text: field.read(one, text, context))  # type: ignore[misc]
    return Typed(tuple(changes), tuple(problems))


def chosen(key: str, value: str) -> Callable[[Tournament], Tournament]:
    """Returns the change by a choice in a menu. The change raises Refused if the choice is no longer offered.

    Raises InvalidPress for an unknown menu.
    """
    if key not in MENUS:
        raise InvalidPress

    def change(tournament: Tournament) -> Tournament:
        try:
            plan = choose(tournament.plan, key, value, {}, language(tournament.locale))
        except ValueError as error:
            raise Refused("tournament.draft.not_offered") from error
        return replace(tournament, plan=plan)

    return change
