"""Tests what the board says of a game's time: time off, time-outs, pauses, other clocks, conditional moves."""

from dataclasses import replace

import pytest

from bot.board import match as match_words
from bot.board.message import message, result, status, story
from bot.board.story import how_it_ended, older_credits
from bot.clocks import words as clock_words
from bot.clocks.limits import check_limit
from bot.core.translations import CODES, Language, language
from bot.games.live import LiveGame
from bot.games.notation import in_language, to_notation
from bot.games.stored import Place
from bot.matches.live import LiveMatch
from engine.core.adjudication import RULINGS
from engine.core.clock import SECOND
from engine.core.errors import Refused, RuleError
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Entry, Header, Kind
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED
from engine.match.match import Match, MatchHeader, Terms
from engine.registry import find

START = 1_774_224_000_000
ABALONE = find("abalone")


PREFERENCES = {"below": "own", "language": "auto", "client_language": "en"}
NAMES = ("Ana", "Ben")
MENTIONS = ("<@11>", "<@12>")


def how(reason: str, winner: int, say: Language, names: tuple[str, str] = MENTIONS) -> str:
    """Returns the sentence about the end of a game, with both names."""
    return how_it_ended(reason, names[winner], names[1 - winner], say)


def opened(clock: str = "1d/move", timeout: str = "claim") -> Table:
    return Table.open(ABALONE, Header("abalone", 1, "s1", START, clock=clock, timeout_policy=timeout if clock else ""))


def live(table: Table) -> LiveGame:
    return LiveGame("s1", table, (11, 12), Place(3, 4), "en", 0, None, "", "")


def last(table: Table, code: str = "en") -> str:
    return story(live(table), language(code), table.seq - 1)[0]


def noted(kind: Kind, seat: int, body: str, at: int = DAY) -> str:
    return last(opened().append(Entry(at, kind, seat, body)))


def test_absence_is_told() -> None:
    assert noted(Kind.CREDIT, -1, f"0 {37 * MINUTE}") == "+37 minutes: the bot was away, or the game had no channel."
    until = (START + 2 * DAY) // SECOND
    assert noted(Kind.AWAY, 0, f"{DAY} {2 * DAY}") == f"Black is on vacation until <t:{until}:f>."
    since = until - DAY // SECOND + 1
    leaves = noted(Kind.AWAY, 0, f"{DAY + SECOND} {2 * DAY}")
    assert leaves == f"Black goes on vacation from <t:{since}:f> to <t:{until}:f>."
    assert noted(Kind.AWAY, 0, f"0 {DAY}") == "Black is back from vacation."
    midnight = START // DAY * (DAY // SECOND) + DAY // SECOND  # UTC, of the day of the entry
    assert midnight * SECOND <= START + DAY < (midnight + 21 * 3600) * SECOND
    begin, end = midnight + 21 * 3600, midnight + 30 * 3600  # an hour east
    both = f"rests every day from <t:{begin}:t> to <t:{end}:t> (your time) and has Sat and Sun off (their time)."
    assert noted(Kind.HOURS, 0, "1320-420 5,6 60") == f"Black {both}"
    begin, end = midnight + 23 * 3600, midnight + 23 * 3600 + 450 * 60
    rest = f"White rests every day from <t:{begin}:t> to <t:{end}:t> (your time)."
    assert noted(Kind.HOURS, 1, "0-450 - 60") == rest
    assert noted(Kind.HOURS, 1, "- 4 60") == "White has Fri off (their time)."
    assert noted(Kind.HOURS, 1, "-") == "White has no rest hours or days off from the next turn."


def test_time_that_is_given_back_with_more_is_told_once() -> None:
    table = opened()
    for end in (10, 20, 37):
        table = table.append(Entry(DAY, Kind.CREDIT, -1, f"0 {end * MINUTE}"))
    given = live(table.append(Entry(2 * DAY, Kind.CREDIT, -1, f"{DAY} {DAY + HOUR}")))
    told = story(given, language("en"), 0, older_credits(given))
    assert [line.partition(":")[0] for line in told] == ["+37 minutes", "+1 hour"]


async def test_the_board_tells_it_once_too() -> None:
    begun = opened()
    turn = ABALONE.format(begun.state, (ABALONE.legal(begun.state)[0],))
    table = begun.play(begun.to_act or 0, turn, HOUR)
    for end in (2, 3):
        table = table.append(Entry(4 * HOUR, Kind.CREDIT, -1, f"{HOUR} {end * HOUR}"))
    shown = replace(live(table), shown_seq=1)
    made = await message(shown, language("en"), PREFERENCES, "wood", NAMES)
    assert made.content.count("the bot was away") == 1


def test_a_length_of_time_is_said_in_each_language() -> None:
    credit = f"0 {2 * DAY + 3 * HOUR + MINUTE}"
    assert (
        noted(Kind.CREDIT, -1, credit, 3 * DAY) == "+2 days and 3 hours: the bot was away, or the game had no channel."
    )
    assert last(opened().append(Entry(3 * DAY, Kind.CREDIT, -1, credit)), "es").startswith("+2 días y 3 horas:")


def test_a_time_control_beyond_the_servers_limit_is_refused_in_words() -> None:
    with pytest.raises(Refused) as caught:
        check_limit({"longest": "3"}, "3d12h/move")
    assert "3 days and 12 hours" in language("en").error(caught.value)
    assert "3 días y 12 horas" in language("es").error(caught.value)


@pytest.mark.parametrize("typed", ["@", "@nobody", "@board.turn", "~3d2d", "~99999999d", "~", "{text}"])
def test_what_somebody_typed_is_shown_as_it_is(typed: str) -> None:
    """Also where it looks like a key, or a length of time."""
    for code in CODES:
        assert typed in language(code).error(RuleError("clock.text", text=typed))


def eventful() -> Table:
    table = opened().play(0, "c3d4", HOUR, conditional=True)
    for what in ("pause", "adjourn 3d/move"):
        table = table.make_offer(1, what, HOUR).answer(0, HOUR, accept=False)
        table = table.make_offer(1, what, HOUR).answer(0, HOUR, accept=True)
        table = table.resume(0, HOUR) if table.paused else table
    return table.play(1, "g5f5", HOUR).play(0, "c4d4", HOUR).play(1, "f5e5", HOUR).time_out(9 * DAY)


@pytest.mark.parametrize("code", CODES)
def test_everything_that_a_clock_brings_is_told_in_every_language(code: str) -> None:
    table = eventful()
    lines = story(live(table), language(code), 0)
    assert len(lines) == table.seq
    assert all("{" not in line for line in lines)
    assert "`c3d4`" in lines[0]
    assert clock_words.control("3d/move", language(code)) in lines[-6]


def test_a_conditional_move_is_told_as_such() -> None:
    assert last(opened().play(0, "c3d4", HOUR, conditional=True)) == "Black played a conditional move: `c3d4`"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("what", ["win", "draw"])
def test_a_claim_is_told_with_its_end(code: str, what: str) -> None:
    table = eventful().claim(1, what, 9 * DAY)
    say = language(code)
    assert last(table, code) == say(f"story.claim_{what}", seat=say("side.white"))
    ended = status(live(table), say)
    assert (how("end.time", 1, say) if what == "win" else say("end.time_draw")) in ended
    told = how("end.time", 1, say, NAMES) if what == "win" else say("end.time_draw")
    assert result(live(table), say, NAMES).how == told[:1].upper() + told[1:]


@pytest.mark.parametrize("code", CODES)
def test_an_aborted_game_is_not_called_a_draw(code: str) -> None:
    table = opened(timeout="loss").time_out(9 * DAY)
    assert status(live(table), language(code)) == language(code)("board.aborted")
    assert last(table, code) == language(code)("story.timeout", seat=language(code)("side.black"))


@pytest.mark.parametrize("code", CODES)
def test_an_abandoned_game_says_so(code: str) -> None:
    table = opened("", "")
    for number, move in enumerate(("c3d4", "g5f5", "c4d4", "f5e5")):
        table = table.play(number % 2, move, number)
    for what, reason in (("win", "end.abandoned"), ("draw", "end.abandoned_draw")):
        over = live(table.claim(1, what, 99 * DAY))
        told = how(reason, 1, language(code)) if what == "win" else language(code)(reason)
        assert told in status(over, language(code))


@pytest.mark.parametrize("code", CODES)
def test_the_end_of_a_pause_is_told_by_how_it_came(code: str) -> None:
    say, table = language(code), opened()
    black, white = say("side.black"), say("side.white")
    table = table.append(Entry(1, Kind.OFFER, 0, "pause")).append(Entry(2, Kind.ACCEPT, 1, "pause"))
    played = table.play(0, "c3d3", 3)
    (line,) = story(live(played), say, table.seq)
    assert line == say("story.play", seat=black, move="c3d3")
    asked = played.resume(0, 4)
    assert story(live(asked), say, played.seq) == [say("story.ask_resume", seat=black)]
    assert story(live(asked.resume(1, 5)), say, asked.seq) == [say("story.resume", seat=white)]
    assert story(live(asked.end_pause()), say, asked.seq) == [say("story.resume_due")]


@pytest.mark.parametrize("code", CODES)
def test_given_time_and_an_absence_are_told(code: str) -> None:
    say, table = language(code), opened()
    given = table.give(0, 1)
    time = clock_words.length(DAY, say)
    told = say("story.give", seat=say("side.black"), other=say("side.white"), time=time)
    assert story(live(given), say, 0) == [told]
    untimed = opened("").time_out(ABANDONED)
    assert story(live(untimed), say, 0) == [say("story.absent", seat=say("side.black"), days=30)]


@pytest.mark.parametrize(("code", "wanted"), [("en", "bar/20 6/off"), ("es", "barra/20 6/fuera")])
def test_a_turn_is_told_in_words_of_the_language_that_can_be_typed(code: str, wanted: str) -> None:
    game, entry = find("backgammon"), Entry(0, Kind.PLAY, 0, "bar/20 6/off")
    assert in_language(entry.body, language(code)) == wanted
    assert to_notation(game.key, wanted) == entry.body


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("en", "White played `d2-c1 e2-d1 f2-e1 d3-c2 e3-d2xS`: pushed the white secondary on c1 off"),
        ("es", "Las blancas han jugado `d2-c1 e2-d1 f2-e1 d3-c2 e3-d2xS`: la secundaria blanca de c1 cae del tablero"),
    ],
)
def test_a_long_turn_is_told_in_notation_with_what_it_did(code: str, wanted: str) -> None:
    table = Table.open(find("apb"), Header("apb", 1, "s1", START)).play(0, "d2-c1 e2-d1 f2-e1 d3-c2 e3-d2", 1)
    assert last(table, code) == wanted


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("body", RULINGS)
def test_a_decision_from_outside_is_told_with_its_end(code: str, body: str) -> None:
    table = opened().append(Entry(HOUR, Kind.ADJUDICATE, -1, body))
    say, (winner, reason) = language(code), RULINGS[body]
    key = f"story.{reason.removeprefix('end.')}"
    named = None if winner is None else 1 - winner if "forfeit" in body else winner
    assert last(table, code) == (say(key) if named is None else say(key, seat=say(f"side.{ABALONE.seats[named]}")))
    ended, card = status(live(table), say), result(live(table), say, NAMES)
    told, named_told = (
        (say(reason),) * 2 if winner is None else (how(reason, winner, say, x) for x in (MENTIONS, NAMES))
    )
    assert ended == say("board.voided") if body == "void" else told in ended
    assert card.how.casefold() == named_told.casefold()
    assert (card.winner, bool(card.result)) == (winner, winner is not None)


def test_a_decision_in_plain_words() -> None:
    told = {body: last(opened().append(Entry(HOUR, Kind.ADJUDICATE, -1, body))) for body in RULINGS}
    assert told == {
        "0 decision": "The organiser has decided: Black wins.",
        "1 decision": "The organiser has decided: White wins.",
        "0 forfeit": "White forfeits the game.",
        "1 forfeit": "Black forfeits the game.",
        "draw decision": "The organiser has decided: a draw.",
        "void": "The organiser has declared the game void.",
    }


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("body", RULINGS)
def test_a_match_that_is_decided_says_how(code: str, body: str) -> None:
    say, reason = language(code), RULINGS[body][1]
    header = Header("abalone", 1, "g1", START, tuple(ABALONE.settle_options({}).items()), match="m1", match_game=1)
    table = Table.open(ABALONE, header).append(Entry(HOUR, Kind.ADJUDICATE, -1, body))
    match = Match(MatchHeader("m1", "abalone", 1, START, Terms(best_of=3))).add(table)
    played = LiveMatch(match, (11, 12), Place(3, 4), "en")
    ended, (row,) = match_words.outcome(played, say), match_words.game_lines(played, say)
    card = match_words.card(played, "Abalone", ("Ana", "Ben"), ("", ""), "wood", say)
    winner = RULINGS[body][0]
    assert (say(reason) if winner is None else how(reason, winner, say)) in row
    assert "{" not in ended + row
    nobody = {"draw decision": say("board.match.draw"), "void": say("board.match.no_result")}
    assert card.games[0].winner == nobody.get(body, ("Ana", "Ben")[body.startswith("1")])
    assert (body == "void") == (ended == say("board.match.voided"))
    if body == "1 forfeit" and code == "en":
        assert card.how == "Ana forfeits, so Ben wins the match. The score was 1 \N{EN DASH} 0."
