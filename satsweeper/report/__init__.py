"""Tables, plots and pages: values that are written as text, HTML, Markdown, CSV and LaTeX."""
