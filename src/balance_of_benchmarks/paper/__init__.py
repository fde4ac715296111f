"""The paper's numbers: as published, as we compute them, and how the two compare."""
