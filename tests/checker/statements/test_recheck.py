"""Proofs from statements: right ones are followed to the right word, forged ones refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.statements.recheck import RecheckedStatements, recheck_statements
from scripts.fuzzing.plain_statements import content, solutions
from tests.checker.statements.written_proofs import WRITTEN, Written
from tests.oracles import models
from tests.problem_files import cnf, pb_proof

LINKS = {
    "order": (1, {2: 1, 3: 2}),
    "direct": (0, {2: 1, 3: 2, 4: 4}),
    "binary": (1, {2: 1, 3: 2}),
}
ORDER = WRITTEN["order"]
FORMULA, PROOF = "formula.cnf", "proof.pbp"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_proof_in_both_directions_shows_equivalence_and_half_of_it_no_solution_lost(name):
    written = WRITTEN[name]
    found, half = written.check(), written.forward().check()
    assert (found.shown, half.shown) == ("equivalent", "no solution lost")
    for each in (found, half):
        assert [(link.name, *link[1:]) for link in each.links] == [("n", *LINKS[name])]
        assert (each.booleans, each.rows, each.canonical) == (1, 6, 5)
        assert (each.variables, each.clauses) == (written.variables, len(written.clauses))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_models_decoded_by_the_links_are_the_solutions(name):
    written = WRITTEN[name]
    assert decoded(written, written.check()) == {*solutions(written.file)}


def without(steps: list[str], start: str) -> list[str]:
    """The steps but one, which begins so."""
    (left_out,) = [step for step in steps if step.startswith(start)]
    return [step for step in steps if step is not left_out]


def clause_left_out(of: Written) -> Written:
    """The last clause is in neither CNF nor proof: numbers are as if it had been deleted."""
    return of._replace(
        clauses=of.clauses[:-1], links=[*of.links, "del id 12 ;"],
        back=[step.replace("23 12 21", "23 21") for step in of.back],
    )  # fmt: skip


def two_integers() -> Written:
    """Two integers of two values each, and no statement, so no row: 1 and 2, in the CNF 3 and 4."""
    file = ORDER.file | {
        "booleans": 0, "names": {}, "nodes": [], "statements": [],
        "integers": [{"name": name, "domain": [[0, 1]]} for name in "nm"],
    }  # fmt: skip
    introduced = [
        f"red 1 {a}x{v} 1 {b}x{v - 2} >= 1 : x{v} -> {int(not a)} ;"
        for v in (3, 4)
        for a, b in (("~", ""), ("", "~"))
    ]
    again = [
        f"red 1 {a}x{v} 1 {b}x{v + 2} >= 1 : x{v} -> {int(not a)} ;"
        for v in (1, 2)
        for a, b in (("", "~"), ("~", ""))
    ]
    return Written(file, 2, [], introduced, [], ["del id 1 2 3 4 ;"], again, rows=0)


def test_without_a_row_the_last_links_are_what_is_deleted():
    two = two_integers()
    assert two.check().equivalent
    assert not two.forward().check().equivalent
    helping = two._replace(derived=["pol x1 ;", "pol x2 ;", "del id 1 2 ;", *two.derived])
    assert not helping.forward().check().equivalent


def test_without_rows_and_links_there_is_nothing_to_derive_again():
    nothing = two_integers()._replace(derived=[], turn=[], back=[])
    assert nothing.changed_file(integers=[]).check().equivalent
    one_value = nothing.changed_file(integers=[{"name": "n", "domain": [[7, 7]]}])
    assert [link[1:] for link in one_value.check().links] == [(7, {})]
    assert one_value.check().equivalent


FORGED: dict[str, tuple[Callable[[Written], Written], str, str]] = {
    "a link of another weight": (
        lambda of: of._replace(links=["pol 8 10 3 * + ;", "pol 7 9 3 * + ;", of.links[2]]
        ).forward(),
        PROOF, "the link of the integer 'n': an order literal has not the distance of two values",
    ),
    "only one half of a link of another weight": (
        lambda of: of._replace(links=[of.links[0], "pol 7 9 3 * + ;", of.links[2]]).forward(),
        PROOF, "the link of the integer 'n': its two inequalities are not opposite",
    ),
    "a link of another constant": (
        lambda of: of._replace(links=["pol 8 10 2 * + ~x1 + x1 + ;", *of.links[1:]]).forward(),
        PROOF, "the link of the integer 'n': its two inequalities are not opposite",
    ),
    "halves of a link in another order": (
        lambda of: of._replace(links=[of.links[1], of.links[0], of.links[2]]).forward(),
        PROOF, "the link of the integer 'n': an order literal has not the distance of two values",
    ),
    "no link": (
        lambda of: of._replace(links=of.links[2:]).forward(),
        FORMULA, "2 clauses, where the proof leaves 0",
    ),
    "half a link": (
        lambda of: of._replace(links=of.links[1:]).forward(),
        FORMULA, "2 clauses, where the proof leaves 1",
    ),
    "a link that only the rows' variables have": (
        lambda of: of._replace(
            derived=[*of.derived, "del id 9 10 ;", "red 1 x9 1 ~x3 >= 1 : x9 -> 1 ;",
                     "red 1 ~x9 1 x3 >= 1 : x9 -> 0 ;"],
            links=["pol 8 14 2 * + ;", "pol 7 13 2 * + ;", "del id 7 8 13 14 ;"]
        ).forward(),
        PROOF, "the link of the integer 'n': x9 stands for no variable of the CNF",
    ),
    "a link to a variable of the rows": (
        lambda of: of._replace(links=["pol 1 x2 + ;", "pol ~x2 ~x3 + ;", of.links[2]]).forward(),
        PROOF, "the link of the integer 'n': its two inequalities are not opposite",
    ),
    "a clause that is in the CNF alone": (
        lambda of: of._replace(clauses=[*of.clauses, [1, 2, 3]]),
        FORMULA, "3 clauses, where the proof leaves 2",
    ),
    "clauses in another order": (
        lambda of: of._replace(clauses=of.clauses[::-1]),
        FORMULA, "clause 1 is not the one that the proof leaves",
    ),
    "a literal twice": (
        lambda of: of._replace(clauses=[[2, -3], [2, 1, 1]]),
        FORMULA, "clause 2 is not the one that the proof leaves",
    ),
    "a clause over variables of the rows": (
        # x2 and x1 of the proof would be 2 and 1 of the CNF by their numbers alone.
        lambda of: of._replace(
            derived=[*of.derived[:5], "rup 1 x1 1 x2 >= 1 : ~ 6 4 2 1 ;"]).forward(),
        FORMULA, "clause 2 is not the one that the proof leaves",
    ),
    "fewer variables than Booleans": (
        lambda of: of._replace(variables=0, clauses=[]),
        FORMULA, "0 variables, but 1 Boolean in statements.json",
    ),
    "a variable of the rows introduced before the turn": (
        lambda of: of._replace(derived=["red 1 x3 1 ~x2 >= 1 : x3 -> 1 ;", *of.derived]),
        PROOF, "line 3: followed again: x3 is a variable of the problem",
    ),
    "a Boolean introduced before the turn": (
        lambda of: of._replace(derived=["red 1 x1 >= 1 : x1 -> 1 ;", *of.derived]),
        PROOF, "line 3: followed again: x1 is a variable of the problem",
    ),
    "a Boolean introduced after the turn": (
        lambda of: of._replace(back=["red 1 x1 >= 1 : x1 -> 1 ;", *of.back]),
        PROOF, "x1 is a variable of the clauses",
    ),
    "a variable of the clauses introduced after the turn": (
        lambda of: of._replace(back=["red 1 x7 >= 1 : x7 -> 1 ;", *of.back]),
        PROOF, "x7 is a variable of the clauses",
    ),
    "a variable of the header alone introduced after the turn": (
        lambda of: of._replace(variables=4, back=["red 1 x8 >= 1 : x8 -> 1 ;", *of.back]),
        PROOF, "x8 is a variable of the clauses",
    ),
    "a step without its semicolon": (
        lambda of: of._replace(links=["pol 8 10 2 * +", *of.links[1:]]),
        PROOF, "line 9: followed again: a step has no semicolon in its line",
    ),
    "a clause left out of both files": (
        clause_left_out, PROOF, "the constraint does not follow from these",
    ),
    "no row derived again": (
        lambda of: of._replace(back=[]), PROOF, "deleted rows are not derived again",
    ),
    "one row not derived again": (
        lambda of: of._replace(back=[*without(of.back, "rup 1 x5"), *of.back[-2:]]),
        PROOF, "deleted rows are not derived again",
    ),
    "links not derived again": (
        lambda of: of._replace(back=of.back[:-2]), PROOF, "deleted rows are not derived again",
    ),
    "links derived again in another order": (
        lambda of: of._replace(back=[*of.back[:-2], of.back[-1], of.back[-2]]),
        PROOF, "deleted rows are not derived again",
    ),
    "something behind the links": (
        lambda of: of._replace(back=[*of.back, "pol x1 ;"]),
        PROOF, "deleted rows are not derived again",
    ),
    "rows deleted without the links": (
        lambda of: of._replace(turn=["del id 1 2 3 4 5 6 ;"]),
        PROOF, "constraint 1 is the problem's",
    ),
    "one row deleted": (
        lambda of: of._replace(turn=["del id 6 ;"]), PROOF, "constraint 6 is the problem's",
    ),
    "the links deleted first": (
        lambda of: of._replace(turn=["del id 13 14 1 2 3 4 5 6 ;"]),
        PROOF, "constraint 1 is the problem's",
    ),
    "a definition left at the turn": (
        lambda of: of._replace(links=[*of.links[:2], "del id 7 8 9 ;"]),
        PROOF, "x3 is a variable of the clauses",
    ),
    "a definition of a variable of the CNF left": (
        lambda of: of._replace(links=[*of.links[:2], "del id 7 8 9 ;"]).forward(),
        FORMULA, "clause 1 is not the one that the proof leaves",
    ),
    "another domain": (
        lambda of: of.changed_file(
            integers=[{"name": "n", "domain": [[1, 2], [5, 5]]}]).forward(),
        PROOF, "the link of the integer 'n': an order literal has not the distance of two values",
    ),
    "a value more": (
        lambda of: of.changed_file(integers=[{"name": "n", "domain": [[1, 4]]}]),
        PROOF, "the problem's rows are 7",
    ),
    "another bound": (
        lambda of: of.changed_file(
            nodes=[of.file["nodes"][0], of.file["nodes"][1] | {"lower": 3}, *of.file["nodes"][2:]]
        ),
        PROOF, "deleted rows are not derived again",
    ),
    "a Boolean more": (
        lambda of: of.changed_file(booleans=2), PROOF, "x6 is a variable of the problem",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_is_refused(name):
    change, file, fault = FORGED[name]
    with pytest.raises(WrongCertificateError) as refused:
        change(ORDER).check()
    assert refused.value.file == file
    assert fault in refused.value.fault


def test_a_clause_left_out_of_both_files_loses_no_solution():
    """The first half says no more, and so does the checker."""
    half = clause_left_out(ORDER).forward().check()
    assert (half.shown, half.clauses) == ("no solution lost", 1)


def test_the_links_of_two_integers_cannot_be_exchanged():
    two = two_integers()
    first, second = two.derived[:2], two.derived[2:]
    with pytest.raises(WrongCertificateError, match="the link of the integer 'n': an order"):
        two._replace(derived=[*second, *first]).forward().check()
    # A link twice, and that of the other integer not at all.
    again = [*first, "pol 1 ;", "pol 2 ;"]
    with pytest.raises(WrongCertificateError, match="the link of the integer 'm': an order"):
        two._replace(derived=again).forward().check()


def test_a_link_of_an_integer_cannot_speak_of_the_order_literals_of_another():
    two = two_integers()
    # m = m + n - n: true, but no variable of the CNF.
    more = ["pol 3 x1 + ~x1 + ;", "pol 4 ;"]
    halved = [*two.derived, *more, "del id 3 4 ;"]
    with pytest.raises(WrongCertificateError, match="not opposite"):
        two._replace(derived=halved).forward().check()
    # Introduced as x4 = x1: then m = n would have to be shown, which does not follow.
    other = [*two.derived[:2], "red 1 ~x4 1 x1 >= 1 : x4 -> 0 ;", "red 1 x4 1 ~x1 >= 1 : x4 -> 1 ;"]
    with pytest.raises(WrongCertificateError, match="the link of the integer 'm': an order"):
        two._replace(derived=other).forward().check()


def decoded(written: Written, found: RecheckedStatements) -> set[tuple[tuple[int, ...], ...]]:
    """The models of the CNF as values of Booleans and integers, decoded by the links."""
    return {
        (
            bits[: found.booleans],
            tuple(
                link.constant + sum(w * bits[v - 1] for v, w in link.weights.items())
                for link in found.links
            ),
        )
        for bits in models(written.clauses, written.variables)
    }


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_changed_after_the_proof_is_refused_or_has_what_is_shown(name):
    rng = Random(name)
    counts = Counter[str]()
    for _ in range(300):
        written = WRITTEN[name] if rng.random() < 0.5 else WRITTEN[name].forward()
        text = json.dumps(written.file)
        place = rng.choice([*re.finditer("-?[0-9]+", text)][1:])
        number = rng.choice([int(place[0]) + 1, int(place[0]) - 1, -int(place[0])])
        changed = f"{text[: place.start()]}{number}{text[place.end() :]}"
        if changed == text:
            continue
        try:
            written = written._replace(file=json.loads(changed))
            found = written.check()
        except WrongCertificateError:
            counts["refused"] += 1
            continue
        wanted = {*solutions(written.file)}
        said = decoded(written, found)
        assert said == wanted if found.equivalent else said >= wanted
        counts[found.shown] += 1
    assert counts["refused"] > 10 * counts["no solution lost"] > 20


def test_files_that_are_no_text_or_no_formula_are_refused_by_their_names():
    file, formula = content(ORDER.file), cnf(3, ORDER.clauses).encode()
    proof = pb_proof(given=6).encode()
    for texts, name in (
        ((b"", formula, proof), "statements.json"), ((file, b"p cnf 3\n", proof), FORMULA),
        ((file, formula, b"\xff"), PROOF), ((file, formula, b""), PROOF),
    ):  # fmt: skip
        with pytest.raises(WrongCertificateError) as refused:
            recheck_statements(*texts)
        assert refused.value.file == name
