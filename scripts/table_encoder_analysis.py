#!/usr/bin/env python3
"""The tables of docs/encoder_analysis.md: how far each encoder is from proven lower bounds, how
large its proofs are, and what it propagates beside "at most one" of groups of inputs.

Sizes are predicted. Proofs are derived, checked and counted up to a number of clauses. Weights are
drawn from 1 to 100 (Python's generator, seed n), and the bound is half of their sum.

With --against other libraries are encoded with as well, where they are installed, for a table of
their own. Exit codes: 0 done; 1 a library is missing, the file has no place for a table, or --check
finds one stale; 2 wrong usage.

Example: scripts/table_encoder_analysis.py --against PySAT,pindakaas,RustSAT,PBLib
"""

import random
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.derivation.families import DERIVABLE
from pbcnf.encoders.protocol import Propagation, takes_weights
from pbcnf.encoders.table import ENCODERS, expresses
from pbcnf.formula import EncodingSize
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from satsweeper.report.table import markdown_table
from satsweeper.show.progress import progress
from scripts.bench import lower_bounds, side_constraints
from scripts.bench.encode_contenders import PEERS, ROWS, SUMS
from scripts.bench.encode_forms import Group, Problem
from scripts.bench.side_constraints import Bounded, Groups, Strength
from scripts.bench_derivations import Figures, Sum, measure_one
from scripts.frame.arguments import names_of, parser_of, require_section, write_tables
from scripts.table_sizes import PACKAGES, theirs

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "encoder_analysis.md"
COMMAND: Final = "python scripts/table_encoder_analysis.py"

ONES: Final = (10, 20, 30, 50, 100, 200, 500, 1000, 10_000, 100_000)
COUNTS: Final = {
    20: (10,), 50: (10, 12, 25), 100: (10, 25, 50), 200: (), 500: (), 1000: (10, 250, 500),
    10_000: (),
}  # fmt: skip
"""Number of inputs -> the bounds of its table besides those from 2 to 5."""
WEIGHTED: Final = (10, 20, 50, 100)
MOST_CLAUSES: Final = 10_000
"""The most clauses that are derived."""
TIMES: Final = 10
"""The factor of the fewest clauses up to which namesakes of an encoder are tried."""
MANY: Final = 10_000
"""The number of inputs from which that factor is 4, and the limit `LIMIT_OF_MANY`."""
LIMITS: Final = Limits(60, memory=2 * 2**30)
LIMIT_OF_MANY: Final = Limits(20, memory=2 * 2**30)

Found: TypeAlias = Mapping[str, EncodingSize]
"""Encoder -> predicted size of a sum, for all encoders that express it."""


def count(n: int, upper: int) -> Sum:
    """Return the sum "at most ``upper`` of ``n``"."""
    return Sum(f"{upper:,} of {n:,}".replace(",", " "), (1,) * n, upper)


def weighted(n: int) -> Sum:
    """Return a sum of ``n`` random weights, at most half of their total."""
    draw = random.Random(n)
    weights = tuple(draw.randint(1, 100) for _ in range(n))
    return Sum(f"{n} weights", weights, sum(weights) // 2)


BOUNDS: Final = {
    "at most one": [count(n, 1) for n in ONES],
    **{
        f"at most k of {n}": [count(n, k) for k in (2, 3, 4, 5, *more)]
        for n, more in COUNTS.items()
    },
    "weighted sums": [weighted(n) for n in WEIGHTED],
}
"""Name of a table -> the sums that are its columns."""

PROOFS: Final = (
    *(count(n, 1) for n in (10, 100, 1000)), *(count(100, k) for k in (2, 10, 50)),
    count(1000, 2), weighted(10), weighted(50),
)  # fmt: skip


def number(value: int) -> str:
    """Return a number of clauses, variables or bytes as text."""
    return f"{value:,}".replace(",", " ") if value < 10**7 else f"{value:.1e}".replace("e+", "e")


def is_count(of: Sum) -> bool:
    """Whether every weight of ``of`` is 1."""
    return set(of.weights) == {1}


def lower_bound(of: Sum) -> int:
    """Return the best proven lower bound on the clauses of any encoding of ``of``."""
    n = len(of.weights)
    if not is_count(of):
        return lower_bounds.weighted(of.weights, of.upper)
    return lower_bounds.at_most(n, of.upper)


@cache
def sizes(of: Sum) -> Found:
    """Return the predicted size for every encoder that expresses ``of``."""
    n = len(of.weights)
    if is_count(of):
        expressed = [name for name in ENCODERS if expresses(name, n, 0, of.upper)]
        return {name: ENCODERS[name].size(n, 0, of.upper) for name in expressed}
    return {
        name: encoder.weighted_size(of.weights, 0, of.upper)
        for name, encoder in ENCODERS.items()
        if takes_weights(encoder)
    }


def smallest(found: Found) -> tuple[str, EncodingSize]:
    """Return the encoder with the fewest clauses, of these the fewest variables, and its size."""
    return min(found.items(), key=lambda item: (item[1].clauses, item[1].variables))


def size_table(columns: Sequence[Sum]) -> str:
    """Return variables, clauses, and clauses by the lower bound, for every encoder."""
    found = [sizes(of) for of in columns]
    bounds = [lower_bound(of) for of in columns]
    rows = [["*lower bound*", *map(number, bounds)]]
    for name in ENCODERS:
        if any(name in each for each in found):
            cells = [
                _size_cell(each.get(name), bound) for each, bound in zip(found, bounds, strict=True)
            ]
            rows.append([f"`{name}`", *cells])
    return markdown_table(
        ["encoder", *(of.title for of in columns)], rows, range(1, len(columns) + 1)
    )


def _size_cell(size: EncodingSize | None, bound: int) -> str:
    if size is None:
        return "-"
    ratio = size.clauses / bound
    times = f"{ratio:.2f}" if ratio < 10 else number(round(ratio))
    return f"{number(size.variables)} / {number(size.clauses)} ({times})"


# Other libraries.


def problem_of(of: Sum) -> Problem:
    """Return ``of`` in the form that encoders of other libraries take."""
    n = len(of.weights)
    weights = () if is_count(of) else of.weights
    inputs = np.arange(1, n + 1, dtype=np.int32).reshape(1, n)
    return Problem(of.title, n, (Group(inputs, "at most", of.upper, weights),))


def namesakes(of: Sum, library: str) -> list[str]:
    """Return the encoders of ``library`` that take ``of`` and are not clearly too large."""
    most = smallest(sizes(of))[1].clauses * (4 if len(of.weights) >= MANY else TIMES)
    found: dict[str, None] = {}
    for row in ROWS:
        of_weights = any("weights" in title for title in row.sums)
        of_one = all(SUMS[title].groups[0].bound == 1 for title in row.sums)
        fits = of_weights != is_count(of) and (of.upper == 1 or not of_one)
        if fits and library in row.namesakes and sizes(of)[row.encoder].clauses <= most:
            found[row.namesakes[library]] = None
    return [*found]


class Best(NamedTuple):
    """The encoder with the fewest clauses of some."""

    clauses: int
    variables: int
    encoder: str


def best_of(library: str, of: Sum) -> Best | None:
    """Return the encoder of ``library`` with the fewest clauses for ``of``; None without any.

    An encoder that does not end within its limits is left out.
    """
    made, limits = [], LIMIT_OF_MANY if len(of.weights) >= MANY else LIMITS
    for name in namesakes(of, library):
        with Forked(lambda name: theirs(library, name, problem_of(of)), limits) as child:
            size = child.ask(name)
        if isinstance(size, Ended) and size.how == "error":
            raise ValueError(f"{library} {name}, {of.title}: {size.what}")
        if not isinstance(size, Ended):
            made.append(Best(size[1], size[0], name))
    # Of equal ones the first: a library may pass at most one on to another encoder than was named.
    return min(made, key=lambda one: (one.clauses, one.variables), default=None)


def peers_table(libraries: Sequence[str], page: str = "") -> str:
    """Return the smallest encoding of each library beside the bound and our smallest.

    Rows of ``page``, a text with this table of the same versions, are not encoded anew.

    Raises PackageNotFoundError, which is an ImportError, for a library that is not installed.
    """
    versions = ", ".join(f"{name} {version(PACKAGES[name])}" for name in libraries)
    columns = [of for each in BOUNDS.values() for of in each]
    kept = _rows_of(page) if f"\nVersions: {versions}. " in page else {}
    rows, larger = [], []
    with progress("other libraries", len(columns)) as reach:
        for done, of in enumerate(columns, start=1):
            name, size = smallest(sizes(of))
            if of.title in kept:
                found = kept[of.title]
            else:
                found = [_best_cell(best_of(each, of)) for each in libraries]
            if any(_clauses_of(cell) < size.clauses for cell in found):
                larger.append(of.title)
            own = Best(size.clauses, size.variables, name)
            rows.append([of.title, number(lower_bound(of)), _best_cell(own), *found])
            reach(done)
    said = (
        f"Versions: {versions}. For {len(columns) - len(larger)} of {len(columns)} bounds none has"
        f" fewer clauses than ours{', but for ' if larger else ''}{', '.join(larger)}."
    )
    heads = ["at most", "lower bound", "ours", *libraries]
    return f"{said}\n\n{markdown_table(heads, rows, (1,))}"


def _best_cell(of: Best | None) -> str:
    return "-" if of is None else f"{number(of.variables)} / {number(of.clauses)} `{of.encoder}`"


def _rows_of(page: str) -> dict[str, list[str]]:
    """Return the cells of other libraries in the table of a page, by the title of their row."""
    table = page.partition(f"<!-- {PEERS_SECTION}: ")[2].partition("<!-- end of ")[0]
    split = ([cell.strip() for cell in line.split("|")] for line in table.splitlines())
    return {cells[1]: cells[4:-1] for cells in split if len(cells) > 5}


def _clauses_of(cell: str) -> float:
    """Return the number of clauses in a cell of the table; infinity without an encoding."""
    if cell == "-":
        return float("inf")
    return float(cell.partition(" / ")[2].partition(" `")[0].replace(" ", ""))


# Proofs.


@cache
def proof(name: str, of: Sum) -> Figures | None:
    """Return the figures of a derivation; None if there is none or it would be too large."""
    clauses = of.clauses(name) if name in DERIVABLE else None
    return None if clauses is None or clauses > MOST_CLAUSES else measure_one(of, name)


def proof_table(columns: Sequence[Sum] = PROOFS) -> str:
    """Return steps and bytes of the derivation of every encoder, and bytes per literal."""
    rows = []
    with progress("derivations", len(ENCODERS)) as reach:
        for done, name in enumerate(ENCODERS, start=1):
            found = [proof(name, of) for of in columns]
            rates = _rates(name, columns)
            cells = [
                "-" if each is None else f"{number(each.steps)} / {number(each.size)}"
                for each in found
            ]
            span = f"{min(rates):.0f} to {max(rates):.0f}" if rates else "-"
            rows.append([f"`{name}`", *cells, span])
            reach(done)
    heads = ["encoder", *(of.title for of in columns), "bytes per literal"]
    return markdown_table(heads, rows, range(1, len(heads)))


def _rates(name: str, columns: Sequence[Sum] = PROOFS) -> list[float]:
    """Return the bytes of the proof for each literal of the clauses, where there is a proof."""
    found = [(of, proof(name, of)) for of in columns]
    return [each.size / sizes(of)[name].literals for of, each in found if each]


# Side constraints.

INPUTS: Final = (4, 5, 6)
KINDS: Final = ("at most", "at least", "exactly", "weighted at least")


def bounds_of(kind: str, n: int) -> list[Bounded]:
    """Return all bounds of a kind of ``n`` inputs; weights are drawn from 1 to 9, with seed n."""
    if kind == "weighted at least":
        draw = random.Random(n)
        weights = tuple(draw.randint(1, 9) for _ in range(n))
        total = sum(weights)
        return [Bounded(weights, lower, total) for lower in range(1, total)]
    lower, upper = kind != "at most", kind != "at least"
    return [Bounded((1,) * n, k if lower else 0, k if upper else n) for k in range(1, n)]


@cache
def strength(name: str, kind: str, grouped: bool) -> Strength:
    """Return the strength of an encoder over all bounds of ``kind`` that the encoder expresses.

    ``grouped``: with each partition of the inputs into groups of two and three, else without.
    """
    found = side_constraints.NOTHING
    if kind.startswith("weighted") and not takes_weights(ENCODERS[name]):
        return found
    for n in INPUTS:
        groups: list[Groups] = [*side_constraints.partitions(range(1, n + 1))] if grouped else [()]
        for of in bounds_of(kind, n):
            if kind.startswith("weighted") or expresses(name, n, of.lower, of.upper):
                for each in groups:
                    found += side_constraints.strength(name, of, each)
    return found


def side_table() -> str:
    """Return the shares of implied literals and of contradictions, alone and with groups."""
    heads = ["encoder", *(f"{kind}{with_}" for kind in KINDS for with_ in ("", ", groups"))]
    rows = [
        [
            f"`{name}`",
            *(_shares(strength(name, kind, each)) for kind in KINDS for each in (False, True)),
        ]
        for name in ENCODERS
    ]
    return markdown_table(heads, rows, range(1, len(heads)))


def _shares(of: Strength) -> str:
    return f"{_share(*of[:2])} / {_share(*of[2:])}" if of.of_literals else "-"


def _share(found: int, total: int) -> str:
    """Return a percentage, rounded down, so that 100 means all."""
    tenths = 1000 * found // total
    return "100" if tenths == 1000 else f"{tenths / 10:.1f}"


# What the tables show, in sentences.

FOUND: Final = (
    *(count(n, 1) for n in (100, 10_000)), *(count(1000, k) for k in (2, 10, 500)), weighted(50),
)  # fmt: skip
"""Sums of which the encoders with the fewest clauses are named."""
LARGE_PROOF: Final = 200
"""Bytes of a proof for each literal of the clauses, beyond which an encoder is named."""


def findings() -> str:
    """Return sentences on the tables, as a list."""
    nearest = [f"{_at_most(of)}: {_nearest(of)}." for of in FOUND]
    propagated = [_beside_upper_bounds(), _beside_lower_bounds()]
    return "\n".join(f"* {line}" for line in (*nearest, _largest_proofs(), *propagated))


def _at_most(of: Sum) -> str:
    return f"At most {of.title}" if is_count(of) else f"At most half of {of.title}"


def _nearest(of: Sum) -> str:
    found, bound = sizes(of), lower_bound(of)
    consistent = {name: size for name, size in found.items() if _arc_consistent(name, of)}
    (least, size), (best, other) = smallest(found), smallest(consistent)
    said = f"`{least}` has the fewest clauses, {number(size.clauses)},"
    said += f" {size.clauses / bound:.2f} times the bound {number(bound)}"
    if best == least:
        return said
    times = f"{other.clauses / bound:.2f} times"
    return f"{said}; of the arc-consistent encoders `{best}`, {number(other.clauses)}, {times}"


def _arc_consistent(name: str, of: Sum) -> bool:
    encoder = ENCODERS[name]
    if not is_count(of):
        assert takes_weights(encoder)
        return encoder.weighted_propagation is Propagation.ARC_CONSISTENT
    return encoder.propagation is Propagation.ARC_CONSISTENT


def _largest_proofs() -> str:
    rates = {name: max(_rates(name), default=0.0) for name in ENCODERS}
    large = {name: rate for name, rate in rates.items() if rate > LARGE_PROOF}
    rest = max(rate for rate in rates.values() if rate <= LARGE_PROOF)
    return (
        f"Proofs have at most {rest:.0f} bytes for each literal of the clauses, except those of"
        f" {_names(large)}, with up to {number(round(max(large.values(), default=0)))}."
    )


def _beside_upper_bounds() -> str:
    weak = [name for name in ENCODERS if not strength(name, "at most", True).all_found()]
    return (
        f"At most k beside groups: {len(ENCODERS) - len(weak)} of {len(ENCODERS)} encoders find"
        f" everything that follows, all but {_names(weak)}."
    )


def _beside_lower_bounds() -> str:
    floor = strength("direct", "at least", True)
    found = [strength(name, "at least", True) for name in ENCODERS]
    general = [each for each in found if each.of_literals == floor.of_literals]
    more = sum(
        each.literals > floor.literals or each.conflicts > floor.conflicts for each in general
    )
    return (
        f"At least k beside groups: `direct` finds {_share(*floor[:2])} % of the implied literals"
        f" and {_share(*floor[2:])} % of the contradictions. Of the {len(general)} encoders of all"
        f" bounds {general.count(floor)} find as many, and {more or 'none'} more."
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


PEERS_SECTION: Final = "other libraries"
SECTIONS: Final[Mapping[str, Callable[[], str]]] = {
    "findings": findings,
    **{name: partial(size_table, columns) for name, columns in BOUNDS.items()},
    "proofs": proof_table,
    "side constraints": side_table,
}
"""Section of the page -> the function that makes its content."""


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables, or only check them; return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--against", metavar="LIBRARIES", type=names_of(PEERS), default=[],
        help=f"of {', '.join(PEERS)}; with commas")  # fmt: skip
    add("--only", metavar="SECTIONS", type=names_of(SECTIONS), default=[*SECTIONS],
        help="these of our own tables; with commas")  # fmt: skip
    add("--keep", action="store_true",
        help="keep what the file has of the same versions of other libraries")  # fmt: skip

    def made(arguments: Namespace) -> dict[str, str]:
        for name in (*SECTIONS, PEERS_SECTION):
            require_section(arguments.file, name)
        found = {name: SECTIONS[name]() for name in arguments.only}
        if arguments.against:
            kept = arguments.file.read_text("utf-8") if arguments.keep else ""
            found[PEERS_SECTION] = peers_table(arguments.against, kept)
        return found

    return write_tables(parser, PAGE, COMMAND, made, argv, (ImportError, OSError, ValueError))


if __name__ == "__main__":
    sys.exit(main())
