"""Snapshots of boards that lie on the web: which address has them, what was asked when, and what came."""
