"""Every rule of "Invalid Form Body", broken once, and the bodies just inside it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sandbox.errors import InvalidFormError
from bot.sandbox.validation import validator
from bot.sandbox.validation.commands import characters, check_commands
from bot.sandbox.validation.emoji import is_emoji
from bot.sandbox.validation.messages import COMPONENTS_V2, EPHEMERAL, UPLOAD_LIMIT, MessageContext, check_message
from bot.sandbox.validation.modals import check_choices, check_modal

Json = dict[str, Any]


def button(custom_id: str = "a", **more: object) -> Json:
    return {"type": 2, "style": 1, "label": "Go", "custom_id": custom_id, **more}


def row(*items: Json) -> Json:
    return {"type": 1, "components": list(items)}


def menu(**more: object) -> Json:
    return {"type": 3, "custom_id": "m", "options": [option("a"), option("b")], **more}


def option(value: str, **more: object) -> Json:
    return {"label": value or "?", "value": value, **more}


def rows(*items: Json) -> Json:
    return {"components": [row(*items)]}


def v2(*items: Json) -> Json:
    return {"flags": COMPONENTS_V2, "components": list(items)}


def words(content: str = "x") -> Json:
    return {"type": 10, "content": content}


def embed(**more: object) -> Json:
    return {"embeds": [more]}


def picture(url: str, **more: object) -> Json:
    return {"type": 12, "items": [{"media": {"url": url}, **more}]}


FILE: Json = {"id": 0, "filename": "a.png"}

GOOD_MESSAGES: list[Json] = [
    {"content": "x" * 2000},
    {"components": [row(*(button(f"{r}{n}") for n in range(5))) for r in range(5)]},
    rows(button("x" * 100, label="y" * 80)),
    rows(
        menu(options=[option(str(n), description="d" * 100) for n in range(25)], max_values=25, placeholder="p" * 150)
    ),
    rows({"type": 2, "style": 5, "label": "Rules", "url": "https://example.org/rules"}),
    rows({"type": 5, "custom_id": "who"}),
    rows(button(label=None, emoji={"name": "\N{GAME DIE}", "id": None})),
    rows(button(emoji={"name": "anything", "id": "123"})),
    {"attachments": [FILE | {"description": "d" * 1024}]},
    embed(title="t" * 256, description="d" * 4096, footer={"text": "f"}),
    embed(image={"url": "attachment://a.png"}) | {"attachments": [FILE]},
    v2(words("x" * 4000)),
    v2({"type": 17, "components": [words(), {"type": 14, "spacing": 2}, row(button())], "accent_color": 0}),
    v2({"type": 9, "components": [words()], "accessory": button()}),
    v2(picture("attachment://a.png", description="d" * 1024)) | {"attachments": [FILE]},
    v2({"type": 13, "file": {"url": "attachment://a.png"}}) | {"attachments": [FILE]},
    v2(*(words() for _ in range(40))),
    {"content": "x", "allowed_mentions": {"parse": [], "users": ["1", "2"], "replied_user": False}},
    {"content": "x", "nonce": "n" * 25, "enforce_nonce": True},
]

BAD_MESSAGES: list[tuple[Json, str]] = [
    ({"content": "x" * 2001}, "content"),
    ({"content": 1}, "content"),
    ({"text": "x"}, "text"),
    ({"content": "x", "flags": EPHEMERAL}, "flags"),
    ({"content": "x", "nonce": "n" * 26}, "nonce"),
    ({"components": [row(button(str(n))) for n in range(6)]}, "components"),
    (rows(*(button(str(n)) for n in range(6))), "components.0.components"),
    ({"components": [row()]}, "components.0.components"),
    ({"components": [button()]}, "components.0.type"),
    (rows({"type": 99}), "components.0.components.0.type"),
    (rows(button("a"), button("a")), "components.0.components.1.custom_id"),
    ({"components": [row(button("m")), row(menu())]}, "components.1.components.0.custom_id"),
    (rows(button("")), "components.0.components.0.custom_id"),
    (rows(button("x" * 101)), "components.0.components.0.custom_id"),
    (rows(button(label="x" * 81)), "components.0.components.0.label"),
    (rows(button(label="")), "components.0.components.0"),
    (rows(button(style=7)), "components.0.components.0.style"),
    (rows(button(style=None)), "components.0.components.0.style"),
    (rows(button(style=5)), "components.0.components.0.custom_id"),
    (rows({"type": 2, "style": 5, "label": "x", "url": "ftp://x"}), "components.0.components.0.url"),
    (rows(button(url="https://x")), "components.0.components.0.url"),
    (rows(button(lable="x")), "components.0.components.0.lable"),
    (rows(button(emoji={"name": "\N{RIGHTWARDS ARROW}"})), "components.0.components.0.emoji.name"),
    (rows(button(emoji={"name": "dice"})), "components.0.components.0.emoji.name"),
    (rows(menu(), button()), "components.0.components"),
    (rows(menu(options=[])), "components.0.components.0.options"),
    (rows(menu(options=[option(str(n)) for n in range(26)])), "components.0.components.0.options"),
    (rows(menu(options=[option("a"), option("a")])), "components.0.components.0.options.1.value"),
    (rows(menu(options=[option("x" * 101)])), "components.0.components.0.options.0.value"),
    (rows(menu(options=[option("")])), "components.0.components.0.options.0.value"),
    (rows(menu(options=[{"label": "", "value": "a"}])), "components.0.components.0.options.0.label"),
    (rows(menu(options=[option("a", description="d" * 101)])), "components.0.components.0.options.0.description"),
    (rows(menu(options=[option("a", emoji={"name": "x"})])), "components.0.components.0.options.0.emoji.name"),
    (rows(menu(max_values=3)), "components.0.components.0.max_values"),
    (rows(menu(min_values=2)), "components.0.components.0.min_values"),
    (rows(menu(options=[option(x, default=True) for x in "ab"])), "components.0.components.0.options"),
    (rows(menu(placeholder="p" * 151)), "components.0.components.0.placeholder"),
    ({"attachments": [FILE | {"description": "d" * 1025}]}, "attachments.0.description"),
    ({"attachments": [{"filename": "a.png"}]}, "attachments.0.id"),
    ({"attachments": [FILE | {"id": n, "filename": f"{n}"} for n in range(11)]}, "attachments"),
    (embed(title="t" * 257), "embeds.0.title"),
    (embed(), "embeds.0.description"),
    (embed(fields=[{"name": "", "value": "x"}]), "embeds.0.fields.0.name"),
    (embed(fields=[{"name": "x"}]), "embeds.0.fields.0.value"),
    (embed(title="t", fields=[{"name": "n", "value": "v"}] * 26), "embeds.0.fields"),
    ({"embeds": [{"description": "d" * 3001}] * 2}, "embeds"),
    ({"embeds": [{"title": "t"}] * 11}, "embeds"),
    (embed(image={"url": "attachment://b.png"}) | {"attachments": [FILE]}, "embeds.0.image.url"),
    (embed(image={"url": "file:///x"}), "embeds.0.image.url"),
    (embed(title="t", colour=1), "embeds.0.colour"),
    ({"components": [words()]}, "components.0.type"),
    (v2(words()) | {"content": "x"}, "content"),
    (v2(words()) | {"embeds": [{"title": "t"}]}, "embeds"),
    (v2(*(words() for _ in range(41))), "components"),
    (v2({"type": 17, "components": [words() for _ in range(40)]}), "components"),
    (v2(words("x" * 2001), words("x" * 2000)), "components"),
    (v2(words("")), "components.0.content"),
    (v2(button()), "components.0.type"),
    (v2({"type": 17, "components": [{"type": 17, "components": [words()]}]}), "components.0.components.0.type"),
    (v2({"type": 17, "components": []}), "components.0.components"),
    (v2({"type": 9, "components": [words()]}), "components.0.accessory.type"),
    (v2({"type": 9, "components": [words()], "accessory": words()}), "components.0.accessory.type"),
    (v2({"type": 14, "spacing": 3}), "components.0.spacing"),
    (v2({"type": 12, "items": []}), "components.0.items"),
    (v2(picture("attachment://a.png")), "components.0.items.0.media.url"),
    (v2(picture("attachment://b.png")) | {"attachments": [FILE]}, "components.0.items.0.media.url"),
    (v2(picture("https://x", description="")), "components.0.items.0.description"),
    (v2({"type": 13, "file": {"url": "https://x"}}), "components.0.file.url"),
    (v2(words() | {"id": 7}, words() | {"id": 7}), "components.1.id"),
    ({"allowed_mentions": {"parse": ["users"], "users": ["1"]}}, "allowed_mentions"),
    ({"allowed_mentions": {"parse": ["all"]}}, "allowed_mentions.parse.0"),
    ({"allowed_mentions": {"users": [str(n) for n in range(101)]}}, "allowed_mentions.users"),
    ({"allowed_mentions": {"users": ["1", "1"]}}, "allowed_mentions.users.1"),
]


def paths(problems: list[Any]) -> list[str]:
    """Returns the places of the problems. Each has a code in capitals and a sentence."""
    assert all(p.code.isupper() and not p.message.isupper() for p in problems)
    return [".".join(map(str, p.path)) for p in problems]


@pytest.mark.parametrize("body", GOOD_MESSAGES)
def test_a_message_inside_the_limits(body: Json) -> None:
    assert check_message(body) == []
    assert validator.check_message(body) == []


@pytest.mark.parametrize(("body", "where"), BAD_MESSAGES)
def test_a_message_outside_the_limits(body: Json, where: str) -> None:
    assert where in paths(check_message(body))


def test_a_message_that_is_edited() -> None:
    kept = MessageContext("edit", v2=False, kept={5: "a.png"}, uploads={0: ("b.png", 10)})
    both = [{"id": "5"}, {"id": 0, "filename": "b.png"}]
    shows = embed(image={"url": "attachment://a.png"}, thumbnail={"url": "attachment://b.png"})
    assert check_message(shows | {"attachments": both}, kept) == []
    assert check_message(shows, kept) == []
    assert paths(check_message(shows | {"attachments": both[1:]}, kept)) == ["embeds.0.image.url"]
    assert paths(check_message({"attachments": [{"id": 6}]}, kept)) == ["attachments.0.id"]
    assert paths(check_message({"content": "x"}, MessageContext("edit", v2=True))) == ["content"]
    assert paths(check_message({"nonce": "x"}, kept)) == ["nonce"]


def test_files_that_are_too_many_or_too_big() -> None:
    big = MessageContext(uploads={0: ("a.png", UPLOAD_LIMIT), 1: ("b.png", UPLOAD_LIMIT + 1)})
    assert paths(check_message({}, big)) == ["files.1"]
    many = MessageContext("edit", kept={n + 100: f"{n}" for n in range(9)}, uploads={0: ("x", 1), 1: ("y", 1)})
    assert paths(check_message({}, many)) == ["attachments"]


@pytest.mark.parametrize(
    "text", ["\N{GAME DIE}", "\u25c0\ufe0f", "\u25c0", "1\ufe0f\u20e3", "\U0001f1ea\U0001f1f8", "\u2b50"]
)
def test_emoji(text: str) -> None:
    assert is_emoji(text)


@pytest.mark.parametrize("text", ["", "a", "1", "\u25cf", "\u2192", "\u2605", "\u2b50x", ":die:"])
def test_no_emoji(text: str) -> None:
    assert not is_emoji(text)


# commands


def command(**more: object) -> Json:
    return {"name": "play", "description": "Play", "type": 1, **more}


def choice(name: str = "c", **more: object) -> Json:
    return {"type": 3, "name": name, "description": "d", **more}


def sub(name: str, *options: Json, kind: int = 1) -> Json:
    return {"type": kind, "name": name, "description": "d", "options": list(options)}


GOOD_COMMANDS: list[list[Json]] = [
    [command(name=f"c{n}") for n in range(100)],
    [command(), {"name": "Play With", "type": 2}, {"name": "play", "type": 3}],
    [command(options=[choice("a", required=True), choice("b"), choice("c", autocomplete=True)])],
    [command(options=[sub("one"), sub("many", sub("two", choice()), kind=2)])],
    [command(options=[choice(choices=[{"name": str(n), "value": str(n)} for n in range(25)])])],
    [command(options=[choice() | {"type": 4, "min_value": 1, "max_value": 1}])],
    [command(name_localizations={"es-ES": "jugar", "es-419": "jugar"}, contexts=[0, 1, 2], integration_types=[0, 1])],
    [command(name="ñandú", name_localizations={"ja": "遊ぶ", "th": "เล่น"})],
]

BAD_COMMANDS: list[tuple[list[Json], str]] = [
    ([command(name=f"c{n}") for n in range(101)], ""),
    ([command(), command()], "1.name"),
    ([command(name="Play")], "0.name"),
    ([command(name="play now")], "0.name"),
    ([command(name="x" * 33)], "0.name"),
    ([command(name="")], "0.name"),
    ([command(description="")], "0.description"),
    ([command(description="d" * 101)], "0.description"),
    ([{"name": "play"}], "0.description"),
    ([command(descripton="d")], "0.descripton"),
    ([command(name_localizations={"es": "jugar"})], "0.name_localizations.es"),
    ([command(name_localizations={"es-ES": "Jugar"})], "0.name_localizations.es-ES"),
    ([command(description_localizations={"es-ES": ""})], "0.description_localizations.es-ES"),
    ([command(options=[choice(str(n)) for n in range(26)])], "0.options"),
    ([command(options=[choice("a"), choice("b", required=True)])], "0.options.1"),
    ([command(options=[choice("a"), choice("a")])], "0.options.1.name"),
    (
        [command(options=[choice("a", name_localizations={"es-ES": "x"}), choice("x")])],
        "0.options.1.name",
    ),
    ([command(options=[choice("a"), sub("b")])], "0.options"),
    ([command(options=[sub("a", sub("b"))])], "0.options.0.options.0.type"),
    ([command(options=[sub("a", sub("b", sub("c", kind=2), kind=2), kind=2)])], "0.options.0.options.0.type"),
    ([command(options=[sub("a", choice(), kind=2)])], "0.options.0.options.0.type"),
    ([command(options=[choice(type=12)])], "0.options.0.type"),
    (
        [command(options=[choice(choices=[{"name": str(n), "value": str(n)} for n in range(26)])])],
        "0.options.0.choices",
    ),
    ([command(options=[choice(choices=[{"name": "x", "value": v} for v in "ab"])])], "0.options.0.choices.1.name"),
    ([command(options=[choice(choices=[{"name": "x", "value": 1}])])], "0.options.0.choices.0.value"),
    ([command(options=[choice(type=4, choices=[{"name": "x", "value": "1"}])])], "0.options.0.choices.0.value"),
    ([command(options=[choice(choices=[{"name": "x" * 101, "value": "1"}])])], "0.options.0.choices.0.name"),
    ([command(options=[choice(autocomplete=True, choices=[{"name": "x", "value": "1"}])])], "0.options.0.autocomplete"),
    ([command(options=[choice(type=6, autocomplete=True)])], "0.options.0.autocomplete"),
    ([command(options=[choice(type=5, choices=[{"name": "x", "value": "1"}])])], "0.options.0.choices"),
    ([command(options=[choice(min_value=1)])], "0.options.0"),
    ([command(options=[choice(type=4, min_value=2, max_value=1)])], "0.options.0.min_value"),
    ([command(options=[choice(min_length=2, max_length=1)])], "0.options.0.min_length"),
    ([{"name": "Look", "type": 2, "description": "d"}], "0.description"),
    ([{"name": "Look", "type": 2, "options": [choice()]}], "0.options"),
    ([command(type=4)], "0.type"),
    ([command(contexts=[3])], "0.contexts.0"),
    ([command(contexts=[])], "0.contexts"),
    ([command(integration_types=[0, 0])], "0.integration_types.1"),
    (
        [
            command(
                options=[sub(f"s{s}", *(choice(f"o{n}", description="d" * 100) for n in range(20))) for s in range(4)]
            )
        ],
        "0",
    ),
]


@pytest.mark.parametrize("body", GOOD_COMMANDS)
def test_commands_inside_the_limits(body: list[Json]) -> None:
    assert check_commands(body) == []
    strict = validator.Validator(strict=True)
    assert strict.request("PUT", "/applications/{application_id}/commands", {}, body) == []


@pytest.mark.parametrize(("body", "where"), BAD_COMMANDS)
def test_commands_outside_the_limits(body: list[Json], where: str) -> None:
    assert where in paths(check_commands(body))


def test_characters_count_the_longest_translation_and_the_values() -> None:
    options = [choice("abc", choices=[{"name": "12", "name_localizations": {"de": "12345"}, "value": "1234567"}])]
    body = command(name="ab", description="abc", description_localizations={"de": "abcdef"}, options=options)
    assert characters(body) == 2 + 6 + (3 + 1) + (5 + 7)


# modals and choices


def modal(*components: Json, **more: object) -> Json:
    return {"custom_id": "m", "title": "t", "components": list(components), **more}


def field(**more: object) -> Json:
    return {"type": 4, "custom_id": "f", "style": 1, **more}


def label(component: Json, **more: object) -> Json:
    return {"type": 18, "label": "l", "component": component, **more}


@pytest.mark.parametrize(
    "body",
    [
        modal(row(field(label="Name", value="x", min_length=1, max_length=1))),
        modal(label(field(required=False)), words(), label(menu(custom_id="g", required=True))),
        modal(label(field(min_length=3))),
    ],
)
def test_a_modal_inside_the_limits(body: Json) -> None:
    assert check_modal(body) == []


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (modal(), "components"),
        (modal(*(label(field(custom_id=str(n))) for n in range(6))), "components"),
        (modal(label(field()), title="t" * 46), "title"),
        (modal(label(field()), custom_id=""), "custom_id"),
        (modal(label(field()), label(field())), "components.1.component.custom_id"),
        (modal(row(field())), "components.0.components.0.label"),
        (modal(row(field(label="l" * 46))), "components.0.components.0.label"),
        (modal(row(button())), "components.0.components.0.type"),
        (modal(button()), "components.0.type"),
        (modal(label(field(label="l"))), "components.0.component.label"),
        (modal(label(field(), label="l" * 46)), "components.0.label"),
        (modal(label(button())), "components.0.component.type"),
        (modal(label(field(style=3))), "components.0.component.style"),
        (modal(label(field(max_length=4001))), "components.0.component.max_length"),
        (modal(label(field(min_length=3, max_length=2))), "components.0.component.min_length"),
        (modal(label(field(value="xx", max_length=1))), "components.0.component.value"),
        (modal(label(field(placeholder="p" * 101))), "components.0.component.placeholder"),
        (modal(label(menu(disabled=True))), "components.0.component.disabled"),
        (modal(label(menu(options=[]))), "components.0.component.options"),
    ],
)
def test_a_modal_outside_the_limits(body: Json, where: str) -> None:
    assert where in paths(check_modal(body))


@pytest.mark.parametrize(
    ("choices", "kind", "where"),
    [
        ([{"name": str(n), "value": str(n)} for n in range(26)], 3, "choices"),
        ([{"name": "", "value": "x"}], 3, "choices.0.name"),
        ([{"name": "x" * 101, "value": "x"}], 3, "choices.0.name"),
        ([{"name": "x", "value": "x" * 101}], 3, "choices.0.value"),
        ([{"name": "x", "value": 1}], 3, "choices.0.value"),
        ([{"name": "x", "value": "1"}], 4, "choices.0.value"),
        ([{"name": "x", "value": 1.5}], 4, "choices.0.value"),
        ([{"name": "x", "value": 1 << 54}], 4, "choices.0.value"),
        ([{"name": "x", "value": "1", "name_localizations": {"xx": "y"}}], 3, "choices.0.name_localizations.xx"),
    ],
)
def test_choices_outside_the_limits(choices: list[Json], kind: int, where: str) -> None:
    assert where in paths(check_choices({"choices": choices}, kind))


def test_choices_inside_the_limits() -> None:
    assert check_choices({"choices": [{"name": "x" * 100, "value": "x" * 100}] * 25}) == []
    assert check_choices({"choices": [{"name": "x", "value": 1.5}]}, 10) == []


def test_the_errors_come_as_a_tree() -> None:
    error = InvalidFormError(check_message(rows(button(label="x" * 81))))
    tree = error.body()["errors"]["components"]["0"]["components"]["0"]["label"]["_errors"]
    assert tree == [{"code": "BASE_TYPE_BAD_LENGTH", "message": "Must be 80 or fewer in length. It is 81."}]
    assert error.body()["message"] == "Invalid Form Body"
