"""Values to be looked at: drawings of encodings, tables, in HTML, SVG and plain text."""
