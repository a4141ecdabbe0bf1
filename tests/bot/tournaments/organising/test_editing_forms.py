"""Settings that an organiser changes by taps and forms, over the socket."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import SPANISH, private, told
from harness.discord import is_ephemeral, text, until
from harness.organising import HELPER, to
from harness.tournaments import plan_of

from bot.core.translations import CODES, language, language_for_locale
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.tournament import LateRule
from engine.core.hours import DAY, MINUTE
from engine.tournament.model import Format

if TYPE_CHECKING:
    from harness.tournaments import Event


def typed_in(opened: Any) -> list[str]:
    """Returns the texts that stand in an opened form."""
    fields = (one.get("component", one) for one in opened.modal["components"])
    return [field.get("value", "") for field in fields]


async def test_a_form_opened_again_undoes_nothing_that_another_organiser_changed_meanwhile(event: Event) -> None:
    say, olga = language("en"), event.organiser
    await event.create(plan_of(Format.SWISS, rounds=3))
    await event.shows("## Cup", "64")
    await olga.slash("tournament organise edit")
    opened = await olga.press(say("button.organise_edit.players"), private(olga))
    await olga.submit(opened, {"capacity": "many", "reason": "A hall."})
    assert say("tournament.organising.edit_unread") in told(olga)
    await event.services[OrganiserService].edit(event.tournament_id, By(HELPER, "Mine.", 0), to("Big Cup"))

    opened = await olga.press(say("button.form_again"), private(olga))
    assert "Cup" in typed_in(opened)
    await olga.submit(opened, {"capacity": "32"})
    assert "Cup → Big Cup" in told(olga)
    tournament = (await event.snapshot()).tournament
    assert (tournament.name, tournament.plan.capacity) == ("Big Cup", 64)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_settings_change_by_taps_and_the_channel_reads_it_once(event: Event, locale: str) -> None:
    """The organiser's language is not that of the tournament."""
    say = language_for_locale(locale)
    other = next(code for code in CODES if code != say.code)
    public, olga = language(other), event.organiser
    event.server.world.users[olga.user_id]["locale"] = locale
    await event.create(replace(plan_of(Format.SWISS, rounds=3), round_length=DAY), locale=other)
    await event.shows("## Cup", "64")
    await olga.slash("tournament organise edit")
    page = private(olga)
    assert say("tournament.organising.page.edit") in text(page)

    opened = await olga.press(say("button.organise_edit.players"), page)
    await olga.submit(opened, {"name": "Big Cup", "capacity": "many", "reason": "A hall."})
    assert say("tournament.field.number", text="many", least=2, most=1024) in told(olga).replace("`", "")
    assert say("tournament.organising.edit_unread") in told(olga)
    assert (await event.snapshot()).tournament.name == "Cup"

    opened = await olga.press(say("button.form_again"), private(olga))  # with the name and the reason
    await olga.submit(opened, {"capacity": "3"})
    assert say("tournament.organising.edit_capacity", count=4) in told(olga)
    assert say("tournament.organising.edit_unread") in told(olga)
    opened = await olga.press(say("button.form_again"), private(olga))
    assert {"Big Cup", "3", "A hall."} <= set(typed_in(opened))

    opened = await olga.press(say("button.organise_edit.players"), page)
    await olga.submit(opened, {"name": "Big Cup", "capacity": "32", "reason": "A hall."})
    assert text(olga.fresh(page)).startswith("✅")
    line = await event.shows("**Big Cup**: ", "64 → 32")
    assert public("tournament.field.capacity.label") in line
    assert line.endswith(public("tournament.act.because", line="", markup="A hall.").strip())
    assert len(event.said("**Big Cup**: ")) == 1
    assert await event.acts() == [Act.EDIT]
    await event.shows("## Big Cup", "32")
    assert not event.said("## Cup")

    await olga.press(say("button.organise_edit"), page)
    opened = await olga.press(say("button.organise_edit.dates"), page)
    await olga.submit(opened, {"starts": "2h", "check_in": "90 min", "reason": "Earlier."})
    assert text(olga.fresh(page)).startswith("✅")
    plan = (await event.snapshot()).tournament.plan
    assert plan.check_in == 90 * MINUTE
    await event.shows("## Big Cup", f"<t:{(plan.starts or 0) // 1000}:f>")

    await olga.press(say("button.organise_edit"), page)
    opened = await olga.choose(f"extend,{DAY}", menu=say("tournament.plan.late"), message=page)
    await olga.submit(opened, {"reason": "So."})
    assert text(olga.fresh(page)).startswith("✅")
    assert (await event.snapshot()).tournament.plan.late_rule is LateRule.EXTEND

    async def posted() -> bool:
        return len(event.said("**Big Cup**: ")) == 3

    await until(posted, "each change is posted once")
    pings = [one for one in event.organiser.pings if "→" in one["content"] and not is_ephemeral(one)]
    assert not pings
