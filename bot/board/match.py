"""A match in words: its score beside a board, and the card at its end."""

from bot.board.story import how_it_ended
from bot.core.translations import Language
from bot.games.live import LiveGame
from bot.matches.service import LiveMatch
from bot.matches.tournament_names import Walkover
from bot.players.mentions import is_former, mention, named
from render.people.views import MatchCard, MatchGame


def score_text(score: float) -> str:
    """Formats a score: ``3``, ``½``, ``1½``."""
    whole = int(score)
    return f"{whole or ''}½" if score != whole else str(whole)


def pair_text(first: float, second: float) -> str:
    """Returns two scores with a dash between them."""
    return f"{score_text(first)} \N{EN DASH} {score_text(second)}"


def scores(match: LiveMatch | None, live: LiveGame) -> tuple[str, str]:
    """Returns the score of each seat for the picture: ``3/7`` in a match to 7 points; empty for a single game."""
    if match is None:
        return "", ""
    first, second = (score_text(score) for score in match.scores_by_seat(live.players))
    points = match.terms.points
    return (f"{first}/{points}", f"{second}/{points}") if points else (first, second)


def score_line(match: LiveMatch, live: LiveGame, say: Language) -> str:
    """Writes the length and score of the match: ``Match to 7: @Ana 3 - @Ben 2, Crawford game``.

    ``live`` is the game beside the line. After its end, the score includes it, and the line is about it and not about
    the next game.
    """
    terms, (first, second) = match.terms, match.score
    given = {
        "first": mention(match.players[0], say),
        "second": mention(match.players[1], say),
        "first_score": score_text(first),
        "second_score": score_text(second),
    }
    if terms.points:
        line = say("board.match.to_points", points=terms.points, **given)
        crawford = match.match.crawford and not live.is_over
        return say("board.match.crawford", line=line) if crawford else line
    number = match.finished + (not live.is_over)
    return say("board.match.series", number=number, games=terms.best_of, **given)


def score_lines(match: LiveMatch | None, live: LiveGame, say: Language) -> list[str]:
    """Returns the score line; [] for a single game."""
    return [] if match is None else [score_line(match, live, say)]


def last_game(match: LiveMatch | None, say: Language) -> list[str]:
    """Returns a line about the end of the match's last finished game; [] if no game has finished."""
    return [] if match is None or not match.finished else [game_line(match, match.finished, say)]


def game_line(match: LiveMatch, number: int, say: Language) -> str:
    """Says how a game of the match ended; ``number`` from 1."""
    result = match.match.results[number - 1]
    reason, winner = say(result.reason), result.winner
    if not result.has_result:
        return say("board.match.game_no_result", number=number, reason=reason)
    if winner is None:
        return say("board.match.game_drawn", number=number, reason=reason)
    points = abs(result.points[0])
    player, other = mention(match.players[winner], say), mention(match.players[1 - winner], say)
    how = how_it_ended(result.reason, player, other, say)
    if not match.terms.points:
        return say("board.match.game_won_series", number=number, player=player, how=how)
    return say("board.match.game_won", number=number, player=player, how=how, n=points)


def game_lines(match: LiveMatch, say: Language) -> list[str]:
    """Returns a line for each finished game of the match, which says how it ended."""
    return [game_line(match, number, say) for number in range(1, match.finished + 1)]


def outcome(match: LiveMatch, say: Language, walkover: Walkover | None = None) -> str:
    """Says how the match ended; for an aborted match with a ``walkover``, how it ended in its tournament.

    Raises ValueError if it goes on.
    """
    result = match.result
    if result is None:
        raise ValueError("the match goes on")
    if walkover is not None and result.winner is None:
        return say("board.match.walkover", player=mention(walkover.winner, say), name=walkover.tournament)
    winner = result.winner or 0
    player, other = mention(match.players[winner], say), mention(match.players[1 - winner], say)
    score = pair_text(match.score[winner], match.score[1 - winner])
    last, lost_by_former = match.match.results[-1].reason, is_former(match.players[1 - winner])
    if result.reason == "match.forfeited" and (last == "end.left" or (last == "end.aborted" and lost_by_former)):
        return say("board.match.left", player=player, other=other, score=score)
    return say(f"board.{result.reason}", player=player, other=other, score=score)


def title(match: LiveMatch, game: str, say: Language) -> str:
    """Returns ``Backgammon · match to 7``."""
    if match.terms.points:
        return say("board.match.title_points", game=game, points=match.terms.points)
    return say("board.match.title_series", game=game, games=match.terms.best_of)


def card(
    match: LiveMatch,
    game: str,
    names: tuple[str, str],
    ratings: tuple[str, str],
    theme: str,
    say: Language,
    walkover: Walkover | None = None,
) -> MatchCard:
    """Returns the card of a finished match. ``names`` and ``ratings``: the players', in the order of the match."""
    result = match.result
    rows = []
    for number, played in enumerate(match.match.results, 1):
        nobody = say("board.match.draw" if played.has_result else "board.match.no_result")
        first, second = match.after(number).score
        rows.append(
            MatchGame(
                number=str(number),
                winner=nobody if played.winner is None else names[played.winner],
                how=say(played.reason),
                points=str(abs(played.points[0])),
                cube=str(played.cube),
                score=pair_text(first, second),
            )
        )
    doubled = any(played.cube > 1 for played in match.match.results)
    headings = MatchGame(
        number="",
        winner=say("board.match.column_winner"),
        how="",
        points=say("board.match.column_points") if match.terms.points else "",
        cube=say("board.match.column_cube") if doubled else "",
        score=say("board.match.column_score"),
    )
    return MatchCard(
        title=title(match, game, say),
        names=names,
        ratings=ratings,
        scores=(score_text(match.score[0]), score_text(match.score[1])),
        winner=None if result is None else result.winner,
        how=named(outcome(match, say, walkover), match.players, names),
        headings=headings,
        games=tuple(rows),
        theme=theme,
    )
