"""Fit and geometry, and a task, to an order with its support and reasons (§3.3, §4.1)."""
