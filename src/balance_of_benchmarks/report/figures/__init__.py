"""Figures: one Vega-Lite specification each, for terminal commands, pages and the paper alike."""
