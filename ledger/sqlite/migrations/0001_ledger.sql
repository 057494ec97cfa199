-- 0001: the ledger. Times are Unix milliseconds, UTC; lengths of time are
-- milliseconds. Plain SQL: people open this file with the SQLite they have, which
-- may know no STRICT table and no upsert.

-- Rules. A row never leaves; id 1 is the rule named default.
CREATE TABLE rules (
    id           INTEGER PRIMARY KEY,
    name         TEXT    NOT NULL UNIQUE CHECK (typeof(name) = 'text' AND length(name) BETWEEN 1 AND 64),
    title        TEXT    NOT NULL DEFAULT '' CHECK (typeof(title) = 'text'),
    version      INTEGER NOT NULL DEFAULT 1 CHECK (typeof(version) = 'integer' AND version >= 1),
    doc          BLOB    NOT NULL DEFAULT x'' CHECK (typeof(doc) = 'blob'),
    lease        INTEGER NOT NULL CHECK (typeof(lease) = 'integer' AND lease BETWEEN 5000 AND 604800000),
    keep         INTEGER NOT NULL CHECK (typeof(keep) = 'integer' AND keep >= 3600000),
    on_expiry    TEXT    NOT NULL CHECK (on_expiry IN ('next', 'ask')),
    max_attempts INTEGER NOT NULL DEFAULT 0 CHECK (typeof(max_attempts) = 'integer' AND max_attempts >= 0),
    retry_window INTEGER NOT NULL DEFAULT -1 CHECK (typeof(retry_window) = 'integer'),
    created_at   INTEGER NOT NULL CHECK (typeof(created_at) = 'integer'),
    changed_at   INTEGER NOT NULL CHECK (typeof(changed_at) = 'integer'),
    archived_at  INTEGER CHECK (archived_at IS NULL OR typeof(archived_at) = 'integer'),
    CHECK (id <> 1 OR (name = 'default' AND archived_at IS NULL))
);

-- Claims. One row per rule and key; it leaves only by prune or by a person's
-- forget. Keys are longer than a claim allows only where a seen.db was taken over.
CREATE TABLE claims (
    id          INTEGER PRIMARY KEY,
    rule_id     INTEGER NOT NULL REFERENCES rules (id),
    key         TEXT    NOT NULL CHECK (typeof(key) = 'text' AND length(CAST(key AS BLOB)) BETWEEN 1 AND 65536),
    version     INTEGER NOT NULL DEFAULT 1 CHECK (typeof(version) = 'integer' AND version >= 1),
    state       TEXT    NOT NULL CHECK (state IN ('claimed', 'done', 'retryable', 'held')),
    fence       INTEGER NOT NULL CHECK (typeof(fence) = 'integer' AND fence >= 0),
    token       TEXT    NOT NULL CHECK (typeof(token) = 'text'),  -- of the grant that stands; '' once a person decided
    owner       TEXT    NOT NULL DEFAULT '' CHECK (typeof(owner) = 'text'),
    plain       INTEGER NOT NULL DEFAULT 0 CHECK (plain IN (0, 1)),
    taken_over  INTEGER NOT NULL DEFAULT 0 CHECK (taken_over IN (0, 1)),
    released    INTEGER NOT NULL DEFAULT 0 CHECK (released IN (0, 1)),
    attempts    INTEGER NOT NULL CHECK (typeof(attempts) = 'integer' AND attempts >= 0),
    lease       INTEGER NOT NULL CHECK (typeof(lease) = 'integer' AND lease BETWEEN 5000 AND 604800000),
    first_seen  INTEGER NOT NULL CHECK (typeof(first_seen) = 'integer'),
    claimed_at  INTEGER NOT NULL CHECK (typeof(claimed_at) = 'integer'),
    lease_until INTEGER NOT NULL CHECK (typeof(lease_until) = 'integer'),
    done_at     INTEGER CHECK (done_at IS NULL OR typeof(done_at) = 'integer'),
    next_try_at INTEGER CHECK (next_try_at IS NULL OR typeof(next_try_at) = 'integer'),
    changed_at  INTEGER NOT NULL CHECK (typeof(changed_at) = 'integer'),
    called_at   INTEGER NOT NULL CHECK (typeof(called_at) = 'integer'),
    stuck_at    INTEGER CHECK (stuck_at IS NULL OR typeof(stuck_at) = 'integer'),  -- from then on it needs a decision
    last_error  TEXT    NOT NULL DEFAULT '' CHECK (typeof(last_error) = 'text'),
    result      TEXT    NOT NULL DEFAULT '' CHECK (typeof(result) = 'text' AND length(CAST(result AS BLOB)) <= 8192),
    fingerprint TEXT    NOT NULL DEFAULT '' CHECK (typeof(fingerprint) = 'text'),
    copies      INTEGER NOT NULL DEFAULT 0 CHECK (typeof(copies) = 'integer' AND copies >= 0),
    mismatches  INTEGER NOT NULL DEFAULT 0 CHECK (typeof(mismatches) = 'integer' AND mismatches >= 0),
    stale_calls INTEGER NOT NULL DEFAULT 0 CHECK (typeof(stale_calls) = 'integer' AND stale_calls >= 0),
    generation  INTEGER NOT NULL DEFAULT 1 CHECK (typeof(generation) = 'integer' AND generation >= 1),
    CHECK (state <> 'done' OR done_at IS NOT NULL),
    CHECK (state <> 'retryable' OR next_try_at IS NOT NULL)
);

-- Key first, so that one index makes keys unique and finds a prefix in all rules.
CREATE UNIQUE INDEX claims_key ON claims (key, rule_id);
-- The viewer's lists, newest change first. stuck_at rides along so that rows which
-- are listed elsewhere are passed over without a look at the table.
CREATE INDEX claims_changed ON claims (changed_at, id);
CREATE INDEX claims_rule ON claims (rule_id, changed_at, id);
CREATE INDEX claims_state ON claims (state, changed_at, id, stuck_at);
CREATE INDEX claims_rule_state ON claims (rule_id, state, changed_at, id, stuck_at);
-- What needs a decision, now or later. Done rows, which are most rows, are not in it.
-- A state that nobody knows has needed one since ever, whatever its row says.
CREATE INDEX claims_stuck ON claims (
    CASE WHEN state IN ('claimed', 'done', 'retryable', 'held') THEN stuck_at ELSE 0 END,
    id, state, rule_id
) WHERE CASE WHEN state IN ('claimed', 'done', 'retryable', 'held') THEN stuck_at ELSE 0 END IS NOT NULL;
-- What prune looks for.
CREATE INDEX claims_done ON claims (rule_id, done_at) WHERE state = 'done';

-- History. It outlives a row that a person removed, and goes with one that is pruned.
CREATE TABLE events (
    id      INTEGER PRIMARY KEY,
    rule_id INTEGER NOT NULL,
    key     TEXT    NOT NULL,
    at      INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    kind    TEXT    NOT NULL,
    owner   TEXT    NOT NULL DEFAULT '',
    person  TEXT    NOT NULL DEFAULT '',
    text    TEXT    NOT NULL DEFAULT '',
    fence   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX events_key ON events (key, rule_id, at, id);

-- The newest 50 copies of a key, in a ring: n counts them, slot is n modulo 50.
CREATE TABLE arrivals (
    claim_id INTEGER NOT NULL,
    slot     INTEGER NOT NULL CHECK (slot BETWEEN 0 AND 49),
    n        INTEGER NOT NULL,
    at       INTEGER NOT NULL CHECK (typeof(at) = 'integer'),
    owner    TEXT    NOT NULL DEFAULT '',
    status   TEXT    NOT NULL,
    PRIMARY KEY (claim_id, slot)
);

CREATE TABLE tokens (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL CHECK (scope IN ('claim', 'admin')),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32),
    last4      TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    used_at    INTEGER
);

CREATE TABLE settings (
    name  TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
