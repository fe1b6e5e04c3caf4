"""The content of a drawing of an encoding: variables, clauses, depths; and its text in DOT."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.emission.encode import encode
from pbcnf.formula import Formula
from pbcnf.shown import Drawn
from pbcnf.wording import counted


@dataclass(frozen=True)
class Drawing(Drawn):
    """An encoding over the variables 1 .. num_vars, the inputs first."""

    title: str
    weights: tuple[int, ...]
    num_vars: int
    clauses: tuple[tuple[int, ...], ...]

    @property
    def inputs(self) -> int:
        """The number of input variables."""
        return len(self.weights)

    @property
    def sizes(self) -> str:
        """The sizes in words."""
        widths = [len(clause) for clause in self.clauses]
        by_width = ", ".join(f"{widths.count(w)} of width {w}" for w in sorted(set(widths)))
        numbers = (
            counted(self.inputs, "input"),
            counted(self.num_vars - self.inputs, "auxiliary variable"),
            counted(len(widths), "clause"),
        )
        return ", ".join(numbers) + (f" ({by_width})" if by_width else "")

    def label(self, variable: int) -> str:
        """Return x1, x2 ... for inputs (with weights unless all are 1), a<number> otherwise."""
        if variable > self.inputs:
            return f"a{variable}"
        weight = self.weights[variable - 1]
        return f"x{variable}" if max(self.weights) == 1 else f"{weight}·x{variable}"

    def text(self, clause: Sequence[int]) -> str:
        """Return a clause as an implication in words."""
        if_all = " and ".join(self.label(-lit) for lit in clause if lit < 0)
        then_one = " or ".join(self.label(lit) for lit in clause if lit > 0)
        return f"{if_all or 'always'} → {then_one or 'never'}"

    @cached_property
    def meanings(self) -> dict[int, str]:
        """Auxiliary variable -> what it means of the inputs, in words, where that is simple."""
        from pbcnf.show.meanings import meanings

        return meanings(self.weights, self.num_vars, self.clauses)

    @cached_property
    def depth(self) -> dict[int, int]:
        """Variable -> the longest chain of clauses from an input to it; inputs are at 0.

        A clause leads to one of its variables: the one with the largest distance from the inputs
        and, at equal distance, the largest number. Ranks by distance and number rise along a chain,
        so there are no cycles, even with both directions of an equivalence.
        """
        rank = {v: (distance, v) for v, distance in self._distances().items()}
        leading: dict[int, set[int]] = {v: set() for v in rank}
        for clause in self.clauses:
            variables = [abs(lit) for lit in clause]
            if variables:
                last = max(variables, key=rank.__getitem__)
                leading[last].update(v for v in variables if v != last)
        found: dict[int, int] = {}
        for v in sorted(rank, key=rank.__getitem__):
            before = [found[u] for u in leading[v]]
            found[v] = 0 if v <= self.inputs else 1 + max(before, default=0)
        return found

    def _distances(self) -> dict[int, int]:
        """Return each variable's distance from the inputs in clauses; unreachable: the maximum."""
        found = dict.fromkeys(range(1, self.inputs + 1), 0)
        left = [{abs(lit) for lit in clause} for clause in self.clauses]
        for distance in count(1):
            reached = [v for v in left if not v.isdisjoint(found)]
            new = {v: distance for variables in reached for v in variables if v not in found}
            left = [v for v in left if not v <= found.keys() | new.keys()]
            if not new:
                return dict.fromkeys(range(1, self.num_vars + 1), distance) | found
            found |= new
        raise AssertionError


def draw(
    encoder: str, weights: int | Sequence[int], lower: int = 0, upper: int | None = None
) -> Drawing:
    """Encode ``lower <= sum <= upper`` of inputs with `weights`, and return a drawing.

    `weights` may be the number of inputs, of weight 1 each; without `upper` there is no upper
    bound. In a notebook the drawing shows itself; `pbcnf.show.as_svg` gives it as text.

    Raises ValueError for an unknown encoder and for bounds or weights that the encoder cannot
    express.

    >>> print(draw("totalizer", 4, upper=1))
    totalizer: x1 + ... + x4 <= 1
    4 inputs, 4 auxiliary variables, 9 clauses (2 of width 1, 5 of width 2, 2 of width 3)
    """
    weights = (1,) * weights if isinstance(weights, int) else tuple(weights)
    total = sum(weights)
    upper = total if upper is None else upper
    n = len(weights)
    inputs = range(1, n + 1)
    formula = Formula(num_vars=n)
    plain = all(weight == 1 for weight in weights)
    constraint = (
        Cardinality(inputs, lower, upper) if plain else PseudoBoolean(inputs, weights, lower, upper)
    )
    encode(constraint, formula, encoder)
    bounds = [f"{lower} ≤ "] * (lower > 0), [f" ≤ {upper}"] * (upper < total)
    terms = f"x1 + … + x{n}" if plain else " + ".join(f"{w}·x{v}" for v, w in enumerate(weights, 1))
    if len(terms) > 60:
        terms = counted(n, "weighted input")
    title = f"{encoder}: {''.join(bounds[0])}{terms}{''.join(bounds[1])}"
    return Drawing(title, weights, formula.num_vars, tuple(map(tuple, formula.clauses())))


def dot(drawing: Drawing) -> str:
    """Return the drawing in DOT; c and the index of a clause is the id of its edge or node."""
    lines = [
        "digraph encoding {",
        f'  label="{drawing.title}\\n{drawing.sizes}"; labelloc=t; rankdir=LR;',
        '  node [fontname="sans-serif", fontsize=11]; edge [dir=both, arrowsize=0.6];',
        "  { rank=same;",
    ]
    lines += [f"    {_variable(drawing, v, 'box')}" for v in range(1, drawing.inputs + 1)]
    lines.append("  }")
    auxiliaries = range(drawing.inputs + 1, drawing.num_vars + 1)
    lines += [f"  {_variable(drawing, v, 'ellipse')}" for v in auxiliaries]
    for index, clause in enumerate(drawing.clauses):
        about = f'id="c{index}", tooltip="{drawing.text(clause)}"'
        if len(clause) == 2:
            # From the lesser variable, so that the layers grow from the inputs.
            tail, head = sorted(clause, key=abs)
            marks = f"arrowtail={_mark(tail)}, arrowhead={_mark(head)}"
            lines.append(f"  v{abs(tail)} -> v{abs(head)} [{marks}, {about}];")
            continue
        lines.append(f'  c{index} [shape=square, label="", width=0.1, style=filled, {about}];')
        last = max(map(abs, clause), default=0)
        for lit in clause:
            if abs(lit) == last and len(clause) > 1:
                lines.append(f"  c{index} -> v{last} [arrowtail=none, arrowhead={_mark(lit)}];")
            else:
                ends = f"arrowtail={_mark(lit)}, arrowhead=none"
                lines.append(f"  v{abs(lit)} -> c{index} [{ends}];")
    return "\n".join([*lines, "}", ""])


def _variable(drawing: Drawing, variable: int, shape: str) -> str:
    return f'v{variable} [label="{drawing.label(variable)}", shape={shape}];'


def _mark(lit: int) -> str:
    return "normal" if lit > 0 else "odot"
