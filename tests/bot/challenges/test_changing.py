"""A newcomer's challenge says which defaults it has, and its challenger changes it where it stands."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest
from harness.bot import SPANISH, Room, bot_running, private, told, told_all, verbs
from harness.discord import Seat, buttons, menus, text
from sqlalchemy import select

from bot.challenges import tables, views
from bot.challenges.changing import completed, draft_of
from bot.challenges.notices.service import CHALLENGED
from bot.challenges.proposal import Wishes, newcomer_defaults, propose
from bot.challenges.repository import POSTING_MS, Challenge
from bot.challenges.service import ChallengeService
from bot.challenges.worker import ChallengeExpiry
from bot.clocks.typed import PRESETS
from bot.core.translations import language
from bot.games.stored import Place
from bot.notifications.tables import notifications
from bot.players.service import PreferenceService
from engine.core.errors import Refused
from engine.kits.cube import OFF, ON
from engine.match.match import Terms
from engine.registry import find

if TYPE_CHECKING:
    from bot.sandbox.server import Server

Json = dict[str, Any]
EN = language("en")
SERVER = {"clock": "3d/move"}


def line(say: Any, *names: str) -> str:
    return str(say("challenge.newcomer", what=", ".join(say(f"challenge.newcomer.{name}") for name in names)))


async def typed(room: Room, **given: Any) -> Json:
    sent = await room.ana.slash("abak challenge", **given)
    await room.told_all()
    assert sent.message is not None
    return sent.message


async def stored(room: Room, message: Json) -> Challenge:
    assert room.bot is not None
    (accept,) = [one for one in buttons(message).values() if ":accept_challenge:" in one["custom_id"]]
    return await room.bot.service(ChallengeService).get(accept["custom_id"].split(":")[2])


async def changing(room: Room, message: Json) -> Json:
    """Lets Ana open the form by the button, and returns it."""
    await room.ana.press("b:change_challenge:", message)
    return private(room.ana)


async def step(room: Room, form: Json, verb: str, value: str | None = None) -> Json:
    if value is None:
        await room.ana.press(f"b:{verb}:", form)
    else:
        await room.ana.choose(value, menu=f"m:{verb}:", message=form)
    await room.told_all()
    return room.ana.fresh(form)


def chosen(form: Json) -> list[str]:
    return [one["value"] for menu in menus(form) for one in menu["options"] if one.get("default")]


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_what_a_newcomer_leaves_out_is_said(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        message = await typed(room, game="backgammon", opponent=room.ben)
        assert line(room.say, "single", "no_cube", "casual") in text(message).splitlines()
        assert "change_challenge" in verbs(message)
        message = await typed(room, game="backgammon", points=3, rated=True)
        assert line(room.say, "no_cube") in text(message).splitlines()
        assert (await stored(room, message)).options["cube"] == OFF
        message = await typed(room, game="abalone", side="white")
        assert line(room.say, "casual") in text(message).splitlines()
        message = await typed(room, game="abalone", games=1, rated=False)
        assert "🌱" not in text(message)
        await room.ana.slash("abak challenge", game="backgammon")  # a form that is posted as it is
        form = private(room.ana)
        await room.ana.press("b:form_post:", form)
        await told_all(bot)
        assert line(room.say, "single", "no_cube", "casual") in text(room.ana.last).splitlines()
        assert "change_challenge" in verbs(room.ana.last)


async def test_what_was_changed_is_no_default(room: Room) -> None:
    """Though it is without the cube, as a newcomer's match that was not changed."""
    message = await typed(room, game="backgammon", opponent=room.ben)
    form = await step(room, await changing(room, message), "form_kind", "p3")
    await step(room, form, "form_post")
    assert room.say("challenge.match", n=3) in text(room.ben.fresh(message))
    assert "🌱" not in text(room.ben.fresh(message))


@pytest.mark.usefixtures("experienced")
async def test_others_read_of_no_defaults(room: Room) -> None:
    message = await typed(room, game="backgammon", opponent=room.ben)
    assert "🌱" not in text(message)
    assert "change_challenge" not in verbs(message)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_what_is_chosen_replaces_the_challenge_where_it_stands(
    stand_in: Server, sqlite_url: str, locale: str
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        message = await typed(room, game="abalone", opponent=room.ben, time="10m+5s", side="white", marbles=4)
        before = await stored(room, message)
        form = await changing(room, message)
        assert chosen(form) == ["abalone,standard", "s", "7"]
        game = find("abalone").name
        assert room.say("challenge_form.change", opponent=room.ben.mention, game=game, layout="") in text(form)
        assert room.say("option.target.chosen", n=4) in text(form), "what the form does not ask for stays"
        assert not {"form_opponent", "form_anyone", "form_machine"} & set(verbs(form)), "it stays made to Ben"
        form = await step(room, form, "form_kind", "b3")
        form = await step(room, form, "form_rated")
        form = await step(room, form, "form_post")
        assert text(form) == room.say("challenge_form.changed")
        shown = room.ben.fresh(message)
        assert room.say("challenge.series", n=3) in text(shown)
        assert room.say("challenge.rated") in text(shown)
        assert "🌱" not in text(shown)
        made = await stored(room, shown)
        assert (made.best_of, made.rated, made.clock, made.seat) == (3, True, before.clock, before.seat)
        assert (made.options["target"], made.opponent, made.message_id) == (4, room.ben.user_id, before.message_id)
        assert [one["description"] for one in shown["attachments"]] == [message["attachments"][0]["description"]]
        assert len(room.pings) == 1
        form = await changing(room, shown)  # it can be changed again
        form = await step(room, form, "form_game", "apb,standard")
        await step(room, form, "form_post")
        shown = room.ben.fresh(message)
        assert find("apb").name in text(shown)
        assert [one["description"] for one in shown["attachments"]] != [message["attachments"][0]["description"]]
        await room.ben.press("b:accept_challenge:", shown)
        live = await room.shown()
        assert live.game.key == "apb"


@pytest.mark.both_databases
async def test_nobody_accepts_by_an_old_button(room: Room) -> None:
    assert room.bot is not None
    message = await typed(room, game="abalone", opponent=room.ben)
    before = await stored(room, message)
    form = await changing(room, message)
    await step(room, form, "form_post")
    with pytest.raises(Refused) as refused:
        await room.bot.service(ChallengeService).accept(before.id, room.ben.user_id, before.place)
    assert refused.value.key == "challenge.changed"
    await room.bot.service(ChallengeExpiry).turn()
    assert EN("challenge.cancelled", player=room.ana.mention) not in text(room.ben.fresh(message))
    pending = await room.bot.service(ChallengeService).pending_of(room.ben.user_id)
    assert [one.id for one in pending] == [(await stored(room, room.ben.fresh(message))).id]


@pytest.mark.both_databases
async def test_a_change_that_was_cut_off_is_shown_later(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot dies once the change is stored, and before the message shows it."""
    assert room.bot is not None
    message = await typed(room, game="abalone", opponent=room.ben)
    form = await step(room, await changing(room, message), "form_kind", "b3")
    with monkeypatch.context() as cut_off:
        cut_off.setattr(views, "publish", AsyncMock(side_effect=asyncio.CancelledError))
        await step(room, form, "form_post")
    await room.bot.service(ChallengeExpiry).turn()
    assert room.ben.fresh(message) == message, "the one who changes it may still be at work"
    challenges = room.bot.service(ChallengeService)
    later = challenges.now() + POSTING_MS
    with monkeypatch.context() as waited:
        waited.setattr(challenges, "now", lambda: later)
        await room.bot.service(ChallengeExpiry).turn()
    shown = room.ben.fresh(message)
    assert room.say("challenge.series", n=3) in text(shown)
    await room.ben.press("b:accept_challenge:", shown)
    assert (await room.shown()).game.key == "abalone"


async def test_only_the_challenger_changes_it_and_only_while_it_is_open(room: Room) -> None:
    message = await typed(room, game="abalone", opponent=room.ben)
    carla = Seat.join(room.server.world, "Carla", room.channel_id)
    for other in (room.ben, carla):
        await other.press("b:change_challenge:", message)
        assert told(other) == EN("challenge.change_yours")
    form = await changing(room, message)
    await room.ben.press("b:accept_challenge:", message)
    await room.shown()
    for verb in ("form_rated", "form_post"):
        await room.ana.press(f"b:{verb}:", form)
        assert told(room.ana) == EN("challenge.closed")
    assert room.bot is not None
    async with room.bot.service(ChallengeService).store.database.reading() as connection:
        found = await connection.execute(select(tables.challenges.c.status))
        assert found.scalars().all() == ["accepted"]


async def test_a_change_that_cannot_be_shown_cancels_the_challenge(room: Room) -> None:
    assert room.bot is not None
    message = await typed(room, game="abalone", opponent=room.ben)
    form = await changing(room, message)
    room.server.world.faults.fail_next("PATCH /channels", status=403)
    await room.ana.press("b:form_post:", form)
    await room.told_all()
    assert told(room.ana) == EN("challenge.not_posted")
    await room.bot.service(ChallengeExpiry).turn()
    assert EN("challenge.cancelled", player=room.ana.mention) in text(room.ben.fresh(message))
    assert await room.bot.service(ChallengeService).open_of(room.ana.user_id) == 0


# --- what the form shows of a challenge -------------------------------------------------------------------------------


def challenge(wishes: Wishes, clock: str) -> Challenge:
    """Returns the challenge as it is stored."""
    made = propose(wishes, clock, None, in_server=True)
    options = find(made.game).settle_options(made.options)
    low, high = made.ratings
    return Challenge(
        "x1", Place(1, 2), 3, 11, None, made.game, options, "en", 0, 1, "open", None, None, "secret",
        seat=made.seat, clock=clock, points=made.terms.points, best_of=made.terms.best_of, bank=made.terms.bank,
        rated=made.rated, rating_low=low, rating_high=high,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wishes", "clock", "written"),
    [
        (Wishes("abak"), "", "abak,,s,0,r,,,x1"),
        (Wishes("backgammon", "nack", 4, rated=False), "3d/move", "backgammon,nack,p4c,2,,,,x1"),
        (Wishes("backgammon", points=25, cube=False), "2d 1h/move", "backgammon,,p25,2d 1h/move,r,,,x1"),
        (Wishes("backgammon", points=5, bank="match"), "10m+5s", "backgammon,,p5c,7,r,,,x1"),
        (Wishes("abak", cube=True, jacoby=False, beavers=True), "", "abak,,sc,0,r,,,x1"),
        (Wishes("abalone", "the-wall", games=9, side="white"), "", "abalone,the-wall,b9,0,r,,1,x1"),
        (Wishes("abalone", options={"target": 3, "ply_limit": 90}, ratings="1400-"), "", "abalone,,s,0,r,1400-,,x1"),
    ],
)
def test_a_challenge_becomes_what_it_was(wishes: Wishes, clock: str, written: str) -> None:
    before = challenge(wishes, clock)
    draft = draft_of(before, SERVER)
    assert str(draft) == written
    after = challenge(completed(draft.wishes, clock, before), clock)
    assert after == before


def test_what_no_longer_fits_is_left_out() -> None:
    before = challenge(Wishes("backgammon", points=5, bank="match"), "10m+5s")
    assert completed(Wishes("backgammon", points=5), "3d/move", before).bank is None
    assert completed(Wishes("backgammon", points=0, games=1), "10m+5s", before).bank is None
    unlimited = challenge(Wishes("abak", cube=True, jacoby=False, beavers=True), "")
    assert completed(Wishes("abak", points=0, cube=False), "", unlimited).beavers is None
    assert completed(Wishes("apb"), "", unlimited) == Wishes("apb")


def test_what_counts_as_left_out() -> None:
    def found(wishes: Wishes, clock: str = "", *, in_form: bool = False) -> list[str]:
        return newcomer_defaults(wishes, clock, None, in_form=in_form)

    assert found(Wishes("backgammon")) == ["single", "no_cube", "casual"]
    assert found(Wishes("backgammon", cube=True)) == ["casual"]
    assert found(Wishes("backgammon", points=3)) == ["no_cube", "casual"]
    assert found(Wishes("backgammon", points=0, cube=False, rated=False)) == []
    shown = Wishes("backgammon", points=0, cube=False, games=1, rated=False)
    assert found(shown, in_form=True) == ["single", "no_cube", "casual"]
    assert found(Wishes("apb", points=0, cube=False, games=3, rated=True), in_form=True) == []


def test_what_everybody_is_proposed_is_no_default_of_newcomers() -> None:
    for in_form in (False, True):
        assert newcomer_defaults(Wishes("abalone"), "", None, in_form=in_form) == ["casual"]
        assert newcomer_defaults(Wishes("backgammon"), "10m+5s", None, in_form=in_form) == [
            "casual"
        ]  # nobody has a cube
        assert newcomer_defaults(Wishes("backgammon", games=3), "", None, in_form=in_form) == ["casual"]


def test_a_newcomers_match_has_no_cube_unless_it_was_asked_for() -> None:
    for cube, found in ((None, OFF), (True, ON)):
        made = propose(Wishes("backgammon", points=5, cube=cube), "", None, in_server=True, newcomer=True)
        assert (made.terms, made.options["cube"], made.rated) == (Terms(5), found, False)


def test_the_button_is_there_for_who_may_change() -> None:
    made = challenge(Wishes("abak"), "")
    ids = [getattr(item, "custom_id", "") for item in views.view(made, EN).children]
    assert not any("change_challenge" in one for one in ids)


async def test_who_was_not_pinged_hears_of_the_changed_challenge(room: Room) -> None:
    """A challenge to a live game would ping at once, but the message of a changed one never pings."""
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(room.ben.user_id, "pings", "digest")
    message = await typed(room, game="abalone", opponent=room.ben, time="3d/move")
    form = await step(room, await changing(room, message), "form_time", str(PRESETS.index("10m+5s")))
    await step(room, form, "form_post")
    made = await stored(room, room.ben.fresh(message))
    assert made.clock == "10m+5s"
    query = select(notifications.c.subject).where(notifications.c.kind == CHALLENGED)
    found = (await room.bot.services.database.fetch(query)).scalars()
    assert made.id in list(found)
    assert room.pings == []
