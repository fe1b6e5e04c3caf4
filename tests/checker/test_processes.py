"""Checks in other processes: by checkers of others that are on PATH, and parts of our own."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from time import sleep

import pytest

from pbcnf.proof import check_lrat, parse_lrat
from satsweeper import Position
from satsweeper.certificate.certify import certify
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.external import CHECKERS, check_externally
from satsweeper.checker.jobs import Jobs, _serve
from satsweeper.processes.interpreter import start
from tests.commands import EXAMPLES

ORIGINAL_PATH = os.environ.get("PATH", os.defpath)
CAT = shutil.which("cat", path=os.defpath)
YES = {each.program: each.yes for each in CHECKERS}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Put programs on PATH, and nothing else: each is a line of a shell."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, line: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{line}\n")
        (folder / name).chmod(0o755)

    return put


@pytest.fixture
def certificate(tmp_path):
    certify(Position.parse("1 3 1\n1??\n"), cells=[(0, 2)]).write(tmp_path / "certificate")
    return tmp_path / "certificate"


def test_nobody_is_asked_where_nobody_is_there_and_never_lrat_check(install, certificate):
    for program in ("", "lrat-check"):
        if program:
            install(program, "echo c VERIFIED")
        assert check(certificate).external == ()
    # What lrat-check accepts: hints without a conflict, of a formula that has a model.
    for hints in (b"2 0 1 0\n", b"2 0 0\n"):
        found = check_lrat([[1]], parse_lrat(hints))
        assert found.reason == "line 1: empty clause: the hints end without a conflict"
        assert not found


@pytest.mark.parametrize("program", YES)
def test_a_checker_that_accepts_is_named(install, certificate, program):
    install(program, f"echo c about to begin; echo '{YES[program]}'; exit 0")
    assert check(certificate).external == (program,)
    assert check(certificate, external=False).external == ()


@pytest.mark.parametrize("program", YES)
@pytest.mark.parametrize(
    ("line", "why"),
    [("echo s NOT VERIFIED; exit 1", "does not accept it: s NOT VERIFIED"),
     ("exit 0", "does not accept it: nothing"),
     ("echo wrong >&2; echo '  '; exit 0", "does not accept it: wrong"),
     ("printf 'no\\033[31m'; exit 1", "does not accept it: no\\x1b[31m"),
     ("printf '\\377'; exit 1", "does not accept it: "),
     ("exec sleep 20", "gave no answer within 0.2 s")],
)  # fmt: skip
def test_a_checker_that_does_not_accept_has_the_last_word(install, certificate, program, line, why):
    install(program, line.replace("sleep", str(shutil.which("sleep", path=os.defpath))))
    judged = {"drat-trim": "refutation.drat", "veripb": "derivation.pbp"}
    file = judged.get(program, "refutation.lrat")
    files = {path.name: path.read_bytes() for path in certificate.glob("*.*")}
    with pytest.raises(WrongCertificateError, match=f"^{re.escape(f'{file}: {program} {why}')}"):
        check_externally(files, "", 0.2 if "sleep" in line else 30)


def test_every_proof_of_a_cell_is_given_to_them_as_well(install, certificate, tmp_path):
    install("cake_lpr", f"{CAT} $1 $2 >> {tmp_path}/asked; echo s VERIFIED UNSAT")
    check(certificate)
    names = ("refutation.cnf", "refutation.lrat")
    assert (tmp_path / "asked").read_bytes() == b"".join(
        (certificate / stem / name).read_bytes() for stem in ("", "cells/0_2/") for name in names
    )
    count = f"{tmp_path}/count"
    yes = YES["cake_lpr"]
    install("cake_lpr", f"if [ -e {count} ]; then echo no; else echo {yes}; fi; : > {count}")
    with pytest.raises(WrongCertificateError, match=r"^cells/0_2/refutation\.lrat: cake_lpr"):
        check(certificate)


def test_they_get_the_bytes_that_were_checked_in_a_folder_that_nobody_else_may_enter(
    install, certificate, tmp_path
):
    """Whatever stands in the certificate's folder by then."""
    ls, cp = (shutil.which(name, path=os.defpath) for name in ("ls", "cp"))
    checked = (certificate / "refutation.lrat").read_bytes()
    places = (certificate, certificate / "cells" / "0_2")
    spoil = "; ".join(f"echo 1 0 1 0 > {place}/refutation.lrat" for place in places)
    install("drat-trim", f"{spoil}; echo s VERIFIED")
    line = f'{ls} -ld . > {tmp_path}/mode; {cp} "$2" {tmp_path}/given; pwd > {tmp_path}/where'
    install("cake_lpr", f"[ -e {tmp_path}/mode ] || {{ {line}; }}; echo s VERIFIED UNSAT")
    assert check(certificate).external == ("cake_lpr", "drat-trim")
    assert (certificate / "refutation.lrat").read_bytes() == b"1 0 1 0\n"
    assert (tmp_path / "given").read_bytes() == checked
    assert (tmp_path / "mode").read_text().startswith("drwx------")
    assert not Path((tmp_path / "where").read_text().strip()).exists()


@pytest.mark.parametrize("program", YES)
@pytest.mark.parametrize(("end", "how"), [("exit 3", "3"), ("kill -9 $$", "-9")])
def test_who_says_yes_and_then_fails_has_not_accepted(install, certificate, program, end, how):
    install(program, f"echo '{YES[program]}'; {end}")
    with pytest.raises(WrongCertificateError, match=f"but it ended with status {how}$"):
        check(certificate)


def test_the_status_with_which_drat_trim_accepts_what_is_trivial_is_known(install, certificate):
    install("drat-trim", "echo c trivial UNSAT; echo s VERIFIED; exit 1")
    assert check(certificate).external == ("drat-trim",)
    install("drat-trim", "echo s NOT VERIFIED; exit 1")
    with pytest.raises(WrongCertificateError, match="drat-trim does not accept it: s NOT VERIFIED"):
        check(certificate)


def test_a_refusal_that_repeats_the_name_of_a_folder_is_a_refusal(install, certificate, tmp_path):
    folder = certificate.rename(tmp_path / "Unsupported version")
    for line in ('echo "s NOT VERIFIED $1 in $PWD"; exit 1', 'echo "$1: Unsupported version"'):
        install("veripb", line)
        with pytest.raises(WrongCertificateError, match="veripb does not accept it"):
            check(folder)


def test_neither_an_older_veripb_nor_anybody_where_no_cell_is_certain_is_asked(
    install, certificate, tmp_path
):
    install("veripb", "echo 'ERROR:root:derivation.pbp:1:1: Unsupported version.' >&2; exit 4")
    assert check(certificate).external == ()
    install("drat-trim", "echo no")
    certify(Position.parse("???\n")).write(tmp_path / "open")
    assert check(tmp_path / "open").external == ()


def real(program: str) -> str:
    """The path of a program, or the test is skipped."""
    path = shutil.which(program, path=ORIGINAL_PATH)
    return path or pytest.skip(f"{program} is not on PATH")


REAL = [name for name in YES if name != "veripb"]


@pytest.mark.parametrize("solver", ["glucose4", "cadical153", "lingeling", "maplechrono"])
def test_the_real_checkers_accept_what_this_one_accepts(solver, tmp_path, sample):
    there = {name for name in REAL if shutil.which(name)}
    if not there:
        pytest.skip(f"none of {', '.join(REAL)} is on PATH")
    for number, record in enumerate(sample[:8]):
        made = certify(Position.parse(record.text), solver=solver)
        made.write(tmp_path / str(number))
        if "refutation.cnf" in made.files:
            assert there <= set(check(tmp_path / str(number)).external)


@pytest.mark.parametrize("program", REAL)
def test_the_real_checkers_refuse_what_this_one_refuses(install, program, tmp_path):
    install(program, f'exec {real(program)} "$@"')
    made = certify(Position.read(EXAMPLES / "expert.txt"))
    # Without the clause "some certain verdict is wrong" there is nothing to refute.
    head, *clauses = made.files["refutation.cnf"].splitlines(keepends=True)
    shorter = b"p cnf %s %d\n" % (head.split()[2], len(clauses) - 1) + b"".join(clauses[:-1])
    with pytest.raises(WrongCertificateError, match=f"{program} does not accept it"):
        check_externally({**made.files, "refutation.cnf": shorter}, "", 30)


OLD_VERIPB = """
case $(head -n 1 "$2") in
  *"version {version}") cp "$2" {given}; echo '{yes}';;
  *) echo 'ERROR:root:Unsupported version.' >&2; exit 4;;
esac
"""


@pytest.mark.parametrize(
    ("version", "yes"), [("2.0", "s VERIFIED UNSATISFIABLE"), ("1.2", "Verification succeeded.")]
)
def test_an_older_veripb_gets_the_proof_in_the_syntax_that_it_reads(
    install, certificate, tmp_path, version, yes
):
    for name in ("head", "cp"):
        install(name, f'exec {shutil.which(name, path=os.defpath)} "$@"')
    given = tmp_path / "given"
    install("veripb", OLD_VERIPB.format(version=version, given=given, yes=yes))
    assert check(certificate).external == ("veripb",)
    first, size, *_ = given.read_text().splitlines()
    assert first == f"pseudo-Boolean proof version {version}"
    assert size == (certificate / "proof.pbp").read_text().splitlines()[1].removesuffix(" ;")
    install("veripb", OLD_VERIPB.format(version=version, given=given, yes="s NO"))
    with pytest.raises(WrongCertificateError, match="veripb does not accept it: s NO"):
        check(certificate)


@pytest.mark.parametrize("encoding", ["direct", "totalizer", "sequential_counter"])
def test_the_real_veripb_accepts_the_one_proof_and_refuses_it_without_the_claim(
    install, encoding, tmp_path, sample
):
    install("veripb", f'exec {real("veripb")} "$@"')
    for record in sample[:4]:
        made = certify(Position.parse(record.text), encoding=encoding)
        if "proof.pbp" not in made.files:
            continue
        files = {name: made.files[name] for name in ("proof.opb", "proof.pbp")}
        assert check_externally(files, "", 60) == ["veripb"]
        *lines, claim = made.files["proof.opb"].splitlines(keepends=True)
        # All verdicts right: as many constraints, and no contradiction.
        terms, _, degree = claim.rpartition(b">= ")
        weaker = terms + b">= %d ;\n" % (int(degree.split()[0]) - 1)
        with pytest.raises(WrongCertificateError, match="veripb does not accept it"):
            check_externally({**files, "proof.opb": b"".join([*lines, weaker])}, "", 60)


# -- Parts of a check in other processes: the same results, and the same first fault.


def where(least: int) -> int:
    return os.getpid() if least else 0


def fault(name: str) -> None:
    raise WrongCertificateError(name, f"by {os.getpid()}")


def only_in(process: int) -> str:
    if os.getpid() != process:
        os._exit(3)
    return "done"


def fails_in(process: int) -> None:
    raise ValueError("here" if os.getpid() == process else "there")


def test_parts_are_done_in_as_many_processes_as_are_asked_for_one_at_least():
    with pytest.raises(ValueError, match="jobs=0"):
        Jobs(0)
    with Jobs(3) as parts:
        asked = [parts.start(where, 1) for _ in range(4)]
        found = [ask() for ask in asked]
    assert found.count(os.getpid()) == 2
    assert len(set(found)) == 3
    assert Jobs().start(where, 1)() == os.getpid()


def test_a_fault_found_in_a_process_names_the_file():
    with Jobs(2) as parts, pytest.raises(WrongCertificateError, match=r"^one\.cnf: by ") as found:
        parts.start(fault, "one.cnf")()
    assert found.value.fault != f"by {os.getpid()}"


def test_a_part_whose_process_ends_or_fails_without_an_answer_is_done_here():
    with Jobs(2) as parts:
        assert parts.start(only_in, os.getpid())() == "done"
    with Jobs(2) as parts, pytest.raises(ValueError, match="here"):
        parts.start(fails_in, os.getpid())()


def test_a_process_in_the_middle_of_its_part_is_killed_and_one_that_never_gets_a_part_ends():
    with Jobs(2) as parts:
        parts.start(sleep, 600)
        (running,) = parts._running
    assert running.poll() is not None
    process, here = start(_serve, stderr=subprocess.PIPE)
    here.close()
    assert process.communicate() == (None, b"")


@pytest.mark.parametrize("name", ["total", "clash", "expert"])
def test_several_processes_find_what_one_finds(forge, name):
    folder = forge(name).write()
    assert check(folder, external=False, jobs=4) == check(folder, external=False)


def test_the_first_fault_is_the_same_with_several_processes(forge):
    # Layouts, the one proof and a cell's proof are wrong; so is the refutation, which comes first.
    for spoilt in (
        "layouts.json", "proof.pbp layouts.json", "refutation.drat proof.pbp layouts.json",
        "cells/0_2/refutation.lrat layouts.json", "cells/0_2/refutation.lrat",
    ):  # fmt: skip
        forgery = forge("total")
        for name in spoilt.split():
            lines = forgery.lines(name)
            forgery.put_lines(name, [line.replace("S", "M") for line in lines[:-1]] or ["{}"])
        folder = forgery.write()
        faults = []
        for jobs in (1, 3):
            with pytest.raises(WrongCertificateError) as refused:
                check(folder, external=False, jobs=jobs)
            faults.append(str(refused.value))
        assert faults[0] == faults[1]
