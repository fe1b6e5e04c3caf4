"""Files to share from the page: a picture or a certificate of a board, and the record of a game."""

import base64
import io
import zipfile
from fractions import Fraction
from typing import Any

from satsweeper.answers.classification import Verdict
from satsweeper.certificate.certify import Certificate, certify
from satsweeper.certificate.folder import with_manifest
from satsweeper.certificate.puzzle.certify import PuzzleCertificate, certify_puzzle
from satsweeper.count.odds import odds
from satsweeper.play.record import write_game
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.search.session import PositionSession
from satsweeper.show.page import puzzles
from satsweeper.show.page.boards import position_of
from satsweeper.show.page.games import reached
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.puzzles import draw_puzzle
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.write import film_svg
from satsweeper.show.play.game_session import GameSession
from satsweeper.show.play.puzzle_session import PuzzleGameSession


def picture(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` drawn as it is shown, as a document of SVG (``text``).

    ``show``: nothing, verdicts or odds; ``theme``: light or dark; ``flags`` as elsewhere.
    """
    board, flags, show = asked["board"], asked.get("flags", "trust"), asked["show"]
    verdicts: dict[int, Verdict] | None = None
    chances: dict[int, Fraction] | None = None
    if "text" in board:
        puzzle = puzzles.puzzle_of(board)
        if show == "odds":
            chances = odds_of_puzzle(puzzle, flags=flags).by_cell
        elif show == "verdicts":
            with PuzzleSession(puzzle, flags=flags) as session:
                verdicts = dict(session.classify().by_cell)
    else:
        position, columns = position_of(board), len(board["rows"][0])
        total = "?" if position.mines is None else position.mines
        rows = [" ".join(row) for row in board["rows"]]
        puzzle = Puzzle.parse("\n".join(["geometry: square", f"mines: {total}", *rows, ""]))
        if show == "odds":
            mine = odds(position, flags=flags).mine
            chances = {row * columns + column: chance for (row, column), chance in mine.items()}
        elif show == "verdicts":
            with PositionSession(position, flags=flags, beyond=True) as of_squares:
                found = of_squares.classify().verdict
            verdicts = {row * columns + column: said for (row, column), said in found.items()}
    film = Film((draw_puzzle(puzzle, verdicts, chances),), (0,))
    return {"text": film_svg(film, THEMES[asked["theme"]], None, "SatSweeper")}


def certificate(asked: dict[str, Any]) -> dict[str, Any]:
    """The answer to the ``board`` with its proof, as an archive of ZIP (``base64``).

    In it is the folder ``certificate`` as ``satsweeper certify`` writes it; ``flags`` as elsewhere.
    A board that has no certificate is refused in one line.
    """
    board, flags = asked["board"], asked.get("flags", "trust")
    made: Certificate | PuzzleCertificate
    if "text" in board:
        made = certify_puzzle(puzzles.puzzle_of(board), flags=flags)
    else:
        made = certify(position_of(board), flags=flags)
    _, files = with_manifest(made.files, made.about)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            # A fixed date, so that equal certificates make an equal archive.
            entry = zipfile.ZipInfo(f"certificate/{name}")
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return {"base64": base64.b64encode(packed.getvalue()).decode("ascii")}


def record(asked: dict[str, Any]) -> dict[str, Any]:
    """The record of the ``game`` with its ``actions``, as ``satsweeper play`` writes it (``text``).

    Of a game under rules it is the file of the game, which has no moves.
    """
    session = reached(asked)
    if isinstance(session, GameSession):
        return {"text": write_game(session.game).decode("ascii")}
    assert isinstance(session, PuzzleGameSession)
    return {"text": session.game.written()}
