"""``ask``: the one function that the page calls; a question and its answer are JSON."""

import json
from collections.abc import Callable
from typing import Any, Final

from pbcnf.errors import Error as EncodingError
from satsweeper.board.errors import Error
from satsweeper.show.page import answers, boards, exports, games

Answer = Callable[[dict[str, Any]], dict[str, Any]]

QUESTIONS: Final[dict[str, Answer]] = {
    "read": boards.read,
    "write": boards.write,
    "classify": answers.classify,
    "odds": answers.odds,
    "explain": answers.explain,
    "export": exports.export,
    "play": games.play,
}
"""What may be asked; the other entries of a question are what its function takes."""


def ask(question: str) -> str:
    """The answer to a question, an object with the entry ``ask``.

    Bad input is an answer with the entry ``error``, one line for a person. What is a defect of
    ours is raised.

    >>> ask('{"ask": "classify", "board": {"rows": ["1??", "12?", "01?"], "mines": null}}')[:41]
    '{"schema": "satsweeper/classify/1", "rows'
    >>> ask('{"ask": "classify", "board": {"rows": ["1x"], "mines": null}}')
    '{"error": "board:2:2: \\'x\\' is no cell: 0-8, ?, F, or one of #.H-!*"}'
    """
    asked = json.loads(question)
    try:
        return json.dumps(QUESTIONS[asked.pop("ask")](asked))
    except (Error, EncodingError, ValueError) as error:
        return json.dumps({"error": str(error)})


def warm_up() -> None:
    """Import what the first questions need, and load a solver."""
    board = {"rows": ["1??", "12?", "01?"], "mines": 4}
    for question in ("classify", "odds"):
        ask(json.dumps({"ask": question, "board": board}))
    ask(json.dumps({"ask": "explain", "board": board, "cell": [0, 2]}))
