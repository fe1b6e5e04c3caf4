"""Check that every clause of the formula follows from the counts of the board."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pbcnf.proof import Cnf, ProofFormatError, parse_cnf
from pbcnf.proof.cutting_planes import Derived, Inequality, ProofError, check_proof
from pbcnf.proof.cutting_planes.formula import Equalities, PbFormula, read_formula
from satsweeper.checker.board import CheckedBoard
from satsweeper.checker.contents import check_distinct
from satsweeper.checker.errors import WrongCertificateError, counted, wrong_at
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import LoadedCertificate
from satsweeper.checker.name_map import check_map
from satsweeper.checker.opb_statement import OpbStatement
from satsweeper.checker.second_opinion import confirm_clauses

Half = tuple[frozenset[int], int]
"""A set of literals, and a lower bound on how many of them are true."""

PROBLEM: Final = "clues.opb"
DERIVATION: Final = "derivation.pbp"
FORMULA: Final = "formula.cnf"
MAP: Final = "map.json"
MOST_DIGITS: Final = 40
"""Limit on digits of a number in a derivation; a board of 1000 x 1000 cells needs seven."""


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
        certificate: its files.
        board: to compare the name map with.
        statement: the clues that the formula may use, and perhaps the total.
        stem: where the files are.
        parts: where the assignments may be tried.

    Raises:
        WrongCertificateError: the problem is another one, or a step or a clause is wrong.
    """
    name, derivation = stem + PROBLEM, certificate.files[stem + DERIVATION]
    problem = check_problem(certificate.files[name], statement, name)
    cnf = read_clauses(certificate, stem + FORMULA)
    check_map(certificate, board, cnf.num_vars, stem + MAP)
    # Two independent ways to "this clause holds in every layout": its derivation, checked here, and
    # assignments of cells, perhaps in another process.
    counts = statement.counts(abs(lit) for clause in cnf.clauses for lit in clause)
    trying = parts.start(confirm_clauses, cnf, counts, len(board.cells), derivation, stem + FORMULA)
    derived = check_steps(problem, derivation, name, stem + DERIVATION)
    place = derived.first_underived(cnf.clauses)
    if place is not None:
        clause = " ".join(map(str, cnf.clauses[place]))
        raise WrongCertificateError(
            stem + FORMULA, f"clause {place + 1} ({clause} 0) is not derived from the clues"
        )
    trying()
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

    Raises WrongCertificateError if a constraint is missing or one too many.
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
    # Both sides as multisets of "at least k of these literals": an equality is two of them.
    expected = Counter(half for count in statement.sums for half in _halves(*count))
    if claim is not None:
        expected[frozenset(claim), 1] += 1
    given: Counter[Half] = Counter()
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
    """Whether ``problem`` equals ``statement`` byte for byte, so that no parsing is needed."""
    start = problem.find(b"\n") + 1
    if not problem.startswith(b"* #variable= %d #" % statement.cells):
        return False
    last = b""
    if claim is not None:
        terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
        last = f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n".encode("ascii")
    end = start + len(statement.text)
    return problem.startswith(statement.text, start) and problem[end:] == last


def _halves(variables: Sequence[int], mines: int) -> tuple[Half, Half]:
    """Return an equality as two inequalities: a bound on mines, and a bound on safe cells."""
    opposite = frozenset([-v for v in variables])
    return (frozenset(variables), mines), (opposite, len(opposite) - mines)
