"""The models of the gallery: short, on their page, and right by plain checks or published facts."""

import io
import runpy
from contextlib import redirect_stdout
from itertools import combinations, pairwise, permutations, product
from math import gcd
from pathlib import Path
from types import SimpleNamespace

import pytest

from scripts import write_gallery

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "examples" / "gallery"
NAMES = sorted(path.stem for path in GALLERY.glob("*.py"))
PETERSEN = [(i, (i + 1) % 5) for i in range(5)] + [(i, i + 5) for i in range(5)]
PETERSEN += [(i + 5, (i + 2) % 5 + 5) for i in range(5)]


def different(values) -> bool:
    values = list(values)
    return len(set(values)) == len(values)


def flat(rows):
    return [each for row in rows for each in row]


def latin(rows) -> bool:
    return all(map(different, rows)) and all(map(different, zip(*rows, strict=True)))


def n_queens(m):
    q = m.answer
    assert all(abs(q[i] - q[j]) not in (0, j - i) for i, j in combinations(range(8), 2))


def sudoku(m):
    rows = [[m.answer[r, c] for c in range(9)] for r in range(9)]
    boxes = [[rows[r + i][c + j] for i, j in product(range(3), repeat=2)]
             for r, c in product((0, 3, 6), repeat=2)]  # fmt: skip
    assert latin(rows)
    assert all(set(box) == set(range(1, 10)) for box in boxes)
    given = zip("".join(m.GIVEN), (n for row in rows for n in row), strict=True)
    assert all(sign in (".", str(n)) for sign, n in given)


def graph_colouring(m):
    assert len(set(m.answer.values())) == 3
    assert all(m.answer[v] != m.answer[w] for v, w in PETERSEN)
    assert all(any(s[v] == s[w] for v, w in PETERSEN) for s in product((0, 1), repeat=10))


def magic_square(m):
    rows = [[m.answer[r, c] for c in range(4)] for r in range(4)]
    lines = [*rows, *zip(*rows, strict=True), [rows[i][i] for i in range(4)]]
    lines.append([rows[i][3 - i] for i in range(4)])
    assert {sum(line) for line in lines} == {34}
    assert sorted(flat(rows)) == list(range(1, 17))


def knapsack(m):
    things = [[i for i in range(8) if bits >> i & 1] for bits in range(256)]
    fitting = [some for some in things if sum(m.WEIGHTS[i] for i in some) <= 50]
    best = max(sum(m.VALUES[i] for i in some) for some in fitting)
    taken = [i for i, there in m.answer.items() if there]
    assert taken in fitting
    assert sum(m.VALUES[i] for i in taken) == best


def golomb_ruler(m):
    assert different(b - a for a, b in combinations(m.answer, 2))
    assert (len(m.answer), m.answer[-1]) == (5, 11)


def pigeonhole(m):
    assert m.answer is False


def social_golfers(m):
    groups = [[p for p in range(9) if m.answer[r, g, p]] for r in range(4) for g in range(3)]
    assert all(len(group) == 3 for group in groups)
    assert all(sorted(flat(groups[i : i + 3])) == list(range(9)) for i in range(0, 12, 3))
    assert different(pair for group in groups for pair in combinations(group, 2))


def nonogram(m):
    def runs(line):
        return [len(run) for run in "".join("#" if black else " " for black in line).split()]

    rows = [[m.answer[r, c] for c in range(5)] for r in range(5)]
    assert [runs(row) for row in rows] == m.ROWS
    assert [runs(column) for column in zip(*rows, strict=True)] == m.COLUMNS


def latin_square(m):
    first, second = ([[m.answer[s, (r, c)] for c in range(4)] for r in range(4)] for s in range(2))
    assert latin(first)
    assert latin(second)
    assert different(zip(flat(first), flat(second), strict=True))


def send_more_money(m):
    found = {word: int("".join(str(m.answer[c]) for c in word)) for word in ("SEND", "MORE")}
    assert found == {"SEND": 9567, "MORE": 1085}
    assert different(m.answer.values())


def zebra(m):
    by_house = {kind: {m.answer[name]: name for name in kind.split()} for kind in m.KINDS}
    houses, people, drinks, animals, smokes = by_house.values()
    assert people[m.answer["zebra"]] == "Japanese"
    assert people[m.answer["water"]] == "Norwegian"
    assert (houses[1], drinks[3], animals[3], smokes[1]) == ("yellow", "milk", "snail", "Kools")


def subset_sum(m):
    assert sum(m.answer) == m.GOAL
    assert set(m.answer) <= set(m.NUMBERS)


def bin_packing(m):
    bins = {k: [m.SIZES[i] for i, at in m.answer.items() if at == k] for k in m.answer.values()}
    assert sorted(flat(bins.values())) == sorted(m.SIZES)
    assert all(sum(sizes) <= 10 for sizes in bins.values())
    assert len(bins) == -(-sum(m.SIZES) // 10)


def job_shop(m):
    spans = {(j, k): (m.JOBS[j][k][0], t, t + m.JOBS[j][k][1]) for (j, k), t in m.answer.items()}
    assert all(spans[j, k][2] <= spans[j, k + 1][1] for j, k in spans if (j, k + 1) in spans)
    assert all(
        a[0] != b[0] or a[2] <= b[1] or b[2] <= a[1] for a, b in combinations(spans.values(), 2)
    )
    # The instance is that of OR-Tools' guide, which gives 11 as its optimum.
    assert max(end for _, _, end in spans.values()) == m.best.value == 11


def vertex_cover(m):
    assert all(v in m.answer or w in m.answer for v, w in PETERSEN)
    assert len(m.answer) == 6
    assert not any(
        all(v in some or w in some for v, w in PETERSEN) for some in combinations(range(10), 5)
    )


def dominating_set(m):
    squares = list(product(range(6), repeat=2))

    def dominated(queens):
        return all(
            any(r == i or c == j or abs(r - i) == abs(c - j) for i, j in queens) for r, c in squares
        )

    assert dominated(m.answer)
    assert len(m.answer) == 3
    assert not any(map(dominated, combinations(squares, 2)))


def max_clique(m):
    assert all(gcd(a, b) == 1 for a, b in combinations(m.answer, 2))
    # No two numbers of a clique share their least prime factor: at most one for each prime.
    assert len(m.answer) == len([2, 3, 5, 7, 11, 13, 17, 19, 23])


def max_cut(m):
    cuts = [sum(s[v] != s[w] for v, w in PETERSEN) for s in product((0, 1), repeat=10)]
    assert sum(m.answer[v] != m.answer[w] for v, w in PETERSEN) == max(cuts) == 12


def set_cover(m):
    every = list(m.SETS)
    covers = [
        sum(m.SETS[each] for each in some)
        for size in range(len(every) + 1)
        for some in combinations(every, size)
        if set().union(*some) >= set(range(1, 13))
    ]
    assert set().union(*m.answer) == set(range(1, 13))
    assert sum(m.SETS[each] for each in m.answer) == min(covers)


def pentomino(m):
    assert sorted(name for name, _ in m.answer) == sorted("LNPUVY")
    assert sorted(cell for _, cells in m.answer for cell in cells) == sorted(
        product(range(5), range(6))
    )
    for name, cells in m.answer:
        apart = sorted(abs(a - c) + abs(b - d) for (a, b), (c, d) in combinations(cells, 2))
        own = [divmod(at, 10) for at in m.PIECES[name]]
        assert apart == sorted(abs(a - c) + abs(b - d) for (a, b), (c, d) in combinations(own, 2))


def langford(m):
    assert all(
        [i for i, n in enumerate(m.answer) if n == k][1] - m.answer.index(k) == k + 1
        for k in range(1, 8)
    )


def van_der_waerden(m):
    colours = list(m.coloured(8).values())
    threes = [(i, i + d, i + 2 * d) for d in range(1, 8) for i in range(8 - 2 * d)]
    assert all(len({colours[i] for i in three}) == 2 for three in threes)
    assert m.answer == 9


def schur(m):
    colour = dict(enumerate(m.coloured(13), start=1))
    assert not any(colour[x] == colour[y] == colour[x + y]
                   for x, y in product(range(1, 13), repeat=2) if x + y <= 13)  # fmt: skip
    assert m.answer == 13


def ramsey(m):
    friends = m.party(5)
    assert all(
        len({friends[pair] for pair in combinations(three, 2)}) == 2
        for three in combinations(range(5), 3)
    )
    assert m.answer == 6


def hamiltonian_cycle(m):
    tour = sorted(m.answer, key=lambda square: m.answer[square])
    jumps = pairwise([*tour, tour[0]])
    assert all({abs(a - c), abs(b - d)} == {1, 2} for (a, b), (c, d) in jumps)
    assert different(m.answer.values())


def travelling_salesman(m):
    def length(tour):
        return sum(abs(a - c) + abs(b - d) for (a, b), (c, d) in pairwise([*tour, tour[0]]))

    first, *others = m.CITIES
    best = min(length([first, *tour]) for tour in permutations(others))
    assert length(sorted(m.answer, key=lambda city: m.answer[city])) == best


def peaceable_queens(m):
    white, black = ([at for (of, at), there in m.answer.items() if there and of == side]
                    for side in ("white", "black"))  # fmt: skip
    assert len(white) == len(black) == 4
    assert not any(
        a == c or b == d or abs(a - c) == abs(b - d) for (a, b), (c, d) in product(white, black)
    )


def minesweeper(m):
    covered = [(r, c) for r in range(3) for c in range(4) if m.BOARD[r][c] == "?"]
    layouts = []
    for values in product((0, 1), repeat=len(covered)):
        mines = dict(zip(covered, values, strict=True))
        if all(
            sum(mines.get((r + i, c + j), 0) for i, j in product((-1, 0, 1), repeat=2))
            == int(m.BOARD[r][c])
            for r in range(3) for c in range(4) if m.BOARD[r][c] != "?"
        ):  # fmt: skip
            layouts.append(mines)
    for cell in covered:
        sign = {(False, True): "?", (True,): "M", (False,): "S"}
        assert m.answer[cell] == sign[tuple(sorted({bool(one[cell]) for one in layouts}))]


def costas_array(m):
    assert different(m.answer)
    vectors = [(j - i, m.answer[j] - m.answer[i]) for i, j in combinations(range(7), 2)]
    assert different(vectors)


def perfect_square(m):
    squares = [(n, m.answer["x", n], m.answer["y", n]) for n in m.SIZES]
    cells = [(x + i, y + j) for n, x, y in squares for i in range(n) for j in range(n)]
    assert sorted(cells) == sorted(product(range(33), range(32)))


def futoshiki(m):
    rows = [[m.answer[r, c] for c in range(4)] for r in range(4)]
    assert latin(rows)
    assert all(m.answer[a] > m.answer[b] for a, b in m.LARGER)
    assert all(m.answer[at] == n for at, n in m.GIVEN.items())


def kakuro(m):
    runs = [(value, [m.answer[name] for name in names.split()]) for value, names in m.RUNS]
    assert all(sum(run) == value and different(run) for value, run in runs)
    assert set(m.answer.values()) <= set(range(1, 10))


def assignment(m):
    tasks = list(m.answer.values())
    best = min(sum(m.COSTS[p][t] for p, t in enumerate(each)) for each in permutations(range(5)))
    assert sum(m.COSTS[p][t] for p, t in enumerate(tasks)) == best
    assert different(tasks)


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_of_a_model_is_right(name):
    with redirect_stdout(io.StringIO()) as printed:
        found = runpy.run_path(str(GALLERY / f"{name}.py"))
    assert printed.getvalue().strip()
    globals()[name](SimpleNamespace(**found))


def test_there_are_thirty_models_of_a_page_at_most():
    lines = {name: len((GALLERY / f"{name}.py").read_text("utf-8").splitlines()) for name in NAMES}
    assert len(lines) >= 30
    assert {name: n for name, n in lines.items() if n > 25} == {}


def test_every_model_has_a_page_with_its_code_and_size_and_a_row_in_the_index():
    models = [write_gallery.read(GALLERY / f"{name}.py") for name in NAMES]
    index = (ROOT / "docs" / "gallery.md").read_text("utf-8")
    assert index == write_gallery.INDEX + "".join(map(write_gallery.row, models))
    pages = {path.stem: path.read_text("utf-8") for path in (ROOT / "docs/gallery").iterdir()}
    assert sorted(pages) == NAMES
    for model in models:
        page = pages[model.name]
        assert f"```python\n{model.source}```\n\nprints\n\n```text\n" in page
        assert page.startswith(write_gallery.head(model))
        assert page.endswith(write_gallery.foot(model))
