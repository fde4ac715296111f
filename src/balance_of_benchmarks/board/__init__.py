"""What a leaderboard is: scores, benchmarks, models, in one validated, frozen Board."""
