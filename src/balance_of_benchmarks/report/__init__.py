"""Results to JSON, CSV, Markdown and tables on a terminal."""
