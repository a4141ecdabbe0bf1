"""Organisers act by taps and by commands, over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import private, told
from harness.discord import Seat, buttons, menus, options, until
from harness.tournaments import Event, plan_of

from bot.core.translations import language
from bot.games.service import GameService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.tournament import PairingState, PlayerStatus, Status
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from bot.tournaments.tournament import Plan, StoredPairing

EN, ES = language("en"), language("es")


async def begun(event: Event) -> list[StoredPairing]:
    await event.create(plan_of(Format.SWISS, rounds=3))
    await event.start()
    return await event.round(1)


async def panel(event: Event) -> Seat:
    """Opens the first page, and returns the organiser's seat."""
    olga = event.organiser
    await olga.slash("tournament organise panel")
    return olga


async def test_a_game_is_decided_by_taps(event: Event) -> None:
    first, _ = await begun(event)
    olga = event.organiser
    await olga.slash("tournament adjudicate")
    assert "Decide a game" in told(olga)
    await olga.choose(str(first.id), menu="m:organise_pairing:", message=private(olga))
    shown = private(olga)
    assert len(shown["attachments"]) == 1
    assert options(shown)[0].endswith("wins")
    opened = await olga.choose("second", menu="m:organise_choice:", message=shown)
    await olga.submit(opened, {"reason": "He never came."})
    assert told(olga).startswith("✅")
    assert "He never came." in told(olga)
    (stored,) = [one for one in (await event.snapshot()).pairings if one.id == first.id]
    assert (stored.result, stored.state, stored.decided_by) == (Result.SECOND_WINS, PairingState.DONE, "organiser")
    line = await event.shows("**Cup**: ", "0\u20131")
    assert line.endswith("Reason: He never came.")
    assert not [pings for pings in event.organiser.pings if "He never came" in pings["content"]]

    async def over() -> bool:
        return (await event.bot.service(GameService).newest(first.game_id or "")).is_over

    await until(over, "the game is over")
    live = await event.game(first)
    assert live.outcome is not None
    winner = (await event.snapshot()).player(first.pairing.second or 0).user_id
    assert live.players[live.outcome.winner or 0] == winner


async def test_everything_works_by_taps(event: Event) -> None:
    """Correct, expel, undo, pause, resume, pair again, assistants, cancel: each from the first page and back to it."""
    first, other = await begun(event)
    await event.win(first, first.pairing.first)
    olga = await panel(event)
    labels = list(buttons(private(olga)))
    assert {EN(f"button.organise_{name}") for name in ("adjudicate", "correct", "repair", "pause", "expel")} <= {
        *labels
    }

    async def go(page: str) -> None:
        await olga.press(EN(f"button.organise_{page}"), private(olga))

    async def because(opened: object) -> None:
        await olga.submit(opened, {"reason": "So it is."})  # type: ignore[arg-type]
        assert told(olga).startswith("✅"), told(olga)

    async def press_sure() -> None:
        await because(await olga.press(f"b:organise_reason:{event.tournament_id}", private(olga)))

    await go("correct")
    await olga.choose(str(first.id), menu="m:organise_pairing:", message=private(olga))
    assert options(private(olga))[0].endswith(" wins")
    await because(await olga.choose("1/2-1/2", menu="m:organise_choice:", message=private(olga)))
    assert (await event.snapshot()).pairings[0].result is Result.DRAW
    await go("undo")
    opened = await olga.choose(options(private(olga))[0], menu="m:organise_choice:", message=private(olga))
    await olga.submit(opened, {})  # the reason stands there already
    assert told(olga).startswith("✅"), told(olga)
    assert EN("tournament.form.undo_reason", markup="So it is.") in told(olga)
    assert (await event.snapshot()).pairings[0].result is Result.FIRST_WINS
    await go("expel")
    number = other.pairing.first
    await because(await olga.choose(str(number), menu="m:organise_choice:", message=private(olga)))
    assert (await event.snapshot()).player(number).status is PlayerStatus.EXPELLED
    await event.round(2)
    await go("pause")
    await press_sure()
    await go("resume")
    assert len(menus(private(olga))) == 1
    await press_sure()
    await go("repair")
    await press_sure()

    async def paired_again() -> bool:
        running = await event.running()
        return bool(running) and all(one.pairing.round == 2 for one in running)

    await until(paired_again, "round 2 is paired again")
    await event.shows("**Cup · Round 2**")
    assert len(event.said("**Cup · Round 2**")) == 1
    await go("assistants")
    await because(await olga.choose(str(event.people[0].user_id), menu="u:organise_choice:", message=private(olga)))
    assert await event.service.organisers(event.tournament_id) == [event.people[0].user_id]
    await go("assistants")
    await because(await olga.choose(str(event.people[0].user_id), menu="m:organise_choice:", message=private(olga)))
    await go("cancel")
    await press_sure()
    assert (await event.snapshot()).tournament.status is Status.CANCELLED
    assert EN("tournament.organising.cancelled") in told(olga)
    assert EN("tournament.organising.over") not in told(olga)
    await go("log")
    assert "So it is." in told(olga)
    assert "cancelled the tournament" in told(olga)


LATE_ENTRIES = plan_of(Format.SWISS, rounds=3, late_entries=2)
AT_ONCE = plan_of(Format.ROUND_ROBIN, at_once=True, clock="3d/move", capacity=12)


@pytest.mark.parametrize(("plan", "admits"), [(LATE_ENTRIES, True), (AT_ONCE, False)], ids=["swiss", "at_once"])
async def test_players_are_added_only_while_they_may_enter(event: Event, plan: Plan, *, admits: bool) -> None:
    add = EN("button.organise_players")
    await event.create(plan)
    olga = await panel(event)
    assert not buttons(private(olga))[add].get("disabled")
    await olga.press(EN("button.organise_cancel"), private(olga))
    assert EN("tournament.organising.rule.cancel") in told(olga)
    assert EN("tournament.organising.rule.cancel_games") not in told(olga)  # there are none yet
    await event.start()
    await panel(event)
    assert bool(buttons(private(olga))[add].get("disabled")) is not admits


@pytest.mark.parametrize("key", ["choice", "ruling", "correction"])
def test_a_draw_has_one_name_in_spanish(key: str) -> None:
    assert ES(f"tournament.{key}.draw").lower() == "tablas"


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_a_tournament_ends_by_taps(event: Event, locale: str) -> None:
    """Cancelling offers it; it says how many games do not count; the podium and the players' notices follow."""
    first, other = await begun(event)
    await event.win(first, first.pairing.first)
    olga, say = event.organiser, language(locale[:2])
    event.server.world.users[olga.user_id]["locale"] = locale
    await olga.slash("tournament cancel")
    assert say("tournament.organising.rule.cancel_games") in told(olga)
    assert say("tournament.organising.rule.cancel_running") in told(olga)
    await olga.press(say("button.organise_finish"), private(olga))
    assert say("tournament.organising.rule.finish_games", n=1) in told(olga)
    opened = await olga.press(say("button.organise_sure_finish"), private(olga))
    await olga.submit(opened, {"reason": "Enough."})
    assert told(olga).startswith("✅")
    assert buttons(private(olga))[say("button.organise_finish")].get("disabled")
    line = await event.shows("**Cup**: ", "ended the tournament")
    assert line.endswith("Reason: Enough.")
    await event.shows("🏆 **Cup is over**")
    winner = (await event.snapshot()).player(first.pairing.first)
    assert winner.first_place == 1
    await event.shows("**Cup · Round 1**", "does not count")
    snapshot = await event.snapshot()
    users = [snapshot.player(number).user_id for number in other.pairing.players]
    for seat in (one for one in event.people if one.user_id in users):

        async def heard(seat: Seat = seat) -> bool:
            return any("Enough." in message["content"] for message in seat.direct().messages)

        await until(heard, "a direct message")


async def test_a_tournament_ends_by_command(event: Event) -> None:
    await begun(event)
    olga = event.organiser
    await olga.slash("tournament organise finish", reason="Enough.")
    assert told(olga).startswith("✅")
    assert (await event.snapshot()).tournament.status is Status.OVER


async def test_the_second_organiser_is_told_what_has_just_happened(event: Event) -> None:
    await begun(event)
    olga = event.organiser
    await olga.slash("tournament organise expel")
    service = event.bot.service(OrganiserService)
    by = By(event.people[0].user_id, "I was faster.", await service.last_seq(event.tournament_id))
    await service.appoint(event.tournament_id, by, event.people[1].user_id, adds=True)
    opened = await olga.choose("1", menu="m:organise_choice:", message=private(olga))
    await olga.submit(opened, {"reason": "Mine."})
    assert told(olga).startswith("⚠️ Nothing was done.")
    assert "I was faster." in told(olga)
    assert (await event.snapshot()).player(1).is_in


@pytest.mark.parametrize("command", ["tournament adjudicate", "tournament organise correct"])
async def test_a_game_that_is_not_in_the_tournament_opens_no_form(event: Event, command: str) -> None:
    """Its number would not always fit into the form."""
    await begun(event)
    olga = event.organiser
    result = "first" if command.endswith("adjudicate") else "1-0"
    for game in ("9" * 90, "9" * 19, "99", "\N{ARABIC-INDIC DIGIT ONE}", "-1", "one"):
        opened = await olga.slash(command, game=game, result=result)
        assert opened.modal is None
        assert told(olga) == EN("tournament.organising.no_pairing")
        await olga.slash(command, game=game)
        assert told(olga) == EN("tournament.organising.no_pairing")


async def test_no_reason_no_act(event: Event) -> None:
    first, _ = await begun(event)
    olga = event.organiser
    opened = await olga.slash("tournament adjudicate", game=str(first.id), result="first")
    await olga.submit(opened, {"reason": "  "})
    assert told(olga) == EN("tournament.organising.no_reason")
    assert (await event.snapshot()).pairings[0].result is None


async def test_the_log_is_public_paged_and_bilingual(event: Event) -> None:
    await begun(event)
    service = event.bot.service(OrganiserService)
    for number in range(8):
        for act in (service.pause, service.resume):
            await act(event.tournament_id, By(event.organiser.user_id, f"Number {number}. " + "x" * 280, 99))
    reader = event.people[2]
    event.server.world.users[reader.user_id]["locale"] = "es-ES"
    await reader.slash("tournament log")
    pages = [told(reader)]
    assert pages[0].startswith("**Cup**: lo que ha pasado")
    assert "Motivo: Number 7." in pages[0]
    while ES("button.log_older") in buttons(private(reader)):
        await reader.press(ES("button.log_older"), private(reader))
        pages.append(told(reader))
    assert len(pages) > 3
    assert all(len(page) <= 2000 for page in pages)
    lines = [line for page in pages for line in page.splitlines()[1:]]
    numbers = [int(line.split("`")[1]) for line in lines]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[-1] == 1
    assert len(numbers) == numbers[0]
    assert "El torneo empezó con 4 participantes." in pages[-1]
    await reader.press(ES("button.log_newest"), private(reader))
    assert told(reader) == pages[0]


async def test_players_are_told_what_concerns_them(event: Event) -> None:
    first, _ = await begun(event)
    await event.win(first, first.pairing.first)
    olga = event.organiser
    await olga.slash("tournament organise correct", game=str(first.id), result="1/2-1/2", reason="They said so.")
    assert told(olga).startswith("✅")
    snapshot = await event.snapshot()
    users = [snapshot.player(number).user_id for number in first.pairing.players]
    for seat in (one for one in event.people if one.user_id in users):

        async def heard(seat: Seat = seat) -> bool:
            return any("They said so." in message["content"] for message in seat.direct().messages)

        await until(heard, "a direct message")
    quiet = next(one for one in event.people if one.user_id not in users)
    assert not any("They said so." in message["content"] for message in quiet.direct().messages)


async def test_the_panel_names_who_has_not_checked_in(event: Event) -> None:
    await event.create(plan_of(Format.SWISS), status=Status.CHECK_IN)
    await panel(event)
    ana, *others = event.people
    missing = ", ".join(event.server.world.users[seat.user_id]["global_name"] for seat in event.people)
    assert EN("tournament.organising.check_in", done=0, total=4, players=missing) in told(event.organiser)
    registration = event.services[RegistrationService]
    await registration.check_in(event.tournament_id, ana.user_id)
    await panel(event)
    missing = ", ".join(event.server.world.users[seat.user_id]["global_name"] for seat in others)
    assert EN("tournament.organising.check_in", done=1, total=4, players=missing) in told(event.organiser)
    for seat in others:
        await registration.check_in(event.tournament_id, seat.user_id)
    await panel(event)
    assert EN("tournament.organising.check_in_all", total=4) in told(event.organiser)
