-- 0002: the figures that people see at once, kept by triggers so that every writer
-- of the file keeps them, the seed's script included.

CREATE TABLE rule_counts (
    rule_id        INTEGER PRIMARY KEY REFERENCES rules (id),
    total          INTEGER NOT NULL DEFAULT 0,
    claimed        INTEGER NOT NULL DEFAULT 0,
    done           INTEGER NOT NULL DEFAULT 0,
    retryable      INTEGER NOT NULL DEFAULT 0,
    held           INTEGER NOT NULL DEFAULT 0,
    copies         INTEGER NOT NULL DEFAULT 0,  -- never goes down: prune keeps it
    first_claim_at INTEGER,
    last_call_at   INTEGER
);

-- Copies stopped a UTC day; day is days since 1970.
CREATE TABLE copies_by_day (
    rule_id INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    copies  INTEGER NOT NULL,
    PRIMARY KEY (day, rule_id)
);

CREATE TRIGGER rules_added AFTER INSERT ON rules
BEGIN
    INSERT INTO rule_counts (rule_id) VALUES (NEW.id);
END;

CREATE TRIGGER claims_added AFTER INSERT ON claims
BEGIN
    UPDATE rule_counts
    SET total = total + 1,
        claimed = claimed + (NEW.state = 'claimed'),
        done = done + (NEW.state = 'done'),
        retryable = retryable + (NEW.state = 'retryable'),
        held = held + (NEW.state = 'held'),
        first_claim_at = coalesce(min(first_claim_at, NEW.first_seen), NEW.first_seen),
        last_call_at = coalesce(max(last_call_at, NEW.called_at), NEW.called_at)
    WHERE rule_id = NEW.rule_id;
END;

CREATE TRIGGER claims_moved AFTER UPDATE OF state ON claims WHEN NEW.state <> OLD.state
BEGIN
    UPDATE rule_counts
    SET claimed = claimed + (NEW.state = 'claimed') - (OLD.state = 'claimed'),
        done = done + (NEW.state = 'done') - (OLD.state = 'done'),
        retryable = retryable + (NEW.state = 'retryable') - (OLD.state = 'retryable'),
        held = held + (NEW.state = 'held') - (OLD.state = 'held')
    WHERE rule_id = NEW.rule_id;
END;

CREATE TRIGGER claims_called AFTER UPDATE OF called_at ON claims WHEN NEW.called_at <> OLD.called_at
BEGIN
    UPDATE rule_counts
    SET last_call_at = coalesce(max(last_call_at, NEW.called_at), NEW.called_at)
    WHERE rule_id = NEW.rule_id;
END;

CREATE TRIGGER claims_copied AFTER UPDATE OF copies ON claims WHEN NEW.copies > OLD.copies
BEGIN
    UPDATE rule_counts SET copies = copies + NEW.copies - OLD.copies WHERE rule_id = NEW.rule_id;
    INSERT OR IGNORE INTO copies_by_day (rule_id, day, copies) VALUES (NEW.rule_id, NEW.called_at / 86400000, 0);
    UPDATE copies_by_day
    SET copies = copies + NEW.copies - OLD.copies
    WHERE rule_id = NEW.rule_id AND day = NEW.called_at / 86400000;
END;

CREATE TRIGGER claims_gone AFTER DELETE ON claims
BEGIN
    UPDATE rule_counts
    SET total = total - 1,
        claimed = claimed - (OLD.state = 'claimed'),
        done = done - (OLD.state = 'done'),
        retryable = retryable - (OLD.state = 'retryable'),
        held = held - (OLD.state = 'held')
    WHERE rule_id = OLD.rule_id;
    DELETE FROM arrivals WHERE claim_id = OLD.id;
END;

-- The rule that takes plain keys: 15 minutes, 35 days, the next copy runs, no
-- limit, retries unknown.
INSERT INTO rules (id, name, title, lease, keep, on_expiry, created_at, changed_at)
VALUES (1, 'default', 'Plain keys', 900000, 3024000000, 'next',
    CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER),
    CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER));
