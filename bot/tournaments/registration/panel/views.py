"""The panel of a draft: pages of menus and forms, the preview, the announcement. Its state is the stored draft."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.clocks.words import control
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, RoleMenu, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import Press, read_id
from bot.core.interactions.refused_forms import AGAIN, RefusedForms
from bot.core.interactions.routing import Handlers
from bot.core.translations import CODES, Language, language
from bot.players.service import PreferenceService
from bot.players.views import check_role
from bot.tournaments import access, start_words
from bot.tournaments.registration import checks, words
from bot.tournaments.registration.panel.channel import check_channel, check_giver
from bot.tournaments.registration.panel.fields import FormContext, fields_of
from bot.tournaments.registration.panel.setting import Setting
from bot.tournaments.registration.panel.settings import PREVIEW, START, choose, pages_of, settings_of
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.templates import TEMPLATES, began_from, begun_anew
from bot.tournaments.tournament import Plan, Tournament
from engine.core.errors import Refused, RuleError
from engine.core.game import Note
from engine.tournament.model import MOST_ENTRANTS

handlers: Final = Handlers()

ROWS: Final = 5
"""The rows of components in a message. The last one is for buttons."""
PRIZES: Final = (1, 2, 3)
"""The places that can have a role as a prize."""
LONGEST: Final = 1990


async def form_context(answer: Answer) -> FormContext:
    server = await answer.service(PreferenceService).of_server(answer.interaction.guild_id)
    return FormContext(answer.now, answer.prefs["zone"], server)


async def edit(answer: Answer, tournament_id: str, change: Callable[[Tournament], Tournament]) -> Tournament:
    """Changes the user's own draft. Raises Refused if there is none. An error in ``change`` changes nothing."""
    return await answer.service(RegistrationService).edit(tournament_id, answer.user_id, change)


async def _draft(answer: Answer, press: Press) -> Tournament:
    """Returns the pressed draft. Raises Refused unless it is the user's own and of this server."""
    draft = await answer.service(RegistrationService).draft_of(press.subject, answer.user_id)
    if draft.guild_id != answer.interaction.guild_id:
        raise Refused("tournament.draft.gone")
    return draft


# --- drawing -------------------------------------------------------------------------------------------------------


async def show(
    answer: Answer,
    draft: Tournament,
    page: str = "",
    *,
    fresh: bool = False,
    messages: Sequence[str] = (),
    again: bool = False,
) -> None:
    """Shows a page of the panel, or the preview, with ``messages`` above it.

    ``again``: whether to offer the page's form with what was typed, as some of it was refused.
    """
    context = await form_context(answer)
    pages = pages_of(draft.plan)
    if page == PREVIEW:
        content, items = _preview(draft, context, answer.say)
    else:
        page = page if page in pages else pages[0]
        content, items = _page(draft, page, context, answer.say)
        if again:
            press = _press("plan_ask", draft, f"{page}{AGAIN}")
            items.append(PressButton(press, answer.say("button.form_again"), "good", row=ROWS - 1))
    text = "\n".join([*messages, content])[:LONGEST]
    await answer.show(text, view=view_of(*items), fresh=fresh)


def _notes(notes: Sequence[Note], sign: str, say: Language) -> list[str]:
    return [f"{sign} {say.note(note)}" for note in notes]


def _page(draft: Tournament, page: str, context: FormContext, say: Language) -> tuple[str, list[discord.ui.Item[Any]]]:
    plan, pages = draft.plan, pages_of(draft.plan)
    title = say(f"tournament.page.{page}")
    lines = [say("tournament.panel", name=draft.name, number=pages.index(page) + 1, pages=len(pages), title=title)]
    lines += _values(draft, page, context, say)
    lines += _notes(checks.problems(plan, context.server, context.now), "⛔", say)
    items: list[discord.ui.Item[Any]] = [_templates(draft, say)] if page == START else []
    for setting in settings_of(plan, page):
        items.append(_menu(draft, setting, context.server, say, len(items)))
    items += _role_menus(draft, page, say, len(items))
    row = ROWS - 1
    at = pages.index(page)
    if at:
        items.append(PressButton(_press("plan_page", draft, pages[at - 1]), say("button.plan_back"), row=row))
    following = pages[at + 1] if at + 1 < len(pages) else None
    if following:
        items.append(PressButton(_press("plan_page", draft, following), say("button.plan_next"), "primary", row=row))
    if fields_of(page):
        items.append(PressButton(_press("plan_ask", draft, page), say(f"button.plan_ask.{page}"), row=row))
    items.append(PressButton(_press("plan_preview", draft), say("button.plan_preview"), "good", row=row))
    return "\n".join(lines), items


def _press(verb: str, draft: Tournament, rest: str = "") -> Press:
    return Press(verb, draft.id, 0, rest)


def _values(draft: Tournament, page: str, context: FormContext, say: Language) -> list[str]:
    """Returns the page's values that no menu shows."""
    plan = draft.plan
    lines = []
    if page == START:
        lines = [say("tournament.start_from.about"), *(f"> {line}" for line in words.rules(plan, say))]
    if page == "dates":
        lines = [say("tournament.value.name", name=draft.name), start_words.start(plan, say)]
        for key, moment in (("opens", plan.registration_opens), ("closes", plan.registration_closes)):
            when = f"<t:{moment // 1000}:f>" if moment is not None else say(f"tournament.value.{key}_none")
            lines.append(say(f"tournament.value.{key}", when=when))
        lines.append(say("tournament.value.zone", zone=context.zone) if context.zone else say("tournament.value.utc"))
    if page == "players":
        lines = [say("tournament.value.capacity", n=plan.capacity, least=plan.least)]
        lines += words.who(plan, say) or [say("tournament.who.anyone")]
    if page == "tie_breaks":  # its menus leave no room for the one of what follows them
        rule = say(f"tournament.more.ties.{plan.stages[0].ties.value}")
        lines = [say("tournament.value.ties", rule=rule, page=say("tournament.page.players"))]
    if page == "extras":
        lines = [say("tournament.more.prize", place=place, role=f"<@&{role}>") for place, role in plan.prizes]
        lines = lines or [say("tournament.value.no_prizes")]
    return lines


def _menu(draft: Tournament, setting: Setting, server: Mapping[str, str], say: Language, row: int) -> PressMenu:
    """Makes a menu. The label of the present choice includes the title, as a closed menu shows nothing else."""
    title, chosen = say(f"tournament.plan.{setting.key}"), setting.get(draft.plan)
    rows = [
        (value, say("panel.chosen", title=title, choice=name) if value == chosen else name)
        for value, name in setting.rows(draft.plan, say, server)
    ]
    options = [discord.SelectOption(label=name, value=value, default=value == chosen) for value, name in rows]
    return PressMenu(_press("plan_set", draft, f"{setting.page}.{setting.key}"), title, options, row=row)


def _templates(draft: Tournament, say: Language) -> PressMenu:
    title, chosen = say("tournament.start_from"), began_from(draft.plan)
    options = []
    for key, plan in TEMPLATES.items():
        name = say(f"tournament.template.{key}")
        label = say("panel.chosen", title=title, choice=name) if key == chosen else name
        about = f"{words.format_text(plan, say)} · {control(plan.clock, say)}"
        options.append(discord.SelectOption(label=label, value=key, description=about, default=key == chosen))
    return PressMenu(_press("plan_template", draft), say("tournament.start_from.menu"), options, row=0)


def _role_menus(draft: Tournament, page: str, say: Language, row: int) -> list[discord.ui.Item[Any]]:
    if page == "players":
        required = draft.plan.eligibility.role_id
        chosen = () if required is None else (required,)
        return [RoleMenu(_press("plan_role", draft, "join"), say("tournament.plan.role"), chosen, row=row)]
    if page == "extras":
        prizes = dict(draft.plan.prizes)
        return [
            RoleMenu(
                _press("plan_role", draft, str(place)),
                say("tournament.plan.prize", place=place),
                (prizes[place],) if place in prizes else (),
                row=row + number,
            )
            for number, place in enumerate(PRIZES)
        ]
    return []


def _misnamed(draft: Tournament) -> bool:
    """Returns whether the draft still has the name of its template, but not the settings that such a name tells."""

    def told(plan: Plan) -> tuple[object, ...]:
        stages = tuple((stage.format, stage.rounds) for stage in plan.stages)
        return plan.game, stages, plan.terms.points, plan.clock, plan.round_length, plan.arena

    keys = (key for key in TEMPLATES if draft.name in {language(code)(f"tournament.template.{key}") for code in CODES})
    return any(told(TEMPLATES[key]) != told(draft.plan) for key in keys)


def _preview(draft: Tournament, context: FormContext, say: Language) -> tuple[str, list[discord.ui.Item[Any]]]:
    """Returns the announcement, the calendar, the problems and the warnings."""
    plan = draft.plan
    problems = checks.problems(plan, context.server, context.now)
    lines = [
        say("tournament.preview", channel=f"<#{draft.channel_id}>"),
        say("tournament.title", name=draft.name),
        *words.rules(plan, say),
        *words.who(plan, say),
        start_words.start(plan, say),
        *words.registration(plan, say, context.now),
        say("tournament.value.capacity", n=plan.capacity, least=plan.least),
        *words.check_in(plan, say),
        *words.late_entries(plan, say),
        *words.repeats(plan, say),
        *(f"-# {line}" for line in words.more(plan, say)),
        say("tournament.calendar"),
        *words.calendar(draft, plan.capacity, say, context.now),
        *_notes(problems, "⛔", say),
        *_notes(checks.warnings(plan), "⚠️", say),
        *([f"⚠️ {say('tournament.warning.name', page=say('tournament.page.dates'))}"] if _misnamed(draft) else []),
    ]
    options = [discord.SelectOption(label=say(f"tournament.page.{page}"), value=page) for page in pages_of(plan)]
    announce = PressButton(
        _press("plan_announce", draft), say("button.plan_announce"), "good", disabled=bool(problems), row=1
    )
    items: list[discord.ui.Item[Any]] = [
        PressMenu(_press("plan_open", draft), say("tournament.panel.change"), options, row=0),
        announce,
        PressButton(_press("plan_page", draft, pages_of(plan)[-1]), say("button.plan_back"), row=1),
        PressButton(_press("plan_discard", draft), say("button.plan_discard"), "danger", row=1),
    ]
    return "\n".join(lines), items


# --- presses -------------------------------------------------------------------------------------------------------


@handlers.on("plan_page")
async def show_page(answer: Answer, press: Press) -> None:
    await show(answer, await _draft(answer, press), press.rest)


@handlers.on("plan_open")
async def open_page(answer: Answer, press: Press) -> None:
    """Opens a page chosen in the preview."""
    await show(answer, await _draft(answer, press), press.value)


@handlers.on("plan_preview")
async def show_preview(answer: Answer, press: Press) -> None:
    await show(answer, await _draft(answer, press), PREVIEW)


@handlers.on("plan_set")
async def set_choice(answer: Answer, press: Press) -> None:
    """Stores a choice. Raises Refused for a choice that the panel does not offer now."""
    await _draft(answer, press)
    context = await form_context(answer)
    page, _, key = press.rest.partition(".")

    def change(draft: Tournament) -> Tournament:
        try:
            plan = choose(draft.plan, key, press.value, context.server, answer.say)
        except ValueError as error:
            raise Refused("tournament.draft.not_offered") from error
        return replace(draft, plan=plan)

    await show(answer, await edit(answer, press.subject, change), page)


@handlers.on("plan_template")
async def begin_anew(answer: Answer, press: Press) -> None:
    """Gives the draft the settings of a template. Its dates, its channel and a typed name stay."""
    await _draft(answer, press)
    chosen = press.value
    if chosen not in TEMPLATES:
        raise Refused("tournament.no_template", text=chosen)

    def change(draft: Tournament) -> Tournament:
        say = language(draft.locale)
        is_typed = draft.name not in {say(f"tournament.template.{key}") for key in TEMPLATES}
        name = draft.name if is_typed else say(f"tournament.template.{chosen}")
        return replace(draft, name=name, plan=begun_anew(draft.plan, chosen))

    await show(answer, await edit(answer, press.subject, change), START)


@handlers.on("plan_role")
async def set_role(answer: Answer, press: Press) -> None:
    """Stores the role that may join, or the prize of a place. An emptied menu removes the role."""
    await _draft(answer, press)
    role = None if press.value_or_none is None else read_id(press.value)
    if role == answer.interaction.guild_id:  # @everyone
        role = None
    if role is not None:
        check_role(answer, role)

    def change(draft: Tournament) -> Tournament:
        return replace(draft, plan=_with_role(draft.plan, press.rest, role))

    draft = await edit(answer, press.subject, change)
    await show(answer, draft, "players" if press.rest == "join" else "extras")


def _with_role(plan: Plan, what: str, role: int | None) -> Plan:
    """Returns the plan with a role for joining or for a place. Raises Refused for another target."""
    if what == "join":
        return replace(plan, eligibility=replace(plan.eligibility, role_id=role))
    if what not in map(str, PRIZES):
        raise Refused("tournament.draft.not_offered")
    prizes = {place: one for place, one in plan.prizes if place != int(what)}
    prizes |= {} if role is None else {int(what): role}
    return replace(plan, prizes=tuple(sorted(prizes.items())))


@handlers.on("plan_ask")
async def ask(answer: Answer, press: Press) -> None:
    """Opens the form of a page, after a refusal with what was typed."""
    draft, say = await _draft(answer, press), answer.say
    page, again = press.rest.removesuffix(AGAIN), press.rest.endswith(AGAIN)
    typed = answer.service(RefusedForms).typed(answer.user_id, f"{draft.id}:{page}") if again else {}
    fields = [
        Field(
            field.key,
            say(f"tournament.field.{field.key}.label"),
            typed.get(field.key, field.write(draft, answer.prefs["zone"])),
            say(f"tournament.field.{field.key}.hint", most=MOST_ENTRANTS),
            field.longest,
        )
        for field in fields_of(page)
    ]
    if not fields:
        raise Refused("tournament.draft.not_offered")
    await answer.form(form_of(_press("plan_fill", draft, page), say(f"tournament.page.{page}"), fields))


@handlers.on("plan_fill")
async def fill(answer: Answer, press: Press) -> None:
    """Stores the changed fields, each by itself. A wrong one gets a message, and the others are stored."""
    draft, context = await _draft(answer, press), await form_context(answer)
    typed, problems, refused = dict(press.filled), [], []
    for field in fields_of(press.rest):
        text = typed.get(field.key)
        if text is None or text.strip() == field.write(draft, context.zone):
            continue
        try:
            draft = await edit(answer, draft.id, lambda one, field=field, text=text: field.read(one, text, context))  # type: ignore[misc]
        except RuleError as error:
            if isinstance(error, Refused) and error.key == "tournament.draft.gone":
                raise
            refused.append((field.key, text))
            title = answer.say(f"tournament.field.{field.key}.label")
            problems.append(answer.say("panel.wrong", title=title, problem=answer.say.error(error)))
    if refused:
        answer.service(RefusedForms).keep(answer.user_id, f"{draft.id}:{press.rest}", tuple(refused))
    await show(answer, draft, press.rest, messages=problems, again=bool(refused))


@handlers.on("plan_announce")
async def announce(answer: Answer, press: Press) -> None:
    """Opens the registration; the announcement follows. Raises Refused for problems and missing permissions."""
    draft = await _draft(answer, press)
    await access.check_creator(answer)
    context = await form_context(answer)
    problems = checks.problems(draft.plan, context.server, context.now)
    if problems:
        await show(answer, draft, PREVIEW)
        return
    check_channel(answer, draft)
    check_giver(answer, draft)
    opened = await answer.service(RegistrationService).open(draft.id, answer.user_id)
    await answer.update(answer.say("tournament.announced", name=opened.name, channel=f"<#{opened.channel_id}>"))


@handlers.on("plan_discard")
async def discard(answer: Answer, press: Press) -> None:
    draft = await _draft(answer, press)
    await answer.service(RegistrationService).discard(draft.id, answer.user_id)
    await answer.update(answer.say("tournament.draft.discarded", name=draft.name))
