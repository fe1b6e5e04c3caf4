"""What the core answers, as one JSON object: for interpreters with numpy, without, or either way.

``python core_alone.py absent|present|free BOARDS``; a child of ``tests/test_without_numpy.py``.
"""

import json
import pickle
import sys
from pathlib import Path
from typing import Any

if sys.argv[1] == "absent":
    sys.modules["numpy"] = None  # type: ignore[assignment]
elif sys.argv[1] == "present":
    import numpy as numpy

from satsweeper import Classification, Position, Session, Verdict, classify, explain, odds
from satsweeper.board.facts import Flags
from satsweeper.notation.corpus import read_corpus
from satsweeper.notation.formats import FORMATS, read_record, write_record
from satsweeper.notation.record import Record
from satsweeper.notation.solution import solved
from satsweeper.play import Game, advise, generate

BOARDS = Path(sys.argv[2])
EXPERT = BOARDS.parents[3] / "examples" / "expert.txt"


def classified(position: Position, flags: Flags = "trust") -> Any:
    found: Classification = classify(position, flags=flags)
    return [found.status, found.grid()] if found.conflict is None else repr(found.conflict)


def explained(mines: int) -> list[str]:
    """What is said of a cell of every verdict, and of some others, under a total."""
    position = Position.read(EXPERT, mines=mines)
    cells = list(classify(position).verdict)[::19]
    return [repr(explain(position, cell)) for cell in cells]


def counted(mines: int | None) -> dict[str, Any]:
    position = Position.read(EXPERT, mines=mines)
    found, verdicts = odds(position), classify(position).verdict
    for cell, chance in found.mine.items():
        by_chance = {0: Verdict.SAFE, 1: Verdict.MINE}.get(int(chance), Verdict.UNKNOWN)
        if chance.denominator == 1:
            assert verdicts[cell] is by_chance
        else:
            assert verdicts[cell] is Verdict.UNKNOWN
    return {"solutions": str(found.solutions), "sum": str(sum(found.mine.values()))}


def played() -> list[Any]:
    """A game on an expert board: certain moves in one session, until one must guess."""
    game = Game("30x16/99", "opening", seed=7)
    game.open((3, 3))
    told: list[Any] = []
    with Session(game.position()) as session:
        while safe := [c for c, v in session.classify().verdict.items() if v is Verdict.SAFE]:
            for cell in safe:
                for shown in game.open(cell):
                    session.reveal(shown, game[shown])
            told.append([len(safe), session.classify().grid()])
    position = game.position()
    assert pickle.loads(pickle.dumps(position)) == position
    assert told, "the game went on"
    assert position.with_clue(position.covered_cells()[0], 8).text().count("8") >= 1
    return told


def written() -> dict[str, str]:
    """A board and its layout in every notation, read back."""
    layout = generate("30x16/99", seed=3).layout
    mines, rows, columns = layout.mines, layout.geometry.rows, layout.geometry.columns
    truth = solved(mines, rows, columns)
    hidden = Record(Position([[-1] * columns] * rows).padded, columns, 99, truth)
    told = {}
    for name in FORMATS:
        record = hidden
        if "layout" not in FORMATS[name].holds:
            record = record.without("layout")
        if "total" not in FORMATS[name].holds:
            record = record.without("total")
        data = write_record(record, name)
        assert read_record(data, name=name).padded == record.padded
        assert Position.parse(data, format=name).covered_cells() == [
            (row, column) for row in range(rows) for column in range(columns)
        ]
        told[name] = data.hex()
    return told


expert = [r for r in read_corpus(BOARDS) if (r.rows, r.columns) == (16, 30)]
answers = {
    "known": {r.id: classified(Position.parse(r.text)) for r in expert},
    "unknown": {r.id: classified(Position.parse(r.text, mines=None)) for r in expert},
    # 81 and 159 are the fewest and the most mines that this board can hold: the total decides.
    "totals": {m: classified(Position.read(EXPERT, mines=m)) for m in (80, 81, 82, 99, 159, 160)},
    "ignored": classified(Position.read(EXPERT), "ignore"),
    "explained": {mines: explained(mines) for mines in (81, 99, 159)},
    "odds": {str(mines): counted(mines) for mines in (None, 81, 99, 159)},
    "advice": advise(Position.read(EXPERT)).as_json(),
    "game": played(),
    "notations": written(),
}
loaded = sys.modules.get("numpy") is not None
print(json.dumps({"loaded": loaded, "answers": answers}))
