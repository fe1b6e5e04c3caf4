"""The report of ``doctor`` in lines of text; commands to be copied are never folded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, Final

_WIDTH: Final = 79


def doctor_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """Lines about what ``satsweeper doctor --json`` prints."""
    yield ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    yield from _packages(found["packages"])
    yield from _extras(found["extras"])
    yield from _libraries(found["libraries"])
    yield from _solvers(found["solvers"])
    yield from _programs(found["programs"])
    there = [each["name"] for each in found["checkers"] if each["path"]]
    missing = [each["name"] for each in found["checkers"] if not each["path"]]
    yield _listed("checkers of proofs on PATH", there, missing)
    if found["compiled"] is not None:
        yield _compiled(**found["compiled"])
    if found["works"]:
        yield "\nall that every command needs works"
    else:
        yield "\nnot everything that is needed works:"
        yield from (f"  {line}" for line in found["faults"])


def _packages(packages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "\npackages that are always needed"
    if not packages:
        yield "  not known: satsweeper itself is not installed (pip install .)"
    for each in packages:
        yield f"  {each['name']:<11} {each['fault'] or each['version']}"


def _extras(extras: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "\nextras" if extras else ""
    for each in extras:
        have = "installed" if each["installed"] else "missing"
        yield f"  {each['name']:<9} {have:<10} {each['brings'] or ''}"
        if not each["installed"]:
            yield f"            {each['install']}"


def _libraries(libraries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield "\nlibraries of others, for audit and compare"
    for each in libraries:
        yield f"  {each['name']:<9} {each['version'] or 'missing'}"
        if each["version"] is None:
            yield f"            {each['install']}"


def _solvers(solvers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    work = [each["name"] for each in solvers if each["works"]]
    yield _listed("\nsolvers of PySAT that work", work, ())
    for each in solvers:
        if not each["works"]:
            yield f"  {each['name']} does not: {each['why']}"


def _programs(programs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    work = [each["name"] for each in programs if each["works"]]
    missing = [each["name"] for each in programs if each["path"] is None]
    yield _listed("\nsolvers on PATH that work (--solver external:NAME)", work, missing)
    for each in programs:
        if each["why"]:
            yield f"  {each['name']} does not: {each['why']}"


def _compiled(folder: str | None, functions: int, kept: int) -> str:
    where = "nothing can be kept" if folder is None else folder
    return f"\nmachine code of play (--warm): {kept} of {functions} functions\n  {where}"


def _listed(title: str, there: Sequence[str], missing: Iterable[str]) -> str:
    names = ", ".join(there) or "none"
    if absent := ", ".join(missing):
        names += f" (not there: {absent})"
    lines = fill(names, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f"{title}\n{lines}"
