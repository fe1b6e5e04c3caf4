"""Encoders that are not ours are audited, whatever they do to the process that audits them."""

import pytest

from pbcnf.encoders.cardinality.direct import Direct
from satsweeper.compare.wrong_answers.disagreement import faulty, lines


def test_a_lost_clause_is_found_though_no_job_ran() -> None:
    found = lines(faulty(["direct", "odd_encoders:Dropping", "", "native"]))
    assert len(found) == 1
    assert found[0].startswith(
        "odd_encoders:Dropping is wrong, although no job has shown it: -1 to 1 of 2: given 1 2:"
    )


def test_a_clause_too_many_is_found() -> None:
    (found,) = lines(faulty(["odd_encoders:Strict"]))
    assert "odd_encoders:Strict is wrong" in found


def test_encoders_that_are_right_have_no_fault() -> None:
    assert faulty(["odd_encoders:direct", "odd_encoders:binomial", "pysat:totalizer"]) == {}
    assert faulty(["mine"], {"mine": Direct()}) == {}


def test_ours_are_not_audited_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subprocess.Popen", lambda *_, **__: pytest.fail("a process was started"))
    assert faulty(["direct", "totalizer", "native", ""]) == {}


@pytest.mark.parametrize("name", ["Aborting", "Leaving", "Raising"])
def test_an_encoder_that_ends_badly_is_left_to_its_jobs(name: str) -> None:
    assert faulty([f"odd_encoders:{name}"]) == {}


def test_one_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satsweeper.compare.wrong_answers.disagreement._SECONDS", 0.5)
    found = lines(faulty(["odd_encoders:Strict", "odd_encoders:Endless"]))
    assert len(found) == 1
