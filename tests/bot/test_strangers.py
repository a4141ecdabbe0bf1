"""Every verb that there is, pressed by somebody who has no business with it: forged buttons, menus and forms.

Nothing of anybody else's changes in the database, nobody else sees anything, and there is an answer in private.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Clock
from harness import malformed
from harness.bot import Room, private, told, told_all
from harness.discord import Seat, is_ephemeral, text, until
from harness.strangers import CASES, INVALID, Case
from harness.thinning import in_number
from sqlalchemy import select

from bot.app import FEATURES
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.clocks.vacations.service import VacationService
from bot.conditional.service import ConditionalMoveService
from bot.core.storage import tables
from bot.core.translations import language
from bot.notifications.dispatcher import NotificationDispatcher
from bot.sandbox.state import permissions
from bot.tournaments.registration.service import EDIT_MS, RegistrationService
from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Plan, Player, PlayerStatus, Status
from engine.core.hours import DAY
from engine.tournament.model import Format, Stage

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.interactions.interaction import Interaction
    from bot.tournaments.tournament import Tournament

VERBS = {verb for feature in FEATURES for handlers in feature.handlers for verb in handlers.by_verb}

Json = dict[str, Any]
Rows = dict[str, list[tuple[Any, ...]]]
EN = language("en")
STARTED: Final = 1_800_014_400_000
MANAGER: Final = permissions.MEMBER | permissions.MANAGE_GUILD
TEXT: Final = "4"
"""Written into every field of a form that is filled in: a day of the month, an hour, a number of days, a clock."""
SYSTEM_KINDS: Final = frozenset({"player_names", "heartbeats", "outages"})
"""Tables in which the bot notes whom it met and when it was there: no press changes what they mean."""


def test_every_verb_has_its_stranger() -> None:
    assert CASES.keys() == VERBS


@dataclass
class Scene:
    """Ana and Ben play with a clock. Ben sets a condition and takes time off. Ana challenges him again. Eve watches."""

    room: Room
    eve: Seat
    names: dict[str, Any]

    async def press(self, verb: str, case: Case) -> Interaction:
        """Forges it: where it must be refused on everybody's board, else on a private message of the stranger's own."""
        carried = ":".join(part.format(**self.names) for part in (verb, case.subject, case.seq, case.rest))
        if case.fields:
            opened = await self.eve.press("b:ask_user:", await self.own_page())
            assert opened.modal is not None
            opened.modal |= {"custom_id": f"f:{carried}", "components": [*map(line, case.fields)]}
            return await self.eve.submit(opened, dict.fromkeys(case.fields, TEXT))
        on = self.room.server.world.messages.find(int(self.room.board["id"])) if case.refused else private(self.eve)
        assert on is not None
        values = [value.format(**self.names) for value in case.values]
        before = on["components"]
        on["components"] = [{"type": 1, "id": 1, "components": [forged(carried, values, case.kind)]}]
        try:
            if values:
                return await self.eve.choose(*values, menu=f"{case.kind}:{verb}:", message=on)
            return await self.eve.press(f"b:{verb}:", on)
        finally:
            if case.refused:
                on["components"] = before

    async def own_page(self) -> Json:
        """Returns the page of her settings that has a form."""
        await self.eve.slash("abak settings")
        await self.eve.press("b:page_user:me:0:time", private(self.eve))
        return private(self.eve)

    async def rows(self) -> Rows:
        """Returns everything that is stored but for what is SYSTEM_KINDS."""
        assert self.room.bot is not None
        found: Rows = {}
        async with self.room.bot.service(BoardDelivery).store.database.reading() as connection:
            for name, table in tables.metadata.tables.items():
                if name not in SYSTEM_KINDS:
                    found[name] = sorted(map(tuple, await connection.execute(select(table))), key=repr)
        return found

    def others(self, rows: Rows, own: tuple[str, ...]) -> Rows:
        """Returns the rows without the stranger's own ones in the tables where these may change."""
        return {
            name: [row for row in of if name not in own or self.eve.user_id not in row] for name, of in rows.items()
        }

    def public(self) -> list[Json]:
        """Returns the public messages of the channel."""
        return [
            deepcopy(m) for m in self.room.server.world.messages.in_channel(self.room.channel_id) if not is_ephemeral(m)
        ]


def forged(carried: str, values: list[str], kind: str) -> Json:
    if kind == "c" and values:
        return {"type": 8, "id": 2, "custom_id": f"c:{carried}", "channel_types": [0]}
    if kind == "r":
        return {"type": 6, "id": 2, "custom_id": f"r:{carried}"}
    if kind == "u":
        return {"type": 5, "id": 2, "custom_id": f"u:{carried}"}
    if values:
        options = [{"label": value, "value": value} for value in values]
        return {"type": 3, "id": 2, "custom_id": f"m:{carried}", "options": options}
    return {"type": 2, "id": 2, "style": 2, "label": "Forged", "custom_id": f"b:{carried}"}


def line(key: str) -> Json:
    """Returns a form's line."""
    written = {"type": 4, "id": 2, "style": 1, "custom_id": key, "required": False}
    return {"type": 18, "id": 1, "label": key, "component": written}


@pytest.fixture
def now() -> Clock:
    return Clock(STARTED)


@pytest.fixture
async def scene(room: Room, now: Clock) -> Scene:
    assert room.bot is not None
    live: LiveGame = await room.begin("abalone", time="1d/move")
    services = room.bot.services
    move = await services[ConditionalMoveService].add_condition(live, room.ben.user_id, None, "a1b2")
    await services[VacationService].take(room.ben.user_id, STARTED + 9 * DAY, STARTED + 12 * DAY)
    (vacation,) = await services[VacationService].of(room.ben.user_id)
    await room.challenge("apb")
    (challenge,) = [row for row in await rows_of(room, tables.metadata.tables["challenges"]) if row.status == "open"]
    tournament = await announced(room, now)
    tournaments = await tournaments_of(room)
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await eve.slash("abak settings")  # now the bot knows her, and she has a message of her own
    names = {"game": live.id, "seq": live.table.seq, "move_id": move.id, "vacation": vacation.id}
    names |= {"challenge": challenge.id, "channel": room.channel_id, "ben": room.ben.user_id}
    names |= {"tournament": tournament.id, **tournaments}
    return Scene(room, eve, names)


async def announced(room: Room, now: Clock) -> Tournament:
    """Returns a tournament of Ana's in another channel, with Ben in it, once its announcement is posted."""
    assert room.bot is not None
    world, service = room.server.world, room.bot.service(TournamentService)
    channel = world.add_channel("cup")
    plan = Plan("abalone", (Stage(Format.SWISS),))
    made = await service.create(world.guild_id, channel, room.ana.user_id, "Cup", "en", plan, Status.REGISTRATION)

    async def is_announced() -> bool:
        found = await service.get(made.id)
        return found.shown == found.version

    await until(is_announced, "it is announced")
    now.at += EDIT_MS  # an announcement is edited only after a while
    async with service.changing(made.id) as change:
        await change.add_player(Player(1, room.ben.user_id, PlayerStatus.IN, 1500, STARTED))
    await until(is_announced, "it is announced")
    return await service.get(made.id)


async def tournaments_of(room: Room) -> dict[str, Any]:
    """Stores Ben's tournament, announced and closed again, his draft of another one, and a role of the server."""
    assert room.bot is not None
    service, world = room.bot.service(RegistrationService), room.server.world
    by = (world.guild_id, room.channel_id, room.ben.user_id, "Cup", "en")
    closed = replace(TEMPLATES["ladder"], registration_closes=STARTED)
    cup = await service.open((await service.draft(*by, closed)).id, room.ben.user_id)
    await until(lambda: any("Cup" in text(m) for m in room.ana.messages), "it is announced")
    draft = await service.draft(*by, TEMPLATES["ladder"])
    return {"cup": cup.id, "draft": draft.id, "role": world.guilds[world.guild_id]["roles"][0]["id"]}


async def rows_of(room: Room, table: Any) -> list[Any]:
    assert room.bot is not None
    async with room.bot.service(BoardDelivery).store.database.reading() as connection:
        return list(await connection.execute(select(table)))


async def test_a_stranger_changes_nothing_and_is_answered_in_private(scene: Scene) -> None:
    """All verbs after each other: what one of them changed, the next would see."""
    assert scene.room.bot is not None
    before, seen = await scene.rows(), scene.public()
    for verb, cases in CASES.items():
        for case in cases:
            sent = await scene.press(verb, case)
            await told_all(scene.room.bot)
            await scene.room.bot.service(BoardPublisher).idle()
            await scene.room.bot.service(NotificationDispatcher).turn()
            after = await scene.rows()
            assert scene.others(after, case.own) == scene.others(before, case.own), (verb, case)
            if case.posts:
                *_, posted = scene.public()
                assert posted not in seen, (verb, case)
                seen = [*seen, posted]
            assert scene.public() == seen, (verb, case)
            assert case.posts or sent.modal or is_ephemeral(scene.eve.last), (verb, case)
            if case.refused:
                assert told(scene.eve) == EN(case.refused), (verb, case)
            before = after


async def test_the_same_forgery_works_for_who_may(scene: Scene) -> None:
    """So that the test above cannot pass because a forged press goes nowhere."""
    manager = Seat.join(scene.room.server.world, "Max", scene.room.channel_id, permissions=MANAGER)
    await manager.slash("abak settings")
    allowed = Scene(scene.room, manager, scene.names)
    before = await scene.rows()
    (choice, *_) = CASES["set_server"]
    await allowed.press("set_server", Case(subject="me", seq="0", rest=choice.rest, values=choice.values))
    (form,) = CASES["fill_server"]
    await allowed.press("fill_server", form)
    await allowed.press("organise_do", Case(subject="{tournament}", seq="0", rest="pause", fields=("reason",)))
    log = (await scene.rows())["tournament_log"]
    assert [row[4] for row in log if row[0] == scene.names["tournament"]] == ["pause"]
    kept = [row for row in (await scene.rows())["preferences"] if row not in before["preferences"]]
    assert {row[2] for row in kept} == {"old_board", "clock"}


# --- presses that nothing of ours carries ---------------------------------------------------------------------------


@pytest.fixture
def insider(scene: Scene) -> Scene:
    """Returns the scene with Ben as the one who acts, who may do everything: he plays, owns the tournaments, and
    manages the server.
    """
    world = scene.room.server.world
    world.grant(world.guild_id, scene.room.ben.user_id, MANAGER)
    return replace(scene, eve=scene.room.ben)


async def test_a_press_that_is_not_ours_is_no_longer_valid_and_changes_nothing(insider: Scene) -> None:
    """Every verb with custom_ids and values that cannot be; logged errors fail the test where the bot stops."""
    assert insider.room.bot is not None
    who, message = insider.eve, insider.room.board
    before, seen = await insider.rows(), insider.public()
    ids, values = cycle(malformed.BROKEN_IDS), cycle(malformed.BROKEN_VALUES)
    for verb in (*VERBS, *["move"] * len(malformed.BROKEN_IDS)):
        subject = CASES[verb][0].subject.format(**insider.names)
        told_before = len(who.messages)
        await malformed.together(
            (
                malformed.press(who, message, next(ids).format(verb=verb, subject=subject)),
                malformed.press(who, message, f"m:{verb}:{subject}:0:", values=next(values)),
            ),
            insider.room.bot,
        )
        assert malformed.answers(who, told_before) == [EN(INVALID)] * 2, verb
    assert await insider.rows() == before
    assert insider.public() == seen


@in_number("every", 16, 1)
async def test_what_means_nothing_is_refused_in_words(insider: Scene, every: int) -> None:
    """Every verb with a rest, values and fields of the right form and without sense: never our fault.

    Where all are no longer valid, nothing has changed.
    """
    assert insider.room.bot is not None
    who = insider.eve
    before, faulty = await insider.rows(), []
    for verb in sorted(VERBS)[::every]:
        subject = CASES[verb][0].subject.format(**insider.names)
        told_before, message = len(who.messages), insider.room.board
        await malformed.together(
            [
                *(malformed.press(who, message, f"b:{verb}:{subject}:0:{rest}") for rest in malformed.RESTS),
                *(malformed.press(who, message, f"m:{verb}:{subject}:0:", values=one) for one in malformed.VALUES),
                *(malformed.submit(who, message, f"f:{verb}:{subject}:0:", one) for one in malformed.FIELDS),
            ],
            insider.room.bot,
        )
        told_now = malformed.answers(who, told_before)
        faulty += [verb] if EN("error.ours") in told_now else []
        after = await insider.rows()
        if told_now.count(EN(INVALID)) == malformed.SENT:
            assert after == before, verb
        before = after
    assert faulty == []


async def test_a_button_of_a_private_message_does_not_change_a_public_one(insider: Scene) -> None:
    """Forged on the public board, what would replace a private message answers in private."""
    assert insider.room.bot is not None
    who, seen = insider.eve, insider.public()
    for verb in ("page_user", "games", "help_all", "stay_paused", "conditional_at"):
        case = CASES[verb][0]
        custom_id = ":".join(part.format(**insider.names) for part in ("b", verb, case.subject, case.seq, ""))
        told_before = len(who.messages)
        await malformed.together([malformed.press(who, insider.room.board, custom_id)], insider.room.bot)
        assert malformed.answers(who, told_before), verb
        assert insider.public() == seen, verb


async def test_a_channel_or_a_role_of_another_server_is_refused(insider: Scene) -> None:
    """Forged values: a menu offers those of this server only."""
    assert insider.room.bot is not None
    who, world = insider.eve, insider.room.server.world
    foreign = world.add_channel("abroad", guild_id=(guild := world.add_guild("Abroad")))
    role = world.guilds[guild]["roles"][0]["id"]
    before = await insider.rows()
    for custom_id, value, refused in (
        ("c:set_server:me:0:notification_channel", foreign, "panel.no_channel"),
        ("r:set_server:me:0:tournament_role", role, INVALID),
        ("c:set_server:me:0:machine_channels", foreign, "panel.no_channel"),
        ("r:set_server:me:0:machine_roles", role, INVALID),
        (f"r:plan_role:{insider.names['draft']}:0:1", role, INVALID),
    ):
        await malformed.together(
            [malformed.press(who, insider.room.board, custom_id, values=[str(value)])], insider.room.bot
        )
        assert told(who) == EN(refused), custom_id
    assert await insider.rows() == before
