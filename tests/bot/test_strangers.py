"""Every verb that there is, pressed by somebody who has no business with it: forged buttons, menus and forms.

Nothing of anybody else's changes in the database, nobody else sees anything, and there is an answer in private.
"""

from __future__ import annotations

import asyncio
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import pytest
from fakes.clock import Clock
from harness import malformed
from harness.bot import Room, private, told, told_all
from harness.discord import Seat, is_ephemeral, text, until
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
from bot.tournaments.registration.service import RegistrationService
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
DRAFT: Final = "abalone,,s,0,r,,"
"""What a challenge's form carries."""
NOT_A_PLAYER: Final = "table.not_a_player"
UNKNOWN: Final = "tournament.unknown"
NOT_A_MANAGER: Final = "settings.not_manager"
NO_DRAFT: Final = "tournament.draft.gone"
INVALID: Final = "error.press"
NOT_AN_ORGANISER: Final = "tournament.not_organiser"


@dataclass(frozen=True)
class Case:
    """What a stranger's press carries, and what they are told; names in braces are of the Scene."""

    refused: str = ""
    """The key of the refusal; "" where anybody may press it, or on a matter of their own."""
    rest: str = ""
    values: tuple[str, ...] = ()
    """What is chosen, where the verb is a menu's."""
    fields: tuple[str, ...] = ()
    """What is filled in, where the verb is a form's."""
    subject: str = "{game}"
    seq: str = "{seq}"
    kind: str = "m"
    """Of a menu: ``m``, ``c`` for channels, ``u`` for people, ``r`` for roles."""
    own: tuple[str, ...] = ()
    """The games in which rows of the stranger's own may change."""
    posts: bool = False
    """Whether what they do is for all to see, as a challenge to anyone."""


LOOK: Final = Case()
NEVER_MIND: Final = Case()
OWN_PANEL: Final = Case(subject="me", seq="0")
REFUSED: Final = Case(NOT_A_PLAYER)
CASES: Final[dict[str, tuple[Case, ...]]] = {
    # whoever looks on may see the board, the record and the rules, and learn
    "look": (Case(seq="0", rest="first"),),
    "replay": (LOOK,),
    "film": (LOOK,),
    "record": (LOOK,),
    "history": (Case(subject="1", seq="1", rest="o|||2|"), Case(subject="1", seq="1", rest="n|x|apb||won")),
    "explore_step": (Case(subject="abalone", seq="0", rest="0.6.0|0", values=("a1b1",)),),
    "explore_back": (Case(subject="abalone", seq="0", rest="0.6.0"), Case(INVALID, subject="abalone", rest="x")),
    "history_open": (Case(subject="me", seq="0", values=("{game}",)),),
    "dice": (Case(seq="0", rest="back"),),
    "export": (Case(seq="0", rest="game"),),
    **{
        verb: (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x"),)
        for verb in ("analysis", "analysis_type", "analysis_roll", "analysis_undo", "analysis_leave")
    },
    **{
        verb: (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x", values=("1",)),)
        for verb in ("analysis_play", "analysis_game")
    },
    "analysis_typed": (Case("analysis.unknown", subject="nobody", seq="0", rest="0|0|x", fields=("move",)),),
    "analyse": (Case("analysis.running"),),
    "arena_rest": (Case("tournament.unknown", subject="nobody", seq="0"),),
    "arena_back": (Case("tournament.unknown", subject="nobody", seq="0"),),
    "flip": (LOOK, Case(rest="0")),
    "more": (LOOK,),
    "words": (LOOK,),
    "rule": (Case(subject="abalone", seq="0", rest="summary"),),
    "topic": (Case(subject="abalone", seq="0", values=("summary",)),),
    "learn": (Case(subject="abalone", seq="0"),),
    "promise": (Case(subject="{challenge}", seq="0"), Case("challenge.unknown", subject="nobody", seq="0")),
    "tour": (Case(subject="me", seq="0", values=("abalone",)),),
    "help_rules": (Case(subject="me", seq="0", values=("abalone",)),),
    "help_all": (OWN_PANEL,),
    "welcome_challenge": (OWN_PANEL,),
    "welcome_learn": (OWN_PANEL,),
    "welcome_settings": (Case(NOT_A_MANAGER, subject="me", seq="0"),),
    "lesson": (Case(subject="abalone", seq="0"),),
    "lesson_hint": (Case(subject="abalone", seq="0"),),
    "lesson_pick": (Case(subject="abalone", seq="0", rest="~"),),
    "lesson_hinted": (Case(subject="abalone", seq="0", rest="~"),),
    "lesson_end": (Case(subject="abalone", seq="0"),),
    # their own games, settings and vacations
    "games": (OWN_PANEL,),
    "finished": (OWN_PANEL,),
    "dice_mine": (OWN_PANEL,),
    "next": (OWN_PANEL, Case(subject="me", seq="0", rest="{game}")),
    "help_games": (OWN_PANEL,),
    "help_settings": (OWN_PANEL,),
    "waiting": (Case(subject="{game}", seq="0"),),
    "page_user": (OWN_PANEL,),
    "set_user": (Case(subject="me", seq="0", rest="theme", values=("slate",), own=("preferences",)),),
    "ask_user": (Case(subject="me", seq="0", rest="time"),),
    "fill_user": (Case(subject="me", seq="0", rest="time", fields=("zone", "rest"), own=("preferences",)),),
    "vacation_from_now": (Case(subject="me", seq="0", values=("3",)),),
    "vacation_other": (OWN_PANEL,),
    "vacation_fill": (Case(subject="me", seq="0", fields=("from", "days")),),
    "vacation_back": (OWN_PANEL,),
    "vacation_others": (OWN_PANEL,),
    "vacation_take": (Case(subject="me", seq="3", rest="0", own=("vacations",)),),
    "vacation_end": (Case("vacation.none", subject="me", seq="{vacation}"),),
    # their own data
    "data_export": (OWN_PANEL,),
    "data_delete": (OWN_PANEL,),
    "data_ask": (OWN_PANEL,),
    "data_erase": (Case(subject="me", seq="0", fields=("word",)),),
    # somebody else's draft of a tournament
    **{
        verb: (Case(NO_DRAFT, subject="{draft}", seq="0", rest="dates"),)
        for verb in ("plan_page", "plan_preview", "plan_ask", "plan_announce", "plan_discard")
    },
    "plan_open": (Case(NO_DRAFT, subject="{draft}", seq="0", values=("dates",)), Case(NO_DRAFT, subject="{cup}")),
    "plan_set": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="format.format", values=("arena",)),),
    "plan_template": (Case(NO_DRAFT, subject="{draft}", seq="0", values=("arena",)),),
    "plan_role": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="1", values=("{role}",), kind="r"),),
    "plan_fill": (Case(NO_DRAFT, subject="{draft}", seq="0", rest="dates", fields=("name",)),),
    # a tournament that is closed to strangers: they may look at it, and at the list
    **{
        verb: (
            Case("tournament.join.closed", subject="{cup}", seq="0"),
            Case("tournament.unknown", subject="{draft}", seq="0"),
        )
        for verb in ("tournament_join", "tournament_check_in")
    },
    "tournament_leave": (Case("tournament.leave.not_in", subject="{cup}", seq="0"),),
    "tournament_leave_sure": (Case("tournament.leave.not_in", subject="{cup}", seq="0"),),
    "tournament_stay": (NEVER_MIND,),
    "tournament_players": (Case(subject="{cup}", seq="0"), Case("tournament.unknown", subject="{draft}", seq="0")),
    "tournament_standings": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_pairings": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_bracket": (Case("tournament.unknown", subject="{draft}", seq="0"),),
    "tournament_list": (Case(subject="me", seq="0", rest="mine,0"), Case(subject="me", seq="0", rest="all,99")),
    "tournament_open": (
        Case(subject="me", seq="0", values=("{cup}",)),
        Case("tournament.unknown", subject="me", seq="0", values=("{draft}",)),
    ),
    "tournament_repost": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0"),),
    "tournament_add": (Case(NOT_AN_ORGANISER, subject="{cup}", seq="0", values=("{ben}",), kind="u"),),
    # a question that is answered with no
    "data_keep": (NEVER_MIND,),
    "cancel_pick": (NEVER_MIND,),
    "cube_cancel": (NEVER_MIND,),
    "keep": (NEVER_MIND,),
    "stay_paused": (NEVER_MIND,),
    "wait_on": (NEVER_MIND,),
    # a game of others
    "move": (REFUSED,),
    "only": (REFUSED,),
    "pick": (Case(NOT_A_PLAYER, rest="0~"), Case(NOT_A_PLAYER, values=("0~",))),
    "reading": (Case(NOT_A_PLAYER, rest="0~"),),
    "confirm": (Case(NOT_A_PLAYER, rest="0~"),),
    "cube": (Case(NOT_A_PLAYER, rest="double"),),
    "cube_confirm": (Case(NOT_A_PLAYER, rest="double"),),
    "resign": (REFUSED,),
    "resign_for": (Case(NOT_A_PLAYER, rest="1"),),
    "sure_resign_match": (REFUSED,),
    "resign_match": (REFUSED,),
    "sure_draw": (REFUSED,),
    "draw": (REFUSED,),
    "sure_back": (REFUSED,),
    "ask_back": (REFUSED,),
    "accept": (REFUSED,),
    "decline": (REFUSED,),
    "withdraw": (REFUSED,),
    "rematch": (REFUSED,),
    "ask_pause": (REFUSED,),
    "ask_adjourn": (REFUSED,),
    "adjourn_to": (Case(NOT_A_PLAYER, values=("7d/move",)),),
    "offer_time": (Case(NOT_A_PLAYER, rest="pause"), Case(NOT_A_PLAYER, rest="adjourn 7d/move")),
    "resume": (REFUSED,),
    "resume_now": (REFUSED,),
    "give_time": (REFUSED,),
    "relocate_agree": (Case(NOT_A_PLAYER, rest="{ben}|aaaaaaaaaaaa"),),
    "relocate_decline": (Case(NOT_A_PLAYER, rest="{ben}|aaaaaaaaaaaa"),),
    "claim_win": (REFUSED,),
    "claim_draw": (REFUSED,),
    "claim": (Case(NOT_A_PLAYER, rest="win"), Case(NOT_A_PLAYER, rest="draw")),
    "conditional": (REFUSED,),
    "conditional_at": (Case(NOT_A_PLAYER, rest="{move_id}"), Case(NOT_A_PLAYER, values=("{move_id}",))),
    "conditional_if": (Case(NOT_A_PLAYER, rest="{move_id}|0~"),),
    "conditional_reply": (Case(NOT_A_PLAYER, rest="{move_id}|0~"),),
    "conditional_resign": tuple(Case(NOT_A_PLAYER, rest="{move_id}|" + times) for times in "123"),
    "conditional_delete": (Case(NOT_A_PLAYER, rest="{move_id}"),),
    "conditional_clear": (Case(NOT_A_PLAYER, rest="sure"),),
    "conditional_done": (REFUSED,),
    "conditional_double": (REFUSED,),
    "conditional_double_back": (REFUSED,),
    "conditional_double_set": (Case(NOT_A_PLAYER, rest="take|once"), Case(NOT_A_PLAYER, rest="pass|persistent|sure")),
    # a challenge to somebody else
    "accept_challenge": (Case("challenge.not_for_you", subject="{challenge}", seq="0"),),
    "decline_challenge": (Case("challenge.not_for_you", subject="{challenge}", seq="0"),),
    "cancel_challenge": (Case("challenge.not_yours", subject="{challenge}", seq="0"),),
    # the server's settings
    "page_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time"),),
    "set_server": (
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="old_board", values=("delete",)),
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="notification_channel", values=("{channel}",), kind="c"),
        Case(NOT_A_MANAGER, subject="me", seq="0", rest="notification_channel"),
    ),
    "ask_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time"),),
    "fill_server": (Case(NOT_A_MANAGER, subject="me", seq="0", rest="time", fields=("clock",)),),
    # a tournament that others run; its log is open to all
    "tournament_log": (Case(subject="{tournament}", seq="0"), Case(subject="{tournament}", seq="9", rest="older")),
    "tournament_organise": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0"),),
    "organise_page": tuple(
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest=page) for page in ("", "expel", "undo", "nothing")
    ),
    "organise_pairing": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="adjudicate", values=("1",)),),
    "organise_choice": (
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="expel", values=("1",)),
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="add", values=("{ben}",), kind="u"),
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="resume", values=("{channel}",), kind="c"),
    ),
    "organise_reason": (Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest="cancel"),),
    "organise_do": tuple(
        Case(NOT_AN_ORGANISER, subject="{tournament}", seq="0", rest=rest, fields=("reason",))
        for rest in ("cancel", "expel|1", "add|{ben}", "pause", "undo|1")
    ),
    # a challenge of their own that they make out
    "form_game": (Case(subject="anyone", seq="0", rest=DRAFT, values=("abalone,standard",)),),
    "form_kind": (Case(subject="anyone", seq="0", rest=DRAFT, values=("b3",)), Case(INVALID, rest=DRAFT)),
    "form_time": (Case(subject="anyone", seq="0", rest=DRAFT, values=("2",)),),
    "form_opponent": (Case(subject="anyone", seq="0", rest=DRAFT, values=("{ben}",), kind="u"),),
    "form_anyone": (Case(subject="{ben}", seq="0", rest=DRAFT),),
    "form_side": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "form_rated": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "form_casual": (Case(INVALID, subject="anyone", seq="0", rest="chess,,s,0,r,,"),),
    "form_ratings": (Case(subject="anyone", seq="0", rest=DRAFT),),
    "fill_ratings": (Case(subject="anyone", seq="0", rest=DRAFT, fields=("ratings",)),),
    # tournaments, which everybody in their server may look at
    "results": (Case(UNKNOWN, subject="nobody", seq="0", rest="standings.1.1.p|back"),),
    "results_why": (Case(UNKNOWN, subject="nobody", seq="0", rest="1.1", values=("1",)),),
    "results_share": (Case(UNKNOWN, subject="nobody", seq="0", rest="standings.1.1.p|share"),),
    "results_pairings": (Case(UNKNOWN, subject="nobody", seq="0", rest="1|back"),),
    "results_history": (Case(subject="me", seq="0", rest="back"), Case(subject="me", seq="99999", rest="back")),
    "top": (Case(subject="abalone", seq="0", rest="live|server|back"),),
    # what they say for all to hear; it comes last, being then their newest message
    "share": (Case(posts=True),),
    "share_profile": (Case(subject="1", seq="0", posts=True),),
    "form_post": (
        Case(INVALID, subject="anyone", seq="0", rest="abalone,,s,99,r,"),
        Case(subject="anyone", seq="0", rest=DRAFT, own=("challenges", "notifications"), posts=True),
    ),
    "challenge_all": (Case(subject="abalone", seq="0", own=("challenges", "notifications"), posts=True),),
}
"""By verb. What has no refusal is open to anybody."""
TEXT: Final = "4"
"""Written into every field of a form that is filled in: a day of the month, an hour, a number of days, a clock."""
SYSTEM_KINDS: Final = frozenset({"player_names", "heartbeats", "outages"})
"""GameService in which the bot notes whom it met and when it was there: no press changes what they mean."""


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
        """The page of her settings that has a form."""
        await self.eve.slash("abak settings")
        await self.eve.press("b:page_user:me:0:time", private(self.eve))
        return private(self.eve)

    async def rows(self) -> Rows:
        """Everything that is stored but for what is SYSTEM_KINDS."""
        assert self.room.bot is not None
        found: Rows = {}
        async with self.room.bot.service(BoardDelivery).store.database.reading() as connection:
            for name, table in tables.metadata.tables.items():
                if name not in SYSTEM_KINDS:
                    found[name] = sorted(map(tuple, await connection.execute(select(table))), key=repr)
        return found

    def others(self, rows: Rows, own: tuple[str, ...]) -> Rows:
        """Without the stranger's own rows in the games where they may change."""
        return {
            name: [row for row in of if name not in own or self.eve.user_id not in row] for name, of in rows.items()
        }

    def public(self) -> list[Json]:
        """What everybody sees in the channel."""
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
    """A form's line."""
    written = {"type": 4, "id": 2, "style": 1, "custom_id": key, "required": False}
    return {"type": 18, "id": 1, "label": key, "component": written}


@pytest.fixture
def now() -> Clock:
    return Clock(STARTED)


@pytest.fixture
async def scene(room: Room) -> Scene:
    assert room.bot is not None
    live: LiveGame = await room.begin("abalone", time="1d/move")
    services = room.bot.services
    move = await services[ConditionalMoveService].add_condition(live, room.ben.user_id, None, "a1b2")
    await services[VacationService].take(room.ben.user_id, STARTED + 9 * DAY, STARTED + 12 * DAY)
    (vacation,) = await services[VacationService].of(room.ben.user_id)
    await room.challenge("apb")
    (challenge,) = [row for row in await rows_of(room, tables.metadata.tables["challenges"]) if row.status == "open"]
    tournament = await announced(room)
    tournaments = await tournaments_of(room)
    eve = Seat.join(room.server.world, "Eve", room.channel_id)
    await eve.slash("abak settings")  # now the bot knows her, and she has a message of her own
    names = {"game": live.id, "seq": live.table.seq, "move_id": move.id, "vacation": vacation.id}
    names |= {"challenge": challenge.id, "channel": room.channel_id, "ben": room.ben.user_id}
    names |= {"tournament": tournament.id, **tournaments}
    return Scene(room, eve, names)


async def announced(room: Room) -> Tournament:
    """A tournament of Ana's in another channel, with Ben in it, once its announcement is posted."""
    assert room.bot is not None
    world, service = room.server.world, room.bot.service(TournamentService)
    channel = world.add_channel("cup")
    plan = Plan("abalone", (Stage(Format.SWISS),))
    made = await service.create(world.guild_id, channel, room.ana.user_id, "Cup", "en", plan, Status.REGISTRATION)
    async with service.changing(made.id) as change:
        await change.add_player(Player(1, room.ben.user_id, PlayerStatus.IN, 1500, STARTED))
    for _ in range(1000):
        found = await service.get(made.id)
        if found.shown == found.version:
            break
        await asyncio.sleep(0.01)
    return found


async def tournaments_of(room: Room) -> dict[str, Any]:
    """Ben's tournament, announced and closed again, and his draft of another one; and a role of the server."""
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
    """Who may do anything: Ben plays, owns the tournaments, and manages the server."""
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


async def test_what_means_nothing_is_refused_in_words(insider: Scene) -> None:
    """Every verb with a rest, values and fields of the right form and without sense: never our fault.

    Where all are no longer valid, nothing has changed.
    """
    assert insider.room.bot is not None
    who, message = insider.eve, insider.room.board
    before, faulty = await insider.rows(), []
    for verb in sorted(VERBS):
        subject = CASES[verb][0].subject.format(**insider.names)
        told_before = len(who.messages)
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
