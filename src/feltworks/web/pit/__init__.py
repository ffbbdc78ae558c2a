"""What those see and do who deal, supervise and watch the tables."""
