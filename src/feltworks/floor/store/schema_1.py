"""The tables of version 1, by which such a file is recognised before it is brought up to date."""

NO_OVERDRAFT = "no player below zero"

SCHEMA_1 = f"""
    CREATE TABLE events (
        id INTEGER PRIMARY KEY,  -- the order of the commits, over all streams
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL CHECK (sequence > 0),
        time INTEGER NOT NULL,
        actor TEXT NOT NULL,
        command TEXT NOT NULL,
        round INTEGER NOT NULL CHECK (round >= 0),
        event BLOB NOT NULL,
        previous TEXT NOT NULL,
        hash TEXT NOT NULL,
        UNIQUE (stream, sequence)
    ) STRICT;
    CREATE INDEX events_of_round ON events (stream, round, sequence) WHERE round > 0;

    CREATE TABLE accounts (
        name TEXT PRIMARY KEY,
        balance INTEGER NOT NULL,
        CONSTRAINT "{NO_OVERDRAFT}" CHECK (balance >= 0 OR substr(name, 1, 7) <> 'player:')
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE entries (
        event INTEGER NOT NULL REFERENCES events,
        position INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN (
            'buy-in', 'cash-out', 'play-money grant', 'wager taken', 'wager returned', 'payout',
            'colour change', 'fill', 'credit', 'count difference', 'jackpot seed', 'jackpot contribution',
            'jackpot award', 'jackpot adjustment', 'forfeiture', 'correction')),
        payer TEXT NOT NULL REFERENCES accounts,
        payee TEXT NOT NULL REFERENCES accounts CHECK (payee <> payer),
        cents INTEGER NOT NULL CHECK (cents BETWEEN 1 AND 1000000000000),
        PRIMARY KEY (event, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX entries_of_payer ON entries (payer);
    CREATE INDEX entries_of_payee ON entries (payee);

    CREATE TRIGGER accounts_open BEFORE INSERT ON entries BEGIN
        INSERT INTO accounts VALUES (NEW.payer, 0), (NEW.payee, 0) ON CONFLICT DO NOTHING;
    END;
    CREATE TRIGGER accounts_move AFTER INSERT ON entries BEGIN
        UPDATE accounts SET balance = balance - NEW.cents WHERE name = NEW.payer;
        UPDATE accounts SET balance = balance + NEW.cents WHERE name = NEW.payee;
    END;

    CREATE TABLE played (  -- whose money was in which round, in the order of the commits
        id INTEGER PRIMARY KEY,
        stream TEXT NOT NULL,
        round INTEGER NOT NULL,
        account TEXT NOT NULL,
        UNIQUE (stream, round, account)
    ) STRICT;
    CREATE INDEX played_by ON played (account);
    CREATE TRIGGER played_with AFTER INSERT ON entries BEGIN
        INSERT INTO played (stream, round, account)
            SELECT stream, round, account
            FROM events, (SELECT NEW.payer AS account UNION ALL SELECT NEW.payee)
            WHERE id = NEW.event AND round > 0 AND substr(account, 1, 7) = 'player:'
            ON CONFLICT DO NOTHING;
    END;

    CREATE TABLE answers (
        actor TEXT NOT NULL,
        command TEXT NOT NULL,
        answer BLOB NOT NULL,
        PRIMARY KEY (actor, command)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (
        root TEXT PRIMARY KEY,
        stream TEXT NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE heads (
        stream TEXT NOT NULL,
        sequence INTEGER NOT NULL,
        hash TEXT NOT NULL,
        time INTEGER NOT NULL,
        signature BLOB NOT NULL,
        public TEXT NOT NULL,
        PRIMARY KEY (stream, sequence, public, time)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE snapshots (
        stream TEXT PRIMARY KEY,
        sequence INTEGER NOT NULL,
        state BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE players (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        joined INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE sessions (
        token BLOB PRIMARY KEY,  -- its SHA-256, never the token
        player TEXT NOT NULL REFERENCES players,
        created INTEGER NOT NULL,
        expires INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    """ + "".join(
    f"""
    CREATE TRIGGER {table}_stay_{act} BEFORE {act} ON {table} BEGIN
        SELECT RAISE(ABORT, 'what is recorded stays as it is');
    END;"""
    for table in ("events", "entries", "answers", "secrets", "heads")
    for act in ("UPDATE", "DELETE")
)
"""It never changes: files of it are there."""
