"""Four-way merge selection networks."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar

from pbcnf.encoders.cardinality.cardinality_network import Selection, SelectionEncoder, kept
from pbcnf.encoders.circuits.networks import Network, Values


@dataclass(frozen=True, slots=True)
class MultiwayNetwork(SelectionEncoder):
    """Columns of the inputs, four at a time, merged at once as far as the bound reaches.

    Idea: the inputs are cut into four columns, and each of these again, down to single inputs. A
    column passes on its k largest values, sorted, as no column may have more than k true inputs; a
    lower bound makes outputs true likewise (`CardinalityNetwork`). Four columns are merged at once:
    the odd places of all four are merged, and the even ones, likewise down to the four values of
    one place, and both results are combined by two comparisons a value. That is half the depth of
    two rounds of merges in pairs. Of the bounds and those of the negated inputs the ones with the
    smaller k are built.

    Auxiliary variables: one for each value of the network that is neither left out nor constant:
    the disjunction (high) or conjunction (low) of the two values that its comparator compares. With
    one bound it is only implied by that, or implies it, and some values have no variable
    (`pbcnf.encoders.circuits.one_directional`); with both it is equivalent.

    Size: by a walk through the network from its outputs (`size`); O(n log(k)^2) variables and
    clauses.

    Propagation: arc-consistent. Parsimonious with two bounds, not with one.

    Reference: Karpinski, Piotrow: Encoding cardinality constraints using multiway merge selection
    networks, Constraints 2019, the 4-odd-even network. There sorters of up to four values are
    clauses between inputs and outputs; here they are comparators, of which those without a
    variable leave such clauses. A lower bound and both bounds in one network are ours.

    >>> from pbcnf import Cardinality, Formula, dimacs, encode
    >>> f = Formula(num_vars=3)
    >>> encode(Cardinality([1, 2, 3], upper=1), f, MultiwayNetwork())
    >>> print(dimacs(f), end="")
    p cnf 4 4
    -1 4 0
    -2 4 0
    -1 -2 0
    -4 -3 0
    """

    name: ClassVar[str] = "multiway_network"

    @staticmethod
    def _bounded(n: int, lower: int, upper: int) -> Network:
        """Return the network for bounds that reach no further than their complement."""
        return bounded(n, lower, upper)


def columns_of(n: int) -> list[range]:
    """Return the places of the at most four columns of n >= 2 values, the last the shortest.

    The others have a power of two of values each.

    >>> columns_of(6), columns_of(3)
    ([range(0, 2), range(2, 4), range(4, 6)], [range(0, 1), range(1, 2), range(2, 3)])
    """
    width = 1 << max((n - 1).bit_length() - 2, 0)
    return [range(start, min(start + width, n)) for start in range(0, n, width)]


@kept
def bounded(n: int, lower: int, upper: int) -> Network:
    """Return the network for non-trivial bounds of n inputs."""
    selection = Selection(n, lower, upper)

    def select(values: Values) -> Values:
        """Return the open outputs of every row."""
        width = values.shape[1]
        if width > 1:
            columns: list[Values] = []
            # Columns of one width are rows of one array.
            for narrow, equal in groupby(columns_of(width), len):
                parts = [*equal]
                outputs = select(values[:, parts[0].start : parts[-1].stop].reshape(-1, narrow))
                outputs = outputs.reshape(len(values), len(parts), outputs.shape[1])
                columns += [outputs[:, i] for i in range(len(parts))]
            values = selection.builder.merge_four(columns)
        # A column has less than half of the inputs, and `lower` is at most half of them: the others
        # can supply it, so that no output of a column is true by the bounds.
        outputs, _ = selection.trim(values, width, 0)
        return outputs

    outputs = select(selection.builder.inputs(0, n))
    return selection.builder.network(outputs[0, :0])
