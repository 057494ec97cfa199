-- 0009: what came hour by hour; hour is hours since 1970, UTC. Kept by triggers, as the
-- other figures are. It begins empty: what came before was counted by the day alone.

CREATE TABLE calls_by_hour (
    hour       INTEGER NOT NULL,
    rule_id    INTEGER NOT NULL,
    granted    INTEGER NOT NULL DEFAULT 0,
    copies     INTEGER NOT NULL DEFAULT 0,
    mismatches INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (hour, rule_id)
) WITHOUT ROWID;

-- A row that was brought along was not granted now.
CREATE TRIGGER claims_hour_first AFTER INSERT ON claims
WHEN NEW.state = 'claimed' AND NEW.attempts = 1 AND NEW.claimed_at = NEW.changed_at
BEGIN
    INSERT OR IGNORE INTO calls_by_hour (hour, rule_id) VALUES (NEW.called_at / 3600000, NEW.rule_id);
    UPDATE calls_by_hour SET granted = granted + 1
    WHERE hour = NEW.called_at / 3600000 AND rule_id = NEW.rule_id;
END;

CREATE TRIGGER claims_hour AFTER UPDATE OF attempts, copies, mismatches ON claims
WHEN NEW.attempts > OLD.attempts OR NEW.copies > OLD.copies OR NEW.mismatches > OLD.mismatches
BEGIN
    INSERT OR IGNORE INTO calls_by_hour (hour, rule_id) VALUES (NEW.called_at / 3600000, NEW.rule_id);
    UPDATE calls_by_hour
    SET granted = granted + max(0, NEW.attempts - OLD.attempts),
        copies = copies + max(0, NEW.copies - OLD.copies),
        mismatches = mismatches + max(0, NEW.mismatches - OLD.mismatches)
    WHERE hour = NEW.called_at / 3600000 AND rule_id = NEW.rule_id;
END;
