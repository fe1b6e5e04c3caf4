"""The measurement of coverage: games, intervals, tables, and the published file."""

import re
from pathlib import Path
from random import Random

import networkx as nx
import pytest

from satsweeper.board.geometry import Square
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick
from scripts import measure_coverage
from scripts.certain_moves import summary as moves

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "coverage.md"
SMALL = ("--boards", "6x5/6", "--games", "12")


def run(capsys, *arguments):
    code = measure_coverage.main([*map(str, arguments)])
    return code, capsys.readouterr()


def rows(table):
    lines = [line for line in table.strip().splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]
    assert all(len(row) == len(cells[0]) for row in cells)
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]]


def share(text):
    """``30.1% (24.9 to 35.6)`` as three numbers in per cent."""
    match = re.fullmatch(r"([0-9.]+)% \(([0-9.]+) to ([0-9.]+)\)", text)
    value, low, high = map(float, match.groups())
    assert 0 <= low <= value <= high <= 100
    return value, low, high


def test_figures_depend_on_the_seed_alone(capsys):
    one = run(capsys, *SMALL, "--json")[1].out
    assert run(capsys, *SMALL, "--json", "--jobs", 2)[1].out == one
    assert run(capsys, *SMALL, "--json", "--seed", 2)[1].out != one


def test_a_game_is_the_same_for_all_methods_and_goes_on_to_its_end():
    plan = moves.Plan(BoardSize(8, 8, 10), FirstClick.OPENING, (3, 3), moves.DEFAULT, 1)
    for number in range(8):
        record = moves.play(plan, number)
        assert record == moves.play(plan, number)
        shares = dict(zip(moves.DEFAULT, record.shares, strict=True))
        won = dict(zip(moves.DEFAULT, record.won, strict=True))
        assert 9 / 54 <= shares["single_clue"] <= shares["subset"] <= shares["sat"]
        assert shares["sat"] <= shares["sat+total"] <= 1
        assert won == {name: value == 1 for name, value in shares.items()}
        assert record.won_with_guesses or not won["sat+total"]
        guessed = [seen.guessed for seen in record.seen]
        assert guessed == sorted(guessed)
        assert all(seen.undecided <= seen.covered for seen in record.seen)
        if not won["sat+total"]:
            assert [seen for seen in record.seen if not seen.guessed][-1].stuck


def test_positions_of_one_game_are_not_taken_for_independent():
    # Ten games of a hundred positions each, all alike within a game.
    parts, wholes = [100.0, 0.0] * 5, [100.0] * 10
    found = moves.ratio(parts, wholes, seed=1)
    assert found.value == 0.5
    assert found.high - found.low > 0.5
    assert moves.proportion(500, 1000).high - moves.proportion(500, 1000).low < 0.07
    assert moves.ratio([0.0], [0.0], seed=1) == moves.Share(0, 0, 1)


def test_the_section_of_a_file_is_replaced_and_nothing_else(capsys, tmp_path):
    file = tmp_path / "page.md"
    other = "<!-- more: kept -->\nkept\n<!-- end of more -->\n"
    file.write_text(f"above\n<!-- coverage: old -->\nold\n<!-- end of coverage -->\n{other}below\n")
    code, printed = run(capsys, *SMALL, "--update", file)
    assert code == 0
    text = file.read_text()
    made_by = "python scripts/measure_coverage.py --boards 6x5/6 --games 12 --seed 1"
    assert text.startswith(f"above\n<!-- coverage: {made_by} -->\n\n### 6x5/6, first cell (0, 0)")
    assert text.endswith(f"<!-- end of coverage -->\n{other}below\n")
    assert printed.out.strip() in text
    assert "old" not in text
    run(capsys, *SMALL, "--update", file, "--section", "more", "--no-groups", "--methods", "sat")
    assert f"<!-- more: {made_by} --methods sat --no-groups -->" in file.read_text()


def published(name):
    text = PUBLISHED.read_text("utf-8")
    found = re.search(rf"<!-- {name}: (.*) -->\n(.*)<!-- end of {name} -->", text, re.DOTALL)
    made_by, content = found.groups()
    return made_by, re.split(r"(?m)^### ", content)[1:]


@pytest.mark.parametrize("name", ["coverage", "coverage with the total"])
def test_the_published_tables_carry_the_command_that_made_them(name):
    made_by, parts = published(name)
    arguments = measure_coverage._arguments(made_by.split()[2:])
    assert measure_coverage.command(arguments) == made_by
    assert len(parts) == 2
    for part in parts:
        assert f"\n{arguments.games} games." in part
        tables = re.findall(r"(?m)(?:^\|.*\n?)+", part)
        assert len(tables) == (2 if arguments.groups else 1)
        coverage = rows(tables[0])
        assert tuple(row["method"] for row in coverage) == arguments.methods
        for row in coverage:
            _, low, high = share(row["safe cells open, mean"])
            share(row["solved"])
            claim = moves.METHODS[row["method"]].claim
            if claim:
                outside = high < claim[0] or low > claim[1]
                assert row["the claim"].startswith("excluded") == outside
        for row in rows(tables[1]) if arguments.groups else []:
            assert int(row["number"]) >= int(row["largest"]) > 20
            at15, at20 = (share(row[f"over {limit}: positions"])[0] for limit in (15, 20))
            assert at15 >= at20
            assert share(row["over 15: games"])[0] >= share(row["over 20: games"])[0]


# -- Groups of cells under common clues, against a graph.


def test_groups_are_the_components_of_the_graph_of_cells_and_clues():
    square = Square(8, 9)
    random = Random(3)
    cells = [square.index((r, c)) for r in range(8) for c in range(9)]
    several = 0
    for _ in range(200):
        clues = random.sample(cells, random.randint(0, 20))
        counted = random.sample(sorted(set(cells) - set(clues)), random.randint(0, 40))
        graph = nx.Graph()
        for clue in clues:
            for cell in set(square.neighbours(clue)) & set(counted):
                graph.add_edge(("clue", clue), cell)
        expected = {
            frozenset(n for n in part if isinstance(n, int))
            for part in nx.connected_components(graph)
        }
        several += len(expected) > 1
        found = moves.groups(square, board_of(clues, square.size), board_of(counted, square.size))
        assert {frozenset(indices(group, square.size)) for group in found} == expected
        assert len(found) == len(expected)
    assert several > 50


def test_cells_that_no_clue_counts_are_in_no_group():
    # A clue at each end of a row, and a cell in the middle that neither counts.
    assert moves.groups(Square(1, 7), 0b1000001, 0b0111110) == [0b10, 0b100000]
    assert moves.groups(Square(1, 7), 0, 0b1111111) == []


def test_cells_left_out_no_longer_tie_their_neighbours():
    # Clues in the upper row; below, the second clue counts all three cells.
    square = Square(2, 3)
    assert moves.groups(square, 0b0000_0111, 0b0111_0000) == [0b0111_0000]
    assert moves.groups(square, 0b0000_0101, 0b0101_0000) == [0b0001_0000, 0b0100_0000]
