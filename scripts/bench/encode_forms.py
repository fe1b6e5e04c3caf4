"""The forms in which clauses are delivered, and how each side delivers its own."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

FORMS: Final = ("memory", "lists", "solver", "file")
"""In the memory of the side itself; lists of Python ints; in a live solver; in a DIMACS file."""

SOLVER: Final = "cadical195"
"""PySAT's solver that takes the clauses, but for pindakaas, which has a CaDiCaL of its own."""

Lists = Sequence[Sequence[int]]


class Result(NamedTuple):
    """What a contender made: auxiliary variables and clauses where it says how many, and it all."""

    variables: int | None
    clauses: int | None
    made: object


Run = Callable[[], Result]


def deliver(form: str, lists: Callable[[], Lists], num_vars: int) -> object:
    """Deliver clauses that become lists of Python ints before they become anything else."""
    if form == "memory":
        return None
    if form == "lists":
        return lists()
    if form == "solver":
        return solver(lists())
    clauses = lists()
    text = "".join([f"{' '.join(map(str, clause))} 0\n" for clause in clauses])
    write(f"p cnf {num_vars} {len(clauses)}\n{text}".encode())
    return clauses


def solver(clauses: Any) -> object:
    """A live solver with the clauses."""
    from pysat.solvers import Solver

    live = Solver(SOLVER)
    live.append_formula(clauses)
    return live


def file() -> Path:
    """A file to write to, the same for every run of a process; its folder is removed at the end."""
    return Path(_folder.name) / "clauses.cnf"


def write(text: bytes) -> None:
    """Write to the file."""
    file().write_bytes(text)


_folder: Final = tempfile.TemporaryDirectory(prefix="bench_encode_")
