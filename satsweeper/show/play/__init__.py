"""The game in a terminal, with textual. Drawing and hints never use the layout."""
