"""Answers printed and drawn for people. No verdict, chance or result is computed here."""

from typing import TYPE_CHECKING

from pbcnf.late_imports import late_imports

if TYPE_CHECKING:
    from satsweeper.show.notebook.values import as_html as as_html
    from satsweeper.show.notebook.values import as_svg as as_svg
    from satsweeper.show.notebook.values import as_text as as_text
else:
    __getattr__, __dir__, __all__ = late_imports(__spec__)
