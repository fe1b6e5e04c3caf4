"""The plan of the house, read from the syntax trees: who imports whom, file sizes, names."""

import ast
import os
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from tests.commands import python

ROOT = Path(__file__).parents[1]
PACKAGES = {"pbcnf": ROOT / "encodings", "satsweeper": ROOT}
NO_DOOR_NEEDED = {"numpy"}
DOORS = {
    "pysat": "satsweeper.solvers.pysat",
    "pysat.card": "satsweeper.peers.pysat",
    "pysat.formula": "pbcnf.pysat.formulas",
    "pysat.pb": "satsweeper.peers.pysat",
    "pysolvers": "satsweeper.solvers.pysat",
    "pindakaas": "satsweeper.peers.pindakaas",
    "rustsat": "satsweeper.peers.rustsat",
    "pypblib": "satsweeper.peers.pypblib",
    "pysmt": "pbcnf.formats.smtlib.script",
    "ortools": "satsweeper.engines.cp_sat",
    "highspy": "satsweeper.linear.highs",
    "pyscipopt": "satsweeper.engines.scip",
    "matplotlib": "satsweeper.report.figures",
    "networkx": "satsweeper.count.elimination",
    "shtab": "satsweeper.cli.completion",
    "joblib": "satsweeper.compare.sweep.backends",
    "distributed": "satsweeper.compare.sweep.backends",
    "numba": "satsweeper.play.kernel.machine_code",
    "textual": "satsweeper.show",
    "PIL": "satsweeper.show",
}
"""Package, or a part of it that has a door of its own, and the door."""
BANNED_NAMES = {"utils", "helpers", "common", "core"}
AT_THE_ROOT = {
    "satsweeper": {"position", "clues", "version"},
    "pbcnf": {
        "literals",
        "sink",
        "formula",
        "errors",
        "wording",
        "shown",
        "late_imports",
        "palette",
    },
}
"""The modules that lie beside the folders of a package."""
OF_THE_WHOLE = {"face", "house", "imports", "words"}
"""What is tested of both packages at once."""
FLOORS = {
    "satsweeper": """
        version board | processes | notation reduce answers checker report | position solvers
        | linear | clues reasons count families peers optimisation | puzzle search | engines export
        | certificate compare | play competition | show | cli | __main__
    """,
    "pbcnf": """
        literals errors wording shown late_imports palette | sink formula proof | constraints
        | encoders | emission | language | formats audit derivation pysat | show
    """,
}
"""From the ground up: whoever lives on a floor imports from the floors below, and nobody else."""
NO_MIRROR = {"data", "docs", "examples", "page", "scripts"}
"""Folders of tests that mirror no folder of a package."""


class Import(NamedTuple):
    module: str
    imported: str
    on_start: bool
    """Whether it runs when the module is imported, not only in a call or for type checkers."""


def our_modules() -> dict[str, Path]:
    found = {}
    for package, source in PACKAGES.items():
        for path in sorted((source / package).rglob("*.py")):
            parts = path.relative_to(source).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = our_modules()


def resolve(name: str, modules: set[str]) -> str:
    """The module of ours that holds ``name``, or ``name`` itself if none does."""
    prefix = name
    while prefix and prefix not in modules:
        prefix = prefix.rpartition(".")[0]
    return prefix or name


def imports_of(module: str, path: Path | None, source: str, modules: set[str]) -> list[Import]:
    package = module if path and path.name == "__init__.py" else module.rpartition(".")[0]

    def walk(node: ast.AST, on_start: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, resolve(alias.name, modules), on_start)
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                yield Import(module, resolve(f"{base}.{alias.name}", modules), on_start)
        deferred = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) or (
            isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        )
        for child in ast.iter_child_nodes(node):
            yield from walk(child, on_start and not deferred)

    return list(walk(ast.parse(source), True))


IMPORTS = [
    found
    for module, path in MODULES.items()
    for found in imports_of(module, path, path.read_text("utf-8"), set(MODULES))
]


def inside(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def top(name: str) -> str:
    return name.partition(".")[0]


def cycle(edges: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_the_reader_of_imports_sees_every_form_of_import() -> None:
    source = """
import a.b
from a import b as c, other
from . import sibling
from ..board.planes import pad
if TYPE_CHECKING:
    import late
class K:
    import early
def f():
    from a.b import name
"""
    modules = {"a", "a.b", "x.y.sibling", "x.board", "x.board.planes"}
    found = imports_of("x.y.z", None, source, modules)
    assert [i.imported for i in found if not i.on_start] == ["late", "a.b"]
    assert [i.imported for i in found if i.on_start] == [
        "a.b", "a.b", "a", "x.y.sibling", "x.board.planes", "early"
    ]  # fmt: skip
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}})
    assert not cycle({"a": {"b", "c"}, "b": {"c"}})


def test_pbcnf_imports_the_standard_library_numpy_and_itself() -> None:
    allowed = sys.stdlib_module_names | {"numpy", "pbcnf"}
    strange = [i for i in IMPORTS if inside(i.module, "pbcnf") and top(i.imported) not in allowed]
    # An extra, which its door imports late, and PySAT for those who import its names from us.
    assert {(i.module, top(i.imported), i.on_start) for i in strange} == {
        (DOORS["pysmt"], "pysmt", False),
        (DOORS["pysat.formula"], "pysat", True),
    }
    outside = {i.module for i in IMPORTS if inside(i.imported, "pbcnf.pysat")}
    assert {m for m in outside if not inside(m, "pbcnf.pysat")} <= {"satsweeper.peers.pbcnf_pysat"}


def room(module: str) -> tuple[str, str]:
    """The package and what lies at its root: a folder, or a module beside the folders."""
    package, _, rest = module.partition(".")
    return package, rest.partition(".")[0]


def test_nobody_imports_from_the_own_floor_or_from_above() -> None:
    """Late imports and those for type checkers count as well; a package's face stands apart."""
    height = {
        (package, name): level
        for package, floors in FLOORS.items()
        for level, floor in enumerate(floors.split("|"))
        for name in floor.split()
    }
    assert {room(module) for module in MODULES if "." in module} == height.keys()
    assert [
        i
        for i in IMPORTS
        if (here := room(i.module))[1]
        and i.imported in MODULES
        and (there := room(i.imported)) != here
        and (here[0] != there[0] or not there[1] or height[there] >= height[here])
        and (here[0], there[0]) != ("satsweeper", "pbcnf")
    ] == []


def test_the_ground_and_the_trusted_base_import_nothing_of_ours() -> None:
    # What checks must share no code with what is checked: a family name for errors is none, nor is
    # what starts Python.
    board, checker, starts = (
        f"satsweeper.{name}" for name in ("board", "checker", "processes.interpreter")
    )
    for package, allowed in {
        board: {board, "pbcnf.errors"}, starts: set[str](),
        checker: {checker, f"{board}.errors", starts, "pbcnf.proof"},
        "pbcnf.proof": {"pbcnf.proof", "pbcnf.errors"},
    }.items():  # fmt: skip
        ours = [i for i in IMPORTS if inside(i.module, package) and top(i.imported) in PACKAGES]
        assert [i for i in ours if not inside(i.imported, *allowed)] == []


def test_few_modules_lie_beside_the_folders() -> None:
    for package, source in PACKAGES.items():
        names = {path.stem for path in (source / package).glob("*.py")}
        assert {name for name in names if not name.startswith("__")} == AT_THE_ROOT[package]


def test_tests_lie_where_what_they_test_lies() -> None:
    folders = {
        Path(*path.relative_to(source).parts[package == "satsweeper" :])
        for package, source in PACKAGES.items()
        for path in (source / package).rglob("*")
        if path.is_dir() and path.name != "__pycache__"
    }
    folders.add(Path("pbcnf"))
    tests = ROOT / "tests"
    places = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    assert [p for p in places - {Path()} if p.parts[0] not in NO_MIRROR and p not in folders] == []
    own = {path.stem for path in tests.glob("test_*.py")}
    named = {f"test_{name}" for name in AT_THE_ROOT["satsweeper"]}
    assert own - named == {f"test_{what}" for what in OF_THE_WHOLE}


def door_of(module: str) -> str:
    """What is drawn in a terminal lives in one package, which is one door."""
    return "satsweeper.show" if module.startswith("satsweeper.show.") else module


def behind_door(imported: str) -> str:
    """The longest name in the table that holds what is imported, or its package."""
    parts = [name for name in DOORS if inside(imported, name)]
    return max(parts, key=len, default=top(imported))


def test_a_part_of_a_package_may_have_a_door_of_its_own() -> None:
    names = ["pysat", "pysat.solvers", "pysat.card.CardEnc", "pysat.cardinal", "rich.text.Text"]
    assert [behind_door(name) for name in names] == [
        "pysat", "pysat", "pysat.card", "pysat", "rich"
    ]  # fmt: skip


def test_every_third_party_package_has_one_door() -> None:
    known = sys.stdlib_module_names | PACKAGES.keys() | NO_DOOR_NEEDED
    importers: dict[str, set[str]] = {}
    for i in IMPORTS:
        if top(i.imported) not in known:
            importers.setdefault(behind_door(i.imported), set()).add(door_of(i.module))
    assert {name: found for name, found in importers.items() if len(found) > 1} == {}
    for name, door in DOORS.items():
        assert importers.get(name, {door}) == {door}


def test_no_module_is_imported_on_the_way_to_itself_not_even_late() -> None:
    # A face names everything below it, and nothing below names the face.
    edges: dict[str, set[str]] = {module: set() for module in MODULES}
    for i in IMPORTS:
        if i.module not in PACKAGES and i.imported in MODULES and i.imported != i.module:
            edges[i.module].add(i.imported)
    assert cycle(edges) == []


def test_no_package_marks_where_there_is_no_package() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists()
    assert list((ROOT / "tests").rglob("__init__.py")) == []


def test_python_starts_with_the_checkout_on_its_path(tmp_path: Path) -> None:
    # A package of ours named encodings would hide the one Python itself starts with.
    path = os.pathsep.join([str(ROOT), str(ROOT / "encodings")])
    code = "import pbcnf, satsweeper; print(pbcnf.__path__[0], satsweeper.__path__[0], sep='\\n')"
    child = python("-c", code, env={**os.environ, "PYTHONPATH": path}, cwd=tmp_path)
    assert child.stderr == ""
    found = [Path(line).resolve() for line in child.stdout.splitlines()]
    assert found == [(source / package).resolve() for package, source in PACKAGES.items()]


def test_files_stay_small() -> None:
    limits = {"satsweeper": 500, "encodings": 500, "scripts": 500, "tests": 600}
    # The small checker is one file, so that who wants to trust it has one file to read.
    alone = {ROOT / "encodings" / "satsweeper_check.py": 1200}
    assert {
        str(path.relative_to(ROOT)): lines
        for folder, limit in limits.items()
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".sh", ""} and path.is_file()
        if (lines := path.read_bytes().count(b"\n")) > alone.get(path, limit)
    } == {}


def test_no_module_is_named_after_nothing_in_particular() -> None:
    assert [name for name in MODULES if BANNED_NAMES & set(name.split("."))] == []


def test_values_that_show_or_write_themselves_ask_the_face_and_nobody_else_does() -> None:
    """The one way from a low floor up, at the moment when a value is looked at or written."""
    asking = {
        module
        for module, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules"
    }
    assert asking == {"pbcnf.shown", "pbcnf.formula"}
