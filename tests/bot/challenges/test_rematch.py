"""Once more, seats swapped: one open challenge for each finished game."""

import asyncio
from collections.abc import Callable

import pytest
from fakes.clock import Clock

from bot.challenges.repository import POSTING_MS
from bot.challenges.service import Challenge, ChallengeService
from bot.games.live import LiveGame
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.errors import Refused
from engine.match.match import Terms

ANN, BOB, EVE, MACHINE = 11, 22, 33, 3
HERE, THERE = Place(1, 5), Place(1, 6)
MakeTables = Callable[..., GameService]


@pytest.fixture
async def over(games: GameService) -> LiveGame:
    """A game that Ann has resigned; she had the first seat."""
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, HERE, "es"), (ANN, BOB))
    return await games.resign(live.id, ANN, 2)


@pytest.mark.parametrize("coin_shows", [0, 1])
@pytest.mark.parametrize(("asker", "other"), [(ANN, BOB), (BOB, ANN)])
async def test_seats_are_swapped_whoever_asks_and_whatever_the_coin_shows(
    challenges: ChallengeService, over: LiveGame, coin: list[int], coin_shows: int, asker: int, other: int
) -> None:
    coin[0] = coin_shows
    posted = await challenges.rematch(over.id, asker, THERE, "en")
    assert (posted.challenger, posted.opponent, posted.place, posted.locale) == (asker, other, THERE, "en")
    assert (posted.game, posted.options) == ("nim", {"heap": 9, "dice": "no"})
    assert (posted.first, posted.rematch_of) == (BOB, over.id)
    assert await challenges.get(posted.id) == posted
    with pytest.raises(Refused, match=r"challenge\.not_for_you"):
        await challenges.accept(posted.id, EVE, THERE)
    live = await challenges.accept(posted.id, other, THERE)
    assert (live.players, live.table.options) == ((BOB, ANN), over.table.options)


async def test_the_rematch_of_a_rematch_swaps_back(
    challenges: ChallengeService, games: GameService, over: LiveGame
) -> None:
    first = await challenges.rematch(over.id, BOB, HERE, "en")
    live = await challenges.accept(first.id, ANN, HERE)
    await games.resign(live.id, BOB, 2)
    second = await challenges.rematch(live.id, BOB, HERE, "en")
    assert (await challenges.accept(second.id, ANN, HERE)).players == (ANN, BOB)


async def test_an_ordinary_challenge_leaves_the_seats_to_the_coin(challenges: ChallengeService) -> None:
    posted = await challenges.post(ANN, BOB, NewGame("nim", {}, HERE, "en"))
    stored = await challenges.get(posted.id)
    assert (stored.first, stored.rematch_of) == (None, None)


@pytest.mark.parametrize(("seat", "players"), [(0, (ANN, BOB)), (1, (BOB, ANN))])
@pytest.mark.parametrize("opponent", [BOB, None])
async def test_a_chosen_side_holds_whatever_the_coin_shows_and_a_rematch_swaps_it(
    challenges: ChallengeService,
    games: GameService,
    coin: list[int],
    seat: int,
    players: tuple[int, int],
    opponent: int,
) -> None:
    coin[0] = 1 - seat
    posted = await challenges.post(ANN, opponent, NewGame("nim", {}, HERE, "en"), seat=seat)
    assert (await challenges.get(posted.id)).seat == seat
    live = await challenges.accept(posted.id, BOB, HERE)
    assert live.players == players
    await games.resign(live.id, ANN, 2)
    again = await challenges.rematch(live.id, ANN, HERE, "en")
    assert (await challenges.accept(again.id, BOB, HERE)).players == players[::-1]


async def test_a_rematch_has_the_options_of_its_game(challenges: ChallengeService, games: GameService) -> None:
    options = {"layout": "standard", "target": 3, "ply_limit": 90}
    posted = await challenges.post(ANN, BOB, NewGame("abalone", options, HERE, "en"), terms=Terms(best_of=3))
    last = await challenges.accept(posted.id, BOB, HERE)
    played = 0
    while (following := await games.at(HERE.channel_id)) is not None:
        last, played = following, played + 1
        assert last.table.options.items() >= options.items(), "every game of the series has them"
        await games.resign(last.id, ANN, 1)
    assert played == 2
    again = await challenges.rematch(last.id, BOB, HERE, "en")
    assert again.options == options


async def test_who_may_not_ask(challenges: ChallengeService, games: GameService, over: LiveGame) -> None:
    running = await games.open(NewGame("nim", {}, THERE, "en"), (ANN, BOB))
    wrong = [
        (over.id, EVE, "table.not_a_player"),
        (running.id, EVE, "table.not_a_player"),
        (running.id, ANN, "rematch.running"),
        ("nothing", ANN, "table.unknown"),
    ]
    for game_id, user, key in wrong:
        with pytest.raises(Refused) as refusal:
            await challenges.rematch(game_id, user, HERE, "en")
        assert refusal.value.key == key
    assert await challenges.next_expiry() is None


@pytest.mark.both_databases
async def test_a_second_press_tells_of_the_first(challenges: ChallengeService, over: LiveGame) -> None:
    await challenges.rematch(over.id, ANN, THERE, "en")
    for user, key in ((ANN, "rematch.asked"), (BOB, "rematch.accept")):
        with pytest.raises(Refused) as refusal:
            await challenges.rematch(over.id, user, HERE, "en")
        assert (refusal.value.key, refusal.value.params) == (key, {"channel": THERE.channel_id})


@pytest.mark.both_databases
async def test_of_two_presses_at_once_one_counts(challenges: ChallengeService, over: LiveGame) -> None:
    presses = [challenges.rematch(over.id, user, HERE, "en") for user in (ANN, BOB)]
    answers = await asyncio.gather(*presses, return_exceptions=True)
    (posted,) = (answer for answer in answers if isinstance(answer, Challenge))
    (refusal,) = (answer for answer in answers if isinstance(answer, Refused))
    assert refusal.key == "rematch.accept"
    assert await challenges.store.open_rematch(over.id) == posted


@pytest.mark.parametrize("ends", ["accept", "decline", "cancel", "expire"])
async def test_after_an_answer_it_may_be_asked_again(
    challenges: ChallengeService, games: GameService, over: LiveGame, clock: Clock, ends: str
) -> None:
    first = await challenges.rematch(over.id, ANN, HERE, "en")
    if ends == "accept":
        live = await challenges.accept(first.id, BOB, HERE)
        await games.resign(live.id, ANN, 2)
    elif ends == "decline":
        await challenges.decline(first.id, BOB)
    elif ends == "cancel":
        await challenges.cancel(first.id, ANN)
    else:
        clock.pass_seconds(3600)
        await challenges.expire()
    assert (await challenges.rematch(over.id, BOB, HERE, "en")).challenger == BOB


async def test_one_that_is_due_is_in_nobodys_way(challenges: ChallengeService, over: LiveGame, clock: Clock) -> None:
    first = await challenges.rematch(over.id, ANN, HERE, "en")
    await challenges.posted(first.id, 900)
    other = await challenges.post(ANN, BOB, NewGame("nim", {}, HERE, "en"))
    clock.pass_seconds(3600)
    second = await challenges.rematch(over.id, BOB, HERE, "en")
    assert [challenge.id for challenge in await challenges.unshown()] == [first.id]  # its message still says it is open
    assert [(await challenges.get(posted.id)).status for posted in (first, other, second)] == [
        "expired",
        "open",
        "open",
    ]


async def test_one_that_no_machine_has_accepted_is_soon_in_nobodys_way(
    challenges: ChallengeService, games: GameService, clock: Clock
) -> None:
    live = await games.open(NewGame("nim", {"heap": 9, "dice": "no"}, HERE, "en"), (ANN, MACHINE))
    await games.resign(live.id, ANN, 2)
    first = await challenges.rematch(live.id, ANN, HERE, "en")
    await challenges.posted(first.id, 900)
    with pytest.raises(Refused, match=r"rematch\.asked"):  # it may still be on its way
        await challenges.rematch(live.id, ANN, HERE, "en")
    clock.at += POSTING_MS
    second = await challenges.rematch(live.id, ANN, HERE, "en")
    assert [(await challenges.get(posted.id)).status for posted in (first, second)] == ["expired", "open"]


async def test_one_whose_message_was_never_posted_is_in_nobodys_way(
    challenges: ChallengeService, over: LiveGame, clock: Clock
) -> None:
    lost = await challenges.rematch(over.id, ANN, HERE, "en")
    clock.pass_seconds(30)  # it may be in the channel
    with pytest.raises(Refused, match=r"rematch\.accept"):
        await challenges.rematch(over.id, BOB, HERE, "en")
    await challenges.give_up(lost.id)
    second = await challenges.rematch(over.id, BOB, HERE, "en")
    await challenges.posted(second.id, 901)
    clock.pass_seconds(60)
    with pytest.raises(Refused, match=r"rematch\.accept"):
        await challenges.rematch(over.id, ANN, HERE, "en")
    # should the first still arrive, its message is brought up to say that it is closed
    await challenges.posted(lost.id, 900)
    assert [(challenge.id, challenge.status) for challenge in await challenges.unshown()] == [(lost.id, "expired")]


@pytest.mark.both_databases
async def test_one_that_is_answered_this_very_moment(
    challenges: ChallengeService, over: LiveGame, monkeypatch: pytest.MonkeyPatch
) -> None:
    await challenges.rematch(over.id, ANN, HERE, "en")

    async def gone(_: str) -> None:
        return None

    monkeypatch.setattr(challenges.store, "open_rematch", gone)
    with pytest.raises(Refused, match=r"challenge\.closed"):
        await challenges.rematch(over.id, BOB, HERE, "en")


@pytest.mark.both_databases
async def test_a_game_that_ended_in_another_process_is_over(
    challenges: ChallengeService, games: GameService, make_games: MakeTables
) -> None:
    live = await games.open(NewGame("nim", {}, HERE, "en"), (ANN, BOB))
    await make_games().resign(live.id, ANN, 2)
    assert (await games.get(live.id)).table.outcome is None  # what this process knows
    assert (await challenges.rematch(live.id, ANN, HERE, "en")).rematch_of == live.id
