"""The data of a page of the organisers' panel, and the shared parts of all pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import discord

from bot.core.interactions.answer import Answer
from bot.core.interactions.components import PressButton
from bot.core.interactions.press import Press
from bot.core.translations import Language
from bot.players.service import PlayerNames
from bot.tournaments.organising import words
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.results import round_names
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import StoredPairing, Tournament, TournamentSnapshot

MAIN: Final = ""
"""The first page."""
Items = list["discord.ui.Item[Any]"]


@dataclass(frozen=True, slots=True)
class PanelData:
    """The data of a page: the tournament, the newest entry of its log, and the names of its players."""

    snapshot: TournamentSnapshot
    seq: int
    names: Mapping[int, str]
    """The names, by the player's number."""
    say: Language

    @property
    def tournament(self) -> Tournament:
        return self.snapshot.tournament

    def press(self, verb: str, rest: str = "") -> Press:
        return Press(verb, self.tournament.id, self.seq, rest)

    def pair(self, stored: StoredPairing) -> str:
        return " \u2013 ".join(self.names[number] for number in stored.pairing.players)

    def place(self, stored: StoredPairing) -> str:
        """Returns ``Round 2, board 3``, and the result or that it is late."""
        pairing, plan = stored.pairing, self.tournament.plan
        name = round_names.of_pairing(plan, pairing, round_names.sizes(self.snapshot), self.say)
        place = self.say("tournament.organising.place", round=name, board=pairing.board)
        if pairing.result is not None:
            return f"{place} · {words.score(pairing.result, self.say)}"
        return f"{place} · {self.say(f'tournament.organising.state.{stored.state.value}')}"

    def back(self, row: int | None = None) -> PressButton:
        return PressButton(self.press("organise_page", MAIN), self.say("button.organise_back"), row=row)


async def panel_data(answer: Answer, tournament_id: str) -> PanelData:
    """Reads the present data. It reads the log first, so that later acts of others are noticed when the
    organiser acts.
    """
    seq = await answer.service(OrganiserService).last_seq(tournament_id)
    snapshot = await answer.service(TournamentService).snapshot(tournament_id)
    users = [player.user_id for player in snapshot.players]
    names = await answer.service(PlayerNames).names(users, answer.say)
    say = answer.say
    shown = {
        player.number: names[player.user_id] or say("tournament.organising.unnamed", number=player.number)
        for player in snapshot.players
    }
    return PanelData(snapshot, seq, shown, say)
