"""Counts against a counter of models, and chances against another program's; skipped if missing."""

from io import BytesIO
from typing import Any

import numpy as np
import pytest

from satsweeper import Position, odds
from satsweeper.export.formula import formula_of

MIDDLE = ("exp-sparse-002", "exp-stuck-066", "int-sparse-014", "d30-sparse-014")


def named(sample: list[Any], names: tuple[str, ...]) -> list[Any]:
    found = [record for record in sample if record.name in names]
    assert len(found) == len(names)
    return found


def ganak(text: str, literals: tuple[int, ...] = ()) -> int:
    """The models of a pmc file, projected on the variables it shows, that hold some literals."""
    pyganak = pytest.importorskip("pyganak")
    # An object counts once.
    counter = pyganak.Counter()
    clauses = [[literal] for literal in literals]
    shown: set[int] = set()
    for line in text.splitlines():
        words = line.split()
        if line.startswith("p cnf"):
            counter.new_vars(int(words[2]))
        elif line.startswith("c p show"):
            shown = {int(word) for word in words[3:-1]}
        elif words[0] not in "cp":
            clauses.append([int(word) for word in words[:-1]])
    counter.add_clauses(clauses)
    # Of hundreds of variables in no clause it loses count (2.8.0): each doubles the number.
    bound = shown & {abs(literal) for clause in clauses for literal in clause}
    counter.set_sampling_set(sorted(bound))
    return int(counter.count()) << len(shown) - len(bound)


@pytest.mark.parametrize("encoding", ["direct", "totalizer"])
def test_a_counter_of_models_counts_the_same_layouts_without_the_total(
    sample: list[Any], encoding: str
) -> None:
    """With the total a generic counter has no chance; without it regions are independent."""
    pytest.importorskip("pyganak")
    for record in named(sample, MIDDLE if encoding == "direct" else MIDDLE[:2]):
        position = Position.parse(record.text, mines=None)
        export = formula_of(position, encoding=encoding)
        stream = BytesIO()
        export.write(stream, "pmc")
        text = stream.getvalue().decode()
        found = odds(position)
        assert ganak(text) == found.solutions
        cells = [tuple(cell) for cell in export.board.cells.tolist()]
        for cell in cells[:: len(cells) // 2]:
            variable = cells.index(cell) + 1
            mined = found.mine[cell] * found.solutions
            assert ganak(text, (variable,)) == mined


def test_ms_toollib_gives_the_same_chances_in_doubles(sample: list[Any]) -> None:
    toollib = pytest.importorskip("ms_toollib")
    expert = [record for record in sample if record.name.startswith(("exp-", "b8-"))]
    assert len(expert) == 24
    for record in expert:
        position = Position.parse(record.text)
        codes = np.where(position.cells < 0, 10, position.cells).tolist()
        theirs, _ = toollib.cal_probability_onboard(codes, float(position.mines or 0))
        for (row, column), chance in odds(position).mine.items():
            assert float(chance) == pytest.approx(theirs[row][column], abs=1e-9)
