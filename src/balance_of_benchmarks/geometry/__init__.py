"""Vectors to distances, densities, weights, marginal mass (§3.2, Appendix B)."""
