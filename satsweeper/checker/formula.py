"""The clauses follow from what the board says: the problem is the board's, each step is checked."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from pbcnf.proof import Cnf, ProofFormatError, parse_cnf
from pbcnf.proof.cutting_planes import Inequality, ProofError, check_proof
from pbcnf.proof.cutting_planes.formula import PbFormula, read_formula
from pbcnf.proof.cutting_planes.known import Equalities
from satsweeper.checker.board import Board
from satsweeper.checker.canonical import check_distinct
from satsweeper.checker.jobs import ALONE, Jobs
from satsweeper.checker.manifest import Certificate
from satsweeper.checker.name_map import check_map
from satsweeper.checker.second_opinion import check_again
from satsweeper.checker.stated import Stated
from satsweeper.checker.wrong import WrongCertificateError, counted, wrong_at

Half = tuple[frozenset[int], int]
"""At least so many of these literals."""

PROBLEM: Final = "clues.opb"
DERIVATION: Final = "derivation.pbp"
FORMULA: Final = "formula.cnf"
MAP: Final = "map.json"
MOST_DIGITS: Final = 40
"""Of a number in a derivation; those for a board of 1000 x 1000 cells have seven."""


def check_formula(
    certificate: Certificate, board: Board, said: Stated, stem: str = "", parts: Jobs = ALONE
) -> Cnf:
    """The formula, once each of its clauses is known to follow from these counts of the board.

    That is checked twice, by code that has nothing in common: the derivation, step by step, and
    assignments of the cells.

    Args:
        certificate: its files.
        board: to compare the name map with.
        said: the clues that the formula may use, and perhaps the total.
        stem: where the files are.
        parts: where the assignments may be tried.

    Raises:
        WrongCertificateError: the problem is another one, or a step or a clause is wrong.
    """
    name, derivation = stem + PROBLEM, certificate.files[stem + DERIVATION]
    problem = check_problem(certificate.files[name], said, name)
    cnf = read_clauses(certificate, stem + FORMULA)
    check_map(certificate, board, cnf.num_vars, stem + MAP)
    counts = said.counts(abs(lit) for clause in cnf.clauses for lit in clause)
    trying = parts.start(check_again, cnf, counts, len(board.cells), derivation, stem + FORMULA)
    try:
        derived = check_proof(problem, derivation, name, stem + DERIVATION, most_digits=MOST_DIGITS)
    except ProofError as error:
        raise wrong_at(error.source, error.line, error.message) from None
    place = derived.first_underived(cnf.clauses)
    if place is not None:
        clause = " ".join(map(str, cnf.clauses[place]))
        raise WrongCertificateError(
            stem + FORMULA, f"clause {place + 1} ({clause} 0) is not derived from the clues"
        )
    trying()
    return cnf


def read_clauses(certificate: Certificate, name: str) -> Cnf:
    """A CNF file of a certificate, no variable twice in a clause. Raises WrongCertificateError."""
    try:
        cnf = parse_cnf(certificate.files[name], name)
    except ProofFormatError as error:
        raise wrong_at(name, error.line, error.message) from None
    check_distinct(name, cnf.clauses)
    return cnf


def check_problem(
    problem: bytes, said: Stated, name: str, claim: Sequence[int] | None = None
) -> PbFormula:
    """A problem, once it is what the board says, and a clause if there must be one.

    Raises WrongCertificateError.
    """
    if _as_written(problem, said, claim):
        others = [] if claim is None else [Inequality(dict.fromkeys(claim, 1), 1)]
        return PbFormula(Equalities(said.sums, others), said.cells)
    try:
        found = read_formula(problem, name)
    except ProofError as error:
        raise wrong_at(name, error.line, error.message) from None
    if found.variables != said.cells:
        # A cell that is not declared could be defined at will, like an auxiliary variable.
        what = f"{counted(found.variables, 'variable')}, but the board has "
        what += counted(said.cells, "covered cell")
        raise WrongCertificateError(name, what)
    expected = Counter(half for count in said.sums for half in _halves(*count))
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


def _as_written(problem: bytes, said: Stated, claim: Sequence[int] | None) -> bool:
    """Whether a problem is what is said byte for byte, so that none of it need be read."""
    start = problem.find(b"\n") + 1
    if not problem.startswith(b"* #variable= %d #" % said.cells):
        return False
    last = b""
    if claim is not None:
        terms = "".join([f"+1 x{lit} " if lit > 0 else f"-1 x{-lit} " for lit in claim])
        last = f"{terms}>= {1 - sum([lit < 0 for lit in claim])} ;\n".encode("ascii")
    end = start + len(said.text)
    return problem.startswith(said.text, start) and problem[end:] == last


def _halves(variables: Sequence[int], mines: int) -> tuple[Half, Half]:
    """At least so many mines, at least so many safe cells."""
    opposite = frozenset([-v for v in variables])
    return (frozenset(variables), mines), (opposite, len(opposite) - mines)
