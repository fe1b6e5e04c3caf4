"""Display of values: drawings of encodings, and tables, in HTML, SVG and plain text."""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from pbcnf.show.drawing import Drawing as Drawing
    from pbcnf.show.drawing import draw as draw
    from pbcnf.show.values import as_html as as_html
    from pbcnf.show.values import as_svg as as_svg
    from pbcnf.show.values import as_text as as_text
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
