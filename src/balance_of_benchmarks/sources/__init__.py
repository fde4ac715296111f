"""The outside world to Board: one module a format or service."""
