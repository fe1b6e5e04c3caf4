"""The checker shares with what it checks the readers and the replay of proofs, and nothing else."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = {"satsweeper": ROOT, "pbcnf": ROOT / "encodings"}
ALLOWED = (
    *("satsweeper.checker", "pbcnf.proof", "pbcnf.errors", "satsweeper.board.errors"),
    # Starts Python, for checks in several processes; imports nothing of ours.
    "satsweeper.processes.interpreter",
)
ON_THE_WAY = {
    "satsweeper",
    "satsweeper.board",
    "satsweeper.processes",
    "satsweeper.version",
    "pbcnf",
    "pbcnf.late_imports",
}
"""Packages that hold these, and the list of public names: run when anything below is imported."""


def path_of(module: str) -> Path | None:
    base = SOURCES[module.partition(".")[0]] / module.replace(".", "/")
    for path in (base / "__init__.py", base.with_suffix(".py")):
        if path.is_file():
            return path
    return None


def imported(path: Path) -> set[str]:
    """Whole names of all that a module imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                ours = whole.partition(".")[0] in SOURCES
                found.add(whole if ours and path_of(whole) else str(node.module))
    return found


def reached(start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module in seen:
            continue
        seen.add(module)
        path = path_of(module) if module.partition(".")[0] in SOURCES else None
        if path is not None:
            waiting += imported(path)
    return seen


def printed_by(code: str) -> list[str]:
    """The words of the last line that a program prints, started with our packages on its path."""
    path = f"{ROOT / 'encodings'}:{ROOT}"
    child = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return child.stdout.splitlines()[-1].split()


def allowed(module: str) -> bool:
    if module.partition(".")[0] not in SOURCES:
        return module.partition(".")[0] in sys.stdlib_module_names
    return any(module == name or module.startswith(f"{name}.") for name in ALLOWED)


def test_the_checker_imports_the_standard_library_and_the_proof_checkers_alone():
    found = reached("satsweeper.checker.check")
    assert "pbcnf.proof.lrat" in found
    assert [module for module in sorted(found) if not allowed(module)] == []
    everywhere = set()
    for package in ("satsweeper/checker", "encodings/pbcnf/proof"):
        for path in (ROOT / package).rglob("*.py"):
            everywhere |= imported(path)
    assert [module for module in sorted(everywhere) if not allowed(module)] == []


def test_importing_the_checker_loads_no_encoder_no_session_and_no_solver():
    code = "import sys, satsweeper.checker.check, satsweeper.checker.odds; print(*sys.modules)"
    loaded = printed_by(code)
    ours = {module for module in loaded if module.partition(".")[0] in SOURCES}
    assert [m for m in sorted(ours - ON_THE_WAY) if not allowed(m)] == []
    others = {"pysat", "pysolvers", "numpy", "rich", "networkx"}
    assert others.isdisjoint(loaded)


def test_the_second_opinion_shares_nothing_with_the_checker_of_derivations():
    package = ROOT / "satsweeper" / "checker"
    own = {"second_opinion"}
    found = {name for module in own for name in imported(package / f"{module}.py")}
    ours = {name for name in found if name.partition(".")[0] in SOURCES}
    # What a clause and a count of cells are, and how to refuse.
    statements = {f"satsweeper.checker.{name}" for name in (*own, "board", "errors")}
    assert ours <= statements | {"pbcnf.proof", "pbcnf.proof.Cnf"}


def test_the_checker_of_odds_imports_no_proof_checker_and_nothing_that_counts():
    found = {
        name for name in reached("satsweeper.checker.odds.check") if name.startswith("satsweeper.")
    }
    assert "satsweeper.checker.odds.circuit" in found
    assert all(m.startswith(("satsweeper.checker.", "satsweeper.board.errors")) for m in found)
    used = imported(ROOT / "satsweeper" / "certificate" / "odds.py")
    assert not any(name.startswith("satsweeper.checker") for name in used)


def test_the_second_opinion_on_circuits_shares_nothing_with_their_check():
    package = ROOT / "satsweeper" / "checker" / "odds"
    ours = {name for name in imported(package / "recount.py") if name.startswith("satsweeper")}
    assert ours == {"satsweeper.checker.odds.boxes"}
    ours = {name for name in imported(package / "division.py") if name.startswith("satsweeper")}
    statements = ("board", "odds.boxes", "errors")
    assert all(
        name.startswith(tuple(f"satsweeper.checker.{n}" for n in statements)) for name in ours
    )
    for module in ("circuit", "evaluation"):
        assert "satsweeper.checker.odds.recount" not in imported(package / f"{module}.py")


def test_what_makes_certificates_uses_of_the_proof_checkers_what_is_said():
    used = set()
    for package in ("satsweeper/certificate", "encodings/pbcnf/derivation"):
        for path in (ROOT / package).rglob("*.py"):
            names = [
                alias.name
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pbcnf.proof")
                for alias in node.names
            ]
            used.update(names)
    assert used == {
        "LratAddition", "LratStep", "PbFormula", "UnprovedError",
        "gc_paused", "parse_drat", "read_formula", "to_lrat", "write_lrat",
    }  # fmt: skip
    shared = reached("pbcnf.proof.conversion") | reached("pbcnf.proof.drat_reader")
    assert {"pbcnf.proof.lrat", "pbcnf.proof.drat"}.isdisjoint(shared)
    assert not any(module.startswith("pbcnf.proof.cutting_planes") for module in shared)


def test_the_command_reads_a_board_in_the_plain_notation_by_the_checker_alone(tmp_path):
    from satsweeper import Position, certify

    board = tmp_path / "board.txt"
    board.write_text("; one\n1 3 1\n1 # ?\n")
    certify(Position.read(board)).write(tmp_path / "c")
    code = f"""
import sys
from satsweeper.cli.main import main
code = main(["check", {str(tmp_path / "c")!r}, "--board", {str(board)!r}, "--no-external"])
print(code, *sys.modules)
"""
    code, *loaded = printed_by(code)
    assert code == "0"
    readers = {"satsweeper.position", "satsweeper.notation.read_board", "satsweeper.notation.text"}
    assert readers.isdisjoint(loaded)
