"""Changed proofs: whatever the checker still accepts extends every model of the formula."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from random import Random

import numpy as np
import pytest

from pbcnf import Cardinality
from pbcnf.derivation import VERSIONS
from pbcnf.proof.cutting_planes import Inequality, ProofError, check_proof
from tests.checker.mutated import mutated
from tests.pbcnf.derivation.derived import derived, written
from tests.pbcnf.derivation.derived import opb as text_of

CASES = [
    ("direct", 4, 1, 2), ("direct", 4, 2, 4), ("direct", 3, 1, 1),
    ("totalizer", 4, 0, 1), ("totalizer", 4, 2, 2), ("totalizer", 5, 0, 2),
    ("sequential_counter", 3, 0, 1), ("sequential_counter", 4, 2, 4),
    ("sequential_counter", 4, 1, 2),
]  # fmt: skip


def opb(n: int, lower: int, upper: int) -> bytes:
    return text_of(Cardinality(range(1, n + 1), lower, upper), n)


def proof_of(encoder: str, n: int, lower: int, upper: int, version: str = "3.0") -> str:
    derivation, _ = derived(Cardinality(range(1, n + 1), lower, upper), encoder, n)
    return written(derivation, version).decode()


def extends(n: int, lower: int, upper: int, derived: Mapping[int, Inequality]) -> bool:
    """Whether all inputs with a right sum extend to a model of all that was derived.

    A truth table over the inputs and whatever else is mentioned; it knows no encoding.
    """
    used = {abs(lit) for found in derived.values() for lit in found.terms}
    names = [*range(1, n + 1), *sorted(used - set(range(1, n + 1)))]
    assert len(names) <= 14
    table = np.indices((2,) * len(names)).reshape(len(names), -1)
    fine = np.ones(table.shape[1], dtype=bool)
    place = {var: row for row, var in enumerate(names)}
    for terms, degree in derived.values():
        value = np.zeros(table.shape[1], dtype=np.int64)
        for lit, weight in terms.items():
            row = table[place[abs(lit)]]
            value += weight * (row if lit > 0 else 1 - row)
        fine &= value >= degree
    number = table[:n].sum(axis=0)
    right = ((number >= lower) & (number <= upper)).reshape(2**n, -1).any(axis=1)
    return bool((~right | fine.reshape(2**n, -1).any(axis=1)).all())


@pytest.mark.parametrize(("encoder", "n", "lower", "upper"), CASES)
@pytest.mark.parametrize("version", VERSIONS)
def test_every_accepted_mutation_derives_only_what_follows(encoder, n, lower, upper, version):
    random = Random(f"{encoder} {n} {lower} {upper} {version}")
    formula, proof = opb(n, lower, upper), proof_of(encoder, n, lower, upper, version)
    assert extends(n, lower, upper, check_proof(formula, proof.encode()).constraints)
    accepted = rejected = 0
    for _ in range(250):
        lines = mutated(proof.splitlines(), random)
        if random.random() < 0.3 and len(lines) > 1:
            lines = mutated(lines, random)
        text = "\n".join([*lines, ""])
        if text == proof:
            continue
        try:
            found = check_proof(formula, text.encode())
        except ProofError:
            rejected += 1
        else:
            accepted += 1
            assert extends(n, lower, upper, found.constraints), text
    assert accepted >= 3
    assert rejected >= 50


@pytest.mark.parametrize("encoder", ["direct", "totalizer", "sequential_counter"])
def test_the_proof_of_other_bounds_is_accepted_only_if_it_follows(encoder) -> None:
    accepted = 0
    every = [(lower, upper) for lower, upper in product(range(5), repeat=2) if lower <= upper]
    for bounds, others in product(every, repeat=2):
        try:
            found = check_proof(opb(4, *others), proof_of(encoder, 4, *bounds).encode())
        except ProofError:
            assert bounds != others
        else:
            accepted += bounds != others
            assert extends(4, *others, found.constraints)
    assert accepted > 0


def random_line(random: Random, last: int) -> str:
    def terms(variables: range) -> str:
        chosen = random.sample(variables, random.randint(1, 4))
        return " ".join(
            f"{random.choice([1, 1, 1, 2, 3, -1])} {random.choice(['', '~'])}x{var}"
            for var in chosen
        )

    number = random.randint(1, last)
    match random.randrange(8):
        case 0:
            return f"pol {number} {random.randint(1, last)} + {random.choice(['', 's', '2 d'])} ;"
        case 1:
            return f"pol {number} {random.randint(1, 3)} * ~x{random.randint(1, 6)} + s ;"
        case 2:
            return f"pol {number} x{random.randint(1, 6)} w {random.randint(1, 3)} d ;"
        case 3:
            return f"del id {number} ;"
        case 4 | 5:
            hint = random.choice(["", f" : ~ {number} {random.randint(1, last)}"])
            return f"rup {terms(range(1, 7))} >= {random.randint(-1, 3)}{hint} ;"
        case _:
            own, value = random.randint(4, 7), random.choice(["0", "1", "x1", "~x2", "x6", "~x7"])
            sign = random.choice(["", "~"])
            rest = terms(range(1, 8))
            return f"red {random.randint(1, 3)} {sign}x{own} {rest} >= 1 : x{own} -> {value} ;"


def test_lines_at_random_never_derive_what_does_not_follow() -> None:
    random = Random(11)
    foot = "output NONE ;\nconclusion NONE ;\nend pseudo-Boolean proof ;\n"
    kept = dict.fromkeys(["pol", "rup", "red", "del"], 0)
    for _ in range(120):
        n = random.randint(3, 5)
        lower, upper = sorted(random.choices(range(n + 1), k=2))
        formula, lines, last = opb(n, lower, upper), ["pseudo-Boolean proof version 3.0"], 2
        for _ in range(25):
            line = random_line(random, last)
            text = "\n".join([*lines, line, foot])
            try:
                found = check_proof(formula, text.encode())
            except ProofError:
                continue
            lines.append(line)
            kept[line.split()[0]] += 1
            last += not line.startswith("del")
            assert extends(n, lower, upper, found.constraints), text
    assert min(kept.values()) >= 20, kept
