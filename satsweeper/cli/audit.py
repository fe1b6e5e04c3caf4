"""The encoding contract, computed for every bound of few inputs: ours, and other libraries'.

Encoders of parities (direct, cut_3 to cut_8) are examined on odd and even numbers of true inputs,
the transformations of formulas (tseitin, plaisted_greenbaum) on formulas of up to four inputs.
Of encoders whose bounds can change the counters are examined as well: a third of the inputs counted
and bounded, a third added, a third merged from another counter, then every bound assumed.

correct: an assignment of the inputs extends to a model iff it meets the bounds; detects: unit
propagation finds every conflict, whichever inputs are decided; arc-consistent: and every input
that is forced; parsimonious: exactly one model for every solution; exact size: as many variables,
clauses and literals as predicted. Every "no" has its first counter-example, as literals of the
inputs. The exit code is 1 if an encoder of ours (pbcnf_pysat: under PySAT's names), or MODULE:NAME,
does not keep what it claims.

MODULE:NAME is an encoder of your own, its module in this folder or wherever Python looks: an object
or class as docs/add_an_encoder.md shows it, or a function (n, lower, upper) -> (variables, clauses)
with the inputs 1 .. n and auxiliary variables up to ``variables``, which claims to be correct.

--json prints {"schema": "satsweeper/audit/1", "n", "kept", "encoders": [{"encoder", "library",
"version", "bounds": [{"kind", "cases", "refused", "properties": {NAME: {"holds", "failures",
"first"}}}], "breaches": [...], "stronger": {NAME: cases}}]}. "holds" is null where nothing was
judged; "first" and the breaches are {"n", "lower", "upper", "problem", "inputs", "literal"}, with
"weights" for a weighted sum, "counter": true for a counter, "odd" instead of bounds for a parity,
"formula" for a formula; "stronger" counts the cases with a property that is not claimed.
"""

import argparse
from typing import Final

from satsweeper.cli.exit_codes import DONE, FAILED, UsageError, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.options import COLOR, JSON, natural, option, timeout

EXAMPLE = """examples:
  satsweeper audit totalizer --n 5
  satsweeper audit direct cut_4 pysat:kmtotalizer --n 4
  satsweeper audit totalizer --n 4 --against pysat --json
"""


OPTIONS: Final = (
    option("encoders ENCODER", "a name, LIBRARY:NAME or MODULE:NAME (all of ours)", nargs="*"),
    option("--n N", "up to this many inputs, at most 8 (7)", type=natural("number of inputs", 1),
           default=7),
    option("--against LIBRARIES", "also every encoder of these: pysat, pindakaas, rustsat, pypblib,"
           " or ours under PySAT's names: pbcnf_pysat; with commas", default=""),
    COLOR,
    timeout("give up then (exit code 124)"),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """Audit and print; return the exit code, 1 if one of our encoders breaks its claims."""
    from pbcnf.audit import MAX_INPUTS
    from satsweeper.peers.audit import as_json, audit, broken, subjects, work
    from satsweeper.show.progress import progress

    upto = arguments.n
    if upto > MAX_INPUTS:
        raise UsageError(f"--n {upto} is not between 1 and {MAX_INPUTS}")
    with usage_errors():
        chosen = subjects(arguments.encoders, list(filter(None, arguments.against.split(","))))
    with progress("audit", work(chosen, upto)) as advance:
        audited = audit(chosen, upto, advance)
    if arguments.json:
        print_json(as_json(upto, audited))
    else:
        from satsweeper.show.contracts import show_contracts
        from satsweeper.show.terminal import console_for

        show_contracts(audited, console_for(arguments.color))
    return FAILED if any(broken(*each) for each in audited) else DONE
