"""The constraints of a board that are left beside its known cells, by independent components."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pbcnf.literals import has_numpy
from satsweeper.count.budget import CountingBudget, OddsLimitError
from satsweeper.count.counts import LayoutCounts
from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.board import Board
from satsweeper.puzzle.board_constraints import TOTAL, board_constraints
from satsweeper.puzzle.constraints.clause import Clause
from satsweeper.puzzle.constraints.clause_set import clause_set
from satsweeper.puzzle.constraints.connected import Connected
from satsweeper.puzzle.constraints.equal_lines import EqualLines
from satsweeper.puzzle.constraints.protocol import Automaton, Constraint
from satsweeper.puzzle.odds.diagram import Reader, count_diagram, expand, reduced
from satsweeper.puzzle.odds.orders import links_of, orders
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.clues.hidden import OneLiar

_WIDE: Final = 16
"""The most columns of a board on which one number of each row and column lies."""
_TRIED: Final = 3
"""The most orders that are tried."""


class Component(NamedTuple):
    """Unknown variables, ascending, and the constraints on them and on no other unknown ones."""

    variables: tuple[int, ...]
    constraints: tuple[Constraint, ...]


class Parts(NamedTuple):
    """Known variables, components of unknown ones, and the variables that only the total counts.

    ``known``: variable -> its value, from cells, flags and clauses with one literal left.
    """

    known: dict[int, bool]
    components: list[Component]
    interior: list[int]
    further: dict[int, int]
    """Further variables, determined by a layout, each with a variable of the cell it belongs to."""


def parts_of(puzzle: Puzzle, flags: str, proved: Mapping[int, bool] | None = None) -> Parts:
    """Return the parts of a board; ``proved``: what variables of components are known to be.

    Raises NoLayoutError where known cells violate a constraint.
    """
    board = puzzle.board
    known = dict(puzzle.known) | dict(proved or {})
    left: list[Constraint] = []
    clauses: list[Clause] = []
    further: dict[int, int] = {}
    for each in board_constraints(puzzle, flags):
        if isinstance(each, Clause):
            clauses.append(each)
        elif isinstance(each, OneLiar):
            columns = len({column for _, column, _, _ in each.cells})
            if columns > _WIDE:
                # States have a bit for each set of columns.
                raise OddsLimitError(f"rule 2L on more than {_WIDE} columns takes too much memory")
            pieces, wrong = each.pieces(board.num_vars + len(further) + 1)
            further |= wrong
            left += pieces
        elif each.parts != (TOTAL,):
            if isinstance(each, EqualLines) and puzzle.mines is not None and not board.capacity:
                each = each.within((puzzle.mines,))
            left.append(each)
    left += _propagated(clauses, known)
    mines = {variable for variable, value in known.items() if value}
    parent = {v: v for v in (*range(1, board.num_vars + 1), *further) if v not in known}

    def root(variable: int) -> int:
        while parent[variable] != variable:
            parent[variable] = variable = parent[parent[variable]]
        return variable

    kept = []
    for each in left:
        if isinstance(each, Connected):
            each = each.without(known)
        scope = [variable for variable in each.scope if variable in parent]
        if scope:
            kept.append((scope[0], each))
        elif not each.holds(mines):
            raise NoLayoutError("the board has no layout")
        for one, other in pairwise(scope):
            parent[root(one)] = root(other)
    held: dict[int, list[Constraint]] = {}
    for first, each in kept:
        held.setdefault(root(first), []).append(each)
    members: dict[int, list[int]] = {}
    for variable in parent:
        members.setdefault(root(variable), []).append(variable)
    components = [
        Component(tuple(variables), tuple(held[each]))
        for each, variables in members.items()
        if each in held
    ]
    interior = [v for each, variables in members.items() if each not in held for v in variables]
    return Parts(known, components, sorted(interior), further)


def _propagated(clauses: Sequence[Clause], known: dict[int, bool]) -> list[Clause]:
    """Add the literals of clauses with one literal left to ``known``; return the other clauses."""
    changed = True
    while changed:
        changed = False
        kept = []
        for clause in clauses:
            # What is known to be false goes; what is known beside that is true.
            lits = [lit for lit in clause.literals if known.get(abs(lit), lit > 0) == (lit > 0)]
            if any(abs(lit) in known for lit in lits):
                continue
            if not lits:
                raise NoLayoutError("the board has no layout")
            if len(lits) == 1:
                known[abs(lits[0])] = lits[0] > 0
                changed = True
            else:
                kept.append(Clause(clause.part, tuple(lits)))
        clauses = kept
    return list(clauses)


class Counted(NamedTuple):
    """The variables of a component in the order of reading, and its counts in this order."""

    order: tuple[int, ...]
    counts: LayoutCounts


def count_component(
    board: Board,
    component: Component,
    parts: Parts,
    budget: CountingBudget,
    thorough: bool,
) -> Counted | None:
    """Return the layouts of a component by its number of true variables, and with each true.

    ``thorough``: whether more than some tenths of a second may be spent; otherwise None is returned
    where they do not suffice.

    Raises OddsLimitError if every order has too many states, or the time is over; NoLayoutError.
    """
    known, further = parts.known, parts.further
    links = links_of(component.constraints, component.variables)
    candidates = orders(board, component.variables, links, further)[:_TRIED]
    order = candidates[0]
    counted = [variable not in further for variable in order]
    layers = expand(_readers(component, order, known), len(order), budget)
    if len(layers) == len(order):
        edges = [(safe.tolist(), mine.tolist()) for safe, mine in reduced(layers, budget)]
        return Counted(order, count_diagram(edges, counted, budget))
    if not thorough:
        return None
    if not has_numpy():
        # Some browsers have no numpy.
        raise OddsLimitError(f"{budget.about} takes too long without numpy")
    from satsweeper.puzzle.odds.products import MAX_STEPS, Steps, compiled

    # A try with a fraction of the steps for each order, then one with all that are allowed.
    tries = [*[(MAX_STEPS >> 5, order) for order in candidates], (MAX_STEPS, candidates[0])]
    for most, order in tries:
        counted = [variable not in further for variable in order]
        steps = Steps(budget, most)
        try:
            layered = compiled(_readers(component, order, known), steps).layers
            edges = [(safe.tolist(), mine.tolist()) for safe, mine in layered]
            return Counted(order, count_diagram(edges, counted, budget))
        except OddsLimitError:
            if not steps.spent or most == MAX_STEPS:
                raise
    raise AssertionError("there is an order")


def _readers(component: Component, order: Sequence[int], known: dict[int, bool]) -> list[Reader]:
    """Return the automata of a component's constraints, past their known variables."""
    place_of = {variable: place for place, variable in enumerate(order)}
    clauses = [each.literals for each in component.constraints if isinstance(each, Clause)]
    readers = []
    if clauses:
        scope = {place_of[abs(lit)] for clause in clauses for lit in clause}
        places = tuple(sorted(scope))
        readers.append(Reader(clause_set(clauses, [order[place] for place in places]), places))
    for each in component.constraints:
        if isinstance(each, Clause):
            continue
        first = [variable for variable in each.scope if variable in known]
        places = tuple(sorted([place_of[v] for v in each.scope if v in place_of]))
        automaton = each.automaton((*first, *[order[place] for place in places]))
        state = automaton.start
        for place, variable in enumerate(first):
            state = automaton.step(place, state, known[variable])
            if state is None:
                raise NoLayoutError("the board has no layout")
        readers.append(Reader(Automaton(state, automaton.step), places, len(first)))
    return readers
