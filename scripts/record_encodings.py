#!/usr/bin/env python3
"""Puts the clauses of every encoder on record: encodings/pbcnf/audit/recorded.json.

The audit compares every encoding of at most six inputs with it, so that a change which breaks no
claim shows as well. Run this after a change that is meant; --check only tells. Digests of examined
contracts (tests/pbcnf/encoders/contracts.json) are written too, once what has changed passes: to
examine an encoder takes seconds, so the tests examine only encoders whose digest is not on record.
For a change that is to leave all clauses as they are, --against compares many more shapes, also
weights, conditions, groups and live counters of up to thousands of inputs, with another checkout
(a minute).

Examples:
  scripts/record_encodings.py --check
  scripts/record_encodings.py --against ../before totalizer "groups"
"""

import json
import sys
from array import array
from collections.abc import Sequence
from hashlib import blake2s
from itertools import chain
from pathlib import Path
from typing import Final
from unittest.mock import patch

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import ENCODERS
from pbcnf.audit import Audit, BoundKind, Property
from pbcnf.audit.bounds import every_bound
from pbcnf.audit.contract import Contract, cases, digest, key_of
from pbcnf.emission.dispatch import template
from scripts.compare_answers import main as compare_answers
from scripts.frame.arguments import parser_of

ROOT: Final = Path(__file__).resolve().parents[1]
FILE: Final = ROOT / "encodings" / "pbcnf" / "audit" / "recorded.json"
CONTRACTS: Final = ROOT / "tests" / "pbcnf" / "encoders" / "contracts.json"
UPTO: Final = 6
"""Largest number of inputs of the encodings that are examined and recorded."""


def on_record() -> dict[str, str]:
    """Return the digest of each encoder that was examined and found without fault."""
    return dict(json.loads(CONTRACTS.read_text("ascii")))


def digest_of(name: str) -> str:
    """Return a digest of the clauses, sizes and claims of an encoder, its counters included."""
    digest = blake2s(digest_size=16)

    # The audit emits its clauses into the digest, without examining them.
    def audit_clauses(clauses: Sequence[Sequence[int]], *details: object) -> Audit:
        digest.update(array("i", chain.from_iterable((*clause, 0) for clause in clauses)).tobytes())
        digest.update(repr(details).encode())
        return Audit(None, frozenset(), {})

    with (
        patch("pbcnf.audit.contract.audit_clauses", audit_clauses),
        patch("pbcnf.audit.bounds.audit_clauses", audit_clauses),
        patch("pbcnf.audit.grouped.audit_truth", audit_clauses),
    ):
        for case in cases(name, UPTO):
            claims = sorted(prop.value for prop in case.claims)
            found = None if case.audit is None else [*map(str, case.audit.failures.items())]
            digest.update(f"{case.bound}: {claims} {found}\n".encode())
    return digest.hexdigest()


def faults_of(name: str) -> list[str]:
    """Examine an encoder on every bound; return its claims that do not hold or are too weak."""
    contract = Contract(name, UPTO, tuple(cases(name, UPTO)))
    found = [f"{case.bound}, {prop.value}: {why}" for case, prop, why in contract.breaches()]
    for case in contract.stronger().get(Property.PARSIMONIOUS, []):
        # Binary merges claim no parsimony for "exactly k": with up to 6 inputs they are
        # parsimonious, but with 9 inputs they are not.
        excused = name.startswith("binary_merge") and case.bound.kind is BoundKind.EXACTLY
        if not (excused or getattr(case.bound, "weighted", False)):
            found.append(f"{case.bound}, parsimonious: not claimed")
    return found


def digests(name: str) -> dict[str, str]:
    """Return a digest of the clauses of an encoder for every bound that it expresses.

    Bounds that are settled without an encoder are left out.
    """
    found = {}
    for bound in every_bound(UPTO):
        if bound.kind in (BoundKind.TRIVIAL, BoundKind.OUT_OF_RANGE):
            continue
        try:
            clauses = template(name, bound.n, bound.lower, bound.upper).clauses
        except ValueError:
            continue
        found[key_of(bound)] = digest(clauses)
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Write the record, only check it, or compare encodings; return the exit code."""
    parser = parser_of(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if it is stale")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare many shapes")
    parser.add_argument("only", nargs="*", help="with --against: how the names of shapes begin")
    arguments = parser.parse_args(argv)
    if arguments.against is not None:
        options = ["--against", str(arguments.against), "--more", "--jobs", "2", "--only"]
        shapes = [f"encode: {only}" for only in arguments.only or [""]]
        return max(compare_answers([*options, each]) for each in shapes)
    records = {name: digests(name) for name in ENCODERS}
    new = json.dumps(records, indent=0, sort_keys=True) + "\n"
    if not arguments.check:
        FILE.write_text(new, "ascii")
        known, now = on_record(), {name: digest_of(name) for name in ENCODERS}
        for name in ENCODERS:
            # Only encoders whose digest is not on record are examined.
            if known.get(name) != now[name] and (faults := faults_of(name)):
                print(f"{name}: {faults[0]}", file=sys.stderr)
                return 1
        CONTRACTS.write_text(json.dumps(now, indent=0) + "\n", "ascii")
        return 0
    if not FILE.exists() or FILE.read_text("ascii") != new:
        print(f"{FILE.name} is stale: run python scripts/record_encodings.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
