"""ChallengeService: who may answer, what a race decides, what is told afterwards."""

import asyncio

import pytest
from fakes.clock import Clock
from fakes.unshown import unshown
from sqlalchemy import select

from bot.challenges.repository import POSTING_MS
from bot.challenges.service import ChallengeService
from bot.challenges.tables import NOT_SHOWN
from bot.challenges.tables import challenges as rows
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY, HOUR
from engine.core.rolls import verify
from engine.match.match import Terms

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)


async def post(challenges: ChallengeService, opponent: int | None = BOB) -> str:
    return (await challenges.post(ANN, opponent, NewGame("nim", {"heap": 9}, HERE, "es"))).id


@pytest.mark.both_databases
async def test_a_challenge_is_kept_as_it_was_posted(challenges: ChallengeService, clock: Clock) -> None:
    posted = await challenges.post(ANN, None, NewGame("nim", {"heap": "12"}, Place(None, 6), "es"))
    assert await challenges.get(posted.id) == posted
    assert posted.options == {"heap": 12, "dice": "yes"}
    assert (posted.created, posted.expires) == (clock(), clock() + 3_600_000)
    assert (posted.status, posted.message_id, posted.game_id, posted.answered_by) == ("open", None, None, None)
    await challenges.posted(posted.id, 900)
    assert (await challenges.get(posted.id)).message_id == 900


async def test_what_is_played_for_is_kept(challenges: ChallengeService) -> None:
    terms = Terms(best_of=5, bank="match")
    new = NewGame("nim", {}, HERE, "es", "10m", "loss", rated=True)
    posted = await challenges.post(ANN, None, new, terms=terms, ratings=(1400, None))
    kept = await challenges.get(posted.id)
    assert (kept.terms, kept.rated) == (terms, True)
    assert (kept.clock, kept.timeout_policy) == ("10m", "loss")
    assert (kept.rating_low, kept.rating_high) == (1400, None)


@pytest.mark.both_databases
async def test_the_same_form_posts_once(challenges: ChallengeService) -> None:
    async def once() -> str:
        return (await challenges.post(ANN, BOB, NewGame("nim", {}, HERE, "es"), challenge_id="15d7d186e2400000")).id

    results = await asyncio.gather(*(once() for _ in range(3)), return_exceptions=True)
    refused = [result for result in results if isinstance(result, Refused)]
    assert [one.key for one in refused] == ["challenge.posted"] * 2
    assert "15d7d186e2400000" in results


@pytest.mark.parametrize(
    ("opponent", "game", "heap", "key"),
    [(ANN, "nim", 9, "challenge.self"), (BOB, "chess", 9, "game.unknown"), (BOB, "nim", 0, "option.range")],
)
async def test_what_cannot_be_played_is_not_posted(
    challenges: ChallengeService, opponent: int, game: str, heap: int, key: str
) -> None:
    with pytest.raises(RuleError) as refusal:
        await challenges.post(ANN, opponent, NewGame(game, {"heap": heap}, HERE, "en"))
    assert refusal.value.key == key
    assert await challenges.next_expiry() is None


async def test_an_unknown_challenge_is_refused(challenges: ChallengeService) -> None:
    with pytest.raises(Refused, match=r"challenge\.unknown"):
        await challenges.get("nothing")


@pytest.mark.both_databases
@pytest.mark.parametrize(("shows", "players"), [(0, (ANN, BOB)), (1, (BOB, ANN))])
async def test_accepting_starts_the_game(
    challenges: ChallengeService, games: GameService, coin: list[int], shows: int, players: tuple[int, int]
) -> None:
    coin[0] = shows
    heard: list[LiveGame] = []
    games.subscribe(heard.append)
    challenge_id = await post(challenges)
    thread = Place(1, 77)
    live = await challenges.accept(challenge_id, BOB, thread)
    assert (live.players, live.place, live.locale) == (players, thread, "es")
    assert live.table.options["heap"] == 9
    assert await games.at(77) == live
    assert heard == [live]
    closed = await challenges.get(challenge_id)
    assert (closed.status, closed.game_id, closed.answered_by) == ("accepted", live.id, BOB)


async def test_the_first_roll_was_promised_with_the_challenge(challenges: ChallengeService) -> None:
    posted = await challenges.post(ANN, None, NewGame("nim", {}, HERE, "en"))
    live = await challenges.accept(posted.id, BOB, HERE)
    assert live.table.record.header.commitment == posted.commitment
    assert verify(live.table.game, live.table.record) > 0
    assert posted.secret not in repr(posted)


@pytest.mark.parametrize(
    ("opponent", "user", "key"),
    [(BOB, ANN, "challenge.own"), (None, ANN, "challenge.own"), (BOB, EVE, "challenge.not_for_you")],
)
async def test_who_may_not_accept(
    challenges: ChallengeService, games: GameService, opponent: int | None, user: int, key: str
) -> None:
    challenge_id = await post(challenges, opponent)
    for attempt in (challenges.check_acceptable(challenge_id, user), challenges.accept(challenge_id, user, HERE)):
        with pytest.raises(Refused) as refusal:
            await attempt
        assert refusal.value.key == key
    assert (await challenges.get(challenge_id)).status == "open"
    assert await games.at(HERE.channel_id) is None


@pytest.mark.both_databases
async def test_anyone_may_accept_an_open_challenge_once(challenges: ChallengeService, games: GameService) -> None:
    challenge_id = await post(challenges, None)
    assert (await challenges.check_acceptable(challenge_id, EVE)).id == challenge_id
    clicks = [challenges.accept(challenge_id, user, Place(1, channel)) for user, channel in ((BOB, 7), (EVE, 8))]
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    ((live,), (refusal,)) = (
        [outcome for outcome in outcomes if isinstance(outcome, kind)] for kind in (LiveGame, Refused)
    )
    assert refusal.key == "challenge.closed"
    started = [await games.at(channel) for channel in (7, 8)]
    assert [game for game in started if game] == [live]


@pytest.mark.both_databases
async def test_two_clicks_for_one_place_say_that_the_challenge_is_closed(challenges: ChallengeService) -> None:
    challenge_id = await post(challenges, None)
    clicks = [challenges.accept(challenge_id, user, HERE) for user in (BOB, EVE)]
    outcomes = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["LiveGame", "Refused"]
    assert [outcome.key for outcome in outcomes if isinstance(outcome, Refused)] == ["challenge.closed"]


@pytest.mark.both_databases
async def test_a_place_that_got_taken_leaves_the_challenge_open(
    challenges: ChallengeService, games: GameService
) -> None:
    challenge_id = await post(challenges)
    await games.open(NewGame("nim", {}, HERE, "en"), (ANN, EVE))
    with pytest.raises(Refused, match=r"place\.taken"):
        await challenges.accept(challenge_id, BOB, HERE)
    assert (await challenges.get(challenge_id)).status == "open"
    assert (await challenges.accept(challenge_id, BOB, Place(1, 6))).players == (ANN, BOB)


@pytest.mark.both_databases
async def test_a_start_that_fails_half_way_leaves_nothing(
    challenges: ChallengeService, games: GameService, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge_id = await post(challenges)

    async def fail(*_: object) -> bool:
        raise OSError("no space left")

    monkeypatch.setattr(challenges.store, "close", fail)
    with pytest.raises(OSError, match="no space"):
        await challenges.accept(challenge_id, BOB, HERE)
    assert await games.at(HERE.channel_id) is None
    assert await unshown(games.repository.database) == []
    assert (await challenges.get(challenge_id)).status == "open"


async def test_only_the_one_who_was_named_declines(challenges: ChallengeService) -> None:
    challenge_id = await post(challenges)
    for user in (ANN, EVE):
        with pytest.raises(Refused, match=r"challenge\.not_for_you"):
            await challenges.decline(challenge_id, user)
    declined = await challenges.decline(challenge_id, BOB)
    assert (declined.status, declined.answered_by) == ("declined", BOB)
    anyone = await post(challenges, None)
    with pytest.raises(Refused, match=r"challenge\.not_for_you"):
        await challenges.decline(anyone, BOB)


async def test_only_the_challenger_cancels(challenges: ChallengeService) -> None:
    challenge_id = await post(challenges)
    for user in (BOB, EVE):
        with pytest.raises(Refused, match=r"challenge\.not_yours"):
            await challenges.cancel(challenge_id, user)
    assert (await challenges.cancel(challenge_id, ANN)).status == "cancelled"


async def test_a_closed_challenge_stays_closed(challenges: ChallengeService) -> None:
    challenge_id = await post(challenges)
    await challenges.cancel(challenge_id, ANN)
    for attempt in (
        challenges.accept(challenge_id, BOB, HERE),
        challenges.decline(challenge_id, BOB),
        challenges.cancel(challenge_id, ANN),
    ):
        with pytest.raises(Refused, match=r"challenge\.closed"):
            await attempt
    await challenges.expire()
    assert (await challenges.get(challenge_id)).status == "cancelled"


@pytest.mark.both_databases
async def test_an_answer_that_comes_second_is_refused(
    challenges: ChallengeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both have found it open; the database lets only one close it."""
    challenge_id = await post(challenges)
    before = await challenges.get(challenge_id)
    await challenges.cancel(challenge_id, ANN)

    async def outdated(_: str) -> object:
        return before

    monkeypatch.setattr(challenges, "get", outdated)
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await challenges.decline(challenge_id, BOB)
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await challenges.accept(challenge_id, BOB, HERE)
    assert await challenges.games.at(HERE.channel_id) is None


async def statuses(challenges: ChallengeService, *ids: str) -> list[str]:
    return [(await challenges.get(challenge_id)).status for challenge_id in ids]


async def untold(challenges: ChallengeService) -> list[str]:
    """Returns the challenges that are kept because of their messages, closed or not, due or not."""
    async with challenges.store.database.reading() as connection:
        return list(await connection.scalars(select(rows.c.id).where(NOT_SHOWN).order_by(rows.c.id)))


@pytest.mark.both_databases
async def test_challenges_expire_when_they_are_due(challenges: ChallengeService, clock: Clock) -> None:
    first = await post(challenges)
    clock.pass_seconds(10)
    second = await post(challenges)
    assert await challenges.next_expiry() == (await challenges.get(first)).expires
    clock.pass_seconds(3589.999)
    await challenges.expire()
    assert await statuses(challenges, first, second) == ["open", "open"]
    clock.pass_seconds(0.001)
    await challenges.expire()
    assert await statuses(challenges, first, second) == ["expired", "open"]
    assert await challenges.next_expiry() == (await challenges.get(second)).expires
    clock.pass_seconds(3600)
    with pytest.raises(Refused, match=r"challenge\.expired"):  # due, though nobody has marked it yet
        await challenges.accept(second, BOB, HERE)
    await challenges.expire()
    assert await statuses(challenges, first, second) == ["expired", "expired"]
    with pytest.raises(Refused, match=r"challenge\.expired"):
        await challenges.check_acceptable(second, BOB)
    assert await challenges.next_expiry() is None


@pytest.mark.both_databases
async def test_closed_challenges_are_listed_until_their_message_says_so(
    challenges: ChallengeService, clock: Clock
) -> None:
    ids = [await post(challenges) for _ in range(3)]
    for number, challenge_id in enumerate(ids[:2]):
        await challenges.posted(challenge_id, 900 + number)
    assert await challenges.unshown() == []
    clock.pass_seconds(3600)
    await challenges.expire()
    assert [challenge.message_id for challenge in await challenges.unshown()] == [900, 901]  # the third has no message
    await challenges.closing_shown(ids[0])
    assert [challenge.id for challenge in await challenges.unshown()] == [ids[1]]


@pytest.mark.both_databases
@pytest.mark.parametrize("ends", ["accept", "decline", "cancel", "expire"])
async def test_a_challenge_that_was_never_posted_is_let_go(
    challenges: ChallengeService, clock: Clock, ends: str
) -> None:
    challenge_id = await post(challenges)
    if ends == "accept":
        await challenges.accept(challenge_id, BOB, HERE)
    elif ends == "decline":
        await challenges.decline(challenge_id, BOB)
    elif ends == "cancel":
        await challenges.cancel(challenge_id, ANN)
    clock.pass_seconds(POSTING_MS / 1000 - 0.001)
    assert await challenges.unposted() == []  # its message may be on its way
    clock.pass_seconds(3600 if ends == "expire" else 0.001)
    await challenges.expire()
    assert [challenge.id for challenge in await challenges.unposted()] == [challenge_id]
    before = await statuses(challenges, challenge_id)
    await challenges.give_up(challenge_id)
    assert await challenges.unposted() == await untold(challenges) == []
    assert await statuses(challenges, challenge_id) == before


async def test_one_that_is_posted_at_the_last_moment_is_closed(challenges: ChallengeService, clock: Clock) -> None:
    challenge_id = await post(challenges)
    clock.pass_seconds(3601)
    await challenges.expire()
    await challenges.posted(challenge_id, 900)
    clock.pass_seconds(8 * DAY / 1000)
    await challenges.expire()
    assert [challenge.id for challenge in await challenges.unshown()] == [challenge_id]  # it has never been tried


async def test_a_message_that_cannot_be_changed_is_given_up_after_a_week(
    challenges: ChallengeService, clock: Clock
) -> None:
    challenge_id = await post(challenges)
    await challenges.posted(challenge_id, 900)
    await challenges.cancel(challenge_id, ANN)
    expires, attempts = (await challenges.get(challenge_id)).expires, 0
    while due := await untold(challenges):
        assert due == [challenge_id]
        for challenge in await challenges.unshown():
            attempts += 1
            last = clock.at
            await challenges.attempt_failed(challenge)
        clock.pass_seconds(3600)
        await challenges.expire()
    assert 20 < attempts < 50
    assert expires + 6 * DAY < last < clock.at
    assert clock.at - expires - 7 * DAY < HOUR


async def test_a_reserved_challenge_is_for_nobody_else(challenges: ChallengeService, clock: Clock) -> None:
    """The player who opens a thread for the game still has the challenge: nobody could take it meanwhile."""
    challenge_id = await post(challenges, None)
    await challenges.reserve(challenge_id, BOB)
    for other in (challenges.reserve(challenge_id, EVE), challenges.accept(challenge_id, EVE, HERE)):
        with pytest.raises(Refused, match=r"challenge\.closed"):
            await other
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await challenges.cancel(challenge_id, ANN)
    clock.pass_seconds(59)
    assert (await challenges.accept(challenge_id, BOB, HERE)).players == (ANN, BOB)


@pytest.mark.both_databases
async def test_a_reservation_lapses_or_is_released(challenges: ChallengeService, clock: Clock) -> None:
    challenge_id = await post(challenges, None)
    await challenges.reserve(challenge_id, BOB)
    await challenges.release(challenge_id, BOB)
    await challenges.reserve(challenge_id, EVE)
    clock.pass_seconds(61)
    assert (await challenges.accept(challenge_id, BOB, HERE)).players == (ANN, BOB)


async def test_a_challenge_does_not_expire_while_it_is_reserved(challenges: ChallengeService, clock: Clock) -> None:
    challenge_id = await post(challenges)
    clock.pass_seconds(3599)
    await challenges.reserve(challenge_id, BOB)
    clock.pass_seconds(30)
    await challenges.expire()
    assert (await challenges.accept(challenge_id, BOB, HERE)).players == (ANN, BOB)
