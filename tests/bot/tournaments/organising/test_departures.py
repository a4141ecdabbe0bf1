"""Tests how a tournament goes on after a loss: each rule of ``departures`` over the socket."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from harness.bot import private, told
from harness.discord import Seat, text, until
from harness.tournaments import Event, plan_of

from bot.board.delivery.publisher import BoardPublisher
from bot.core.processes.servers import servers_of
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.dispatcher import NotificationDispatcher
from bot.privacy.deletion.service import DeletionService
from bot.sandbox.state import permissions
from bot.tournaments.organising.departures import DepartureService
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.rounds.opening.service import OpeningService
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.tournament import PairingState, PlayerStatus, Status
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.tournaments.tournament import LogEntry, StoredPairing

EN = language("en")
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


async def entries(event: Event, act: str) -> list[LogEntry]:
    found = await event.bot.service(OrganiserService).log(event.tournament_id, 99)
    return [entry for entry in found if entry.act == act]


async def paused(event: Event) -> None:
    async def is_paused() -> bool:
        return (await event.service.get(event.tournament_id)).paused is not None

    await until(is_paused, "it is paused")


def directly(seat: Seat) -> list[str]:
    """Returns the bot's direct messages to them."""
    return [text(message) for message in seat.direct().messages]


async def told_directly(event: Event, seat: Seat, part: str) -> None:
    await event.bot.service(NotificationDispatcher).turn()
    await until(lambda: any(part in line for line in directly(seat)), f"{part!r} in {directly(seat)}")


async def begun(event: Event, **plan: int) -> list[StoredPairing]:
    """Begins the first round of a Swiss."""
    await event.create(plan_of(Format.SWISS, rounds=3, **plan))
    await event.start()
    return await event.round(1)


async def put_off(event: Event) -> bool:
    """Returns whether a failed message is to be tried again much later."""
    rounds = event.bot.service(RoundService)
    openings = event.bot.service(OpeningService).repository
    due = (await openings.next_unopened(rounds.now()), await rounds.repository.next_unshown())
    return all(at is not None and at > rounds.now() + 10_000 for at in due)


# --- places ----------------------------------------------------------------------------------------------------------


async def test_the_channel_is_deleted(event: Event) -> None:
    one, other = await begun(event)
    world = event.server.world
    world.delete_channel(event.organiser.channel_id)
    await paused(event)
    await told_directly(event, event.organiser, "its channel was deleted")
    await event.win(one, one.pairing.first)  # results still count
    await event.win(other, other.pairing.first)
    elsewhere = world.add_channel("elsewhere")
    olga = event.organiser.at(elsewhere)
    await olga.slash("tournament resume", reason="Here.", tournament="Cup")
    assert told(olga) == EN("tournament.organising.no_channel")
    await olga.slash("tournament organise panel", tournament="Cup")
    await olga.press(EN("button.organise_resume"), private(olga))
    pressed = await olga.press(EN("button.organise_sure_resume"), private(olga))
    assert pressed.modal is None  # the refusal comes before a reason is typed in vain
    assert told(olga) == EN("tournament.organising.no_channel")
    await olga.slash("tournament resume", reason="Here.", channel=str(elsewhere), tournament="Cup")
    assert "resumed" in told(olga)
    event.organiser = olga
    await event.shows("**Cup**: ", "resumed the tournament")
    await event.shows("**Cup · Round 2**")
    assert (await event.round(2))[0].result is None


async def test_the_announcement_is_deleted(event: Event) -> None:
    await event.create(plan_of(Format.SWISS))
    (first,) = [await event.shows("")]
    world = event.server.world
    (message,) = world.messages.in_channel(event.organiser.channel_id)
    assert text(message) == first
    world.delete_message(int(message["id"]))
    late = Seat.join(world, "Late", event.organiser.channel_id)
    await event.enter(late.user_id)
    await until(event.said, "it is posted again")
    assert len(event.said()) == 1


async def test_a_thread_is_deleted(event: Event) -> None:
    """More of it: ``tests/bot/tournaments/reopening``."""
    one, _ = await begun(event)
    event.server.world.delete_channel(one.channel_id or 0)

    async def reopened() -> bool:
        return (await event.pairing(one)).channel_id != one.channel_id

    await until(reopened, "it has a new thread")
    assert [stored.state for stored in await event.running()] == [PairingState.RUNNING] * 2
    await event.win(one, one.pairing.second or 0)
    stored = next(stored for stored in (await event.snapshot()).pairings if stored.id == one.id)
    assert stored.result is Result.SECOND_WINS


async def test_the_bot_may_not_post_any_more(event: Event) -> None:
    one, other = await begun(event)
    world, channel = event.server.world, event.organiser.channel_id
    world.deny(channel, permissions.VIEW_CHANNEL)
    await event.win(one, one.pairing.first)
    await event.win(other, other.pairing.first)

    async def next_round() -> bool:
        return (await event.service.get(event.tournament_id)).round == 2

    await until(next_round, "results count, and the round is paired")
    assert not event.said("**Cup · Round 2**")
    await until(lambda: put_off(event), "the bot has tried, and waits")
    world.allow(channel, permissions.VIEW_CHANNEL)
    await event.shows("**Cup · Round 2**")
    assert len(event.said("**Cup · Round 2**")) == 1
    assert all(stored.contest_id for stored in await event.round(2))


async def test_the_server_removes_the_bot(event: Event) -> None:
    await begun(event)
    event.server.world.remove_bot(event.server.world.guild_id)
    await paused(event)
    assert len(await entries(event, Act.SERVER_GONE)) == 1
    assert (await event.snapshot()).tournament.status is Status.RUNNING


# --- people ----------------------------------------------------------------------------------------------------------


async def test_a_player_leaves_the_server(event: Event) -> None:
    """The bot asks for the members before each round."""
    await event.create(plan_of(Format.SWISS, rounds=3))
    world, gone = event.server.world, event.people[1]
    world.remove_member(world.guild_id, gone.user_id)
    await event.start()
    pairings = await event.round(1)
    assert sorted(number for stored in pairings for number in stored.pairing.players) == [1, 3, 4]
    left = await event.player(gone)
    assert (left.status, left.reason) == (PlayerStatus.WITHDRAWN, "left_server")
    await event.organiser.slash("tournament log")
    assert f"<@{gone.user_id}> left the server and is out." in told(event.organiser)


async def test_a_player_takes_no_direct_messages(event: Event) -> None:
    await begun(event)
    player = (await event.snapshot()).player(1)
    seat = next(seat for seat in event.people if seat.user_id == player.user_id)
    channel = seat.direct().channel_id
    event.server.world.faults.fail_next(f"POST /channels/{channel}/messages", status=403, code=50007, times=99)
    by = By(event.organiser.user_id, "Rude.", 99)
    await event.bot.service(OrganiserService).expel(event.tournament_id, by, 1)
    await event.bot.service(NotificationDispatcher).turn()
    await until(lambda: any("expelled" in text(message) for message in seat.pings), "pinged in the channel")


async def test_a_player_has_their_data_deleted(event: Event) -> None:
    one, _ = await begun(event)
    snapshot = await event.snapshot()
    number, other = one.pairing.players
    gone = snapshot.player(number).user_id
    await event.bot.service(NotificationDispatcher).turn()
    await event.bot.service(BoardPublisher).idle()
    world = event.server.world
    before = len(world.messages.in_channel(one.channel_id or 0))
    await event.bot.service(DeletionService).delete(gone)
    stored = next(stored for stored in (await event.snapshot()).pairings if stored.id == one.id)
    assert stored.result is not None
    assert stored.result.winner == stored.pairing.players.index(other)
    assert (await event.game(one)).is_over
    left = (await event.snapshot()).player(number)
    assert (left.status, left.reason) == (PlayerStatus.WITHDRAWN, "deleted")
    assert left.user_id < 0
    (entry,) = await entries(event, "withdrew")
    assert entry.actor == left.user_id
    await event.organiser.slash("tournament log")
    assert "A former player left for good and is out." in told(event.organiser)
    assert str(gone) not in told(event.organiser)
    await event.shows("**Cup · Round 1**", "1 of 2 games finished.")
    await event.bot.service(BoardPublisher).idle()
    shown = world.messages.in_channel(one.channel_id or 0)[before:]
    assert any("a former player" in text(message) for message in shown)
    name = world.users[gone]["global_name"]
    assert [message for message in shown if str(gone) in str(message) or name in str(message)] == []


async def test_what_was_written_of_a_player_goes_with_their_data(event: Event) -> None:
    await begun(event)
    seat = event.people[0]
    acts = event.bot.service(OrganiserService)
    await acts.expel(event.tournament_id, By(event.organiser.user_id, "Ana was rude.", 99), 1)
    await acts.pause(event.tournament_id, By(event.organiser.user_id, "Tea.", 99))
    await event.bot.service(DeletionService).delete(seat.user_id)
    reasons = {entry.act: entry.reason for entry in await acts.log(event.tournament_id, 99) if entry.reason is not None}
    assert (reasons[Act.EXPEL], reasons[Act.PAUSE]) == ("", "Tea.")


async def test_the_owner_has_their_data_deleted_and_nobody_is_stuck(event: Event) -> None:
    one, _ = await begun(event)
    draft = await event.service.create(
        event.server.world.guild_id,
        event.organiser.channel_id,
        event.organiser.user_id,
        "Draft",
        "en",
        plan_of(Format.SWISS),
        Status.DRAFT,
    )
    deletions = event.bot.service(DeletionService)
    await deletions.delete(event.organiser.user_id)
    assert await event.service.repository.get(draft.id) is None
    await event.shows("**Cup**: The owner has left for good.")
    assert (await event.snapshot()).tournament.owner < 0
    assert len(await entries(event, Act.OWNER_GONE)) == 1
    max_ = Seat.join(event.server.world, "Max", event.organiser.channel_id, permissions=MANAGER)
    await max_.slash("tournament adjudicate", game=str(one.id), result="first", reason="They agreed.")
    assert "✅" in told(max_)


async def test_the_organiser_leaves_the_server(event: Event) -> None:
    one, _ = await begun(event)
    world = event.server.world
    world.remove_member(world.guild_id, event.organiser.user_id)
    max_ = Seat.join(world, "Max", event.organiser.channel_id, permissions=MANAGER)
    await max_.slash("tournament organise assistant", user=event.people[3], reason="He helps.")
    assert "✅" in told(max_)
    helper = event.people[3]
    await helper.slash("tournament adjudicate", game=str(one.id), result="second", reason="They agreed.")
    assert "✅" in told(helper)
    # but an assistant appoints nobody
    await helper.slash("tournament organise assistant", user=event.people[2], reason="A friend.")
    assert told(helper) == EN("tournament.organising.not_head")
    assert private(helper)
    assert event.bot.service(GameService)


async def test_a_process_pauses_no_tournament_of_another(event: Event) -> None:
    await begun(event)
    departures, guild_id = event.bot.service(DepartureService), event.server.world.guild_id
    for serves, is_paused in ((False, False), (True, True)):
        client: Any = SimpleNamespace(guilds=[], runner=SimpleNamespace(serves=lambda _, mine=serves: mine))
        assert (guild_id in servers_of(client)) is not serves
        await departures.only_in(servers_of(client))
        assert ((await event.service.get(event.tournament_id)).paused is not None) is is_paused
