"""The shapes in which people exchange scores: a module each, which gives its `FORMAT`."""
