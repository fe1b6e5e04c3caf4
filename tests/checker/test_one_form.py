"""A certificate is written in one way, so that no checker on PATH judges it otherwise."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satsweeper.checker import contents
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError

Forge = Callable[[str], Any]

OTHERWISE: dict[str, tuple[str, Callable[[str], str], str]] = {
    "a clause on two lines": ("refutation.cnf", lambda t: t.replace(" 0\n", "\n0\n", 1), "line 2"),
    "two clauses on a line": ("refutation.cnf", lambda t: t.replace(" 0\n", " 0 ", 1), "line 2"),
    "a comment among clauses": ("formula.cnf", lambda t: t.replace("\n", "\nc a\n", 1), "line 2"),
    "a comment before the header": ("formula.cnf", lambda t: "c a\n" + t, "line 1"),
    "two blanks": ("formula.cnf", lambda t: t.replace(" 0\n", "  0\n", 1), "line 2"),
    "a tab": ("refutation.cnf", lambda t: t.replace(" 0\n", "\t0\n", 1), "line 2"),
    "a carriage return": ("formula.cnf", lambda t: t.replace("\n", "\r\n"), "line 1"),
    "a vertical tab": ("refutation.cnf", lambda t: t.replace(" 0\n", "\x0b0\n", 1), "line 2"),
    "no line feed at the end": ("refutation.cnf", lambda t: t[:-1], "line "),
    "an empty line": ("formula.cnf", lambda t: t + "\n", "line "),
    "a comment among hints": ("refutation.lrat", lambda t: "c a\n" + t, "line 1"),
    "a lemma on two lines": ("refutation.lrat", lambda t: t.replace(" 0 ", " 0\n", 1), "line "),
    "a comment among lemmas": ("refutation.drat", lambda t: "c a\n" + t, "line 1"),
    "binary DRAT": ("refutation.drat", lambda t: "a\0", "line 1"),
    "a comment in the problem": ("clues.opb", lambda t: t + "* a\n", "line "),
    "a problem without its header": ("clues.opb", lambda t: t.partition("\n")[2], "line 1"),
    "a separator of units": ("clues.opb", lambda t: t.replace(" x", "\x1cx", 1), "line 2"),
    "a comment in the derivation": (
        "derivation.pbp",
        lambda t: t.replace("\noutput", "\n% Unsupported version\noutput"),
        "line ",
    ),
    "an older version": ("derivation.pbp", lambda t: t.replace("3.0", "2.0"), "line 1"),
    "a step on two lines": ("derivation.pbp", lambda t: t.replace(" : ", "\n: ", 1), "line 3"),
    "two blanks in the one problem": ("proof.opb", lambda t: t.replace(" x", "  x", 1), "line 2"),
    "a step of the one proof on two lines": (
        "proof.pbp",
        lambda t: t.replace(" : ", "\n: ", 1),
        "line 3",
    ),
    "a long word": ("derivation.pbp", lambda t: t.replace("\nf ", f"\nf {'0' * 50}", 1), "line 2"),
}


@pytest.mark.parametrize("what", OTHERWISE)
def test_what_others_may_read_otherwise_is_refused(forge: Forge, what: str) -> None:
    name, change, line = OTHERWISE[what]
    for stem in ("", "cells/0_1/"):
        forged = forge("open")
        before = forged.text(stem + name)
        forged.files[stem + name] = change(before).encode()
        assert forged.text(stem + name) != before
        fault = forged.fault()
        assert fault.file == stem + name
        assert fault.fault.startswith(line)
        assert "not as certificates are written: " in fault.fault


@pytest.mark.parametrize(
    "name", ["formula.cnf", "refutation.cnf", "refutation.lrat", "refutation.drat"]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_no_variable_is_twice_in_a_clause(forge: Forge, name: str, sign: int) -> None:
    forged = forge("expert")
    lines = forged.lines(name)
    start = 1 if name.endswith(".lrat") else 0
    at = next(
        i
        for i, line in enumerate(lines)
        if line[0] != "p" and " d " not in line and line.split()[start] != "0"
    )
    words = lines[at].split()
    lines[at] = " ".join([*words[: start + 1], str(sign * int(words[start])), *words[start + 1 :]])
    forged.put_lines(name, lines)
    fault = forged.fault()
    assert (fault.file, fault.fault.partition(": ")[2]) == (name, "a variable is there twice")


def test_hints_that_are_not_needed_are_refused_in_a_certificate(forge: Forge) -> None:
    forged = forge("total")
    first, *rest = forged.lines("refutation.lrat")
    lines = [first, *rest]
    at = next(i for i, line in enumerate(lines) if " d " not in line)
    lines[at] = f"{lines[at][:-2]} 1 0"
    forged.put_lines("refutation.lrat", lines)
    assert forged.fault().file == "refutation.lrat"


def test_huge_factors_are_refused_at_once(forge: Forge) -> None:
    """Seconds and gigabytes for a line of a megabyte, if numbers grew without a limit."""
    for factor, fault in (
        ("9" * 4000, "not as certificates are"),
        ("9" * 18, "more than 40 digits"),
    ):
        forged = forge("interior")
        lines = forged.lines("derivation.pbp")
        step = f"pol 1 {' '.join([factor, '*'] * 300)} ;"
        forged.put_lines("derivation.pbp", [*lines[:-3], step, *lines[-3:]])
        found = forged.fault()
        assert found.file == "derivation.pbp"
        assert fault in found.fault


def test_files_and_lines_have_a_largest_size(forge: Forge, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = forge("open").write()
    monkeypatch.setattr(contents, "MOST_IN_LINE", 25)
    with pytest.raises(WrongCertificateError, match=r"clues\.opb: line 1: longer than 25 bytes"):
        check(folder, external=False)
    monkeypatch.setattr(contents, "MOST_BYTES", 99)
    with pytest.raises(WrongCertificateError, match=r"manifest\.json: more than 99 bytes"):
        check(folder, external=False)


def test_a_file_of_any_size_that_holds_nothing_is_not_read(forge: Forge) -> None:
    folder = forge("open").write()
    os.truncate(folder / "formula.cnf", contents.MOST_BYTES + 1)
    with pytest.raises(WrongCertificateError, match=r"formula\.cnf: more than [0-9]+ bytes"):
        check(folder, external=False)


def test_a_file_that_becomes_a_link_meanwhile_is_not_followed(
    forge: Forge, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = forge("open").write()
    elsewhere = tmp_path / "elsewhere"
    opened = os.open

    def swapped(path: Any, flags: int, *rest: Any, **more: Any) -> int:
        if Path(path).name == "formula.cnf":
            Path(path).rename(elsewhere)
            Path(path).symlink_to(elsewhere)
        return opened(path, flags, *rest, **more)

    monkeypatch.setattr("os.open", swapped)
    with pytest.raises(OSError, match="symbolic links"):
        check(folder, external=False)
