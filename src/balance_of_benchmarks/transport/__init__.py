"""What several rooms need of the machine: whole files or none."""
