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

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf import ENCODERS
from pbcnf.audit.bounds import Bound
from pbcnf.audit.recorded import digest, recordable, to_json
from pbcnf.emission.shape_cache import template
from scripts.bench.encode_contracts import FILE as CONTRACTS
from scripts.bench.encode_contracts import renewed

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "encodings" / "pbcnf" / "audit" / "recorded.json"
DIGESTS = ROOT / "scripts" / "bench" / "encode_digests.py"


def digests(name: str) -> dict[Bound, str]:
    """The digest of what the encoder emits for every bound that it expresses."""
    found = {}
    for bound in recordable():
        try:
            found[bound] = digest(template(name, bound.n, bound.lower, bound.upper).clauses)
        except ValueError:
            continue
    return found


def compare(other: Path, only: Sequence[str]) -> int:
    """Print what differs from the clauses of another checkout, and return the exit code."""
    running = [
        subprocess.Popen(
            [sys.executable, "-P", str(DIGESTS), str(checkout), *only],
            stdout=subprocess.PIPE,
            text=True,
        )
        for checkout in (other, ROOT)
    ]
    before, now = (child.communicate()[0].splitlines() for child in running)
    if any(child.returncode for child in running):
        return 1
    known = set(before)
    different = [line for line in now if line not in known]
    for line in different:
        print(f"differs: {line}")
    missing = len(before) - len(now)
    print(f"{len(now):,} encodings, {len(different)} differ, {missing} more before")
    return 1 if different or missing or not now else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Write the record, or only check it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; 1 if it is stale")
    parser.add_argument("--against", type=Path, metavar="CHECKOUT", help="compare many shapes")
    parser.add_argument("only", nargs="*", help="with --against: how the names of shapes begin")
    arguments = parser.parse_args(argv)
    if arguments.against is not None:
        return compare(arguments.against, arguments.only)
    new = to_json({name: digests(name) for name in ENCODERS})
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
