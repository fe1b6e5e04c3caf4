"""``python -m satsweeper`` is the command ``satsweeper``."""

import sys

from satsweeper.cli.main import main

sys.exit(main())
