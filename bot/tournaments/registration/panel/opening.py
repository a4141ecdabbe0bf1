"""Opens drafts: from a template, from another tournament of the server, or the last draft again."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.players.asker import public_language
from bot.tournaments import access, chosen
from bot.tournaments.registration.panel import views
from bot.tournaments.registration.panel.fields import read_name
from bot.tournaments.registration.panel.settings import PREVIEW, START
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.registration.templates import TEMPLATES, with_game
from bot.tournaments.series.dates import copied
from bot.tournaments.tournament import Plan, Tournament
from engine.core.errors import Refused, RuleError
from engine.registry import find

handlers: Final = Handlers()

USUAL: Final = next(iter(TEMPLATES))


async def create(
    answer: Answer, template: str | None, name: str | None, game: str | None, like: Tournament | None = None
) -> None:
    """Opens the panel with a new draft; without options, with the user's newest draft if there is one.

    ``like``: a tournament whose settings are copied. Raises Refused if the user may not create tournaments here.
    """
    await access.check_creator(answer)
    if like is not None:
        if template is not None:
            raise Refused("tournament.copy.both")
        await start_like(answer, like, name, game)
        return
    if template is None and name is None and game is None:
        drafts = await answer.service(RegistrationService).drafts(answer.interaction.guild_id or 0, answer.user_id)
        if drafts:
            await _go_on(answer, drafts[0])
            return
    await start(answer, template, name, game)


async def _go_on(answer: Answer, draft: Tournament) -> None:
    """Shows a draft again. It moves to the channel of the interaction."""
    said, here = [answer.say("tournament.draft.goes_on")], _channel(answer)
    if here != draft.channel_id:
        said.append(answer.say("tournament.draft.moved", before=f"<#{draft.channel_id}>"))
        draft = await views.edit(answer, draft.id, lambda one: replace(one, channel_id=here))
    await views.show(answer, draft, fresh=True, messages=said)


def _channel(answer: Answer) -> int:
    """Returns the channel of the interaction; for a thread, the channel around it."""
    channel: Any = answer.interaction.channel
    place = getattr(channel, "parent_id", None) if isinstance(channel, discord.Thread) else None
    return place or answer.interaction.channel_id or 0


async def start(answer: Answer, template: str | None, name: str | None, game: str | None) -> None:
    """Stores a new draft from a template and shows it; without a template, shows the page of templates.

    Raises Refused for an unknown template.
    """
    key = template or USUAL
    if key not in TEMPLATES:
        raise Refused("tournament.no_template", text=key)
    public = await public_language(answer)
    plan = _of_game(TEMPLATES[key], game)
    await _begin(answer, public(f"tournament.template.{key}"), plan, name, START if template is None else "format")


async def start_like(answer: Answer, like: Tournament, name: str | None = None, game: str | None = None) -> None:
    """Stores a new draft with all settings of another tournament except its dates, and shows its preview."""
    said = answer.say("tournament.copy.done", name=like.name)
    await _begin(answer, like.name, _of_game(copied(like.plan), game), name, PREVIEW, [said])


@handlers.on("tournament_copy")
async def copy(answer: Answer, press: Press) -> None:
    """Begins a draft like the tournament of the pressed button. Raises Refused if the user may not create any here."""
    await access.check_creator(answer)
    await start_like(answer, await chosen.resolve(answer, press.subject))


def _of_game(plan: Plan, game: str | None) -> Plan:
    return plan if game is None else with_game(plan, find(game).key)


async def _begin(
    answer: Answer, usual: str, plan: Plan, name: str | None, page: str, messages: Sequence[str] = ()
) -> None:
    """Stores a new draft for the channel, and shows a page of it. ``name``: the typed name, instead of the ``usual``
    one.
    """
    public = await public_language(answer)
    draft = await answer.service(RegistrationService).draft(
        answer.interaction.guild_id or 0,
        _channel(answer),
        answer.user_id,
        usual,
        public.code,
        plan,
    )
    said = [*messages]
    if name is not None:
        context = await views.form_context(answer)
        try:
            draft = await views.edit(answer, draft.id, lambda one: read_name(one, name, context))
        except RuleError as error:
            said.append(answer.say.error(error))
    await views.show(answer, draft, page, fresh=True, messages=said)
