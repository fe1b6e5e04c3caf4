"""``explain`` on boards too large to try every layout: what it shows is checked on the board."""

from random import Random
from typing import Any

import pytest

from tests.commands import call

Cell = tuple[int, int]


def near(cell: Cell) -> list[Cell]:
    row, column = cell
    return [
        (r, c)
        for r in range(row - 1, row + 2)
        for c in range(column - 1, column + 2)
        if (r, c) != cell
    ]


def is_layout(grid: list[str], rows: list[str], total: int | None) -> bool:
    """Whether a grid of ``S`` and ``M`` for covered cells meets every clue, and the total."""
    cells = {(r, c): text for r, row in enumerate(grid) for c, text in enumerate(row)}
    given = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    mines = {cell for cell, text in cells.items() if text in "MF"}
    kept = all(
        text == cells[cell] if text != "?" else cells[cell] in "SM" for cell, text in given.items()
    )
    clues = {cell: int(text) for cell, text in given.items() if text.isdigit()}
    met = all(sum(n in mines for n in near(cell)) == clue for cell, clue in clues.items())
    return kept and met and total in (None, len(mines))


def game(random: Random) -> tuple[list[str], int]:
    """A board in the middle of a game, and its mines."""
    rows, columns = random.randint(3, 6), random.randint(4, 8)
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    mines = {cell for cell in cells if random.random() < 0.25}
    opened = {cell for cell in cells if cell not in mines and random.random() < 0.4}
    text = [
        "".join(
            str(sum(n in mines for n in near((r, c)))) if (r, c) in opened else "?"
            for c in range(columns)
        )
        for r in range(rows)
    ]
    return text, len(mines)


def explain_all(rows: list[str], total: int | None) -> None:
    """Explain every covered cell; verdicts must be those of ``classify``, layouts layouts."""
    header = f"{len(rows)} {len(rows[0])} {'?' if total is None else total}"
    board = "\n".join([header, *rows]) + "\n"
    grid = call("classify", "--json", "-", board=board).json["grid"]
    meaning = {"S": "safe", "M": "mine", "?": "unknown"}
    covered = [(r, c) for r, row in enumerate(rows) for c, text in enumerate(row) if text == "?"]
    for r, c in covered:
        answer = call("explain", "--json", "-", f"{r},{c}", board=board).json
        assert answer["verdict"] == meaning[grid[r][c]]
        for verdict, layout in answer.get("witnesses", {}).items():
            assert layout[r][c] == verdict[0].upper()
            assert is_layout(layout, rows, total)


def test_the_check_of_layouts_tells_layouts_from_others() -> None:
    assert is_layout(["1MS"], ["1??"], 1)
    assert not is_layout(["1MS"], ["1??"], 2)
    assert not is_layout(["1SM"], ["1??"], None)
    assert not is_layout(["1M?"], ["1??"], None)
    assert not is_layout(["2MS"], ["1??"], None)


@pytest.mark.parametrize("seed", range(6))
def test_unknown_cells_of_a_game_have_a_layout_of_each_kind(seed: int) -> None:
    random = Random(seed)
    for _ in range(8):
        rows, mines = game(random)
        explain_all(rows, random.choice([None, mines, mines]))


@pytest.mark.parametrize(
    ("rows", "total"),
    [
        (["??????", "3?3?33", "??1???", "11???2"], 7),
        (["???11?", "3????2", "??????"], 5),
    ],
)
def test_cells_under_the_same_clues_have_layouts_of_their_own(rows: list[str], total: int) -> None:
    explain_all(rows, total)


def test_cells_of_an_expert_board_have_a_layout_of_each_kind(data: Any) -> None:
    path = data.parents[1] / "examples" / "expert.txt"
    rows = [line for line in path.read_text().splitlines() if not line.startswith(";")][1:]
    grid = call("classify", "--json", path).json["grid"]
    unknown = [(r, c) for r, row in enumerate(grid) for c, text in enumerate(row) if text == "?"]
    for r, c in unknown[::12]:
        answer = call("explain", "--json", path, f"{r},{c}").json
        assert answer["witnesses"]["mine"][r][c] == "M"
        assert answer["witnesses"]["safe"][r][c] == "S"
        assert all(is_layout(layout, rows, 99) for layout in answer["witnesses"].values())
