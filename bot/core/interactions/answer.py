"""Answers an interaction in time, even if the work is slow or fails.

Discord shows "the application did not respond" after three seconds. So a slow answer is deferred first ("thinking")
and filled in later. Handlers use the same methods in both cases.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import discord
import structlog
from discord import app_commands

from bot.core.discord_errors import ALREADY_ANSWERED, REQUEST_ERRORS, UNANSWERABLE, code_of, is_refusal
from bot.core.interactions.command_texts import Command
from bot.core.interactions.components import custom_ids, picture_first, view_of
from bot.core.interactions.delivery.answer_message import AnswerMessage
from bot.core.interactions.delivery.failures import note_failure, what_became
from bot.core.interactions.delivery.first_answer import FirstAnswer
from bot.core.interactions.discord_limits import CONTENT, cut, cut_content, cut_files, cut_form, cut_view
from bot.core.interactions.press import InvalidPress, Press
from bot.core.limits.rates import POSTS, QUESTIONS, WORK, Buckets, Rate
from bot.core.metrics.interactions import REFUSED, note_outcome, note_unanswered
from bot.core.services import Services
from bot.core.storage.faults import commit_status
from bot.core.translations import Language, language_for_locale
from engine.core.errors import Refused, RuleError

T = TypeVar("T")
Interaction: TypeAlias = "discord.Interaction[Any]"
Work: TypeAlias = Callable[["Answer"], Awaitable[None]]
Handler: TypeAlias = Callable[["Answer", Press], Awaitable[None]]
"""Called with the answer to fill in and the press."""

PATIENCE: Final = 1.8
"""Seconds after which a slow answer is deferred. Discord waits for 3, network time included."""
LONGEST_WORK: Final = 90.0
"""Seconds after which work is given up. The database and Discord have shorter limits of their own."""
FROM_MESSAGES: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)

log = structlog.get_logger()


class Context:
    """The services, the Discord client and the handlers of all verbs, for answers."""

    def __init__(self, services: Services, client: discord.Client) -> None:
        self.services = services
        self.client = client
        self.handlers: dict[str, Handler] = {}
        self.commands: list[Command] = []
        """The commands under ``/abak``."""
        self.groups: list[app_commands.Group] = []
        """The groups of commands beside ``/abak``."""
        self.before_answer: list[Work] = []
        """Called before each answer, to load the user's preferences."""
        self.after_answer: list[Work] = []
        """Called after each answer, for further messages to the user. Exceptions are only logged."""
        self._limits = {rate: Buckets(rate, time.monotonic) for rate in (POSTS, WORK, QUESTIONS)}
        self.under_way: dict[asyncio.Task[Any], Answer] = {}
        """The running answers. The bot waits for them before it stops."""

    def language_for_locale(self, locale: discord.Locale | None) -> Language:
        return language_for_locale(locale.value if locale else None, self.services.settings.default_locale)

    def check_rate(self, user_id: int, rate: Rate, key: str = "error.too_fast") -> None:
        """Raises Refused, with the message of ``key``, if the user has exceeded the rate."""
        if self.services.settings.rate_limits and (wait := self._limits[rate].take(user_id)):
            raise Refused(key, n=wait)

    def check_posts(self, user_id: int) -> None:
        """Raises Refused if the user has caused too many public messages lately."""
        self.check_rate(user_id, POSTS, "error.too_many_posts")

    async def answer(self, interaction: Interaction, work: Work, *, public: bool = False) -> None:
        """Answers an interaction by running ``work``. ``public``: a deferred answer to a command is for everybody."""
        await Answer(self, interaction, public=public).within_time(work)


class Answer:
    """The answer to one interaction, in the user's language."""

    def __init__(self, context: Context, interaction: Interaction, *, public: bool = False) -> None:
        self.context = context
        self.interaction = interaction
        self.say: Language = context.language_for_locale(interaction.locale)
        self.prefs: Mapping[str, str] = {}
        """The user's preferences."""
        self._public = public
        self._commit_status = commit_status.CommitStatus()
        self._first = FirstAnswer(interaction, on_message=self.on_message)
        self.newest_private: AnswerMessage | None = None
        """The newest private message of this answer; None without one."""

    def service(self, kind: type[T]) -> T:
        return self.context.services[kind]

    @property
    def now(self) -> int:
        """The time in ms since 1970."""
        return self.context.services.now()

    async def forward(self, press: Press) -> None:
        """Runs the handler of ``press`` as if it had been pressed. So a feature can open a view of a higher feature."""
        await self.context.handlers[press.verb](self, press)

    @property
    def user_id(self) -> int:
        return self.interaction.user.id

    @property
    def on_message(self) -> bool:
        """Whether the interaction came from a component or a form on a message, which can then be updated."""
        return self.interaction.message is not None and self.interaction.type in FROM_MESSAGES

    @property
    def on_private(self) -> bool:
        """Whether the interaction came from a message that only the user sees."""
        pressed = self.interaction.message
        return self.on_message and pressed is not None and pressed.flags.ephemeral

    @property
    def public_message(self) -> discord.Message | None:
        """The message that everybody sees and that has the pressed component."""
        message, data = self.interaction.message, self.interaction.data
        if message is None or data is None or self.on_private:
            return None
        return message if data.get("custom_id") in custom_ids(message.components) else None

    @property
    def theme(self) -> str:
        """The board theme that the user has chosen."""
        return self.prefs["theme"]

    async def private(
        self,
        content: str | None,
        *,
        files: Sequence[discord.File] = (),
        view: discord.ui.View | discord.ui.LayoutView | None = None,
    ) -> None:
        """Sends a new message that only the user sees. ``content``: None if the ``view`` is a layout with text."""
        content, files = cut_content(content), cut_files(files)
        cut_view(view)
        parts: dict[str, Any] = {"content": content, "files": files} | ({"view": view} if view else {})
        response = self.interaction.response
        async with self._first.lock:
            sent = await self._first.send(lambda: response.send_message(**parts, ephemeral=True), files)
            if sent is not None:
                self._sent(sent.message_id)
            elif self._first.deferred and self._public:  # everybody sees "thinking", but must not see the answer
                self._first.deferred = False
                await self.interaction.delete_original_response()
                self._sent(await self._follow_up(parts))
            elif self._first.deferred and not self.on_message:
                late: dict[str, Any] = {"content": content, "attachments": files}
                self._sent((await self.interaction.edit_original_response(**late, view=view or view_of())).id)
                self._first.deferred = False
            else:
                self._sent(await self._follow_up(parts))

    async def _follow_up(self, parts: dict[str, Any]) -> int:
        """Sends another message that only the user sees. Returns its id."""
        return (await self.interaction.followup.send(**parts, ephemeral=True, wait=True)).id

    def _sent(self, message_id: int | None) -> None:
        if message_id is not None:
            self.newest_private = AnswerMessage.of(self.interaction, message_id)

    async def public(
        self,
        content: str,
        view: discord.ui.View,
        mentions: discord.AllowedMentions,
        *,
        files: Sequence[discord.File] = (),
    ) -> int:
        """Sends a new message that everybody sees. Returns its id, even if the reply was lost and the message had to be
        found.

        Raises REQUEST_ERRORS. Unless Discord has refused it (``is_refusal``), the message may still appear.
        """
        content, files = cut(content, CONTENT), cut_files(files)
        cut_view(view)
        async with self._first.lock:
            try:
                return await self._send_public(content, files, {"view": view, "allowed_mentions": mentions})
            except REQUEST_ERRORS as error:
                refused = is_refusal(error) and code_of(error) != ALREADY_ANSWERED  # it may be our own first attempt
                if refused or (found := await AnswerMessage.public_original(self.interaction)) is None:
                    raise
                self._first.found(deferred=False)
                return found.message_id

    async def _send_public(self, content: str, files: Sequence[discord.File], parts: dict[str, Any]) -> int:
        response = self.interaction.response
        sent = await self._first.send(lambda: response.send_message(content, files=files, **parts), files)
        if sent is not None:
            return sent.message_id or (await self.interaction.original_response()).id
        if self.on_message:  # the original response is the message with the pressed component: leave it as it is
            return (await self.interaction.followup.send(content, files=files, **parts, wait=True)).id
        edited = await self.interaction.edit_original_response(content=content, attachments=files, **parts)
        self._first.deferred = False
        return edited.id

    async def public_if_first(
        self, content: str, view: discord.ui.View, mentions: discord.AllowedMentions, file: discord.File
    ) -> AnswerMessage | None:
        """Sends a new message that everybody sees, if it can be the first answer (``FirstAnswer.public_message``)."""
        cut_view(view)
        return await self._first.public_message(cut(content, CONTENT), view, mentions, file)

    async def update(
        self,
        content: str | None,
        *,
        files: Sequence[discord.File] = (),
        view: discord.ui.View | discord.ui.LayoutView | None = None,
    ) -> None:
        """Edits the message whose component was pressed. ``content`` is None as in ``private``.

        A message stays plain or a layout, since the interaction only tells what it was at the press: a text for a
        layout becomes one (``picture_first``), and a layout for a plain message is sent as a new one. A public message
        without the pressed component stays as it is, and the answer is private, as a forged custom_id must not change
        what others see.
        """
        message = self.interaction.message
        is_layout = message is not None and message.flags.components_v2
        becomes_layout = isinstance(view, discord.ui.LayoutView) and not is_layout
        if becomes_layout or (not self.on_private and self.public_message is None):
            await self.private(content, files=files, view=view)
            return
        content, files = cut_content(content), cut_files(files)
        if is_layout and not isinstance(view, discord.ui.LayoutView):
            view, content = picture_first(files, content or "", view), None
        cut_view(view)
        parts: dict[str, Any] = {"content": content, "attachments": files, "view": view}
        async with self._first.lock:
            if await self._first.send(lambda: self.interaction.response.edit_message(**parts), files) is None:
                await self.interaction.edit_original_response(**parts)

    async def done(self) -> None:
        """Ends the answer without a text: deletes a pressed private message, and leaves a public one as it is."""
        async with self._first.lock:
            sent = await self._first.send(lambda: self._first.think(ephemeral=True))
            thinks = sent is not None or self._first.deferred
            if self.on_private or (thinks and not self.on_message):
                with contextlib.suppress(*REQUEST_ERRORS):  # the work is done, and the old message does no harm
                    await self.interaction.delete_original_response()
            self._first.deferred = False

    async def show(
        self,
        content: str | None,
        *,
        files: Sequence[discord.File] = (),
        view: discord.ui.View | discord.ui.LayoutView | None = None,
        fresh: bool,
    ) -> None:
        """Sends a new private message if ``fresh``; otherwise edits the pressed message."""
        await (self.private if fresh else self.update)(content, files=files, view=view)

    async def form(self, form: discord.ui.Modal) -> None:
        """Opens a form. Raises Refused if the answer was already deferred, as Discord accepts a form only as the first
        answer.

        Raises InvalidPress if the interaction is a submitted form, as Discord allows no form after a form.
        """
        if self.interaction.type is discord.InteractionType.modal_submit:
            raise InvalidPress
        cut_form(form)
        async with self._first.lock:
            if await self._first.send(lambda: self.interaction.response.send_modal(form)) is None:
                raise Refused("error.slow")

    async def defer(self) -> None:
        """Tells Discord that the answer takes longer, unless it was already answered."""
        await self._first.defer(ephemeral=not self._public)

    async def within_time(self, work: Work) -> None:
        """Runs the work and defers the answer if it is slow. Answers errors with a message."""
        slow = asyncio.create_task(self._defer_if_slow())
        under_way = self.context.under_way
        if task := asyncio.current_task():
            under_way[task] = self
        try:
            await self._run(work)
            slow.cancel()
            await self._after()
        finally:
            slow.cancel()
            if task:
                under_way.pop(task, None)

    async def give_up(self) -> None:
        """Tells the user that the bot stops before the answer is ready."""
        await self._tell(self.say("error.kept" if self._commit_status.committed else "error.unknown"))

    async def _run(self, work: Work) -> None:
        try:
            async with asyncio.timeout(LONGEST_WORK):
                for prepare in self.context.before_answer:
                    await prepare(self)
                self._commit_status = commit_status.watch()  # the prepared answer is not the requested one
                await work(self)
        except Exception as error:  # noqa: BLE001  # the only handler: every player gets an answer, whatever fails
            await self._answer_error(error)

    async def _after(self) -> None:
        for follow in self.context.after_answer:
            try:
                await follow(self)
            except Exception:  # the user already has the answer
                log.warning("not_followed_up", exc_info=True)

    async def _defer_if_slow(self) -> None:
        await asyncio.sleep(PATIENCE)
        try:
            await self.defer()
        except REQUEST_ERRORS as error:
            log.warning("not_announced", error=str(error), code=code_of(error))

    async def _answer_error(self, error: BaseException) -> None:
        if code_of(error) in UNANSWERABLE:
            note_unanswered()
            log.warning("answered_too_late", code=code_of(error))
            return
        if isinstance(error, RuleError):
            note_outcome(REFUSED)
            await self.refuse(error)
            return
        note_failure(error, self.interaction.data, self.context.services.database.outages)
        await self._tell(self.say(what_became(error, self._commit_status)))

    async def refuse(self, error: RuleError) -> None:
        await self._tell(self.say.error(error))

    async def _tell(self, content: str) -> None:
        try:
            await self.private(content)
        except REQUEST_ERRORS as failed:
            note_unanswered()
            log.warning("refusal_not_delivered", error=str(failed), code=code_of(failed))
