"""The table of engines: all ways to classify, each with its promise, package and options."""

import sys
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Final

from satsweeper.answers.options import PORTFOLIO, SESSION, Options
from satsweeper.engines.protocol import Classify, Engine, EngineMissingError

PACKAGES: Final = {
    "cp": ("ortools",),
    "ilp": ("highspy",),
    "scip": ("pyscipopt",),
    "smt": ("pysmt", "z3"),
    "plot": ("matplotlib",),
    "cluster": ("distributed",),
    "fast": ("numba",),
    "tui": ("textual",),
    "render": ("PIL",),
}
"""Extra -> the names under which its packages are imported."""


def _load(name: str, extra: str | None, place: str) -> Classify:
    if extra is not None and (lacking := missing(extra)):
        from pbcnf.wording import install_hint

        hint = install_hint(f"satsweeper[{extra}]")
        raise EngineMissingError(f"engine {name} needs {' and '.join(lacking)}: {hint}")
    module, _, function = place.partition(":")
    classify: Classify = getattr(sys.modules.get(module) or import_module(module), function)
    return classify


def missing(extra: str | None) -> list[str]:
    """Return the packages of ``extra`` that are not installed; imports nothing."""
    return [package for package in PACKAGES.get(extra or "", ()) if find_spec(package) is None]


def installed(engine: Engine) -> bool:
    """Whether everything that ``engine`` needs is installed; imports nothing."""
    return not missing(engine.extra)


def find_engine(name: str) -> Engine:
    """Return the engine called ``name``; ValueError names all engines."""
    if name not in ENGINES:
        from pbcnf.wording import unknown_name

        raise ValueError(unknown_name("engine", name, ENGINES))
    return ENGINES[name]


def check_options(options: Options, sign: str = "") -> None:
    """Raise ValueError for an unknown engine, and for options that the engine does not have.

    Args:
        options: the options to check.
        sign: a prefix of option names in messages, such as ``--``.

    Raises:
        ValueError: there is no such engine, or an option applies to other engines only.
    """
    takes = find_engine(options.engine).takes
    if options.cap is not None and "cap" not in takes:
        raise ValueError(f"{sign}cap is for {sign}engine enumeration, not {options.engine}")
    if takes != SESSION_OPTIONS and any(
        getattr(options, name) != getattr(Options, name) for name in SESSION_OPTIONS
    ):
        raise ValueError(
            f"{sign}encoding, {sign}total-encoding, {sign}solver and {sign}plain are for"
            f" {sign}engine {PORTFOLIO} or {SESSION}, not {options.engine}"
        )


def _row(
    name: str,
    complete: bool,
    promise: str,
    extra: str | None = None,
    place: str = "",
    takes: tuple[str, ...] = (),
) -> Engine:
    """Return a row; ``place``: ``module:function``, by default ``classify`` of module ``name``."""
    place = place or f"satsweeper.engines.{name}:classify"
    return Engine(name, complete, promise, extra, partial(_load, name, extra, place), takes)


SESSION_OPTIONS: Final = ("encoding", "total_encoding", "solver", "plain")
"""The fields of ``Options`` that only the session has."""
_SESSION: Final = "satsweeper.search.at_once:classify_square"

_ROWS: Final = (
    _row(
        "portfolio",
        True,
        "Every verdict, on boards of a million cells: the engine sat, and where search does not "
        "settle a region soon, sums of its clues modulo 2 and 3 and, if HiGHS is installed, a "
        "linear program.",
        place=_SESSION,
        takes=SESSION_OPTIONS,
    ),
    _row(
        "sat",
        True,
        "Every verdict, on boards of a million cells, and good where parity decides; exponential "
        "on boards made to be hard for resolution, such as mutilated chessboards from 33x33 cells "
        "on.",
        place=_SESSION,
        takes=SESSION_OPTIONS,
    ),
    _row(
        "brute_force",
        True,
        "Every verdict, by trying all layouts; refuses more than 22 covered cells.",
    ),
    _row(
        "enumeration",
        True,
        "Every verdict, by backtracking over regions; refuses a region that would take too long, "
        "and with --cap N leaves regions of more than N cells alone.",
        takes=("cap",),
    ),
    _row(
        "single_clue",
        False,
        "What one clue says by itself; compares no two clues and never uses the total.",
    ),
    _row(
        "subset",
        False,
        "What follows from sets of cells within one another, the total included as far as that "
        "stays small; misses overlaps in which no set lies within the other.",
    ),
    _row(
        "assumption",
        False,
        "What the single-clue rules refute after one assumption; misses what takes two, and never "
        "uses the total.",
        place="satsweeper.engines.single_clue:by_assumptions",
    ),
    _row(
        "elimination",
        False,
        "What sums of clues, the total included, prove modulo 2, modulo 3 or by their bounds, "
        "without search; all there is on a mutilated chessboard, and where parity decides; misses "
        "what takes inequalities, pigeonholes for one, or two cases.",
    ),
    _row(
        "cp_sat",
        True,
        "Every verdict, by OR-Tools CP-SAT, its status checked; far slower than sat on ordinary "
        "boards, and no better on a mutilated chessboard with private cells.",
        "cp",
    ),
    _row(
        "ilp",
        True,
        "Every verdict, as a 0/1 program solved by HiGHS; under a second on a mutilated "
        "chessboard of 61x61 cells, where sat is exponential, and slow where parity "
        "decides. A note says which verdicts rest on doubles; the others are proved exactly.",
        "ilp",
        "satsweeper.engines.ilp:by_optimising",
    ),
    _row(
        "lp",
        True,
        "Every verdict, by adding a test constraint for one cell after another to a 0/1 program "
        "(HiGHS); as ilp under a second on a mutilated chessboard of 61x61 cells, slow where "
        "parity decides, and exact but for what a note says.",
        "ilp",
        "satsweeper.engines.ilp:by_test_constraints",
    ),
    _row(
        "lp_relaxation",
        False,
        "What the minimum and maximum of each cell over the linear relaxation prove, exactly: all "
        "there is on a mutilated chessboard; misses what holds for whole mines only, parity for "
        "one.",
        "ilp",
    ),
    _row(
        "scip",
        True,
        "Every verdict, as a 0/1 program solved by SCIP; under a second on a mutilated chessboard "
        "of 61x61 cells without a layout, and good where parity decides; far slower than sat on "
        "ordinary boards. A note says which verdicts rest on doubles; the others are proved "
        "exactly.",
        "scip",
    ),
    _row(
        "smt",
        True,
        "Every verdict, by z3 through pysmt; slower than sat on ordinary boards, good where "
        "parity decides, and no better on a mutilated chessboard with private cells.",
        "smt",
    ),
)

ENGINES: Final[dict[str, Engine]] = {row.name: row for row in _ROWS}
"""Name -> engine, the default first."""
