"""The learned estimate: its inputs by all layouts, its sums by numpy, and the cells it chooses."""

import json
from collections import defaultdict
from math import log
from random import Random

import numpy as np
import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.kernel.grid import DONE, KNOWN_MINE, UNKNOWN
from satsweeper.play.kernel.learned import INPUTS, best_learned, judge_cell, room_for_network
from satsweeper.play.kernel.lookahead import EDGES
from satsweeper.play.kernel.second_safety import find_candidates
from satsweeper.play.scratch import Scratch
from satsweeper.play.strategies.built_in import WEIGHTS, network_of, shipped_network
from satsweeper.play.view import GuessView
from tests.commands import ROOT
from tests.play.cells import all_layouts, neighbours, open_some

SHIPPED = ROOT / "satsweeper" / "play" / "strategies" / "learned.json"


def view_of(cells, total):
    rows, columns = cells.shape
    scratch = Scratch(rows, columns)
    codes = np.ascontiguousarray(cells).reshape(-1).copy()
    found = find_chances(scratch.grid, codes, total, scratch.moves.work, scratch.chances)
    assert found == DONE
    return GuessView(BoardSize(rows, columns, total), codes, scratch)


def judged(view, network, index):
    scratch = view.scratch
    known = scratch.grid, view.codes, view.board.mines, scratch.moves.work
    find_candidates(*known, scratch.chances, scratch.candidates, WEIGHTS)
    # No cell is left out as dead, and no pair counts: both have tests of their own.
    scratch.candidates.lookahead.dead[:] = 0
    scratch.candidates.pairs.guessed[:] = 0
    return judge_cell(*known, scratch.candidates, network, index)


def by_numpy(held, inputs):
    hidden, output = np.array(held["hidden"]), np.array(held["output"])
    units = len(hidden)
    sums = np.maximum(hidden[:, :-1] @ inputs + hidden[:, -1], 0) @ output[:units]
    return 1 / (1 + np.exp(-(sums + output[units:-1] @ inputs + output[-1])))


def inputs_by_layouts(cells, total, cell, value, layouts):
    """The inputs after ``value`` was shown at ``cell``, from all ``layouts`` in which it is."""
    shape, covered = cells.shape, [each for each in layouts[0] if each != cell]
    mined = {each: sum(one[each] == "*" for one in layouts) / len(layouts) for each in covered}
    opened = {tuple(each) for each in np.argwhere(cells >= 0).tolist()} | {cell}
    frontier = [each for each in covered if neighbours(each, shape) & opened]
    inside = [each for each in covered if each not in frontier]
    spectrum = defaultdict(int)
    for each in frontier:
        p = mined[each]
        place = 0 if p == 0 else len(EDGES) + 2 if p == 1 else 1 + sum(p >= edge for edge in EDGES)
        spectrum[place] += 1
    safest = [*sorted((1 - p for p in mined.values()), reverse=True), 0, 0]
    certain = sum(p == 0 for p in mined.values())
    clues = [set(neighbours(each, shape)) & set(frontier) for each in opened]
    parts = []
    for clue in filter(None, clues):
        joined = [part for part in parts if part & clue]
        parts = [part for part in parts if not part & clue] + [clue.union(*joined)]
    open_left = max(len(covered) - spectrum[0] - spectrum[len(EDGES) + 2], 1)
    rest = total - spectrum[len(EDGES) + 2]
    around = neighbours(cell, shape) & set(covered)
    before = opened - {cell}
    loose = 1 - mined[inside[0]] if inside else 0
    return [
        log(1 + log(len(layouts))), log(len(layouts)) / open_left, log(open_left), rest / open_left,
        log(1 + len(inside)), loose, safest[0], safest[1], float(certain > 0), log(1 + certain),
        sum(mined[each] * (1 - mined[each]) for each in frontier), len(parts), 0, 0,
        float(value == 0), value, len(around),
        sum(not neighbours(each, shape) & before for each in around),
        open_left - (len(inside) if loose < 1 else 0), len(inside) / open_left, rest,
        log(len(layouts)), *(spectrum[place] for place in range(len(EDGES) + 3)),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_a_cell_is_judged_by_what_all_layouts_leave_after_each_value(seed):
    random = Random(seed)
    cells, total = open_some(*random.choice([(4, 4), (3, 5), (2, 7), (1, 12)]), random)
    layouts = all_layouts(cells, total)
    held = json.loads(SHIPPED.read_text("ascii"))
    view, network = view_of(cells, total), shipped_network()
    for cell in random.sample([*layouts[0]], min(3, len(layouts[0]))):
        shown = defaultdict(list)
        for layout in layouts:
            shown[layout[cell]].append(layout)
        if set(shown) == {"*"}:
            continue
        worth = judged(view, network, view.index(cell))
        wanted = 0
        for value, part in shown.items():
            if value == "*":
                continue
            inputs = inputs_by_layouts(cells, total, cell, value, part)
            assert network.inputs[value] == pytest.approx(inputs, abs=1e-9)
            assert network.worth[value] == pytest.approx(by_numpy(held, np.array(inputs)))
            wanted += len(part) / len(layouts) * network.worth[value]
        assert worth == pytest.approx(wanted)


@pytest.mark.parametrize("seed", range(20))
def test_whatever_the_numbers_no_certain_mine_is_chosen_and_the_position_stays(seed):
    random, drawn = Random(seed), np.random.default_rng(seed)
    cells, total = open_some(*random.choice([(4, 4), (3, 5), (4, 5)]), random)
    view, network = view_of(cells, total), room_for_network(3)
    network.hidden[:] = drawn.normal(size=network.hidden.shape)
    network.output[:] = drawn.normal(size=network.output.shape)
    # As in a game, mines that are certain are known.
    scratch, view.codes[view.scratch.chances == 1] = view.scratch, KNOWN_MINE
    before = view.codes.copy()
    known = scratch.grid, view.codes, total, scratch.moves.work, scratch.chances
    if not (view.codes == UNKNOWN).any() or find_chances(*known) != DONE:
        return
    cell = view.best_by(best_learned, WEIGHTS, network, scratch.second_move(network))
    assert view.codes[view.index(cell)] == UNKNOWN
    assert view.chance(cell) < 1
    assert np.array_equal(view.codes, before)


def test_the_shipped_network_has_a_number_for_every_input():
    network = shipped_network()
    assert network.hidden.shape[1] == INPUTS + 1
    assert len(network.output) == len(network.hidden) + INPUTS + 1
    with pytest.raises(ValueError, match="numbers for each unit"):
        network_of('{"hidden": [[1, 2]], "output": [1, 2]}')
