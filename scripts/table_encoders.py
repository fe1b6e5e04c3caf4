#!/usr/bin/env python3
"""The tables of encodings/README.md: what our encoders promise, computed, and how large they are.

Each table stands between two marker comments; what is around them is left alone. The contract is
that of every bound of at most six inputs. With --against other libraries are audited as well,
where they are installed, in a table of their own.

Example: scripts/table_encoders.py --against pysat,pindakaas,rustsat,pypblib
"""

import sys
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import Formula, PseudoBoolean
from pbcnf.audit import AnyEncoder, Bound, Contract, Kind, Property, audit_encoder
from pbcnf.emission.groups import Group, encode_grouped, encoders_with_groups
from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS
from satsweeper.peers import PEERS, PeerMissingError, load
from satsweeper.report.table import markdown_table
from scripts.frame.arguments import names_of, parser_of, write_tables

README = Path(__file__).resolve().parents[1] / "encodings" / "README.md"
COMMAND = "python scripts/table_encoders.py"
UPTO = 6

SIZES = {
    "at most 1 of 8": (8, 0, 1), "at most 1 of 100": (100, 0, 1), "exactly 4 of 8": (8, 4, 4),
    "at most 10 of 100": (100, 0, 10), "at most 50 of 100": (100, 0, 50),
    "exactly 50 of 100": (100, 50, 50),
}  # fmt: skip
"""Title of a column -> n, lower, upper."""

CHOICES = ((10, 5, 60), (10, 10, 60), (20, 5, 60), (20, 5, 1000))
"""Numbers of groups and of literals in each, and the largest weight."""

PROPERTIES = [prop for prop in Property if prop is not Property.RECORDED]

_KINDS = (
    Kind.AT_MOST, Kind.AT_LEAST, Kind.EXACTLY, Kind.RANGE, Kind.WEIGHTED, Kind.WEIGHTED_RANGE,
    Kind.GROUPED,
)  # fmt: skip


def contract_table(encoders: Iterable[tuple[str, AnyEncoder]], upto: int = UPTO) -> str:
    """Return the properties that hold in every case up to ``upto`` inputs, or in which kinds."""
    rows = [["encoder", "bounds", *(prop.value for prop in PROPERTIES)]]
    for name, encoder in encoders:
        found = audit_encoder(encoder, upto, name)
        rows.append([f"`{name}`", _expressed(found), *(_held(found, prop) for prop in PROPERTIES)])
    return markdown_table(rows[0], rows[1:])


def _expressed(found: Contract) -> str:
    """Return the kinds of bounds that an encoder expresses.

    A kind of which some bounds are refused is followed by the numbers expressed and examined.
    """
    kinds = [row for row in found.rows() if row.kind in _KINDS]
    if not any(row.refused for row in kinds):
        also = [
            kind.value
            for kind in (Kind.WEIGHTED, Kind.GROUPED)
            if kind in {row.kind for row in kinds}
        ]
        return ", ".join(["all", *also])
    bounds = [case.bound for row in kinds for case in row.cases if isinstance(case.bound, Bound)]
    if all({b.lower, b.upper} <= {0, 1, b.n - 1, b.n} for b in bounds):
        return "0, 1, n-1, n"
    return ", ".join(
        f"{row.kind.value}{f' {len(row.cases)}/{total}' if row.refused else ''}"
        for row in kinds
        if row.cases and (total := len(row.cases) + row.refused)
    )


def _held(found: Contract, prop: Property) -> str:
    answers = {row.kind: row.holds(prop) for row in found.rows() if row.kind in _KINDS}
    judged = {kind: answer for kind, answer in answers.items() if answer is not None}
    if not judged:
        return "-"
    if all(judged.values()):
        return "yes"
    return ", ".join(kind.value for kind, answer in judged.items() if answer) or "no"


def _sizes(encoders: Mapping[str, Any], columns: Mapping[str, tuple[str, tuple[int, ...]]]) -> str:
    """Return the table of auxiliary variables and clauses that every encoder predicts.

    ``columns``: title of a column -> the method of an encoder, and its arguments.
    """
    rows = []
    for name, encoder in encoders.items():
        cells = []
        for method, arguments in columns.values():
            try:
                size = getattr(encoder, method)(*arguments)
                cells.append(f"{_number(size.variables)} / {_number(size.clauses)}")
            except ValueError:
                cells.append("-")
        rows.append([f"`{name}`", *cells])
    return markdown_table(["encoder", *columns], rows)


def groups_table() -> str:
    """Return the sizes of choices of one thing a group, with groups and without.

    The weights are random and the bound is half of the heaviest choice. Without a number are sums
    that take more than a million clauses.
    """
    rows = []
    for groups, each, most in CHOICES:
        rng, n = Random(3), groups * each
        weights = [rng.randint(1, most) for _ in range(n)]
        parts = [range(i, i + each) for i in range(0, n, each)]
        upper = sum(max(weights[i] for i in part) for part in parts) // 2
        total = PseudoBoolean(range(1, n + 1), weights, upper=upper)
        known = [Group(tuple(i + 1 for i in part)) for part in parts]
        row = [f"{groups} of {each}, weights to {most:,}"]
        for encoder in encoders_with_groups():
            cells = []
            for used in ([], known):
                form = total if encoder.name != "generalized_totalizer" or most < 100 else None
                formula = Formula(n)
                if form is not None:
                    encode_grouped(form, used, formula, encoder)
                size = f"{_number(formula.num_vars - n)} / {_number(formula.num_clauses)}"
                cells.append("-" if form is None else size)
            row += cells
        rows.append(row)
    heads = [head for each in encoders_with_groups() for head in (f"`{each.name}`", "with groups")]
    return markdown_table(["choices", *heads], rows)


def _number(value: int) -> str:
    return f"{value:,}".replace(",", " ") if value < 10**7 else f"{value:.1e}".replace("e+", "e")


def peers_table(libraries: Iterable[str]) -> str:
    """Return the contract table of the encoders of other libraries.

    Raises PeerMissingError for a library that is not installed.
    """
    loaded = [load(library) for library in libraries]
    encoders = [(f"{one.name}:{name}", of) for one in loaded for name, of in one.encoders.items()]
    versions = ", ".join(f"{library.name} {library.version}" for library in loaded)
    return f"Versions: {versions}.\n\n{contract_table(encoders)}"


def tables() -> dict[str, str]:
    """Return the tables of our own encoders, by title."""
    parities = {f"{n} literals": ("parity_size", (n,)) for n in (4, 5, 8, 20, 100)}
    return {
        "contract table": contract_table((name, name) for name in ENCODERS),
        "size table": _sizes(ENCODERS, {name: ("size", of) for name, of in SIZES.items()}),
        "table of groups": groups_table(),
        "parity table": _sizes(PARITY_ENCODERS, parities),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables, or only check them; return the exit code."""
    parser = parser_of(__doc__)
    parser.add_argument("--against", metavar="LIBRARIES", type=names_of(PEERS), default=[],
                        help=f"of {', '.join(PEERS)}; with commas")  # fmt: skip

    def made(arguments: Namespace) -> dict[str, str]:
        found = tables()
        if arguments.against:
            found["table of other libraries"] = peers_table(arguments.against)
        return found

    return write_tables(parser, README, COMMAND, made, argv, (PeerMissingError, ValueError))


if __name__ == "__main__":
    sys.exit(main())
