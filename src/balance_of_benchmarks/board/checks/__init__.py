"""What may be wrong with a board: one function a kind of finding, and the report of them all."""
