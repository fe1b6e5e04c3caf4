"""The answers of the page in a browser: a question in JSON, an answer in JSON."""
