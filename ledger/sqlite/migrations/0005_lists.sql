-- 0005: less to write for each claim. A claim waits for the disk, and each index and
-- each trigger adds to what has to get there.

-- Lists over several rules or states are woven from those of each rule and state, so
-- they need no index of their own. What they would miss are rows in a state that nobody
-- knows.
DROP INDEX claims_changed;
DROP INDEX claims_rule;
DROP INDEX claims_state;
CREATE INDEX claims_odd ON claims (changed_at, id)
WHERE state <> 'claimed' AND state <> 'done' AND state <> 'retryable' AND state <> 'held';

-- As in 0001. For a list of values SQLite fills a table of its own each time; for a
-- simple CASE it compares.
DROP INDEX claims_stuck;
CREATE INDEX claims_stuck ON claims (
    CASE state WHEN 'claimed' THEN stuck_at WHEN 'done' THEN stuck_at
        WHEN 'retryable' THEN stuck_at WHEN 'held' THEN stuck_at ELSE 0 END,
    id, state, rule_id
) WHERE CASE state WHEN 'claimed' THEN stuck_at WHEN 'done' THEN stuck_at
    WHEN 'retryable' THEN stuck_at WHEN 'held' THEN stuck_at ELSE 0 END IS NOT NULL;

-- As in 0002, but a call that moves a row, or stops a copy, updates the counters once.
DROP TRIGGER claims_moved;
DROP TRIGGER claims_called;
DROP TRIGGER claims_copied;

CREATE TRIGGER claims_moved AFTER UPDATE OF state ON claims WHEN NEW.state <> OLD.state
BEGIN
    UPDATE rule_counts
    SET claimed = claimed + (NEW.state = 'claimed') - (OLD.state = 'claimed'),
        done = done + (NEW.state = 'done') - (OLD.state = 'done'),
        retryable = retryable + (NEW.state = 'retryable') - (OLD.state = 'retryable'),
        held = held + (NEW.state = 'held') - (OLD.state = 'held'),
        last_call_at = coalesce(max(last_call_at, NEW.called_at), NEW.called_at)
    WHERE rule_id = NEW.rule_id;
END;

CREATE TRIGGER claims_copied AFTER UPDATE OF copies ON claims WHEN NEW.copies > OLD.copies
BEGIN
    UPDATE rule_counts
    SET copies = copies + NEW.copies - OLD.copies,
        last_call_at = coalesce(max(last_call_at, NEW.called_at), NEW.called_at)
    WHERE rule_id = NEW.rule_id;
    INSERT OR IGNORE INTO copies_by_day (rule_id, day, copies) VALUES (NEW.rule_id, NEW.called_at / 86400000, 0);
    UPDATE copies_by_day
    SET copies = copies + NEW.copies - OLD.copies
    WHERE rule_id = NEW.rule_id AND day = NEW.called_at / 86400000;
END;

CREATE TRIGGER claims_called AFTER UPDATE OF called_at ON claims
WHEN NEW.called_at <> OLD.called_at AND NEW.state = OLD.state AND NEW.copies <= OLD.copies
BEGIN
    UPDATE rule_counts
    SET last_call_at = coalesce(max(last_call_at, NEW.called_at), NEW.called_at)
    WHERE rule_id = NEW.rule_id;
END;
