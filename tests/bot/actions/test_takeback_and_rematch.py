"""Taking back, playing again, looking back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest
from harness.bot import Room, bot_running, private, told, verbs, wired
from harness.discord import Seat, alt, components, text, until

from bot.board import story
from bot.challenges.service import ChallengeService
from bot.challenges.worker import ChallengeExpiry
from bot.core.translations import language
from engine.core.errors import Translated
from engine.core.record import Kind
from engine.registry import GAMES
from render import registry

if TYPE_CHECKING:
    from bot.sandbox.server import Server
    from render.view import View

EN = language("en")


async def play_one(room: Room) -> Any:
    live = await room.shown()
    game, state, steps = live.table.game, live.table.state, []
    while game.to_act(state) == live.table.to_act:
        steps.append(game.legal(state)[-1])
        state = game.apply(state, steps[-1])
    sent = await room.type(live, game.format(live.table.state, steps))
    if sent.message is not None and "confirm" in verbs(sent.message):  # the turn loses the game or an own piece
        await room.to_move(live).press("b:confirm:", sent.message)
    return await room.shown()


async def test_a_turn_is_taken_back_if_the_other_agrees(room: Room) -> None:
    start = await room.begin("abalone")
    mover = room.to_move(start)
    played = await play_one(room)
    await mover.slash("abak takeback")
    *_, last = played.table.record.entries
    assert told(mover) == EN("takeback.sure", move=last.body)
    await mover.press("b:ask_back:", private(mover))
    await room.shown()
    assert EN("story.offer_takeback", seat=EN("seat.black"), move=last.body) in text(room.board)
    await room.to_move(played).press("b:accept:", room.board)
    back = await room.shown()
    assert back.table.state == start.table.state
    assert room.to_move(back) == mover
    assert back.table.seq == 3


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_a_takeback_names_the_conditional_reply_that_goes_back_too(room: Room, locale: str) -> None:
    room.speak(locale)
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    await room.type(live, "a1b2")
    played = await room.shown()
    assert [entry.body for entry in played.table.record.entries] == ["a1b2", "i5h5"]
    both = {"move": "a1b2", "reply": "`i5h5`"}
    await room.ana.slash("abak takeback")
    assert told(room.ana) == room.say("takeback.sure_reply", **both)
    await room.ana.press("b:ask_back:", private(room.ana))
    await room.shown()
    assert room.say("story.offer_takeback_reply", seat=Translated("@side.black"), **both) in text(room.board)
    await room.ben.press("b:accept:", room.board)
    back = await room.shown()
    assert back.table.state == live.table.state
    assert room.say("story.accept_takeback_reply", seat=Translated("@side.white"), **both) in text(room.board)
    await room.type(back, "a2b2")
    await room.shown()
    await room.ana.press("b:more:", room.board)
    await room.ana.press("b:record:", private(room.ana))
    record = told(room.ana)
    assert "a1b2" in record
    assert room.say("story.offer_takeback_reply", seat=Translated("@side.black"), **both).replace("`", "") in record


async def test_dice_that_have_fallen_are_not_taken_back(room: Room) -> None:
    start = await room.begin("backgammon")
    mover = room.to_move(start)
    await play_one(room)
    await mover.slash("abak takeback")
    assert told(mover) == EN("table.dice_fell")


async def test_a_rematch_swaps_the_seats(room: Room) -> None:
    first = await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    await room.ben.press("b:rematch:", room.board)
    await room.ana.press("b:accept_challenge:", room.ben.last)
    second = await room.shown()
    assert second.id != first.id
    assert second.players == first.players[::-1]


async def test_two_who_press_rematch_play_again(room: Room) -> None:
    """The second press accepts the challenge of the first, whose message says so."""
    card, challenge = await asked_again(room)
    finished = await room.present()
    await room.ana.press("b:rematch:", card)
    second = await room.shown()
    assert second.id != finished.id
    assert second.players == finished.players[::-1]
    assert told(room.ana) == EN("rematch.begins")
    await until(lambda: not wired(room.ana.fresh(challenge)), "the challenge says that it is accepted")
    address = f"https://discord.com/channels/{second.place.guild_id}/{second.place.channel_id}/{challenge['id']}"
    await until(lambda: of_card(room.ana.fresh(card)) == [address, "replay", "flip"], "the card leads on")


async def test_a_rematch_asked_for_twice_by_one_is_no_game(room: Room) -> None:
    card, _ = await asked_again(room)
    await room.ben.press("b:rematch:", card)
    assert told(room.ben) == EN("rematch.asked", channel=room.channel_id)
    assert (await room.present()).table.outcome is not None


def of_card(message: dict[str, Any]) -> list[str]:
    """Returns the verbs and addresses that the card of a finished game offers."""
    return [x["url"] if "url" in x else x["custom_id"].split(":")[1] for x in components(message) if x["type"] == 2]


async def asked_again(room: Room) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns a finished game's card, and the challenge to its rematch."""
    await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    card = room.board
    sent = await room.ben.press("b:rematch:", card)
    assert sent.message is not None
    assert of_card(room.ana.fresh(card)) == ["rematch", "replay", "flip"]
    return card, sent.message


async def test_the_card_leads_to_the_rematch_once_it_is_accepted(room: Room) -> None:
    card, challenge = await asked_again(room)
    await room.ana.press("b:accept_challenge:", challenge)
    second = await room.shown()
    address = f"https://discord.com/channels/{second.place.guild_id}/{second.place.channel_id}/{challenge['id']}"
    await until(lambda: of_card(room.ana.fresh(card)) == [address, "replay", "flip"], "the card leads on")


async def test_the_card_leads_to_the_thread_of_the_rematch(room: Room) -> None:
    card, challenge = await asked_again(room)
    await room.begin("abalone")  # takes the channel
    await room.ana.press("b:accept_challenge:", challenge)
    await until(lambda: of_card(room.ana.fresh(card))[0] != "rematch", "the card leads on")
    [address, *_] = of_card(room.ana.fresh(card))
    assert address.endswith(f"/{challenge['id']}")  # a thread has its message's id
    assert address.count("/") == 5


async def test_the_card_goes_on_offering_a_rematch_that_was_declined(room: Room) -> None:
    card, challenge = await asked_again(room)
    await room.ana.press("b:decline_challenge:", challenge)
    assert of_card(room.ana.fresh(card)) == ["rematch", "replay", "flip"]


@pytest.mark.parametrize("gone", [False, True])
async def test_a_card_that_could_not_be_changed_is_changed_after_a_restart(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, *, gone: bool
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(ChallengeExpiry, "turn", AsyncMock())  # else it may come between the answer and the card
        async with bot_running(stand_in, sqlite_url) as bot:
            room = Room.of(stand_in, bot)
            card, challenge = await asked_again(room)
            if gone:
                stand_in.world.delete_message(int(card["id"]))
            else:
                stand_in.world.faults.fail_next(f"/messages/{card['id']}", status=400)
            await room.ana.press("b:accept_challenge:", challenge)
            second = await room.shown()
            assert second.table.outcome is None
            await until(lambda: not bot.context.under_way, "the answer is given")
            left = await bot.service(ChallengeService).unshown()
            assert [each.game_id for each in left] == [second.id]
    async with bot_running(stand_in, sqlite_url) as room.bot:
        service = room.bot.service(ChallengeService)

        async def all_shown() -> bool:
            return not await service.unshown()

        await until(all_shown, "the challenge is closed")
    if not gone:
        assert of_card(room.ana.fresh(card))[1:] == ["replay", "flip"]


async def test_no_rematch_before_the_end_or_for_strangers(room: Room) -> None:
    live = await room.begin("apb")
    assert room.bot is not None
    challenges = room.bot.service(ChallengeService)
    with pytest.raises(Exception, match=r"rematch\.running"):
        await challenges.rematch(live.id, room.ana.user_id, live.place, "en")
    with pytest.raises(Exception, match=r"table\.not_a_player"):
        await challenges.rematch(live.id, 5, live.place, "en")


@pytest.mark.parametrize("game", GAMES)
async def test_a_game_is_looked_through(room: Room, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    filmed: list[View] = []
    make = registry.animation

    def recording(key: str, frames: list[tuple[Any, View]]) -> bytes:
        filmed.extend(view for _, view in frames)
        return make(key, frames)

    monkeypatch.setattr(registry, "animation", recording)
    await room.begin(game)
    for _ in range(3):
        await play_one(room)
    await room.ben.slash("abak replay")
    shown = private(room.ben)
    live = await room.present()
    last = story.turns_made(live.table)  # a game of APB at random may be over before
    has_roll = live.entries[-1].kind is Kind.CHANCE  # since the last turn: a moment of its own, and no turn
    turn = EN("replay.turn", number=last, n=last)
    end = EN("replay.now", n=last) if has_roll else turn
    assert text(shown).splitlines()[1] == end
    if has_roll:
        await room.ben.press(EN("button.back"), shown)
        assert text(room.ben.fresh(shown)).splitlines()[1] == turn
    pictures = set()
    for button, number in (("first", 0), ("forward", 1), ("forward", 2), ("back", 1), ("last", last)):
        await room.ben.press(EN(f"button.{button}"), shown)
        now = room.ben.fresh(shown)
        where = EN("replay.turn", number=number, n=last) if number else EN("replay.start", n=last)
        assert text(now).splitlines()[1] == (end if button == "last" else where)
        assert len(alt(now)) == 1
        pictures.add(room.server.world.attachment(int(now["attachments"][0]["id"]))[0])
    assert len(pictures) >= 3
    await room.ben.press(EN("button.film"), shown)
    film = private(room.ben)["attachments"][0]
    content, kind = room.server.world.attachment(int(film["id"]))
    assert kind == "image/webp"
    assert content[:4] == b"RIFF"
    assert len(content) < 1_000_000
    assert film["description"]
    assert {view.names for view in filmed} == {("Ana", "Ben")}  # whoever is shown it is to know whose game it was


async def test_games_are_found_by_who_played(room: Room) -> None:
    live = await room.begin("apb")
    assert await room.ana.choices("abak replay", "game", game="") == []
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    offered = await room.ana.choices("abak replay", "game", game="")
    assert offered == [{"name": f"APB · Ben · {EN('replay.lost')}", "value": live.id}]


@pytest.mark.parametrize("game", GAMES)
async def test_the_board_in_words(room: Room, game: str) -> None:
    await room.begin(game)
    await room.ana.slash("abak board", text=True)
    shown = private(room.ana)
    assert alt(shown) == []
    assert len(text(shown).splitlines()) > 5
    assert len(text(shown)) <= 2000


async def test_more_leads_to_everything_else(room: Room) -> None:
    await room.begin("apb")
    await room.ana.press("b:more:", room.board)
    assert verbs(private(room.ana)) == ["words", "replay", "record", "sure_draw", "resign", "rule"]
    await room.ana.press("b:sure_draw:", private(room.ana))
    assert told(room.ana) == EN("draw.sure")


async def test_a_takeback_is_offered_to_whoever_can_ask_for_it(room: Room) -> None:
    async def offered(who: Seat) -> bool:
        await who.press("b:more:", room.board)
        return "sure_back" in verbs(private(who))

    live = await room.begin("apb")
    assert not await offered(room.ana)
    await room.type(live, "e4-d5 e3-e4")
    await room.shown()
    assert await offered(room.ana)
    assert not await offered(room.ben)
    await room.ana.press("b:sure_back:", private(room.ana))
    await room.ana.press("b:ask_back:", private(room.ana))
    await room.shown()
    assert not await offered(room.ana)  # it has been asked for
    await room.ben.press("b:accept:", room.board)
    await room.shown()
    assert not await offered(room.ana)
