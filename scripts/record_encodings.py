#!/usr/bin/env python3
"""Puts the clauses of every encoder on record: encodings/pbcnf/audit/recorded.json.

The audit compares every encoding of at most six inputs with it, so that a change which breaks no
claim shows as well. Run this after a change that is meant; --check only tells. Digests of examined
contracts (scripts/bench/encode_contracts.py) are written too, once what has changed passes. For a
change that is to leave all clauses as they are, --against compares many more shapes, also weights,
conditions, groups and live counters of up to thousands of inputs, with another checkout (a minute).

Examples:
  scripts/record_encodings.py --check
  scripts/record_encodings.py --against ../before totalizer "groups"
"""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf import ENCODERS
from pbcnf.audit.bounds import BoundKind, every_bound
from pbcnf.audit.contract import digest, key_of
from pbcnf.emission.dispatch import template
from scripts.bench.encode_contracts import FILE as CONTRACTS
from scripts.bench.encode_contracts import renewed
from scripts.compare_answers import main as compare_answers
from scripts.frame.arguments import parser_of

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "encodings" / "pbcnf" / "audit" / "recorded.json"

UPTO = 6
"""The largest number of inputs on record."""


def digests(name: str) -> dict[str, str]:
    """The digest of what the encoder emits for every bound that it is asked for and expresses."""
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
    """Write the record, or only check it."""
    parser = parser_of(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if it is stale")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare many shapes")
    parser.add_argument("only", nargs="*", help="with --against: how the names of shapes begin")
    arguments = parser.parse_args(argv)
    if arguments.against is not None:
        options = ["--against", str(arguments.against), "--more", "--jobs", "2", "--only"]
        return max(
            compare_answers([*options, f"encode: {only}"]) for only in arguments.only or [""]
        )
    records = {name: digests(name) for name in ENCODERS}
    new = json.dumps(records, indent=0, sort_keys=True) + "\n"
    if not arguments.check:
        FILE.write_text(new, "ascii")
        try:
            contracts = renewed()
        except ValueError as error:
            print(error, file=sys.stderr)
            return 1
        CONTRACTS.write_text(json.dumps(contracts, indent=0) + "\n", "ascii")
        return 0
    if not FILE.exists() or FILE.read_text("ascii") != new:
        print(f"{FILE.name} is stale: run python scripts/record_encodings.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
