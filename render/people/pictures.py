"""The pictures of players and of finished matches as PNG files.

Each takes some tens of milliseconds: call it in a thread.
"""

from render.canvas.sheet import png
from render.people.dice import DiceView, draw_dice
from render.people.leaderboard import draw_leaderboard
from render.people.match_card import draw_match_card
from render.people.profile import draw_profile
from render.people.views import LeaderboardView, MatchCard, ProfileView
from render.theme import THEMES
from render.view import DEFAULT_THEME


def profile(view: ProfileView) -> bytes:
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return png(draw_profile(theme, view), theme.colours(()))


def leaderboard(view: LeaderboardView) -> bytes:
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return png(draw_leaderboard(theme, view), theme.colours(()))


def match_card(view: MatchCard) -> bytes:
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return png(draw_match_card(theme, view), theme.colours(()))


def dice(view: DiceView) -> bytes:
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return png(draw_dice(theme, view), theme.colours(()))
