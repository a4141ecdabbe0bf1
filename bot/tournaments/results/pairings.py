"""The message with the pairings of a round."""

from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton, PressMenu, view_of
from bot.core.interactions.press import Press, read_number
from bot.core.interactions.routing import Handlers
from bot.core.texts.quoting import with_own_numbers
from bot.tournaments.results import round_names
from bot.tournaments.results.pages import pairings
from bot.tournaments.results.service import ResultService
from bot.tournaments.results.words import CONTENT, escaped, fitting, names_of
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Tournament, TournamentSnapshot
from engine.core.errors import Refused

handlers: Final = Handlers()

OPTIONS: Final = 25
LABEL: Final = 100


async def open_round(answer: Answer, tournament: Tournament, number: int | None) -> None:
    """Shows a round; the present one if none is named. Raises Refused if the round is not paired yet."""
    snapshot = await answer.service(TournamentService).snapshot(tournament.id)
    await show(answer, snapshot, number, 0, fresh=True)


async def show(answer: Answer, snapshot: TournamentSnapshot, number: int | None, page: int, *, fresh: bool) -> None:
    """Shows a page of a round, from 0."""
    say, there = answer.say, pairings.rounds_of(snapshot)
    if not there:
        raise Refused("tournament.results.no_pairings")
    if number is None:
        number = pairings.present_round(snapshot)
        number = number if number in there else there[-1]
    if number not in there:
        raise Refused("tournament.results.no_round", round=number, last=there[-1])
    found = pairings.of_round(snapshot, number)
    reader = snapshot.of_user(answer.user_id)
    table = pairings.own_table(snapshot, found, reader.number if reader else None)
    own = None if table else pairings.own_pairing(found, reader.number if reader else None)
    rest = pairings.others(found, table or ([own] if own else []))
    page = min(page, pairings.pages_of(rest) - 1)
    shown = rest[page * pairings.PER_PAGE : (page + 1) * pairings.PER_PAGE]
    wanted = {one for stored in (*shown, *table, *([own] if own else [])) for one in stored.pairing.players}
    names = escaped(await names_of(answer.context.services, snapshot, say, wanted))
    head = [pairings.head(snapshot, number, say)]
    if own is not None and reader is not None:
        head += ["", *pairings.own_lines(snapshot, own, reader.number, names, answer.now, say)]
    if reader is not None and not table and (own is None or (number == 0 and own.result is not None)):
        head += pairings.without_game(snapshot, number, reader, say)
    head += ["", f"**{say('tournament.results.own.table')}**"] if table else []
    variants = [
        with_own_numbers(
            [
                *head,
                *mine,
                *([""] if len(head) > 1 else []),
                *pairings.listed(snapshot, shown, names, say, linked=linked),
            ]
        )
        for mine_linked, linked in ((True, True), (True, False), (False, False))
        for mine in [pairings.listed(snapshot, table, names, say, linked=mine_linked)]
    ]
    view = view_of(*_items(answer, snapshot, number, page, pairings.pages_of(rest)))
    await answer.show(fitting(variants, CONTENT), view=view, fresh=fresh)


def _items(
    answer: Answer, snapshot: TournamentSnapshot, number: int, page: int, pages: int
) -> list[discord.ui.Item[Any]]:
    say, there = answer.say, pairings.rounds_of(snapshot)
    items: list[discord.ui.Item[Any]] = []

    def press(page: int, name: str) -> Press:
        return Press("results_pairings", snapshot.tournament.id, page, f"{number}|{name}")

    if len(there) > 1:
        near = sorted(sorted(there, key=lambda one: abs(one - number))[:OPTIONS])
        options = [
            discord.SelectOption(
                label=round_names.of_round(snapshot, one, say)[:LABEL], value=str(one), default=one == number
            )
            for one in near
        ]
        items.append(PressMenu(press(0, "round"), say("tournament.results.menu.round"), options, row=0))
    if pages > 1:
        items.append(PressButton(press(max(0, page - 1), "back"), say("button.back"), disabled=not page, row=1))
        last = page + 1 == pages
        items.append(PressButton(press(page + 1, "forward"), say("button.forward"), disabled=last, row=1))
    items.append(PressButton(press(page, "again"), say("tournament.results.button.refresh"), row=1))
    return items


@handlers.on("results_pairings")
async def turn(answer: Answer, press: Press) -> None:
    guild_id = answer.interaction.guild_id
    snapshot = await answer.service(ResultService).visible(press.subject, guild_id, answer.user_id)
    number = read_number(press.value_or_none or press.rest.partition("|")[0])
    await show(answer, snapshot, number, 0 if press.values else press.seq, fresh=False)
