"""``ask``, the function that the page calls; questions and answers are JSON."""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from satsweeper.board.errors import Error

Answer = Callable[[dict[str, Any]], dict[str, Any]]

QUESTIONS: Final[dict[str, str]] = {
    "read": "boards", "write": "boards", "classify": "boards", "odds": "boards",
    "explain": "boards", "export": "boards", "edit": "puzzles", "play": "games",
    "best": "advice", "review": "review", "picture": "sharing", "record": "sharing",
    "certificate": "sharing",
}  # fmt: skip
"""Name of a question -> the module of this folder with the answering function of equal name.

The function gets an object with all entries of the question but ``ask``.
"""


def ask(question: str) -> str:
    """The answer to a question; ``question`` is an object in JSON with the entry ``ask``.

    The answer to bad input has the entry ``error``, one line for a person. Exceptions that are
    defects of the program are raised.

    >>> ask('{"ask": "classify", "board": {"rows": ["1??", "12?", "01?"], "mines": null}}')[:41]
    '{"schema": "satsweeper/classify/1", "rows'
    >>> ask('{"ask": "classify", "board": {"rows": ["1x"], "mines": null}}')[:38]
    '{"error": "board:2:2: unknown characte'
    """
    asked = json.loads(question)
    try:
        name = asked.pop("ask")
        module = import_module(f"satsweeper.show.page.{QUESTIONS[name]}")
        answer: Answer = getattr(module, name)
        return json.dumps(answer(asked))
    except (Error, ValueError) as error:
        return json.dumps({"error": str(error)})


def warm_up() -> None:
    """Import the modules that the first questions need; load no solver and make no tables."""
    # The single-clue rules decide this board.
    board = {"rows": ["1??", "12?", "01?"], "mines": None}
    for question in ("classify", "odds"):
        ask(json.dumps({"ask": question, "board": board}))
    for module in ("show.page.games", "show.page.advice", "play.generation.run"):
        import_module(f"satsweeper.{module}")
