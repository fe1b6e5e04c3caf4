"""The page of lower bounds, proofs and side constraints says what encoders are now."""

import random
import re
from importlib.metadata import version
from itertools import combinations, product
from math import ceil, comb, sqrt

import pytest

from pbcnf import ENCODERS, Cardinality, Formula, PseudoBoolean, encode
from pbcnf.encoders.protocol import takes_weights
from pbcnf.encoders.table import expresses
from scripts import table_encoder_analysis as script
from scripts.bench import lower_bounds
from scripts.bench.side_constraints import Bounded, partitions, strength
from scripts.table_sizes import PACKAGES, theirs
from tests import oracles
from tests.commands import call

STALE = f"stale: run {script.COMMAND}"
PAGE = script.PAGE.read_text("utf-8")


def section(name):
    """The table of a section as rows: encoder -> head of the column -> cell."""
    text = PAGE.partition(f"<!-- {name}: ")[2].partition(f"<!-- end of {name} -->")[0]
    lines = [line.split("|")[1:-1] for line in text.splitlines() if line.startswith("|")]
    (_, *heads), _, *rows = [[cell.strip() for cell in line] for line in lines]
    return {row[0].strip("`*"): dict(zip(heads, row[1:], strict=True)) for row in rows}


def numbers(cell):
    return [int(text.replace(" ", "")) for text in re.findall(r"\d[\d ]*(?= |$)", cell)]


def emitted(name, of):
    """The clauses that an encoder emits for a sum, and the number of its auxiliary variables."""
    n = len(of.weights)
    formula = Formula(num_vars=n)
    if set(of.weights) == {1}:
        encode(Cardinality(range(1, n + 1), upper=of.upper), formula, name)
    else:
        encode(PseudoBoolean(range(1, n + 1), of.weights, upper=of.upper), formula, name)
    return formula.num_vars - n, list(formula.clauses())


def test_no_encoder_has_fewer_clauses_than_a_lower_bound_of_counts():
    for n in (*range(2, 20), 40, 64, 100, 256, 1000):
        for k in sorted({*range(1, min(n, 12)), n // 4, n // 2, n - 1} - {0}):
            bound = lower_bounds.at_most(n, k)
            assert 1 <= bound <= comb(n, k + 1)
            for name in ENCODERS:
                if expresses(name, n, 0, k):
                    clauses = ENCODERS[name].size(n, 0, k).clauses
                    assert clauses >= bound, (name, n, k)
                    assert name != "direct" or clauses == comb(n, k + 1)


def test_no_encoder_has_fewer_clauses_than_a_lower_bound_of_weighted_sums():
    draw, large = random.Random(11), 0
    for _ in range(100):
        weights = [draw.randint(2, 7) for _ in range(draw.randint(2, 12))]
        upper = draw.randint(max(weights), sum(weights) - 1)
        bound = lower_bounds.weighted(weights, upper)
        # Without auxiliary variables each least set that is too heavy needs a clause, no more.
        sets = [
            chosen
            for size in range(1, len(weights) + 1)
            for chosen in combinations(weights, size)
            if upper < sum(chosen) <= upper + min(chosen)
        ]
        assert 1 <= bound <= len(sets)
        large += bound >= lower_bounds.at_most_one(lower_bounds.FROM)
        for name, encoder in ENCODERS.items():
            if takes_weights(encoder):
                size = encoder.weighted_size(weights, 0, upper)
                assert size.clauses >= bound, (name, weights, upper)
    assert large >= 10


def test_bounds_are_those_that_are_published_and_what_follows_from_them():
    for n in (7, 8, 9, 15, 16, 100, 1000, 10_000):
        assert lower_bounds.at_most(n, 1) == ceil(2 * n + sqrt(n + 1) - 2)
        assert lower_bounds.at_most(n + 1, 2) == lower_bounds.at_most(n, 1)
    for n in (8, 9, 15, 16):
        # Equal weights are a count. If a heavy input is false, a clause is saved, and two are left.
        assert lower_bounds.weighted([1] * n, 1) == lower_bounds.at_most(n, 1)
        assert lower_bounds.weighted([6, *[3] * n], 6) == 1 + lower_bounds.at_most(n, 2)
    assert [lower_bounds.at_most(6, k) for k in range(1, 6)] == [5, 4, 3, 2, 1]
    assert lower_bounds.weighted([4, 3, 2, 1], 5) == 2


def test_every_encoder_is_in_the_tables_with_the_sizes_of_now():
    for title, columns in script.BOUNDS.items():
        found = section(title)
        expected = {name for of in columns for name in script.sizes(of)}
        assert [*found] == ["lower bound", *(n for n in ENCODERS if n in expected)], STALE
        for of in columns:
            bound = numbers(found["lower bound"][of.title])[0]
            for name, size in script.sizes(of).items():
                cell = found[name][of.title]
                if "e" not in cell:
                    of_page, _, ratio = cell.partition(" (")
                    assert numbers(of_page) == [size.variables, size.clauses], STALE
                    assert float(ratio[:-1].replace(" ", "")) == pytest.approx(
                        size.clauses / bound, abs=0.5 if size.clauses >= 10 * bound else 0.005
                    )
                if size.clauses <= 1000:
                    variables, clauses = emitted(name, of)
                    assert (variables, len(clauses)) == (size.variables, size.clauses)


@pytest.mark.parametrize("name", ["adder", "multipartite", "decision_diagram", "totalizer"])
def test_a_proof_has_as_many_bytes_as_the_command_writes(name, tmp_path):
    row = section("proofs")[name]
    for title in ("1 of 10", "1 of 100", "10 weights"):
        of = next(each for each in script.PROOFS if each.title == title)
        if row[title] == "-":
            assert of.clauses(name) is None
            continue
        problem, proof = tmp_path / "row.opb", tmp_path / "row.pbp"
        problem.write_bytes(of.opb())
        words = [
            "encode",
            problem,
            "--encoding",
            name,
            "-o",
            tmp_path / "row.cnf",
            "--proof",
            proof,
        ]
        assert call(*words).code == 0
        text = proof.read_text("ascii")
        steps = [line for line in text.splitlines() if line[:4] in ("red ", "rup ", "pol ")]
        assert numbers(row[title]) == [len(steps), len(text)], STALE


def test_every_encoder_has_its_row_of_proofs_and_of_side_constraints():
    assert [*section("proofs")] == [*ENCODERS], STALE
    found = section("side constraints")
    assert [*found] == [*ENCODERS], STALE
    for name in ("direct", "pairwise", "adder", "generalized_totalizer"):
        for kind, grouped in product(script.KINDS, (False, True)):
            of = script.strength(name, kind, grouped)
            assert found[name][f"{kind}{', groups' if grouped else ''}"] == script._shares(of), (
                STALE
            )


def by_brute_force(name, of, groups):
    """The four numbers of `Strength`, by trying all completions and propagating one by one."""
    n = len(of.weights)
    formula = Formula(num_vars=n)
    encode(Cardinality(range(1, n + 1), of.lower, of.upper), formula, name)
    clauses = [*formula.clauses(), *([-a, -b] for g in groups for a, b in combinations(g, 2))]
    solutions = [
        oracles.true_literals(bits)
        for bits in oracles.assignments(n)
        if of.lower <= sum(bits) <= of.upper
        and all(sum(bits[i - 1] for i in g) <= 1 for g in groups)
    ]
    found = [0, 0, 0, 0]
    for signs in product((-1, 0, 1), repeat=n):
        decided = {sign * var for var, sign in enumerate(signs, start=1) if sign}
        completions = [each for each in solutions if decided <= each]
        known = oracles.unit_propagation(clauses, decided)
        if completions:
            implied = set.intersection(*completions) - decided
            assert known is not None
            found[0] += len(implied & known)
            found[1] += len(implied)
        else:
            found[2] += known is None
            found[3] += 1
    return tuple(found)


@pytest.mark.parametrize(("name", "n"), [("direct", 4), ("pairwise", 4), ("direct", 5)])
def test_what_propagates_beside_groups_is_what_brute_force_finds(name, n):
    each_group = [*partitions(range(1, n + 1))]
    assert len(each_group) == {4: 3, 5: 10}[n]
    for kind in ("at most", "at least", "exactly"):
        for of in script.bounds_of(kind, n):
            if expresses(name, n, of.lower, of.upper):
                for groups in [(), *each_group[:3]]:
                    assert strength(name, of, groups) == by_brute_force(name, of, groups)


def test_upper_bounds_do_not_weaken_each_other_and_lower_bounds_do():
    for name in ("direct", "totalizer", "decision_diagram", "cardinality_network"):
        assert script.strength(name, "at most", True).all_found()
        assert script.strength(name, "at least", False).all_found()
        assert not script.strength(name, "at least", True).all_found()
    # The example of the page.
    example = Bounded((1, 1, 1, 1), 2, 4)
    clauses = [*combinations(range(1, 5), 3), (-3, -4)]
    assert oracles.unit_propagation(clauses, [-2]) == {-2}
    assert all(
        1 in bits for bits in map(oracles.true_literals, oracles.models([*clauses, (-2,)], 4))
    )
    assert not strength("direct", example, ((1, 2), (3, 4))).all_found()


def test_other_libraries_are_beside_our_smallest_of_now():
    found = section("other libraries")
    columns = [of for each in script.BOUNDS.values() for of in each]
    assert [*found] == [of.title for of in columns], STALE
    for of in columns:
        name, size = script.smallest(script.sizes(of))
        assert found[of.title]["ours"].endswith(f" `{name}`"), STALE
        assert numbers(found[of.title]["ours"].partition(" `")[0]) == [size.variables, size.clauses]
    assert [*found["1 of 10"]] == ["lower bound", "ours", *PACKAGES]
    if f"PySAT {version('python-sat')}" in PAGE:
        for of in script.BOUNDS["at most one"][:3]:
            sizes, _, name = found[of.title]["PySAT"].partition(" `")
            assert numbers(sizes) == [*theirs("PySAT", name[:-1], script.problem_of(of))]


def test_a_page_without_a_place_for_the_tables_is_refused_before_they_are_made(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace("<!-- proofs: ", "<!-- "), "utf-8")
    assert script.main([str(page)]) == 1
    assert "table_encoder_analysis: one section between '<!-- proofs: " in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_the_page_is_what_the_script_writes(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(re.sub(r"^[|*] .*\d.*\n", "", PAGE, flags=re.M), "utf-8")
    assert script.main([str(page)]) == 0
    for title in script.SECTIONS:
        end = f"<!-- end of {title} -->"
        texts = [
            t.partition(f"<!-- {title}: ")[2].partition(end)[0]
            for t in (PAGE, page.read_text("utf-8"))
        ]
        assert texts[0] == texts[1], STALE
