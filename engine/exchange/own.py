"""Our own formats: the record's text, and the record as JSON with each turn spelt out."""

import json
from typing import Any, Final

from engine.core.errors import CorruptRecord, RuleError
from engine.core.game import CHANCE
from engine.core.record import Record, check_seal, dump, load, sealed, unsealed
from engine.exchange.content import Content, Games, Positions, check_size, game_of, unreadable
from engine.exchange.decisions import replayed_game
from engine.match.record import MatchRecord, dump_match, is_match, load_match, replay_match

FORMAT: Final = "abakbot 1"
_GAMES: Final = "games"


def write_record(content: Content, *, seal: bool = False) -> str:
    """Writes a match or a single game, with a seal if asked to (see ``record.sealed``). Raises RuleError for any other
    content.
    """
    if isinstance(content, Positions):
        raise RuleError("exchange.positions", format="record")
    if not isinstance(content, MatchRecord) and len(content.games) != 1:
        raise RuleError("exchange.several_games", format="record")
    text = dump_match(content) if isinstance(content, MatchRecord) else dump(content.games[0])
    return sealed(text) if seal else text


def looks_like_record(text: str) -> bool:
    return text.startswith("format: ")


def read_record(text: str, most: int) -> Content:
    """Reads a game's or a match's record with at most ``most`` entries, also with a seal. Raises RuleError."""
    try:
        check_seal(text)
        if is_match(text):
            match = load_match(text)
            check_size(sum(len(game.entries) for game in match.games), most)
            replay_match(game_of(match), match)
            return match
        record = load(text)
        check_size(len(record.entries), most)
    except CorruptRecord as error:
        raise unreadable(error) from error
    replayed_game(record)
    return Games((record,))


def has_seal(text: str) -> bool:
    """Returns whether a record, or a record in a JSON text, has a seal."""
    if not looks_like_json(text):
        return bool(unsealed(text)[1])
    try:
        told = json.loads(text)
        return any(has_seal(each) for each in [told.get("record"), *told.get("records", ())] if isinstance(each, str))
    except (json.JSONDecodeError, AttributeError, TypeError):
        return False


def write_json(content: Content, *, seal: bool = False) -> str:
    """Writes the records, and beside them their consequences: each turn, the results, the score."""
    if isinstance(content, Positions):
        raise RuleError("exchange.positions", format="json")
    told: dict[str, Any] = {"format": FORMAT, "players": list(content.names)}
    if isinstance(content, MatchRecord):
        told |= _match(content) | {"record": write_record(content, seal=seal)}
    else:
        told |= {"records": [write_record(Games((game,)), seal=seal) for game in content.games]}
    told[_GAMES] = [_game(record) for record in content.games]
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def looks_like_json(text: str) -> bool:
    return text.lstrip().startswith("{")


def read_json(text: str, most: int) -> Content:
    """Reads the records in the JSON, and ignores their consequences. Raises RuleError."""
    try:
        told = json.loads(text)
        if told["format"] != FORMAT:
            raise RuleError("exchange.record", problem=f"format {told['format']}, this is {FORMAT}")
        if "record" in told:
            return read_record(str(told["record"]), most)
        names = tuple(map(str, told["players"]))
        texts = [str(each) for each in told["records"]]
        for each in texts:
            check_seal(each)
        games = tuple(map(load, texts))
    except (ValueError, KeyError, TypeError, RecursionError) as error:  # a ValueError: not JSON, or too many digits
        raise RuleError("exchange.record", problem=repr(error)) from error
    except CorruptRecord as error:
        raise unreadable(error) from error
    if len(names) != 2 or not games:
        raise RuleError("exchange.record", problem="two players and at least one game are needed")
    check_size(sum(len(game.entries) for game in games), most)
    for game in games:
        replayed_game(game)
    return Games(games, names)


def _match(record: MatchRecord) -> dict[str, Any]:
    try:
        match, _ = replay_match(game_of(record), record)
    except CorruptRecord as error:
        raise unreadable(error) from error
    terms, result = match.terms, match.result
    return {
        "match": record.header.id,
        "points": terms.points,
        "best_of": terms.best_of,
        "score": list(match.score),
        "result": None if result is None else {"winner": result.winner, "reason": result.reason},
    }


def _game(record: Record) -> dict[str, Any]:
    replayed = replayed_game(record)
    game, table, header = replayed.game, replayed.table, record.header
    outcome = table.outcome
    told: dict[str, Any] = {
        "id": header.id,
        "game": header.game,
        "version": header.version,
        "started": header.started,
        "options": table.options,
        "seats": list(game.seats),
        "turns": [
            {
                "at": turn.entry.at,
                "kind": str(turn.entry.kind),
                "seat": turn.entry.seat,
                "dice": turn.roll,
                "notation": turn.entry.body,
                "position": game.encode(turn.before),
            }
            for turn in replayed.decisions
        ],
        "dice": replayed.roll,
    }
    if not (outcome is None and table.to_act == CHANCE and not replayed.decisions):
        told["position"] = game.encode(table.state)
    told["outcome"] = None if outcome is None else {"points": list(outcome.points), "reason": outcome.reason}
    return told
