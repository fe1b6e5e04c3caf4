"""The clues of a board as OPB, the formula that follows from them, and the map of variables.

``clues.opb`` must state exactly the equalities of the board; each clause of ``formula.cnf`` must
follow from these equalities, by a derivation and by assignments of cells; ``map.json`` must name
the cells.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final, Self

from pbcnf.proof import Cnf, ProofFormatError, parse_cnf
from pbcnf.proof.cutting_planes import Derived, Inequality, ProofError, check_proof
from pbcnf.proof.cutting_planes.formula import Equalities, PbFormula, read_formula
from satsweeper.checker.board import CellCount, CheckedBoard, CountPair
from satsweeper.checker.contents import check_distinct, is_integer, json_object
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import LoadedCertificate
from satsweeper.checker.second_opinion import MOST_CELLS, confirm_clauses

PROBLEM: Final = "clues.opb"
DERIVATION: Final = "derivation.pbp"
FORMULA: Final = "formula.cnf"
MAP: Final = "map.json"
MOST_DIGITS: Final = 40
"""Limit on digits of a number in a derivation; a board of 1000 x 1000 cells needs seven."""
_MAP_SCHEMA: Final = "satsweeper/map/1"
_MAP_KEYS: Final = frozenset(
    ("schema", "rows", "columns", "mines", "flags", "variables", "auxiliaries")
)


class OpbStatement:
    """Equalities over cells in the order of certificates, and their OPB text to compare files with.

    Args:
        cells: 1 .. ``cells`` are the variables.
        sums: the variables of each equality, ascending, and the number of mines among them.
    """

    def __init__(self, cells: int, sums: Sequence[CountPair]) -> None:
        self.cells = cells
        self.sums = sums

    @classmethod
    def by(cls, board: CheckedBoard) -> Self:
        """Return all clues of ``board`` that count a covered cell or fail, and its total."""
        clues = sorted(board.near.values(), key=lambda pair: (len(pair[0]), pair[1]))
        total = board.total_pair
        return cls(len(board.cells), [*clues, *([] if total is None else [total])])

    @classmethod
    def of(cls, cells: int, counts: Iterable[CellCount]) -> Self:
        """Return the statement of ``counts``, in their order, over ``cells`` variables."""
        return cls(cells, [(tuple(sorted(count.variables)), count.mines) for count in counts])

    @cached_property
    def text(self) -> bytes:
        """The OPB text, an equality a line."""
        names = ["", *[f"+1 x{v} " for v in range(1, self.cells + 1)]]
        empty = "+0 x1 " if self.cells else ""
        return "".join(
            [
                f"{''.join([names[v] for v in variables]) or empty}= {mines} ;\n"
                for variables, mines in self.sums
            ]
        ).encode("ascii")

    def counts(self, variables: Iterable[int]) -> list[CellCount]:
        """Return the counts that can matter for clauses over ``variables``.

        These are counts that share a variable, contradictory counts, and all counts of more than
        ``MOST_CELLS`` cells.
        """
        asked = set(variables)
        return [
            CellCount(frozenset(cells), mines)
            for cells, mines in self.sums
            if len(cells) > MOST_CELLS
            or not 0 <= mines <= len(cells)
            or not asked.isdisjoint(cells)
        ]


def check_formula(
    certificate: LoadedCertificate,
    board: CheckedBoard,
    statement: OpbStatement,
    stem: str = "",
    parts: Jobs = ALONE,
) -> Cnf:
    """Return the formula after checking that each of its clauses follows from ``statement``.

    Each clause is checked twice, by code that has nothing in common: the derivation, step by step,
    and assignments of the cells.

    Args:
        certificate: holds the files.
        board: its covered cells must be the variables of the name map.
        statement: the clues that the formula may use, and perhaps the total.
        stem: the folder of the files with a slash behind it; empty for those of the whole board.
        parts: runs the check by assignments, perhaps in another process.

    Raises:
        WrongCertificateError: clues.opb does not state ``statement``, or a step or a clause is
            wrong.
    """
    name, derivation = stem + PROBLEM, certificate.files[stem + DERIVATION]
    problem = check_problem(certificate.files[name], statement, name)
    cnf = read_clauses(certificate, stem + FORMULA)
    check_map(certificate, board, cnf.num_vars, stem + MAP)
    # Two independent ways to "this clause holds in every layout": its derivation, checked here, and
    # assignments of cells, perhaps in another process.
    counts = statement.counts(abs(lit) for clause in cnf.clauses for lit in clause)
    confirm = parts.start(
        confirm_clauses, cnf, counts, len(board.cells), derivation, stem + FORMULA
    )
    derived = check_steps(problem, derivation, name, stem + DERIVATION)
    place = derived.first_underived(cnf.clauses)
    if place is not None:
        clause = " ".join(map(str, cnf.clauses[place]))
        raise WrongCertificateError(
            stem + FORMULA, f"clause {place + 1} ({clause} 0) is not derived from the clues"
        )
    confirm()
    return cnf


def check_steps(problem: PbFormula, steps: bytes, problem_name: str, name: str) -> Derived:
    """Check ``steps``, the file ``name``, from ``problem``, and return what they derive.

    Raises WrongCertificateError for the first step that does not follow.
    """
    try:
        return check_proof(problem, steps, problem_name, name, most_digits=MOST_DIGITS)
    except ProofError as error:
        raise wrong_at(error.source, error.line, error.message) from None


def read_clauses(certificate: LoadedCertificate, name: str) -> Cnf:
    """Return the CNF file ``name``, no variable twice in a clause; raises WrongCertificateError."""
    try:
        cnf = parse_cnf(certificate.files[name], name)
    except ProofFormatError as error:
        raise wrong_at(name, error.line, error.message) from None
    check_distinct(name, cnf.clauses)
    return cnf


def check_problem(
    problem: bytes, statement: OpbStatement, name: str, claim: Sequence[int] | None = None
) -> PbFormula:
    """Return ``problem`` after checking that it is ``statement`` and the clause ``claim``, if any.

    ``name``: the file of ``problem``; ``claim``: literals, None for no clause.

    Raises WrongCertificateError if ``problem`` lacks a constraint or has any other.
    """
    if _as_written(problem, statement, claim):
        others = [] if claim is None else [Inequality(dict.fromkeys(claim, 1), 1)]
        return PbFormula(Equalities(statement.sums, others), statement.cells)
    try:
        found = read_formula(problem, name)
    except ProofError as error:
        raise wrong_at(name, error.line, error.message) from None
    if found.variables != statement.cells:
        # A cell that is not declared could be defined at will, like an auxiliary variable.
        what = f"{counted(found.variables, 'variable')}, but the board has "
        what += counted(statement.cells, "covered cell")
        raise WrongCertificateError(name, what)
    # Both sides as multisets of "at least k of a set of literals". An equality, "exactly m of n
    # cells are mines", is two members: at least m are mines, and at least n - m are safe.
    expected = Counter[tuple[frozenset[int], int]]()
    for variables, mines in statement.sums:
        expected[frozenset(variables), mines] += 1
        expected[frozenset([-v for v in variables]), len(variables) - mines] += 1
    if claim is not None:
        expected[frozenset(claim), 1] += 1
    given = Counter[tuple[frozenset[int], int]]()
    for inequality in found.constraints:
        if any(weight != 1 for weight in inequality.terms.values()):
            raise WrongCertificateError(name, "a constraint that is no count of cells")
        given[frozenset(inequality.terms), inequality.degree] += 1
    if given != expected:
        extra = next(iter((given - expected) or (expected - given)))
        raise WrongCertificateError(
            name,
            f"at least {extra[1]} of {sorted(extra[0], key=abs)}: "
            + ("the board does not say so" if given[extra] > expected[extra] else "missing"),
        )
    return found


def _as_written(problem: bytes, statement: OpbStatement, claim: Sequence[int] | None) -> bool:
    """Whether ``problem`` is ``statement`` as the checker writes it, so that no parsing is needed.

    Byte for byte from the second line on; of the first line, a comment, the number of variables.
    """
    start = problem.find(b"\n") + 1
    if not problem.startswith(b"* #variable= %d #" % statement.cells):
        return False
    last = b""
    if claim is not None:
        terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
        last = f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n".encode("ascii")
    end = start + len(statement.text)
    return problem.startswith(statement.text, start) and problem[end:] == last


def check_map(
    certificate: LoadedCertificate, board: CheckedBoard, variables: int, name: str
) -> None:
    """Compare the name map ``name`` with ``board``, and with the ``variables`` of its formula.

    Variables 1 .. n are the covered cells, all others auxiliary. The meaning of an auxiliary
    variable is not checked, and no claim depends on that meaning.

    Raises:
        WrongCertificateError: the map differs from ``board`` or ``variables``.
    """
    # The part about cells is compared as text first, in the form in which certificates write it.
    listed = [f'"{v}": {{"cell": [{r}, {c}]}}' for v, (r, c) in enumerate(board.cells, start=1)]
    cells = f"{{{', '.join(listed)}}}".encode("ascii")
    content = certificate.files[name]
    before, mark, behind = content.partition(b'"variables": ')
    as_written = behind.startswith(cells)
    if as_written:
        # The part compared is cut out before the rest is read as JSON. A second key ``variables``
        # stays in the rest, and is refused as a repeated name.
        content = b"%b%b{}%b" % (before, mark, behind[len(cells) :])
    found = json_object(name, content)
    if found.keys() != _MAP_KEYS or found["schema"] != _MAP_SCHEMA:
        raise WrongCertificateError(name, f"not a map of schema {_MAP_SCHEMA!r}")
    expected = {
        "rows": len(board.rows),
        "columns": len(board.rows[0]) if board.rows else 0,
        "mines": board.mines,
        "flags": [list(cell) for cell in board.flags],
    }
    for key, value in expected.items():
        # Both are compared as text, since True == 1 in Python.
        if repr(found[key]) != repr(value):
            raise WrongCertificateError(name, f"{key}: not {value!r}, as on the board")
    named = found["variables"]
    if not isinstance(named, dict):
        raise WrongCertificateError(name, "variables: no object")
    numbered = {} if as_written else board.variable
    wanted = {str(v): {"cell": list(cell)} for cell, v in numbered.items()}
    for v in {**wanted, **named}:
        if repr(named.get(v)) != repr(wanted.get(v)):
            fault = f"variable {v} is {wanted.get(v)}, not {named.get(v)}"
            raise WrongCertificateError(name, fault)
    # Auxiliary variables follow the cells without a gap, up to the last variable of the formula.
    last, auxiliaries = len(board.cells), found["auxiliaries"]
    for each in auxiliaries if isinstance(auxiliaries, list) else [None]:
        match each:
            case {"first": first, "last": end, "role": "clue" | "total", "encoding": str(), **rest}:
                if not rest and is_integer(first) and is_integer(end) and last + 1 == first <= end:
                    last = end
                    continue
        raise WrongCertificateError(name, f"auxiliaries: {each!r} behind variable {last}")
    if last != variables:
        fault = f"it names {counted(last, 'variable')}, the formula has {variables}"
        raise WrongCertificateError(name, fault)
