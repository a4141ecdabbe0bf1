"""A series over the socket: setting it up, the announcement of the next one, the season, and ending it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from harness.bot import SPANISH, private, told
from harness.discord import until
from harness.thinning import one_of
from harness.tournaments import Event, plan_of

from bot.core.translations import language, language_for_locale
from bot.tournaments.tournament import Repeat, Status
from engine.core.hours import DAY
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Tournament

EN = language("en")


async def all_of(event: Event) -> list[Tournament]:
    """Returns the tournaments of the server, the first of the series first."""
    found = await event.service.of_server(event.server.world.guild_id, set(Status))
    return sorted(found, key=lambda one: one.edition)


async def second(event: Event) -> Tournament:
    """Waits for the next one of the series."""

    async def there() -> bool:
        return len(await all_of(event)) == 2

    await until(there, "the next one is there")
    return (await all_of(event))[1]


@one_of("locale", ["en-US", SPANISH])
async def test_after_the_end_the_next_one_is_announced_with_the_season(
    stand_in: Server, bot: AbakBot, locale: str
) -> None:
    say = language_for_locale(locale)
    event = Event.of(stand_in, bot, 4, locale=locale)
    starts = event.service.now() + DAY
    plan = plan_of(Format.SINGLE_ELIMINATION, starts=starts, repeat=Repeat.WEEKLY, season=4)
    await event.create(plan, "Friday Abalone", locale=say.code)
    first = await event.shows("## Friday Abalone")
    assert say("tournament.more.repeat.weekly") in first
    assert say("tournament.season.none", part=1, n=4) in first
    await event.start()
    await event.play_to_the_end()
    shown = await event.shows("## Friday Abalone 2", "4.5" if say.code == "en" else "4,5")
    made = await second(event)
    ana, ben, *_ = event.people
    assert f"<t:{(made.plan.starts or 0) // 1000}:f>" in shown
    assert made.plan.starts == starts + 7 * DAY
    best = say("tournament.season.player", rank=1, player=f"<@{ana.user_id}>", points="10")
    assert best in shown
    assert say("tournament.season.player", rank=2, player=f"<@{ben.user_id}>", points="7") in shown
    assert len(event.said("## Friday Abalone 2")) == 1
    podium = event.said("🏆 **Friday Abalone")[-1]
    assert event.said().index(podium) < event.said().index(shown)
    assert not [one for one in ana.pings if "Friday Abalone 2" in one["content"]]

    await ana.slash("tournament join", tournament=made.id)
    assert "Friday Abalone 2" in told(ana)
    await ana.slash("tournament standings", tournament=(await all_of(event))[0].id)
    message = private(ana)
    assert best in message["content"]
    await ana.press(say("button.tournament_season"), message)
    lines = told(ana).splitlines()
    assert lines[0] == say("tournament.season.title", name="Friday Abalone")
    assert lines[2] == say("tournament.season.rule", points="10, 7, 5, 4, 3, 2, 1")
    row = say("tournament.season.row", rank=1, player=f"<@{ana.user_id}>", points="10", n=1)
    assert lines[3] == row.replace(".", "\\.", 1)  # two share the third place, and Discord would number them as a list


@one_of("locale", ["en-US", SPANISH])
async def test_undoing_names_the_tournament_and_the_way_to_an_earlier_one(
    stand_in: Server, bot: AbakBot, locale: str
) -> None:
    """After one of the series is cancelled, its channel means the next one."""
    event, say = Event.of(stand_in, bot, 2, locale=locale), language_for_locale(locale)
    plan = plan_of(Format.SWISS, starts=event.service.now() + DAY, repeat=Repeat.WEEKLY)
    await event.create(plan, "Cup")
    await event.organiser.slash("tournament organise undo")
    assert say("tournament.organising.undo_series") not in told(event.organiser)
    await event.organiser.slash("tournament cancel", reason="No.")
    await second(event)
    await event.organiser.slash("tournament organise undo")
    shown = told(event.organiser)
    assert shown.startswith(say("tournament.organising.title", text="Cup 2"))
    assert say("tournament.organising.undo_series") in shown


async def test_who_is_below_the_table_reads_their_own_row(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 28)
    plan = plan_of(Format.SINGLE_ELIMINATION, starts=event.service.now() + DAY, repeat=Repeat.WEEKLY, season=4)
    await event.create(plan)
    async with event.service.changing(event.tournament_id) as change:
        placed = (replace(one, first_place=one.number, last_place=one.number) for one in change.snapshot.players)
        await change.set_players(*placed)
        await change.set(replace(change.tournament, status=Status.OVER, started=1, ended=change.now))
    last = event.people[-1]
    await last.slash("tournament standings", tournament=event.tournament_id)
    await last.press(EN("button.tournament_season"), private(last))
    lines = told(last).splitlines()
    assert len(lines) == 3 + 25 + 1
    row = EN("tournament.season.row", rank=8, player=f"<@{last.user_id}>", points="0", n=1)
    assert lines[-1] == row.replace(".", "\\.", 1)  # Discord would number equal places as 8, 9, 10 …


async def test_an_organiser_ends_the_series_of_one_that_runs(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    olga = event.organiser
    plan = plan_of(Format.SINGLE_ELIMINATION, starts=event.service.now() + DAY, repeat=Repeat.MONTHLY)
    await event.create(plan)
    await event.start()
    await event.opened(1)
    await olga.slash("tournament cancel")
    assert EN("tournament.organising.rule.cancel_series") in told(olga)
    await olga.slash("tournament organise edit")
    page = private(olga)
    assert EN("tournament.organising.rule.edit_running") in told(olga)
    assert EN("button.organise_edit.dates") not in str(page["components"])
    opened = await olga.choose("none", menu=EN("tournament.plan.repeat"), message=page)
    await olga.submit(opened, {"reason": "Holidays."})
    change = EN("tournament.act.change", title="Repeat", before="every month", after="does not repeat")
    await event.shows("**Cup**: ", change)
    await event.play_to_the_end()
    assert [one.status for one in await all_of(event)] == [Status.OVER]


async def test_an_organiser_cancels_one_and_ends_the_series_by_taps(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 2)
    olga = event.organiser
    plan = plan_of(Format.SINGLE_ELIMINATION, starts=event.service.now() + DAY, repeat=Repeat.MONTHLY)
    await event.create(plan)
    await olga.slash("tournament cancel")
    opened = await olga.press(EN("button.organise_cancel_series"), private(olga))
    await olga.submit(opened, {"reason": "Holidays."})
    await event.shows("**Cup**: ", EN("tournament.act.series_ends"))
    (cup,) = await all_of(event)
    assert (cup.status, cup.repeat_at) == (Status.CANCELLED, None)


async def test_the_panel_offers_it_for_what_ends(stand_in: Server, bot: AbakBot) -> None:
    event = Event.of(stand_in, bot, 0)
    olga = event.organiser
    await olga.slash("tournament create", template="weekend_swiss", name="Friday Abak")
    panel = private(olga)
    while EN("tournament.page.dates") not in told(olga):
        await olga.press(EN("button.plan_next"), panel)
    assert EN("tournament.plan.season") not in str(panel["components"])
    await olga.choose("weekly", menu=EN("tournament.plan.repeat"), message=panel)
    assert EN("tournament.problem.repeat") in told(olga)
    await olga.choose("10", menu=EN("tournament.plan.season"), message=panel)
    opened = await olga.press("b:plan_ask:", panel)
    await olga.submit(opened, {"starts": "2h"})
    assert EN("tournament.problem.repeat") not in told(olga)
    (draft,) = await all_of(event)
    assert (draft.plan.repeat, draft.plan.season) == (Repeat.WEEKLY, 10)
    await olga.press(EN("button.plan_preview"), panel)
    await olga.press(EN("button.plan_announce"), panel)
    shown = await event.shows("## Friday Abak", EN("tournament.more.repeat.weekly"))
    assert EN("tournament.season.none", part=1, n=10) in shown
