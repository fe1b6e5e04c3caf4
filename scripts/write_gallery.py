"""Writes docs/gallery.md and a page in docs/gallery for each model in examples/gallery.

A page has the model, what it prints, and the size of its clauses. With ``--statements FOLDER``
each model is written to that folder as a statements file instead, from which it can be proved.
Run it after a model or the rule that chooses encoders has changed; a test holds the pages to the
models.
"""

import argparse
import ast
import io
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple, cast

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.language import Builder, write_statements

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "examples" / "gallery"
DOCS = ROOT / "docs"
INDEX = """# Gallery

Classic models in [the language of `pbcnf`](language.md), each in at most 25 lines, on a page of its
own with what it prints. The files are in `examples/gallery/`, and their answers are checked by the
tests. `python scripts/write_gallery.py` writes these pages. Variables and clauses are those of the
constraints by default; where there are none, the model is made for several sizes.

## Models

| model | what it asks | variables | clauses |
| --- | --- | --- | --- |
"""


class Model(NamedTuple):
    """A problem of the gallery, ready for the page."""

    name: str
    source: str
    printed: str
    size: tuple[int, int] | None
    """Numbers of variables and clauses; None if the model has no builder named `b`."""

    @property
    def title(self) -> str:
        """The name of the model as a heading."""
        return self.name.replace("_", " ").capitalize()


def read(path: Path) -> Model:
    """Run the model in the file ``path``, and return it with its output."""
    with redirect_stdout(io.StringIO()) as printed:
        names = runpy.run_path(str(path))
    size, source = None, path.read_text("utf-8")
    if isinstance(names.get("b"), Builder):
        formula = names["b"].formula()
        size = formula.num_vars, formula.num_clauses
    return Model(path.stem, source, printed.getvalue(), size)


def builder_of(path: Path) -> Builder:
    """Run the model in the file ``path``; return its builder, the largest one it makes."""
    made: list[Builder] = []
    first = Builder.__init__

    def noted(self: Builder, *arguments: Any) -> None:
        first(self, *arguments)
        made.append(self)

    Builder.__init__ = noted  # type: ignore[method-assign, assignment]
    try:
        with redirect_stdout(io.StringIO()):
            names = runpy.run_path(str(path))
    finally:
        Builder.__init__ = first  # type: ignore[method-assign]
    if isinstance(names.get("b"), Builder):
        return cast("Builder", names["b"])
    return max(made, key=lambda each: len(each.names) + len(each.integer_variables()))


def row(model: Model) -> str:
    """Return the row of a model in the index."""
    variables, clauses = model.size or ("", "")
    says = ast.get_docstring(ast.parse(model.source)) or ""
    return f"| [{model.title}](gallery/{model.name}.md) | {says} | {variables} | {clauses} |\n"


def head(model: Model) -> str:
    """Return the page of a model up to its output."""
    return f"# {model.title}\n\n```python\n{model.source}```\n"


def foot(model: Model) -> str:
    """Return the page of a model after its output."""
    imports = [n for n in ast.parse(model.source).body if isinstance(n, ast.ImportFrom)]
    ours = [n for n in imports if str(n.module).startswith("pbcnf")]
    words = [f"`{name.name}`" for n in ours for name in n.names]
    return (
        ("{} variables and {} clauses by default.\n".format(*model.size) if model.size else "")
        + f"From [the language](../language.md): {', '.join(words)}.\n"
        + f"The file is `examples/gallery/{model.name}.py`. [All models](../gallery.md).\n"
    )


def main() -> None:
    """Run every model and write the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=Path, metavar="FOLDER")
    folder = parser.parse_args().statements
    if folder is not None:
        folder.mkdir(exist_ok=True)
        for path in sorted(MODELS.glob("*.py")):
            with open(folder / f"{path.stem}.json", "wb") as stream:
                write_statements(builder_of(path), stream)
        return
    models = [read(path) for path in sorted(MODELS.glob("*.py"))]
    (DOCS / "gallery.md").write_text(INDEX + "".join(map(row, models)), "utf-8")
    (DOCS / "gallery").mkdir(exist_ok=True)
    for model in models:
        page = f"{head(model)}\nprints\n\n```text\n{model.printed}```\n\n{foot(model)}"
        (DOCS / "gallery" / f"{model.name}.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
