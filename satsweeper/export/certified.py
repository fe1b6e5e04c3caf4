"""An OPB problem as CNF, with the proof that no solution is lost."""

from typing import IO

from pbcnf.constraints.problem import Problem
from pbcnf.derivation import write_proof
from pbcnf.derivation.opb import derive_opb
from pbcnf.emission.whole_problems import Choices, tallied
from pbcnf.formats.problem_file import ProblemFile
from pbcnf.formats.problems import read_whole
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formats.writing import write_json
from pbcnf.formula import EncodingSize
from satsweeper.export.problem import ProblemReport, comments_of, map_of, own_names


def encode_certified(
    problem: ProblemFile,
    source: str,
    stream: IO[bytes],
    proof: IO[bytes],
    choices: Choices,
    most_clauses: int | None = None,
    names: IO[bytes] | None = None,
) -> ProblemReport:
    """Write the clauses that ``encode_file`` writes, and their derivation from the problem's rows.

    The whole problem is in memory meanwhile.

    Raises:
        ProofError: the file is not OPB as checkers read it: rows of x1, x2, ... and nothing else.
        FormatError: the problem's text is wrong somewhere.
        ValueError: an encoder cannot express a constraint, or would need too many clauses.
        OSError: something cannot be read or written.
    """
    whole: Problem = read_whole(problem)
    assert problem.lines is not None
    raw = b"".join(problem.lines.blocks())
    made = derive_opb(raw, whole.constraints, choices, most_clauses, source)
    formula = made.formula
    total = EncodingSize(formula.num_vars, formula.num_clauses, formula.num_literals)
    report = ProblemReport(
        *(problem.format, problem.num_vars, total, tallied(made.encoded), problem.objective),
        steps=made.derivation.added,
    )
    write_dimacs(formula, stream, comments=tuple(comments_of(report)))
    write_proof(made.derivation, proof)
    if names is not None:
        auxiliaries = [one for one in made.encoded if one.size.variables]
        write_json(map_of(report, own_names(problem), auxiliaries), names)
    return report
