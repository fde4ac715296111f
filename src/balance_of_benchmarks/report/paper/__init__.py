"""The redone paper as files: tables, figures, the comparison with what is published."""
