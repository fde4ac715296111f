"""Scores and weights to curves, abilities, residuals, information (§3.1, Appendix G.9)."""
