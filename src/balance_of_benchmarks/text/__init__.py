"""Words to unit vectors: encoders and what they cannot encode."""
