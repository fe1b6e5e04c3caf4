"""Boards and games as pictures: scenes, which are plain values, drawn as SVG, HTML or pixels."""
