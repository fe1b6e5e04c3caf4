"""The command line: one file a command, each a parser and a few lines that call a verb."""
