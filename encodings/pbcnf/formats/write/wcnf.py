"""WCNF, hard clauses and weighted soft ones, of the MaxSAT Evaluations: the writer.

Reference: see `pbcnf.formats.read.wcnf`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO

from pbcnf.constraints.problem import Objective
from pbcnf.formats.read.wcnf import MOST_WEIGHT
from pbcnf.formats.write.dimacs import body, byte_writer, comment_block
from pbcnf.formula import Formula
from pbcnf.literals import Clause, integer, literal
from pbcnf.wording import are, counted


def write_wcnf(
    hard: Formula,
    soft: Iterable[tuple[int, Clause]],
    stream: IO[bytes] | IO[str],
    comments: Iterable[str] = (),
) -> None:
    r"""Write hard clauses, then soft ones, each with its weight, in the form of 2022.

    The form cannot hold the number of variables: variables without occurrence are not in the file.
    Raises TypeError or ValueError, before anything is written, for a weight that is no int above 0,
    weights above `MOST_WEIGHT` in total, a value that is no literal of the variables of `hard`, and
    comments as `pbcnf.formats.write.dimacs` does.

    >>> import sys
    >>> f = Formula(num_vars=2)
    >>> f.add_clause([1, -2])
    >>> write_wcnf(f, [(7, [2])], sys.stdout)
    h 1 -2 0
    7 2 0
    """
    lines, total = [], 0
    for weight, clause in soft:
        if integer(weight, "a weight") < 1:
            raise ValueError(f"weight {weight}: it must be above 0")
        total += weight
        lits = [literal(lit) for lit in clause]
        for lit in lits:
            if abs(lit) > hard.num_vars:
                there = f"there {are(hard.num_vars)} {counted(hard.num_vars, 'variable')}"
                raise ValueError(f"literal {lit} of a soft clause: {there}")
        lines.append(" ".join([str(weight), *map(str, lits), "0\n"]))
    if total > MOST_WEIGHT:
        raise ValueError(f"the soft clauses weigh {total} together: at most {MOST_WEIGHT}")
    first = comment_block(comments)
    write = byte_writer(stream)
    write(first)
    begins = True
    for piece in body(hard):
        if piece:
            # A piece may end within a clause: then the next piece begins without h.
            text = piece[:-1].replace(b"\n", b"\nh ") + piece[-1:]
            write(b"h " + text if begins else text)
            begins = piece.endswith(b"\n")
    write("".join(lines).encode("ascii"))


def write_clauses(
    formula: Formula,
    inputs: int,
    stream: IO[bytes],
    comments: Iterable[str] = (),
    objective: Objective | None = None,
) -> None:
    """Write the formula of a problem, all of its clauses hard; its objective as soft clauses.

    The weight of the violated soft clauses is the objective, to be minimised. An objective to be
    maximised is negated, and a comment says so; another comment names a negative constant.

    Raises ValueError, before anything is written, for more than `MOST_WEIGHT` together.
    """
    soft: list[tuple[int, Clause]] = []
    if objective is not None:
        soft, added = soft_clauses(objective)
        comments = (*comments, "the objective: what the soft clauses given up weigh")
        if objective.maximise:
            comments += ("the objective was to be maximised: here it is negated",)
        if added:
            comments += (f"and {added} more",)
    write_wcnf(formula, soft, stream, comments)


def soft_clauses(objective: Objective) -> tuple[list[tuple[int, Clause]], int]:
    """Return soft clauses, and a constant <= 0 to be added to the weight of violated clauses.

    >>> soft_clauses(Objective((1, -2), (3, -4)))
    ([(3, (-1,)), (4, (-2,))], -4)
    """
    sign = -1 if objective.maximise else 1
    soft: list[tuple[int, Clause]] = []
    added = sign * objective.constant
    for lit, weight in zip(objective.lits, objective.weights, strict=True):
        signed = sign * weight
        if signed:
            # A weight -w of a literal is -w, and w if the literal is false.
            soft.append((abs(signed), (-lit if signed > 0 else lit,)))
            added += min(signed, 0)
    if added > 0:  # The empty clause is always violated.
        soft.append((added, ()))
    return soft, min(added, 0)
