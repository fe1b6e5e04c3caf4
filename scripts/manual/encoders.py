"""Pages of the manual on encoders: drawing, contract, sizes and docstring of each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pbcnf import (
    ENCODERS,
    PARITY_ENCODERS,
    Cardinality,
    EncodingError,
    EncodingSize,
    Formula,
    Parity,
    PseudoBoolean,
    encode,
)
from pbcnf.constraints.constraint import Constraint
from pbcnf.encoders.protocol import ParityEncoder, takes_weights
from pbcnf.show.drawing import Drawing, draw
from pbcnf.show.svg import svg
from satsweeper.report.table import markdown_table

MOST_CLAUSES: Final = 20_000
"""Larger encodings are predicted, not made."""
BOUNDS: Final = {
    "at most 1 of 8": (8, 0, 1),
    "at most 2 of 8": (8, 0, 2),
    "exactly 4 of 8": (8, 4, 4),
    "3 to 5 of 8": (8, 3, 5),
    "at most 1 of 100": (100, 0, 1),
    "at most 10 of 100": (100, 0, 10),
    "at least 10 of 100": (100, 10, 100),
    "exactly 50 of 100": (100, 50, 50),
}
"""Title of a cardinality constraint -> inputs and bounds."""
WEIGHTS: Final = {
    "weights 1 to 10: at most 20": (tuple(range(1, 11)), 0, 20),
    "weights 1 to 10: from 20 to 30": (tuple(range(1, 11)), 20, 30),
    "20 weights up to 50: at most 255": (tuple(7 * i % 50 + 1 for i in range(20)), 0, 255),
}
"""Title of a weighted sum -> weights and bounds."""
PARITIES: Final = (4, 8, 20, 100)


def table(encoder: Any) -> str:
    """Auxiliary variables, clauses and literals of everything above that the encoder expresses."""
    rows = []
    for title, constraint in _constraints(encoder):
        try:
            size, star = measured(encoder, constraint)
        except EncodingError:
            continue
        numbers = (size.variables, size.clauses, size.literals)
        texts = [f"{n:,}" if n < 10**9 else f"{n:.1e}".replace("e+", "e") for n in numbers]
        rows.append([f"{title}{star}", *texts])
    heads = ("", "auxiliary variables", "clauses", "literals")
    text = markdown_table(heads, rows, range(1, 4)) + "\n"
    predicted = "\n\\* Predicted: it is too large to be made for this page.\n"
    return text + predicted if "\\*" in text else text


def _constraints(encoder: Any) -> Iterator[tuple[str, Constraint]]:
    if isinstance(encoder, ParityEncoder):
        for n in PARITIES:
            yield f"parity of {n}", Parity(range(1, n + 1), odd=True)
        return
    for title, (n, lower, upper) in BOUNDS.items():
        yield title, Cardinality(range(1, n + 1), lower, upper)
    if takes_weights(encoder):
        for title, (weights, lower, upper) in WEIGHTS.items():
            yield title, PseudoBoolean(range(1, len(weights) + 1), weights, lower, upper)


def measured(encoder: Any, constraint: Constraint) -> tuple[EncodingSize, str]:
    """Return the size of a constraint, and a star if the size is predicted.

    Raises EncodingError for what the encoder does not express.
    """
    n = len(constraint.lits)
    if isinstance(constraint, Cardinality):
        size = encoder.size(n, constraint.lower, constraint.upper)
        if size.clauses > MOST_CLAUSES:
            return size, " \\*"
    formula = Formula(num_vars=n)
    encode(constraint, formula, encoder)
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals), ""


ROOT = Path(__file__).resolve().parents[2]
FAMILIES: Final = {
    "at_most_one": "At most one",
    "cardinality": "Counts",
    "pseudo_boolean": "Weighted sums",
    "parity": "Parities",
}
"""Folder of encoders -> their purpose."""
_DRAWN: Final = {
    "at_most_one": ((1,) * 8, 0, 1),
    "cardinality": ((1,) * 6, 0, 2),
    "pseudo_boolean": ((5, 3, 2, 1), 0, 6),
}
"""Folder -> weights and bounds of the drawing."""
_INDEX = """# Encoders

Each on a page of its own: what it emits, drawn; what it promises; how large it is; how it works,
and who published it. Which to choose: [the toolkit](../toolkit.md#how-to-choose), which has
[the contract](../toolkit.md#the-contract) of all in one table. Measured with solvers:
[encodings compared](../encodings.md).
"""
_PROMISES = """## Promises

| bounds | correct | detects | arc-consistent | parsimonious | exact size |
| --- | --- | --- | --- | --- | --- |
| {row} |

Computed for every bound of at most six inputs; what the words mean:
[the contract](../toolkit.md#the-contract). `satsweeper audit {name}` computes it again.
"""


def write(into: Path) -> None:
    """Write all pages and drawings, and the index of them."""
    promises = contract()
    rows: dict[str, list[str]] = {folder: [] for folder in FAMILIES}
    for name, encoder in encoders().items():
        drawn = drawing(name, encoder)
        (into / f"{name}.svg").write_text(svg(drawn), "utf-8")
        (into / f"{name}.md").write_text(page(name, encoder, drawn, promises.get(name)), "utf-8")
        rows[_folder(encoder)].append(f"| [`{name}`]({name}.md) | {summary(encoder)} |\n")
    (into / "index.md").write_text(index(rows), "utf-8")


def encoders() -> dict[str, Any]:
    """All encoders by the names of their pages; the widths of `CutParity` share one."""
    parities = {f"parity_{name}": PARITY_ENCODERS[name] for name in ("direct", "cut_4")}
    return {**ENCODERS, **parities}


def index(rows: dict[str, list[str]]) -> str:
    """Return the index page, by purpose."""
    parts = [_INDEX]
    for folder, title in FAMILIES.items():
        parts.append(f"\n## {title}\n\n| encoder | in a sentence |\n| --- | --- |\n")
        parts += rows[folder]
    names = "\n".join(encoders())
    return "".join([*parts, f"\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"])


def _folder(encoder: Any) -> str:
    """The part of the module's name that says what an encoder is for."""
    return next(part for part in type(encoder).__module__.split(".") if part in FAMILIES)


def summary(encoder: Any) -> str:
    """The first sentence of its docstring."""
    return str(type(encoder).__doc__).partition("\n")[0]


def contract() -> dict[str, str]:
    """Encoder -> its row of the computed table in encodings/README.md, without the name."""
    text = (ROOT / "encodings/README.md").read_text("utf-8")
    rows_text = text.partition("<!-- contract table:")[2].partition("<!-- end of")[0]
    rows = [row.strip("| ").partition(" | ") for row in rows_text.splitlines()]
    return {name.strip("`"): rest for name, _, rest in rows if name.startswith("`")}


def drawing(name: str, encoder: Any) -> Drawing:
    """Return a drawing of an encoding of few inputs."""
    if name in ENCODERS:
        return draw(name, *_DRAWN[_folder(encoder)])
    inputs = 4 if name == "parity_direct" else 7
    formula = Formula(num_vars=inputs)
    encode(Parity(range(1, inputs + 1), odd=True), formula, encoder)
    title = f"{encoder.name}: the parity of x1, …, x{inputs} is odd"
    return Drawing(title, (1,) * inputs, formula.num_vars, tuple(formula.tuples()))


def page(name: str, encoder: Any, drawn: Drawing, promises: str | None) -> str:
    """The page as Markdown; its last part is the docstring of the class."""
    own = type(encoder)
    shown = f"{drawn.title}: {drawn.sizes}"
    image = f"```{{image}} {name}.svg\n:alt: {shown}\n:target: ../_images/{name}.svg\n```"
    parts = [f"# {name}\n\n{summary(encoder)}\n\n{image}\n\n*{shown}.*{_command(name, encoder)}"]
    if promises is not None:
        parts.append(_PROMISES.format(row=promises, name=name))
    parts.append(f"## Sizes\n\n{table(encoder)}")
    full = f".. autoclass:: {own.__module__}.{own.__qualname__}"
    full += "\n   :members:\n   :inherited-members:"
    parts.append(f"## In full\n\n```{{eval-rst}}\n{full}\n```\n")
    return "\n".join(parts)


def _command(name: str, encoder: Any) -> str:
    """Return the command that draws the encoder under different bounds."""
    if name not in ENCODERS:
        return "\n"
    weights, _, upper = _DRAWN[_folder(encoder)]
    plain = max(weights) == 1
    given = f"--n {len(weights)}" if plain else f"--weights {','.join(map(str, weights))}"
    command = f"python scripts/draw_encoding.py {name} {given} --upper {upper} -o {name}.svg"
    return f" Made by:\n\n```shell\n{command}\n```\n"
