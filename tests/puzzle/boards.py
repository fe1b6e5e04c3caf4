"""Random boards under random rules, for tests of readers and writers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from satsweeper.puzzle.clue import Clue, Region, read_clue
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.puzzle import Puzzle
from tests.puzzle import plain_boards as plain

TEXTS = {
    "W": st.lists(st.integers(1, 9), max_size=4).map(lambda runs: "".join(map(str, runs)) or "0"),
    "2X": st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda two: f"{two[0]}{two[1]}"),
    "2P": st.sampled_from(["1", "2", "4", "8", "10", "20", "25", "1000"]),
    "2M": st.sampled_from("012"),
    "2E": st.sampled_from("ABCDEFGHI"),
    "HC": st.sampled_from(["0", "3", "{3}"]),
    "HN": st.sampled_from(["2", "-2-"]),
}
"""Rules -> texts of clues; other rules have numbers."""
NUMBERS = st.sampled_from(["0", "1", "2", "3", "7", "8", "9", "10", "12", "31"])
KINDS = [*plain.SINGLE, *plain.PAIRS, "2E", "2I", "2L", "HC", "HN", "HB"]


def clues(letters: str) -> st.SearchStrategy[Clue]:
    """Clues under the rules ``letters``; under ``#`` each has a rule of its own."""
    if letters == "#":
        own = st.sampled_from([each for each in KINDS if " " not in each])
        return own.flatmap(clues)
    texts = next((TEXTS[each] for each in letters.split() if each in TEXTS), NUMBERS)
    return texts.map(lambda text: read_clue(text, tuple(letters.split())))


@st.composite
def grids(draw: Any, most: int = 5) -> Puzzle:
    """Grids with rules, clues, flags and perhaps a total, which text can hold."""
    name = draw(st.sampled_from(["square", "torus", "hexagonal", "triangular", "knight", "cross"]))
    least = 3 if name == "torus" else 1
    rows, columns = draw(st.integers(least, most)), draw(st.integers(least, most))
    layouts = draw(st.lists(st.sampled_from(sorted(plain.LAYOUTS)), max_size=2, unique=True))
    letters = draw(st.sampled_from(["", "#", *KINDS]))
    cells = range(rows * columns)
    flags = draw(st.sets(st.sampled_from(cells), max_size=3))
    places = [cell for cell in cells if cell not in flags and draw(st.booleans())]
    return Puzzle(
        grid(name, rows, columns),
        (*layouts, *letters.split()),
        clues={cell: draw(clues(letters or "V")) for cell in places},
        flags=frozenset(flags),
        mines=draw(st.none() | st.integers(0, len(cells))),
    )


@st.composite
def puzzles(draw: Any) -> Puzzle:
    """Boards of any geometry with all parts that JSON can hold."""

    def drawn_graph(names: list[Any]) -> Geometry:
        near = {name: draw(st.lists(st.sampled_from(names), unique=True)) for name in names}
        return graph({name: [x for x in found if x != name] for name, found in near.items()})

    names: st.SearchStrategy[Any] = st.text(max_size=3).filter(str.isprintable) | st.integers(-5, 5)
    names |= st.tuples(names, names)
    geometry = draw(
        st.sampled_from(["grid", "cubes", "hexcells", "graph"]).flatmap(
            lambda name: {
                "grid": grids(3).map(lambda found: found.geometry),
                "cubes": st.builds(cubes, *[st.integers(1, 2)] * 3),
                "hexcells": st.sets(
                    st.tuples(st.integers(0, 5), st.integers(0, 5)).map(
                        lambda at: (2 * at[0] + at[1] % 2, at[1])
                    ),
                    min_size=1,
                ).map(hexcells),
                "graph": st.lists(names, min_size=1, max_size=6, unique=True).map(drawn_graph),
            }[name]
        )
    )
    cells = range(len(geometry))
    states = [draw(st.sampled_from(["", "", "flag", "opened", "shown", "clue"])) for _ in cells]

    def those(wanted: str) -> list[int]:
        return [cell for cell in cells if states[cell] == wanted]

    some = st.lists(st.sampled_from(cells), max_size=4, unique=True)
    letters = draw(st.sampled_from(["V", "#", *KINDS]))
    found = {cell: draw(clues(letters)) for cell in those("clue")}
    # A clue on a known mine, and one with rules of its own.
    found |= {cell: draw(clues("HB")) for cell in those("shown") if draw(st.booleans())}
    capacity = {cell: draw(st.integers(1, 3)) for cell in draw(some)}
    puzzle = Puzzle(
        geometry,
        tuple(letters.split()) if draw(st.booleans()) or letters != "V" else (),
        clues=found,
        flags=frozenset(those("flag")),
        opened=frozenset(those("opened")),
        shown=frozenset(those("shown")),
        dyed=draw(st.none() | some.map(frozenset)),
        weights={cell: draw(st.integers(-3, 3)) for cell in draw(some)},
        capacity=capacity,
        regions=tuple(
            Region(f"region {at}", tuple(draw(some)), draw(st.integers(0, 3)),
                   draw(st.sampled_from(["", "together", "apart"])))
            for at in range(draw(st.integers(0, 2)))
        ),
    )  # fmt: skip
    return replace(puzzle, mines=draw(st.none() | st.integers(0, puzzle.board.num_vars)))
