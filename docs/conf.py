"""How Sphinx builds the manual; ``scripts/docs`` gathers its pages in ``build/docs`` first."""

import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

from pbcnf.palette import DARK, LIGHT
from satsweeper.version import __version__
from scripts.manual.names import documented

project = "SatSweeper"
author = copyright = "The SatSweeper developers"
version = release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
# Prompts, and what a command or Python answers, are not copied.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
html_theme = "furo"
html_title = f"SatSweeper {version}"
html_show_sourcelink = False
html_copy_source = False
html_static_path = [str(Path(__file__).resolve().parent / "static")]
html_css_files = ["manual.css"]
html_favicon = str(Path(__file__).resolve().parents[1] / "page" / "icon.svg")
html_theme_options = {
    f"{scheme}_css_variables": {
        f"color-brand-{what}": theme.accent for what in ("primary", "content", "visited")
    }
    for scheme, theme in (("light", LIGHT), ("dark", DARK))
}

# Links between pages name headings as hosting pages do.
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
add_module_names = True
default_role = "py:obj"
nitpicky = True
# What stands in signatures and is not ours has its manual elsewhere; prose names parameters too.
nitpick_ignore_regex = [
    ("py:(?!obj).*", r"(?!pbcnf\.|satsweeper\.).*"),
    ("py:obj", ".*"),
    # Variables of types.
    ("py:class", r".*\.[A-Z]"),
    # A builder makes encodings: the outputs that it hands them are not public.
    ("py:class", r"pbcnf\.language\.output\..*"),
    # A session holds live solvers, which are not public.
    ("py:class", r"satsweeper\.solvers\.protocol\.LiveSolver"),
]
# A signature says no module where its types are imported for the checker alone.
suppress_warnings = ["ref.python"]


def _by_home(app: Any, env: Any, node: Any, content: Any) -> Any:
    """A name by the module that defines it is the one of the face that shows it."""
    face = documented().get(node.get("reftarget"))
    if node.get("refdomain") != "py" or face is None:
        return None
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", face, node, content)


_PART = re.compile(r"^((?:Idea|Auxiliary variables|Size|Propagation|Reference)\b[^:]{0,60}): ")


def _as_markup(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Google's sections become fields, and the parts of an encoder's docstring stand out."""
    # The extension itself takes whatever stands before a colon at an attribute for its type.
    if what not in ("attribute", "property", "data"):
        from sphinx.ext.napoleon import Config, GoogleDocstring

        lines[:] = GoogleDocstring(lines, Config(), app, what, name, obj, options).lines()
    lines[:] = [_PART.sub(r"**\1:** ", line) for line in lines]


def setup(app: Any) -> None:
    """Find names of ours wherever they are defined."""
    app.connect("missing-reference", _by_home)
    app.connect("autodoc-process-docstring", _as_markup)
