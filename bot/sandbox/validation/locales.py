"""Discord's languages, and texts that are given in several of them."""

from typing import Final

from bot.sandbox.validation.checker import Checker, Json, Path

LOCALES: Final = frozenset(
    [
        "ar",
        "bg",
        "cs",
        "da",
        "de",
        "el",
        "en-GB",
        "en-US",
        "es-419",
        "es-ES",
        "fi",
        "fr",
        "he",
        "hi",
        "hr",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
        "lt",
        "nl",
        "no",
        "pl",
        "pt-BR",
        "ro",
        "ru",
        "sv-SE",
        "th",
        "tr",
        "uk",
        "vi",
        "zh-CN",
        "zh-TW",
    ]
)


def check_localizations(check: Checker, of: Json, key: str, path: Path, longest: int) -> dict[str, str]:
    """Returns the texts by locale under `key`, after a check: known locales, 1 to `longest` characters."""
    if of.get(key) is None:
        return {}
    at = (*path, key)
    if (texts := check.fields(of[key], at, of[key])) is None:
        return {}
    for locale in texts:
        if locale not in LOCALES:
            check.add((*at, locale), "DICT_TYPE_INVALID_KEY", f"Discord has no locale {locale!r}.")
        check.text(texts, locale, at, 1, longest)
    return {k: v for k, v in texts.items() if isinstance(v, str)}
