"""The small checker on proofs of encodings and of answers: what it accepts is so.

The oracle goes through all assignments. Proofs are made here, by plain search: what a clause says
of a partial assignment follows by propagation from what was shown of the two that are longer.
"""

import random
from collections import Counter

import pytest

import satsweeper_check
from tests.checker.small import CLAUSES, FORWARD, ROW, WAYS, clause, put, rows_of, said, words_of
from tests.oracles import models
from tests.problem_files import cnf, models_of, objective_of, pb_proof, random_instance, read
from tests.problem_files import written as file_of


def answer_by_search(problem, variables, feasible, value):
    """Steps and conclusion: try all assignments, show each better one, learn the others."""
    steps, best, last = [], None, rows_of(problem)

    def below(prefix):
        nonlocal best, last
        if len(prefix) == variables:
            lits = [v if bit else -v for v, bit in enumerate(prefix, start=1)]
            words = words_of(lits).rstrip()
            if prefix in feasible and (best is None or value(prefix) < best[0]):
                best = value(prefix), words
                if "min:" not in problem:
                    return True
                steps.append(f"soli {words} ;")
                last += 1
        elif below((*prefix, 0)) or below((*prefix, 1)):
            return True
        steps.append(f"rup {clause([-v if bit else v for v, bit in enumerate(prefix, 1)])} ;")
        last += 1
        return False

    below(())
    if best is None:
        return steps, f"UNSAT : {last}"
    if "min:" not in problem:
        return steps, f"SAT : {best[1]}"
    return steps, f"BOUNDS {best[0]} : {last} {best[0]} : {best[1]}"


def random_problem(rng):
    """An OPB file of up to 4 variables, its number of variables, solutions, and their values."""
    while True:
        problem = random_instance(rng)
        text = file_of(problem, "opb")
        again = read(text, "p.opb")
        if 0 < again.num_vars <= 4 and "max:" not in text:
            feasible = models_of(again)
            shift = again.objective.constant if again.objective else 0
            values = {bits: objective_of(again, bits) - shift for bits in feasible}
            return text, again.num_vars, feasible, values.__getitem__


def true_answer(says, feasible, value, found):
    """Whether an answer, with its bounds, is so."""
    if says == "UNSATISFIABLE":
        return not feasible
    if says == "SATISFIABLE":
        return bool(feasible)
    return bool(feasible) and found["lower"] <= min(map(value, feasible)) <= found["upper"]


def test_answers_by_plain_search_are_accepted_and_what_is_accepted_is_so(tmp_path):
    rng, accepted, refused = random.Random(4), Counter(), 0
    for _ in range(60):
        text, variables, feasible, value = random_problem(rng)
        steps, end = answer_by_search(text, variables, feasible, value)
        given = rows_of(text)
        proof = pb_proof(*steps, given=given, conclusion=end)
        paths = put(tmp_path, text, proof)
        found = satsweeper_check.check([str(path) for path in paths])
        if "min:" in text and feasible:
            least = min(map(value, feasible))
            assert (found["says"], found["lower"], found["upper"]) == (
                "OPTIMUM FOUND",
                least,
                least,
            )
        else:
            assert found["says"] == ("SATISFIABLE" if feasible else "UNSATISFIABLE")
        accepted[found["says"]] += 1
        # A step left out, shortened or turned around, another conclusion, another row: still true.
        for _ in range(12):
            lines = proof.splitlines()
            kind = rng.randrange(4)
            at = rng.randrange(2, len(lines) - 3) if len(lines) > 5 else 2
            if kind == 0 and len(lines) > 5:
                del lines[at]
            elif kind == 1:
                words = lines[at].split(" ")
                place = rng.randrange(len(words))
                words[place] = rng.choice(["x1", "~x1", "x2", "~x2", "0", "1", "2", "3", ">=", ";"])
                lines[at] = " ".join(words)
            elif kind == 2:
                last = given + len(lines) - 5
                bound, point = rng.randint(-4, 8), " ".join(
                    rng.choice(["x", "~x"]) + str(v) for v in range(1, variables + 1)
                )  # fmt: skip
                ends = [f"UNSAT : {rng.randint(1, last + 1)}", f"SAT : {point}"]
                ends += [f"BOUNDS {bound} : {last} {bound + rng.randint(0, 2)} : {point}"]
                lines[-2] = f"conclusion {rng.choice(ends)} ;"
            else:
                lines.insert(at, rng.choice(["rup >= 1 ;", "pol 1 ;", "rup 1 x1 >= 1 ;"]))
            (tmp_path / "proof.pbp").write_text("\n".join([*lines, ""]))
            try:
                found = satsweeper_check.check([str(path) for path in paths])
            except satsweeper_check.NotProvedError:
                refused += 1
                continue
            assert true_answer(found["says"], feasible, value, found), (text, lines)
            accepted[found["says"]] += 1
    assert set(accepted) == {"UNSATISFIABLE", "SATISFIABLE", "OPTIMUM FOUND", "BOUNDS"}
    assert refused > 300


@pytest.mark.parametrize("way", WAYS)
def test_an_encoding_is_shown_one_way_or_both_ways_or_refused(tmp_path, way):
    steps, shown = WAYS[way]
    proof = pb_proof(*steps, given=2)
    found = said(satsweeper_check, *put(tmp_path, ROW, cnf(4, CLAUSES), proof))
    assert found.partition(":")[0] == shown, found


def extended(clauses, variables, inputs):
    """The assignments of the inputs that extend to a model of the clauses."""
    return {bits[:inputs] for bits in models(clauses, variables)}


@pytest.mark.parametrize("count", [400, pytest.param(8000, marks=pytest.mark.slow)])
def test_of_changed_encodings_only_what_is_so_is_accepted(count, tmp_path):
    rng, accepted = random.Random(8), Counter()
    valid = [way for way, (_, shown) in WAYS.items() if shown != "refused"]
    words = (
        "1",
        "2",
        "3",
        "5",
        "6",
        "~",
        "x1",
        "~x1",
        "x2",
        "~x3",
        "x4",
        "x5",
        "~x5",
        "+",
        "d",
        ";",
    )
    for _ in range(count):
        lines = pb_proof(*WAYS[rng.choice(valid)][0], given=2).splitlines()
        clauses = [list(each) for each in CLAUSES]
        for _ in range(rng.randint(1, 2)):
            at = rng.randrange(1, len(lines))
            kind = rng.randrange(4)
            if kind == 0:
                del lines[at]
            elif kind == 1:
                parts = lines[at].split(" ")
                parts[rng.randrange(len(parts))] = rng.choice(words)
                lines[at] = " ".join(parts)
            elif kind == 2 and len(clauses) == 4:
                # A clause left out of the formula, and its step out of the proof.
                drop = rng.randrange(4)
                gone = FORWARD[drop]
                lines = [line for line in lines if line != gone]
                del clauses[drop]
            else:
                lines.insert(at, rng.choice(lines))
        variables = rng.choice((3, 4, 4, 4))
        try:
            found = said(
                satsweeper_check, *put(tmp_path, ROW, cnf(variables, clauses), "\n".join(lines))
            )
        except ValueError:
            continue
        if found.startswith("refused"):
            continue
        solutions = models_of(read(ROW, "p.opb"))
        seen = extended(clauses, variables, 3)
        assert solutions <= seen, lines
        assert found != "equivalent" or solutions == seen, lines
        accepted[found] += 1
    assert min(accepted["equivalent"], accepted["no solution lost"]) > 10


def test_a_formula_without_rows_or_clauses_is_what_its_proof_says(tmp_path):
    nothing = "* #variable= 1 #constraint= 0\n"
    for number, (problem, clauses, steps, given, shown) in enumerate([
        (nothing, [], [], 0, "equivalent"),
        ("", [], [], 0, "equivalent"),
        (nothing, [[1]], ["rup 1 x1 >= 1 ;"], 0, "refused"),
        (nothing, [[]], ["rup >= 1 ;"], 0, "refused"),
        (nothing, [[2]], ["red 1 x2 >= 1 : x2 -> 1 ;"], 0, "equivalent"),
        (nothing, [[1]], ["red 1 x1 >= 1 : x1 -> 1 ;"], 0, "refused"),
        ("* a\n* #variable= 2\n", [[2]], ["red 1 x2 >= 1 : x2 -> 1 ;"], 0, "refused"),
        ("+1 x1 >= 0 ;\n", [], [], 1, "no solution lost"),
        ("+1 x1 >= 0 ;\n", [], ["del id 1 ;"], 1, "refused"),
        ("+1 x1 >= 0 ;\n", [], ["del id 1 ;", "pol x1 ;"], 1, "equivalent"),
        ("+1 x1 >= 2 ;\n", [[]], ["rup >= 1 : 1 ;"], 1, "no solution lost"),
        ("+1 x1 >= 2 ;\n", [[]], ["rup >= 1 : 1 ;", "del id 1 ;", "rup 1 x1 >= 2 : 2 ;"], 1,
         "equivalent"),
        ("+1 x1 >= 1 ;\n", [], ["del id 1 ;", "rup 1 x1 >= 1 ;"], 1, "refused"),
    ]):  # fmt: skip
        paths = put(tmp_path / str(number), problem, cnf(2, clauses), pb_proof(*steps, given=given))
        assert said(satsweeper_check, *paths).partition(":")[0] == shown, number


MALFORMED = [
    ("p cnf 4 2\n1 0\n", "formula.cnf: not as many"), ("", "formula.cnf: not as many"),
    ("1 0\n", "formula.cnf:1: literal 1 is"), ("p cnf 4 4\n5 0\n", "formula.cnf:2: literal 5 is"),
    ("p cnf 4 4\np cnf 4 4\n", "formula.cnf:2: 'p' is no integer"), ("p cnf 4\n", "formula.cnf:"),
    ("p cnf 2 4\n", "formula.cnf"), ("p cnf 4 4\nx 0\n", "formula.cnf:2: 'x' is no integer"),
    (f"p cnf {'9' * 5000} 4\n", "formula.cnf:1: '99"), ("p cnf 4 5\n1 2 0\n3", "formula.cnf: not"),
]  # fmt: skip
STEPS = [
    ("pol 1 +", "too little"), ("pol 1 2", "leave 2"), ("pol", "leave 0"),
    ("pol 1 0 d", "positive"), ("pol 1 -2 *", "positive"), ("pol 99", "no inequality 99"),
    ("pol -9", "no inequality -9"),
    ("pol 0", "no inequality 0"), ("pol 1 2 + d", "too little"), ("pol 1 1 2 + d", "not behind"),
    ("pol " + "1 " + f"{'9' * 3999} * " * 6, "bits"), ("pol 1 y 2 +", "no literal"),
    ("rup 1 x1", "needs '>='"), ("rup 1 x1 >=", "needs '>='"), ("rup 1 >= 1", "half a term"),
    ("rup 1 x1 >= 1 2 3", "where ':'"), ("rup 1 x1 >= 1 : x1", "no integer"),
    ("rup 1 x1 >= 1 : ~ 1", "does not refute"), ("red 1 x9 >= 1", "a definition is"),
    ("red 1 x9 >= 1 : x9 -> x1", "a definition is"), ("red 1 x9 >= 1 : x9 -> 0", "need not hold"),
    ("red 1 x1 >= 1 : x1 -> 1", "has a meaning"), ("red 1 x9 >= 1 : ~x9 -> 1", "has a meaning"),
    ("del 1", "no step"), ("del id 7", "no inequality"), ("del range 1 2", "no step"),
    ("soli x1 ~x2 ~x3", "no step"), ("f 3", "no step"), ("output ALL", "no step"), ("", "no step"),
    ("conclusion NONE", "no step"), ("end pseudo-Boolean proof", "no step"), ("a", "no step"),
    ("output NONE ;\npol 1", "may follow"), ("output NONE ;\nconclusion UNSAT : 1", "be satisfied"),
    ("output NONE ;\nconclusion SAT : x1", "values"), ("output NONE ;\nconclusion A", "no conc"),
    ("output NONE ;\nconclusion SAT : x1 x2 x3", "row 1"), ("output NONE ;\nconclusion", "no conc"),
    ("output NONE ;\nconclusion SAT : x1 ~x1", "negation"),
    ("output NONE ;\nconclusion SAT : x1 ~x2 ~x4", "values, all"),
]  # fmt: skip


def test_what_is_malformed_is_refused_with_its_place(tmp_path):
    proof = pb_proof(*FORWARD, given=2)
    for text, fault in MALFORMED:
        assert f"refused: {fault}" in said(satsweeper_check, *put(tmp_path, ROW, text, proof))
    for step, fault in STEPS:
        proof = pb_proof("% a comment", f"{step} ;", given=2)
        found = said(satsweeper_check, *put(tmp_path, ROW, cnf(4, CLAUSES), proof))
        place = 5 if "\n" in step else 4
        assert found.startswith(f"refused: proof.pbp:{place}: "), (step, found)
        assert fault in found
    for text, place in {
        "x1 >= 1 ;": 1,
        "\n+1 x1 > 1 ;": 2,
        "min: +1 x1 ;\nmin: ;": 2,
        ";": 1,
    }.items():
        found = said(satsweeper_check, *put(tmp_path, text, cnf(4, CLAUSES), proof))
        assert found.startswith(f"refused: problem.opb:{place}: "), found
