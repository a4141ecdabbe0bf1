"""What players are told of a round: a bye in a knockout, a play-off."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from fakes.outbox import rows
from harness.tournaments import Desk, plan_of

from bot.core.translations import CODES, language
from bot.notifications.service import NotificationService
from bot.players.mentions import mention
from bot.tournaments.notices import ACT
from bot.tournaments.reopening.notices import REOPENED
from bot.tournaments.rounds.delivery import words
from bot.tournaments.rounds.notices import BYE, CALLED_OFF, DEADLINE, DRAWN, NO_CHANNEL, PAIRED, STUCK, WALKOVER
from bot.tournaments.tournament import StoredRound
from engine.tournament.model import Format, Ties

if TYPE_CHECKING:
    from bot.tournaments.tournament import StoredPairing


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """One is enough: nothing here is SQL."""
    return sqlite_url


async def said(desk: Desk, kind: str, stored: StoredPairing, code: str = "en") -> str:
    """Returns the notice of a pairing to its first player."""
    service = desk.services[NotificationService]
    user = (await desk.snapshot()).player(stored.pairing.first).user_id
    made = service.notice(user, kind, desk.tournament_id, guild_id=1, channel_id=100, locale=code, n=stored.id)
    return await service.kinds[kind].text(made, language(code))


async def message(desk: Desk, number: int, code: str = "en") -> str:
    """Returns the message of a round."""
    snapshot = await desk.snapshot()
    names = {player.number: f"Player {player.number}" for player in snapshot.players}
    return "\n".join(words.round_message(snapshot, StoredRound(number, 1, 0), names, language(code)))


@pytest.mark.parametrize("code", CODES)
async def test_a_bye_in_a_knockout_gives_no_points(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 3)
    (bye,) = [one for one in await desk.of_round(1) if one.pairing.second is None]
    say = language(code)
    assert say("tournament.rounds.bye_in_bracket", player="Player 1") in await message(desk, 1, code)
    told = await said(desk, BYE, bye, code)
    assert ("repeated" if code == "en" else "repiten") in told  # they may wait for more than a round
    assert told == say("tournament.notice.bye_in_bracket", name="Cup", round=say("tournament.results.column.semi"))
    assert "1 p" not in told


async def test_a_bye_in_a_swiss_gives_a_point(desk: Desk) -> None:
    await desk.begin(plan_of(Format.SWISS, rounds=2), 3)
    (bye,) = [one for one in await desk.of_round(1) if one.pairing.second is None]
    assert "has a bye: 1 point" in await message(desk, 1)
    assert "1 point" in await said(desk, BYE, bye)


@pytest.mark.parametrize("code", CODES)
async def test_a_play_off_is_announced(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.ROUND_ROBIN, ties=Ties.PLAY_OFF), 2)
    say = language(code)
    (stored,) = await desk.running()
    assert say("tournament.rounds.play_off_first") not in await message(desk, 1, code)
    await desk.draw(stored)
    await desk.go_on()
    (decider,) = await desk.running()
    assert say("tournament.rounds.play_off_first") in await message(desk, 2, code)
    assert say("tournament.notice.play_off") in await said(desk, PAIRED, decider, code)


async def test_a_play_off_for_going_on_says_so(desk: Desk) -> None:
    first = plan_of(Format.ROUND_ROBIN, ties=Ties.PLAY_OFF, qualifiers=1).stages[0]
    plan = plan_of(Format.ROUND_ROBIN)
    await desk.begin(
        replace(plan, stages=(replace(first, sections=2), plan_of(Format.SINGLE_ELIMINATION).stages[0])), 4
    )
    for stored in await desk.running():
        await desk.draw(stored)
    await desk.go_on()
    assert language("en")("tournament.rounds.play_off_on") in await message(desk, 2)


@pytest.mark.parametrize("code", CODES)
async def test_the_final_and_the_game_for_third_place_are_told_apart(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION, third_place=True), 4)
    assert language(code)("tournament.results.column.final") not in await message(desk, 1, code)
    await desk.play_on(1)
    lines = (await message(desk, 2, code)).splitlines()[-2:]
    for line, column in zip(lines, ("final", "t1"), strict=True):
        assert f" · {language(code)(f'tournament.results.column.{column}')} · " in line


@pytest.mark.parametrize("code", CODES)
async def test_a_ping_names_the_round_of_a_knockout_as_the_bracket_does(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION, third_place=True), 4)
    for number, columns in ((1, ("semi", "semi")), (2, ("final", "t1"))):
        await desk.play_on(number - 1)
        for stored, column in zip(await desk.of_round(number), columns, strict=True):
            name = language(code)(f"tournament.results.column.{column}")
            assert (await said(desk, PAIRED, stored, code)).startswith(f"**Cup · {name}**: ")


async def sent(desk: Desk, kind: str, code: str) -> dict[int, str]:
    """Returns the notices of a kind that were written, by their readers."""
    service, say, told = desk.services[NotificationService], language(code), {}
    for row in await rows(service, kind):
        more = json.loads(row.body) | {"channel_id": row.channel_id, "seq": row.seq, "n": row.n}
        written = service.notice(row.user_id, kind, row.subject, guild_id=1, **more)
        assert await service.kinds[kind].is_current(written)
        told[row.user_id] = await service.kinds[kind].text(written, say)
    return told


async def draw_all(desk: Desk) -> None:
    for stored in await desk.running():
        await desk.draw(stored)


@pytest.mark.parametrize("code", CODES)
async def test_a_drawn_game_of_a_knockout_is_played_again(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 2)
    say = language(code)
    again = say("tournament.rounds.drawn")
    (first,) = await desk.running()
    assert say("tournament.notice.replay") not in await said(desk, PAIRED, first, code)
    await draw_all(desk)
    assert (await message(desk, 1, code)).endswith(again)
    await desk.go_on()
    (replay,) = await desk.running()
    assert (await message(desk, 1, code)).endswith(again)
    final, again = say("tournament.results.column.final"), say("tournament.results.again")
    assert f" · {final} · {again} · " in await message(desk, 2, code)
    assert say("tournament.notice.replay") in await said(desk, PAIRED, replay, code)


@pytest.mark.parametrize("code", CODES)
async def test_after_a_second_draw_all_read_who_goes_on(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 3)
    say = language(code)
    await draw_all(desk)
    await desk.go_on()
    assert await sent(desk, DRAWN, code) == {}
    await draw_all(desk)
    assert say("tournament.rounds.drawn_twice", player="Player 2") in await message(desk, 2, code)
    await desk.go_on()
    told = await sent(desk, DRAWN, code)
    assert sorted(told) == [1002, 1003]
    name = f"{say('tournament.results.column.semi')} ({say('tournament.results.again')})"
    better, worse = [mention(user, say) for user in sorted(told)]
    assert told[1002] == say("tournament.notice.drawn_won", name="Cup", round=name, opponent=worse)
    assert told[1003] == say("tournament.notice.drawn_lost", name="Cup", round=name, opponent=better)


@pytest.mark.parametrize("code", CODES)
async def test_who_waits_for_a_replay_is_named(desk: Desk, code: str) -> None:
    """Of five players, three have no opponent in the first round; two of them play in the second."""
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 5)
    say = language(code)
    line = say("tournament.rounds.waits", players="Player 1")
    await draw_all(desk)
    assert line not in await message(desk, 1, code)
    await desk.go_on()
    assert (await message(desk, 2, code)).endswith(line)
    assert line not in await message(desk, 1, code)
    await desk.play_on(1)
    assert line not in await message(desk, 2, code)


async def test_a_drawn_play_off_goes_to_the_better_seed(desk: Desk) -> None:
    await desk.begin(plan_of(Format.ROUND_ROBIN, ties=Ties.PLAY_OFF), 2)
    for _ in range(3):
        await draw_all(desk)
        await desk.go_on()
    assert language("en")("tournament.rounds.drawn") in await message(desk, 2)
    assert language("en")("tournament.rounds.drawn_twice", player="Player 1") in await message(desk, 3)
    assert language("en")("tournament.rounds.drawn") not in await message(desk, 1)


@pytest.mark.parametrize("code", CODES)
async def test_a_withdrawal_is_told_to_the_organisers(desk: Desk, code: str) -> None:
    say = language(code)
    await desk.create(plan_of(Format.SWISS, rounds=2), 4)
    await desk.rounds.withdraw(desk.tournament_id, 1004)
    assert await sent(desk, ACT, code) == {}  # the announcement shows who is in
    await desk.enter(1005)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    assert await sent(desk, ACT, code) == {9: f"**Cup**: {say('tournament.act.withdrew.withdrew', player='<@1001>')}"}


async def test_organisers_are_not_told_of_their_own_withdrawal_or_of_an_arena(desk: Desk) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=2), 3)
    await desk.enter(9)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.rounds.withdraw(desk.tournament_id, 9)
    await desk.begin(plan_of(Format.ARENA), 3)
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    assert await sent(desk, ACT, "en") == {}


@pytest.mark.parametrize("code", CODES)
async def test_who_met_a_player_that_left_too_early_is_told(desk: Desk, code: str) -> None:
    """Of three games, the first one is played; the second one is forfeited, the third one falls to the opponent."""
    say = language(code)
    await desk.begin(plan_of(Format.ROUND_ROBIN), 4)
    await desk.play_on(1)
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    users = [1000 + number for one in await desk.of_round(1) for number in one.pairing.players]
    met = next({*one.pairing.players} for one in await desk.of_round(1) if 1 in one.pairing.players)
    (opponent,) = [user for user in users if user - 1000 in met - {1}]
    told = await sent(desk, ACT, code)
    assert sorted(told) == [9, opponent]
    assert all(text.endswith(say("tournament.act.left_out", player="<@1001>")) for text in told.values())
    assert await sent(desk, WALKOVER, code) == {}
    await desk.play_round()
    await desk.go_on()
    ((reader, text),) = (await sent(desk, WALKOVER, code)).items()
    (row,) = [one for one in await desk.of_round(3) if 1 in one.pairing.players]
    assert reader - 1000 in row.pairing.players
    name = mention(1001, say)
    assert text == " ".join(
        [
            say(
                "tournament.notice.walkover",
                name="Cup",
                round=say("tournament.results.column.round", round=3),
                opponent=name,
            ),
            say("tournament.notice.walkover_uncounted", opponent=name),
        ]
    )
    assert say("tournament.rounds.uncounted") in await message(desk, 1, code)


@pytest.mark.parametrize("code", CODES)
async def test_who_wins_without_a_game_is_told(desk: Desk, code: str) -> None:
    await desk.begin(plan_of(Format.SINGLE_ELIMINATION), 4)
    await desk.play_round()
    winner = next(one.pairing.first for one in await desk.of_round(1))
    await desk.rounds.withdraw(desk.tournament_id, 1000 + winner)
    await desk.go_on()
    ((reader, text),) = (await sent(desk, WALKOVER, code)).items()
    say, (final,) = language(code), await desk.of_round(2)
    assert {reader - 1000, winner} == {*final.pairing.players}
    name = mention(1000 + winner, say)
    said = [
        say("tournament.notice.walkover", name="Cup", round=say("tournament.results.column.final"), opponent=name),
        say("tournament.notice.walkover_won"),
    ]
    assert text == " ".join(said)


@pytest.mark.parametrize("code", CODES)
async def test_every_notice_has_a_button_to_its_game_or_tournament(desk: Desk, code: str) -> None:
    """Those about late games open the panel; a deleted channel cannot be visited."""
    service, say = desk.services[NotificationService], language(code)
    labels: dict[str, set[str]] = {}
    for kind, found in service.kinds.items():
        notice = service.notice(1001, kind, "cup", guild_id=1, channel_id=100, locale=code)
        if kind.startswith(("round_", "tournament_")):
            for button in await found.buttons(notice, say):
                labels.setdefault(button.label, set()).add(kind)
                assert button.url in {None, "https://discord.com/channels/1/100"}
    assert labels.pop(say("button.decide_late")) == {"round_late", "round_lates"}
    assert labels.pop(say("button.to_game")) == {PAIRED, DEADLINE}
    without = {NO_CHANNEL, STUCK, CALLED_OFF, REOPENED, "round_late", "round_lates"}
    rest = {kind for kind in service.kinds if kind.startswith(("round_", "tournament_"))} - {PAIRED, DEADLINE} - without
    assert labels == {say("button.to_tournament"): rest}
