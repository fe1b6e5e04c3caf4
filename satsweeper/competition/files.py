"""The files of an instance: compressed, with the header of its competition, and checked."""

import hashlib
from pathlib import Path
from typing import Final

from pbcnf.constraints.problem import Problem
from pbcnf.formats.compressed import decompressed_lines
from pbcnf.formats.lint import lint
from pbcnf.formats.problems import read_problem
from pbcnf.formats.write.counting import write_counting
from pbcnf.formats.write.dimacs import write_dimacs
from pbcnf.formats.write.opb import write_opb
from pbcnf.formats.writing import replacing, write_json
from satsweeper.board.errors import DefectError
from satsweeper.competition.instance import EntryInstance, Series, instance_of
from satsweeper.competition.measurement import Measurement, Probe
from satsweeper.count.odds import digits
from satsweeper.solvers.solve_formula import value_lines
from satsweeper.version import __version__

ENDINGS: Final = {"sat": "cnf.xz", "pb": "opb.xz", "counting": "cnf.xz"}


def stem(job: Probe) -> str:
    """Return the name of the files of an instance, such as ``ones-drawn_n12_s0``."""
    return f"{job.series.replace('_', '-')}_n{job.size}_s{job.seed}"


def write_instance(folder: Path, track: str, series: Series, measured: Measurement) -> list[Path]:
    """Write an instance, its name map, its board, and its model or count; the instance comes first.

    The answer is in none of the files for solvers.

    Raises:
        DefectError: the instance is not the measured instance, or the file breaks a rule of the
            competition.
        OSError: a file cannot be written.
    """
    job = measured.job
    instance = instance_of(series, job.size, job.seed)
    formula = instance.formula
    if (formula.num_vars, formula.num_clauses) != (measured.variables, measured.clauses):
        raise DefectError(f"{job.id}: not the instance that was measured")
    name = stem(job)
    main = folder / f"{name}.{ENDINGS[track]}"
    comments = provenance(series, job)
    with replacing(main) as stream:
        if track == "pb":
            write_opb(instance.problem, stream, comments)
        elif track == "counting":
            write_counting(formula, stream, comments=comments)
        else:
            write_dimacs(formula, stream, comments)
    _check_file(main, track, instance)
    written = [main, folder / f"{name}.map.json"]
    with replacing(written[-1]) as stream:
        write_json(instance.name_map(clauses=track != "pb"), stream)
    count = None if measured.solved is None else measured.solved.count
    texts = {
        "board.txt": None if instance.position is None else instance.position.text(),
        "model.txt": _model(track, instance, measured),
        "count.txt": None if count is None else f"{digits(count)}\n",
    }
    for ending, text in texts.items():
        if text is not None:
            written.append(folder / f"{name}.{ending}")
            with replacing(written[-1]) as stream:
                stream.write(text.encode("ascii"))
    return written


def provenance(series: Series, job: Probe) -> list[str]:
    """Return the comments of an instance: nothing of them tells the answer."""
    comments = [
        f"satsweeper {__version__}",
        f"family {series.family.name}, size {job.size}, seed {job.seed}",
    ]
    question = series.question(job.size, job.seed)
    if question is not None:
        (row, column), mine = question
        comments.append(f"asked: is cell {row} {column} {'a mine' if mine else 'safe'}")
    return comments


def sha256(path: Path) -> str:
    """The SHA-256 of a file."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _model(track: str, instance: EntryInstance, measured: Measurement) -> str | None:
    """The model in the output format of competitions, checked again; None without a model."""
    if not measured.model or track == "counting":
        return None
    # Bit v - 1 is variable v.
    bits = int(measured.model, 16)
    model = [var if bits >> var - 1 & 1 else -var for var in range(1, measured.variables + 1)]
    if not instance.problem.holds(set(model)):
        raise DefectError(f"{measured.job.id}: what was kept as a model is none")
    if track == "sat":
        lines = list(value_lines(model))
    else:
        own = model[: instance.problem.num_vars]
        lines = [" ".join(["v", *(f"{'-' * (lit < 0)}x{abs(lit)}" for lit in own)])]
    return "".join(f"{line}\n" for line in ["s SATISFIABLE", *lines])


def check_constraints(path: Path, problem: Problem) -> None:
    """Read a file of constraints again, and refuse one that does not hold ``problem``.

    Raises:
        DefectError: names, variables or constraints differ.
    """
    read = read_problem(path)
    if (read.num_vars, read.names) != (problem.num_vars, problem.names):
        raise DefectError(f"{path.name}: not the problem that was written")
    if len(read.constraints) < len(problem.constraints):
        raise DefectError(f"{path.name}: constraints are missing")
    if (read.objective is None) is not (problem.objective is None):
        raise DefectError(f"{path.name}: an objective for a decision, or none for an optimum")


def _check_file(path: Path, track: str, instance: EntryInstance) -> None:
    """Read the file again: by the rules for clauses, or constraint by constraint."""
    if track == "pb":
        check_constraints(path, instance.problem)
        return
    with open(path, "rb") as stream:
        for found in lint(decompressed_lines(stream), path.name):
            raise DefectError(f"{path.name}:{found.line or ''} {found.message}")
