"""Derivations as text: the two versions of the format, and VeriPB itself where it is installed."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path

import pytest

from pbcnf import Cardinality
from pbcnf.derivation import VERSIONS, Derivation, write_proof
from pbcnf.proof.cutting_planes import check_proof
from tests.pbcnf.derivation.derived import derived, emitted, opb, written

VERIPB = shutil.which("veripb")


def test_a_derivation_reads_as_its_format_says() -> None:
    derivation, numbers = derived(Cardinality([1, 2, 3], upper=1), "totalizer", 3)
    assert written(derivation).decode().splitlines() == [
        "pseudo-Boolean proof version 3.0",
        "f 2 ;",
        "red 2 x4 1 ~x2 1 ~x3 >= 2 : x4 -> 1 ;",
        "red 1 ~x4 1 x2 1 x3 >= 1 : x4 -> 0 ;",
        "red 1 x5 1 ~x2 1 ~x3 >= 1 : x5 -> 1 ;",
        "red 2 ~x5 1 x2 1 x3 >= 2 : x5 -> 0 ;",
        "rup 1 ~x2 1 x4 >= 1 : ~ 3 ;",
        "rup 1 ~x3 1 x4 >= 1 : ~ 3 ;",
        "pol 5 ;",
        "pol 6 2 + ;",
        "rup 1 ~x5 >= 1 : ~ 10 ;",
        "pol 4 2 + ;",
        "rup 1 ~x1 1 ~x4 >= 1 : ~ 12 ;",
        "output NONE ;",
        "conclusion NONE ;",
        "end pseudo-Boolean proof ;",
    ]
    assert numbers == [7, 8, 9, 11, 13]
    lines = written(derivation, "2.0").decode().splitlines()
    assert lines[:3] == [
        "pseudo-Boolean proof version 2.0",
        "f 2",
        "red 2 x4 1 ~x2 1 ~x3 >= 2 ; x4 -> 1",
    ]
    assert lines[6] == "rup 1 ~x2 1 x4 >= 1 ;"
    assert lines[-1] == "end pseudo-Boolean proof"


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("encoder", ["direct", "totalizer", "sequential_counter"])
def test_both_versions_derive_the_same(version, encoder) -> None:
    constraint = Cardinality(range(1, 8), 2, 4)
    derivation, numbers = derived(constraint, encoder, 7)
    checked = check_proof(opb(constraint, 7), written(derivation, version))
    assert [checked.constraints[number].clause for number in numbers] == [
        frozenset(clause) for clause in emitted(constraint, encoder, 7)
    ]


def test_an_unknown_version_is_refused_before_anything_is_written() -> None:
    stream = io.BytesIO()
    with pytest.raises(ValueError, match=r"no version 1\.0, only 3\.0 and 2\.0"):
        write_proof(Derivation(formula=1), stream, "1.0")
    assert stream.getvalue() == b""


@pytest.mark.skipif(VERIPB is None, reason="veripb is not on PATH")
@pytest.mark.parametrize("encoder", ["direct", "totalizer", "sequential_counter"])
@pytest.mark.parametrize(("n", "lower", "upper"), [(5, 0, 2), (6, 4, 6), (7, 2, 4), (13, 3, 3)])
def test_veripb_accepts_what_is_derived(tmp_path: Path, encoder, n, lower, upper) -> None:
    constraint = Cardinality(range(1, n + 1), lower, upper)
    derivation, _ = derived(constraint, encoder, n)
    row = " ".join(f"1 x{var}" for var in range(1, n + 1))
    negative = row.replace("1 x", "-1 x")
    formula, proof = tmp_path / "formula.opb", tmp_path / "proof.pbp"
    head = f"* #variable= {n} #constraint= 2"
    formula.write_text(f"{head}\n{row} >= {lower} ;\n{negative} >= {-upper} ;\n")
    proof.write_bytes(written(derivation))
    done = run(formula, proof)
    if done.returncode and "Unsupported version" in done.stdout + done.stderr:
        # Before its version 2 the format had no footer; the steps are those of 2.0.
        text = written(derivation, "2.0").decode().partition("output")[0]
        proof.write_text(text.replace("version 2.0", "version 1.2"))
        done = run(formula, proof)
    assert done.returncode == 0, done.stdout + done.stderr
    before, last = proof.read_text().rsplit("rup", 1)
    proof.write_text(f"{before}rup{last.replace('>= 1', '>= 2', 1)}")
    assert run(formula, proof).returncode != 0


def run(formula: Path, proof: Path) -> subprocess.CompletedProcess[str]:
    command = [str(VERIPB), str(formula), str(proof)]
    return subprocess.run(command, capture_output=True, text=True, check=False)
