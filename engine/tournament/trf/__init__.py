"""FIDE's tournament report, TRF16, and its conversion from and to this package's own values.

A line is fixed columns, counted from 1 here. A player's line, ``001``: 5-8 starting rank, 10 sex, 11-13 title, 15-47
name, 49-52 rating, 54-56 federation, 58-68 FIDE number, 70-79 birth, 81-84 points, 86-89 place; then ten columns a
round from 92 on: four of the opponent's starting rank (``0000``: nobody), a blank, the colour, a blank, the result.
Results: ``1 = 0`` played, ``W D L`` played and not rated, ``+ -`` by forfeit, ``U`` pairing bye, ``F`` full-point bye,
``H`` half-point bye, ``Z`` absent. Further lines that count: ``012`` name, ``042`` first day, ``092`` type, ``XXR`` (or
``142``) rounds, ``XXZ`` absent from the next round, ``XXC`` (or ``152``) the colour of the first in round 1.

Reading accepts lines without their trailing blanks, small letters and any end of line. Points and places are not read,
as they follow from the results. A full-point bye becomes a pairing bye, as neither the pairings nor the tie-breaks tell
them apart.
"""

from engine.tournament.trf.conversion import report_of, tournament
from engine.tournament.trf.reading import read
from engine.tournament.trf.report import BLANK, BadReport, Cell, Player, Report
from engine.tournament.trf.writing import write

__all__ = ["BLANK", "BadReport", "Cell", "Player", "Report", "read", "report_of", "tournament", "write"]
