"""One interaction, answered in time, whatever happens.

Discord shows "the application did not respond" after three seconds; so a slow answer is announced first ("still
working") and filled in later, and whoever answers need not know which of the two it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import discord
import structlog

from bot.core.discord_errors import REQUEST_ERRORS, UNANSWERABLE, code_of
from bot.core.interactions.command_texts import Command
from bot.core.interactions.press import Press
from bot.core.services import Services
from bot.core.translations import Language, spoken
from engine.core.errors import Refused, RuleError

T = TypeVar("T")
Interaction: TypeAlias = "discord.Interaction[Any]"
Work: TypeAlias = Callable[["Answer"], Awaitable[None]]
Handler: TypeAlias = Callable[["Answer", Press], Awaitable[None]]
"""Called with the answer to give, and what was pressed."""

PATIENCE: Final = 1.8
"""Seconds after which an answer is announced; Discord waits for 3, the way there and back included."""

FROM_MESSAGES: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)

log = structlog.get_logger()


class Context:
    """What interactions are answered with: the services, the Discord client, the handlers of all verbs."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.services = services
        self.client = client
        self.handlers: dict[str, Handler] = {}
        self.commands: list[Command] = []
        """Those under ``/abak``."""
        self.before_answer: list[Work] = []
        """Called before each answer, to find out who asks."""
        self.after_answer: list[Work] = []
        """Called after each answer, for what is to be said beside it; what they raise is logged, no more."""
        self.under_way: set[asyncio.Task[Any]] = set()
        """The answers under way; the bot does not stop in the middle of one."""

    def spoken(self, locale: discord.Locale | None) -> Language:
        """The language for a user's or a server's locale."""
        return spoken(locale.value if locale else None, self.services.settings.default_locale)

    async def answer(self, interaction: Interaction, work: Work, *, public: bool = False) -> None:
        """Answers an interaction by ``work``. ``public``: whether a slow answer to a command will be for everybody."""
        await Answer(self, interaction, public=public).within_time(work)


class Answer:
    """The answer to one interaction, in the language of whoever asked."""

    def __init__(self, context: Context, interaction: Interaction, *, public: bool = False) -> None:
        self.context = context
        self.interaction = interaction
        self.say: Language = context.spoken(interaction.locale)
        self.prefs: Mapping[str, str] = {}
        """The asker's preferences."""
        self._public = public
        self._first = asyncio.Lock()
        self._announced = False

    def service(self, kind: type[T]) -> T:
        """The service of that class."""
        return self.context.services[kind]

    @property
    def now(self) -> int:
        """The time in ms since 1970."""
        return self.context.services.now()

    async def forward(self, press: Press) -> None:
        """Goes on as if ``press`` had been pressed: how a feature opens what belongs to one above it."""
        await self.context.handlers[press.verb](self, press)

    @property
    def user_id(self) -> int:
        return self.interaction.user.id

    @property
    def on_message(self) -> bool:
        """Whether a component was pressed, or its form sent off, so that there is a message to update."""
        return self.interaction.message is not None and self.interaction.type in FROM_MESSAGES

    @property
    def theme(self) -> str:
        """The look of boards that the asker has chosen."""
        return self.prefs["theme"]

    async def private(
        self, content: str, *, files: Sequence[discord.File] = (), view: discord.ui.View | None = None
    ) -> None:
        """A new message that only the asker sees."""
        shown: dict[str, Any] = {"content": content, "files": list(files)} | ({"view": view} if view else {})
        async with self._first:
            response = self.interaction.response
            if not response.is_done():
                await response.send_message(**shown, ephemeral=True)
            elif self._announced and self._public:  # announced to everybody, but not for everybody
                self._announced = False
                await self.interaction.delete_original_response()
                await self.interaction.followup.send(**shown, ephemeral=True)
            elif self._announced and not self.on_message:
                await self.interaction.edit_original_response(
                    content=content, attachments=list(files), view=view or discord.ui.View()
                )
                self._announced = False
            else:
                await self.interaction.followup.send(**shown, ephemeral=True)

    async def public(self, content: str, view: discord.ui.View, mentions: discord.AllowedMentions) -> int:
        """An answer for everybody, in a message of its own; gives its id."""
        async with self._first:
            if not self.interaction.response.is_done():
                sent = await self.interaction.response.send_message(content, view=view, allowed_mentions=mentions)
                if sent.message_id is not None:
                    return sent.message_id
                return (await self.interaction.original_response()).id
            if self.on_message:  # the original is the message that was pressed on, and stays as it is
                shown = await self.interaction.followup.send(content, view=view, allowed_mentions=mentions, wait=True)
                return shown.id
            edited = await self.interaction.edit_original_response(
                content=content, view=view, allowed_mentions=mentions
            )
            self._announced = False
            return edited.id

    async def update(
        self, content: str, *, files: Sequence[discord.File] = (), view: discord.ui.View | None = None
    ) -> None:
        """The message whose component was pressed, changed."""
        shown: dict[str, Any] = {"content": content, "attachments": list(files), "view": view}
        async with self._first:
            if not self.interaction.response.is_done():
                await self.interaction.response.edit_message(**shown)
            else:
                await self.interaction.edit_original_response(**shown)

    async def show(
        self, content: str, *, files: Sequence[discord.File] = (), view: discord.ui.View | None = None, fresh: bool
    ) -> None:
        """A new message that only the asker sees, if ``fresh``; else the one whose component was pressed, changed."""
        await (self.private if fresh else self.update)(content, files=files, view=view)

    async def form(self, form: discord.ui.Modal) -> None:
        """Opens a form. Raises Refused where the answer was announced already: a form can only be the first answer."""
        async with self._first:
            if not self.interaction.response.is_done():
                await self.interaction.response.send_modal(form)
                return
        raise Refused("error.slow")

    async def announce(self) -> None:
        """Tells Discord that the answer takes longer, if none was given yet."""
        async with self._first:
            if self.interaction.response.is_done():
                return
            if self.on_message:
                await self.interaction.response.defer()
            else:
                await self.interaction.response.defer(ephemeral=not self._public, thinking=True)
            self._announced = True  # only now: where that failed, the answer itself is the first response

    async def within_time(self, work: Work) -> None:
        """Does the work; announces it if it is slow; answers refusals and faults in words."""
        slow = asyncio.create_task(self._announce_if_slow())
        under_way = self.context.under_way
        if task := asyncio.current_task():
            under_way.add(task)
        try:
            await self._do(work)
            slow.cancel()
            await self._after()
        finally:
            slow.cancel()
            if task:
                under_way.discard(task)

    async def _do(self, work: Work) -> None:
        try:
            for prepare in self.context.before_answer:
                await prepare(self)
            await work(self)
        except Exception as error:  # noqa: BLE001  # the one handler: no fault may leave a player without an answer
            await self._refuse(error)

    async def _after(self) -> None:
        for follow in self.context.after_answer:
            try:
                await follow(self)
            except Exception:  # the asker has their answer
                log.warning("not_followed_up", exc_info=True)

    async def _announce_if_slow(self) -> None:
        await asyncio.sleep(PATIENCE)
        try:
            await self.announce()
        except REQUEST_ERRORS as error:
            log.warning("not_announced", error=str(error), code=code_of(error))

    async def _refuse(self, error: BaseException) -> None:
        if code_of(error) in UNANSWERABLE:
            log.warning("answered_too_late", code=code_of(error))
            return
        if isinstance(error, RuleError):
            content = self.say.error(error)
        else:
            log.error("answer_failed", asked=self.interaction.data, exc_info=error)
            content = self.say("error.ours")
        try:
            await self.private(content)
        except REQUEST_ERRORS as failed:
            log.warning("refusal_not_delivered", error=str(failed), code=code_of(failed))
