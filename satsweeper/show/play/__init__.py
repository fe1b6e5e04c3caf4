"""The game in a terminal: all that knows textual. What draws and hints never asks a layout."""
