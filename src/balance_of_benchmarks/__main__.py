"""``python -m balance_of_benchmarks`` is ``bob``."""

from balance_of_benchmarks.cli import main

if __name__ == "__main__":
    main()
