"""All assignments of few variables that meet inequalities, many at once.

Of each inequality it is known by how much the best that is left to it exceeds its bound; every
value of a variable costs some of that surplus. The partial assignments that are left are columns of
an array of what they have lost, which grows by a variable and keeps the columns that no surplus
forbids. So a step takes nanoseconds for each inequality, where a node of a linear program takes a
thousandth of a second. Duals of the relaxation are inequalities like any other: with "the cost is
below that of the best solution" a sum of rows leaves little choice to variables of large reduced
cost, which are decided first. All is in integers; surpluses and losses that need more than 30 bits
are divided and rounded so that nothing is left out.

Reference: Balas, An additive algorithm for solving linear programs with zero-one variables,
Operations Research 13 (1965), for enumeration that is pruned by what each row can still reach;
Glover, Surrogate constraints, Operations Research 16 (1968), for sums of rows among them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from pbcnf.literals import Lit, has_numpy
from satsweeper.linear.row_relaxation import RelaxationProof, RowRelaxation
from satsweeper.optimisation.search import Search
from satsweeper.solvers.protocol import Satisfied

_SAFE: Final = 1 << 60
_LARGEST: Final = 1 << 29
"""The largest surplus: twice it is an integer of 32 bits."""
_WORD: Final = 62
"""Variables of an assignment that are the bits of one integer."""
_FIRST: Final = 256
"""Partial assignments that are extended at once, the best of the cost; the others wait."""
_CHUNK: Final = 2_048
"""Partial assignments that are extended at once after the first entries of arrays."""
_EASY: Final = 1_000_000
"""Entries of arrays after which more are extended at once."""
_BLOCK: Final = 32_768
"""Entries of an array up to which several variables are decided at once, which saves calls."""
_AT_ONCE: Final = 4
"""The largest number of variables that are decided at once."""
_CALL: Final = 20_000
"""Entries of an array for which a step counts at least, whatever its size."""
_INTEGRAL: Final = 1e-6
_ENTRIES: Final = 400_000
"""The limit on rows times columns."""
PER: Final = 120
"""Entries of arrays that take a microsecond."""


class Enumeration:
    """Inequalities over few columns, all assignments of which may be looked at.

    An inequality is ``sum of factor * variable + price * (bound on the cost - 1) >= least``.

    Args:
        search: its rows and cost; its best model bounds the cost, and it takes better ones.
        columns: the number of columns of the rows.
    """

    def __init__(self, search: Search, columns: int) -> None:
        import numpy as np

        self._search: Final = search
        self.columns: Final = columns
        rows = search.rows
        cost, self._offset = search.cost.linear
        self._factors: Any = np.zeros((len(rows) + 1, columns), np.int64)
        for place, row in enumerate(rows):
            self._factors[place, np.array([*row.terms], int) - 1] = [*row.terms.values()]
        # The last is "the cost is below the bound".
        for var, each in cost.items():
            self._factors[-1, var - 1] = -each
        self._cost: Any = -self._factors[-1]
        self._least: Any = np.array([*(row.least for row in rows), 0], np.int64)
        self._prices: Any = np.array([*(0 for _ in rows), 1], np.int64)
        self._most: Final = sum(map(abs, cost.values())) + 1

    def add(self, proof: RelaxationProof | None) -> None:
        """Add what ``proof`` says of the cost, if numpy's integers hold its sums."""
        import numpy as np

        found = None if proof is None else self._of(proof)
        if found is not None:
            self._factors = np.vstack((self._factors, found[0]))
            self._least = np.append(self._least, found[1])
            self._prices = np.append(self._prices, found[2])

    def _of(self, proof: RelaxationProof) -> tuple[Any, int, int] | None:
        """Return ``proof`` as an inequality."""
        import numpy as np

        reduced = proof.reduced
        if not proof.factor or reduced.dtype == object:
            return None
        size = float(np.abs(reduced.astype(float)).sum()) + abs(proof.least)
        if size + proof.factor * float(self._most) > _SAFE:
            return None
        # factor * cost >= least + (reduced costs of what is 1, less those below 0).
        return -reduced, proof.least - int(np.minimum(reduced, 0).sum()), proof.factor

    def finishes(
        self,
        budget: int,
        most: int,
        relaxation: RowRelaxation | None = None,
        known: Sequence[Lit] = (),
    ) -> bool:
        """End the search if nothing better is left; return whether nothing is.

        Args:
            budget: as for `closes`.
            most: as for `closes`.
            relaxation: its optimum, where only ``known`` is fixed, gives one inequality more.
            known: literals of all better models.
        """
        proof = None
        if relaxation is not None:
            relaxation.fix(known)
            outcome = relaxation.run(self._search.left())
            if all(min(value, 1 - value) < _INTEGRAL for value in outcome.values):
                # The relaxation answers alone, or not at all.
                return False
            proof = relaxation.proved(outcome)
            self.add(None if known else proof)
        closed, _ = self.closes(known, budget, proof if known else None, most)
        if closed:
            self._search.exhaust()
        return closed

    def undecided(self, known: Sequence[Lit], proof: RelaxationProof) -> int:
        """Return how many variables neither ``known`` nor ``proof``, which needs it, decides."""
        import numpy as np

        spare = proof.factor * (self._upper - 1) - proof.least
        return int((np.abs(proof.reduced) <= spare).sum()) - len({*known})

    def closes(
        self, known: Iterable[Lit], budget: int, proof: RelaxationProof | None, most: int
    ) -> tuple[bool, bool]:
        """Look for better models; return whether none is left, and whether that was tried.

        Args:
            known: literals that are true.
            budget: the limit on the entries of arrays that are looked at.
            proof: holds while ``known`` is true.
            most: the limit on variables that no inequality decides alone; with more nothing is
                tried.
        """
        import numpy as np

        factors, least, prices = self._factors, self._least, self._prices
        found = None if proof is None else self._of(proof)
        if found is not None:
            factors = np.vstack((factors, found[0]))
            least, prices = np.append(least, found[1]), np.append(prices, found[2])
        values = np.full(self.columns, -1, np.int8)
        given = np.array([*known], np.int64)
        values[np.abs(given) - 1] = given > 0
        free = np.flatnonzero(values < 0)
        base = factors[:, values > 0].sum(1) - least
        factors = factors[:, free]
        base = base + np.maximum(factors, 0).sum(1)
        whole = np.maximum(values, 0).astype(np.int64)
        fixed = int(whole @ self._cost)
        cost = self._cost[free]
        lead, cheap, work = int(prices.nonzero()[0][-1]), (cost < 0).astype(np.int64), 0
        while work < budget:
            upper = self._upper
            run = _Run(factors, base + prices * (upper - 1), lead, cheap)
            if run.undecided > most and not work:
                return False, False
            while run.stack and work + run.work < budget and self._upper == upper:
                leaves = run.step()
                if leaves is None:
                    continue
                costs = fixed + leaves @ cost
                for place in np.argsort(costs, kind="stable").tolist():
                    # Rounding may have let through what breaks an inequality.
                    if costs[place] >= upper:
                        break
                    if run.meets(leaves[place]):
                        whole[free] = leaves[place]
                        if self._take(whole):
                            break
            work += run.work + _CALL
            if self._upper == upper:
                break
            # The better bound forbids more from the beginning.
        self._search.charged += work // PER
        return not run.stack and self._upper == upper, True

    @property
    def _upper(self) -> int:
        """The cost below which a model is better, without the constant part."""
        upper = self._search.upper
        return self._most if upper is None else upper - self._offset

    def _take(self, values: Any) -> bool:
        """Take an assignment; return whether it is a model."""
        number = self._search.problem.num_vars
        model = [var if value else -var for var, value in enumerate(values[:number].tolist(), 1)]
        if not self._search.problem.holds({*model}):
            return False
        self._search.take(Satisfied(model))
        return True


class _Run:
    """An enumeration that is under way.

    Args:
        factors: of the free columns in the inequalities.
        surplus: of each inequality what it exceeds its bound by at most.
        lead: the inequality on the cost that tells what is better.
        otherwise: a value for each free column, for those that no inequality forbids anything.
    """

    def __init__(self, factors: Any, surplus: Any, lead: int, otherwise: Any) -> None:
        import numpy as np

        self.work = 0
        self._all, self._surplus, self._otherwise = factors, surplus, otherwise
        self.stack: list[tuple[int, Any, Any]] = []
        """Partial assignments of equal lengths: the length, what they lost, and their bits."""
        self.undecided = 0
        """The variables that no inequality decides alone."""
        if (surplus < 0).any():
            return
        sizes = np.abs(factors)
        binds = sizes.sum(1) > surplus
        binds[lead] = True
        binding = binds.nonzero()[0]
        self.undecided = int((sizes <= surplus[:, None]).all(0).sum())
        factors, sizes, surplus = factors[binding], sizes[binding], surplus[binding]
        # What decides most comes first.
        weight = np.minimum(sizes / (surplus[:, None] + 1.0), 1.0).sum(0)
        self._order: Any = np.argsort(-weight, kind="stable")
        factors = factors[:, self._order]
        # An inequality is dropped after its last variable.
        last = np.where(factors != 0, np.arange(factors.shape[1]), -1).max(1, initial=-1)
        number = int(last.max()) + 1
        sorting = np.argsort(-last, kind="stable")
        binding, factors, last = binding[sorting], factors[sorting], last[sorting]
        self._lead = int((binding == lead).nonzero()[0][0])
        # Divided and rounded down, losses and surplus forbid nothing that they did not forbid.
        self._divisors: Any = surplus[sorting] // _LARGEST + 1
        self._most: Any = surplus[sorting] // self._divisors
        most = self._most[:, None] + 1
        scaled = np.minimum(np.abs(factors) // self._divisors[:, None], most).astype(np.int32)
        self._factors, self._scaled, self._last = factors, scaled, last
        self._steps = dict[int, Any]()
        self._blocks = dict[tuple[int, int], Any]()
        self._number = number
        width = max(-(-number // _WORD), 1)
        start = np.zeros((len(binding), 1), np.int32), np.zeros((width, 1), np.int64)
        self.stack.append((0, *start))

    def meets(self, leaf: Any) -> bool:
        """Whether the values ``leaf`` of the free columns meet all inequalities."""
        import numpy as np

        lost = np.where(leaf > 0, np.maximum(-self._all, 0), np.maximum(self._all, 0)).sum(1)
        return bool((lost <= self._surplus).all())

    def step(self) -> Any:
        """Extend some partial assignments by a variable, or return those that are whole."""
        import numpy as np

        depth, lost, bits = self.stack.pop()
        most = _CHUNK if self.work > _EASY else _FIRST
        if lost.shape[1] > most and len(lost):
            # What has lost least of the bound on the cost goes on first.
            lead = self._lead if self._lead < len(lost) else 0
            order = lost[lead].argsort(kind="stable")
            for start in range((lost.shape[1] - 1) // most * most, -1, -most):
                part = order[start : start + most]
                self.stack.append((depth, lost.take(part, 1), bits.take(part, 1)))
            self.work += 2 * lost.size
            depth, lost, bits = self.stack.pop()
        if depth == self._number:
            places = np.arange(self._number)
            values = np.repeat(self._otherwise[None], bits.shape[1], 0)
            chosen = (bits[places // _WORD].T >> (places % _WORD)) & 1
            values[:, self._order[: self._number]] = chosen
            return values
        # The values of so many variables are the bits of a part of one integer.
        number = min(self._number - depth, _WORD - depth % _WORD, _AT_ONCE)
        number = min(number, (_BLOCK // max(lost.size, 1)).bit_length() - 1)
        if number > 1:
            self._decide(number, depth, lost, bits)
            return None
        if depth not in self._steps:
            self._steps[depth] = self._sides(depth)
        live, sides = self._steps[depth]
        kept, changed = [], []
        for rows, loss, _ in sides:
            after = lost[rows] + loss
            keep = (after <= self._most[rows][:, None]).all(0).nonzero()[0]
            kept.append(keep)
            changed.append(after[:, keep])
            self.work += after.size
        number = len(kept[0])
        both = np.concatenate(kept)
        if not len(both):
            self.work += _CALL
            return None
        following, bits = lost[:live].take(both, 1), bits.take(both, 1)
        # Columns of the first side are 0, where factors above 0 lose.
        for (rows, _, left), after, part in zip(
            sides, changed, (slice(number), slice(number, None)), strict=True
        ):
            following[rows[:left], part] = after[:left]
        bits[depth // _WORD, number:] |= 1 << depth % _WORD
        self.work += following.size + _CALL
        depth += 1
        if self.stack and self.stack[-1][0] == depth:
            _, others, codes = self.stack[-1]
            if others.shape[1] + len(both) <= _CHUNK:
                self.stack.pop()
                following = np.concatenate((others, following), 1)
                bits = np.concatenate((codes, bits), 1)
        self.stack.append((depth, following, bits))
        return None

    def _decide(self, number: int, depth: int, lost: Any, bits: Any) -> None:
        """Extend partial assignments by ``number`` variables in all ways that are left."""
        import numpy as np

        ways = 1 << number
        if (number, depth) not in self._blocks:
            values = (np.arange(ways) >> np.arange(number)[:, None]) & 1
            columns = slice(depth, depth + number)
            factors, sizes = self._factors[:, columns], self._scaled[:, columns].astype(np.int64)
            # Factors above 0 lose where a variable is 0, others where it is 1.
            loss = np.where(factors > 0, sizes, 0) @ (1 - values)
            loss += np.where(factors < 0, sizes, 0) @ values
            loss = np.minimum(loss, self._most[:, None] + 1)
            live = int((self._last >= depth + number).sum())
            self._blocks[number, depth] = live, loss.astype(np.int32)[:, :, None]
        live, loss = self._blocks[number, depth]
        rows, width = lost.shape
        after = (lost[:, None, :] + loss[:rows]).reshape(rows, ways * width)
        keep = (after <= self._most[:rows, None]).all(0).nonzero()[0]
        self.work += after.size // _AT_ONCE + _CALL
        if len(keep):
            bits = bits.take(keep % width, 1)
            bits[depth // _WORD] |= keep // width << depth % _WORD
            self.stack.append((depth + number, after[:live].take(keep, 1), bits))

    def _sides(self, depth: int) -> tuple[int, list[tuple[Any, Any, int]]]:
        """Return the number of rows that are left after a step, and for each value what it costs.

        That is the rows, what is lost in each of them, and how many of them, the first, are left.
        """
        live, column = int((self._last > depth).sum()), self._factors[:, depth]
        sides = []
        for side in (column > 0, column < 0):
            rows = side.nonzero()[0]
            sides.append((rows, self._scaled[rows, depth][:, None], int((rows < live).sum())))
        return live, sides


def enumeration_of(search: Search) -> Enumeration | None:
    """Return the enumeration of a small problem, None of another, or if numbers are large."""
    rows = search.rows
    columns = max(
        max((max(row.terms, default=0) for row in rows), default=0), search.problem.num_vars
    )
    if not has_numpy() or not columns or (len(rows) + 1) * columns > _ENTRIES:
        return None
    sizes = [sum(map(abs, row.terms.values())) + abs(row.least) for row in rows]
    if max(max(sizes, default=0), search.cost.most) > _SAFE:
        return None
    return Enumeration(search, columns)
