"""The checker shares with what it checks the readers and the replay of proofs, and nothing else."""

import ast
import sys

from satsweeper import Position, certify
from tests.commands import ROOT, python
from tests.test_house import IMPORTS, PACKAGES, inside, top

CHECKER, PROOF = "satsweeper.checker", "pbcnf.proof"
ALLOWED = (CHECKER, PROOF, "pbcnf.errors", "satsweeper.board.errors")
STARTS_PYTHON = "satsweeper.processes.interpreter"
"""For checks in several processes; imports nothing of ours."""
ON_THE_WAY = {
    "satsweeper", "satsweeper.board", "satsweeper.processes", "satsweeper.version", "pbcnf",
    "pbcnf.late_imports",
}  # fmt: skip
"""Packages that hold these, and the list of public names: run when anything below is imported."""


def ours(module: str) -> bool:
    return top(module) in PACKAGES


def imported(module: str) -> set[str]:
    """All that a module imports, wherever in it."""
    return {found.imported for found in IMPORTS if found.module == module}


def reached(start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            waiting += imported(module)
        seen.add(module)
    return seen


def printed_by(code: str) -> list[str]:
    """The words of the last line that a program prints."""
    return python("-c", code, check=True).stdout.splitlines()[-1].split()


def allowed(module: str) -> bool:
    if not ours(module):
        return top(module) in sys.stdlib_module_names
    return module == STARTS_PYTHON or inside(module, *ALLOWED)


def test_the_checker_imports_the_standard_library_and_the_proof_checkers_alone():
    found = reached("satsweeper.checker.check")
    assert "pbcnf.proof.lrat" in found
    found |= {each.imported for each in IMPORTS if inside(each.module, CHECKER, PROOF)}
    assert [module for module in sorted(found) if not allowed(module)] == []


def test_importing_the_checker_loads_no_encoder_no_session_and_no_solver():
    code = "import sys, satsweeper.checker.check, satsweeper.checker.odds; print(*sys.modules)"
    loaded = {*printed_by(code)}
    assert [m for m in sorted(loaded - ON_THE_WAY) if ours(m) and not allowed(m)] == []
    assert loaded.isdisjoint({"pysat", "pysolvers", "numpy", "rich", "networkx"})


def test_the_checker_of_hints_shares_no_code_with_the_one_that_finds_them():
    for name, may_import in (("lrat", {"pbcnf.proof.steps"}), ("steps", set())):
        assert set(filter(ours, imported(f"{PROOF}.{name}"))) == may_import


def test_the_second_opinion_shares_nothing_with_the_checker_of_derivations():
    # What a clause and a count of cells are, and how to refuse.
    found = set(filter(ours, imported(f"{CHECKER}.second_opinion")))
    assert found <= {f"{CHECKER}.board", f"{CHECKER}.errors", PROOF}


def test_the_checker_of_odds_imports_no_proof_checker_and_nothing_that_counts():
    found = {name for name in reached(f"{CHECKER}.odds.check") if inside(name, "satsweeper")}
    assert "satsweeper.checker.odds.circuit" in found
    assert all(inside(module, CHECKER, "satsweeper.board.errors") for module in found)
    assert not any(inside(name, CHECKER) for name in imported("satsweeper.certificate.odds"))


def test_the_second_opinion_on_circuits_shares_nothing_with_their_check():
    assert set(filter(ours, imported(f"{CHECKER}.odds.recount"))) == {f"{CHECKER}.odds.boxes"}
    statements = {f"{CHECKER}.{name}" for name in ("board", "odds.boxes", "errors")}
    assert set(filter(ours, imported(f"{CHECKER}.odds.division"))) <= statements
    for module in ("circuit", "evaluation"):
        assert f"{CHECKER}.odds.recount" not in imported(f"{CHECKER}.odds.{module}")


def test_what_makes_certificates_uses_of_the_proof_checkers_what_is_said():
    used = {
        alias.name
        for package in ("satsweeper/certificate", "encodings/pbcnf/derivation")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("pbcnf.proof")
        for alias in node.names
    }
    # Proofs of answers are checked, by what check uses, before they are written. A proof of
    # statements begins with the rows that the checker makes of them.
    assert used == {
        "CanonicalRows", "CanonicalVariable", "Form", "StatedInteger", "canonical_rows", "form_of",
        "summed",
    } | {"Derived", "ProofError", "check_proof"} | {
        "Addition", "DratStep", "LratAddition", "LratStep", "PbFormula", "UnprovedError",
        "gc_paused", "parse_drat", "read_formula", "to_lrat", "write_lrat",
    }  # fmt: skip
    shared = reached("pbcnf.proof.conversion") | reached("pbcnf.proof.drat_reader")
    assert {"pbcnf.proof.lrat", "pbcnf.proof.drat"}.isdisjoint(shared)
    assert not any(module.startswith("pbcnf.proof.cutting_planes") for module in shared)


def test_the_command_reads_a_board_in_the_plain_notation_by_the_checker_alone(tmp_path):
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
