"""The pictures of players and of finished matches as PNG files."""

from io import BytesIO
from typing import Final

from PIL import Image

from render.canvas.sheet import palette_of, reduced
from render.people.dice import DiceView, draw_dice
from render.people.leaderboard import draw_leaderboard
from render.people.match_card import draw_match_card
from render.people.profile import draw_profile
from render.people.views import LeaderboardView, MatchCard, ProfileView
from render.theme import THEMES, Theme
from render.view import DEFAULT_THEME

COLOURS: Final = 64


def profile(view: ProfileView) -> bytes:
    """The PNG of a profile. It takes some tens of milliseconds: call it in a thread."""
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return _png(draw_profile(theme, view), theme)


def leaderboard(view: LeaderboardView) -> bytes:
    """The PNG of a leaderboard's page. It takes some tens of milliseconds: call it in a thread."""
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return _png(draw_leaderboard(theme, view), theme)


def match_card(view: MatchCard) -> bytes:
    """The PNG of the card of a finished match. It takes some tens of milliseconds: call it in a thread."""
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return _png(draw_match_card(theme, view), theme)


def dice(view: DiceView) -> bytes:
    """The PNG of a player's dice. It takes some tens of milliseconds: call it in a thread."""
    theme = THEMES.get(view.theme, THEMES[DEFAULT_THEME])
    return _png(draw_dice(theme, view), theme)


def _png(image: Image.Image, theme: Theme) -> bytes:
    file = BytesIO()
    reduced(image, palette_of([image], theme.colours(()), COLOURS)).save(file, "PNG")
    return file.getvalue()
