"""The grid itself: cell codes, neighbourhoods and bit boards. Imports nothing else of ours."""
