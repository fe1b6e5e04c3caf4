"""The search for verdicts that sums of clues prove, and the proof of these.

Single sums first, then elimination modulo 2 and 3 and a linear program, region by region, over the
open cells; repeated as long as anything new is proved.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from satsweeper.certificate.statement import Statement
from satsweeper.certificate.sums import SumsProof
from satsweeper.linear.duality import DENOMINATOR, Weighted, proves
from satsweeper.linear.elimination import MODULI, checked_rows
from satsweeper.linear.equations import Equation, ModularRow, clauses_of
from satsweeper.linear.relaxation import available, decide, decide_one, refute

_SECONDS: Final = 10.0
"""The time limit of a linear program."""


def prove_by_sums(
    said: Statement,
    *,
    total: bool,
    least: int | None,
    wanted: int | None = None,
    certain: Sequence[int] = (),
) -> SumsProof:
    """Return the proof of all that sums were found to prove.

    Args:
        said: some clues, and perhaps the total.
        total: whether that of the statement may be used.
        least: the open cells of a region that is looked at; None: none is.
        wanted: a literal that is asked for by itself where it was not found.
        certain: literals that are known to hold; two clues are compared if they might prove one.
    """
    equations: list[Equation] = [*said.sums]
    if said.total is not None:
        equations.append((range(1, said.cells + 1), said.total))
    search = _Search(equations, len(said.sums))
    search.run(total, least, [abs(lit) for lit in certain])
    if least is not None and wanted is not None and abs(wanted) not in search.proof.decided:
        search.ask(wanted)
    return search.proof


class _Search:
    def __init__(self, equations: Sequence[Equation], clues: int) -> None:
        self.proof = SumsProof(equations, clues)
        self.clues = range(clues)
        self._of = self.proof.of

    def run(self, total: bool, least: int | None, certain: Sequence[int]) -> None:
        proof = self.proof
        said = proof.equations
        self._settle(i for i in self.clues if not 0 < said[i][1] < len(said[i][0]))
        if total and proof.contradiction is None:
            self._use_total(len(self.clues))
            self._settle(self.clues)
        self._compare([cell for cell in certain if cell not in proof.decided])
        before = -1 if least is not None else len(proof.decided)
        while proof.contradiction is None and len(proof.decided) > before:
            before = len(proof.decided)
            proof.rows.clear()
            for region in self._regions():
                equations: list[Equation] = [proof.open(index) for index in region]
                if len({cell for cells, _ in equations for cell in cells}) >= (least or 0):
                    self._look(region, equations)
                if proof.contradiction is not None:
                    return
            self._settle(self.clues)

    def ask(self, literal: int) -> None:
        """Prove a literal by a linear program of its own."""
        proof = self.proof
        region = sorted(proof.near([abs(literal)]))
        equations: list[Equation] = [proof.open(index) for index in region]
        if proof.contradiction is None and available():
            claim = decide_one(equations, abs(literal), literal > 0, _SECONDS)
            if claim is not None:
                proof.add_weighted(claim, {i: proof.halves(region[i]) for i in claim.weights})

    def _compare(self, cells: Sequence[int]) -> None:
        """Decide cells by differences of two clues, where one of `cells` might be decided."""
        proof, wanted = self.proof, set(cells)
        waiting = dict.fromkeys(index for cell in cells for index in self._of[cell])
        while waiting and proof.contradiction is None:
            touched: dict[int, None] = {}
            for index in waiting:
                left, _ = proof.open(index)
                if wanted.isdisjoint(left):
                    continue
                near = sorted({other for cell in left for other in self._of[cell]} - {index})
                pairs = (pair for other in near for pair in ((index, other), (other, index)))
                decided = next(filter(None, (proof.differ(*pair) for pair in pairs)), ())
                if decided:
                    around = [index, *(other for cell in decided for other in self._of[cell])]
                    self._settle(around)
                    touched |= dict.fromkeys(around)
            waiting = touched

    def _settle(self, indices: Iterable[int]) -> None:
        proof = self.proof
        while indices and proof.contradiction is None:
            touched: dict[int, None] = {}
            for index in indices:
                cells, _ = proof.open(index)
                if proof.settle(index):
                    if proof.contradiction is not None:
                        return
                    touched |= dict.fromkeys(i for cell in cells for i in self._of[cell])
            indices = touched

    def _regions(self) -> Iterator[list[int]]:
        """Yield the regions: indices of equations that are connected by open variables."""
        waiting = set(self.clues)
        for first in self.clues:
            if first not in waiting:
                continue
            waiting.remove(first)
            region, reached = [], [first]
            while reached:
                region.append(index := reached.pop())
                for cell in self.proof.open(index)[0]:
                    near = waiting.intersection(self._of[cell])
                    waiting -= near
                    reached += near
            if len(region) > 1 or self.proof.open(region[0])[0]:
                yield sorted(region)

    def _look(self, region: list[int], equations: list[Equation]) -> None:
        """Prove what elimination and a linear program find in a region.

        ``equations`` are those of the region over its open cells.
        """
        proof = self.proof
        rows, claims = _findings(equations)
        # Before anything is decided: these are the halves of the equations as they were looked at.
        used = {index for row in rows for index in row.multipliers}
        used |= {index for claim in claims for index in claim.weights}
        halves = {index: proof.halves(region[index]) for index in sorted(used)}
        for row in rows:
            if len(row.coefficients) > 1:
                proof.rows.append((row, halves))
                continue
            for clause in clauses_of(row):
                proof.add_row(row, halves, clause)
            if proof.contradiction is not None:
                return
        for claim in claims:
            proof.add_weighted(claim, halves)

    def _use_total(self, total: int) -> None:
        """Use equation `total` less sums of clues: disjoint clues, or found by a linear program."""
        proof = self.proof
        given = {index: (2 * index + 1, 2 * index + 2) for index in range(total + 1)}
        for claim in _less_disjoint(proof.equations, total):
            proof.add_weighted(claim, given)
        if available():
            equations, most, members = _merged(proof.equations, total, self._of)
            clash = refute(equations, _SECONDS, most)
            for claim in (
                decide(equations, lambda: _SECONDS, most).claims if clash is None else [clash]
            ):
                variables = frozenset(v for merged in claim.variables for v in members[merged])
                proof.add_weighted(claim._replace(variables=variables), given)


def _findings(equations: Sequence[Equation]) -> tuple[list[ModularRow], list[Weighted]]:
    """Return short rows, or one contradictory row, and the claims of a linear program."""
    rows: list[ModularRow] = []
    for modulus in MODULI:
        found = checked_rows(equations, modulus)
        if found.clash is not None:
            return [found.clash], []
        rows += found.rows
    if not available():
        return rows, []
    clash = refute(equations, _SECONDS)
    return rows, decide(equations, lambda: _SECONDS).claims if clash is None else [clash]


def _less_disjoint(equations: Sequence[Equation], total: int) -> list[Weighted]:
    """Return the claims about other cells that the total less disjoint clues proves."""
    covered: set[int] = set()
    clues = []
    for index, (cells, _) in enumerate(equations[:total]):
        if covered.isdisjoint(cells):
            covered.update(cells)
            clues.append(index)
    rest = frozenset(equations[total][0]) - covered
    claims = []
    for ones in (False, True):
        # The total less the clues is the exact number of mines in `rest`: none, or as many as
        # cells.
        sign = DENOMINATOR if ones else -DENOMINATOR
        claim = Weighted(rest, ones, dict.fromkeys(clues, -sign) | {total: sign})
        if rest and proves(equations, claim):
            claims.append(claim)
    return claims


def _merged(
    equations: Sequence[Equation], total: int, of: dict[int, list[int]]
) -> tuple[list[Equation], Counter[int], dict[int, list[int]]]:
    """Merge interchangeable cells into variables.

    Returns the equations over merged variables, the largest value of each variable that stands for
    several cells, and the cells of each variable.
    """
    first: dict[tuple[int, ...], int] = {}
    members: dict[int, list[int]] = defaultdict(list)
    for cell in equations[total][0]:
        members[first.setdefault(tuple(of.get(cell, ())), cell)].append(cell)
    merged: list[Equation] = [
        ([cell for cell in cells if cell in members], number) for cells, number in equations
    ]
    most = Counter({cell: len(cells) for cell, cells in members.items() if len(cells) > 1})
    return merged, most, members
