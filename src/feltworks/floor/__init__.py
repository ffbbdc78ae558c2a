"""What is operated: tables, money, chance, records."""
