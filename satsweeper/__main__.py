"""``python -m satsweeper`` is the command ``satsweeper``."""

import sys

from satsweeper.cli.start import main

sys.exit(main())
