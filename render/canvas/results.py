"""The colours of results."""

from render.theme import Theme


def tones(theme: Theme) -> tuple[str, str, str]:
    """The colours of won, drawn and lost. They differ in lightness, so that they are told apart without colour."""
    return theme.white.face, theme.even if theme.even != theme.white.face else theme.field, theme.black.face
