"""The documentation: its links lead somewhere, its commands exist."""

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from discord import Permissions

from bot.__main__ import main
from bot.board.delivery.errors import needed
from bot.clocks.heartbeats.service import GAP_MS
from bot.clocks.typed import readings
from bot.clocks.vacations.service import BUDGET_DAYS, LONGEST_DAYS, SHORTEST
from bot.command_line.database import db
from bot.command_line.settings import BAD_SETTINGS
from bot.core.client import GRACE
from bot.core.translations import language
from bot.notifications.quiet_hours import MIN_TURN_TIME, SHARE_PERCENT
from bot.players.preferences import DEFAULTS, SERVER
from bot.settings import Settings
from engine.core.clock import LAG, MOST, SECOND
from engine.core.hours import DAY, HOUR, LONGEST_REST
from engine.core.timekeeping import ABANDONED, ABORT_TURNS
from engine.registry import GAMES

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for room in ("docs", "deploy", "tests") for page in (ROOT / room).rglob("*.md"))]
)
LINK = re.compile(r"(?:!?\[[^\]]*\]\(|<img src=\")([^)\s\"]+)[)\"]")


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        linked = (page.parent / path) if path else page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked), target


@pytest.mark.parametrize(
    "page",
    [ROOT / name for name in ("CONTRIBUTING.md", "docs/figures.md")],
    ids=lambda page: page.name,
)
def test_files_that_are_named_exist(page: Path) -> None:
    """From the root, or from the bot's own folder; commands with what follows the file."""
    inner = re.findall(r"`(?:python )?([a-z_]+/[\w./-]*)(?:::\w+| [^`]*)?`", page.read_text(encoding="utf-8"))
    assert len(inner) > 2
    assert [path for path in inner if not ((ROOT / path).exists() or (ROOT / "bot" / path).exists())] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_are_named_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    known = {*main.commands, *(f"db {name}" for name in db.commands)}
    assert set(re.findall(r"`(?:\.venv/bin/)?abakbot ((?:db )?[a-z]+)\b", text)) <= known


@pytest.mark.parametrize("name", ["threats.md", "faults.md"])
def test_every_row_names_tests_that_exist(name: str) -> None:
    """A row ends with its tests: a file, or a function in it. Those that are named beside the rows exist, too."""
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:[^|\n]*\|){3,}$", page, re.MULTILINE)
    rows = [row for row in rows if not row.endswith("| test |") and "---" not in row]
    assert len(rows) >= {"threats.md": 15, "faults.md": 30}[name]
    cited = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")
    assert [row for row in rows if not cited.search(row)] == []
    assert page.count("tests/") == len(cited.findall(page)), "a test is named in another form"
    for path, function in cited.findall(page):
        assert (ROOT / path).is_file(), path
        text = (ROOT / path).read_text(encoding="utf-8")
        assert not function or re.search(rf"def {function}\(", text), f"{path}::{function}"


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_the_readme_has_the_two_commands(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    starting = [block.strip() for block in blocks if block.startswith("python3 -m venv")]
    assert [block.count("\n") for block in starting] == [0, 0]
    assert starting[0].endswith("abakbot sandbox")
    assert starting[1].endswith("scripts/check")
    named = set(re.findall(r"(?<![/\w.])(?:(?:deploy|scripts)/[\w./-]+|[\w-]+\.lock)", "".join(blocks))) - {
        "deploy/.env"
    }
    assert len(named) >= 4
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_a_run_of_ci_skips_no_test_for_want_of_a_program() -> None:
    """With CI=true these tests fail instead: PostgreSQL, Chromium, GNU Backgammon, OpenSSL."""
    first, *_ = re.findall(
        r"^(?:export .*|bash .*|.*\bpytest .*)$", (ROOT / ".ci" / "run").read_text("utf-8"), re.MULTILINE
    )
    assert first.startswith("export CI=true")


@pytest.mark.parametrize("name", ["README.md", "README.es.md"])
def test_the_readme_leads_to_the_rules(name: str) -> None:
    assert "docs/rules/README.md" in LINK.findall((ROOT / name).read_text(encoding="utf-8"))


def test_the_helpers_of_the_tests_stand_where_their_page_says() -> None:
    tests = ROOT / "tests"
    page = (tests / "README.md").read_text(encoding="utf-8")
    helpers = re.findall(r"^\| `(\w+)` \| `([\w/]+\.py)` \|", page, re.MULTILINE)
    assert len(helpers) > 12
    for name, path in helpers:
        assert re.search(
            rf"^(class|(async )?def) {name}\b", (tests / path).read_text(encoding="utf-8"), re.MULTILINE
        ), name
    paths = re.findall(r"`(?:pytest )?([a-z_]+/[\w/.]*)`", page)
    assert [path for path in paths if not ((tests / path).exists() or (ROOT / path).exists())] == []


def cited_sections(key: str) -> set[str]:
    """Finds the sections cited as ``abak.md, Columns 2, Position text``."""
    citation = re.compile(rf"\b{key}\.md((?:, [A-Z][\w -]+)*)")
    cited = set()
    for room in ("engine", "render", "tests"):
        for path in (ROOT / room).rglob("*.py"):
            for sections in citation.findall(path.read_text(encoding="utf-8")):
                cited |= {re.sub(r" \d.*", "", section) for section in sections.split(", ")[1:]}
    return cited


@pytest.mark.parametrize("key", GAMES)
def test_sections_of_rule_books_that_the_code_cites_exist(key: str) -> None:
    """A heading, a bold word or a paragraph of the book begins so."""
    book = (ROOT / "docs" / "rules" / f"{key}.md").read_text(encoding="utf-8")
    cited = cited_sections(key)
    assert [section for section in cited if not re.search(rf"^(?:#+ |\*\*)?{section}\b", book, re.MULTILINE)] == []


def test_citations_are_found() -> None:
    assert len(cited_sections("abak")) >= 3


@pytest.mark.parametrize(("name", "most"), [("boards.webp", 300_000), ("turn.webp", 2_000_000)])
def test_the_pictures_of_the_readme_load_fast(name: str, most: int) -> None:
    assert (ROOT / "docs" / "pictures" / name).stat().st_size <= most


def test_the_index_names_every_page() -> None:
    docs = ROOT / "docs"
    for index, ending in (("README.md", ".md"), ("README.es.md", ".es.md")):
        named = set(LINK.findall((docs / index).read_text(encoding="utf-8")))
        pages = {page.name for page in docs.glob("*.md") if page.name.endswith(ending)} - {"README.md", "README.es.md"}
        assert {page for page in pages if ending == ".es.md" or not page.endswith(".es.md")} <= named


def test_the_engine_answers_as_its_page_says() -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "engine", "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    text = (ROOT / "docs" / "engine.md").read_text(encoding="utf-8")
    for call in ("games", "start", "legal", "play", "perft", "verify", "rate"):
        assert call in asked.stdout
        assert f"`{call}" in text


def games(page: str) -> list[list[list[str]]]:
    """Returns each table's rows of cells, without its head."""
    found = re.findall(r"(?:^\|.*\n)+", page, re.MULTILINE)
    return [[[cell.strip() for cell in row[1:-1].split("|")] for row in table.splitlines()[2:]] for table in found]


@pytest.mark.parametrize(("name", "code"), [("server.md", "en"), ("server.es.md", "es")])
def test_every_setting_of_a_server_is_explained_with_its_choices(name: str, code: str) -> None:
    """In the panel's words and order, the choice that holds at first before the others."""
    say, page = language(code), (ROOT / "docs" / name).read_text(encoding="utf-8")
    wanted: dict[str, list[tuple[str, set[str], str]]] = {}
    for preference in SERVER:
        title = f"preference.server.{preference.key}"
        choices = {say(f"{title}.{choice}") for choice in preference.choices}
        first = say(f"{title}.{preference.default}") if choices else ""
        wanted.setdefault(say(f"panel.server.{preference.page}"), []).append((say(title), choices, first))
    sections = dict(re.findall(r"^### (.+)\n\n((?:(?!#).*\n)*)", page, re.MULTILINE))
    assert list(sections) == list(wanted)
    for section, settings in wanted.items():
        ((*rows,),) = games(sections[section])
        assert [row[0] for row in rows] == [title for title, _, _ in settings]
        for (_, choices, does), (_, offered, first) in zip(rows, settings, strict=True):
            written = choices.split(" · ")
            assert does
            assert not offered or (set(written), written[0]) == (offered, first)


PAIRS = [ROOT / "README.es.md", *sorted((ROOT / "docs").glob("*.es.md"))]


@pytest.mark.parametrize("spanish", PAIRS, ids=lambda page: page.name)
def test_a_page_says_as_much_in_spanish(spanish: Path) -> None:
    """The same chapters, games, lists, pictures and figures, each page linked to the other."""
    english = spanish.with_name(spanish.name.replace(".es", ""))
    shapes = []
    for page, other in ((english, spanish), (spanish, english)):
        text = page.read_text(encoding="utf-8")
        assert f"]({other.name})" in text.split("\n## ")[0]
        shapes.append(
            (
                re.findall(r"^#+ (?=\d?)", text, re.MULTILINE),
                [len(table) for table in games(text)],
                len(re.findall(r"^(?:- |\d\. )", text, re.MULTILINE)),
                sorted(re.findall(r"\((pictures/[^)]+)\)", text)),
                sorted(re.findall(r"\d+", re.sub(r"\]\([^)]*\)", "", text))),
            )
        )
    assert shapes[0] == shapes[1]
    assert len(PAIRS) >= 6


def test_the_link_asks_for_the_permissions_of_the_table() -> None:
    names = ("View Channel", "Send Messages", "Attach Files", "Create Public Threads", "Send Messages in Threads")
    asked = Permissions(
        view_channel=True,
        send_messages=True,
        attach_files=True,
        create_public_threads=True,
        send_messages_in_threads=True,
        read_message_history=True,
    )
    for name, of_server in (("first-game.md", "server.md"), ("first-game.es.md", "server.es.md")):
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert f"`{asked.value}`" in text
        assert f"&permissions={asked.value}\n" in text
        rows = games(text)[0]
        assert len(rows) == len(names) + 1
        permissions = games((ROOT / "docs" / of_server).read_text(encoding="utf-8"))[0]
        named = ", ".join(row[0] for row in permissions)
        assert {re.sub(r" \(.*", "", row[0]) for row in rows} == set(named.split(", "))
    for permission in {*needed(in_thread=False), *needed(in_thread=True), "create_public_threads"}:
        assert getattr(asked, permission)
        assert language("en")(f"permission.{permission}") in names


def test_every_setting_of_a_host_is_explained_with_its_default() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    rows = {row[0].strip("`"): row[1].strip("`") for row in games(page)[0]}
    defaults = {field.name.upper(): field.default for field in fields(Settings)}
    assert rows == {name: "" if default is None else str(default) for name, default in defaults.items()} | {
        "SHARDS": "auto"
    }
    assert all(row[2] for row in games(page)[0])
    for path in ("/healthz", "/readyz", "/metrics"):
        assert f"`{path}`" in page
    assert f"up to {GRACE:g} seconds" in page
    assert f"more than {GAP_MS // SECOND} seconds" in page
    assert f"status {BAD_SETTINGS}" in page


def test_every_command_about_the_database_is_explained() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    named = {re.sub(r"[` A-Z]+$", "", row[0])[len("`abakbot ") :] for row in games(page)[1]}
    assert named == {"backup", "restore", *(f"db {name}" for name in db.commands)}


@pytest.mark.parametrize("name", ["time.md", "time.es.md"])
def test_the_time_rules_are_those_of_the_code(name: str) -> None:
    """The figures of the page, in the order in which it gives them."""
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    figures = (
        MOST["bank"] // DAY,
        MOST["per_turn"] // DAY,
        LAG // SECOND,
        GAP_MS // SECOND,
        LONGEST_REST // 60,
        SHORTEST // DAY,
        LONGEST_DAYS,
        BUDGET_DAYS,
        DEFAULTS["server"]["vacation"],
        ABORT_TURNS,
        ABANDONED // DAY,
        SHARE_PERCENT,
        MIN_TURN_TIME // HOUR,
    )
    text = text[text.index("`s`:") :]
    for figure in figures:
        found = re.search(rf"\b{figure}\b", text)
        assert found, figure
        text = text[found.start() :]


def test_the_time_controls_of_the_pages_are_read_as_the_tables_say() -> None:
    """Each as it is written in that language; and those in words."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("time.md", "time.es.md")]
    games = [re.findall(r"^\| `([^`]+)`", page, re.MULTILINE) for page in pages]
    meant = ["3d/move", "3d+12h", "10m", "10m+5s", "10m 5s/move"]
    assert [[readings(written)[0] for written in table] for table in games] == [meant, meant]
    for page in pages:
        weeks, minutes = re.findall(r"`(2 [^`]+|10 [^`]+)`", page)
        assert (readings(weeks)[0], readings(minutes)[0]) == ("14d/move", "10m+5s")
        units = re.findall(r" `([a-z]{1,3})`", page)
        assert [readings(f"20{unit}+1h")[0] if unit in "dhms" else readings(f"4{unit}/move")[0] for unit in units] == [
            "28d/move",
            "20d+1h",
            "20h+1h",
            "20m+1h",
            "20s+1h",
        ]
