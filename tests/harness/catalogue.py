"""The message catalogues beside the code that says them: which keys it can form, and with which parameters."""

from __future__ import annotations

import ast
import pkgutil
import re
import string
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import bot
import engine
import render
from bot.core.translations import CODES, read_catalogues
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from babel.messages.catalog import Message

ROOTS: Final = (bot, engine, render)
SPEAKERS: Final = {"say", "only_says", "text"}
RAISED: Final = {"RuleError", "BadNotation", "AmbiguousMove", "IllegalMove", "Refused", "Note"}
KEY: Final = re.compile(r"[a-z_]+(\.[a-z0-9_-]+)*")
DOTTED: Final = re.compile(r"[a-z_]+(\.[a-z0-9_-]+)+")
NAMED: Final = re.compile(r"([a-z]+)\.([a-z_]+)\.(.+)")
"""``<area>.<parameter>.<value>``: how :class:`bot.core.translations.Language` shows a parameter's value by a name."""
DEPTH: Final = 3
"""A key is put together of texts, or of texts put together, but no deeper."""


# --- the catalogues ----------------------------------------------------------------------------------------------


@cache
def messages(code: str) -> dict[str, Message]:
    """Returns every message of a language by its key."""
    found: dict[str, Message] = {}
    for stem, catalogue in read_catalogues(code).items():
        for message in catalogue:
            if message.id:
                key = message.id[0] if message.pluralizable else message.id
                assert key not in found, f"{code}/{stem}.po says {key} twice"
                found[key] = message
    return found


def placeholders(message: Message) -> set[str]:
    """Returns the parameters that its texts use."""
    texts = message.string if message.pluralizable else (message.string,)
    return {field for text in texts for _, field, _, _ in string.Formatter().parse(text) if field}


# --- the code ----------------------------------------------------------------------------------------------------


def modules() -> Iterator[tuple[str, Path]]:
    """Yields the bot's own modules, without the machine players, which answer programs."""
    for root in ROOTS:
        for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."):
            spec = module.module_finder.find_spec(module.name)  # type: ignore[call-arg]
            if spec and spec.origin and "migrations" not in module.name and "engine.ai" not in module.name:
                yield module.name, Path(spec.origin)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def trees() -> dict[str, ast.Module]:
    return {name: parsed(path) for name, path in modules()}


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """Lists all nodes of a module's tree, which is walked once."""
    return tuple(ast.walk(tree))


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Finds every call that says or raises something by a key, with the module where it stands."""
    for name, tree in trees().items():
        for node in nodes(tree):
            if isinstance(node, ast.Call) and node.args:
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in SPEAKERS | RAISED:
                    yield name, node


def keys_of(call: ast.Call) -> Iterator[str]:
    """Yields the literal keys of such a call; both where it chooses between two."""
    left = [call.args[0]]
    while left:
        key = left.pop()
        if isinstance(key, ast.IfExp):
            left += [key.body, key.orelse]
        elif isinstance(key, ast.Constant) and isinstance(key.value, str) and KEY.fullmatch(key.value):
            yield key.value


def said_keys() -> dict[str, str]:
    """Returns every literal key that the code says, or raises, with where."""
    return {key: name for name, call in calls() for key in keys_of(call)}


@cache
def keys_in(*packages: str) -> frozenset[str]:
    """Returns the message keys in the code of these packages or modules, without lessons, which only name them."""
    own = [parsed(path) for name, path in modules() if not name.endswith(".lessons") and _within(name, packages)]
    return frozenset[str]().union(*map(spoken_texts, own)) & messages(CODES[0]).keys()


def unknown_texts() -> dict[str, str]:
    """Finds every text that looks like a key of the catalogue but is none, nor a part of one, with where."""
    known = messages(CODES[0])
    areas = {key.partition(".")[0] for key in known}
    parts = {part for key in known for part in _parts(key)}
    return {
        text: name
        for name, tree in trees().items()
        for text in spoken_texts(tree)
        if DOTTED.fullmatch(text) and text.partition(".")[0] in areas and text not in parts
    }


def _parts(key: str) -> Iterator[str]:
    """Yields the key and its beginnings and ends, up to a dot or an underscore."""
    for at, sign in enumerate(key):
        if sign in "._":
            yield key[:at]
            yield key[at + 1 :]
    yield key


def _within(name: str, packages: Iterable[str]) -> bool:
    return any(f"{name}.".startswith(f"{package}.") for package in packages)


def given(call: ast.Call) -> set[str] | None:
    """Returns the parameters of such a call; None where they are not written out there."""
    names = {keyword.arg for keyword in call.keywords}
    for argument in call.args[1:]:
        if not isinstance(argument, ast.Dict) or not all(isinstance(key, ast.Constant) for key in argument.keys):
            return None
        names |= {key.value for key in argument.keys if isinstance(key, ast.Constant)}
    return None if None in names else {str(name) for name in names}


@cache
def parameter_names(tree: ast.Module) -> frozenset[str]:
    """Returns the names that a module writes as parameters or as keys of parameters (``**params``)."""
    found = {node.arg or "" for node in nodes(tree) if isinstance(node, ast.keyword)}
    for node in nodes(tree):
        names: list[ast.expr | None] = []
        if isinstance(node, ast.Dict):
            names = node.keys
        elif isinstance(node, ast.Subscript):
            names = [node.slice]
        elif isinstance(node, ast.Tuple | ast.Set):
            names = list(node.elts)
        found |= {one.value for one in names if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    return frozenset(found)


@cache
def said_with_parameters() -> frozenset[str]:
    """Returns the literal keys of calls that write out what they give."""
    return frozenset(key for _, call in calls() if given(call) is not None for key in keys_of(call))


def ungiven(key: str, more: Iterable[str] = ()) -> set[str]:
    """Returns the parameters of a message that no module which says its key names, nor one of ``more``."""
    message = messages(CODES[0])[key]
    needed = placeholders(message) | ({"n"} if message.pluralizable else set())
    if not needed:
        return needed
    saying = (tree for tree in trees().values() if key in spoken_texts(tree) or _is_formed_in(tree, key))
    return needed.difference(*map(parameter_names, saying), *(parameter_names(trees()[name]) for name in more))


def _is_formed_in(tree: ast.Module, key: str) -> bool:
    return any(_fits(each, key, DEPTH - 1) for each in formatted_patterns(tree))


def _documentation(tree: ast.Module) -> Iterator[ast.expr]:
    """Texts that stand alone: docstrings, and what is said of a value below it."""
    return (node.value for node in nodes(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))


JOINED: Final = "(.+_.+|.+)"
"""A variable of an f-string that joins texts by underscores."""


def pattern(formatted: ast.JoinedStr) -> str:
    """Returns a regular expression for the texts of an f-string, with a group for each of its variables."""
    parts = (
        re.escape(str(part.value)) if isinstance(part, ast.Constant) else _group(part) for part in formatted.values
    )
    return "".join(parts).removeprefix("@")


def _group(variable: ast.expr) -> str:
    called = (node.func for node in ast.walk(variable) if isinstance(node, ast.Call))
    joins = (func.value for func in called if isinstance(func, ast.Attribute) and func.attr == "join")
    return JOINED if any(isinstance(by, ast.Constant) and by.value == "_" for by in joins) else "(.+)"


def declarations(tree: ast.Module) -> Iterator[tuple[ast.expr, frozenset[str]]]:
    """Yields the key of each command that a module declares by ``slash``, with the keys of its options."""
    for node in nodes(tree):
        for made in node.decorator_list if isinstance(node, ast.AsyncFunctionDef) else ():
            if isinstance(made, ast.Call) and getattr(made.func, "id", "") == "slash":
                given = {one.arg: ast.literal_eval(one.value) for one in made.keywords if one.arg in {"names", "about"}}
                names, about = given.get("names", {}), given.get("about", {})
                named = {argument.arg: names.get(argument.arg, argument.arg) for argument in node.args.args[1:]}
                texts = (f"option.{about.get(argument, key)}.about" for argument, key in named.items())
                yield made.args[1], frozenset([*texts, *(f"option.{key}" for key in named.values())])


def declared_texts(tree: ast.Module) -> Iterator[str]:
    """Yields the keys of the texts of these commands, if the command's own key is written out."""
    for key, options in declarations(tree):
        yield from options
        if isinstance(key, ast.Constant):
            yield from (f"command.{key.value}", f"command.{key.value}.about")


def declared_patterns(tree: ast.Module) -> Iterator[str]:
    """Yields patterns for the keys of commands that are f-strings, as ``pattern``."""
    for key, _ in declarations(tree):
        if isinstance(key, ast.JoinedStr):
            yield from (rf"command\.{pattern(key)}", rf"command\.{pattern(key)}\.about")


@cache
def spoken_texts(tree: ast.Module) -> frozenset[str]:
    """Returns the texts in a module without documentation and parts of f-strings, and those of its commands."""
    formatted = (node for node in nodes(tree) if isinstance(node, ast.JoinedStr))
    aside = {id(node) for node in _documentation(tree)} | {id(part) for node in formatted for part in node.values}
    return frozenset(declared_texts(tree)).union(
        node.value.removeprefix("@")
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in aside
    )


@cache
def texts() -> frozenset[str]:
    """Returns every such text in the code, and the keys of the games."""
    return frozenset(GAMES).union(*map(spoken_texts, trees().values()))


@cache
def letters() -> frozenset[str]:
    """Returns every sign in a short text, such as the letters of Abak's stones."""
    return frozenset(sign for text in texts() if text.isalpha() for sign in text)


@cache
def formatted_patterns(tree: ast.Module) -> frozenset[re.Pattern[str]]:
    """Returns the patterns of a module's f-strings that say more than a dot between two variables."""
    found = {pattern(node) for node in nodes(tree) if isinstance(node, ast.JoinedStr)} | {*declared_patterns(tree)}
    told = {each for each in found if re.search(r"[a-z]", each) and re.search(r"\\\.|:|_", each)}
    # compiled here: they are more than ``re`` remembers
    return frozenset(map(re.compile, told | {each.replace("(.+)", "(.+?)") for each in told}))


@cache
def patterns() -> frozenset[re.Pattern[str]]:
    """Returns the patterns of the whole code."""
    return frozenset().union(*map(formatted_patterns, trees().values()))


@cache
def formed(text: str, depth: int = DEPTH) -> bool:
    """Returns whether the code can form this text: it is written there, or an f-string forms it from such texts."""
    if text in texts() or text in letters():
        return True
    return depth > 0 and any(_fits(each, text, depth - 1) for each in patterns())


def _fits(each: re.Pattern[str], text: str, depth: int) -> bool:
    found = each.fullmatch(text)
    return bool(found) and all(
        formed(part, depth) or (JOINED in each.pattern and joined(part)) for part in (found.groups() if found else ())
    )


def joined(text: str) -> bool:
    """Returns whether the text consists of texts of the code, joined by underscores."""
    places = (at for at, sign in enumerate(text) if sign == "_")
    return text in texts() or any(text[:at] in texts() and joined(text[at + 1 :]) for at in places)


def can_be_said(key: str) -> bool:
    """Returns whether some place in the code can ask for a message by this key."""
    named = NAMED.fullmatch(key)
    if formed(key) or named is None:
        return formed(key)
    area, parameter, value = named.groups()
    used = (other for other, message in messages(CODES[0]).items() if parameter in placeholders(message))
    return any(other.startswith(f"{area}.") for other in used) and formed(value)


# --- the files ---------------------------------------------------------------------------------------------------


TOURNAMENT_PARTS: Final = ("registration", "reopening", "rounds", "results", "organising", "series")
PACKAGES: Final = {
    "engine": ("engine.core", "engine.match", "engine.rating", "engine.exchange", "engine.registry"),
    "kits": ("engine.kits",),
    "cube": ("engine.kits.cube",),
    "render": ("render",),
    "tournaments": ("bot.tournaments", "engine.tournament"),
    **{f"tournaments_{part}": (f"bot.tournaments.{part}", "engine.tournament") for part in TOURNAMENT_PARTS},
}
"""The code whose messages lie in a file of that name; every other file is named after a room of the bot."""


@cache
def files(code: str) -> dict[str, tuple[str, ...]]:
    """Returns the keys in each file of a language, by the file's stem."""
    return {
        stem: tuple(message.id[0] if message.pluralizable else message.id for message in catalogue if message.id)
        for stem, catalogue in read_catalogues(code).items()
    }


@cache
def voices(stem: str) -> tuple[frozenset[str], frozenset[re.Pattern[str]]]:
    """Returns the texts and the patterns in the code of one file."""
    inside = tuple(PACKAGES.get(stem, (f"bot.{stem}",)))
    own = [tree for name, tree in trees().items() if _within(name, inside)]
    return (
        frozenset().union(*map(spoken_texts, own)),
        frozenset().union(*map(formatted_patterns, own)),
    )


def is_said_in(stem: str, key: str) -> bool:
    """Returns whether the code of that file says this key, or says a message with a parameter that the key names."""
    own, formats = voices(stem)
    if key in own or any(_fits(each, key, DEPTH - 1) for each in formats):
        return True
    named = NAMED.fullmatch(key)
    used = (other for other in own if other in messages(CODES[0]))
    return bool(named) and any(
        other.startswith(f"{named[1]}.") and named[2] in placeholders(messages(CODES[0])[other]) for other in used
    )
