"""Writes docs/gallery.md from the models in examples/gallery: one section a model, code and answer.

Run it after a model has changed; a test holds the page to the files.
"""

import argparse
import io
import runpy
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).parents[1]
HEAD = """# Gallery

Classic models in [the language of `pbcnf`](language.md), each in at most 25 lines. The files are in
`examples/gallery/`, and their answers are checked by the tests. `python scripts/write_gallery.py`
writes this page.

"""


def main() -> None:
    """Run every model and write the page."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    files = sorted((ROOT / "examples" / "gallery").glob("*.py"))
    links, sections = [], []
    for path in files:
        source = path.read_text("utf-8")
        says = source.partition('"""')[2].partition('"""')[0]
        with redirect_stdout(io.StringIO()) as printed:
            runpy.run_path(str(path))
        links.append(f"* [{path.stem}](#{path.stem}): {says}")
        shown = f"```python\n{source}```\n\nprints\n\n```text\n{printed.getvalue()}```"
        sections.append(f"## {path.stem}\n\n{shown}\n")
    page = HEAD + "\n".join(links) + "\n\n" + "\n".join(sections)
    (ROOT / "docs" / "gallery.md").write_text(page, "utf-8")


if __name__ == "__main__":
    main()
