"""Who may read what of the house, and take it along (F-13). Who gives which command is said in `floor/roles.py`."""

from feltworks.floor.roles import Role

AUDITOR, MANAGER, SUPERVISOR, SURVEILLANCE = Role.AUDITOR, Role.MANAGER, Role.SUPERVISOR, Role.SURVEILLANCE

READ_RECORDS = frozenset({AUDITOR, MANAGER, SURVEILLANCE})
"""The records in words, the public key, and the signature that covers them: an auditor reads all of them, surveillance
sees everything that lies open, and a manager answers for the people and tables in them."""
EXPORT_RECORDS = frozenset({AUDITOR})
"""Taking them along is the auditor's own."""
VERIFY_RECORDS = frozenset({AUDITOR, MANAGER})
"""It changes nothing: the auditor's, and the manager's who has to act on what it finds."""
READ_DUE = frozenset({AUDITOR, MANAGER, SUPERVISOR})
"""What is due, and whether the code is what was loaded. Marking something as done is a command."""
READ_DISPUTES = frozenset({Role.DEALER, AUDITOR, MANAGER, SUPERVISOR, SURVEILLANCE})
"""Which rounds are disputed, and how that was decided. Deciding is a command."""
CHECK_CODE = frozenset({MANAGER, SUPERVISOR})
"""A check is recorded, and an auditor changes nothing."""
SEE_JACKPOTS = frozenset({AUDITOR, Role.CASHIER, MANAGER, SUPERVISOR, SURVEILLANCE})
"""Meters, the money behind them and their statements. Opening, seeding and the like are commands."""
SEE_BOARD = frozenset({MANAGER, SUPERVISOR})
"""All tables with what waits at them, and everything that is decided or signed about them in one place."""
WATCH = frozenset({MANAGER, SUPERVISOR, SURVEILLANCE})
"""Every table on its felt as it lies open, and nothing that a seat alone may see."""
SEARCH = frozenset({AUDITOR, MANAGER, SUPERVISOR, SURVEILLANCE})
"""What was recorded at the tables, which anybody could have seen there."""

TABLE = {
    "see the board of all tables and what waits there": SEE_BOARD,
    "watch every table live, and everything that lies open there": WATCH,
    "search what was recorded at the tables": SEARCH,
    "read the records, the public key and the newest signature": READ_RECORDS,
    "export the records of any time": EXPORT_RECORDS,
    "have the records verified": VERIFY_RECORDS,
    "read what is due and how the code was found": READ_DUE,
    "have the code checked": CHECK_CODE,
    "read the statements of jackpots and the money behind them": SEE_JACKPOTS,
    "read which rounds are disputed, and what was decided": READ_DISPUTES,
}
"""The same for whoever reads the documentation."""
