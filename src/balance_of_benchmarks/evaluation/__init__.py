"""Held-out tests of the method and its rivals, and stress tests of its weights (§4, Appendices B to F)."""
