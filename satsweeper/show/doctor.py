"""The report of ``doctor`` in lines of text; commands to be copied are never folded."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import fill
from typing import Any, Final

_WIDTH: Final = 79


def doctor_lines(found: Mapping[str, Any]) -> Iterator[str]:
    """The report in lines; ``found`` is the object that ``satsweeper doctor --json`` prints."""
    yield ", ".join(f"{name} {version}" for name, version in found["versions"].items())
    yield "\npackages that are always needed"
    if not found["packages"]:
        yield "  not known: satsweeper itself is not installed (pip install .)"
    for each in found["packages"]:
        yield f"  {each['name']:<11} {each['fault'] or each['version']}"
    yield "\nextras" if found["extras"] else ""
    for each in found["extras"]:
        have = "installed" if each["installed"] else "missing"
        yield f"  {each['name']:<9} {have:<10} {each['brings'] or ''}"
        if not each["installed"]:
            yield f"            {each['install']}"
    yield "\nlibraries of others, for audit and compare"
    for each in found["libraries"]:
        yield f"  {each['name']:<9} {each['version'] or 'missing'}"
        if each["version"] is None:
            yield f"            {each['install']}"
    for title, which in (
        ("solvers of PySAT that work", "solvers"),
        ("solvers on PATH that work (--solver external:NAME)", "programs"),
    ):
        work = [each["name"] for each in found[which] if each["works"]]
        # A solver of PySAT has no entry ``path``; a program that is not on PATH has None there.
        missing = [each["name"] for each in found[which] if each.get("path", "") is None]
        yield _listed(f"\n{title}", work, missing)
        for each in found[which]:
            if each["why"]:
                yield f"  {each['name']} does not: {each['why']}"
    there = [each["name"] for each in found["checkers"] if each["path"]]
    missing = [each["name"] for each in found["checkers"] if not each["path"]]
    yield _listed("checkers of proofs on PATH", there, missing)
    if found["compiled"] is not None:
        folder, functions, kept = map(found["compiled"].get, ("folder", "functions", "kept"))
        yield f"\nmachine code of play (--warm): {kept} of {functions} functions"
        yield f"  {'nothing can be kept' if folder is None else folder}"
    if found["works"]:
        yield "\nall that every command needs works"
    else:
        yield "\nnot everything that is needed works:"
        yield from (f"  {line}" for line in found["faults"])


def _listed(title: str, there: Sequence[str], missing: Iterable[str]) -> str:
    names = ", ".join(there) or "none"
    if absent := ", ".join(missing):
        names += f" (not there: {absent})"
    lines = fill(names, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return f"{title}\n{lines}"
