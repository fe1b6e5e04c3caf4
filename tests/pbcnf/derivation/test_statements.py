"""Statements are proved equivalent to their clauses; what says something else is refused."""

import json
import re
from collections.abc import Hashable

import pytest

from pbcnf.derivation.statements.whole import derive_statements
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.language import Builder, all_different, read_statements
from pbcnf.language.expressions import Comparison, Sum
from pbcnf.proof.cutting_planes.canonical import canonical_rows
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.proved_statements import CheckedStatements, check_statements
from pbcnf.proof.format_error import ProofFormatError
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.statements.recheck import recheck_statements
from scripts import write_gallery
from tests.pbcnf.derivation.random_statements import (
    everything,
    proved,
    random_builder,
    solutions,
    statements_of,
    without_clause,
)

GALLERY = sorted(write_gallery.MODELS.glob("*.py"))
FAST = (
    "bin_packing",
    "dominating_set",
    "futoshiki",
    "knapsack",
    "max_cut",
    "nonogram",
    "ramsey",
    "zebra",
)
"""Models of all kinds of statements in the gallery that are proved within a few seconds."""


def decoded_models(
    checked: CheckedStatements, cnf: bytes, builder: Builder
) -> list[dict[Hashable, int]]:
    """The models of a CNF without repeats, decoded by the links that a proof has shown."""
    pysat = pytest.importorskip("pysat.solvers")
    lines = cnf.decode().splitlines()[1:]
    clauses = [[int(word) for word in line.split()[:-1]] for line in lines]
    seen: set[tuple[int, ...]] = set()
    shown = [*range(1, checked.booleans + 1)]
    shown += [v for each in checked.integers for _, v in each.terms]
    found = []
    with pysat.Solver("cadical153", bootstrap_with=clauses) as solver:
        while solver.solve():
            true = {lit for lit in solver.get_model() or [] if lit > 0}
            values: dict[Hashable, int] = {
                name: int(builder.names.number(name) in true) for name in builder.names
            }
            for each in checked.integers:
                own = sum(weight for weight, v in each.terms if v in true)
                values[each.name] = each.constant + own
            if tuple(values.values()) not in seen:
                seen.add(tuple(values.values()))
                found.append(values)
            if not shown:
                break
            solver.add_clause([-v if v in true else v for v in shown])
    return found


def holds(rows, true: set[int]) -> bool:
    return all(
        sum(w for lit, w in terms.items() if (abs(lit) in true) == (lit > 0)) >= degree
        for terms, degree in rows
    )


@pytest.mark.parametrize("seed", range(30))
def test_canonical_rows_have_exactly_the_solutions_of_the_statements(seed):
    builder = random_builder(seed)
    canonical = canonical_rows(statements_of(builder))
    defined = [each for some in canonical.made.values() for each in some]
    definitions = {number for each in defined for number in each.rows}
    for values in everything(builder):
        true = {builder.names.number(name) for name in builder.names if values[name]}
        for integer in canonical.integers:
            at = integer.values.index(values[integer.name])
            true |= {*integer.literals[:at]}
        # Each further variable has one value with which its definition holds.
        for each in sorted(defined, key=lambda one: one.var):
            own = [canonical.rows[number - 1] for number in each.rows]
            options = [some for some in (true, true | {each.var}) if holds(own, some)]
            assert len(options) == 1
            [true] = options
        assert holds([canonical.rows[number - 1] for number in definitions], true)
        assert holds(canonical.rows, true) == builder.holds(values)


def proved_and_checked(builder: Builder) -> CheckedStatements:
    text = statements_of(builder)
    made, cnf, proof = proved(text)
    assert made.one_way is None
    checked = check_statements(text, cnf, proof)
    assert checked.shown == "equivalent"
    models = decoded_models(checked, cnf, builder)
    wanted = [{name: int(value) for name, value in each.items()} for each in solutions(builder)]
    assert sorted(map(str, models)) == sorted(map(str, wanted))
    return checked


@pytest.mark.parametrize("seed", range(25))
def test_random_statements_are_proved_and_what_models_say_are_their_solutions(seed):
    proved_and_checked(random_builder(seed))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_more_random_statements_are_proved(seed):
    proved_and_checked(random_builder(seed))


def gallery_is_proved(path) -> None:
    text = statements_of(write_gallery.builder_of(path))
    _, cnf, proof = proved(text)
    assert check_statements(text, cnf, proof).shown == "equivalent"


@pytest.mark.parametrize("path", [p for p in GALLERY if p.stem in FAST], ids=lambda p: p.stem)
def test_models_of_the_gallery_are_proved(path):
    gallery_is_proved(path)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("path", [p for p in GALLERY if p.stem not in FAST], ids=lambda p: p.stem)
def test_all_other_models_of_the_gallery_are_proved(path):
    gallery_is_proved(path)


@pytest.mark.parametrize("seed", range(100, 115))
def test_the_clauses_are_those_of_the_rows_of_the_builder(seed):
    text = statements_of(random_builder(seed))
    problem = read_statements(text).problem()
    formula = Formula(problem.num_vars)
    for _ in encode_problem(problem.constraints, formula):
        pass
    assert [*derive_statements(text).formula] == [*formula]


@pytest.mark.parametrize("path", GALLERY, ids=lambda p: p.stem)
def test_a_file_of_the_gallery_is_read_as_the_problem_that_was_written(path):
    builder = write_gallery.builder_of(path)
    written, again = builder.problem(), read_statements(statements_of(builder)).problem()
    assert again.constraints == written.constraints
    assert again.objective == written.objective


def sample() -> tuple[bytes, bytes, bytes]:
    b = Builder()
    x = b.boolean("x")
    n, m, k = b.integers("nmk", 0, 2)
    b.add(all_different([n, m]), x >> (n + 2 * m + k <= 3), n != 1, x | (k >= 1))
    text = statements_of(b)
    _, cnf, proof = proved(text)
    return text, cnf, proof


TEXT, CNF, PROOF = sample()
BROKEN = (ProofError, ProofFormatError)


def test_the_sample_is_accepted():
    checked = check_statements(TEXT, CNF, PROOF)
    assert (checked.shown, checked.statements, len(checked.integers)) == ("equivalent", 4, 3)


def changed(**values: object) -> bytes:
    return json.dumps(json.loads(TEXT) | values).encode()


FILE = json.loads(TEXT)


@pytest.mark.parametrize("at", range(len(FILE["nodes"])))
def test_a_proof_is_of_no_file_in_which_a_bound_or_a_weight_is_another_one(at):
    node = dict(FILE["nodes"][at])
    if "compare" not in node:
        pytest.skip("no comparison")
    for key in ("lower", "upper"):
        if node[key] is not None:
            for by in (-1, 1):
                nodes = [*FILE["nodes"]]
                nodes[at] = node | {key: node[key] + by}
                with pytest.raises(BROKEN):
                    check_statements(changed(nodes=nodes), CNF, PROOF)
    for place, (weight, index) in enumerate(node["compare"]):
        terms = [*node["compare"]]
        terms[place] = [weight + 1, index]
        nodes = [*FILE["nodes"]]
        nodes[at] = node | {"compare": terms}
        with pytest.raises(BROKEN):
            check_statements(changed(nodes=nodes), CNF, PROOF)


def test_a_proof_is_of_no_file_with_one_statement_more_or_less_or_another_domain():
    stated = FILE["statements"]
    integers = [dict(each) for each in FILE["integers"]]
    integers[0]["domain"] = [[0, 3]]
    for file in (
        changed(statements=stated[:-1]),
        changed(statements=[*stated, stated[0]]),
        changed(statements=stated[::-1]),
        changed(integers=integers),
        changed(booleans=2),
    ):
        with pytest.raises(BROKEN):
            check_statements(file, CNF, PROOF)


@pytest.mark.parametrize("at", range(CNF.count(b"\n") - 1))
def test_a_clause_that_is_left_out_of_the_cnf_and_of_its_proof_is_missed(at):
    cnf, proof = without_clause(TEXT, CNF, PROOF, at)
    with pytest.raises(BROKEN):
        check_statements(TEXT, cnf, proof)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (r"\ndel id 1 2 .*(?=\n)", "", "a variable of the formula"),
        (r"f (\d+) ;", r"f 1\1 ;", "constraints"),
        (r"(?s)(\ndel id 1 2 [^\n]*\n).*(?=output)", r"\1", "derived again"),
    ],
)
def test_a_proof_that_is_cut_short_is_refused(old, new, message):
    proof = re.sub(old, new, PROOF.decode(), count=1).encode()
    assert proof != PROOF
    with pytest.raises(BROKEN, match=message):
        check_statements(TEXT, CNF, proof)


def test_a_boolean_cannot_be_introduced_again_behind_the_turn():
    lines = PROOF.decode().splitlines()
    turn = next(i for i, line in enumerate(lines) if line.startswith("del id 1 2 "))
    lines.insert(turn + 1, "red 1 x1 >= 1 : x1 -> 1 ;")
    with pytest.raises(ProofError, match="maps x1"):
        check_statements(TEXT, CNF, "\n".join(lines).encode())


def test_the_links_are_what_decode_reads():
    checked = check_statements(TEXT, CNF, PROOF)
    assert [(each.name, each.constant) for each in checked.integers] == [(n, 0) for n in "nmk"]
    problem = read_statements(TEXT).problem()
    for each in checked.integers:
        shown = problem.integers[each.name]
        assert {v: w for w, v in each.terms} == dict(zip(shown.lits, shown.weights, strict=True))


def test_what_has_no_proof_is_refused_in_one_line():
    b = Builder()
    b.add(b.integer("n", 0, 5000, encoding="binary") <= 77)
    with pytest.raises(EncodingError, match=r"integer n has no proof in binary .* beyond 4,096"):
        derive_statements(statements_of(b))


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (b"[]", "must be an object"),
        (b"{", "no JSON"),
        (changed(schema="satsweeper/statements/2"), "the schema is"),
        (changed(more=1), "a statements file has"),
        (changed(nodes=[{"literal": 1.5}]), "numbers are integers"),
        (changed(nodes=[{"literal": 2}], statements=[0]), "of no Boolean"),
        (changed(nodes=[{"not": 0}], statements=[]), "a reference to node 0"),
        (changed(nodes=[{"constant": 1}], statements=[0]), "true or false"),
        (changed(nodes=[{"literal": 1, "not": 0}]), "has not the keys"),
        (changed(statements=[99]), "a reference to node 99"),
        (changed(booleans=-1), "the number of Booleans: up to 1,000,000"),
        (changed(integers=[{"name": "n", "domain": [[2, 1]]}]), "ascending"),
        (changed(integers=[{"name": "n", "domain": [[0, 10**9]]}]), "canonical variables"),
        (b'{"schema": 1, "schema": 2}', "twice"),
    ],
)
def test_what_is_no_statements_file_is_refused(file, message):
    with pytest.raises(ProofError, match=message):
        canonical_rows(file)


@pytest.mark.parametrize(
    ("domain", "node"),
    [
        # With one value left this becomes an equation that the file does not state.
        ([[-1, -1]], {"all_different": [0, 0]}),
        ([[-1, -1]], {"all_different": [0]}),
        ([[-1, 4]], {"all_different": [0, 0]}),
        ([[0, 1]], {"all_different": [0, 1]}),
        ([[-1, -1]], {"lexicographic": [[0, 1], [1, 1]]}),
        ([[-1, -1]], {"table": [0], "rows": []}),
    ],
)
def test_relations_that_become_others_have_a_proof(domain, node):
    nodes = [{"integer": 0}, {"literal": 1}, node, {"not": 2}]
    for stated in ([2], [3]):
        file = changed(booleans=1, integers=[{"name": "n", "domain": domain}], nodes=nodes,
                       statements=stated)  # fmt: skip
        assert check_statements(file, *proved(file)[1:]).equivalent


def test_the_negation_of_a_comparison_without_bounds_is_proved_to_be_false():
    nodes = [{"literal": 1}, {"compare": [[1, 0]], "lower": None, "upper": None}, {"not": 1}]
    file = changed(booleans=1, nodes=nodes, statements=[2])
    _, cnf, proof = proved(file)
    assert check_statements(file, cnf, proof).equivalent
    assert cnf.splitlines()[-1] == b"0"


def chain(node, levels):
    """A number of so many levels, which is 2 at least."""
    nodes = [{"integer": 0}, *(node(at) for at in range(levels))]
    last = {"compare": [[1, levels]], "lower": 2, "upper": None}
    domain = [[0, 0], [2, 2]]
    return changed(booleans=0, names={}, integers=[{"name": "n", "domain": domain}],
                   nodes=[*nodes, last], statements=[levels + 1])  # fmt: skip


NESTED = {
    "sums": lambda at: {"sum": [[1, at], [1, max(at - 1, 0)], [-1, 0]], "constant": 0},
    "maxima": lambda at: {"maximum": [at, max(at - 1, 0)]},
    "products": lambda at: {"product": [at, at]},
}


def test_sums_inside_sums_are_read_in_the_time_of_their_leaves():
    # Unfolded the inner sums are as many as the Fibonacci number says, and deeper than Python goes.
    file = chain(NESTED["sums"], 1500)
    _, cnf, proof = proved(chain(NESTED["sums"], 40))
    assert check_statements(chain(NESTED["sums"], 40), cnf, proof).equivalent
    (comparison,) = read_statements(file).statements
    assert isinstance(comparison, Comparison)
    ((inner, _),) = comparison.terms
    assert isinstance(inner, Sum)
    assert [str(each) for each, _ in inner.terms] == ["n"]


@pytest.mark.parametrize("kind", ["maxima", "products"])
@pytest.mark.parametrize("levels", [45, 3000])
def test_products_and_maxima_inside_one_another_are_limited(kind, levels):
    with pytest.raises(EncodingError, match="up to 1,000,000 on 50 levels are read"):
        read_statements(chain(NESTED[kind], levels))


def test_so_many_booleans_are_refused_before_they_are_made():
    with pytest.raises(EncodingError, match="the Booleans: up to 10,000,000 are read"):
        read_statements(changed(booleans=10**400))


LONG = 10**4000
TOO_LONG = {
    "a square of squares": chain(NESTED["products"], 60),
    "sums of sums": chain(lambda at: {"sum": [[10**300, at]], "constant": 1}, 20),
    "a weight": changed(nodes=[{"literal": 1}, {"compare": [[LONG, 0]], "lower": 0, "upper": 1}],
                        statements=[1]),
    "a value": changed(integers=[{"name": "n", "domain": [[0, 0], [LONG, LONG]]}]),
}  # fmt: skip


@pytest.mark.parametrize("what", TOO_LONG)
def test_numbers_that_grow_beyond_4000_digits_are_refused_by_both_readers(what):
    with pytest.raises(ProofError, match=r"of (at most|more than) 4000 digits"):
        canonical_rows(TOO_LONG[what])
    with pytest.raises(WrongCertificateError, match=r"of (at most|more than) 4000 digits"):
        recheck_statements(TOO_LONG[what], CNF, PROOF)
