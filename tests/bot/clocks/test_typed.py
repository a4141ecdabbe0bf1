"""Time controls of a challenge: asked for, read, allowed, told; and how they are said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from fuzz.calibration import growth
from harness.bot import SPANISH, Room, bot_running, told
from harness.discord import Seat, text

from bot.clocks import typed as typed_time
from bot.clocks import words as clock_words
from bot.clocks.vacations.service import VacationService
from bot.core.translations import Language, language
from bot.games.service import GameService
from bot.players.preferences import DEFAULTS
from bot.players.service import PreferenceService
from engine.core.clock import TimeControl
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN, ES = language("en"), language("es")
BOTH = pytest.mark.parametrize("say", [EN, ES], ids=["en", "es"])
NOON = 1_763_726_400_000  # 2025-11-21 12:00 UTC, a Friday


# --- what people write -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "first", "others"),
    [
        ("3d/move", "3d/move", []),
        ("3d", "3d/move", ["3d"]),
        ("15|10", "15m+10s", ["15m 10s/move"]),
        ("15 | 10", "15m+10s", ["15m 10s/move"]),
        ("15+10", "15m+10s", ["15m 10s/move"]),
        ("half a day", "12h/move", ["12h"]),
        ("medio día", "12h/move", ["12h"]),
        ("medio día por jugada", "12h/move", []),
        ("half an hour", "30m", ["30m/move"]),
        ("media hora + 10", "30m+10s", ["30m 10s/move"]),
        ("una hora y media", "1h30m", ["1h30m/move", "1h 30m/move"]),
        ("correspondence", "3d/move", ["1d/move", "7d/move"]),
        ("por correspondencia", "3d/move", ["1d/move", "7d/move"]),
        ("10 min + 5 s de retardo", "10m 5s/move", []),
        ("3 days", "3d/move", ["3d"]),
        ("3 días", "3d/move", ["3d"]),
        ("3 DIAS por jugada", "3d/move", []),
        ("1 day 12 hours per move", "1d12h/move", ["1d 12h/move"]),
        ("3d+12h", "3d+12h", ["3d 12h/move"]),
        ("3 days bank + 12 h a move", "3d+12h", ["3d 12h/move"]),
        ("2 days + 12", "2d+12h", ["2d 12h/move"]),
        ("10+5", "10m+5s", ["10m 5s/move"]),
        ("10m+5", "10m+5s", ["10m 5s/move"]),
        ("10m 5s/move", "10m 5s/move", ["10m5s/move"]),
        ("10 minutes 5 seconds delay", "10m 5s/move", []),
        ("10 minutos + 5 s de espera", "10m 5s/move", []),
        ("10m", "10m", ["10m/move"]),
        ("10", "10m", ["10d/move"]),
        ("90", "90m", []),
        ("1h", "1h", ["1h/move"]),
        ("3d+0s", "3d", []),
        ("30d", "30d/move", ["30d"]),
        ("2 weeks", "14d/move", ["14d"]),
        ("1 semana", "7d/move", ["7d"]),
        ("una semana por jugada", "7d/move", []),
        ("one day", "1d/move", ["1d"]),
        ("2w/move", "14d/move", []),
        ("1w 3d/move", "10d/move", []),
        ("1 week and 3 days", "10d/move", ["10d"]),
        ("8 semanas", "56d", []),
        ("1sem+1d", "7d+1d", ["7d 1d/move"]),
        ("10m 5s/jugada", "10m 5s/move", ["10m5s/move"]),
        ("3d / Jugada", "3d/move", []),
        ("90d", "90d", []),
        ("40 days", "40d", []),
        ("90d+1d", "90d+1d", ["90d 1d/move"]),
        ("none", "", []),
        ("sin reloj", "", []),
        ("0", "", []),
    ],
)
def test_a_time_is_read_as_it_is_meant(written: str, first: str, others: list[str]) -> None:
    canonical = [str(TimeControl.parse(one)) if one else "" for one in (first, *others)]
    assert typed_time.readings(written) == canonical


@pytest.mark.parametrize(
    "written",
    [
        "",
        "  ",
        "soon",
        "+",
        "days",
        "weeks",
        "2 weeks 1 week",
        "3d/week",
        "3 d 4",
        "3,5 days",
        "d3",
        "10 + + 5",
        "²",
        "🕐",
        "-5",
    ],
)
def test_what_is_no_time_is_refused(written: str) -> None:
    with pytest.raises(RuleError, match=r"clock\.text"):
        typed_time.readings(written)


@pytest.mark.parametrize(
    "written",
    [
        "91 days",
        "13 weeks",
        "5 semanas por jugada",
        "9" * 5000 + "w",
        "31d/move",
        "2s",
        "91d+1d",
        "9999999d",
        "3s a move",
    ],
)
def test_what_is_too_long_or_short_is_not_taken_for_something_else(written: str) -> None:
    with pytest.raises(RuleError, match=r"clock\.range"):
        typed_time.readings(written)


@pytest.mark.parametrize(
    ("written", "part", "least", "most"),
    [
        ("0m", "bank", "5s", "90d"),
        ("1s", "bank", "5s", "90d"),
        ("400d", "bank", "5s", "90d"),
        ("31d/move", "per_turn", "5s", "30d"),
        ("1s per move", "per_turn", "5s", "30d"),
    ],
)
def test_the_range_that_is_told_is_that_of_what_was_written(written: str, part: str, least: str, most: str) -> None:
    with pytest.raises(RuleError, match=r"clock\.range") as refused:
        typed_time.readings(written)
    assert refused.value.params == {"part": part, "least": f"~{least}", "most": f"~{most}"}


@BOTH
@pytest.mark.parametrize("name", ["clock.text", "option.time.unread"])
def test_the_examples_of_a_time_are_read_and_in_the_language_itself(name: str, say: Language) -> None:
    told = say(name, text="soon")
    examples = re.findall(r"`([^`]+)`", told) or re.sub(r"^.*\. \w+ ", "", told).split(", ")
    assert len(examples) >= 5
    for example in examples:
        assert typed_time.readings(example)
    assert ("/move" in told) == (say is EN)


@BOTH
@pytest.mark.parametrize(
    ("typed", "limits"),
    [
        ("nonsense and more of it" * 9, ()),
        ("100d" + " " * 90 + "x", ()),
        ("1s", ("5", "90")),
        ("100d", ("5", "90")),
        ("1111111111111111 days", ()),
        ("111111d 1s delay", ("0", "90")),
        ("31d/move", ("5", "30")),
        ("90d", ("30",)),
    ],
)
def test_a_line_says_why_nothing_fits_and_what_would(typed: str, limits: tuple[str, ...], say: Language) -> None:
    ((shown, value),) = typed_time.explain_unfit(typed, DEFAULTS["server"], say)
    assert tuple(re.findall(r"(?<!\w)\d+(?!\w)", shown)) == limits or not limits
    assert limits or shown == say("option.time.unread")
    assert len(shown) <= 100
    assert value == typed[:100]


@BOTH
def test_an_error_quotes_a_short_text_whole_and_marks_where_a_long_one_is_cut(say: Language) -> None:
    for typed, quoted in (("2 :weeks", "2 :weeks"), ("x " * 200, ("x " * 200)[: typed_time.QUOTED] + "\u2026")):
        with pytest.raises(RuleError) as refused:
            typed_time.readings(typed)
        assert quoted in say.error(refused.value)


@pytest.mark.parametrize("piece", ["2 :weeks", "1d ", "+", "9", "1w 3d ", "/ ", "1d+", "half ", "1 delay "])
def test_reading_takes_time_in_proportion_to_the_length(piece: str) -> None:
    """Eight times the text takes about eight times as long; it would be 64 times if each prefix were read again."""

    def read(length: int) -> None:
        typed = (piece * length)[:length]
        typed_time.suggested(typed, "", EN)
        typed_time.explain_unfit(typed, DEFAULTS["server"], EN)

    assert growth(read, 2_000, 16_000, 24) <= 24


@BOTH
def test_a_line_says_that_a_server_wants_a_clock(say: Language) -> None:
    server = {**DEFAULTS["server"], "longest": "7"}
    ((shown, _),) = typed_time.explain_unfit("none", server, say)
    assert shown == say("control.needed", n=7)
    assert len(shown) <= 100
    assert typed_time.explain_unfit("  ", server, say) == typed_time.explain_unfit("7d", server, say) == []


@pytest.mark.parametrize("control", [*typed_time.PRESETS, "3d", "10m5s 1h/move", "1d+1h 2d/move", "3d+12h"])
def test_a_value_reads_back_first(control: str) -> None:
    canonical = str(TimeControl.parse(control)) if control else ""
    assert typed_time.readings(typed_time.value(canonical))[0] == canonical


# --- the challenge ---------------------------------------------------------------------------------------------------


async def suggested(who: Seat, typed: str) -> dict[str, str]:
    return {one["name"]: one["value"] for one in await who.choices("abak challenge", "time", time=typed)}


async def test_the_option_offers_readings_and_the_usual_times(room: Room) -> None:
    every = await suggested(room.ana, "")
    assert every[EN("control.usual", control="no clock")] == "none"
    assert every["3 days per move"] == "3d/move"
    assert len(every) == len(typed_time.PRESETS)
    assert next(iter(await suggested(room.ana, "3 days"))) == "3 days per move"
    assert list(await suggested(room.ana, "10+5"))[:2] == [
        clock_words.control(c, EN) for c in ("10m+5s", "10m 5s/move")
    ]
    assert await suggested(room.ana, "nonsense") == {EN("option.time.unread", text="nonsense"): "nonsense"}
    assert await suggested(room.ana, "90d") == {EN("option.time.too_long", n=30): "90d"}
    assert await suggested(room.ana, "100d") == {
        "That does not work. The bank: from 5 seconds to 90 days.": "100d",
    }
    assert next(iter(await suggested(room.ana, "1 week"))) == "7 days per move"
    room.speak(SPANISH)
    assert (await suggested(room.ana, "dias"))["3 días por jugada"] == "3d/move"


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_challenge_says_its_time_and_the_game_has_it(room: Room, locale: str) -> None:
    room.speak(locale)
    say = room.say
    message = await room.challenge("abalone", time="3 days")
    line = say("challenge.clock", time=clock_words.control("3d/move", say), then=say("challenge.timeout_policy.loss"))
    assert line in message["content"]
    await room.ben.press("b:accept_challenge:", message)
    live = await room.shown()
    assert (live.table.record.header.clock, live.table.record.header.timeout_policy) == ("3d/move", "loss")
    assert line in text(room.ana.fresh(message))


@pytest.mark.parametrize("written", ["whenever", "400d", "3s/move"])
async def test_a_bad_time_is_refused_and_nothing_is_posted(room: Room, written: str) -> None:
    sent = await room.ana.slash("abak challenge", opponent=room.ben, game="apb", time=written)
    assert sent.message is not None
    with pytest.raises(RuleError) as refused:
        typed_time.readings(written)
    assert told(room.ana) == EN.error(refused.value)
    assert not room.ben.messages


async def test_a_bank_of_many_days_needs_a_server_that_allows_it(room: Room) -> None:
    assert room.bot is not None
    await room.ana.slash("abak challenge", opponent=room.ben, game="apb", time="90d")
    assert told(room.ana) == EN("control.too_long", asked="90 days", n=30)
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "longest", "90")
    assert "90 days each for the whole game" in (await room.challenge("apb", time="90d"))["content"]
    assert "**No clock.**" in (await room.challenge("apb", time="none"))["content"]


async def test_a_challenge_without_a_clock_says_so(room: Room) -> None:
    assert "**No clock.**" in (await room.challenge("apb"))["content"]
    room.speak(SPANISH)
    assert "**Sin reloj.**" in (await room.challenge("apb"))["content"]


async def test_a_server_has_its_usual_time_policy_and_limit(room: Room) -> None:
    assert room.bot is not None
    preferences, guild = room.bot.service(PreferenceService), room.server.world.guild_id
    await preferences.set_server(guild, "clock", "2d/move")
    await preferences.set_server(guild, "timeout_policy", "claim")
    await preferences.set_server(guild, "longest", "3")
    message = await room.challenge("abalone")
    line = EN("challenge.clock", time="2 days per move", then=EN("challenge.timeout_policy.claim"))
    assert line in message["content"]
    offered = await suggested(room.ana, "")
    assert EN("control.usual", control="2 days per move") in offered
    assert not {"none", "7d/move"} & set(offered.values())
    for written, refused in (
        ("7d/move", EN("control.too_long", asked="7 days", n=3)),
        ("none", EN("control.needed", n=3)),
    ):
        await room.ana.slash("abak challenge", opponent=room.ben, game="apb", time=written)
        assert told(room.ana) == refused
    await preferences.set_server(guild, "clock", "")
    assert "3 days per move" in (await room.challenge("abalone"))["content"]
    await preferences.set_server(guild, "longest", "30")
    untimed = (await room.challenge("abalone", time="none"))["content"]
    assert untimed.count("⏱") == 1
    assert EN("challenge.no_clock") in untimed


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_time_off_is_told_before_anybody_accepts(stand_in: Server, sqlite_url: str, locale: str) -> None:
    async with bot_running(stand_in, sqlite_url, now=lambda: NOON) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        say = room.say
        preferences = bot.service(PreferenceService)
        await preferences.set_user(room.ana.user_id, "zone", "Europe/Madrid")
        await preferences.set_user(room.ana.user_id, "rest", "23:00-07:00")
        await preferences.set_user(room.ben.user_id, "weekend", "sat_sun")
        await bot.service(VacationService).take(room.ben.user_id, NOON + DAY, NOON + 8 * DAY)
        rest = NOON + 10 * HOUR  # 23:00 in Madrid is 22:00 UTC
        lines = [
            say("off.their_rest", player=room.ana.mention, begin=at(rest, "t"), end=at(rest + 8 * HOUR, "t")),
            say("off.their_days", player=room.ben.mention, days=say("off.days.sat_sun")),
            say(
                "off.their_vacation", player=room.ben.mention, since=at(NOON + DAY, "D"), until=at(NOON + 8 * DAY, "D")
            ),
        ]
        timed = await room.challenge("abalone", time="3d/move")
        assert "\n".join(lines) in timed["content"]
        untimed = await room.challenge("abalone", time="none")
        open_to_all = await room.challenge("abalone", opponent=None, time="3d/move")
        assert [line in open_to_all["content"] for line in lines] == [True, False, False]
        assert not any(line in untimed["content"] for line in lines)
        await preferences.set_user(room.ana.user_id, "weekend", "fri_sat")
        begin, end, days = at(rest, "t"), at(rest + 8 * HOUR, "t"), say("off.days.fri_sat")
        both = say("off.their_both", player=room.ana.mention, begin=begin, end=end, days=days)
        assert both in (await room.challenge("abalone", time="3d/move"))["content"]
        guild = room.server.world.guild_id
        await bot.service(VacationService).take(room.ana.user_id, NOON + 2 * DAY, NOON + 30 * DAY)
        await preferences.set_server(guild, "vacation", "14")
        since, until = at(NOON + 2 * DAY, "D"), at(NOON + 16 * DAY, "D")
        held = say("off.their_vacation", player=room.ana.mention, since=since, until=until)
        assert held in (await room.challenge("abalone", time="3d/move"))["content"]
        await preferences.set_server(guild, "vacation", "0")
        assert lines[2] not in (await room.challenge("abalone", time="3d/move"))["content"]
        assert [user for user, _ in room.pings] == [room.ben.user_id] * 5


def at(moment: int, style: str) -> str:
    return f"<t:{moment // 1000}:{style}>"


async def test_a_rematch_keeps_the_clock(room: Room) -> None:
    assert room.bot is not None
    live = await room.begin("abalone", time="3d+12h")
    await room.bot.service(GameService).resign(live.id, room.ana.user_id, 1)
    await room.shown()
    await room.ben.press("b:rematch:", room.board)
    assert "3 days each, +12 hours per move" in room.ana.last["content"]
    await room.ana.press("b:accept_challenge:", room.ana.last)
    again = await room.shown()
    assert again.id != live.id
    assert again.table.record.header.clock == "3d+12h"


# --- the board -------------------------------------------------------------------------------------------------------
