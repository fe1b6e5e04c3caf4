"""The best move for the page: a certain cell and its reason, else a guess and its chances."""

from typing import Any, Final

from satsweeper.answers.classification import Status
from satsweeper.board.codes import Cell
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import odds
from satsweeper.play.few_layouts import few_layouts_choices
from satsweeper.puzzle.play.advice import advise_puzzle
from satsweeper.search.session import PositionSession
from satsweeper.show.page import puzzles
from satsweeper.show.page.boards import classify, position_of
from satsweeper.show.sentences import percent

_TRIED: Final = 5
"""The most certain cells whose reasons are compared, so that the simplest is shown."""
NO_TOTAL: Final = (
    "No cell is certain to be safe, and a guess can be judged only with the number of mines:"
    " give it below."
)


def best(asked: dict[str, Any]) -> dict[str, Any]:
    """The best move on a ``board`` as the player sees it, near the cell ``near``; null if none is.

    The answer has the ``cell`` and a ``sentence``. Of a safe cell it also has the ``clues`` and
    ``flags`` that force it; of a guess the chance to be ``safe``, and the chance to ``win`` of the
    best play from there, null where more than a few layouts are left. On an inconsistent board the
    answer is that of ``classify``.
    """
    if "text" in asked["board"]:
        return _best_of_puzzle(asked)
    position, flags = position_of(asked["board"]), asked.get("flags", "trust")
    row, column = asked["near"]

    def distance(cell: Cell) -> tuple[int, Cell]:
        return max(abs(cell[0] - row), abs(cell[1] - column)), cell

    with PositionSession(position, flags=flags, beyond=True) as session:
        found = session.classify()
        if found.status is Status.INCONSISTENT:
            return classify(asked)
        near = sorted(found.safe, key=distance)[:_TRIED]
        reasons = [session.explain(cell) for cell in near]
    if reasons:
        shown = min(reasons, key=lambda each: len(each.reason.clues) if each.reason else 0)
        answer = shown.as_json()
        return _safe(answer, answer["sentence"])
    if not found.unknown:
        return {"cell": None, "sentence": "Nothing is left to open."}
    if position.mines is None:
        return {"cell": None, "sentence": NO_TOTAL}
    try:
        counted = odds(position, flags=flags)
    except OddsLimitError as error:
        return {"cell": None, "sentence": f"No cell is certain to be safe. No odds: {error}."}
    choices = few_layouts_choices(position, counted, flags)
    if choices is None:
        cell = min(counted.safest(), key=distance)
        return _guess(cell, str(cell), counted.mine[cell], None)
    first = choices[0]
    answer = _guess(first.cell, str(first.cell), 1 - first.safe, first.win)
    safest = max(choices, key=lambda choice: (choice.safe, choice.win or 0))
    if safest.safe > first.safe:
        answer["sentence"] += (
            f" {safest.cell} is a mine only with {percent(1 - safest.safe)}, but after it the best"
            f" play wins with {percent(safest.win or first.safe * 0)}."
        )
    return answer


def _safe(answer: dict[str, Any], sentence: str) -> dict[str, Any]:
    return {
        "cell": answer["cell"],
        "clues": answer["clues"],
        "flags": answer["flags"],
        "sentence": sentence,
    }


def _guess(cell: Any, name: str, chance: Any, win: Any) -> dict[str, Any]:
    sentence = f"No cell is certain to be safe. The best guess is {name}: a mine with"
    sentence += f" {percent(chance)}."
    if win is not None:
        sentence += f" The best play wins from here with {percent(win)}."
    return {
        "cell": list(cell),
        "safe": float(1 - chance),
        "win": None if win is None else float(win),
        "sentence": sentence,
    }


def _best_of_puzzle(asked: dict[str, Any]) -> dict[str, Any]:
    puzzle = puzzles.puzzle_of(asked["board"])
    advice = advise_puzzle(puzzle, asked.get("flags", "trust"))
    if advice.inconsistent is not None:
        return puzzles.classify(asked)
    rows = puzzles.places(puzzle)
    if advice.certain:
        cell = min(advice.certain, key=lambda number: _apart(rows[number], asked["near"]))
        answer = puzzles.explain(asked | {"cell": rows[cell]})
        return _safe(answer, answer["sentence"])
    if advice.needs_total:
        return {"cell": None, "sentence": NO_TOTAL}
    if not advice.choices:
        return {"cell": None, "sentence": "Nothing is left to open."}
    number, safe = advice.choices[0]
    return _guess(rows[number], str(puzzle.geometry.cells[number]), 1 - safe, None)


def _apart(place: list[int], other: list[int]) -> tuple[int, list[int]]:
    return max(abs(a - b) for a, b in zip(place, other, strict=True)), place
