"""Local search on the rows: one variable is flipped after the other, in a row that is not met.

Rows have weights. Of some variables whose flip helps a violated row, drawn at random, the one is
flipped that lowers the weighted violation of all rows most; if none lowers it, rows that are
violated weigh more from then on. The objective is a row as well: it asks for a value better than
the best one. So first solutions are found without a linear program, and large objectives improve
without a counter. Doubles only guide: every solution is checked as any other.

References: Selman, Kautz, Cohen, Noise strategies for improving local search, AAAI 1994 (a row that
is not met, drawn at random); Lei, Cai, Luo, Hoos, Efficient local search for pseudo Boolean
optimization, SAT 2021 (weights of rows and of the objective); Luteberget, Sartor, Feasibility Jump:
an LP-free Lagrangian MIP heuristic, Mathematical Programming Computation 15 (2023).
"""

from collections.abc import Iterator
from typing import Any, Final

from pbcnf.literals import has_numpy
from satsweeper.optimisation.search import PAUSE, Search, Strategy
from satsweeper.solvers.protocol import Satisfied

_SAMPLE: Final = 15
"""Variables of a row that are compared for a flip."""
_TABU: Final = 3
"""Flips until a variable may be flipped back."""
_SLICE: Final = 500
"""Flips between two looks at the best solution of the search."""
_SOON: Final = 4
"""Slices without a better solution after which the search starts again, the first time."""
_PATIENCE: Final = 40
"""The largest number of slices without a better solution until the search starts again."""
_PARTS: Final = (500, 8, 60, 3)
"""The parts of the gap, each 1 / so much, by which a solution is to be better, in turn."""
_HALF: Final = 0.5
_EXACT: Final = 2**53
"""Doubles hold integers up to this one."""
_MOST_TERMS: Final = 5_000_000
"""The limit on terms of all rows."""
_DRAWN: Final = 0.96
"""The range of the threshold at which the relaxation is rounded, around a half."""
_STEP: Final = 60
"""Microseconds of a flip; more for many rows and terms."""


class _Flips:
    """An assignment with the sums and weights of all rows, of which the last row is the cost.

    All is in doubles, which hold the sums of all rows but the last exactly.
    """

    def __init__(self, search: Search) -> None:
        import numpy as np

        rows = [row for row in search.rows if not row.paired]
        number = len(rows)
        terms, _ = search.cost.linear
        places = [*(var - 1 for row in rows for var in row.terms), *(var - 1 for var in terms)]
        factors = [*(each for row in rows for each in row.terms.values()), *terms.values()]
        lengths = [*(len(row.terms) for row in rows), len(terms)]
        self.variables: Final = max(search.problem.num_vars, max(places, default=-1) + 1)
        infinity = float("inf")
        self._cost: Any = np.zeros(self.variables)
        self._cost[np.array([var - 1 for var in terms], int)] = [*terms.values()]
        self._lower: Any = np.array([*(row.least for row in rows), -infinity], float)
        self._upper: Any = np.full(number + 1, infinity)
        place = -1
        for row in search.rows:
            place += not row.paired
            if row.paired:
                self._upper[place] = -row.least
        self._starts: Any = np.concatenate(([0], np.cumsum(lengths)))
        self._places: Any = np.array(places, int)
        self._factors: Any = np.array(factors, float)
        row_of = np.repeat(np.arange(number + 1), lengths)
        sizes = np.bincount(row_of, np.abs(self._factors), number + 1)
        self.exact: Final = bool((sizes[:-1] + np.abs(self._lower[:-1]) < _EXACT).all())
        """Whether doubles hold the sum of every row."""
        # Violations are counted in average factors of their row.
        self._scale: Any = np.maximum(lengths, 1) / np.maximum(sizes, 1)
        order = np.argsort(self._places, kind="stable")
        self._row_of: Any = row_of[order]
        self._change: Any = self._factors[order]
        self._counts: Any = np.bincount(self._places, minlength=self.variables)
        self._columns: Any = np.concatenate(([0], np.cumsum(self._counts)))
        self.random = np.random.default_rng(1)
        self._flipped: Any = np.full(self.variables + 1, -_TABU)
        # Among equals the cheapest.
        self._prices: Any = self._cost / (1 + 1e6 * np.abs(self._cost).max())
        self.flips = 0
        self.work = 0
        """Microseconds, as reckoned from counts."""
        self._group_columns(search)
        self.start((self._cost < 0).astype(float))

    def _group_columns(self, search: Search) -> None:
        """Choose rows that ask for exactly one of their variables, and share none."""
        import numpy as np

        self._group: Any = np.full(self.variables + 1, -1)
        """The group of each column, -1 without one, as for the column after the last."""
        rows = list[int]()
        for row in np.flatnonzero((self._lower == 1) & (self._upper == 1)).tolist():
            here = slice(self._starts[row], self._starts[row + 1])
            columns = self._places[here]
            if (self._factors[here] == 1).all() and (self._group[columns] < 0).all():
                self._group[columns] = len(rows)
                rows.append(row)
        self._rows_of_groups: Any = np.array(rows, int)

    def start(self, values: Any, grouped: bool = True) -> None:
        """Start from an assignment, an array of numbers from 0 to 1.

        Of each group the largest is 1, and of other variables what is above a half; without groups
        that is so of all.
        """
        import numpy as np

        self.grouped = grouped
        self._weights: Any = np.ones(len(self._lower))
        self.values: Any = (values > _HALF).astype(float)
        self._chosen: Any = np.full(len(self._rows_of_groups) + 1, -1)
        """For each group the column with value 1; at the end -1, for columns without a group."""
        for group, row in enumerate(self._rows_of_groups.tolist() if grouped else []):
            columns = self._places[self._starts[row] : self._starts[row + 1]]
            self.values[columns] = 0
            self._chosen[group] = columns[(values[columns] - self._prices[columns]).argmax()]
        self.values[self._chosen[self._chosen >= 0]] = 1
        values = self.values
        taken = self._change * np.repeat(values, self._counts)
        self._sums: Any = np.bincount(self._row_of, taken, len(self._lower))
        self._violations: Any = self._violated(slice(None), self._sums)

    def aim(self, cost: float, most: float) -> None:
        """Ask for a solution of at most this cost; one that is cheaper than ``most`` is enough."""
        self._most = most
        self._upper[-1] = cost
        self._violations[-1] = self._violated(slice(-1, None), self._sums[-1:])[0]

    @property
    def cost(self) -> float:
        """The cost of the assignment."""
        return float(self._sums[-1])

    def _violated(self, rows: Any, sums: Any) -> Any:
        """Return by how much ``rows`` are violated if their sums are ``sums``."""
        import numpy as np

        missing = np.maximum(self._lower[rows] - sums, sums - self._upper[rows])
        return np.maximum(missing, 0) * self._scale[rows]

    def run(self, flips: int) -> bool:
        """Flip at most ``flips`` variables; return whether a better solution was reached."""
        import numpy as np

        last = len(self._lower) - 1
        for _ in range(flips):
            violated = self._violations.nonzero()[0]
            if not len(violated) or (violated[0] == last and self._sums[last] < self._most):
                return True
            row = violated[int(self.random.random() * len(violated))]
            here = slice(self._starts[row], self._starts[row + 1])
            columns = self._places[here]
            changes = self._factors[here] * (1 - 2 * self.values[columns])
            columns = columns[changes > 0 if self._sums[row] < self._lower[row] else changes < 0]
            if len(columns) > _SAMPLE:
                columns = columns[(self.random.random(_SAMPLE) * len(columns)).astype(int)]
            self.flips += 1
            self.work += _STEP + (len(violated) + len(changes)) // 200
            if not len(columns):
                continue
            partners = self._partners(columns)
            scores = self._gains(columns, partners)
            recent = np.maximum(self._flipped[columns], self._flipped[partners])
            scores[self.flips - recent <= _TABU] -= self._weights.sum()
            best = int(scores.argmax())
            if scores[best] <= 0:
                self._weights[violated] += 1
            self._flip(int(columns[best]))
            if partners[best] >= 0:
                self._flip(int(partners[best]))
        return not self._violations.any()

    def _partners(self, columns: Any) -> Any:
        """Return a column for each of ``columns`` to be flipped with it, -1 for none.

        Of the columns of a group one stays 1.
        """
        import numpy as np

        groups = self._group[columns]
        partners = self._chosen[groups]
        same = (partners == columns).nonzero()[0]
        if len(same):
            # What is 1 becomes 0, and another column of its group 1.
            rows = self._rows_of_groups[groups[same]]
            lengths = self._starts[rows + 1] - self._starts[rows]
            drawn = (self.random.random(len(same)) * lengths).astype(int)
            partners[same] = self._places[self._starts[rows] + drawn]
            again = partners == columns
            partners[again] = self._places[self._starts[self._rows_of_groups[groups[again]]]]
            return np.where(partners == columns, -1, partners)
        return partners

    def _gains(self, columns: Any, partners: Any) -> Any:
        """Return how much less the rows are violated, by weight, if a column is flipped.

        If it has a partner, both are flipped.
        """
        import numpy as np

        paired = (partners >= 0).nonzero()[0]
        pick = np.arange(len(columns))
        if len(paired):
            pick = np.concatenate((pick, paired))
            columns = np.concatenate((columns, partners[paired]))
        # The terms of all these columns, one column after the other.
        counts = self._counts[columns]
        before = np.cumsum(counts) - counts
        terms = np.repeat(self._columns[columns] - before, counts) + np.arange(counts.sum())
        self.work += len(terms) // 10
        rows = self._row_of[terms]
        changes = self._change[terms] * np.repeat(1 - 2 * self.values[columns], counts)
        if len(paired):
            # Two columns may share rows, whose sums change by both.
            keys = np.repeat(pick, counts) * len(self._lower) + rows
            order = keys.argsort(kind="stable")
            keys = keys[order]
            first = np.concatenate(([0], (keys[1:] != keys[:-1]).nonzero()[0] + 1))
            changes = np.add.reduceat(changes[order], first)
            rows, owners = keys[first] % len(self._lower), keys[first] // len(self._lower)
            before = np.concatenate(([0], (owners[1:] != owners[:-1]).nonzero()[0] + 1))
        after = self._violated(rows, self._sums[rows] + changes)
        return np.add.reduceat(self._weights[rows] * (self._violations[rows] - after), before)

    def _flip(self, column: int) -> None:
        here = slice(self._columns[column], self._columns[column + 1])
        rows = self._row_of[here]
        self._sums[rows] += self._change[here] * (1 - 2 * self.values[column])
        self._violations[rows] = self._violated(rows, self._sums[rows])
        self.values[column] = 1 - self.values[column]
        self._flipped[column] = self.flips
        if self.grouped and self.values[column] and self._group[column] >= 0:
            self._chosen[self._group[column]] = column


def local_search(search: Search) -> Strategy:
    """Search by flips on the rows: a generator of pauses, which asks no questions."""
    yield PAUSE
    rows = search.rows
    if not has_numpy() or not rows or sum(len(row.terms) for row in rows) > _MOST_TERMS:
        return
    state = _Flips(search)
    if not state.exact:
        return
    _, offset = search.cost.linear
    known, relaxed, idle, starts, patience = search.upper, search.relaxed, 0, 0, _SOON
    part = _PARTS[0]
    while not search.closed:
        if search.upper != known:
            known, idle = search.upper, 0
            _begin(state, search, False, state.grouped)
        elif idle >= patience or (relaxed is None and search.relaxed is not None):
            # Nothing is found from here, or there is a relaxation to start from now.
            starts += idle >= patience
            part, idle = _PARTS[starts % len(_PARTS)], 0
            relaxed, patience = search.relaxed, min(2 * patience, _PATIENCE)
            _begin(state, search, relaxed is not None and starts % 3 == 0, starts % 2 == 0)
        if search.upper is not None:
            step = max((search.upper - search.lower) // part, 1)
            state.aim(search.upper - offset - step, search.upper - offset)
        before = state.work
        if state.run(_SLICE):
            search.take(Satisfied([*_literals(state.values[: search.problem.num_vars])]))
        idle += 1
        search.charged += state.work - before
        yield PAUSE


def _begin(state: _Flips, search: Search, rounded: bool, grouped: bool) -> None:
    """Start from the relaxation, if ``rounded``, else from the best solution, or go on."""
    import numpy as np

    variables = search.problem.num_vars
    values = np.zeros(state.variables)
    if rounded:
        # What is above a threshold, drawn at random, is 1.
        known = np.array(search.relaxed[: state.variables])
        values[: len(known)] = known + _DRAWN * (state.random.random() - _HALF)
    elif search.model is not None and variables == state.variables:
        values[:] = np.array(search.model) > 0
    else:
        values = state.values
    state.start(values, grouped)


def _literals(values: Any) -> Iterator[int]:
    """Yield a literal for each value of 0 or 1, in order."""
    for var, value in enumerate(values.tolist(), start=1):
        yield var if value else -var
