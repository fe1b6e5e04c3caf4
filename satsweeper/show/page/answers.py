"""Verdicts, odds and reasons for the page, as the command line gives them with ``--json``."""

from typing import Any

from satsweeper.answers.classification import Status
from satsweeper.answers.explanation import Explanation
from satsweeper.board.view import Flags
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError
from satsweeper.count.odds import odds as count
from satsweeper.position import Position
from satsweeper.search.session import Session
from satsweeper.show.page.boards import position_of
from satsweeper.show.sentences import clash_sentence, percent


def classify(asked: dict[str, Any]) -> dict[str, Any]:
    """The verdicts of a ``board``, or the clues that clash; ``flags``: trust (default) or ignore.

    As ``classify --json``; an inconsistent board also has a ``sentence``.
    """
    flags: Flags = asked.get("flags", "trust")
    with Session(position_of(asked["board"]), flags=flags, beyond=True) as session:
        found = session.classify()
    answer = found.as_json()
    if found.conflict is not None:
        answer["sentence"] = clash_sentence(found)
    return answer


def odds(asked: dict[str, Any]) -> dict[str, Any]:
    """The chances of a mine in the covered cells of a ``board``, as ``odds --json``.

    Each cell also has ``said``: its chance in words. A board without a layout has no cells.
    """
    try:
        found = count(position_of(asked["board"]), flags=asked.get("flags", "trust"))
    except NoLayoutError:
        return {"solutions": "0", "cells": []}
    except OddsLimitError as error:
        return {"error": f"no odds: {error}"}
    said = {id(chance): percent(chance) for chance in found.distinct()}
    answer = found.as_json()
    for cell, chance in zip(answer["cells"], found.by_index.values(), strict=True):
        cell["said"] = said[id(chance)]
    answer["safest"] = [list(cell) for cell in found.safest()]
    return answer


def explain(asked: dict[str, Any]) -> dict[str, Any]:
    """The reason for the verdict on the ``cell`` of a ``board``, as ``explain --json``.

    The sentence of a cell that is not certain tells its chance as well.
    """
    position, flags = position_of(asked["board"]), asked.get("flags", "trust")
    row, column = asked["cell"]
    with Session(position, flags=flags, beyond=True) as session:
        found = session.classify()
        if found.status is Status.INCONSISTENT:
            return classify(asked)
        told = session.explain((row, column))
    answer = told.as_json()
    if told.reason is None:
        answer["sentence"] = _open_question(position, told, flags)
    return answer


def _open_question(position: Position, told: Explanation, flags: Flags) -> str:
    said = f"{told.cell} is not certain: it is a mine in some layouts and safe in others."
    try:
        chance = count(position, flags=flags).mine[told.cell]
    except OddsLimitError:
        return said
    return f"{said} A mine with {percent(chance)}."
