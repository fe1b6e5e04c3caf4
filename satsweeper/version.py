"""The version, in the one place that everything reads."""

from typing import Final

__version__: Final = "0.1.0"
