"""The private panel of the data stored about a user: export and deletion. Users reach only their own data."""

import io
from typing import Any, Final

import discord

from bot.challenges.service import ChallengeService
from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, view_of
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import Press
from bot.core.interactions.routing import Handlers
from bot.core.translations import CODES, Language, language, plain
from bot.games.service import GameService
from bot.privacy.deletion.service import DeletionService
from bot.privacy.export.service import ExportService
from bot.settings import Settings
from engine.core.errors import Refused

handlers: Final = Handlers()
WORD: Final = "word"
"""The field of the form in which the user confirms."""


async def show(answer: Answer) -> None:
    """Says in words which data are stored about the user."""
    say, settings = answer.say, answer.context.services.settings
    counts = await answer.service(ExportService).counts(answer.user_id)
    lines = [say("data.title"), *(f"- {say(f'data.kind.{name}', n=n)}" for name, n in counts.items())]
    lines += [say("data.explained")]
    if settings.contact:
        lines.append(say("data.contact", markup=settings.contact))
    buttons: list[discord.ui.Item[Any]] = [
        PressButton(Press("data_export", "me", 0), say("button.data_export"), "primary"),
        PressButton(Press("data_delete", "me", 0), say("button.data_delete"), "danger"),
        *links(settings, say),
    ]
    await answer.private("\n".join(lines), view=view_of(*buttons))


def links(settings: Settings, say: Language) -> list[discord.ui.Item[Any]]:
    """Returns buttons to the privacy notice and the terms, if the host has given their addresses."""
    pages = (("button.privacy", settings.privacy_url), ("button.terms", settings.terms_url))
    return [discord.ui.Button(label=say(key), url=url) for key, url in pages if url]


@handlers.on("data_export")
async def export(answer: Answer, _press: Press) -> None:
    """Sends the data stored about the user as zip files. It takes a while, so the answer is deferred."""
    await answer.defer()
    number = 0
    async for content in answer.service(ExportService).export(answer.user_id, answer.say):
        number += 1
        file = discord.File(io.BytesIO(content), filename=f"abakbot-data-{number}.zip")
        key = "data.export" if number == 1 else "data.export_more"
        await answer.private(answer.say(key, number=number), files=[file])


@handlers.on("data_delete")
async def explain(answer: Answer, _press: Press) -> None:
    """Explains the effects of a deletion, before it begins."""
    say = answer.say
    running = await answer.service(GameService).of(answer.user_id)
    opened = await answer.service(ChallengeService).open_of(answer.user_id)
    lines = [say("data.delete.title"), say("data.delete.gone")]
    lines += [say("data.delete.challenges", n=opened)] if opened else []
    lines += [say("data.delete.running", n=len(running))] if running else []
    lines += [say("data.delete.kept"), say("data.delete.discord"), say("data.delete.final")]
    sure = PressButton(Press("data_ask", "me", 0), say("button.data_ask"), "danger")
    keep = PressButton(Press("data_keep", "me", 0), say("button.data_keep"))
    await answer.update("\n".join(lines), view=view_of(sure, keep))


@handlers.on("data_ask")
async def ask(answer: Answer, _press: Press) -> None:
    """Opens the form in which the user types the word that confirms."""
    say = answer.say
    word = say("data.form.word")
    field = Field(WORD, say("data.form.label", word=word), "", say("data.form.hint"), longest=20)
    await answer.form(form_of(Press("data_erase", "me", 0), say("data.form.title"), [field]))


@handlers.on("data_erase")
async def erase(answer: Answer, press: Press) -> None:
    """Deletes the user. Raises Refused unless the form has the word, in any of the languages."""
    typed = plain(press.field(WORD)).strip("\"'.! ")
    words = {plain(language(code)("data.form.word")) for code in CODES}
    if typed not in words:
        raise Refused("data.not_confirmed", word=answer.say("data.form.word"))
    await answer.service(DeletionService).delete(answer.user_id)
    await answer.update(answer.say("data.deleted"), view=view_of())


handlers.says("data_keep", "data.kept")


async def refuse_while_deleted(answer: Answer) -> None:
    """Raises Refused while the user's data are being deleted, as this action would store some again."""
    if answer.service(DeletionService).is_under_way(answer.user_id):
        raise Refused("data.under_way")
