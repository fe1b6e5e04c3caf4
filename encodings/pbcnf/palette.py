"""The colours that drawings, plots, reports and the page share, on light and on dark ground.

On `ground` and `band` text has a contrast of 4.5 to 1 at the least, and lines that say something
(`border`, `accent`) of 3 to 1, as WCAG 2.2 asks for. Tests hold every theme to that.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Ground:
    """The colours of a theme, as ``#rrggbb``.

    `band` is the ground of what stands out a little, `tint` that of inputs and of what is new;
    `rule` separates, `border` encloses what can be used, and `accent` marks what is chosen.
    """

    ground: str
    band: str
    tint: str
    text: str
    faint: str
    rule: str
    border: str
    accent: str
    on_accent: str
    alarm: str


LIGHT: Final = Ground(
    ground="#ffffff", band="#f4f6f8", tint="#cfe9f9", text="#1c2126", faint="#59626b",
    rule="#d5dadf", border="#7f8992", accent="#1f5f63", on_accent="#ffffff", alarm="#a3101f",
)  # fmt: skip
DARK: Final = Ground(
    ground="#14181c", band="#1d2329", tint="#0c3850", text="#e4e8ec", faint="#a3adb7",
    rule="#3a434c", border="#77828d", accent="#7fc3c0", on_accent="#14181c", alarm="#ff8a92",
)  # fmt: skip

SERIES: Final = (
    ("#0060a8", "#5fb4f5"), ("#b84d00", "#f59a4d"), ("#00734f", "#4cc9a0"), ("#a03c83", "#e592c9"),
    ("#6d5f00", "#d8c84a"), ("#4a3fb5", "#aaa2ff"), ("#a3232f", "#ff8a92"), ("#4f5b66", "#b5c2cc"),
)  # fmt: skip
"""Colours of curves, each on light and on dark ground; drawings have those for light ground."""

ON_DARK_PAGES: Final = "[data-jp-theme-light=false] {0}, .vscode-dark {0} {{ color-scheme: dark }}"
"""A style rule for the selector ``{0}``: the dark themes of notebooks that declare no scheme."""


def either(light: str, dark: str) -> str:
    """Return the style value that is the colour of the scheme in which the element is shown.

    Inside a page that is the scheme of the page, not that of the reader's system; as an image, too,
    a drawing has the scheme of the element that shows it.
    """
    return f"light-dark({light}, {dark})"


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour ``#rrggbb``, 0 to 1 (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
